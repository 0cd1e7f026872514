/** Amp behind the seam: the first of its permissions hands every call to a program of ours, which answers by its exit code. */
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { isJsonObject, type Json, type JsonObject, own } from '../../core/json.ts'
import { toolIdentity } from '../../core/tool-name.ts'
import type { HostAbout } from '../adapter.ts'
import { type NativeEvent, text } from '../event.ts'
import { hostOf } from '../host.ts'
import { type Entry, jsonEntry, ownFile } from '../install.ts'
import { list } from '../lists.ts'
import { refused } from '../shim.ts'

const ABOUT: HostAbout = {
  title: 'Amp',
  programs: ['amp'],
  traces: ['.config/amp'],
  scopes: ['user'],
  waits: 75,
  ask: { attended: 'denial', headless: 'denial', why: 'a question would go to whoever sits there, and nobody does with `amp -x`' },
  failing: { crash: 'stopped', hang: 'unknown', missing: 'unknown', empty: 'unknown', garbage: 'unknown' },
  escapes: ['what a call returns, and what the user asked for', 'anything, with `--dangerously-allow-all`'],
  seen: 'documents',
}

const KEY = 'amp.permissions'

/** The program gets the arguments on its standard input, and their tool in a variable. */
function programText(command: string): string {
  return `#!/bin/sh
# Countersign's hook for Amp. Made by \`countersign init\`; change nothing here, run \`countersign init\` again.
case \${AGENT_TOOL_NAME:-}\${AMP_THREAD_ID:-} in *[!A-Za-z0-9_./:@-]* | '') echo 'countersign: the call has no name, so it was refused' >&2; exit 2 ;; esac
case $PWD in *[!A-Za-z0-9_./:@+-]*) cwd=/ ;; *) cwd=$PWD ;; esac
{ printf '{"tool":"%s","thread":"%s","cwd":"%s","args":' "$AGENT_TOOL_NAME" "\${AMP_THREAD_ID:-}" "$cwd"; cat; printf '}'; } | ${command}
`
}

function entries(): readonly Entry[] {
  const settings = join(process.env.XDG_CONFIG_HOME ?? join(homedir(), '.config'), 'amp', 'settings.json')
  const program = join(dirname(settings), 'countersign-delegate')
  const rule: JsonObject = { tool: '*', action: 'delegate', to: program }
  const isOurs = (each: Json): boolean => isJsonObject(each) && own(each, 'to') === program
  const others = (all: JsonObject): readonly Json[] => list(all, KEY).filter((each) => !isOurs(each))
  return [
    ownFile(program, 0o700, programText),
    jsonEntry(
      settings,
      {
        written: (all) => ({ ...all, [KEY]: [rule, ...others(all)] }),
        cleaned: (all) => {
          const { [KEY]: _, ...rest } = all
          return others(all).length === 0 && list(all, KEY).length > 0
            ? rest
            : own(all, KEY) === undefined
              ? all
              : { ...all, [KEY]: others(all) }
        },
        command: () => null,
        holds: (all) => isOurs(list(all, KEY)[0] ?? null),
      },
      'commas',
    ),
  ]
}

function read(input: JsonObject): NativeEvent | null {
  const name = text(input, 'tool')
  if (name === null) return null
  const session = text(input, 'thread')
  const call = { tool: toolIdentity(null, name), args: argumentsOf(name, own(input, 'args')), session: session === '' ? null : session }
  return { kind: 'call', call: { ...call, cwd: text(input, 'cwd'), id: null }, headless: true }
}

/** Arguments that have another name in the tool of Claude Code's whose name this host took over. */
const RENAMED: ReadonlyMap<string, readonly [own: string, known: string]> = new Map([
  ['Bash', ['cmd', 'command']],
  ['Read', ['path', 'file_path']],
])

/** Under the names that are known. Where both are there, both stay: which of them the tool takes is not known. */
function argumentsOf(name: string, args: Json | undefined): Json | undefined {
  const [given, known] = RENAMED.get(name) ?? []
  if (given === undefined || known === undefined || !isJsonObject(args)) return args
  const { [given]: value, ...rest } = args
  return value === undefined || Object.hasOwn(args, known) ? args : { [known]: value, ...rest }
}

export const amp = hostOf({
  name: 'amp',
  about: ABOUT,
  read,
  hears: 'exit',
  answers: { none: {}, deny: refused },
  entries,
  proposal: ({ call }) => (call.kind === 'shell' ? { cmd: call.command } : { path: call.path }),
  surroundings: ({ session, call }) => ({ AGENT_TOOL_NAME: call.kind === 'shell' ? 'Bash' : 'Read', AMP_THREAD_ID: session }),
  heard: (answer) => (own(answer, 'refused') === undefined ? 'none' : 'deny'),
})
