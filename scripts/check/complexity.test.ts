import { describe, expect, test } from 'vitest'
import { complexityOf } from './complexity.ts'
import { isFunction, tree, walk } from './source.ts'

/** Complexities of the functions in the text, outermost first. */
function complexities(text: string): readonly number[] {
  return [...walk(tree({ path: 'x.ts', text }))].filter(isFunction).map(complexityOf)
}

const CASES: readonly (readonly [string, string, readonly number[]])[] = [
  ['a straight way', 'function f() { return g(1) }', [1]],
  ['a branch', 'function f(a) { if (a) return 1; return 2 }', [2]],
  ['both sides of a branch', 'function f(a) { if (a) g(); else if (b) h(); else i() }', [3]],
  ['loops', 'function f() { for (const a of b) while (a) do { g() } while (c) }', [4]],
  ['operators that may end early', 'const f = (a) => ((a && b) || c) ?? d', [4]],
  ['a choice', 'const f = (a) => (a ? 1 : b ? 2 : 3)', [3]],
  ['cases, the default not', 'function f(a) { switch (a) { case 1: return 1; case 2: return 2; default: return 3 } }', [3]],
  ['what catches', 'function f() { try { g() } catch { h() } }', [2]],
  ['a function inside for itself', 'function f(a) { const g = (b) => (b ? 1 : 2); if (a) return g }', [2, 2]],
]

describe('complexity', () => {
  for (const [name, text, expected] of CASES) test(`counts ${name}`, () => expect(complexities(text)).toEqual(expected))
})
