/** Cursor behind the seam. Shell and MCP calls have events of their own; the one for all tools is kept off those, so none comes twice. */
import { homedir } from 'node:os'
import { join } from 'node:path'
import { isJsonObject, type JsonObject, own } from '../../core/json.ts'
import { toolIdentity } from '../../core/tool-name.ts'
import type { HookContext, HookEvent, HostAbout, Speaker } from '../adapter.ts'
import { CLAUDE_ANSWERS } from '../claude-form.ts'
import { type Items, listEntry, promptLine } from '../entries.ts'
import { argumentsIn, type NativeCall, type NativeEvent, parserOf, text } from '../event.ts'
import { type HostSpec, hostOf } from '../host.ts'
import { type Fits, identified, type ServerSettings } from '../server-names.ts'

const ABOUT: HostAbout = {
  title: 'Cursor',
  programs: ['cursor-agent', 'cursor'],
  traces: ['.cursor'],
  scopes: ['user', 'project', 'managed'],
  waits: 75,
  ask: { attended: 'denial', headless: 'denial', why: 'in Auto-review mode the client runs a command whose hook answers `ask`' },
  failing: { crash: 'stopped', hang: 'stopped', missing: 'stopped', empty: 'stopped', garbage: 'stopped' },
  escapes: ['cloud agents, which read no hooks of a user', 'completions of the Tab key', 'what is typed into a terminal that runs already'],
  borrows: [
    { from: 'claude-code', scopes: ['user', 'project'], when: 'where its settings include configurations of third parties', told: 'once' },
  ],
  seen: 'documents',
}

const items: Items = (command) => {
  const gate = { command, timeout: ABOUT.waits, failClosed: true }
  return {
    beforeShellExecution: gate,
    beforeMCPExecution: gate,
    preToolUse: { ...gate, matcher: '^(?!Shell$|MCP:)' },
    postToolUse: { command, timeout: ABOUT.waits },
    beforeSubmitPrompt: { command: promptLine(command), timeout: ABOUT.waits },
  }
}

/** The events of Claude Code's settings that Cursor runs, by the names that they may keep there. */
const BORROWED: Readonly<Record<string, string>> = {
  PreToolUse: 'preToolUse',
  PostToolUse: 'postToolUse',
  UserPromptSubmit: 'beforeSubmitPrompt',
}

function read(input: JsonObject): NativeEvent | null {
  const session = sessionOf(input)
  const event = text(input, 'hook_event_name') ?? ''
  const via = Object.hasOwn(BORROWED, event) ? BORROWED[event] : event
  switch (via) {
    case 'beforeShellExecution':
      return { kind: 'call', headless: true, via, call: callOf(input, SHELL, shellArguments(input)) }
    case 'beforeMCPExecution':
      return { kind: 'call', headless: true, via, call: serverCall(input) }
    case 'preToolUse':
      return { kind: 'call', headless: true, via, call: toolCall(input) }
    case 'postToolUse':
      return {
        kind: 'result',
        call: toolCall(input),
        response: own(input, 'tool_output') ?? own(input, 'tool_response') ?? null,
        failed: false,
      }
    case 'beforeSubmitPrompt':
      return { kind: 'prompt', session, text: text(input, 'prompt') }
    default:
      return null
  }
}

const SHELL = 'Shell'

/** Cursor's session has two names: that of its own events, and the one that hooks of Claude Code know. */
function sessionOf(input: JsonObject): string | null {
  return text(input, 'conversation_id', 'session_id')
}

function shellArguments(input: JsonObject): NativeCall['args'] {
  const command = text(input, 'command')
  return command === null ? undefined : { command }
}

/** A shell call is the same call in each of its events: it has a command, and a directory of its own. */
function toolCall(input: JsonObject): NativeCall {
  const name = text(input, 'tool_name') ?? ''
  const args = argumentsIn(own(input, 'tool_input'))
  const call = callOf(input, name === 'Bash' ? SHELL : name, args)
  if (call.tool.name !== SHELL || call.tool.server !== null || !isJsonObject(args)) return call
  const { working_directory: directory, ...rest } = args
  if (typeof directory !== 'string' || !directory.startsWith('/')) return { ...call, inert: INERT }
  return { ...call, args: rest, cwd: directory, inert: INERT }
}

/** The model's own words for people. */
const INERT = ['description', 'explanation'] as const

function callOf(input: JsonObject, name: string, args: NativeCall['args']): NativeCall {
  const roots = own(input, 'workspace_roots')
  const root = Array.isArray(roots) && typeof roots[0] === 'string' ? roots[0] : null
  const session = sessionOf(input)
  const tool = name.startsWith('MCP:') ? toolIdentity('mcp', name.slice(4)) : toolIdentity(null, name)
  return { tool, args, session, cwd: text(input, 'cwd') ?? root, id: text(input, 'tool_use_id') }
}

/** The event says where the server is and not how it is called. */
function serverCall(input: JsonObject): NativeCall {
  const origin = text(input, 'url', 'command')
  const call = callOf(input, text(input, 'tool_name') ?? '', argumentsIn(own(input, 'tool_input')))
  const definition = origin === null ? null : { description: null, inputSchema: null, annotations: null, origin }
  const server = text(input, 'server', 'server_name')
  const said = { server: server ?? 'mcp', name: call.tool.name }
  const who = server === null ? identified(said, standsAt(input, said.name), { settings: SERVERS, cwd: call.cwd }) : { tool: said }
  return { ...call, ...who, definition }
}

/** The server whose settings say the same address or the same command line as the event. */
function standsAt(input: JsonObject, name: string): Fits {
  const [address, command] = [text(input, 'url'), text(input, 'command')]
  return (_, entry) => {
    const [url, program] = [text(entry, 'url'), text(entry, 'command')]
    const words = own(entry, 'args')
    const line = [program, ...(Array.isArray(words) ? words : [])].join(' ')
    const isIt = address === null ? program !== null && (command === line || command === program) : address === url
    return isIt ? name : null
  }
}

const SERVERS: ServerSettings = {
  user: () => [join(homedir(), '.cursor', 'mcp.json')],
  project: ['.cursor/mcp.json'],
  fields: ['mcpServers'],
}

const PLACES = { user: () => join(homedir(), '.cursor'), project: () => join(process.cwd(), '.cursor'), managed: () => MANAGED } as const
const MANAGED = process.platform === 'darwin' ? '/Library/Application Support/Cursor' : '/etc/cursor'

const denied = (reason: string): JsonObject => ({ permission: 'deny', user_message: reason, agent_message: reason })

const OWN: HostSpec = {
  name: 'cursor',
  about: ABOUT,
  read,
  // Events of shells and servers have none, the others do.
  callIds: 'some',
  answers: { none: {}, deny: denied, note: (note) => ({ additional_context: note }) },
  entries: (scope) => [listEntry(join(PLACES[scope](), 'hooks.json'), items, { base: { version: 1 } })],
  managed: MANAGED,
  proposal: ({ session, id, cwd, call }) => ({
    conversation_id: session,
    generation_id: id,
    cwd,
    ...(call.kind === 'shell'
      ? { hook_event_name: 'beforeShellExecution', command: call.command }
      : { hook_event_name: 'preToolUse', tool_name: 'Read', tool_input: { file_path: call.path }, tool_use_id: id }),
  }),
  heard: (answer) => (own(answer, 'permission') === 'deny' ? 'deny' : 'none'),
}

export const cursor = hostOf(OWN)

/** Where Cursor runs a hook of Claude Code's settings: a denial in both forms, as it is nowhere said which one it reads there. */
const BORROWING: Speaker = hostOf({
  ...OWN,
  answers: { ...OWN.answers, deny: (reason) => ({ ...CLAUDE_ANSWERS.deny(reason), ...denied(reason) }) },
})

const parseOwn = parserOf('cursor', read, ABOUT)

/** An event that Cursor sent to a hook of another host. */
export function parseCursor(bytes: Uint8Array, context: HookContext): HookEvent {
  return { ...parseOwn(bytes, context), speaker: BORROWING }
}

/** True of an event that Cursor sent: no other host says a version of Cursor beside its call. */
export function isCursor(input: JsonObject): boolean {
  return typeof own(input, 'cursor_version') === 'string'
}
