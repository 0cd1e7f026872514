/** OpenClaw behind the seam: a plug-in of ours, in its directory of extensions, that asks the installed hook. */
import { homedir } from 'node:os'
import { join } from 'node:path'
import { isJsonObject, type JsonObject, own } from '../../core/json.ts'
import { toolIdentity } from '../../core/tool-name.ts'
import type { Check, HostAbout } from '../adapter.ts'
import { ALLOWED, askingCommand } from '../asking.ts'
import { type NativeCall, type NativeEvent, text } from '../event.ts'
import { hostOf } from '../host.ts'
import { type Entry, jsonEntry, ownFile, textOf } from '../install.ts'
import { entryText, MANIFEST, PACKAGE } from './extension.ts'

const ABOUT: HostAbout = {
  title: 'OpenClaw',
  programs: ['openclaw'],
  traces: ['.openclaw'],
  scopes: ['user'],
  waits: 75,
  ask: {
    attended: 'denial',
    headless: 'denial',
    why: 'its own approvals can be given for always, or by a timeout, and the gate would never hear of them',
  },
  failing: { crash: 'stopped', hang: 'stopped', missing: 'runs', empty: 'runs', garbage: 'runs' },
  escapes: [
    'commands that a coding agent runs inside of its own session with OpenClaw: put the gate before that agent, too',
    'anything, where `plugins.enabled` is false, `plugins.deny` names the extension or `plugins.allow` leaves it out',
    'calls of a gateway that runs since before the installation: restart it',
  ],
  seen: 'documents',
}

/** Names that other agents have for other tools. */
const OWN_NAMES: Readonly<Record<string, string>> = { exec: 'openclaw_exec', process: 'openclaw_process' }

function read(input: JsonObject): NativeEvent | null {
  switch (text(input, 'event')) {
    case 'before':
      return { kind: 'call', call: callIn(input), headless: true }
    case 'after':
      return {
        kind: 'result',
        call: callIn(input),
        response: own(input, 'result') ?? own(input, 'error') ?? null,
        failed: own(input, 'error') !== undefined,
      }
    default:
      return null
  }
}

function callIn(input: JsonObject): NativeCall {
  const name = text(input, 'tool') ?? ''
  const tool = toolIdentity(null, Object.hasOwn(OWN_NAMES, name) ? (OWN_NAMES[name] ?? name) : name)
  const args = own(input, 'args')
  const role = text(input, 'agent')
  return { tool, args, session: text(input, 'session'), cwd: text(input, 'directory'), id: text(input, 'call'), role }
}

function stateOf(): string {
  return process.env.OPENCLAW_STATE_DIR ?? join(homedir(), '.openclaw')
}

const directory = (): string => join(stateOf(), 'extensions', 'countersign')

function entries(): readonly Entry[] {
  const whole = (name: string, content: JsonObject): Entry =>
    jsonEntry(join(directory(), name), {
      written: () => content,
      cleaned: (before) => (own(before, 'name') === 'countersign' || own(before, 'id') === 'countersign' ? {} : before),
      command: () => null,
      holds: (before) => JSON.stringify(before) === JSON.stringify(content),
    })
  const entry = ownFile(join(directory(), 'index.js'), 0o600, (command) => entryText(command, ABOUT.waits))
  return [{ ...entry, command: askingCommand }, whole('openclaw.plugin.json', MANIFEST), whole('package.json', PACKAGE)]
}

/** What the configuration says of extensions, as far as plain JSON tells; it may hold comments, and then nothing is told. */
function weak(): readonly Check[] {
  const found = pluginsIn(textOf(join(stateOf(), 'openclaw.json')) ?? '{}')
  if (found === null) return []
  const name = 'openclaw settings'
  const lists = (key: string): boolean => (found[key] as readonly unknown[] | undefined)?.includes?.('countersign') === true
  const faults = [
    ...(found.enabled === false ? ['`plugins.enabled` is false: no extension runs'] : []),
    ...(lists('deny') ? ['`plugins.deny` names the extension'] : []),
    ...(Array.isArray(found.allow) && !lists('allow') ? ['`plugins.allow` leaves the extension out'] : []),
  ]
  return faults.map((detail): Check => ({ name, state: 'fail', detail }))
}

function pluginsIn(config: string): JsonObject | null {
  try {
    const read = JSON.parse(config) as JsonObject
    const plugins = own(read, 'plugins')
    return plugins !== undefined && isJsonObject(plugins) ? plugins : null
  } catch {
    return null
  }
}

export const openclaw = hostOf({
  name: 'openclaw',
  about: ABOUT,
  read,
  answers: { none: { decision: ALLOWED }, deny: (reason) => ({ decision: 'deny', reason }) },
  entries,
  proposal: ({ session, id, cwd, call }) => ({
    event: 'before',
    session,
    call: id,
    directory: cwd,
    ...(call.kind === 'shell' ? { tool: 'exec', args: { command: call.command } } : { tool: 'read', args: { path: call.path } }),
  }),
  heard: (answer) => (own(answer, 'decision') === ALLOWED ? 'none' : 'deny'),
  weak,
  advice: ['OpenClaw loads extensions when its gateway starts: `openclaw gateway restart`.'],
})
