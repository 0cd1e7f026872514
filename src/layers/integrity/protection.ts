/**
 * Self-protection (T40, P9): whatever would change what the gate rests on is denied, whichever tool or program does it.
 * What the gate rests on is told by the classes `gate` (policy, state directory, keys, socket, installed hook, the daemon's
 * process), `gate-program` (its package, Node, and what the hook starts) and `agent-settings` (where the host's hooks are switched
 * on and off).
 */
import type { Finding } from '../../core/finding.ts'
import { type Effect, hasClass, resolvedName } from '../../facts/effect.ts'
import type { CommandFact, Facts } from '../../facts/facts.ts'
import { finding, spanJson } from '../finding.ts'

const CHANGING: ReadonlySet<Effect['verb']> = new Set(['write', 'delete', 'change', 'persist', 'publish'])

export function protectionFindings(facts: Facts): readonly Finding[] {
  return [...facts.effects.flatMap(fromEffect), ...throughDatabase(facts), ...facts.commands.flatMap(fromCommand)]
}

interface Protection {
  readonly rule: string
  readonly holds: (effect: Effect) => boolean
  readonly reason: string | ((effect: Effect) => string)
}

/** In this order: an effect has one finding, of the first that holds. */
const PROTECTIONS: readonly Protection[] = [
  {
    rule: 'gate-process',
    holds: ({ target, action }) =>
      target.kind === 'process' && (hasClass(target, 'gate') || (action === 'proc:kill' && isGate(target.value))),
    reason: 'would stop the gate',
  },
  {
    rule: 'gate-files',
    holds: ({ verb, target }) => CHANGING.has(verb) && hasClass(target, 'gate'),
    reason: 'would change what the gate rests on',
  },
  {
    rule: 'gate-program',
    holds: (effect) => hasClass(effect.target, 'gate-program') && changesProgram(effect),
    reason: 'would change the program that the gate runs as',
  },
  {
    rule: 'hook-settings',
    holds: (effect) => CHANGING.has(effect.verb) && hasClass(effect.target, 'agent-settings') && !isHarmless(effect),
    reason: settingsReason,
  },
  {
    rule: 'hook-settings',
    holds: ({ verb, attributes, target }) => CHANGING.has(verb) && attributes.glob === true && holdsSettings(target),
    reason: 'would change the settings that switch the gate on, if they are among what it stands for',
  },
  {
    rule: 'gate-holder',
    holds: (effect) =>
      reachesBelow(effect) &&
      (hasClass(effect.target, 'home-root', 'filesystem-root') || (holdsSettings(effect.target) && !isHarmless(effect))),
    reason: 'would change what the gate rests on, which lies below it',
  },
  {
    rule: 'gate-link',
    holds: ({ action, verb, target }) => action === 'fs:link' && verb === 'read' && hasClass(target, 'gate', 'agent-settings'),
    reason: 'would give what the gate rests on a second name',
  },
  {
    rule: 'gate-keys',
    holds: ({ verb, target }) => hasClass(target, 'gate') && hasClass(target, 'credential') && verb !== 'fetch',
    reason: 'would read the keys of the gate',
  },
  {
    rule: 'gate-agent',
    holds: ({ action, attributes }) => action === 'agent:start' && attributes.gated === 'no',
    reason: ({ reason }) => `would start an agent that the gate does not stand before: ${reason ?? 'it is switched off'}`,
  },
  {
    rule: 'gate-service',
    holds: ({ action, verb, target }) => action?.startsWith('service:') === true && verb === 'change' && isGate(target.value),
    reason: 'would stop the gate',
  },
]

function fromEffect(effect: Effect): readonly Finding[] {
  const found = PROTECTIONS.find(({ holds }) => holds(effect))
  if (found === undefined) return []
  const { rule, reason } = found
  return [protect(effect, rule, typeof reason === 'string' ? reason : reason(effect))]
}

/** Settings whose whole content was looked at, and leaves the gate as much in force as before. */
function isHarmless({ attributes }: Effect): boolean {
  return attributes.settings_content === 'harmless'
}

function settingsReason({ attributes }: Effect): string {
  const { settings_content: why } = attributes
  const what = 'would change the settings that switch the gate on'
  return typeof why === 'string' ? `${what}: ${why}` : what
}

/** Writes and the like, a second name, and what is built or installed there. */
function changesProgram({ verb, action, target }: Effect): boolean {
  if (CHANGING.has(verb) || (verb === 'read' && action === 'fs:link')) return true
  return verb === 'execute' && target.kind !== 'path' && action !== null && /^(?:pkg|dev|task):/.test(action)
}

/** SQL changes a database by the name of the file that was opened for it; what nobody can read may be any SQL. */
function throughDatabase({ effects }: Facts): readonly Finding[] {
  const own = effects.filter(({ target }) => target.kind === 'path' && hasClass(target, 'gate'))
  if (own.length === 0) return []
  const names = new Set(own.flatMap(({ target }) => [target.value, resolvedName(target)]))
  const changed = effects.filter(({ verb, target }) => target.kind === 'database' && verb !== 'read' && names.has(target.value))
  const unread = effects.some(({ verb, action }) => verb === 'opaque' || action === 'program:unknown')
  const opened = unread ? own.filter(({ verb, target }) => verb === 'read' && /\.db$/i.test(resolvedName(target))) : []
  return [...changed, ...opened].map((effect) => protect(effect, 'gate-files', 'would change what the gate rests on'))
}

/** Directories whose agents keep the settings that switch their hooks on directly in them. */
const SETTINGS_DIRECTORIES: ReadonlySet<string> = new Set(['.claude', '.codex', '.cursor', '.gemini', '.qwen', '.windsurf', '.kiro'])

function holdsSettings(target: Effect['target']): boolean {
  const names = resolvedName(target)
    .split('/')
    .filter((name) => name !== '' && name !== '.')
  const last = /^[*…]+$/.test(names.at(-1) ?? '') ? names.at(-2) : names.at(-1)
  return target.kind === 'path' && last !== undefined && SETTINGS_DIRECTORIES.has(last.toLowerCase())
}

/** True where the whole tree below the target changes: it goes, is replaced, or every file in it is touched. */
function reachesBelow({ verb, action, attributes }: Effect): boolean {
  if (attributes.filtered === true) return false
  if (verb === 'delete' || action === 'fs:move' || (verb === 'write' && action === 'fs:link')) return true
  return attributes.recursive === true && (verb === 'write' || verb === 'change')
}

function protect(effect: Effect, rule: string, why: string): Finding {
  const where = resolvedName(effect.target)
  return finding({
    layer: 'integrity',
    rule,
    verdict: 'deny',
    code: 'integrity.self_protection',
    message: `${effect.verb} of \`${where}\` ${why}`,
    evidence: { verb: effect.verb, target: where, span: spanJson(effect.span) },
  })
}

/** Subcommands of our own program that only an operator may run; everything else of it only reads. */
const OPERATOR_ONLY: ReadonlyMap<string, ReadonlySet<string> | null> = new Map([
  ['init', null],
  ['uninstall', null],
  ['undo', null],
  ['trust', null],
  ['serve', null],
  ['tokens', null],
  ['approvals', new Set(['approve', 'deny', 'cancel'])],
  ['mcp', new Set(['approvals', 'install', 'uninstall'])],
  ['grants', new Set(['add', 'revoke'])],
  ['baseline', null],
  ['pins', new Set(['accept', 'remove'])],
  ['channels', new Set(['deliver', 'retry'])],
  ['audit', new Set(['accept-loss'])],
  ['sessions', new Set(['unlock', 'declassify'])],
])

function fromCommand(command: CommandFact): readonly Finding[] {
  const own = argumentsOf(command)
  if (own === null) return []
  const words = own.filter((word) => word === null || !word.startsWith('-'))
  const [subcommand, verb] = words
  if (command.argv.includes('--help') || subcommand === undefined) return []
  if (subcommand !== null) {
    const verbs = OPERATOR_ONLY.get(subcommand)
    if (verbs === undefined) return []
    if (verbs !== null && verb !== undefined && verb !== null && !verbs.has(verb)) return []
  }
  return [
    finding({
      layer: 'integrity',
      rule: 'gate-command',
      verdict: 'deny',
      code: 'integrity.self_protection',
      message: `\`countersign ${subcommand ?? '…'}\` is for the operator, not for the agent`,
      evidence: { argv: command.argv, span: spanJson(command.span) },
    }),
  ]
}

/** Programs that run a file: the gate's own, by whatever path. */
const RUNNERS: ReadonlySet<string> = new Set(['node', 'nodejs', 'bun', 'deno', 'tsx', 'ts-node', 'sh', 'bash', 'zsh', 'dash', 'exec'])
const OWN_FILE = /(?:^|\/)(?:bin\/countersign(?:\.m?js)?|(?:dist|src)\/cli\/bin\.[jt]s)$/

/** What the gate's program would be handed; null for every other program. */
function argumentsOf({ program, argv }: CommandFact): CommandFact['argv'] | null {
  if (program === 'countersign') return argv.slice(1)
  if (program !== null && !RUNNERS.has(program)) return null
  const at = argv.findIndex((word) => word !== null && OWN_FILE.test(word))
  return at === -1 ? null : argv.slice(at + 1)
}

function isGate(value: string): boolean {
  return value.toLowerCase().includes('countersign')
}
