import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { proves } from '../../test/proves.ts'
import type { ToolCall } from './call.ts'
import { canonicalJson } from './canonical.ts'
import { createDigester } from './digest.ts'
import type { Json, JsonObject } from './json.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const digester = createDigester(sha256)

const BASE: ToolCall = {
  tool: { server: null, name: 'Bash', definition: null },
  args: { command: 'ls', flags: ['-l', null], nested: { deep: 1 } },
  principal: { agent: 'a', role: 'r', user: 'u', tenant: 't', chain: ['human:u'] },
  session: 's',
  cwd: '/repo',
  context: { task: null, recent: [] },
  definition: null,
  approval: null,
  callId: null,
}

describe('canonical JSON', () => {
  for (const [value, expected] of [
    [null, 'null'],
    [{ b: 1, a: 2 }, '{"a":2,"b":1}'],
    [
      { '\u20ac': 1, '\r': 2, '\ufb33': 3, '1': 4, '\u{1f600}': 5, '\u0080': 6, ö: 7 },
      '{"\\r":2,"1":4,"\u0080":6,"ö":7,"€":1,"😀":5,"\ufb33":3}',
    ],
    [[56, 1e21, 1e-7, 4.5, 333333333.3333333, 1e30, 0.000001, -0], '[56,1e+21,1e-7,4.5,333333333.3333333,1e+30,0.000001,0]'],
    ['\u20ac$\u000f\nA\'B"\\"/', '"€$\\u000f\\nA\'B\\"\\\\\\"/"'],
    [{ toJSON: 'x', constructor: 1 }, '{"constructor":1,"toJSON":"x"}'],
  ] as const) {
    test(`${expected} as RFC 8785 writes it`, () => expect(canonicalJson(value as Json)).toBe(expected))
  }

  test('is the same for objects without a prototype', () => {
    const bare = Object.assign(Object.create(null), { b: [1], a: 'x' }) as JsonObject
    expect(canonicalJson(bare)).toBe('{"a":"x","b":[1]}')
  })

  for (const [name, value] of [
    ['undefined', undefined],
    ['a function', () => 1],
    ['NaN', Number.NaN],
    ['Infinity', [Number.POSITIVE_INFINITY]],
    ['half a surrogate pair', { a: '\ud800' }],
    ['a bigint', 1n],
  ] as const) {
    test(`${name} has none`, () => expect(() => canonicalJson(value as never)).toThrow(TypeError))
  }

  test('a cycle has none', () => {
    const cycle: { self?: unknown } = {}
    cycle.self = cycle
    expect(() => canonicalJson(cycle as never)).toThrow(TypeError)
  })

  test('parses back to the same value, and is a fixed point', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value as Json)
        expect(canonicalJson(JSON.parse(text) as Json)).toBe(text)
      }),
      { numRuns: 500, seed: 1 },
    )
  })
})

describe('canonical JSON written in one pass is what the library writes', () => {
  const deep = (levels: number): Json => (levels === 0 ? 'x' : [deep(levels - 1)])
  for (const [name, value] of [
    ['the empty string', ''],
    ['control characters', '\0\b\t\n\f\r\u001f\u007f\u0080'],
    ['quotes and backslashes', '"\\/\''],
    ['line separators', '\u2028\u2029'],
    ['a pair of surrogates', 'a😀b'],
    ['the last code units', '\ufdd0\ufffe\uffff'],
    ['an empty array', []],
    ['an empty object', {}],
    ['empty keys', { '': { '': '' } }],
    ['keys that need escapes', { '"': 1, '\n': 2, '\\': 3 }],
    ['keys like numbers', { 10: 'a', 9: 'b', '-1': 'c', '01': 'd' }],
    ['keys beyond ASCII', { é: 1, z: 2, '😀': 3, '\uffff': 4 }],
    ['keys of the prototype', JSON.parse('{"__proto__":1,"constructor":2,"hasOwnProperty":3,"toString":4}')],
    ['a member called toJSON', { toJSON: 'x', a: 1 }],
    ['numbers', [0, -0, 1, -1, 0.1, 1e21, 1e-7, 5e-324, 1.7976931348623157e308, 9007199254740992]],
    ['literals', [true, false, null]],
    ['64 levels', deep(64)],
    ['65 levels', deep(65)],
    ['200 levels', deep(200)],
    ['a date, by its own toJSON', new Date(0)],
    ['a function beside a member', { a: 1, b: { toJSON: () => 2 } }],
  ] as const) {
    test(name, () => expect(canonicalJson(value as Json)).toBe(canonicalize(value)))
  }

  test('objects that begin with the same key and differ in others, in any order, again and again', () => {
    const names = ['c', 'a', 'b', '', '1', '"', 'é', '__proto__', 'x'.repeat(40), ...Array.from({ length: 40 }, (_, i) => `k${i}`)]
    const key = fc.constantFrom(...names)
    const members = fc
      .uniqueArray(key, { maxLength: 45 })
      .map((keys) => `{"first":0${keys.map((k) => `,${JSON.stringify(k)}:1`).join('')}}`)
    fc.assert(
      fc.property(members, (text) => {
        const value = JSON.parse(text) as Json
        const reversed = JSON.parse(
          `{${Object.entries(JSON.parse(text) as object)
            .toReversed()
            .map(([k, v]) => `${JSON.stringify(k)}:${v}`)}}`,
        ) as Json
        for (const each of [value, reversed, value]) expect(canonicalJson(each)).toBe(canonicalize(value))
      }),
      { numRuns: 2_000, seed: 65 },
    )
  })

  test('more shapes than are kept, and then the first ones again', () => {
    const shapes = Array.from({ length: 1_500 }, (_, i) => ({ [`z${i}`]: 1, a: { [`y${i}`]: 2, b: 3 } }))
    for (const value of [...shapes, ...shapes]) expect(canonicalJson(value)).toBe(canonicalize(value))
  })

  test('for any value, whatever is in its strings', () => {
    const text = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.constantFrom('\ud83d', '\u2028', '"', '\\', '\n', 'é', '\uffff'))
    const json = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 5 },
        text,
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.constant(null),
        tie('list'),
        tie('map'),
      ),
      list: fc.array(tie('value'), { maxLength: 4 }),
      map: fc.dictionary(text, tie('value'), { maxKeys: 4 }),
    })).value
    const outcome = (write: () => string | undefined) => {
      try {
        return write()
      } catch {
        return 'refused'
      }
    }
    fc.assert(
      fc.property(json, (value) => {
        expect(outcome(() => canonicalJson(value as Json))).toBe(outcome(() => canonicalize(value)))
      }),
      { numRuns: 2_000, seed: 64 },
    )
  })
})

describe('a call digest', () => {
  test('is SHA-256 over one canonical frame', () => {
    const frame =
      '["countersign/call/v1",[null,"Bash",null],[{"command":"ls","flags":["-l",null],"nested":{"deep":1}}],["a","r","u","t",["human:u"]],"s","/repo"]'
    expect(digester.callDigest(BASE)).toBe(`sha256:${sha256(frame)}`)
  })

  test('does not depend on the order of keys, nor on context, approval and call id', () => {
    const same: readonly ToolCall[] = [
      { ...BASE, args: { nested: { deep: 1 }, flags: ['-l', null], command: 'ls' } },
      { ...BASE, approval: 'apr_1' },
      { ...BASE, callId: 'toolu_2' },
      { ...BASE, context: { task: 'x', recent: [1] } },
    ]
    for (const call of same) expect(digester.callDigest(call)).toBe(digester.callDigest(BASE))
  })

  proves('P6', 'every part of a call that decides what it does changes the digest', () => {
    const { tool, principal } = BASE
    const changed: readonly ToolCall[] = [
      BASE,
      { ...BASE, tool: { ...tool, name: 'bash' } },
      { ...BASE, tool: { ...tool, server: 'Bash' } },
      { ...BASE, tool: { ...tool, server: '' } },
      { ...BASE, tool: { ...tool, definition: 'sha256:0' } },
      { ...BASE, args: {} },
      { ...BASE, args: { ...BASE.args, command: 'ls ' } },
      { ...BASE, args: { ...BASE.args, command: ['ls'] } },
      { ...BASE, args: { ...BASE.args, flags: ['-l', 'null'] } },
      { ...BASE, args: { ...BASE.args, flags: ['-l'] } },
      { ...BASE, args: { ...BASE.args, nested: { deep: '1' } } },
      { ...BASE, args: { ...BASE.args, extra: null } },
      { ...BASE, principal: { ...principal, agent: null } },
      { ...BASE, principal: { ...principal, role: 'u', user: 'r' } },
      { ...BASE, principal: { ...principal, tenant: 'T' } },
      { ...BASE, principal: { ...principal, chain: [] } },
      { ...BASE, principal: { ...principal, chain: ['human:u', 'human:v'] } },
      { ...BASE, session: null },
      { ...BASE, session: '/repo', cwd: 's' },
      { ...BASE, cwd: '/repo/' },
      { ...BASE, cwd: null },
    ]
    expect(new Set(changed.map(digester.callDigest)).size).toBe(changed.length)
  })

  proves('PIT-10', 'null, empty and missing arguments are three calls', () => {
    const variants = [{}, null, undefined, [], '', { a: null }, [null], 'null', '{}']
    const digests = variants.map((args) => digester.callDigest({ ...BASE, args: args as never }))
    expect(new Set(digests).size).toBe(variants.length)
    expect(new Set(variants.map((value) => digester.digest('d', value as Json))).size).toBe(variants.length)
  })

  proves('P6', 'calls share a digest exactly when they are the same call', () => {
    const text = fc.oneof(fc.constant(null), fc.constantFrom('', 'a', 'b', 'ab', '"', ',', '["a"]'))
    const call = fc
      .tuple(
        text,
        text,
        fc.dictionary(fc.constantFrom('a', 'b', ''), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 2 }),
        text,
        text,
        fc.array(fc.constantFrom('a', 'b', 'a","b'), { maxLength: 2 }),
      )
      .map(
        ([server, definition, args, session, cwd, chain]): ToolCall => ({
          ...BASE,
          tool: { server, name: 'n', definition },
          args: args as JsonObject,
          session,
          cwd,
          principal: { ...BASE.principal, chain },
        }),
      )
    const plain = (value: unknown) => JSON.parse(JSON.stringify(value)) as unknown
    fc.assert(
      fc.property(call, call, (a, b) => {
        const equal = canonicalJson(plain(a) as Json) === canonicalJson(plain(b) as Json)
        expect(digester.callDigest(a) === digester.callDigest(b)).toBe(equal)
      }),
      { numRuns: 3_000, seed: 2 },
    )
  })
})

describe('domains', () => {
  test('keep equal values apart, without concatenation', () => {
    expect(digester.digest('a', 'b')).not.toBe(digester.digest('ab', ''))
    expect(digester.digest('countersign/policy/v1', {})).not.toBe(digester.digest('countersign/plan/v1', {}))
    const definition = { description: null, inputSchema: null, annotations: null }
    expect(digester.definitionDigest(definition)).not.toBe(digester.digest('countersign/definition/v1', null))
  })

  test('every byte of a definition counts, and description is not schema', () => {
    const all = [
      { description: null, inputSchema: null, annotations: null },
      { description: '', inputSchema: null, annotations: null },
      { description: 'x', inputSchema: null, annotations: null },
      { description: null, inputSchema: {}, annotations: null },
      { description: null, inputSchema: null, annotations: {} },
      { description: null, inputSchema: { a: 1 }, annotations: null },
    ]
    expect(new Set(all.map(digester.definitionDigest)).size).toBe(all.length)
  })
})
