/** Gemini CLI behind the seam. A question would hang it, or be taken for a yes, so there is none. */
import { homedir } from 'node:os'
import { join } from 'node:path'
import { isJsonObject, type JsonObject, own } from '../../core/json.ts'
import { type ToolName, toolIdentity } from '../../core/tool-name.ts'
import type { HostAbout } from '../adapter.ts'
import { group, type Items, listEntry, machineEntry, promptLine } from '../entries.ts'
import { type NativeCall, type NativeEvent, text } from '../event.ts'
import { hostOf } from '../host.ts'

const ABOUT: HostAbout = {
  title: 'Gemini CLI',
  programs: ['gemini'],
  traces: ['.gemini'],
  scopes: ['user', 'project', 'managed'],
  waits: 75,
  ask: {
    attended: 'denial',
    headless: 'denial',
    why: 'the client hangs on a hook that answers `ask` where nobody sits, and runs other answers',
  },
  failing: { crash: 'stopped', hang: 'stopped', missing: 'stopped', empty: 'stopped', garbage: 'stopped' },
  escapes: [
    '`@file` mentions',
    'anything, where a project sets `hooksConfig.enabled: false` and the hook is not in managed settings',
    'anything, where `GEMINI_CLI_SYSTEM_SETTINGS_PATH` leads the client past managed settings',
  ],
  subagents: 'one session',
  seen: 'driven',
}

const items: Items = (command) => {
  // This host counts milliseconds.
  const handler = { name: 'countersign', timeout: ABOUT.waits * 1000 }
  const gate = group(command, handler, null)
  return { BeforeTool: gate, AfterTool: gate, BeforeAgent: group(promptLine(command), handler, null) }
}

function read(input: JsonObject): NativeEvent | null {
  const session = text(input, 'session_id')
  switch (text(input, 'hook_event_name')) {
    case 'BeforeTool':
      return { kind: 'call', call: callIn(input), headless: true }
    case 'AfterTool':
      return { kind: 'result', call: callIn(input), response: own(input, 'tool_response') ?? null, failed: false }
    case 'BeforeAgent':
      return { kind: 'prompt', session, text: text(input, 'prompt') }
    default:
      return null
  }
}

function callIn(input: JsonObject): NativeCall {
  const session = text(input, 'session_id')
  return { tool: toolIn(input), args: own(input, 'tool_input'), session, cwd: text(input, 'cwd'), id: text(input, 'tool_use_id') }
}

/** The server as the host says it is, not as the name is put together. */
function toolIn(input: JsonObject): ToolName {
  const name = text(input, 'tool_name') ?? ''
  const server = own(input, 'mcp_context')
  if (!isJsonObject(server)) return toolIdentity(null, name)
  return { server: text(server, 'server_name'), name: text(server, 'tool_name') ?? name }
}

/** Settings of the machine win over those of users and projects. */
const MANAGED = process.platform === 'darwin' ? '/Library/Application Support/GeminiCli' : '/etc/gemini-cli'

/** Its directory stands below another one where the variable says so. */
function ownHome(): string {
  return process.env.GEMINI_CLI_HOME || homedir()
}

export const geminiCli = hostOf({
  name: 'gemini-cli',
  about: ABOUT,
  read,
  answers: {
    none: {},
    deny: (reason) => ({ decision: 'deny', reason }),
    halt: (reason, why) => ({ decision: 'deny', reason, continue: false, stopReason: why }),
    line: (systemMessage) => ({ systemMessage }),
    note: (additionalContext) => ({ hookSpecificOutput: { hookEventName: 'AfterTool', additionalContext } }),
  },
  entries: (scope) =>
    scope === 'managed'
      ? [machineEntry(join(MANAGED, 'settings.json'), items, { hooksConfig: { enabled: true } })]
      : [listEntry(join(scope === 'project' ? process.cwd() : ownHome(), '.gemini', 'settings.json'), items, { notation: 'comments' })],
  managed: MANAGED,
  proposal: ({ session, cwd, call }) => ({
    session_id: session,
    cwd,
    hook_event_name: 'BeforeTool',
    ...(call.kind === 'shell'
      ? { tool_name: 'run_shell_command', tool_input: { command: call.command } }
      : { tool_name: 'read_file', tool_input: { file_path: call.path } }),
  }),
  heard: (answer) => (own(answer, 'decision') === 'deny' ? 'deny' : 'none'),
})
