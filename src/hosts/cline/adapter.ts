/** Cline behind the seam: its hooks are files, by name, of which it takes the words on standard output and no exit code. */
import { homedir } from 'node:os'
import { join } from 'node:path'
import { isJsonObject, type Json, type JsonObject, own } from '../../core/json.ts'
import { toolIdentity } from '../../core/tool-name.ts'
import type { HostAbout } from '../adapter.ts'
import { promptLine } from '../entries.ts'
import { argumentsIn, type NativeCall, type NativeEvent, text } from '../event.ts'
import { hostOf } from '../host.ts'
import { ownFile } from '../install.ts'

const ABOUT: HostAbout = {
  title: 'Cline',
  programs: ['cline'],
  traces: ['.cline', 'Documents/Cline'],
  scopes: ['user', 'project'],
  waits: 30,
  ask: { attended: 'denial', headless: 'denial', why: 'the client runs a call whose hook asks for a review' },
  failing: { crash: 'stopped', hang: 'stopped', missing: 'runs', empty: 'runs', garbage: 'runs' },
  escapes: ['the reason of a denial in the command-line client, which ends the whole run and tells the model nothing'],
  seen: 'driven',
}

function read(input: JsonObject): NativeEvent | null {
  const [before, after, prompt] = ['preToolUse', 'postToolUse', 'userPromptSubmit'].map((name) => own(input, name))
  const session = sessionIn(input)
  if (isJsonObject(before)) return { kind: 'call', call: callIn(input, before), headless: true }
  if (isJsonObject(after))
    return { kind: 'result', call: callIn(input, after), response: own(after, 'result') ?? null, failed: own(after, 'success') === false }
  return isJsonObject(prompt) ? { kind: 'prompt', session, text: text(prompt, 'prompt') } : null
}

function callIn(input: JsonObject, event: JsonObject): NativeCall {
  const roots = own(input, 'workspaceRoots')
  const given = own(input, 'tool_call') ?? own(input, 'tool_result')
  const id = isJsonObject(given) ? text(given, 'id') : null
  const cwd = Array.isArray(roots) && typeof roots[0] === 'string' ? roots[0] : null
  const proposed = serverCall(event) ?? {
    tool: toolIdentity(null, text(event, 'toolName', 'tool') ?? ''),
    args: argumentsOf(given, event),
  }
  return { ...proposed, session: sessionIn(input), cwd, id }
}

/** A session that goes on in another run keeps its id, which its agents share; the extension of editors tells the task alone. */
function sessionIn(input: JsonObject): string | null {
  const context = own(input, 'sessionContext')
  return (isJsonObject(context) ? text(context, 'rootSessionId') : null) ?? text(input, 'taskId')
}

/**
 * The command-line client makes texts of the values in `parameters`, and tells the arguments as the model gave them beside. Undefined:
 * two tools are named, so it cannot be told which one runs.
 */
function argumentsOf(given: Json | undefined, event: JsonObject): Json | undefined {
  const [name, input] = isJsonObject(given) ? [text(given, 'name'), own(given, 'input')] : [null, undefined]
  if (name !== null && name !== text(event, 'toolName', 'tool')) return undefined
  return isJsonObject(input) ? input : argumentsIn(own(event, 'parameters'))
}

/** One tool calls those of every server: what is judged is the tool that it calls. Null: it is another tool, or does not say which. */
function serverCall(event: JsonObject): Pick<NativeCall, 'tool' | 'args'> | null {
  const given = argumentsIn(own(event, 'parameters'))
  if (text(event, 'toolName', 'tool') !== 'use_mcp_tool' || !isJsonObject(given)) return null
  const [server, name] = [text(given, 'server_name'), text(given, 'tool_name')]
  if (server === null || server === '' || name === null) return null
  return { tool: toolIdentity(server, name), args: argumentsIn(own(given, 'arguments') ?? {}) }
}

const FILES = ['PreToolUse', 'PostToolUse', 'UserPromptSubmit'] as const

export const cline = hostOf({
  name: 'cline',
  about: ABOUT,
  read,
  answers: {
    none: { cancel: false },
    deny: (reason) => ({ cancel: true, errorMessage: reason }),
    note: (note) => ({ cancel: false, contextModification: note }),
  },
  entries: (scope) => {
    const directory = scope === 'project' ? join(process.cwd(), '.clinerules', 'hooks') : join(homedir(), 'Documents', 'Cline', 'Hooks')
    return FILES.map((name) =>
      ownFile(join(directory, name), 0o700, (command) => {
        const line = name === 'UserPromptSubmit' ? promptLine(command) : command
        return `#!/bin/sh\n# Countersign's hook for Cline. Made by \`countersign init\`; change nothing here, run \`countersign init\` again.\n${line}\n`
      }),
    )
  },
  proposal: ({ session, id, cwd, call }) => ({
    hookName: 'PreToolUse',
    taskId: session,
    workspaceRoots: [cwd],
    tool_call: { id },
    preToolUse:
      call.kind === 'shell'
        ? { toolName: 'execute_command', parameters: { command: call.command } }
        : { toolName: 'read_file', parameters: { path: call.path } },
  }),
  heard: (answer) => (own(answer, 'cancel') === true ? 'deny' : 'none'),
})
