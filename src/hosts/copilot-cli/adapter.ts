/** GitHub Copilot CLI behind the seam, in its own form: the events do not say their names, so their fields tell them. */
import { homedir } from 'node:os'
import { join } from 'node:path'
import { type JsonObject, own } from '../../core/json.ts'
import { toolIdentity } from '../../core/tool-name.ts'
import type { HostAbout, HostAdapter } from '../adapter.ts'
import { type Items, listEntry, promptLine } from '../entries.ts'
import { argumentsIn, type NativeCall, type NativeEvent, text } from '../event.ts'
import { hostOf } from '../host.ts'
import { identified, joinedBy, type ServerSettings } from '../server-names.ts'
import { parseBorrowed } from '../vscode/event.ts'

const ABOUT: HostAbout = {
  title: 'GitHub Copilot CLI',
  programs: ['copilot'],
  traces: ['.copilot'],
  variables: ['COPILOT_HOME'],
  scopes: ['user', 'managed'],
  waits: 75,
  ask: { attended: 'denial', headless: 'denial', why: 'the client does not tell its hooks whether somebody sits there' },
  failing: { crash: 'stopped', hang: 'stopped', missing: 'stopped', empty: 'stopped', garbage: 'stopped' },
  escapes: [
    'the cloud agent, which reads only hooks of the repository',
    'anything, where a trusted repository sets `disableAllHooks` in `.github/copilot`',
  ],
  borrows: [{ from: 'claude-code', scopes: ['project'], when: 'where the folder is trusted', told: 'apart' }],
  seen: 'driven',
}

const items: Items = (command) => {
  const gate = { type: 'command', bash: command, timeoutSec: ABOUT.waits }
  return { preToolUse: gate, postToolUse: gate, userPromptSubmitted: { ...gate, bash: promptLine(command) } }
}

function read(input: JsonObject): NativeEvent | null {
  const session = text(input, 'sessionId', 'session_id')
  if (own(input, 'toolName') !== undefined) {
    const result = own(input, 'toolResult')
    if (result === undefined) return { kind: 'call', call: callIn(input), headless: true }
    return { kind: 'result', call: callIn(input), response: result, failed: false }
  }
  return own(input, 'prompt') === undefined ? null : { kind: 'prompt', session, text: text(input, 'prompt') }
}

function callIn(input: JsonObject): NativeCall {
  const cwd = text(input, 'cwd')
  const said = toolIdentity(null, text(input, 'toolName') ?? '')
  return {
    ...identified(said, joinedBy(said.name, { separator: '-' }), { settings: SERVERS, cwd }),
    args: argumentsIn(own(input, 'toolArgs')),
    session: text(input, 'sessionId', 'session_id'),
    cwd,
    id: text(input, 'toolCallId'),
  }
}

const SERVERS: ServerSettings = {
  user: () => [join(ownDirectory(), 'mcp-config.json')],
  project: ['.mcp.json', '.github/mcp.json', '.vscode/mcp.json', '.copilot/mcp-config.json'],
  fields: ['mcpServers', 'servers'],
}

function ownDirectory(): string {
  return process.env.COPILOT_HOME || join(homedir(), '.copilot')
}

const MANAGED = '/etc/github-copilot'

const plain = hostOf({
  name: 'copilot-cli',
  about: ABOUT,
  read,
  answers: {
    none: {},
    deny: (reason) => ({ permissionDecision: 'deny', permissionDecisionReason: reason }),
    note: (additionalContext) => ({ additionalContext }),
  },
  entries: (scope) => [
    listEntry(
      scope === 'managed' ? join(MANAGED, 'policy.d', 'countersign.json') : join(ownDirectory(), 'hooks', 'countersign.json'),
      items,
      { base: { version: 1 } },
    ),
  ],
  managed: MANAGED,
  proposal: ({ session, cwd, call }) => ({
    sessionId: session,
    timestamp: Date.now(),
    cwd,
    ...(call.kind === 'shell'
      ? { toolName: 'bash', toolArgs: { command: call.command } }
      : { toolName: 'view', toolArgs: { path: call.path } }),
  }),
  heard: (answer) => (own(answer, 'permissionDecision') === 'deny' ? 'deny' : 'none'),
})

/** VS Code runs these hooks, too, with events of its own. */
export const copilotCli: HostAdapter = {
  ...plain,
  parse: (bytes, context) => {
    const event = plain.parse(bytes, context)
    return event.kind === 'refused' && event.refused.code === 'ingress.unknown_event' ? parseBorrowed(bytes, context) : event
  },
}
