/** Kiro CLI behind the seam: its hooks belong to an agent, so ours is an agent of that name, which is made the usual one. */
import { homedir } from 'node:os'
import { join } from 'node:path'
import { type JsonObject, own } from '../../core/json.ts'
import { toolIdentity } from '../../core/tool-name.ts'
import type { HostAbout } from '../adapter.ts'
import { type Items, listEntry, promptLine } from '../entries.ts'
import { type NativeCall, type NativeEvent, text } from '../event.ts'
import { hostOf } from '../host.ts'
import { refused } from '../shim.ts'

const ABOUT: HostAbout = {
  title: 'Kiro CLI',
  programs: ['kiro-cli', 'q'],
  traces: ['.kiro'],
  scopes: ['user', 'project'],
  waits: 75,
  ask: { attended: 'denial', headless: 'denial', why: 'a hook of this client can stop a call or say nothing' },
  failing: { crash: 'stopped', hang: 'stopped', missing: 'stopped', empty: 'stopped', garbage: 'stopped' },
  escapes: ['calls of every other agent than `countersign`: hooks belong to one agent here'],
  seen: 'documents',
}

const AGENT: JsonObject = { name: 'countersign', description: 'The usual agent, with each tool call decided by Countersign', tools: ['*'] }

const items: Items = (command) => {
  const hook = { command, timeout_ms: ABOUT.waits * 1000 }
  return {
    preToolUse: { matcher: '*', ...hook },
    postToolUse: { matcher: '*', ...hook },
    userPromptSubmit: { ...hook, command: promptLine(command) },
  }
}

function read(input: JsonObject): NativeEvent | null {
  switch (text(input, 'hook_event_name')) {
    case 'preToolUse':
      return { kind: 'call', call: callIn(input), headless: true }
    case 'postToolUse':
      return { kind: 'result', call: callIn(input), response: own(input, 'tool_response') ?? null, failed: false }
    case 'userPromptSubmit':
      return { kind: 'prompt', session: text(input, 'session_id'), text: text(input, 'prompt') }
    default:
      return null
  }
}

/** `@server/tool` for tools of servers. */
function callIn(input: JsonObject): NativeCall {
  const name = (text(input, 'tool_name') ?? '').replace(/^@/, '')
  const session = text(input, 'session_id')
  return {
    tool: toolIdentity(null, name),
    args: own(input, 'tool_input'),
    session,
    cwd: text(input, 'cwd'),
    id: text(input, 'tool_use_id'),
  }
}

export const kiro = hostOf({
  name: 'kiro',
  about: ABOUT,
  read,
  hears: 'exit',
  answers: { none: {}, deny: refused },
  entries: (scope) => [
    listEntry(join(scope === 'project' ? process.cwd() : homedir(), '.kiro', 'agents', 'countersign.json'), items, { base: AGENT }),
  ],
  proposal: ({ session, id, cwd, call }) => ({
    hook_event_name: 'preToolUse',
    session_id: session,
    tool_use_id: id,
    cwd,
    ...(call.kind === 'shell'
      ? { tool_name: 'execute_bash', tool_input: { command: call.command } }
      : { tool_name: 'fs_read', tool_input: { operations: [{ mode: 'Line', path: call.path }] } }),
  }),
  heard: (answer) => (own(answer, 'refused') === undefined ? 'none' : 'deny'),
  advice: ['Make it the usual agent: `kiro-cli settings chat.defaultAgent countersign`; calls of other agents are not judged.'],
})
