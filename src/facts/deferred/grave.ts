/** Commands in a text that do what no ordinary build does: they run foreign code, or delete, read, send or change what is none of the project's. */
import { analyseShell } from '../bash/index.ts'
import { type Effect, hasClass } from '../effect.ts'
import { languages } from '../languages/index.ts'
import { pathTarget } from '../resources/path/index.ts'
import type { View } from '../view.ts'
import { joined } from './joined.ts'

/** Without one of these no command does what is looked for here: programs, places outside of the project, what a file of secrets is called. */
const SIGN = new RegExp(
  [
    String.raw`curl|wget|\/dev\/tcp\/|\bnc\b|\bncat\b|socat|base64|\biwr\b|invoke-webrequest`,
    String.raw`~\/|\$\{?HOME\b|(?<![\w.\/])\/(?:home|Users|root|etc|var|usr|opt|srv|mnt|boot|dev\/sd)\b|\s\/(?=\s)`,
    String.raw`\.env\b|crontab|\bgit push\b|\bscp\b|\brsync\b`,
  ].join('|'),
  'i',
)
/** Programs that the signs of the first kind are; their command begins there. */
const PROGRAM = /^(?:curl|wget|nc|ncat|socat|base64|iwr|invoke-webrequest|crontab|git push|scp|rsync)$/i

/** UTF-16 units of a text, and of a command in it, that are looked at. */
const MAX_TEXT = 1_048_576
const MAX_COMMAND = 600
/** UTF-16 units of a text whose parts are put together. */
const MAX_JOINED = 65_536
/** Units of work, of those that one analysis may cost, that are left to the call itself. */
const SPENT_BEFORE = 60_000

/** What all texts of one call used up together. */
export interface Spent {
  work: number
}

export function newSpent(): Spent {
  return { work: SPENT_BEFORE }
}

/** The first such command in a text; null where there is none. Where more would have to be looked at than may be, what was not is taken for one. */
export function graveIn(path: string, text: string, { view, spent }: { readonly view: View; readonly spent: Spent }): string | null {
  if (text.length > MAX_TEXT && SIGN.test(text.slice(MAX_TEXT))) return 'more than is looked at'
  const compiled = COMPILED.test(path)
  for (const line of text.length > MAX_JOINED ? text.slice(0, MAX_TEXT).split('\n') : joined(text)) {
    for (const command of commandsIn(line)) {
      const { effects, work } = analyseShell(command, { pointer: '', view, languages, cwd: view.cwd, used: spent.work })
      spent.work = work
      if (!Number.isFinite(work) || effects.some(isGrave)) return command
    }
    const named = compiled ? placeIn(line, view) : null
    if (named !== null) return named
  }
  return null
}

/** Signs of one line that are looked at; behind them the line is one command. */
const MAX_SIGNS = 4

/** From a program's name on, and the whole text in quotes or behind a key that a sign stands in. */
function commandsIn(line: string): ReadonlySet<string> {
  const commands = new Set<string>()
  for (let from = 0, count = 0; count < MAX_SIGNS; count++) {
    const found = SIGN.exec(line.slice(from))
    if (found === null) break
    const at = from + found.index
    const start = Math.max(0, at - MAX_COMMAND)
    const quote = /["'`](?=[^"'`]*$)/.exec(line.slice(start, at))
    const open = quote === null ? start + keyEnd(line.slice(start, at)) : start + quote.index + 1
    const rest = line.slice(at, at + MAX_COMMAND)
    const end = quote === null ? -1 : rest.indexOf(quote[0])
    const tail = (end < 0 ? rest : rest.slice(0, end)).replace(/\\$/, '')
    for (const command of [line.slice(open, at) + tail, ...(PROGRAM.test(found[0]) ? [tail] : [])])
      if (DOES.test(command)) commands.add(command)
    from = at + Math.max(1, found[0].length)
  }
  return commands
}

/** Words and signs without which a command hands nothing on and changes nothing. */
const DOES = new RegExp(
  [
    '[|<>`$;&@]',
    String.raw`\s-\w*[ec]\b|-(?:T|F|-post-file|-upload-file)\b`,
    String.raw`\b(?:rm|rmdir|unlink|shred|find|cat|cp|mv|ln|tee|dd|tar|zip|chmod|chown|crontab|git|scp|rsync|sed|rclone)\b`,
  ].join('|'),
)

/** Behind `key:`, `- `, `key =`. */
function keyEnd(before: string): number {
  return /^\s{0,80}(?:[-@!]\s{0,4})?(?:[\w.-]{1,60}\s{0,4}[:=]\s{0,4})?/.exec(before)?.[0].length ?? 0
}

const FOREIGN: ReadonlySet<string | null> = new Set(['code:remote', 'code:decoded', 'net:reverse-shell', 'net:bind-shell'])
const OUTSIDE: ReadonlySet<string> = new Set(['home', 'elsewhere', 'system'])
const LEAVING: ReadonlySet<Effect['verb']> = new Set(['send', 'publish', 'fetch'])
const CHANGING: ReadonlySet<Effect['verb']> = new Set(['write', 'change', 'persist', 'delete'])

function isGrave(effect: Effect): boolean {
  const { verb, action, target, attributes } = effect
  if (FOREIGN.has(action) || verb === 'persist') return action !== 'git:hooks'
  if (LEAVING.has(verb) && target.scope !== 'loopback' && (attributes.carries !== undefined || attributes.stranger === true)) return true
  if (target.kind !== 'path') return false
  if (verb === 'read' || verb === 'send') return hasClass(target, 'credential') && OUTSIDE.has(target.scope)
  if (!CHANGING.has(verb)) return false
  return (
    (verb === 'delete' && OUTSIDE.has(target.scope)) ||
    hasClass(target, 'shell-startup', 'scheduled', 'credential', 'system', 'boot', 'agent-settings')
  )
}

/** Sources that no program reads as settings: a place that is named there is one that the program goes to. */
const COMPILED = /\.(?:c|cc|cpp|cxx|h|hpp|m|mm|rs|zig|kts?|java|scala|swift|go|d|nim|cr|hs|ml|f90|pas|adb|v|cs|fs|vb|dart|ex|exs|erl|jl)$/
const DELETES = /unlink|remove|delete|rmtree|rmdir|truncate/i

/** The place of a credential or of a start-up file, or what is deleted outside of the workspace, by a path in quotes. */
function placeIn(line: string, view: View): string | null {
  for (const [, path = ''] of line.matchAll(/["'`]((?:~|\/)[\w./~-]{2,200})["'`]/g)) {
    const target = pathTarget(path, view.cwd, view)
    const gone = DELETES.test(line) && OUTSIDE.has(target.scope)
    if (OUTSIDE.has(target.scope) && (gone || hasClass(target, 'credential', 'shell-startup', 'scheduled'))) return path
  }
  return null
}
