import { describe, expect, test } from 'vitest'
import { proves } from '../../../test/proves.ts'
import { POLICY_ERRORS } from '../errors.ts'
import { errorsOf } from '../testing/compiled.ts'
import { readCatalogue } from './catalogue.ts'
import { contractErrors, contractOf } from './testing.ts'

/** Everything that can be wrong with a contract, each shown as people see it. */
const CASES: readonly (readonly [title: string, contract: string])[] = [
  ['a misspelt field of a contract', 'parms: []'],
  ['a parameter without a name', 'params: [{ type: string }]'],
  ['a parameter twice', 'params: [{ name: a }, { name: a }]'],
  ['a field that no parameter has', 'params: [{ name: a, minimum: 1 }]'],
  ['bounds that exclude each other', 'params: [{ name: a, min: 2, max: 1 }]'],
  ['a pattern that cannot be compiled', 'params: [{ name: a, pattern: "(?=x)" }]'],
  ['a format that does not exist', 'params: [{ name: a, format: mail }]'],
  ['constraints that are no list', 'constraints: { kind: cmp }'],
  ['a constraint that is no mapping', 'constraints: [cmp]'],
  ['a constraint without a kind', 'constraints: [{ op: le }]'],
  ['a relation that does not exist', 'constraints: [{ kind: summ, of: a, vs: 1 }]'],
  ['a kind that is no name', 'constraints: [{ kind: 7 }]'],
  ['a field of another relation', 'constraints: [{ kind: distinct, fields: [a, b], op: le }]'],
  ['a comparison without a side', 'constraints: [{ kind: cmp, op: le, left: a }]'],
  ['an operator that does not exist', 'constraints: [{ kind: cmp, op: "<=", left: a, right: 1 }]'],
  ['an operand that does not exist', 'constraints: [{ kind: cmp, op: le, left: { length: a }, right: 1 }]'],
  ['two operands in one', 'constraints: [{ kind: cmp, op: le, left: { len: a, sum: b }, right: 1 }]'],
  ['a field beside an operand', 'constraints: [{ kind: cmp, op: le, left: { len: a, of: b }, right: 1 }]'],
  ['a field beside a state', 'constraints: [{ kind: known, of: { state: s, key: b } }]'],
  ['a state without a name', 'constraints: [{ kind: known, of: { state: 7 } }]'],
  ['an empty operand', 'constraints: [{ kind: known, of: {} }]'],
  ['a path that cannot be read', 'constraints: [{ kind: known, of: "a..b" }]'],
  ['a duration that is none', 'constraints: [{ kind: cmp, op: le, left: a, right: { duration: 1y } }]'],
  ['money without a currency', 'constraints: [{ kind: cmp, op: le, left: { money: { amount: a } }, right: 1 }]'],
  ['a misspelt part of money', 'constraints: [{ kind: cmp, op: le, left: { money: { amount: a, currency: b, curency: c } }, right: 1 }]'],
  ['arithmetic with one operand', 'constraints: [{ kind: cmp, op: le, left: { add: [a] }, right: 1 }]'],
  ['several conditions of one rule', 'constraints: [{ kind: requires, when: { field: a, equals: 1, in: [2] }, require: [b] }]'],
  ['absence as a condition', 'constraints: [{ kind: requires, when: { field: a, presence: false }, require: [b] }]'],
  ['alternatives that are none', 'constraints: [{ kind: any, relations: [{ kind: distinct, fields: [a] }] }]'],
  ['alternatives without relations', 'constraints: [{ kind: any }]'],
  ['a wrong alternative', 'constraints: [{ kind: any, relations: [{ kind: known, of: a }, { kind: knwon, of: b }] }]'],
  [
    'a level inside of alternatives',
    'constraints: [{ kind: any, relations: [{ kind: known, of: a, enforcement: hard }, { kind: known, of: b }] }]',
  ],
  ['a pattern of a relation that cannot be compiled', 'constraints: [{ kind: matches, field: a, pattern: "(a" }]'],
  ['a condition that cannot be parsed', 'constraints: [{ kind: cel, holds: "args.a >" }]'],
  ['a condition with a name that does not exist', 'constraints: [{ kind: cel, holds: "arg.a > 1.0" }]'],
  ['a guard that is no condition', 'constraints: [{ kind: known, of: a, if: "args.a" }]'],
  ['two constraints of one name', 'constraints: [{ id: x, kind: known, of: a }, { id: x, kind: known, of: b }]'],
  ['an offset that is no number', 'constraints: [{ kind: char_at, string: a, index: 0, equals: b, offset: one }]'],
  ['an example that is flagged', 'params: [{ name: a, type: string }], examples: { conformant: [{ a: 1 }] }'],
  ['an example that is not flagged', 'params: [{ name: a, type: string }], examples: { violating: [{ a: x }] }'],
]

describe('every load error says what, where and what instead', () => {
  for (const [title, contract] of CASES) test(title, () => expect(`\n${contractErrors(contract)}\n`).toMatchSnapshot())

  proves(['T42', 'ROS-23a'], 'no case loads, and the codes are documented', () => {
    for (const [title, contract] of CASES) {
      const { errors } = readCatalogue(`t: { ${contract} }`, 'contracts.yaml', 'advisory')
      expect([title, errors.length]).not.toEqual([title, 0])
      for (const error of errors) expect(Object.hasOwn(POLICY_ERRORS, error.code)).toBe(true)
    }
  })
})

describe('what loads', () => {
  test('constraints without a name are called by kind and place', () => {
    const { constraints } = contractOf('constraints: [{ kind: known, of: a }, { id: mine, kind: known, of: b }, { kind: known, of: c }]')
    expect(constraints.map((constraint) => constraint.id)).toEqual(['known[0]', 'mine', 'known[2]'])
  })

  test('examples are run with the state of the file', () => {
    const text = (seat: string) =>
      `state: { free: [1A] }, constraints: [{ kind: member, field: seat, in: { state: free } }], examples: { conformant: [{ seat: ${seat} }] }`
    expect(contractErrors(text('1A'))).toBe('')
    expect(contractErrors(text('2B'))).toContain('the contract of `t` flags this example: \'seat\'="2B" not in ["1A"]')
  })

  test('a file is JSON as well as YAML, and its errors name it', () => {
    expect(readCatalogue('{"t": {"params": [{"name": "a"}]}}', 'x.json', 'hard')).toMatchObject({
      errors: [],
      contracts: [{ tool: 't', enforcement: 'hard' }],
    })
    for (const [text, message] of [
      ['', 'policy.empty: the file is empty'],
      ['[]', 'policy.wrong_type: a contract file is a mapping'],
      ['{"t": {}, "t": {}}', 'policy.duplicate_key: the key `"t"` occurs twice'],
      ['t: &x {}', 'policy.alias: the anchor `&x` is not read'],
      ['"[*": {}', 'policy.pattern: this pattern cannot be compiled'],
    ] as const) {
      const [error] = readCatalogue(text, 'x.json', 'advisory').errors
      expect(`${error?.code}: ${error?.message} (${error?.path})`).toContain(message)
      expect(error?.path).toBe('x.json')
    }
  })

  test('a file that cannot be read is an error of the policy that names it', () => {
    expect(errorsOf('version: 1\ncontracts: { files: [a.json] }', { readFile: () => ({ problem: 'there is no such file' }) })).toBe(
      [
        'policy.contract_file: the contract file `a.json` cannot be read: there is no such file',
        ' --> countersign.yaml:2:22',
        '2 | contracts: { files: [a.json] }',
        '  |                      ^^^^^^',
        '  = paths are relative to the directory of the policy',
      ].join('\n'),
    )
    const wrong = errorsOf('version: 1\ncontracts: { files: [a.json] }', { readFile: () => ({ text: '{"t": {"params": 1}}' }) })
    expect(wrong).toContain('policy.wrong_type: this needs a list, but it is the number `1`\n --> a.json:1:18')
  })
})
