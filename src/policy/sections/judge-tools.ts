/** What a judge may look around with: a list of tools, or a mapping with their limits. */
import { isSeq } from 'yaml'
import { JUDGE_TOOL_DEFAULTS, JUDGE_TOOLS, type JudgeTool, type JudgeToolsPolicy } from '../judges.ts'
import { described, either, flag, type Located, listOf, located, oneOf, text, whole } from '../reading/fields.ts'
import { record } from '../reading/record.ts'
import type { CompileContext } from '../section.ts'

const allowField = described(listOf(oneOf(JUDGE_TOOLS)), 'Tools that it may ask for.')

const fullField = record(
  {
    allow: allowField,
    commands: described(
      listOf(located(text)),
      'What `cmd.run` may run, word by word; a last `*` stands for any more words. No shell reads them.',
    ),
    mounts: described(listOf(located(text)), 'Directories that it sees, read-only; default the one that the call comes from.'),
    programs: described(listOf(located(text)), 'Directories with programs besides those of the system.'),
    copy: described(flag, 'Commands run on a throw-away copy of what it sees, which they may write to. Default false.'),
    max_steps: described(whole(1, 64), 'How often it may ask for tools before it must answer; default 8.'),
    seconds: described(whole(1, 3_600), 'Time of each use; default 60.'),
    memory_mb: described(whole(64, 65_536), 'Memory of each process; default 2048.'),
    output_kb: described(whole(1, 1_024), 'Output of each use that it is shown; default 32.'),
    space_mb: described(whole(1, 65_536), 'Space for copies and temporary files; default 512.'),
  },
  { required: ['allow'] },
)

export const toolsField = either({ when: (node) => isSeq(node), first: located(allowField), second: located(fullField) })

type Full = NonNullable<ReturnType<(typeof fullField)['read']>>
type RawTools = Located<readonly JudgeTool[] | Full>

/** What its tools may do. Faults go to the reader: what is no absolute path would depend on who asks. */
export function toolsOf({ value, at }: RawTools, { reader }: CompileContext): JudgeToolsPolicy {
  const raw: Partial<Full> = isList(value) ? { allow: value } : value
  const allow = raw.allow ?? []
  const place = { start: at.start, end: at.start + 1 }
  const fail = (message: string, help: string, where = place): undefined =>
    reader.fail({ code: 'policy.wrong_value', message, help, at: where })
  const runs = allow.includes('cmd.run')
  if (allow.length === 0) fail('it names no tool', 'leave `tools` out for a judge without tools')
  if (runs && (raw.commands ?? []).length === 0) fail('`cmd.run` needs `commands`', 'name what it may run, such as `node --test`')
  if (!runs && raw.commands !== undefined) fail('`commands` needs `cmd.run`', 'add it to `allow`')
  if (!runs && raw.copy === true) fail('`copy` needs `cmd.run`', 'the other tools change nothing')
  const directories = (written: Full['mounts']): readonly string[] => {
    return (written ?? []).map((directory) => {
      if (!isPlainDirectory(directory.value)) fail(`\`${directory.value}\` is no absolute path of a directory`, PATHS, directory.at)
      return directory.value.replace(/(?<=.)\/$/, '')
    })
  }
  return {
    ...limitsOf(raw),
    allow,
    commands: (raw.commands ?? []).map((command) => wordsOf(command, fail)),
    mounts: directories(raw.mounts),
    programs: directories(raw.programs),
    copy: raw.copy ?? false,
  }
}

const PATHS = 'write it without `..`, and not `/` itself'

function isList(value: RawTools['value']): value is readonly JudgeTool[] {
  return Array.isArray(value)
}

function isPlainDirectory(path: string): boolean {
  const parts = path.split('/')
  return (
    path.startsWith('/') && path !== '/' && !parts.includes('..') && !parts.includes('.') && !path.includes('//') && !path.includes('\0')
  )
}

function wordsOf(
  { value, at }: Located<string>,
  fail: (message: string, help: string, where: Located<string>['at']) => undefined,
): readonly string[] {
  const words = value.split(' ').filter((word) => word !== '')
  const star = words.indexOf('*')
  if (words.length === 0 || star === 0) fail('a command starts with a program', 'write it as `node --test` or `terraform plan *`', at)
  else if (star !== -1 && star !== words.length - 1)
    fail(`in \`${value}\` the \`*\` is not last`, 'only a last `*` stands for more words', at)
  return words
}

type Limits = Pick<JudgeToolsPolicy, 'maxSteps' | 'timeoutMs' | 'memoryBytes' | 'outputBytes' | 'spaceBytes'>

function limitsOf(raw: Partial<Full>): Limits {
  const { maxSteps, timeoutMs, memoryBytes, outputBytes, spaceBytes } = JUDGE_TOOL_DEFAULTS
  return {
    maxSteps: raw.max_steps ?? maxSteps,
    timeoutMs: raw.seconds === undefined ? timeoutMs : raw.seconds * 1_000,
    memoryBytes: raw.memory_mb === undefined ? memoryBytes : raw.memory_mb * 1_048_576,
    outputBytes: raw.output_kb === undefined ? outputBytes : raw.output_kb * 1_024,
    spaceBytes: raw.space_mb === undefined ? spaceBytes : raw.space_mb * 1_048_576,
  }
}
