/** One set of limits against one call: the first limit that it breaks, in words. */
import type { ToolCall } from '../../core/call.ts'
import type { Code } from '../../core/codes.ts'
import { type Effect, resolvedName } from '../../core/effect.ts'
import { own } from '../../core/json.ts'
import type { CommandFact, Facts } from '../../facts/facts.ts'
import type { PathPattern, RoleLimits } from '../../policy/policy.ts'

export interface Breach {
  readonly code: Code
  readonly message: string
  /** Default: `deny`. */
  readonly verdict?: 'ask' | 'deny'
}

export interface Limited {
  readonly call: ToolCall
  readonly facts: Facts
  readonly argsLength: number
}

/** Denials before permits, so that the reason names what was forbidden, not what was left out. */
export function breachOf(limits: RoleLimits, limited: Limited): Breach | null {
  const { facts, argsLength } = limited
  if (limits.maxArgsLength !== null && argsLength > limits.maxArgsLength) {
    return { code: 'roles.args_length', message: `the arguments have ${argsLength} characters, ${limits.maxArgsLength} are allowed` }
  }
  const paths = facts.effects.filter(({ target }) => target.kind === 'path' || target.kind === 'script')
  const hosts = facts.effects.flatMap(hostOf)
  return (
    deniedCommand(limits, facts) ??
    deniedPath(limits, { paths, home: facts.home ?? null }) ??
    deniedHost(limits, hosts) ??
    unlistedCommand(limits, limited) ??
    unlistedPath(limits, { paths, home: facts.home ?? null }) ??
    unlistedHost(limits, hosts) ??
    ledAway(limits, facts)
  )
}

function deniedCommand({ denyCommands }: RoleLimits, { commands }: Facts): Breach | null {
  for (const command of commands) {
    const pattern = denyCommands.find((each) => each.mayMatch(command))
    if (pattern !== undefined) return { code: 'roles.command', message: `\`${textOf(command)}\` is denied by \`${pattern.text}\`` }
  }
  return null
}

/** A part of the call that was not understood may be any command. */
function unlistedCommand(limits: RoleLimits, { call, facts }: Limited): Breach | null {
  const { allowCommands, programs, subcommands } = limits
  if (allowCommands === null && programs === null && subcommands.size === 0) return null
  const commands = commandsOf(call, facts)
  if (commands.length === 0 && programs !== null) return { code: 'roles.missing_argument', message: 'the call names no command' }
  const hidden = facts.effects.find((effect) => effect.verb === 'opaque')
  if (hidden !== undefined) return { code: 'roles.command', message: `part of the command is not known: ${hidden.reason ?? 'no reason'}` }
  for (const command of commands) {
    const breach = unlisted(limits, command)
    if (breach !== null) return breach
  }
  return null
}

function unlisted({ allowCommands, programs, subcommands }: RoleLimits, command: CommandFact): Breach | null {
  if (allowCommands !== null && !allowCommands.some((each) => each.surelyMatches(command))) {
    return { code: 'roles.command', message: `\`${textOf(command)}\` is none of the allowed commands` }
  }
  if (programs !== null && (command.program === null || !programs.has(command.program))) {
    return { code: 'roles.command', message: `program \`${command.program ?? '?'}\` is not allowed` }
  }
  const listed = command.program === null ? undefined : subcommands.get(command.program)
  const first = command.read?.path[0] ?? command.argv[1] ?? null
  if (listed !== undefined && listed.size > 0 && (first === null || !listed.has(first))) {
    return { code: 'roles.subcommand', message: `subcommand \`${first ?? ''}\` of \`${command.program}\` is not allowed` }
  }
  return null
}

/** AEGIS's `cmd.run` names the program and its arguments apart; everywhere else the analysis found the commands. */
function commandsOf({ args }: ToolCall, { commands }: Facts): readonly CommandFact[] {
  const rest = own(args, 'args')
  const [only] = commands
  if (commands.length !== 1 || only === undefined || only.argv.length > 1 || !Array.isArray(rest)) return commands
  return [{ ...only, argv: [only.program, ...rest.map((word) => (typeof word === 'string' ? word : null))] }]
}

interface Touched {
  readonly paths: readonly Effect[]
  readonly home: string | null
}

function deniedPath({ denyPaths }: RoleLimits, { paths, home }: Touched): Breach | null {
  for (const effect of paths) {
    const pattern = denyPaths.find((each) => mayTouch(each, effect, home))
    if (pattern !== undefined) return { code: 'roles.path', message: `\`${resolvedName(effect.target)}\` is denied by \`${pattern.text}\`` }
  }
  return null
}

function unlistedPath({ allowPaths }: RoleLimits, { paths, home }: Touched): Breach | null {
  if (allowPaths === null) return null
  const outside = paths.find((effect) => !allowPaths.some((each) => surelyUnder(each, effect, home)))
  return outside === undefined
    ? null
    : { code: 'roles.path', message: `\`${resolvedName(outside.target)}\` is outside of the allowed paths` }
}

/** Either name of the path counts; a whole tree or a glob touches what lies below it. */
function mayTouch(pattern: PathPattern, effect: Effect, home: string | null): boolean {
  const text = expanded(pattern.text, home)
  const names = [effect.target.real, absolute(effect.target.value, home)].filter((name) => name !== null)
  const fixed = text.split(/[*?[{]/)[0] ?? text
  return names.some(
    (name) =>
      (pattern.matches === null ? within(name, text) : pattern.matches(name) || pattern.matches(backToTilde(name, home))) ||
      (wide(effect) && within(fixed, name)),
  )
}

function surelyUnder(pattern: PathPattern, effect: Effect, home: string | null): boolean {
  const name = effect.target.real
  if (name === null || effect.attributes.unresolved === true) return false
  if (pattern.matches === null) return within(name, expanded(pattern.text, home))
  return !wide(effect) && (pattern.matches(name) || pattern.matches(backToTilde(name, home)))
}

function wide({ attributes }: Effect): boolean {
  return attributes.recursive === true || attributes.glob === true || attributes.mass === true || attributes.unresolved === true
}

function expanded(text: string, home: string | null): string {
  return home !== null && (text === '~' || text.startsWith('~/')) ? home + text.slice(1) : text
}

function absolute(value: string, home: string | null): string | null {
  const name = expanded(value, home)
  return name.startsWith('/') ? name : null
}

function backToTilde(name: string, home: string | null): string {
  return home !== null && within(name, home) ? `~${name.slice(home.length)}` : name
}

/** By components, so that `/workspace2` is not under `/workspace` (AEG-5). */
function within(path: string, directory: string): boolean {
  const root = directory.endsWith('/') ? directory : `${directory}/`
  return `${path}/`.startsWith(root)
}

interface Host {
  /** Null where it is not known. */
  readonly name: string | null
}

function hostOf(effect: Effect): readonly Host[] {
  const { kind, real } = effect.target
  if (kind !== 'url' && kind !== 'host') return []
  return [{ name: real === null || real === '' ? null : real.toLowerCase().replace(/\.$/, '') }]
}

function deniedHost({ denyDomains }: RoleLimits, hosts: readonly Host[]): Breach | null {
  if (denyDomains.length === 0) return null
  const bad = hosts.find(({ name }) => name === null || denyDomains.some((domain) => below(name, domain)))
  return bad === undefined ? null : { code: 'roles.domain', message: `\`${bad.name ?? 'an unknown host'}\` is denied` }
}

function unlistedHost({ allowDomains }: RoleLimits, hosts: readonly Host[]): Breach | null {
  if (allowDomains === null) return null
  const bad = hosts.find(({ name }) => name === null || !allowDomains.some((domain) => below(name, domain)))
  return bad === undefined ? null : { code: 'roles.domain', message: `\`${bad.name ?? 'an unknown host'}\` is none of the allowed domains` }
}

/** A list of hosts cannot say where redirects end: where they are followed, people are asked. */
function ledAway({ allowDomains, denyDomains }: RoleLimits, { effects }: Facts): Breach | null {
  if (allowDomains === null && denyDomains.length === 0) return null
  const led = effects.find(({ attributes }) => attributes.redirects === 'followed')
  if (led === undefined) return null
  return { code: 'roles.redirect', message: `\`${resolvedName(led.target)}\` may send the call on to another host`, verdict: 'ask' }
}

function below(name: string, domain: string): boolean {
  return name === domain || name.endsWith(`.${domain}`)
}

function textOf({ argv }: CommandFact): string {
  return argv.map((word) => word ?? '?').join(' ')
}
