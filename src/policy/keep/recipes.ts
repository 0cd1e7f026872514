/**
 * How to make again what cannot be written down. A compiled policy is data but for a few functions; each of those was made by a factory
 * from data, and says here of which. What nobody says it of cannot be kept.
 */

/** Names of the factories in `makers.ts`. */
export type RecipeName =
  | 'tool-pattern'
  | 'command-pattern'
  | 'path-glob'
  | 'text-pattern'
  | 'condition'
  | 'contract-condition'
  | 'judge-skip'
  | 'rule-filters'
  | 'rule-index'
  | 'contract-index'
  | 'sequence'
  | 'builtin-sequence'

export interface Recipe {
  readonly name: RecipeName
  readonly given: readonly unknown[]
}

const recipes = new WeakMap<object, Recipe>()

/** The same, and from now on it can be kept. */
export function made<T extends object>(what: T, name: RecipeName, ...given: readonly unknown[]): T {
  recipes.set(what, { name, given })
  return what
}

export function recipeOf(what: object): Recipe | undefined {
  return recipes.get(what)
}
