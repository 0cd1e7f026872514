/** VS Code's agent hooks: Claude Code's form, under names of its own. It reads Claude Code's settings, so its events come to that hook, too. */
import { existsSync, readdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { type JsonObject, own } from '../../core/json.ts'
import type { HookContext, HookEvent, Speaker } from '../adapter.ts'
import { denial, NO_OPINION, noted, replyTo } from '../claude-code/reply.ts'
import { claudeEvent } from '../claude-form.ts'
import { type NativeCall, type NativeEvent, parserOf } from '../event.ts'
import { identified, joinedBy, type ServerSettings } from '../server-names.ts'

/** An editor has somebody at it. */
const parse = parserOf('vscode', read, {})

function read(input: JsonObject): NativeEvent | null {
  const event = isVscode(input) ? claudeEvent(input, () => false) : null
  return event?.kind === 'call' || event?.kind === 'result' ? { ...event, call: ofServer(event.call) } : event
}

/** The editor writes `mcp_server_tool`. */
function ofServer(call: NativeCall): NativeCall {
  const fits = joinedBy(call.tool.name, { prefix: 'mcp_', separator: '_', written: (server) => server.replaceAll(/[^\w-]/g, '_') })
  return { ...call, ...identified(call.tool, fits, { settings: SERVERS, cwd: call.cwd }) }
}

const SERVERS: ServerSettings = {
  user: userFiles,
  project: ['.vscode/mcp.json', '.mcp.json'],
  fields: ['servers', 'mcpServers'],
}

/** Its editions, each with settings of its own; the last two are servers that an editor elsewhere is connected to. */
const EDITIONS = ['Code', 'Code - Insiders', 'VSCodium'] as const
const REMOTE = ['.vscode-server', '.vscode-server-insiders'] as const
const MAX_PROFILES = 50

/** Servers of the user, in each edition and each profile that is on this machine. */
export function userFiles(): readonly string[] {
  const local = EDITIONS.map((name) => join(settingsDirectory(), name, 'User'))
  const remote = REMOTE.map((name) => join(homedir(), name, 'data', 'User'))
  return [...local, ...remote]
    .flatMap((user) => [user, ...profiles(join(user, 'profiles'))])
    .map((directory) => join(directory, 'mcp.json'))
}

function settingsDirectory(): string {
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support')
  if (process.platform === 'win32') return process.env.APPDATA ?? join(homedir(), 'AppData', 'Roaming')
  return process.env.XDG_CONFIG_HOME || join(homedir(), '.config')
}

function profiles(directory: string): readonly string[] {
  if (!existsSync(directory)) return []
  return readdirSync(directory)
    .slice(0, MAX_PROFILES)
    .map((name) => join(directory, name))
}

/** It is answered in the form of Claude Code, whoever's settings named the hook. */
const SPEAKER: Speaker = { name: 'vscode', rewrites: true, reply: replyTo, noted, noOpinion: NO_OPINION, denial }

export function parseVscode(bytes: Uint8Array, context: HookContext): HookEvent {
  return { ...parse(bytes, context), speaker: SPEAKER }
}

/** The same for a hook of another host: what is no event of VS Code is refused as that host's own. */
export function parseBorrowed(bytes: Uint8Array, context: HookContext): HookEvent {
  const event = parse(bytes, context)
  return event.kind === 'refused' && event.refused.code === 'ingress.unknown_event' ? event : { ...event, speaker: SPEAKER }
}

/** True of an event that VS Code sent: Claude Code's names of these fields have other letters. */
export function isVscode(input: JsonObject): boolean {
  return own(input, 'hook_event_name') === undefined && typeof own(input, 'hookEventName') === 'string'
}
