/** What is tried out before people are asked, and what counts how where that is not possible. */
import { isScalar } from 'yaml'
import { described, either, flag, listOf, located, mapOf, oneOf, text, whole } from '../reading/fields.ts'
import { record } from '../reading/record.ts'
import { section } from '../section.ts'
import { durationOf, toolPatternOf } from '../sections/written.ts'
import { DRY_RUN_PROGRAMS, type PreviewSection } from './model.ts'

const MEBIBYTE = 1024 * 1024
/** `server/tool`, without wildcards. */
const QUALIFIED = /^[^/*?[\]]+\/[^/*?[\]]+$/

const fields = record({
  run: described(
    oneOf(['asked', 'always']),
    'When a call is tried out: `asked` where people would be asked, `always` also where the call would run without a question. Default `asked`.',
  ),
  only_for_tools: described(listOf(located(text)), 'Patterns of tools; nothing is raised for any other. Default: every tool.'),
  dry_runs: described(
    listOf(oneOf(DRY_RUN_PROGRAMS)),
    'Programs whose own dry run may run as it is, with the network and your keys, before anybody agreed, where it only reads and the policy ' +
      'lets it. What lies in the workspace of the agent may decide what they start. Default: none; dry runs go to the sandbox.',
  ),
  modes: described(
    mapOf(
      record(
        {
          argument: described(text, 'Name of the argument; the pinned `inputSchema` of the tool has to declare it.'),
          value: described(
            either({ when: (node) => isScalar(node) && typeof node.value === 'boolean', first: flag, second: text }),
            'Its value, which the schema has to allow; default `true`.',
          ),
        },
        { required: ['argument'] },
      ),
      (name) =>
        QUALIFIED.test(name)
          ? null
          : { code: 'policy.wrong_value', message: `\`${name}\` does not name one tool of a server`, help: 'write it as `server/tool`' },
    ),
    'Tools of MCP servers, as `server/tool`, with the argument and the value that make them only show what they would do. The MCP proxy calls ' +
      'the server so before people are asked, where the policy lets that call run. Name a tool only if you trust its server to do nothing then.',
  ),
  require_dryrun_supported: described(
    flag,
    'True: a call that cannot be tried out counts as `on_unsupported` says. Default false: it goes on.',
  ),
  on_unsupported: described(oneOf(['ask', 'deny']), 'What a call gets that cannot be tried out; default `ask`.'),
  on_failure: described(oneOf(['ask', 'deny']), 'What a call gets whose trial failed: no result, or ended at a limit. Default `deny`.'),
  on_exit: described(
    oneOf(['ask', 'pass']),
    'What a command gets that ended with an error when it was tried out, which says little of what it would do. Default `ask`.',
  ),
  ask_above: described(
    record({
      files: described(whole(0, 1_000_000), 'Files that a call may create, change or delete without a question.'),
      deleted: described(whole(0, 1_000_000), 'Files that it may delete.'),
      lines: described(whole(0, 100_000_000), 'Lines of text that it may add and remove.'),
      rows: described(whole(0, 1_000_000_000), 'Rows of a database that it may change.'),
    }),
    'The size of a change from which on people are asked. Default: no size is too large.',
  ),
  apply: described(
    record({
      max_files: described(whole(1, 10_000), 'Names that the call creates, changes or deletes, at most; default 1000.'),
      max_mb: described(whole(1, 4_096), 'Mebibytes of all files that it leaves, at most; default 64.'),
    }),
    'Lets an approver have exactly the changes made that the preview shows, instead of letting the call run. Their contents are kept in the ' +
      'state directory, secrets included. Default: contents are not kept, and nobody can.',
  ),
  time: described(located(text), 'Time for a trial, such as `10s`; default 10s, at most 5m.'),
  memory_mb: described(
    whole(16, 65_536),
    'Mebibytes that all of its processes may use together; default 1024. Node 24 does not start with 512.',
  ),
  space_mb: described(whole(1, 65_536), 'Mebibytes that it may write; default 256.'),
  output_bytes: described(whole(1_024, MEBIBYTE), 'Bytes of output that are kept; default 16384.'),
  processes: described(whole(1, 10_000), 'Processes at a time; default 256.'),
})

type Raw = NonNullable<ReturnType<(typeof fields)['read']>>

export const preview = section({
  fields: () => ({
    preview: described(
      fields,
      'Calls are tried out before people are asked, and what was seen is shown to them. Without this section only edits of files are shown as a difference.',
    ),
  }),
  compile: (values, context): { preview: PreviewSection | null } => {
    const raw = values.preview
    if (raw === undefined) return { preview: null }
    return {
      preview: {
        run: raw.run ?? 'asked',
        dryRuns: raw.dry_runs ?? [],
        modes: modesOf(raw.modes),
        onlyForTools: raw.only_for_tools?.flatMap((tool) => toolPatternOf(tool, context, { strict: false }) ?? []) ?? null,
        onUnsupported: raw.require_dryrun_supported === true ? (raw.on_unsupported ?? 'ask') : null,
        onFailure: raw.on_failure ?? 'deny',
        onExit: raw.on_exit ?? 'ask',
        askAbove: sizesOf(raw.ask_above),
        apply: applyOf(raw.apply),
        limits: {
          timeMs: durationOf(raw.time, { otherwise: 10_000, most: 300_000, context }),
          memoryBytes: (raw.memory_mb ?? 1_024) * MEBIBYTE,
          outputBytes: raw.output_bytes ?? 16_384,
          spaceBytes: (raw.space_mb ?? 256) * MEBIBYTE,
          processes: raw.processes ?? 256,
        },
      },
    }
  },
})

function sizesOf(raw: Raw['ask_above']): PreviewSection['askAbove'] {
  return { files: raw?.files ?? null, deleted: raw?.deleted ?? null, lines: raw?.lines ?? null, rows: raw?.rows ?? null }
}

function modesOf(raw: Raw['modes']): PreviewSection['modes'] {
  return [...(raw ?? [])].map(([name, { argument = '', value = true }]) => {
    const [server = '', tool = ''] = name.split('/')
    return { server, tool, argument, value }
  })
}

function applyOf(raw: Raw['apply']): PreviewSection['apply'] {
  return raw === undefined ? null : { maxFiles: raw.max_files ?? 1_000, maxBytes: (raw.max_mb ?? 64) * MEBIBYTE }
}
