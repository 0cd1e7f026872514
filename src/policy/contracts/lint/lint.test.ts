import { describe, expect, test } from 'vitest'
import { proves } from '../../../../test/proves.ts'
import { compile, policy } from '../../testing/compiled.ts'

const warnings = (text: string) =>
  policy(text)
    .warnings.filter((warning) => warning.code.startsWith('lint.contract') || warning.code.startsWith('lint.provider'))
    .map((warning) => `${warning.code}: ${warning.message}`)

/** A contract for `t` with these parameters and constraints. */
const contract = (constraints: string, params = '') =>
  warnings(`contracts: { tools: { t: { params: [${params}], constraints: [${constraints}] } } }`)

const LIMIT = '{ name: limit, type: integer }'
const MODE = '{ name: mode, type: string, enum: [a, b] }'

describe('constraints that exclude each other', () => {
  for (const [constraints, params, expected] of [
    ['{ kind: cmp, op: ge, left: x, right: 1 }, { kind: cmp, op: eq, left: x, right: 0 }', '', true],
    ['{ kind: cmp, op: eq, left: x, right: 0 }, { kind: cmp, op: ge, left: x, right: 1 }', '', true],
    ['{ kind: cmp, op: gt, left: x, right: 5 }, { kind: cmp, op: lt, left: x, right: 5 }', '', true],
    ['{ kind: cmp, op: ge, left: x, right: 5 }, { kind: cmp, op: le, left: x, right: 5 }', '', false],
    ['{ kind: cmp, op: gt, left: x, right: 5 }, { kind: cmp, op: le, left: x, right: 5 }', '', true],
    ['{ kind: cmp, op: le, left: 6, right: x }, { kind: cmp, op: le, left: x, right: 5 }', '', true],
    ['{ kind: cmp, op: eq, left: x, right: { value: a } }, { kind: cmp, op: eq, left: x, right: { value: b } }', '', true],
    ['{ kind: cmp, op: eq, left: x, right: { value: a } }, { kind: cmp, op: ne, left: x, right: { value: a } }', '', true],
    ['{ kind: cmp, op: eq, left: x, right: 1 }, { kind: cmp, op: ne, left: x, right: 2 }', '', false],
    ['{ kind: cmp, op: ge, left: limit, right: 10 }', '{ name: limit, max: 5 }', true],
    ['{ kind: cmp, op: ge, left: limit, right: 5 }', '{ name: limit, max: 5 }', false],
    ['{ kind: cmp, op: lt, left: { len: xs }, right: 0 }', '{ name: xs }', true],
    ['{ kind: cmp, op: ge, left: x, right: 1 }, { kind: cmp, op: eq, left: y, right: 0 }', '', false],
    ['{ kind: cmp, op: ge, left: x, right: 1 }, { kind: cmp, op: eq, left: x, right: 0, if: "has(args.y)" }', '', false],
  ] as const) {
    proves('ROS-W10', `${constraints} ${params}: ${expected ? 'contradiction' : 'fine'}`, () =>
      expect(contract(constraints, params).some((line) => line.startsWith('lint.contract_contradiction'))).toBe(expected),
    )
  }

  proves('ROS-W10', 'the warning names both, and where the second stands', () => {
    const text = `version: 1
contracts:
  tools:
    t:
      constraints:
        - { kind: cmp, op: ge, left: top_k, right: 1 }
        - { id: none, kind: cmp, op: eq, left: top_k, right: 0 }
`
    const result = compile(text)
    expect(result.ok && result.policy.warnings.filter((warning) => warning.code.includes('contract'))).toEqual([
      {
        code: 'lint.contract_contradiction',
        message: 'no `top_k` satisfies both `cmp[0]` (ge 1) and `none` (eq 0)',
        path: 'countersign.yaml',
        line: 7,
        column: 11,
      },
    ])
  })
})

describe('relations that are settled before any call', () => {
  for (const [constraint, params, expected] of [
    ['{ kind: cmp, op: lt, left: x, right: x }', '', 'never'],
    ['{ kind: cmp, op: ne, left: x, right: { field: x } }', '', 'never'],
    ['{ kind: cmp, op: le, left: x, right: x }', '', 'always'],
    ['{ kind: cmp, op: eq, left: x, right: y }', '', null],
    ['{ kind: cmp, op: ge, left: { len: xs }, right: 0 }', '', 'always'],
    ['{ kind: cmp, op: gt, left: { count: xs }, right: -1 }', '', 'always'],
    ['{ kind: cmp, op: ge, left: { len: xs }, right: 1 }', '', null],
    ['{ kind: cmp, op: eq, left: mode, right: { value: c } }', MODE, 'never'],
    ['{ kind: cmp, op: eq, left: mode, right: { value: a } }', MODE, null],
    ['{ kind: cmp, op: eq, left: limit, right: { value: ten } }', LIMIT, 'never'],
    ['{ kind: cmp, op: eq, left: limit, right: 10 }', LIMIT, null],
    ['{ kind: present, fields: [a, b], count: 3 }', '', 'never'],
    ['{ kind: present, fields: [a, b], count: 2 }', '', null],
    ['{ kind: distinct, fields: [a, b, a] }', '', 'never'],
    ['{ kind: distinct, fields: [a] }', '', 'always'],
    ['{ kind: distinct, fields: [a, b] }', '', null],
    ['{ kind: member, field: x, in: [] }', '', 'never'],
    ['{ kind: member, field: mode, in: [c, d] }', MODE, 'never'],
    ['{ kind: member, field: mode, in: [a, b, c] }', MODE, 'always'],
    ['{ kind: member, field: mode, in: [a] }', MODE, null],
    ['{ kind: requires, when: { field: mode, equals: c }, require: [limit] }', `${MODE}, ${LIMIT}`, 'always'],
    ['{ kind: requires, when: { field: mode, equals: a }, require: [limit] }', `${MODE}, ${LIMIT}`, null],
    ['{ kind: requires, when: { field: mode }, require: [] }', MODE, 'always'],
    ['{ kind: requires, when: { field: mode }, require: [limit] }', `${MODE}, { name: limit, required: true }`, 'always'],
    ['{ kind: any, relations: [{ kind: distinct, fields: [a] }, { kind: cmp, op: lt, left: a, right: b }] }', '', 'always'],
    ['{ kind: any, relations: [{ kind: member, field: a, in: [] }, { kind: cmp, op: lt, left: a, right: a }] }', '', 'never'],
    ['{ kind: cel, holds: "true" }', '', 'always'],
    ['{ kind: cel, holds: "args.x > 1.0" }', '', null],
  ] as const) {
    test(`${constraint} with [${params}]: ${expected ?? 'open'}`, () => {
      const found = contract(constraint, params).flatMap((line) => /^lint\.contract_(never|always)/.exec(line)?.[1] ?? [])
      expect(found).toEqual(expected === null ? [] : [expected])
    })
  }

  test('a guarded relation may never hold on purpose: it then forbids the guard', () => {
    expect(contract('{ kind: cmp, op: lt, left: x, right: x, if: has(args.y) }')).toEqual([])
  })
})

describe('what a constraint looks at', () => {
  for (const [constraint, params, expected] of [
    [
      '{ kind: cmp, op: le, left: limt, right: 5 }',
      LIMIT,
      'lint.contract_field: `cmp[0]` of `t` looks at `limt`, which is no parameter; did you mean `limit`?',
    ],
    [
      '{ kind: cmp, op: le, left: { len: docs }, right: 5 }',
      LIMIT,
      'lint.contract_field: `cmp[0]` of `t` looks at `docs`, which is no parameter',
    ],
    ['{ kind: present, fields: [limit, file] }', LIMIT, 'lint.contract_field: `present[0]` of `t` looks at `file`, which is no parameter'],
    ['{ kind: cmp, op: le, left: { sum: "items[*].price" }, right: 5 }', '{ name: items, type: array }', null],
    ['{ kind: cmp, op: le, left: anything, right: 5 }', '', null],
    [
      '{ kind: member, field: limit, in: { state: free } }',
      LIMIT,
      'lint.contract_state: `member[0]` of `t` looks at the state `free`, which nothing provides',
    ],
    [
      '{ kind: cmp, op: eq, left: limit, right: { state: s, of: x, path: y } }',
      `${LIMIT}, { name: x }`,
      'lint.contract_state: `cmp[0]` of `t` looks at the state `s`, which nothing provides',
    ],
  ] as const) {
    test(`${constraint} with [${params}]`, () => expect(contract(constraint, params)).toEqual(expected === null ? [] : [expected]))
  }

  test('tables, providers and the state of the file provide', () => {
    const text = `contracts:
  state: { order: [{ tools: [get_order], key: args.id }] }
  providers: { stock: { tools: [t] } }
  tools:
    t:
      state: { free: [1] }
      constraints:
        - { kind: known, of: { state: order, of: id } }
        - { kind: known, of: { state: stock } }
        - { kind: member, field: x, in: { state: free } }
        - { kind: known, of: { state: ordr } }
`
    expect(warnings(text)).toEqual([
      'lint.contract_state: `known[3]` of `t` looks at the state `ordr`, which nothing provides; did you mean `order`?',
    ])
  })

  test('a type that nothing checks', () => {
    expect(contract('', '{ name: x, type: strnig }')).toEqual([
      'lint.contract_type: nothing checks the type `strnig`; did you mean `string`?',
    ])
    expect(contract('', '{ name: x, type: decimal }')).toEqual(['lint.contract_type: nothing checks the type `decimal`'])
    expect(contract('', '{ name: x, type: [string, "null"] }')).toEqual([])
  })

  test("a contract that flags the tool's own examples is wrong about the tool", () => {
    const text = (most: number) => `tools:
  t:
    input_schema: { type: object, examples: [{ limit: 50 }, { limit: 5 }] }
contracts: { tools: { t: { constraints: [{ kind: cmp, op: le, left: limit, right: ${most} }] } } }`
    expect(warnings(text(50))).toEqual([])
    expect(warnings(text(10))).toEqual([
      'lint.contract_example: the contract of `t` flags the example `{"limit":50}` of the tool\'s own schema: limit(50) not le 10',
    ])
  })
})
