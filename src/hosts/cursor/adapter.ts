/** Cursor behind the seam. Shell and MCP calls have events of their own; the one for all tools is kept off those, so none comes twice. */
import { homedir } from 'node:os'
import { join } from 'node:path'
import { type JsonObject, own } from '../../core/json.ts'
import { toolIdentity } from '../../core/tool-name.ts'
import type { HostAbout } from '../adapter.ts'
import { type Items, listEntry, promptLine } from '../entries.ts'
import { argumentsIn, type NativeCall, type NativeEvent, text } from '../event.ts'
import { hostOf } from '../host.ts'

const ABOUT: HostAbout = {
  title: 'Cursor',
  programs: ['cursor-agent', 'cursor'],
  traces: ['.cursor'],
  scopes: ['user', 'project', 'managed'],
  waits: 75,
  ask: { attended: 'denial', headless: 'denial', why: 'in Auto-review mode the client runs a command whose hook answers `ask`' },
  failing: { crash: 'stopped', hang: 'stopped', missing: 'stopped', empty: 'stopped', garbage: 'stopped' },
  escapes: ['cloud agents, which read no hooks of a user', 'completions of the Tab key', 'what is typed into a terminal that runs already'],
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

function read(input: JsonObject): NativeEvent | null {
  const session = text(input, 'conversation_id')
  switch (text(input, 'hook_event_name')) {
    case 'beforeShellExecution':
      return { kind: 'call', headless: true, call: callOf(input, 'Shell', shellArguments(input)) }
    case 'beforeMCPExecution':
      return { kind: 'call', headless: true, call: serverCall(input) }
    case 'preToolUse':
      return { kind: 'call', headless: true, call: callOf(input, text(input, 'tool_name') ?? '', argumentsIn(own(input, 'tool_input'))) }
    case 'postToolUse': {
      const call = callOf(input, text(input, 'tool_name') ?? '', argumentsIn(own(input, 'tool_input')))
      return { kind: 'result', call, response: own(input, 'tool_output') ?? null, failed: false }
    }
    case 'beforeSubmitPrompt':
      return { kind: 'prompt', session, text: text(input, 'prompt') }
    default:
      return null
  }
}

function shellArguments(input: JsonObject): NativeCall['args'] {
  const command = text(input, 'command')
  return command === null ? undefined : { command }
}

function callOf(input: JsonObject, name: string, args: NativeCall['args']): NativeCall {
  const roots = own(input, 'workspace_roots')
  const root = Array.isArray(roots) && typeof roots[0] === 'string' ? roots[0] : null
  const session = text(input, 'conversation_id')
  const tool = name.startsWith('MCP:') ? toolIdentity('mcp', name.slice(4)) : toolIdentity(null, name)
  return { tool, args, session, cwd: text(input, 'cwd') ?? root, id: text(input, 'tool_use_id') }
}

/** The event says where the server is and not how it is called. */
function serverCall(input: JsonObject): NativeCall {
  const origin = text(input, 'url', 'command')
  const call = callOf(input, text(input, 'tool_name') ?? '', argumentsIn(own(input, 'tool_input')))
  const definition = origin === null ? null : { description: null, inputSchema: null, annotations: null, origin }
  return { ...call, tool: { server: text(input, 'server', 'server_name') ?? 'mcp', name: call.tool.name }, definition }
}

const PLACES = { user: () => join(homedir(), '.cursor'), project: () => join(process.cwd(), '.cursor'), managed: () => MANAGED } as const
const MANAGED = process.platform === 'darwin' ? '/Library/Application Support/Cursor' : '/etc/cursor'

export const cursor = hostOf({
  name: 'cursor',
  about: ABOUT,
  read,
  answers: {
    none: {},
    deny: (reason) => ({ permission: 'deny', user_message: reason, agent_message: reason }),
    note: (note) => ({ additional_context: note }),
  },
  entries: (scope) => [listEntry(join(PLACES[scope](), 'hooks.json'), items, { version: 1 })],
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
})
