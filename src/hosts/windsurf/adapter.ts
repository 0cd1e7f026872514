/** Windsurf's Cascade behind the seam: an event for each kind of act, and exit codes alone for answers. */
import { homedir } from 'node:os'
import { join } from 'node:path'
import { isJsonObject, type Json, type JsonObject, own } from '../../core/json.ts'
import type { HostAbout } from '../adapter.ts'
import { type Items, listEntry, promptLine } from '../entries.ts'
import { argumentsIn, type NativeCall, type NativeEvent, text } from '../event.ts'
import { hostOf } from '../host.ts'
import { refused } from '../shim.ts'

const ABOUT: HostAbout = {
  title: 'Windsurf',
  programs: ['windsurf'],
  traces: ['.codeium/windsurf'],
  scopes: ['user', 'project', 'managed'],
  waits: 75,
  ask: { attended: 'denial', headless: 'denial', why: 'a hook of this client can stop a call or say nothing' },
  failing: { crash: 'stopped', hang: 'unknown', missing: 'stopped', empty: 'stopped', garbage: 'stopped' },
  escapes: ['searches, web pages and other acts for which the client has no event'],
  seen: 'documents',
}

const ACTS = ['read_code', 'write_code', 'run_command', 'mcp_tool_use'] as const

const items: Items = (command) => {
  const hook = { command, show_output: true }
  const before = ACTS.map((act): [string, Json] => [`pre_${act}`, hook])
  const after = ACTS.map((act): [string, Json] => [`post_${act}`, { ...hook, show_output: false }])
  return { ...Object.fromEntries([...before, ...after]), pre_user_prompt: { command: promptLine(command), show_output: false } }
}

function read(input: JsonObject): NativeEvent | null {
  const event = text(input, 'agent_action_name') ?? ''
  const info = own(input, 'tool_info')
  const about = isJsonObject(info) ? info : {}
  if (event === 'pre_user_prompt')
    return { kind: 'prompt', session: text(input, 'trajectory_id'), text: text(about, 'user_prompt', 'prompt') }
  const call = callIn(input, event.replace(/^(?:pre|post)_/, ''), about)
  if (call === null) return null
  return event.startsWith('pre_')
    ? { kind: 'call', call, headless: true }
    : { kind: 'result', call, response: own(about, 'mcp_result') ?? own(about, 'output') ?? null, failed: false }
}

/** As the client's own tools name their arguments. */
function callIn(input: JsonObject, act: string, info: JsonObject): NativeCall | null {
  const base = { session: text(input, 'trajectory_id'), cwd: text(info, 'cwd'), id: text(input, 'execution_id') }
  const path = text(info, 'file_path')
  switch (act) {
    case 'run_command': {
      const command = text(info, 'command_line')
      const args = command === null ? undefined : { CommandLine: command, Cwd: own(info, 'cwd') ?? null }
      return { ...base, tool: { server: null, name: 'run_command' }, args }
    }
    case 'write_code':
      return {
        ...base,
        tool: { server: null, name: 'replace_file_content' },
        args: path === null ? undefined : { TargetFile: path, edits: own(info, 'edits') ?? null },
      }
    case 'read_code':
      return { ...base, tool: { server: null, name: 'view_file' }, args: path === null ? undefined : { AbsolutePath: path } }
    case 'mcp_tool_use': {
      const tool = { server: text(info, 'mcp_server_name') ?? 'mcp', name: text(info, 'mcp_tool_name') ?? '' }
      return { ...base, tool, args: argumentsIn(own(info, 'mcp_tool_arguments')) }
    }
    default:
      return null
  }
}

const MANAGED = process.platform === 'darwin' ? '/Library/Application Support/Windsurf' : '/etc/windsurf'

export const windsurf = hostOf({
  name: 'windsurf',
  about: ABOUT,
  read,
  hears: 'exit',
  answers: { none: {}, deny: refused },
  entries: (scope) => {
    if (scope === 'managed') return [listEntry(join(MANAGED, 'hooks.json'), items)]
    const directory = scope === 'project' ? join(process.cwd(), '.windsurf') : join(homedir(), '.codeium', 'windsurf')
    return [listEntry(join(directory, 'hooks.json'), items)]
  },
  managed: MANAGED,
  proposal: ({ session, id, cwd, call }) => ({
    agent_action_name: call.kind === 'shell' ? 'pre_run_command' : 'pre_read_code',
    trajectory_id: session,
    execution_id: id,
    tool_info: call.kind === 'shell' ? { command_line: call.command, cwd } : { file_path: join(cwd, call.path) },
  }),
  heard: (answer) => (own(answer, 'refused') === undefined ? 'none' : 'deny'),
})
