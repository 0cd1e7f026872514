/** OpenCode behind the seam: a plug-in of ours, in the directory of plug-ins, that asks the installed hook. */
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { type JsonObject, own } from '../../core/json.ts'
import { toolIdentity } from '../../core/tool-name.ts'
import type { HostAbout } from '../adapter.ts'
import { ALLOWED, askingCommand } from '../asking.ts'
import { type NativeCall, type NativeEvent, text } from '../event.ts'
import { hostOf } from '../host.ts'
import { ownFile } from '../install.ts'
import { identified, joinedBy, type ServerSettings } from '../server-names.ts'
import { pluginText } from './plugin.ts'

const ABOUT: HostAbout = {
  title: 'OpenCode',
  programs: ['opencode'],
  traces: ['.config/opencode'],
  variables: ['OPENCODE_CONFIG', 'OPENCODE_CONFIG_DIR', 'XDG_CONFIG_HOME'],
  scopes: ['user'],
  waits: 75,
  ask: { attended: 'denial', headless: 'denial', why: 'a plug-in can throw or let pass, and its own event for questions is never sent' },
  failing: { crash: 'stopped', hang: 'stopped', missing: 'runs', empty: 'runs', garbage: 'runs' },
  escapes: ['`!command` lines in commands of a project', 'anything, where it is started with `--pure`'],
  subagents: 'one session',
  seen: 'driven',
}

function read(input: JsonObject): NativeEvent | null {
  const session = text(input, 'session')
  switch (text(input, 'event')) {
    case 'before':
      return { kind: 'call', call: callIn(input), headless: true }
    case 'after':
      return { kind: 'result', call: callIn(input), response: own(input, 'result') ?? null, failed: false }
    case 'prompt':
      return { kind: 'prompt', session, text: text(input, 'prompt') }
    default:
      return null
  }
}

function callIn(input: JsonObject): NativeCall {
  const cwd = text(input, 'directory')
  const said = toolIdentity(null, text(input, 'tool') ?? '')
  const fits = joinedBy(said.name, { separator: '_', written: (server) => server.replaceAll(/[^\w-]/g, '_') })
  const who = identified(said, fits, { settings: SERVERS, cwd })
  return {
    ...who,
    args: own(input, 'args'),
    session: text(input, 'session'),
    subagent: text(input, 'subagent'),
    cwd,
    id: text(input, 'call'),
  }
}

const SETTINGS = ['opencode.json', 'opencode.jsonc']

const SERVERS: ServerSettings = {
  user: userFiles,
  named: () => (process.env.OPENCODE_CONFIG ? [resolve(process.env.OPENCODE_CONFIG)] : []),
  project: [...SETTINGS, ...SETTINGS.map((file) => `.opencode/${file}`)],
  fields: ['mcp'],
}

function directory(): string {
  return process.env.OPENCODE_CONFIG_DIR || ofEveryProject()
}

/** Its settings of every project, and those of the directory that a variable names. */
function userFiles(): readonly string[] {
  return [...new Set([ofEveryProject(), directory()])].flatMap((each) => ['config.json', ...SETTINGS].map((file) => join(each, file)))
}

function ofEveryProject(): string {
  return join(process.env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'opencode')
}

export const opencode = hostOf({
  name: 'opencode',
  about: ABOUT,
  read,
  answers: { none: { decision: ALLOWED }, deny: (reason) => ({ decision: 'deny', reason }) },
  entries: () => [
    {
      ...ownFile(join(directory(), 'plugin', 'countersign.js'), 0o600, (command) => pluginText(command, ABOUT.waits)),
      command: askingCommand,
    },
  ],
  proposal: ({ session, id, cwd, call }) => ({
    event: 'before',
    session,
    call: id,
    directory: cwd,
    ...(call.kind === 'shell' ? { tool: 'bash', args: { command: call.command } } : { tool: 'read', args: { filePath: call.path } }),
  }),
  heard: (answer) => (own(answer, 'decision') === ALLOWED ? 'none' : 'deny'),
  advice: [
    'OpenCode loads plug-ins when it starts, and once fetches `@opencode-ai/plugin` for them: without a network the first start waits.',
  ],
})
