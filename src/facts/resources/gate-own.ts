/**
 * What of a call is about the gate itself, whatever its words say: directories that hold its places, its program where that is
 * built or installed anew, its daemon by number, name, port or open file (T40). Pure; marks targets with the classes `gate` and
 * `gate-program`, by which the integrity layer knows them.
 */
import { type Effect, hasClass, type PathClass, type Span, type Target } from '../effect.ts'
import type { CommandFact } from '../facts.ts'
import type { DaemonProcess, View } from '../view.ts'
import { namesOf, pathTarget, within } from './path/index.ts'

export function markGate(found: Effect, view: View): Effect {
  const { kind } = found.target
  if (kind === 'path') return holder(found, view)
  if (kind === 'process') return ofDaemon(found, view) ? marked(found, 'gate') : found
  if (kind === 'repository') return ofRepository(found, view)
  return kind === 'package' && replacesPackage(found, view) ? marked(found, 'gate-program') : found
}

function marked(found: Effect, by: PathClass): Effect {
  return { ...found, target: withClass(found.target, by) }
}

function withClass(target: Target, by: PathClass): Target {
  return target.classes.includes(by) ? target : { ...target, classes: [...target.classes, by] }
}

const TAKES_ALL: ReadonlySet<Effect['verb']> = new Set(['delete', 'change'])

/** Deleting or moving a directory that holds one of the gate's places takes the gate along. */
function holder(found: Effect, view: View): Effect {
  const { target, verb, action } = found
  if (!TAKES_ALL.has(verb) || target.real === null || hasClass(target, 'gate')) return found
  const names = namesOf(target.real)
  if (view.gate.some((place) => within(namesOf(place), names))) return marked(found, 'gate')
  // Git leaves what it does not track, as installed packages, unless it is told to clean.
  if (action?.startsWith('git:') === true && action !== 'git:clean') return found
  return view.programs?.some((place) => within(namesOf(place), names)) === true ? marked(found, 'gate-program') : found
}

/** Acts of git that change only its own data, and so no program. */
export const OF_GIT_ALONE = /^git:(?:commit|add|stage|tag|branch|config|fetch|remote|read|note|push)/

/** `git -C DIR …`: the repository by its directory. */
function ofRepository(found: Effect, view: View): Effect {
  const { target, action } = found
  if (OF_GIT_ALONE.test(action ?? '') || (view.programs ?? []).length === 0 || !/^[/~.]/.test(target.value)) return found
  return hasClass(pathTarget(target.value, view.cwd, view), 'gate-program') ? marked(found, 'gate-program') : found
}

const PACKAGE = 'countersign'

/** The package manager puts another version where the gate is installed for everybody, or takes it away. */
function replacesPackage({ target, action, attributes }: Effect, view: View): boolean {
  if (action === null || attributes.global !== true || !/^pkg:(?:install|upgrade|remove)$/.test(action)) return false
  if (target.value === PACKAGE) return true
  const all = target.value === 'all' || attributes.source === 'manifest'
  return all && view.programs?.some((place) => place.endsWith(`/node_modules/${PACKAGE}`)) === true
}

const UNKNOWN: ReadonlySet<string> = new Set(['', 'unknown', 'any'])

/** Programs that find processes, by name, by what they listen on or by what they have open. */
const FINDERS: ReadonlySet<string> = new Set('pgrep pidof lsof fuser ss netstat ps grep egrep rg awk gawk sed pidwait'.split(' '))

/**
 * A process that the call itself finds out is the daemon's where the call looks for that: reads what the gate keeps in files, or
 * looks among processes for its name, its number or its port. Changes `effects` in place.
 */
export function markFound(effects: Effect[], commands: readonly CommandFact[], view: View): void {
  const isUnknown = ({ action, target }: Effect): boolean =>
    action === 'proc:kill' && UNKNOWN.has(target.value) && !target.classes.includes('gate')
  // The daemon is looked for only where something could be meant.
  if (!effects.some(isUnknown) || view.daemon == null) return
  const { daemon } = view
  const reads = effects.some(({ verb, target }) => verb === 'read' && target.kind === 'path' && hasClass(target, 'gate'))
  const looks = reads || commands.some((command) => looksFor(command, daemon))
  if (looks) for (const [at, found] of effects.entries()) if (isUnknown(found)) effects[at] = marked(found, 'gate')
}

function looksFor({ program, argv }: CommandFact, { pid, port, name }: DaemonProcess): boolean {
  if (program === null || !FINDERS.has(program)) return false
  const numbers = new RegExp(`(?<!\\d)(?:${pid}${port === null ? '' : `|${port}`})(?!\\d)`)
  return argv.slice(1).some((word) => word !== null && (numbers.test(word) || word.toLowerCase().includes(name)))
}

const DIGITS = /^-?\d{1,10}$/

function ofDaemon({ target, attributes }: Effect, view: View): boolean {
  const { daemon } = view
  if (daemon == null) return false
  const { value } = target
  if (value === '-1' || (attributes.mass === true && attributes.pattern !== true && value === 'any')) return true
  if (DIGITS.test(value) && Math.abs(Number(value)) === daemon.pid) return true
  if (attributes.pattern !== true) return false
  return isPort(value, daemon) || isOpen(value, view) || isSelected(value, attributes.mass === true, { daemon, user: view.user })
}

/** `7433/tcp`, `:7433`, `tcp:7433`, and a bare `7433`, which `fuser -n tcp` takes for one. */
function isPort(value: string, { port }: DaemonProcess): boolean {
  return port !== null && new RegExp(`^(?:(?:tcp|udp)?:)?${port}(?:[/,].*)?$`).test(value)
}

/** `fuser -k FILE` ends whoever has it open. */
function isOpen(value: string, view: View): boolean {
  return value.includes('/') && hasClass(pathTarget(value, view.cwd, view), 'gate', 'gate-program', 'home-root', 'filesystem-root')
}

interface Selected {
  readonly daemon: DaemonProcess
  readonly user: string | null
}

/** A name or pattern that selects the daemon's, or everything that its user runs. */
function isSelected(value: string, mass: boolean, { daemon, user }: Selected): boolean {
  if (mass && (value === '' || value === user || /^[.*^$]*$/.test(value))) return true
  return [daemon.name, daemon.command].some((name) => mayMatch(value, name))
}

/** Never misses a match of the pattern: what is no plain text of a few alternatives is held to the letters in it. */
function mayMatch(pattern: string, name: string): boolean {
  if (pattern === '') return false
  return pattern.split('|').some((part) => {
    const pieces = part.split(/[^A-Za-z0-9 _-]+/).filter((piece) => piece !== '')
    const plain = /^\^?[A-Za-z0-9 _-]+\$?$/.test(part)
    if (plain) return name.toLowerCase().includes(part.replace(/^\^|\$$/g, '').toLowerCase())
    return pieces.length > 0 && pieces.every((piece) => name.toLowerCase().includes(piece.toLowerCase()))
  })
}

/** Programs under which what is started has another user's settings, or another machine's. */
const ELSEWHERE: ReadonlySet<string> = new Set(
  'sudo doas su runuser pkexec chroot unshare nsenter bwrap firejail systemd-run at batch'.split(' '),
)

/** An agent that somebody else runs has that user's settings, whatever stands in those of this one. Changes `effects` in place. */
export function markAgents(effects: Effect[], commands: readonly CommandFact[]): void {
  for (const [at, found] of effects.entries()) {
    if (found.action !== 'agent:start' || found.attributes.gated !== 'yes') continue
    const by = commands.find(({ span, wrappers }) => isWithin(found, span) && wrappers.some((name) => ELSEWHERE.has(name)))
    const wrapper = by?.wrappers.find((name) => ELSEWHERE.has(name))
    if (wrapper === undefined) continue
    const reason = `\`${wrapper}\` may start it with other settings`
    effects[at] = { ...found, reason, attributes: { ...found.attributes, gated: 'unknown' } }
  }
}

function isWithin({ span: inner }: Effect, outer: Span): boolean {
  return inner !== null && inner.pointer === outer.pointer && inner.start < outer.end && outer.start < inner.end
}
