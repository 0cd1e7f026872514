/** Effects in words that a reviewer understands, each with the part of the call it was read from. Pure. */
import { atPointer, type Json, type JsonObject } from '../core/json.ts'
import type { Effect, Scope, Span, Verb } from './effect.ts'
import type { Facts } from './facts.ts'

const WORDS: Readonly<Record<Verb, string>> = {
  read: 'reads',
  write: 'writes',
  delete: 'deletes',
  execute: 'runs',
  fetch: 'gets over the network',
  send: 'sends to',
  publish: 'publishes to',
  pay: 'pays',
  persist: 'leaves behind, to run later,',
  change: 'changes',
  opaque: 'cannot be told:',
}

/** Where the verb alone would mislead: the act itself, in front of its target. */
const ACTS: ReadonlyMap<string, string> = new Map([
  ['delete fs:move', 'moves away'],
  ['read fs:list', 'lists the names in'],
  ['change fs:chmod', 'changes the permissions of'],
  ['change fs:chown', 'changes the owner of'],
  ['change git:commit', 'commits in'],
  ['change git:discard', 'throws away work in'],
  ['execute git:hooks', 'runs the hooks in'],
  ['publish git:push', 'pushes to'],
  ['change privilege:elevate', 'takes the rights of'],
  ['change privilege:container', 'opens to a container the rights of'],
  ['write container:mount', 'lets a container write'],
  ['execute container:run', 'starts a container of'],
  ['execute pkg:install', 'installs, with its scripts,'],
  ['execute pkg:run', 'fetches and runs the package'],
  ['execute program:unknown', 'runs the unknown program'],
  ['execute script:unseen', 'runs the file, unread,'],
  ['execute code:remote', 'runs what the network answers at'],
  ['change proc:kill', 'signals the process'],
  ['change security:disable', 'changes or turns off the protection'],
  ['delete cli:delete', 'may delete something:'],
  ['publish cli:publish', 'may publish something:'],
  ['change cli:change', 'may change something:'],
  ['write sql:update', 'changes rows in the database'],
  ['delete sql:delete', 'deletes rows in the database'],
  ['delete sql:drop', 'drops a part of the database'],
  ['delete sql:truncate', 'empties a table in the database'],
  ['read sql:select', 'reads the database'],
  ['send net:remote-shell', 'runs a command on'],
  ['execute net:remote-shell', 'runs a command on'],
  ['send mail:send', 'sends mail to'],
  ['change mail:draft', 'drafts mail to'],
  ['change mail:settings', 'changes the rules of a mailbox:'],
  ['delete mail:delete', 'deletes mail'],
  ['send chat:message', 'sends a message to'],
  ['send calendar:invite', 'invites'],
  ['change calendar:event', 'makes or changes the event'],
  ['delete calendar:event', 'deletes the event'],
  ['pay payment:transfer', 'moves money to'],
  ['pay payment:refund', 'pays money back for'],
  ['change payment:billing', 'changes what is charged for'],
  ['change access:grant', 'gives others access to'],
  ['change gh:pr-merge', 'merges a pull request in'],
  ['change gl:pr-merge', 'merges a merge request in'],
  ['publish gh:pr-create', 'opens or changes a pull request in'],
  ['publish gl:pr-create', 'opens or changes a merge request in'],
  ['publish gh:issue', 'writes an issue in'],
  ['publish gl:issue', 'writes an issue in'],
  ['publish gh:comment', 'comments in'],
  ['publish gl:comment', 'comments in'],
  ['publish resource:publish', 'writes, for others to see, to'],
  ['publish npm:publish', 'publishes the package in'],
  ['execute agent:task', 'starts another agent:'],
  ['persist agent:memory', 'tells later sessions through'],
  ['read k8s:secret-read', 'reads the secret of the cluster'],
  ['read secret:read', 'reads the secret'],
  ['read env:list', 'reads the environment variables'],
  ['persist schedule:cron', 'schedules, to run later,'],
  ['persist service:enable', 'has start with the machine'],
  ['execute code:decoded', 'runs, taken out of an encoding,'],
  ['execute code:downloaded', 'runs what was downloaded from'],
  ['delete tf:destroy', 'takes down the'],
  ['execute browser:script', 'runs in a web page'],
  ['change browser:act', 'acts in a web page on'],
  ['send browser:upload', 'uploads to a web'],
])

const PLACES: Readonly<Record<Scope, string>> = {
  workspace: 'in the workspace',
  temporary: 'in a temporary directory',
  home: 'in the home directory',
  system: 'in the system',
  device: 'a device',
  elsewhere: 'outside the workspace',
  public: 'on the internet',
  private: 'on a private network',
  loopback: 'on this machine',
  'link-local': 'on the local link',
  metadata: 'the metadata service',
  unknown: '',
}

const UNSEEN = 'part of what runs was not read: its own effects may be more than these'

/** Every effect of a call, one line each, in the order of the call. */
export function explainFacts(facts: Facts, args: JsonObject): readonly string[] {
  const lines = facts.effects.map((effect) => explainEffect(effect, args))
  if (facts.coverage === 'partial' && !facts.effects.some(({ verb }) => verb === 'opaque')) lines.push(UNSEEN)
  return lines.length === 0 ? ['nothing that can be seen'] : lines
}

/** One effect: what, on what, how surely, whether it can be undone, and from which words. */
export function explainEffect(effect: Effect, args: JsonObject): string {
  const { act, target, real, action, remarks, certainty, final, reason } = effectWords(effect)
  const name = target === null ? '' : ` ${target === '' ? 'something unknown' : `\`${target}\``}`
  const subject = `${act}${name}${real === null ? '' : ` (really \`${real}\`)`}${action === null ? '' : ` [${action}]`}`
  const said = [subject, ...remarks, certainty, final ? 'cannot be undone' : null, reason].filter((part) => part !== null)
  const source = effect.span === null ? null : excerpt(effect.span, args)
  return `${said.join(', ')}${source === null ? '' : `  ← ${source}`}`
}

/** An effect in words, in parts, for whoever sets them in type. Targets, remarks and reasons may hold text of the agent. */
export interface EffectWords {
  /** `writes`, `pushes to`; the whole of it where it cannot be told what is done. */
  readonly act: string
  /** Null where it cannot be told; empty where it is not known. */
  readonly target: string | null
  /** What the target is in truth, where that is something else. */
  readonly real: string | null
  readonly action: string | null
  /** What kind of thing it is, where, and how. */
  readonly remarks: readonly string[]
  /** Null: certain. */
  readonly certainty: string | null
  /** It cannot be undone. */
  readonly final: boolean
  readonly reason: string | null
}

/** The words for one effect. */
export function effectWords(effect: Effect): EffectWords {
  const { verb, target, action, reason } = effect
  const untold = verb === 'opaque'
  return {
    act: untold ? `${WORDS.opaque} ${reason ?? 'what this part does'}` : (ACTS.get(`${verb} ${action}`) ?? WORDS[verb]),
    // A table that finds no name in the arguments puts the act in its place.
    target: untold ? null : target.value === action ? '' : target.value,
    real: untold || target.real === target.value ? null : target.real,
    action: untold ? null : action,
    remarks: remarksOn(effect),
    certainty: effect.certainty === 'certain' ? null : effect.certainty,
    final: !effect.reversible && !untold,
    reason: untold ? null : reason,
  }
}

function remarksOn({ target, attributes }: Effect): readonly string[] {
  const remarks: string[] = []
  if (target.classes.length > 0) remarks.push(target.classes.join(' and '))
  if (target.scope !== 'unknown') remarks.push(PLACES[target.scope])
  for (const [name, value] of Object.entries(attributes))
    if (value !== false && value !== null && !isUnsaid(name, value) && value !== target.value && value !== target.real)
      remarks.push(attribute(name, value))
  return remarks
}

/** For conditions of policies: where the call is made from, and what the address says already. */
const UNSAID: ReadonlySet<string> = new Set(['head', 'domain', 'follow'])

function isUnsaid(name: string, value: Json): boolean {
  return UNSAID.has(name) || (name === 'method' && value === 'GET') || (name === 'scheme' && (value === 'http' || value === 'https'))
}

/** Attributes whose names say little to who does not write policies. */
const TOLD: ReadonlyMap<string, string> = new Map([
  ['other_hosts', 'which some programs read as'],
  ['nested_scope', 'passing on an address that is'],
  ['host_kind', 'a service of the kind'],
  ['hard_links', 'names of the same file:'],
  ['injection', 'hidden in the argument:'],
])

function attribute(name: string, value: Json): string {
  const told = TOLD.get(name)
  if (told !== undefined) return `${told} ${Array.isArray(value) ? value.join(', ') : String(value)}`
  return value === true ? name : `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`
}

function excerpt(span: Span, args: JsonObject): string | null {
  const text = atPointer(args, span.pointer)
  if (typeof text !== 'string') return null
  const part = text.slice(span.start, span.end).replaceAll('\n', ' ⏎ ')
  return part.length > 80 ? `${part.slice(0, 77)}…` : part
}
