/** Patterns of contracts are RE2: no look-around, no back-references, and never more than linear time. */
import { RE2JS } from 're2js'
import { made } from '../keep/recipes.ts'

/** A predicate in linear time, or why there is none. */
export function compilePattern(pattern: string): ((value: string) => boolean) | string {
  try {
    const compiled = RE2JS.compile(pattern)
    return made((value: string) => compiled.test(value), 'text-pattern', pattern)
  } catch (error) {
    return error instanceof Error ? error.message : 'unknown reason'
  }
}
