import type { Act } from './tables.ts'

/** How the tables of words are written. */

export function words(...lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(' ')))
}

/** Several names for the same act. */
export function acting(how: Act['how'], names: string, more: Omit<Act, 'how'> = {}): readonly (readonly [string, Act])[] {
  return names.split(' ').map((name) => [name, { how, ...more }])
}

export const NONE: ReadonlySet<string> = new Set()
