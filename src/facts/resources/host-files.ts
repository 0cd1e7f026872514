/**
 * Files by which agents and editors are given something to do (T40): their settings, servers, tasks, and prompts that they keep. Each is
 * judged by its content: harmless only where nothing in it runs, or is allowed, without the gate being asked. Pure.
 */
import { isJsonObject, type Json, own } from '../../core/json.ts'
import {
  environment,
  isNarrow,
  isSame,
  jsonFile,
  type Kind,
  type Objection,
  type Rule,
  readJsonc,
  SCALAR,
  SETTINGS_KINDS,
} from './host-settings.ts'

export type { Objection } from './host-settings.ts'

/** The file at `path` becomes `text`; `before` is what stands there, null where nothing does. */
export function objectionTo(path: string, text: string, before: string | null): Objection {
  const kind = KINDS.find(({ file }) => file.test(path))
  if (kind === undefined) return 'nothing is known of the settings in such a file'
  if (text.length > LONGEST || (before?.length ?? 0) > LONGEST) return 'the file is longer than what is looked at'
  return kind.judge(text, before)
}

/** True of a file that `objectionTo` can find harmless. */
export function isJudged(path: string): boolean {
  return KINDS.some(({ file }) => file.test(path))
}

const LONGEST = 65_536

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))

// Servers. One that is reached over the web brings tools, whose calls the gate sees; a program that the host starts does as it likes.

const OF_SERVER = words('type url headers disabled description timeout')
const REMOTE = words('http sse streamable-http streamableHttp')

const servers: Rule = (value, before) => {
  if (!isJsonObject(value)) return 'it is no object'
  const then = isJsonObject(before) ? before : {}
  const gone = Object.entries(then).find(
    ([name, server]) => !isSame(server, own(value, name)) && /countersign/i.test(JSON.stringify(server)),
  )
  if (gone !== undefined) return `it changes \`${gone[0]}\`, which is the gate's`
  for (const [name, server] of Object.entries(value)) {
    const objection = isSame(server, own(then, name)) ? null : objectionToServer(server)
    if (objection !== null) return `\`${name}\` ${objection}`
  }
  return null
}

function objectionToServer(server: Json): Objection {
  if (!isJsonObject(server)) return 'is no object'
  const [type, url] = [own(server, 'type'), own(server, 'url')]
  if (own(server, 'command') !== undefined) return 'is a program that the host starts without asking'
  if (type !== undefined && !(typeof type === 'string' && REMOTE.has(type))) return 'is of a kind that is not known'
  if (typeof url !== 'string' || !/^https:\/\/[\w.-]+(?:[:/?]|$)/.test(url)) return 'has no `https:` address'
  const strange = Object.keys(server).find((key) => !OF_SERVER.has(key))
  return strange === undefined ? null : `has \`${strange}\`, of which nothing is known`
}

const SERVERS = new Map<string, Rule>([
  ['mcpServers', servers],
  ['servers', servers],
  ['$schema', SCALAR],
])

// Tasks of editors. One that a person starts is as a script of the project; what runs by itself is not.

const OF_TASK = words(
  'label type command args script path group problemMatcher presentation dependsOn dependsOrder detail isBackground options runOptions icon hide',
)
const OF_OPTIONS = words('cwd env')
const OF_RUN = words('runOn reevaluateOnRerun instanceLimit')
const ASKED_FOR = words('promptString pickString')

const tasks: Rule = (value, before) => {
  const then = Array.isArray(before) ? before : []
  if (!Array.isArray(value)) return 'it is no list'
  for (const task of value) {
    const objection = then.some((known) => isSame(known, task)) ? null : objectionToTask(task)
    if (objection !== null) return objection
  }
  return null
}

function objectionToTask(task: Json): Objection {
  if (!isJsonObject(task)) return 'a task is no object'
  const strange = Object.keys(task).find((key) => !OF_TASK.has(key))
  if (strange !== undefined) return `a task has \`${strange}\`, of which nothing is known`
  const [run, options] = [own(task, 'runOptions') ?? {}, own(task, 'options') ?? {}]
  if (!isJsonObject(run) || !isJsonObject(options)) return 'options of a task are no object'
  if (![undefined, 'default'].includes(own(run, 'runOn') as string | undefined)) return 'a task runs by itself'
  const unknown = [...Object.keys(run).filter((key) => !OF_RUN.has(key)), ...Object.keys(options).filter((key) => !OF_OPTIONS.has(key))][0]
  if (unknown !== undefined) return `a task has \`${unknown}\`, of which nothing is known`
  return own(options, 'env') === undefined ? null : environment(own(options, 'env') ?? null, undefined)
}

/** Values that an editor asks a person for; one that it computes runs something. */
const inputs: Rule = (value) => {
  const asked = Array.isArray(value) && value.every((input) => isJsonObject(input) && ASKED_FOR.has(String(own(input, 'type'))))
  return asked ? null : 'an input is computed'
}

const TASKS = new Map<string, Rule>([
  ['version', SCALAR],
  ['tasks', tasks],
  ['inputs', inputs],
])

// Prompts that an agent keeps: commands, agents and skills. What they ask of a model comes back to the gate, call by call.

const OF_PROMPT = words(
  'name description argument-hint model color license version author tags disable-model-invocation user-invocable when-to-use',
)
const FIELD = /^([\w-]{1,40}):(.*)$/
/** What runs as soon as the prompt is called, before any model. */
const RUNS_BY_ITSELF = /!`|^[ \t]*(?:\x60{3,}|~{3,})[ \t]*!/m

function prompt(text: string): Objection {
  const [head, body] = partsOf(text)
  if (head === null) return 'its fields have no end'
  if (RUNS_BY_ITSELF.test(body)) return 'it runs a command as soon as it is called'
  let continues = false
  for (const line of head) {
    if (/[\r\u0085\u2028\u2029]/.test(line)) return 'its fields have line ends of another kind'
    if (continues && /^(?:[ \t]|- )/.test(line)) continue
    const [, name = '', value = ''] = FIELD.exec(line) ?? []
    continues = name === 'tools' || OF_PROMPT.has(name)
    if (continues) continue
    if (name !== 'allowed-tools') return `nothing is known of its field \`${name === '' ? line.trim().slice(0, 40) : name}\``
    const wide = toolsIn(value).find((tool) => !isNarrow(tool))
    if (wide !== undefined || value.trim() === '') return 'it takes the questions of the host away'
  }
  return null
}

/** The lines of the fields between two lines of dashes, and what stands behind; null where they have no end. */
function partsOf(text: string): readonly [readonly string[] | null, string] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/)
  if (lines[0]?.trimEnd() !== '---') return [[], text]
  const end = lines.findIndex((line, at) => at > 0 && line.trimEnd() === '---')
  if (end === -1) return [null, text]
  return [lines.slice(1, end).filter((line) => line.trim() !== '' && !line.startsWith('#')), lines.slice(end + 1).join('\n')]
}

/** Commas inside of brackets part nothing. */
function toolsIn(value: string): readonly string[] {
  return (value.match(/[^,([]*(?:\([^)]*\)[^,]*)?/g) ?? []).map((tool) => tool.trim()).filter((tool) => tool !== '')
}

const KINDS: readonly Kind[] = [
  ...SETTINGS_KINDS,
  {
    file: /(?:^|\/)(?:\.mcp\.json|\.(?:cursor|vscode|roo)\/mcp\.json|\.windsurf\/mcp[\w-]*\.json)$/,
    judge: jsonFile(readJsonc, (key) => SERVERS.get(key) ?? null),
  },
  { file: /(?:^|\/)\.vscode\/tasks\.json$/, judge: jsonFile(readJsonc, (key) => TASKS.get(key) ?? null) },
  { file: /(?:^|\/)\.claude\/(?:(?:commands|agents)\/(?:[^/]+\/){0,6}[^/]+\.md|skills\/[^/]+\/SKILL\.md)$/, judge: prompt },
]
