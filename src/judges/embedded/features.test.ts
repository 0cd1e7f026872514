import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Json, JsonObject } from '../../core/json.ts'
import { featuresOf, hashOf } from './features.ts'

const names = (body: JsonObject): readonly string[] => [...featuresOf(body).named.values()].toSorted()
const textOf = (args: JsonObject): ReadonlySet<number> => featuresOf({ proposed_tool_call: { arguments: args } }).text
const effect = (more: JsonObject): JsonObject => ({
  effects: [
    {
      verb: 'delete',
      action: null,
      target: { kind: 'path', value: '/x', scope: 'home', classes: ['credential'] },
      reversible: false,
      certainty: 'certain',
      ...more,
    },
  ],
})

describe('named features', () => {
  const table: readonly (readonly [string, JsonObject, readonly string[]])[] = [
    ['of nothing there is only what could not be told', {}, ['not fully told']],
    ['of a call that is told', { facts: { coverage: 'full' } }, []],
    [
      'of an effect: what, where, for good, and of which class',
      { ...effect({}), facts: { coverage: 'full' } },
      [
        'delete for good',
        'delete of credential',
        'delete of credential home for good',
        'delete path home',
        'delete path home for good certain',
      ],
    ],
    [
      'of an action, and of attributes that are true',
      {
        ...effect({
          action: 'git:push',
          target: { kind: 'repository', value: 'origin' },
          reversible: true,
          attributes: { force: true, remote: 'origin', dry: false },
        }),
        facts: { coverage: 'full' },
      },
      [
        'delete as git:push',
        'delete as git:push repository ',
        'delete for now',
        'delete git:push force',
        'delete repository ',
        'delete repository  for now certain',
      ],
    ],
    [
      'of what could not be told, without what it quotes',
      { effects: [{ verb: 'opaque', reason: 'the value of `$SECRET` is not known in line 12' }], facts: { coverage: 'full' } },
      ['opaque  ', 'opaque   for now ', 'opaque for now', 'opaque: the value of ` is not known in line 00'],
    ],
    [
      'of findings that say something, and of rules of the packs only',
      {
        findings: [
          { layer: 'hazard', rule: 'privilege', verdict: 'ask', code: 'hazard.privilege' },
          { layer: 'rules', rule: 'of-the-operator', verdict: 'deny', code: 'rules.denied' },
          { layer: 'rules', rule: 'x', verdict: 'allow', code: 'rules.allowed' },
        ],
        facts: { coverage: 'full' },
      },
      ['found hazard ask', 'found hazard.privilege', 'found rules deny', 'found rules.denied', 'hazard privilege'],
    ],
    [
      'of commands and of characters that cannot be seen',
      {
        facts: {
          coverage: 'full',
          commands: [{ program: 'RM', wrappers: ['sudo'] }, { program: null }],
          hidden_characters: [{ kind: 'bidi' }],
        },
      },
      ['hidden bidi', 'program ', 'program rm', 'under sudo'],
    ],
    [
      'of the name of the tool, word by word',
      { proposed_tool_call: { name: 'sendMoney_to-IBAN2' }, facts: { coverage: 'full' } },
      ['tool iban', 'tool money', 'tool send', 'tool to'],
    ],
    [
      'names of every object are not features',
      { effects: [{ verb: 'constructor' }], facts: { coverage: 'full', commands: 'toString' } },
      ['constructor  ', 'constructor   for now ', 'constructor for now'],
    ],
  ]
  for (const [name, body, expected] of table) test(name, () => expect(names(body)).toEqual(expected.toSorted()))

  const asking = (task: string | null, args: JsonObject): boolean =>
    names({ task, proposed_tool_call: { arguments: args }, facts: { coverage: 'full' } }).includes('names what nobody asked for')
  for (const [name, task, args, expected] of [
    ['nobody knows what was asked for', null, { to: 'evil@example.com' }, false],
    ['an empty task says nothing', '', { to: 'evil@example.com' }, false],
    ['it stands in the task', 'Write to Bob@Example.com', { to: 'bob@example.com' }, false],
    ['it does not', 'Write to bob@example.com', { to: 'evil@example.com' }, true],
    ['one of two does not', 'Write to bob@example.com', { to: ['bob@example.com', 'evil@example.com'] }, true],
    ['short words and figures are in every task', 'Write', { a: 'x', n: 700 }, false],
    ['long texts are written, not asked for', 'Write', { body: 'long '.repeat(100) }, false],
  ] as const) {
    test(`asked for: ${name}`, () => expect(asking(task, args)).toBe(expected))
  }
})

describe('features of text', () => {
  for (const [name, one, two] of [
    ['case', 'RM -RF dist', 'rm -rf dist'],
    ['figures', 'head -n 17 out', 'head -n 3 out'],
    ['mail addresses', 'mail bob.smith-1@corp.example now', 'mail eve@evil.example now'],
    ['hosts', 'get http://a.example/x now', 'get http://203.0.113.9:80/x now'],
    ['long tokens with figures', 'key AKIA0123456789ABCDEF01 now', 'key ghp_0123456789abcdefghijkl now'],
  ] as const) {
    test(`the same whatever the ${name}`, () =>
      expect([...textOf({ command: one })].toSorted()).toEqual([...textOf({ command: two })].toSorted()))
  }

  test('differ by what is written, wherever it stands', () => {
    expect(textOf({ command: 'rm -rf dist' })).not.toEqual(textOf({ command: 'ls dist' }))
    expect(textOf({ a: ['x', { b: 'hello world' }] })).toEqual(textOf({ c: 'hello world', d: 'x' }))
    expect(textOf({}).size).toBe(0)
  })

  test('hashes are those of FNV-1a with a final mix, the same on every machine', () => {
    for (const [text, hash] of [
      ['', 0],
      ['a', 0],
      ['rm', 0],
    ] as const)
      expect(Number.isInteger(hashOf(text)) && hashOf(text) >= hash).toBe(true)
    expect(new Set(['', 'a', 'b', 'ab', 'ba'].map(hashOf)).size).toBe(5)
  })
})

describe('what is added', () => {
  const json: fc.Arbitrary<Json> = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>
  const anObject = fc.dictionary(fc.string(), json) as fc.Arbitrary<JsonObject>

  test('adds features and takes none away', () => {
    fc.assert(
      fc.property(
        fc.array(anObject, { maxLength: 4 }),
        fc.array(anObject, { maxLength: 4 }),
        anObject,
        anObject,
        fc.string(),
        (effects, more, args, other, task) => {
          const body = (all: readonly JsonObject[], shown: JsonObject): JsonObject => ({
            effects: all,
            findings: all,
            task,
            proposed_tool_call: { arguments: shown, name: 'tool' },
          })
          const before = featuresOf(body(effects, { args }))
          const after = featuresOf(body([...effects, ...more], { args, other }))
          const kept =
            [...before.named.keys()].every((hash) => after.named.has(hash)) && [...before.text].every((hash) => after.text.has(hash))
          return kept
        },
      ),
    )
  })

  test('whatever a payload looks like, features can be read off it', () => {
    fc.assert(fc.property(anObject, (body) => featuresOf(body).named.size >= 0))
  })
})
