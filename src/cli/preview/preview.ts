/** `countersign preview`: one call on stdin, what it would change on stdout; nothing of the machine is changed and nothing is recorded. */
import pc from 'picocolors'
import { redactJson } from '../../audit/redact.ts'
import { isJsonObject, type JsonObject, own } from '../../core/json.ts'
import type { Preview } from '../../core/preview.ts'
import { parseCall } from '../../ingress/call.ts'
import { analyseCall, digester, type OpenOptions, openGate, stateDirectory } from '../../open.ts'
import { judgingFiles } from '../../open-files.ts'
import { previewOf } from '../../open-preview.ts'
import type { Policy } from '../../policy/policy.ts'
import type { PreviewSection } from '../../policy/preview/model.ts'
import { emptySession } from '../../session/state.ts'
import { createNodeView } from '../../view/node.ts'
import { printRefusal } from '../commands/check.ts'
import { withoutCredentials } from '../commands/effects.ts'
import { loadInForce } from '../open.ts'
import { EXIT, print, readStdin, visible, warn } from '../terminal.ts'

const MEBIBYTE = 1024 * 1024

/** Where the policy says nothing: a person asks here, and sees what there is. */
const USUAL: PreviewSection = {
  run: 'asked',
  dryRuns: [],
  modes: [],
  onlyForTools: null,
  onUnsupported: null,
  onFailure: 'deny',
  onExit: 'ask',
  apply: null,
  askAbove: { files: null, deleted: null, lines: null, rows: null },
  limits: { timeMs: 10_000, memoryBytes: 1_024 * MEBIBYTE, outputBytes: 16_384, spaceBytes: 256 * MEBIBYTE, processes: 256 },
}

/** Exit 0 where something was seen, 1 where the call could not be tried out, 2 where it could not be read. */
export async function preview(options: { json?: boolean; policy?: string }): Promise<number> {
  const parsed = parseCall(readStdin(), { digester })
  if (!parsed.ok) return printRefusal(parsed.refusal)
  const call = { ...parsed.call, cwd: parsed.call.cwd ?? process.cwd() }
  const { policy } = loadInForce(options.policy ?? null)
  const view = withoutCredentials(createNodeView({ cwd: call.cwd, gate: [stateDirectory(), ...judgingFiles(policy)] }))
  const facts = analyseCall(call, view, { state: emptySession(Date.now()), policy })
  const section = policy?.preview ?? USUAL
  const opened = policy === null || section.dryRuns.length === 0 ? null : openGate(judging(policy))
  try {
    const seen = await previewOf(call, facts, { view, section, ...(opened === null ? {} : { consider: opened.reviewing.consider }) })
    if (seen === null) return failed('nothing here can try this tool out')
    if (options.json === true) print(JSON.stringify(told(seen), null, 2))
    else for (const line of linesOf(seen)) print(line)
    return seen.seen !== undefined && seen.seen.unsupported !== null ? EXIT.broken : EXIT.ok
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error))
  } finally {
    opened?.close()
  }
}

/** A gate that says what it would decide, and keeps nothing. */
function judging(policy: Policy): OpenOptions {
  return { home: stateDirectory(), policy: () => ({ policy, degraded: null }), record: false }
}

function failed(why: string): number {
  warn(visible(`countersign: the call could not be tried out: ${why}`))
  return EXIT.broken
}

/** `{ kind, exit_code, files, network, programs, output, …, digest }`, redacted as in the log. */
function told({ shown, digest }: Preview): JsonObject {
  const value = redactJson(shown).value
  return { ...(isJsonObject(value) ? value : {}), digest }
}

const COLOURS: Readonly<Record<string, (text: string) => string>> = { created: pc.green, changed: pc.yellow, deleted: pc.red }

function linesOf(seen: Preview): readonly string[] {
  const shown = told(seen)
  const output = own(shown, 'output')
  const code = own(shown, 'exit_code')
  return [
    ...(code === null || code === undefined ? [] : [`exit code ${String(code)}`]),
    ...listIn(shown, 'files').flatMap(fileLines),
    ...listIn(shown, 'network').map(({ kind, attempts }) => pc.red(visible(`network: ${String(attempts)} × ${String(kind)}, not let out`))),
    ...listIn(shown, 'programs').map(programLine),
    ...(typeof output === 'string'
      ? [
          'output:',
          ...output
            .trimEnd()
            .split('\n')
            .map((line) => `  ${visible(line)}`),
        ]
      : []),
    pc.dim(visible(String(own(shown, 'note') ?? ''))),
    pc.dim(`digest ${seen.digest}`),
  ].filter((line) => line !== '')
}

function listIn(shown: JsonObject, name: string): readonly JsonObject[] {
  const value = own(shown, name)
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}

function programLine({ path, words, times }: JsonObject): string {
  const often = times === 1 ? '' : ` (${String(times)} times)`
  return `started ${visible(String(path))}: ${visible(String(words))}${often}`
}

function fileLines({ path, change, diff, cut, mode }: JsonObject): readonly string[] {
  const colour = COLOURS[String(change)] ?? pc.dim
  const text = typeof diff === 'string' ? diff.trimEnd() : ''
  return [
    `${colour(String(change))} ${visible(String(path))}${typeof mode === 'string' ? ` (mode ${mode})` : ''}`,
    ...(text === '' ? [] : text.split('\n').map((line) => `  ${diffColour(line)(visible(line))}`)),
    ...(cut === true ? ['  … the difference goes on'] : []),
  ]
}

function diffColour(line: string): (text: string) => string {
  if (line.startsWith('+')) return pc.green
  return line.startsWith('-') ? pc.red : pc.dim
}
