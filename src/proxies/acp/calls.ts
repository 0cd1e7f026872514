/** What messages of the Agent Client Protocol propose, as calls in the form that policies know: shell commands, files, tools by name. Pure. */
import { isJsonObject, type Json, type JsonObject, own } from '../../core/json.ts'
import { toolIdentity } from '../../core/tool-name.ts'
import { shellWord, shellWords } from '../../facts/resources/text/quote.ts'

/** One call, but for whose it is. */
export interface Proposal {
  readonly server: string | null
  readonly tool: string
  readonly args: JsonObject
  /** Null: the directory of its session. */
  readonly cwd: string | null
}

/** Requests of an agent that make the editor act, or ask its person. */
export const DECIDED: ReadonlySet<string> = new Set([
  'session/request_permission',
  'fs/write_text_file',
  'fs/read_text_file',
  'terminal/create',
])

/** What the request would do; null where it cannot be told. A permission is about a tool call, whose fields are `toolCall`. */
export function proposalsOf(method: string, params: JsonObject, toolCall: JsonObject | null): readonly Proposal[] | null {
  switch (method) {
    case 'fs/write_text_file':
      return one(writing(own(params, 'path'), own(params, 'content')))
    case 'fs/read_text_file':
      return one(reading(own(params, 'path')))
    case 'terminal/create':
      return one(terminal(params))
    default:
      return toolCall === null ? null : proposalsOfTool(toolCall)
  }
}

function one(proposal: Proposal | null): readonly Proposal[] | null {
  return proposal === null ? null : [proposal]
}

function named(tool: string, args: JsonObject): Proposal {
  return { server: null, tool, args, cwd: null }
}

function writing(path: Json | undefined, content: Json | undefined): Proposal | null {
  return typeof path === 'string' && typeof content === 'string' ? named('Write', { file_path: path, content }) : null
}

function reading(path: Json | undefined): Proposal | null {
  return typeof path === 'string' ? named('Read', { file_path: path }) : null
}

/** A program with its arguments; without arguments editors take the command for a line of a shell. */
function terminal(params: JsonObject): Proposal | null {
  const [command, args = null, env = null, cwd = null] = ['command', 'args', 'env', 'cwd'].map((name) => own(params, name))
  if (typeof command !== 'string' || (cwd !== null && typeof cwd !== 'string')) return null
  const words = args ?? []
  const variables = env ?? []
  if (!Array.isArray(words) || !words.every((each) => typeof each === 'string') || !Array.isArray(variables)) return null
  const assigned = variables.map(assignment)
  if (assigned.includes(null)) return null
  const line = words.length === 0 ? command : shellWords([command, ...words])
  return { ...named('Bash', { command: [...assigned, line].join(' ') }), cwd }
}

function assignment(variable: Json): string | null {
  if (!isJsonObject(variable)) return null
  const [name, value] = [own(variable, 'name'), own(variable, 'value')]
  return typeof name === 'string' && typeof value === 'string' && /^[A-Za-z_][A-Za-z0-9_]*$/.test(name)
    ? `${name}=${shellWord(value)}`
    : null
}

/** What a tool of the agent would do, by its own name and input where they are told, else by what the editor is shown. */
function proposalsOfTool(toolCall: JsonObject): readonly Proposal[] {
  const input = own(toolCall, 'rawInput')
  const args = isJsonObject(input) ? input : null
  const name = toolName(toolCall)
  if (name !== null && args !== null) {
    const { server, name: tool } = toolIdentity(null, name)
    return [{ server, tool, args, cwd: null }]
  }
  const kind = own(toolCall, 'kind')
  if (kind === 'execute') return executed(toolCall, args)
  const edits = written(toolCall)
  if (edits.length > 0) return edits
  const places = placesOf(toolCall)
  if (kind === 'read' && places.length > 0) return places.map((path) => named('Read', { file_path: path }))
  return [otherwise(toolCall, args)]
}

/** The name that the agent itself has for the tool. */
function toolName(toolCall: JsonObject): string | null {
  const meta = own(toolCall, '_meta')
  const claude = isJsonObject(meta) ? own(meta, 'claudeCode') : undefined
  const name = own(toolCall, 'name') ?? (isJsonObject(claude) ? own(claude, 'toolName') : undefined)
  return typeof name === 'string' && name !== '' ? name : null
}

/**
 * Some agents say their command in the title alone, which is for people and may be anything: it raises what is decided of a tool that nothing
 * names, and lowers nothing.
 */
function executed(toolCall: JsonObject, args: JsonObject | null): readonly Proposal[] {
  const said = args === null ? undefined : (own(args, 'command') ?? own(args, 'cmd'))
  const line = typeof said === 'string' ? said : isTexts(said) ? shellWords(said) : null
  if (line === null) {
    const title = own(toolCall, 'title')
    const shown = typeof title === 'string' && title.trim() !== '' ? [named('Bash', { command: title })] : []
    return [otherwise(toolCall, args), ...shown]
  }
  const cwd = args === null ? null : (own(args, 'cwd') ?? own(args, 'workdir') ?? null)
  return [{ ...named('Bash', { command: line }), cwd: typeof cwd === 'string' && cwd.startsWith('/') ? cwd : null }]
}

/** Files as the editor is shown that they would be. */
function written(toolCall: JsonObject): readonly Proposal[] {
  const content = own(toolCall, 'content')
  const parts = Array.isArray(content) ? content.filter(isJsonObject) : []
  return parts
    .flatMap((each) => (own(each, 'type') === 'diff' ? [writing(own(each, 'path'), own(each, 'newText'))] : []))
    .filter((each) => each !== null)
}

function placesOf(toolCall: JsonObject): readonly string[] {
  const locations = own(toolCall, 'locations')
  const places = Array.isArray(locations) ? locations.filter(isJsonObject).map((each) => own(each, 'path')) : []
  return places.filter((each) => typeof each === 'string')
}

const KINDS: ReadonlySet<unknown> = new Set(['read', 'edit', 'delete', 'move', 'search', 'execute', 'think', 'fetch', 'switch_mode'])

/** A tool that nothing names: the agent's word for its kind, with all that is told. */
function otherwise(toolCall: JsonObject, args: JsonObject | null): Proposal {
  const kind = own(toolCall, 'kind')
  const places = placesOf(toolCall)
  const title = own(toolCall, 'title')
  const told = {
    ...(args ?? {}),
    ...(args === null && typeof title === 'string' ? { title } : {}),
    ...(places.length === 0 ? {} : { paths: places }),
  }
  return { server: 'acp', tool: KINDS.has(kind) ? String(kind) : 'other', args: told, cwd: null }
}

function isTexts(value: Json | undefined): value is string[] {
  return Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'string')
}
