/** Effects as the wire has them, in words, with the places of the call that they were read from. Pure. */
import type { Certainty, Effect, PathClass, Scope, Span, TargetKind, Verb } from '../../../src/core/effect.ts'
import { isJsonObject, type Json, type JsonObject, own } from '../../../src/core/json.ts'
import { explainEffect } from '../../../src/facts/explain.ts'
import type { Mark } from './marks.ts'

export interface ToldEffect {
  readonly id: number
  /** What it does and how surely; may hold text of the agent. */
  readonly words: string
  readonly verb: string
  readonly irreversible: boolean
  readonly span: Span | null
}

/** The effects of a sheet, numbered as they stand there. What is no effect is told as it stands. */
export function toldEffects(effects: readonly Json[]): readonly ToldEffect[] {
  return effects.map((json, id) => {
    const effect = isJsonObject(json) ? effectOf(json) : null
    if (effect === null) return { id, words: JSON.stringify(json), verb: 'opaque', irreversible: true, span: null }
    const words = explainEffect({ ...effect, span: null }, {})
    return { id, words, verb: effect.verb, irreversible: !effect.reversible && effect.verb !== 'opaque', span: effect.span }
  })
}

/** Marks in the string at a pointer. A string from which a secret was cut has none: its offsets are another text's. */
export function marksAt(pointer: string, text: string, effects: readonly ToldEffect[]): readonly Mark[] {
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
