/** What an approval is about, as digests: the call, why it was asked, what would make another call its like, what a no is remembered by. */
import type { ToolCall } from '../core/call.ts'
import { canonicalJson } from '../core/canonical.ts'
import type { Digester } from '../core/digest.ts'
import { type Effect, resolvedName } from '../core/effect.ts'
import type { Finding } from '../core/finding.ts'
import type { Json, JsonObject } from '../core/json.ts'
import type { Facts } from '../facts/facts.ts'
import { type Act, actsOf } from '../grants/acts.ts'
import { notTold } from '../grants/identity.ts'
import type { Policy } from '../policy/policy.ts'
import type { Binding } from './machine.ts'
import { isDefinite } from './proposals.ts'
import { callKey, type Keyed, type StoredApproval } from './store.ts'
import { principalText } from './terms.ts'

/** What is judged, in the form that approvals bind to. */
export interface Subject {
  readonly call: ToolCall
  readonly facts: Facts
  readonly policy: Policy
  /** Of the call as the agent sent it. */
  readonly callDigest: string
  /** Digest of the arguments that people changed, where the call runs with those; else null. */
  readonly edit: string | null
  readonly findings: readonly Finding[]
  /** Digest of what a preview of the call showed; null: there was none. */
  readonly preview: string | null
  /** Milliseconds since the epoch. */
  readonly now: number
}

export interface Marking {
  readonly digest: Digester['digest']
  readonly keys: Keyed
}

/** `like`: the approval to compare with, whose binding may have been made under a key that is retired by now. */
export function bindingOf(subject: Subject, { digest, keys }: Marking, like: StoredApproval | null): Binding {
  const { call, callDigest, policy } = subject
  const known = keysOf(callDigest, keys)
  const edited = typeof like?.edit?.key === 'string' && known.includes(like.edit.key)
  const same = like !== null && (edited || known.includes(like.binding.call))
  return {
    call: same ? like.binding.call : callKey(keys.current, callDigest),
    definition: call.tool.definition,
    policy: policy.digest,
    session: call.session,
    principal: principalText(call.principal),
    cwd: call.cwd,
    judged: judgedDigest(subject, digest),
    edit: edited ? like.binding.edit : subject.edit,
    standing: standingDigest(subject, digest),
    preview: subject.preview,
  }
}

/** Keys of a call under every key of the ring. */
export function keysOf(callDigest: string, { ring }: Keyed): readonly string[] {
  return [...ring.values()].map((signer) => callKey(signer, callDigest))
}

/** Digest of arguments that people changed. */
export function editDigest(args: JsonObject, digest: Digester['digest']): string {
  return digest('countersign/edit/v1', args)
}

/** Why the call is asked and what it would do. */
export function judgedDigest(subject: Pick<Subject, 'facts' | 'findings'>, digest: Digester['digest']): string {
  const { facts } = subject
  return digest('countersign/judged/v1', {
    asks: asksOf(subject).map(({ layer, rule, code }) => [layer, rule, code]),
    effects: facts.effects.map(({ verb, action, target, attributes }) => [
      ...[verb, action, target.kind, target.value, target.real],
      // By what the names in it lead where they lead, where that can change between the question and the call.
      ...(typeof attributes.kubeconfig_digest === 'string' ? [attributes.kubeconfig_digest] : []),
    ]),
    scripts: scriptsOf(facts),
  })
}

/**
 * Equal for calls of one tool, session, caller and directory that are asked for the same reasons and have the same effects in
 * every detail; null where the effects do not tell all that the call does.
 */
export function standingDigest(subject: Omit<Subject, 'callDigest' | 'now' | 'preview'>, digest: Digester['digest']): string | null {
  const { call, facts, edit } = subject
  const { effects, coverage } = facts
  const scripts = new Set(facts.scripts.map(({ path }) => path))
  // Of a tool that nobody described it is not known that its effects are all that it does.
  const tells =
    facts.tool.family !== null && effects.length > 0 && effects.every((effect) => isDefinite(effect, scripts)) && isStatic(facts)
  if (call.session === null || edit !== null || coverage !== 'full' || !tells) return null
  // A repetition of what may have happened is one act: a yes to it is none to the next one.
  if (asksOf(subject).some(({ code }) => code === 'outcome.unknown')) return null
  return digest('countersign/standing/v1', {
    tool: [call.tool.server, call.tool.name, call.tool.definition],
    session: call.session,
    principal: principalText(call.principal),
    cwd: call.cwd,
    asks: asksOf(subject).map(({ layer, rule, code }) => [layer, rule, code]),
    effects: [...new Set(effects.map(fullText))].toSorted(),
    scripts: scriptsOf(facts),
    ...(actsOf(facts, call.args).some(needsWords) ? { args: call.args } : {}),
  })
}

/** True where another call may have the same effects and do something else: then only the very same arguments are its like. */
function needsWords({ effect }: Act): boolean {
  const { verb, action, target } = effect
  const file = target.kind === 'path' || target.kind === 'script'
  return verb !== 'read' && action !== null && !file && notTold(effect) !== null
}

/** The questions themselves, not what approvals say of them. */
export function asksOf({ findings }: Pick<Subject, 'findings'>): readonly Finding[] {
  return findings.filter(({ verdict, layer }) => verdict === 'ask' && layer !== 'approvals')
}

/** Where a no to this call is counted. */
export function memoryOf(subject: Subject, { keys }: Pick<Marking, 'keys'>): StoredApproval['memory'] {
  const { call, policy } = subject
  const { limit, within, scope } = policy.approvals.denials
  const whose = scope === 'user' ? `user:${call.principal.user ?? ''}` : `session:${call.session ?? ''}`
  const subjects = new Set(asksOf(subject).map((ask) => keys.current.mac(`countersign/subject/v1\n${canonicalJson(about(ask, subject))}`)))
  return { subjects: [...subjects], limit, within, scope: whose }
}

/** What a question is about, in whatever form the call comes: the effect that it names, else all that the call would change. */
function about({ evidence }: Finding, { call, facts, callDigest }: Subject): Json {
  if (typeof evidence.verb === 'string' && typeof evidence.target === 'string')
    return ['effect', evidence.verb, evidence.action ?? null, evidence.target]
  const changes = facts.effects
    .filter(({ verb }) => verb !== 'read')
    .map(({ verb, action, target }) => canonicalJson([verb, action, target.kind, resolvedName(target)]))
  if (changes.length === 0) return ['call', callDigest]
  return ['effects', call.tool.server, call.tool.name, [...new Set(changes)].toSorted()]
}

/** Every word of every command is known before it runs. */
function isStatic({ commands }: Facts): boolean {
  return commands.every(({ program, argv }) => program !== null && !argv.includes(null))
}

/** A file has one name, however the call spells it. */
function fullText({ verb, action, target, reversible, certainty, attributes, directory = null }: Effect): string {
  const file = target.kind === 'path' || target.kind === 'script'
  const name = file ? resolvedName(target) : target.value
  return canonicalJson([verb, action, target.kind, name, target.real, target.scope, reversible, certainty, attributes, directory])
}

function scriptsOf({ scripts }: Facts): Json {
  return scripts.map(({ path, digest }) => [path, digest])
}
