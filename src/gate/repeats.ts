/**
 * The memory of denials (T53, D14): whoever comes back with what was denied, in whatever form, is asked about, then denied, and in
 * the end stopped for good. Counted by session with the record of each denial; what was never denied costs one look.
 */
import type { Code } from '../core/codes.ts'
import type { Judgement } from '../core/decide.ts'
import type { Decision } from '../core/decision.ts'
import { type Effect, resolvedName } from '../core/effect.ts'
import type { Finding } from '../core/finding.ts'
import { compare } from '../core/verdict.ts'
import type { Facts } from '../facts/facts.ts'
import type { ResolveContext } from '../gate.ts'
import { ownDigest } from '../policy/scopes/model.ts'
import { type CounterKey, StoreError } from '../store/store.ts'
import type { Spender } from './commit.ts'
import { ANY, denialCounter, LOCK } from './session-lock.ts'

export interface RepeatParts {
  /** Findings that only raise. */
  readonly examine: (judgement: Judgement, context: ResolveContext) => readonly Finding[]
  readonly spender: Spender
}

/** How long a session is remembered: a day after its last denial, in milliseconds. */
const LIFE = 86_400_000
const NOTHING: readonly Finding[] = []

export const repeats: RepeatParts = {
  examine: (judgement, context) => {
    try {
      return raisedBy(judgement, context)
    } catch (error) {
      // A denial stands without its history; anything else is not allowed without it.
      return compare(judgement.verdict, 'deny') >= 0 ? NOTHING : [unread(error)]
    }
  },
  spender: {
    wants: (decision, { call, basis }) => {
      if (basis === null || call.session === null) return false
      return isStopped(decision) || (basis.policy.disclosure.repeatsBeforeHalt > 0 && isDenial(decision))
    },
    spend: (tx, decision, { call, at, basis }) => {
      if (basis === null) return undefined
      const { policy, facts } = basis
      const { repeatsBeforeHalt: limit } = policy.disclosure
      const add = (subject: readonly string[]): number => tx.add(keyOf({ call, policy }, subject), 1, { now: at, expiresAt: at + LIFE })
      if (isStopped(decision)) {
        add(LOCK)
        add(ANY)
        return undefined
      }
      const carrying = decision.determining.map((index) => decision.findings[index])
      const most = Math.max(0, ...subjectsOf(carrying, facts).map(add))
      const alike = add(['code', decision.code])
      add(ANY)
      if (most >= limit || alike >= 2 * limit || decision.code === 'session.locked') add(LOCK)
      return undefined
    },
  },
}

function raisedBy(judgement: Judgement, context: ResolveContext): readonly Finding[] {
  const { call, facts, policy, state } = context
  const limit = policy.disclosure.repeatsBeforeHalt
  if (call.session === null) return NOTHING
  const times = (subject: readonly string[]): number => state.count(keyOf(context, subject))
  if (times(ANY) === 0) return NOTHING
  if (times(LOCK) > 0) return [locked('the session was stopped before, and nobody has let it go on')]
  if (limit === 0) return NOTHING
  if (compare(judgement.verdict, 'deny') < 0) {
    const before = Math.max(0, ...facts.effects.map((effect) => times(subjectOf(effect, 'named'))))
    return before === 0 ? NOTHING : [again(before)]
  }
  const carrying = judgement.determining.map((at) => judgement.findings[at])
  const most = Math.max(0, ...subjectsOf(carrying, facts).map(times)) + 1
  const alike = Math.max(0, ...carrying.map((finding) => (isCounted(finding?.code) ? times(['code', finding?.code ?? '']) : 0))) + 1
  return most < limit && alike < 2 * limit ? NOTHING : [locked(`the agent tried ${Math.max(most, alike)} times what was denied`)]
}

/** The risk of the run stops its session for good, too; in shadow mode nothing is stopped. */
function isStopped({ decision, findings }: Decision): boolean {
  return decision === 'halt' && findings.some(({ code }) => code === STOPPED)
}

const STOPPED: Code = 'risk.halted'

/** What an agent is to leave alone after a denial. Mistakes that it is told to mend, and failures of ours, are not counted. */
const COUNTED: readonly RegExp[] = [
  /^(?:hazard|integrity|capability|registry)\./,
  /^session\.(?:repeated|locked)$/,
  /^rules\.denied$/,
  /^scanner\.blocked$/,
  /^roles\.(?:denied|not_allowed|command|path|domain)$/,
  /^judge\.rejected$/,
  /^approval\.(?:denied|remembered)$/,
]
const FORGIVEN: ReadonlySet<string> = new Set(['integrity.oversize', 'integrity.hidden_characters', 'integrity.definition_changed'])

function isDenial({ decision, code }: Decision): boolean {
  return compare(decision, 'deny') >= 0 && isCounted(code)
}

function isCounted(code: Code | undefined): boolean {
  return code !== undefined && !FORGIVEN.has(code) && COUNTED.some((pattern) => pattern.test(code))
}

/**
 * What denials are about. An effect that a finding names is `named`: it is not to happen in any form. Where a rule, a judge or a
 * missing grant speaks, the call may be mended and come again, so its effects only count towards the end.
 */
function subjectsOf(findings: readonly (Finding | undefined)[], { effects }: Facts): readonly (readonly string[])[] {
  const subjects = findings.flatMap((finding) => {
    if (finding === undefined || !isCounted(finding.code)) return []
    const { verb, target } = finding.evidence
    const named = effects.filter((effect) => effect.verb === verb && effect.target.value === target)
    if (named.length > 0) return named.map((effect) => subjectOf(effect, 'named'))
    const final = effects.filter(({ reversible }) => !reversible)
    return (effects.length === 1 ? effects : final).map((effect) => subjectOf(effect, 'meant'))
  })
  return [...new Map(subjects.map((subject) => [JSON.stringify(subject), subject])).values()]
}

/** Whatever the spelling: a path as the kernel names it, a host as it is normalised. */
function subjectOf({ verb, target }: Effect, how: 'named' | 'meant'): readonly string[] {
  return [how, verb, target.kind, resolvedName(target)]
}

/** Under the operator's policy of now: one that he changed starts anew. What a repository brings does not. */
function keyOf({ call, policy }: Pick<ResolveContext, 'call' | 'policy'>, subject: readonly string[]): CounterKey {
  return denialCounter({ tenant: call.principal.tenant, session: call.session ?? '' }, ownDigest(policy), subject)
}

function again(times: number): Finding {
  const verdict = times > 1 ? 'deny' : 'ask'
  const message = `the call would do what was denied ${times === 1 ? 'once' : `${times} times`} in this session`
  return { ...LAYER, verdict, code: 'session.repeated', message, evidence: { times }, resolvers: verdict === 'ask' ? ['human'] : [] }
}

function locked(message: string): Finding {
  return { ...LAYER, verdict: 'halt', code: 'session.locked', message, evidence: {}, resolvers: [] }
}

function unread(error: unknown): Finding {
  const known = error instanceof StoreError ? error.code : 'infra.internal'
  const message = `what was denied before could not be read: ${error instanceof Error ? error.message : String(error)}`
  return { ...LAYER, verdict: 'deny', code: known, message, evidence: {}, resolvers: [] }
}

const LAYER = { layer: 'session', rule: 'denials', advice: null } as const
