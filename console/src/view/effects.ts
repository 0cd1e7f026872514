/** Effects as the wire has them, in words, with the places of the call that they were read from. Pure. */
import type { Certainty, Effect, PathClass, Scope, Span, TargetKind, Verb } from '../../../src/core/effect.ts'
import { isJsonObject, type Json, type JsonObject, own } from '../../../src/core/json.ts'
import { type EffectWords, effectWords, explainEffect } from '../../../src/facts/explain/explain.ts'
import type { Mark } from './marks.ts'
import { moneyOf, type Severity, severitiesOf } from './severity.ts'

export interface DescribedEffect {
  readonly id: number
  /** What it does and how surely; may hold text of the agent. */
  readonly words: string
  /** The same in parts; null for what is no effect. */
  readonly parts: EffectWords | null
  readonly verb: string
  readonly weight: Weight
  readonly irreversible: boolean
  readonly severities: readonly Severity[]
  /** Amount, payee and account of a payment; null for everything else. */
  readonly money: string | null
  readonly span: Span | null
}

/** `quiet`: only looks at plain files, or writes plain ones where the agent works. Never said of what is not told for sure. */
export type Weight = 'grave' | 'plain' | 'quiet'

/** The effects of a call in the directory `cwd`, numbered as they stand there. What is no effect is told as it stands. */
export function describedEffects(effects: readonly Json[], cwd: string | null): readonly DescribedEffect[] {
  return effects.map((json, id) => {
    const effect = isJsonObject(json) ? effectOf(json) : null
    if (effect === null) return { id, words: JSON.stringify(json), ...UNTOLD }
    const words = explainEffect({ ...effect, span: null }, {}, cwd)
    const irreversible = !effect.reversible && effect.verb !== 'opaque'
    const { verb, span } = effect
    const closer = { severities: severitiesOf(effect), money: moneyOf(effect) }
    return { id, words, parts: effectWords(effect, cwd), verb, weight: weightOf(effect), irreversible, ...closer, span }
  })
}

const UNTOLD = { parts: null, verb: 'opaque', weight: 'grave', irreversible: true, severities: [], money: null, span: null } as const

/** What weighs most first; in the order of the call where they weigh the same. */
export function heaviestFirst(effects: readonly DescribedEffect[]): readonly DescribedEffect[] {
  const rank = ({ weight, irreversible }: DescribedEffect) => RANK[weight] - (irreversible ? 0.5 : 0)
  return effects.toSorted((a, b) => rank(a) - rank(b))
}

const RANK: Readonly<Record<Weight, number>> = { grave: 0, plain: 1, quiet: 2 }

/** From so many effects on, quiet ones wait behind a button; what weighs more never does. */
const MANY = 9

/** Those to show at first, and how many quiet ones there are beside them, by what they do. */
export function firstEffects(effects: readonly DescribedEffect[]): {
  readonly shown: readonly DescribedEffect[]
  readonly rest: string | null
} {
  const ordered = heaviestFirst(effects)
  const shown = ordered.filter(({ weight }) => weight !== 'quiet')
  const quiet = ordered.slice(shown.length)
  if (ordered.length < MANY || quiet.length < 3) return { shown: ordered, rest: null }
  const writes = quiet.filter(({ verb }) => verb === 'write').length
  const reads = quiet.length - writes
  const told = [reads > 0 ? `${reads} × reads` : null, writes > 0 ? `${writes} × writes in the workspace` : null]
  return { shown, rest: told.filter((part) => part !== null).join(', ') }
}

const GRAVE: ReadonlySet<string> = new Set(['delete', 'publish', 'pay', 'send', 'opaque', 'persist'])
const GRAVE_ACTIONS = /^(?:code:remote|program:unknown|script:unseen|pkg:run|security:|privilege:)/
/** Who reads these learns what is not theirs to know. */
const PRIVATE: ReadonlySet<string> = new Set(['credential', 'gate', 'other-user', 'personal', 'device', 'boot'])
const ORDINARY: ReadonlySet<string> = new Set(['plain', 'workspace-root'])

function weightOf({ verb, action, reversible, target, certainty }: Effect): Weight {
  if (GRAVE.has(verb) || (action !== null && GRAVE_ACTIONS.test(action))) return 'grave'
  if (verb === 'read') return target.classes.some((each) => PRIVATE.has(each)) ? 'grave' : 'quiet'
  if (!reversible || target.classes.some((each) => !ORDINARY.has(each))) return 'grave'
  const here = target.kind === 'path' && (target.scope === 'workspace' || target.scope === 'temporary')
  return verb === 'write' && here && certainty === 'certain' ? 'quiet' : 'plain'
}

/** Marks in the string at a pointer. A string from which a secret was cut has none: its offsets are another text's. */
export function marksAt(pointer: string, text: string, effects: readonly DescribedEffect[]): readonly Mark[] {
  if (text.includes('[redacted')) return []
  return effects.flatMap(({ id, span }) =>
    span !== null && span.pointer === pointer && span.end <= text.length && span.start < span.end ? [{ id, ...span }] : [],
  )
}

/** The wire leaves out what says nothing; the defaults are those of `effectToJson`. */
function effectOf(json: JsonObject): Effect | null {
  const verb = own(json, 'verb')
  const target = own(json, 'target')
  if (typeof verb !== 'string' || !isJsonObject(target)) return null
  return {
    verb: verb as Verb,
    action: text(json, 'action'),
    target: {
      kind: (text(target, 'kind') ?? 'unknown') as TargetKind,
      value: text(target, 'value') ?? '',
      real: text(target, 'real'),
      scope: (text(target, 'scope') ?? 'unknown') as Scope,
      classes: texts(own(target, 'classes')) as readonly PathClass[],
    },
    reversible: own(json, 'reversible') === true,
    certainty: certaintyOf(own(json, 'certainty')),
    span: spanOf(own(json, 'span')),
    reason: text(json, 'reason'),
    attributes: attributesOf(own(json, 'attributes')),
  }
}

/** What is not said to be certain is not. */
function certaintyOf(value: Json | undefined): Certainty {
  return value === 'certain' || value === 'likely' ? value : 'possible'
}

function text(json: JsonObject, name: string): string | null {
  const value = own(json, name)
  return typeof value === 'string' ? value : null
}

function texts(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : []
}

function attributesOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {}
}

function spanOf(value: Json | undefined): Span | null {
  if (!isJsonObject(value)) return null
  const { pointer, start, end } = value
  return typeof pointer === 'string' && typeof start === 'number' && typeof end === 'number' ? { pointer, start, end } : null
}
