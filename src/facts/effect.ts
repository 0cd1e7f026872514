import type { Certainty, Effect, PathClass, Scope, Span, Target, TargetKind, Verb } from '../core/effect.ts'
import type { JsonObject } from '../core/json.ts'

export type { Certainty, Effect, PathClass, Scope, Span, Target, TargetKind, Verb } from '../core/effect.ts'
export { resolvedName } from '../core/effect.ts'

const NOTHING: JsonObject = Object.freeze({})

/** What an effect is when nothing else is said of it. */
export interface EffectOptions {
  readonly action?: string | null | undefined
  readonly reversible?: boolean | undefined
  readonly certainty?: Certainty | undefined
  readonly span?: Span | null | undefined
  readonly reason?: string | null | undefined
  readonly attributes?: JsonObject | undefined
  readonly directory?: string | null | undefined
}

/** Verbs whose acts can be taken back where nothing else is said. */
const REVERSIBLE: ReadonlySet<Verb> = new Set<Verb>(['read', 'write', 'execute', 'fetch', 'change', 'persist'])

/** An effect with defaults: certain, without action or span, reversible as its verb usually is. */
export function effect(verb: Verb, target: Target, options: EffectOptions = {}): Effect {
  const made: Effect = {
    verb,
    action: options.action ?? null,
    target,
    reversible: options.reversible ?? REVERSIBLE.has(verb),
    certainty: options.certainty ?? 'certain',
    span: options.span ?? null,
    reason: options.reason ?? null,
    attributes: options.attributes ?? NOTHING,
  }
  return options.directory === undefined ? made : { ...made, directory: options.directory }
}

/** A target that is no path and no host. */
export function target(kind: TargetKind, value: string, scope: Scope = 'unknown'): Target {
  return { kind, value, real: null, scope, classes: [] }
}

/** Something that could not be told, with the reason: never silence (T08). */
export function opaque(reason: string, span: Span | null, value = ''): Effect {
  return effect('opaque', target(value === '' ? 'unknown' : 'code', value), { reason, span, reversible: false, certainty: 'possible' })
}

/** How that is emitted which could not be told but can do no harm by itself: said, without a question. */
export const LOW_OPAQUE = { certainty: 'possible', reversible: false, attributes: { severity: 'low' } } as const satisfies EffectOptions

/** Such an effect. */
export function lowOpaque(reason: string, span: Span | null): Effect {
  return { ...opaque(reason, span), ...LOW_OPAQUE }
}

/** True when any class of the target is among `classes`. */
export function hasClass(t: Target, ...classes: readonly PathClass[]): boolean {
  return t.classes.some((c) => classes.includes(c))
}
