/** What a role usually does, for people. Pure. */
import type { Term } from '../core/behaviour.ts'
import { changesBetween } from './diff.ts'
import { emptyModel, type RoleModel } from './model.ts'

export interface Usual extends Term {
  /** Of its context, from 0 to 1. */
  readonly share: number
}

/** Most common first, tools before the rest. */
export function usualOf(model: RoleModel): readonly Usual[] {
  const all = changesBetween(emptyModel(), model).map(({ after, before: _none, ...term }) => ({ ...term, share: after }))
  return [...all.filter(({ unit }) => unit === 'tool'), ...all.filter(({ unit }) => unit !== 'tool')]
}
