import type { Effect } from '../../effect.ts'

const NONE: readonly Effect[] = []

/** Where something comes from, each effect once: nested substitutions would otherwise double the list at every level. */
export function merged(first: readonly Effect[] | undefined, second: readonly Effect[] | undefined): readonly Effect[] {
  if (second === undefined || second.length === 0 || second === first) return first ?? NONE
  if (first === undefined || first.length === 0) return second
  return [...new Set([...first, ...second])]
}
