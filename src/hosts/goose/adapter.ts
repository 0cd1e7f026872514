/** Goose behind the seam: a plug-in of hooks that it reads from the user's directory, and that stops the call where it fails. */
import { homedir } from 'node:os'
import { join } from 'node:path'
import { type JsonObject, own } from '../../core/json.ts'
import { toolIdentity } from '../../core/tool-name.ts'
import type { HostAbout } from '../adapter.ts'
import { group, type Items, listEntry, promptLine } from '../entries.ts'
import { type NativeCall, type NativeEvent, text } from '../event.ts'
import { hostOf } from '../host.ts'
import { jsonEntry } from '../install.ts'

const ABOUT: HostAbout = {
  title: 'Goose',
  programs: ['goose'],
  traces: ['.config/goose'],
  scopes: ['user', 'project'],
  waits: 75,
  ask: { attended: 'denial', headless: 'denial', why: 'the client knows `allow` and `block` and nothing between' },
  failing: { crash: 'stopped', hang: 'stopped', missing: 'stopped', empty: 'stopped', garbage: 'stopped' },
  escapes: ['calls of versions before `on_failure`, where the hook itself fails'],
  seen: 'documents',
}

const items: Items = (command) => {
  const handler = { timeout: ABOUT.waits }
  const after = group(command, handler, null)
  return {
    PreToolUse: group(command, { ...handler, on_failure: 'block' }, null),
    PostToolUse: after,
    PostToolUseFailure: after,
    UserPromptSubmit: group(promptLine(command), handler, null),
  }
}

function read(input: JsonObject): NativeEvent | null {
  const event = text(input, 'event')
  const session = text(input, 'session_id')
  if (event === 'PreToolUse') return { kind: 'call', call: callIn(input), headless: true }
  if (event === 'PostToolUse' || event === 'PostToolUseFailure') {
    const response = own(input, 'tool_output') ?? own(input, 'tool_response') ?? null
    return { kind: 'result', call: callIn(input), response, failed: event === 'PostToolUseFailure' }
  }
  return event === 'UserPromptSubmit' ? { kind: 'prompt', session, text: text(input, 'message') } : null
}

/** `extension__tool`: the extensions that it comes with are its own tools, any other is a server. */
function callIn(input: JsonObject): NativeCall {
  const name = text(input, 'tool_name') ?? ''
  const [extension = '', ...rest] = name.split('__')
  const isOwn = rest.length === 0 || BUILT_IN.has(extension)
  return {
    tool: isOwn ? toolIdentity(null, name) : { server: extension, name: rest.join('__') },
    args: own(input, 'tool_input'),
    session: text(input, 'session_id'),
    cwd: text(input, 'working_dir'),
    id: text(input, 'tool_call_id'),
  }
}

const BUILT_IN: ReadonlySet<string> = new Set(['developer', 'platform', 'todo', 'skills', 'subagent'])

/** What makes the directory a plug-in. */
const MANIFEST: JsonObject = { name: 'countersign', version: '1.0.0', description: 'Countersign decides on each tool call before it runs' }

export const goose = hostOf({
  name: 'goose',
  about: ABOUT,
  read,
  answers: { none: { decision: 'allow' }, deny: (reason) => ({ decision: 'block', reason }) },
  entries: (scope) => {
    const plugin = join(scope === 'project' ? process.cwd() : homedir(), '.agents', 'plugins', 'countersign')
    const manifest = jsonEntry(join(plugin, 'plugin.json'), {
      written: () => MANIFEST,
      cleaned: (settings) => (own(settings, 'name') === 'countersign' ? {} : settings),
      command: () => null,
      holds: (settings) => own(settings, 'name') === 'countersign',
    })
    return [listEntry(join(plugin, 'hooks', 'hooks.json'), items), manifest]
  },
  proposal: ({ session, id, cwd, call }) => ({
    event: 'PreToolUse',
    session_id: session,
    working_dir: cwd,
    tool_call_id: id,
    ...(call.kind === 'shell'
      ? { tool_name: 'developer__shell', tool_input: { command: call.command } }
      : { tool_name: 'developer__text_editor', tool_input: { command: 'view', path: call.path } }),
  }),
  heard: (answer) => (own(answer, 'decision') === 'block' ? 'deny' : 'none'),
})
