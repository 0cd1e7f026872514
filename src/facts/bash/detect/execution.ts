import type { JsonObject } from '../../../core/json.ts'
import type { EffectOptions, Target, Verb } from '../../effect.ts'
import type { Invocation } from '../../host.ts'
import type { Sending } from '../flow/flow.ts'
import { type ExecutionContext, emitAt } from '../state/state.ts'
import type { Streams } from '../walk/builtin.ts'

/** One command that was read, with its streams and the place of the first of its effects: what it is looked at by. */
export interface Execution {
  readonly site: ExecutionContext
  readonly invocation: Invocation
  readonly streams: Streams
  readonly start: number
  readonly sending: Sending
}

/** An effect that was found; the certainty and the attributes of its place are added to it. */
export interface Detected {
  readonly target: Target
  readonly options: EffectOptions & { readonly verb: Verb }
}

/** Finds what no single table tells. Pure; what it finds comes behind what is there. */
export type Detector = (execution: Execution) => readonly Detected[]

/** Attributes for effects that are there, by their place. */
export type Marks = ReadonlyMap<number, JsonObject>

/** Tells more of what was found before. Pure; attributes are added, and nothing is taken away. */
export type Annotator = (execution: Execution) => Marks

/** One step of what is done to a command that was read. */
export type Look = (execution: Execution) => void

export const NOTHING: readonly Detected[] = []
export const NO_MARKS: Marks = new Map()

export function found(what: Target, options: Detected['options']): readonly Detected[] {
  return [{ target: what, options }]
}

export function detects(detector: Detector): Look {
  return (execution) => emitFound(execution.site, detector(execution))
}

export function emitFound(site: ExecutionContext, detected: readonly Detected[]): void {
  for (const { target: what, options } of detected) emitAt(site, what, options)
}

/** The one way in which an effect of another is written anew: attributes are added to it. */
export function annotates(annotator: Annotator): Look {
  return (execution) => {
    const { effects } = execution.site.analysis
    for (const [at, attributes] of annotator(execution)) {
      const item = effects[at]
      if (item !== undefined) effects[at] = { ...item, attributes: { ...item.attributes, ...attributes } }
    }
  }
}
