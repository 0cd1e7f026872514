import { describe, expect, test } from 'vitest'
import { proves } from '../../test/proves.ts'
import { lineOf, type Parents } from './inherit.ts'
import type { Located } from './reading/fields.ts'
import { compile, policy } from './testing/compiled.ts'

const at = { start: 0, end: 0 }
const parentsOf = (graph: Readonly<Record<string, readonly string[]>>): Parents =>
  new Map(Object.entries(graph).map(([name, all]) => [name, all.map((value): Located<string> => ({ value, at, node: null }))]))

describe('the line of a role', () => {
  for (const [title, graph, line] of [
    ['alone', { a: [] }, 'a'],
    ['one above', { a: ['b'], b: [] }, 'b a'],
    ['two above', { a: ['b', 'c'], b: [], c: [] }, 'b c a'],
    ['a diamond has its top once', { a: ['b', 'c'], b: ['d'], c: ['d'], d: [] }, 'b d c a'],
    ['a name of nobody', { a: ['b'] }, 'a'],
    ['a circle ends', { a: ['b'], b: ['a'] }, 'b a'],
    ['itself', { a: ['a'] }, 'a'],
    ['magic names', { a: ['constructor', '__proto__'], constructor: [] }, 'constructor a'],
  ] as const) {
    test(title, () => expect(lineOf('a', parentsOf(graph)).toSorted()).toEqual(line.split(' ').toSorted()))
  }
})

/** `r0` inherits `r1` inherits … of so many roles, each with a limit of its own. */
const chain = (length: number, last = '') =>
  `unregistered: ask\nroles:\n${Array.from({ length }, (_, i) => {
    const inherits = i + 1 < length ? `inherits: [r${i + 1}], ` : last
    return `  r${i}: { ${inherits}tool_policies: { t${i}: { max_args_length: ${i + 1} } } }`
  }).join('\n')}`

describe('a chain of thousands of roles', () => {
  proves('T05', 'loads, and only the line that is asked for is put together', () => {
    const { roles } = policy(chain(2_000))
    expect(roles.size).toBe(2_000)
    expect(roles.get('r1999')?.policies.map(({ id }) => id)).toEqual(['r1999.t1999'])
    expect(roles.get('r0')?.policies).toHaveLength(2_000)
    expect(roles.get('r0')?.policies).toBe(roles.get('r0')?.policies)
    expect(roles.get('r1995')?.policies.map(({ maxArgsLength }) => maxArgsLength)).toEqual([2_000, 1_999, 1_998, 1_997, 1_996])
  })

  proves('T05', 'longer than any stack, is followed', () => {
    const parents = parentsOf(Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`r${i}`, [`r${i + 1}`]])))
    expect(lineOf('r0', parents)).toHaveLength(100_000)
  })

  test('in a circle is one error, at the line that closes it', () => {
    const result = compile(`version: 1\n${chain(2_000, 'inherits: [r0], ')}`)
    expect(result.ok).toBe(false)
    if (!result.ok) {
      const circles = result.errors.filter(({ code }) => code === 'policy.role_circle')
      expect(circles.map(({ message, line }) => [message, line])).toEqual([['role `r0` inherits itself by way of `r1999`', 2_003]])
    }
  })

  test('that ends in a name of nobody is one error', () => {
    const result = compile(`version: 1\n${chain(500, 'inherits: [nobody], ')}`)
    expect(result.ok ? [] : result.errors.map(({ message }) => message)).toEqual(['there is no role `nobody`'])
  })
})

test('every role that inherits from the same five hundred does not hold them itself', () => {
  const many = Array.from({ length: 500 }, (_, i) => `  child${i}: { inherits: [r0] }`).join('\n')
  const { roles } = policy(`${chain(500)}\n${many}`)
  expect(roles.get('child7')?.policies).toHaveLength(500)
})

test("what is inherited holds together with what is one's own, whichever is stricter", () => {
  const { roles } = policy(`unregistered: ask
roles:
  base: { deny_list: [rm], capabilities: [{ tool_pattern: 'fs.*' }], permit: false, tool_policies: { Bash: { max_args_length: 5 } } }
  other: { deny_list: [mv] }
  mine: { inherits: [base, other], tool_policies: { Bash: { max_args_length: 9 } } }
`)
  const mine = roles.get('mine')
  expect(mine?.denied.map(({ text }) => text).toSorted()).toEqual(['mv', 'rm'])
  expect(mine?.policies.map(({ id }) => id)).toEqual(['base.Bash', 'mine.Bash'])
  expect(mine?.capabilities?.map(({ tool }) => tool.text)).toEqual(['fs.*'])
  expect([mine?.permit, roles.get('base')?.permit]).toEqual([true, false])
  expect(roles.get('other')?.capabilities).toBeNull()
})
