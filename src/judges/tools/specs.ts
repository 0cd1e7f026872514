/** The tools that judges can have: what a model is told of each, and the command that each comes down to. Pure. */
import { type Json, type JsonObject, own } from '../../core/json.ts'
import type { JudgeTool, JudgeToolsPolicy } from '../../policy/judges.ts'
import type { ToolSpec } from '../wires/wire.ts'

/** On wires, names have no dots. */
export function wireName(tool: JudgeTool): string {
  return tool.replace('.', '_')
}

const path = { type: 'string', description: 'Absolute, or relative to the directory that the call comes from.' } as const

function object(properties: JsonObject, required: readonly string[]): JsonObject {
  return { type: 'object', properties, required, additionalProperties: false }
}

export function specsOf({ allow, commands, copy }: JudgeToolsPolicy): readonly ToolSpec[] {
  const runnable = commands.map((words) => `\`${words.join(' ')}\``).join(', ')
  const where = copy ? 'on a throw-away copy' : 'where nothing can be written'
  const all: Readonly<Record<JudgeTool, Omit<ToolSpec, 'name'>>> = {
    read_file: {
      description: 'Reads lines of a text file; 2000 of them where no `line_count` is given.',
      schema: object({ path, first_line: { type: 'integer', minimum: 1 }, line_count: { type: 'integer', minimum: 1 } }, ['path']),
    },
    grep: {
      description:
        'Searches files for a POSIX extended regular expression; below a directory, all of them. At most 200 lines of each file.',
      schema: object({ pattern: { type: 'string' }, path, ignore_case: { type: 'boolean' }, include: { type: 'string' } }, ['pattern']),
    },
    'ast_grep.search': {
      description: 'Searches code for a pattern of ast-grep, such as `fetch($URL)`.',
      schema: object({ pattern: { type: 'string' }, language: { type: 'string' }, path }, ['pattern', 'language']),
    },
    'cmd.run': {
      description: `Runs a program without a shell and without a network, ${where}. Allowed: ${runnable}; a last \`*\` stands for any words.`,
      schema: object({ command: { type: 'array', items: { type: 'string' }, minItems: 1 } }, ['command']),
    },
  }
  return allow.map((tool) => ({ name: wireName(tool), ...all[tool] }))
}

/** What a request comes down to. `path`: what it looks at; then the command runs only if that really lies in a mount. */
export interface Plan {
  readonly path: string | null
  readonly command: readonly string[]
  /** Exit statuses besides 0 that are an answer, with what they say. */
  readonly answers: ReadonlyMap<number, string>
}

/** A request that is refused, with the reason for the judge. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
}

const MAX_UNITS = 4_096
/** What reading ends with where lines were left out behind the last one: never silently. */
export const MORE_LINES = 9
const NONE: ReadonlyMap<number, string> = new Map()
/** 2 without a word of why: some file could not be read. */
const NO_LINES: ReadonlyMap<number, string> = new Map([
  [1, 'no line matches'],
  [2, 'no line matches'],
])

/** @throws {Refusal} where it asks for what it may not have, or not in the form of the tool. */
export function planOf(tool: JudgeTool, input: JsonObject, policy: JudgeToolsPolicy): Plan {
  switch (tool) {
    case 'read_file': {
      const first = lineOf(input, 'first_line') ?? 1
      const last = first + (lineOf(input, 'line_count') ?? 2_000) - 1
      const more = new Map([[MORE_LINES, `more lines follow: ask for them from ${last + 1} on`]])
      return {
        path: textIn(input, 'path'),
        command: ['sed', '-n', '-e', `${first},${last}p`, '-e', `${last + 1}q${MORE_LINES}`, '--'],
        answers: more,
      }
    }
    case 'grep': {
      const include = own(input, 'include') === undefined ? [] : [`--include=${textIn(input, 'include')}`]
      const options = own(input, 'ignore_case') === true ? ['-i'] : []
      const command = ['grep', '-rnIsE', '-m', '200', ...options, ...include, '-e', textIn(input, 'pattern'), '--']
      return { path: placeIn(input), command, answers: NO_LINES }
    }
    case 'ast_grep.search': {
      const language = textIn(input, 'language')
      if (!/^[A-Za-z0-9+#-]{1,32}$/.test(language)) throw new Refusal(`\`${language.slice(0, 64)}\` is no name of a language`)
      const command = ['ast-grep', 'run', `--pattern=${textIn(input, 'pattern')}`, `--lang=${language}`, '--color=never', '--heading=never']
      const answers = new Map([
        [1, 'nothing matches'],
        [127, 'ast-grep is not installed where judges can see it: the operator can name its directory under `programs`'],
      ])
      return { path: placeIn(input), command, answers }
    }
    case 'cmd.run':
      return { path: null, command: allowedCommand(own(input, 'command'), policy), answers: NONE }
  }
}

function allowedCommand(written: Json | undefined, { commands }: JudgeToolsPolicy): readonly string[] {
  const words = Array.isArray(written) ? written.filter((word): word is string => typeof word === 'string' && !word.includes('\0')) : []
  if (!Array.isArray(written) || words.length !== written.length || words.length === 0 || words.length > 256)
    throw new Refusal('`command` is a list of words')
  if (commands.some((allowed) => fits(words, allowed))) return words
  throw new Refusal(`\`${words.join(' ').slice(0, 200)}\` is not among the commands that are allowed`)
}

function fits(words: readonly string[], allowed: readonly string[]): boolean {
  const open = allowed.at(-1) === '*'
  const fixed = open ? allowed.slice(0, -1) : allowed
  return (open ? words.length >= fixed.length : words.length === fixed.length) && fixed.every((word, index) => words[index] === word)
}

function textIn(input: JsonObject, key: string): string {
  const text = own(input, key)
  if (typeof text !== 'string' || text === '' || text.length > MAX_UNITS || /[\0\n]/.test(text))
    throw new Refusal(`\`${key}\` is one line of text`)
  return text
}

function placeIn(input: JsonObject): string {
  return own(input, 'path') === undefined ? '.' : textIn(input, 'path')
}

function lineOf(input: JsonObject, key: string): number | null {
  const value = own(input, key)
  if (value === undefined || value === null) return null
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 10_000_000) return value
  throw new Refusal(`\`${key}\` is a whole number from 1`)
}
