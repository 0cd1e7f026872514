import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { proves } from '../../test/proves.ts'
import type { Json } from '../core/json.ts'
import { DEFAULT_JSON_LIMITS, type JsonLimits, type Refusal, readJson } from './json.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

function accepted(input: Uint8Array | string, limits?: Partial<JsonLimits>): Json {
  const read = readJson(input, limits)
  if (!read.ok) throw new Error(`refused: ${read.refusal.message}`)
  return read.value
}

function refused(input: Uint8Array | string, limits?: Partial<JsonLimits>): Refusal {
  const read = readJson(input, limits)
  if (read.ok) throw new Error(`accepted: ${JSON.stringify(read.value)}`)
  return read.refusal
}

/** `JSON.parse`, or undefined where it throws. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** As `JSON.parse` gives it, but without the sign of zero, which no serialisation keeps. */
function unsigned(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}

describe('what is accepted', () => {
  for (const text of [
    'null',
    'true',
    ' false ',
    '0',
    '-1',
    '9007199254740991',
    '-9007199254740991',
    '1.5',
    '0.1',
    '1e3',
    '1E+2',
    '1e-7',
    '6.02e23',
    '1e21',
    '0.1234567890123456789',
    '123456789012345678e-4',
    '5e-324',
    '""',
    '"plain"',
    '"\\"\\\\\\/\\b\\f\\n\\r\\t"',
    '"\\u0041\\u00e9\\ud83d\\ude00"',
    '"😀 ünïcode \u2028 \u007f"',
    '[]',
    '[ ]',
    '[1,[2,[3]],{}]',
    '{}',
    '{ "a" : 1 , "b" : [ true , null ] }',
    '\t\r\n{"":{"constructor":1,"toString":2,"hasOwnProperty":3}}\n',
    '{"10":1,"9":2,"b":3,"a":4}',
  ]) {
    test(`${text} reads as JSON.parse reads it`, () => {
      expect(unsigned(accepted(text))).toEqual(JSON.parse(text))
      expect(accepted(bytes(text))).toEqual(accepted(text))
    })
  }

  test('minus zero is zero, as every serialisation would make it', () => {
    for (const text of ['-0', '-0.0', '-0e5', '[-0]']) expect(Object.is([accepted(text)].flat()[0], 0)).toBe(true)
  })

  test('objects have no prototype, so nothing is inherited', () => {
    const value = accepted('{"a":{"b":{}}}') as { a: { b: object } }
    for (const object of [value, value.a, value.a.b]) expect(Object.getPrototypeOf(object)).toBe(null)
  })
})

const FAULTS: readonly (readonly [input: string, code: string, pointer: string, offset: number])[] = [
  ['', 'ingress.empty', '', 0],
  [' \n\t ', 'ingress.empty', '', 4],
  ['\ufeff{}', 'ingress.bom', '', 0],
  ['{} {}', 'ingress.trailing_data', '', 3],
  ['1 2', 'ingress.trailing_data', '', 2],
  ['{}\0', 'ingress.trailing_data', '', 2],
  ['{"a":1,"a":2}', 'ingress.duplicate_key', '/a', 7],
  ['{"a":1,"\\u0061":2}', 'ingress.duplicate_key', '/a', 7],
  ['{"x":[0,{"k/~":1,"k/~":1}]}', 'ingress.duplicate_key', '/x/1/k~1~0', 17],
  ['{"x":{"constructor":1,"constructor":1}}', 'ingress.duplicate_key', '/x/constructor', 22],
  ['{"__proto__":{"isAdmin":true}}', 'ingress.prototype_key', '/__proto__', 1],
  ['{"a":{"\\u005f_proto__":1}}', 'ingress.prototype_key', '/a/__proto__', 6],
  ['9007199254740992', 'ingress.unsafe_number', '', 0],
  ['9007199254740993', 'ingress.unsafe_number', '', 0],
  ['{"n":-9007199254740993}', 'ingress.unsafe_number', '/n', 5],
  ['9007199254740993.0', 'ingress.unsafe_number', '', 0],
  ['9007199254740991.5', 'ingress.unsafe_number', '', 0],
  ['9007199254740993e0', 'ingress.unsafe_number', '', 0],
  ['123456789012345678901234567890', 'ingress.unsafe_number', '', 0],
  ['1e-400', 'ingress.unsafe_number', '', 0],
  ['1e400', 'ingress.non_finite', '', 0],
  ['[1,-1e999]', 'ingress.non_finite', '/1', 3],
  [`[${'9'.repeat(400)}]`, 'ingress.non_finite', '/0', 1],
  ['"\\ud800"', 'ingress.lone_surrogate', '', 1],
  ['"\\udc00"', 'ingress.lone_surrogate', '', 1],
  ['"\\ud800\\ud800"', 'ingress.lone_surrogate', '', 1],
  ['"\\ud800x"', 'ingress.lone_surrogate', '', 1],
  ['["\\ude00\\ud83d"]', 'ingress.lone_surrogate', '/0', 2],
  ['{"\\ud800":1}', 'ingress.lone_surrogate', '', 2],
  ['"\ud800"', 'ingress.lone_surrogate', '', 1],
  ['{', 'ingress.syntax', '', 1],
  ['{"a"', 'ingress.syntax', '', 4],
  ['{"a":', 'ingress.syntax', '/a', 5],
  ['{"a":1', 'ingress.syntax', '', 6],
  ['{"a":1,}', 'ingress.syntax', '', 7],
  ['{a:1}', 'ingress.syntax', '', 1],
  ["{'a':1}", 'ingress.syntax', '', 1],
  ['[1,]', 'ingress.syntax', '/1', 3],
  ['[1 2]', 'ingress.syntax', '', 3],
  ['[1}', 'ingress.syntax', '', 2],
  [']', 'ingress.syntax', '', 0],
  ['tru', 'ingress.syntax', '', 0],
  ['NaN', 'ingress.syntax', '', 0],
  ['Infinity', 'ingress.syntax', '', 0],
  ['-', 'ingress.syntax', '', 0],
  ['-Infinity', 'ingress.syntax', '', 0],
  ['+1', 'ingress.syntax', '', 0],
  ['.5', 'ingress.syntax', '', 0],
  ['01', 'ingress.trailing_data', '', 1],
  ['[01]', 'ingress.syntax', '', 2],
  ['[1.]', 'ingress.syntax', '', 2],
  ['[1e]', 'ingress.syntax', '', 2],
  ['"a', 'ingress.syntax', '', 2],
  ['"a\nb"', 'ingress.syntax', '', 2],
  ['"\u0000"', 'ingress.syntax', '', 1],
  ['"\\x41"', 'ingress.syntax', '', 1],
  ['"\\u12"', 'ingress.syntax', '', 1],
  ['"\\', 'ingress.syntax', '', 1],
  ['/* c */ 1', 'ingress.syntax', '', 0],
  ['\u00a01', 'ingress.syntax', '', 0],
]

describe('what is refused', () => {
  for (const [input, code, pointer, offset] of FAULTS) {
    const name = JSON.stringify(input.length > 40 ? `${input.slice(0, 40)}...` : input)
    test(`${name} is ${code} at ${offset}`, () => {
      const refusal = refused(input)
      expect(refusal).toMatchObject({ code, pointer, offset })
      expect(refusal.help).not.toBe('')
      if (!/\p{Surrogate}/u.test(input)) expect(refused(bytes(input))).toEqual(refusal)
    })
  }

  test('line and column count from one', () => {
    expect(refused('{\n  "a": 1,\n  "b": x\n}')).toMatchObject({ line: 3, column: 8, pointer: '/b' })
    expect(refused('x')).toMatchObject({ line: 1, column: 1 })
  })

  for (const [name, input, offset] of [
    ['a stray continuation byte', [0x22, 0x80, 0x22], 1],
    ['an overlong slash', [0x22, 0xc0, 0xaf, 0x22], 1],
    ['an encoded surrogate', [0x22, 0x41, 0xed, 0xa0, 0x80, 0x22], 2],
    ['a point beyond U+10FFFF', [0x22, 0xf4, 0x90, 0x80, 0x80, 0x22], 1],
    ['a cut sequence', [0x22, 0xe2, 0x82], 1],
    ['a cut sequence before ASCII', [0x22, 0xef, 0xbf, 0x41, 0x22], 1],
    ['a bad byte after a real U+FFFD', [0x22, 0xef, 0xbf, 0xbd, 0xff, 0x22], 2],
    ['UTF-16', [0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00], 0],
  ] as const) {
    test(`${name} is no UTF-8`, () => {
      expect(refused(Uint8Array.from(input))).toMatchObject({ code: 'ingress.utf8', offset })
    })
  }
})

describe('limits', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

  proves('T04', 'each limit holds exactly, with a code of its own', () => {
    const cases: readonly (readonly [string, string, string, Partial<JsonLimits>])[] = [
      ['ingress.too_large', '"12345678"', '"123456789"', { maxBytes: 10 }],
      ['ingress.too_large', '"üüüü"', '"üüüüü"', { maxBytes: 10 }],
      ['ingress.too_deep', nested(64), nested(65), {}],
      ['ingress.too_deep', '{"a":{"b":1}}', '{"a":{"b":{}}}', { maxDepth: 2 }],
      ['ingress.too_many_keys', '{"a":1,"b":2}', '{"a":1,"b":2,"c":3}', { maxKeys: 2 }],
      ['ingress.long_string', '"abc"', '"abcd"', { maxString: 3 }],
      ['ingress.long_string', '{"abc":1}', '{"abcd":1}', { maxString: 3 }],
    ]
    for (const [code, within, beyond, limits] of cases) {
      expect(readJson(within, limits).ok).toBe(true)
      expect(readJson(bytes(within), limits).ok).toBe(true)
      expect(refused(beyond, limits).code).toBe(code)
      expect(refused(bytes(beyond), limits).code).toBe(code)
    }
  })

  proves(['T04', 'FUL-16'], 'hostile size and depth are refused without a stack overflow, with defaults', () => {
    const limits = { maxBytes: 64 * 1_048_576 }
    expect(refused('x'.repeat(10 * 1_048_576 + 1)).code).toBe('ingress.too_large')
    expect(refused(nested(5_000_000), limits).code).toBe('ingress.too_deep')
    expect(refused('{"a":'.repeat(1_000_000), limits).code).toBe('ingress.too_deep')
    expect(refused(`{${Array.from({ length: 10_001 }, (_, i) => `"${i}":0`).join(',')}}`).code).toBe('ingress.too_many_keys')
    expect(refused(`"${'x'.repeat(1_048_577)}"`, limits).code).toBe('ingress.long_string')
    expect(readJson(`"${'x'.repeat(1_048_574)}"`).ok).toBe(true)
    expect(readJson(nested(512), { maxDepth: 512 }).ok).toBe(true)
  })

  test('a limit that would be none is an error of the caller', () => {
    for (const limits of [{ maxDepth: Number.NaN }, { maxBytes: 0 }, { maxKeys: -1 }, { maxString: 1.5 }, { maxDepth: 513 }]) {
      expect(() => readJson('1', limits)).toThrow(RangeError)
    }
    expect(DEFAULT_JSON_LIMITS).toEqual({ maxBytes: 1_048_576, maxDepth: 64, maxKeys: 10_000, maxString: 1_048_576 })
  })
})

/** JSON text that is nearly right: real documents, with characters taken out, put in and swapped. */
const FRAGMENTS = [
  '{',
  '}',
  '[',
  ']',
  ':',
  ',',
  '"',
  '\\',
  '\\u',
  'd83d',
  '\\ude00',
  '-',
  '0',
  '1',
  '.',
  'e',
  '9007199254740993',
  ' ',
  'true',
  'nul',
  '"a"',
  '__proto__',
  '\u0000',
  '\ud83d',
  'ü',
]
const nearJson = fc.oneof(
  fc.array(fc.constantFrom(...FRAGMENTS), { maxLength: 24 }).map((parts) => parts.join('')),
  fc.tuple(fc.json(), fc.nat(), fc.nat(3), fc.constantFrom('', ...FRAGMENTS)).map(([text, at, cut, put]) => {
    const i = at % (text.length + 1)
    return text.slice(0, i) + put + text.slice(i + cut)
  }),
)

describe('against JSON.parse', () => {
  proves('T03', 'whatever JSON.parse refuses is refused, whatever is accepted means the same, and the rest is refused for a reason', () => {
    const strict = ['duplicate_key', 'prototype_key', 'unsafe_number', 'non_finite', 'lone_surrogate'].map((name) => `ingress.${name}`)
    const tally = { same: 0, stricter: 0, neither: 0 }
    fc.assert(
      fc.property(nearJson, (text) => {
        const read = readJson(text)
        const peer = parsed(text)
        if (read.ok) {
          expect(peer).not.toBe(undefined)
          expect(unsigned(read.value)).toEqual(unsigned(peer))
          tally.same++
        } else if (peer === undefined) tally.neither++
        else {
          expect(strict).toContain(read.refusal.code)
          tally.stricter++
        }
      }),
      { numRuns: 20_000, seed: 3 },
    )
    for (const count of Object.values(tally)) expect(count).toBeGreaterThan(50)
  })

  proves('T03', 'documents of JSON.stringify are accepted, and our serialisation reads the same again', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8, noUnicodeString: false }), (value) => {
        const text = JSON.stringify(value)
        const read = readJson(text)
        if (!read.ok) {
          const known = ['ingress.prototype_key', 'ingress.unsafe_number', 'ingress.lone_surrogate']
          expect(known.includes(read.refusal.code)).toBe(true)
          return
        }
        expect(unsigned(read.value)).toEqual(unsigned(value))
        expect(accepted(JSON.stringify(read.value))).toEqual(read.value)
      }),
      { numRuns: 3_000, seed: 4 },
    )
  })

  proves('T03', 'what readers of JSON understand differently is refused, not repaired', () => {
    const vectors: readonly (readonly [string, string])[] = [
      ['{"command":"ls","command":"rm -rf /"}', 'ingress.duplicate_key'],
      ['{"amount":9007199254740993}', 'ingress.unsafe_number'],
      ['{"amount":1e400}', 'ingress.non_finite'],
      ['{"path":"\\ud800"}', 'ingress.lone_surrogate'],
      ['{"a":1}{"a":2}', 'ingress.trailing_data'],
    ]
    for (const [text, code] of vectors) expect(refused(text).code).toBe(code)
  })

  test('random bytes never throw', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (input) => {
        const read = readJson(input)
        expect(read.ok || read.refusal.code.startsWith('ingress.')).toBe(true)
      }),
      { numRuns: 5_000, seed: 5 },
    )
  })
})

describe('magic names', () => {
  proves('T06', 'an own `__proto__` is refused and other magic keys are plain data', () => {
    expect(refused('{"__proto__":null}').code).toBe('ingress.prototype_key')
    const value = accepted('{"constructor":{"prototype":{"isAdmin":true}},"valueOf":1,"hasOwnProperty":2}')
    expect(Object.keys(value as object)).toEqual(['constructor', 'valueOf', 'hasOwnProperty'])
    expect(Reflect.get({}, 'isAdmin')).toBe(undefined)
    expect(Object.assign({}, value)).not.toHaveProperty('isAdmin')
  })
})

describe('messages', () => {
  proves('T61', 'a refusal quotes input as printable ASCII on one line, whatever it holds', () => {
    const hostile = ['\n', '\r\n', '\u2028', '\u001b[2J', '\u0007', '\u202e', '\u0085', '`', '\u{e0041}', '"', '\\', 'ü']
    for (const piece of hostile) {
      const key = JSON.stringify(`k${piece}`)
      for (const text of [`{${key}:1,${key}:2}`, `{${key}: }`, piece, `{"a":1}${piece}x`, `{${key}:${'9'.repeat(30)}}`]) {
        const read = readJson(text)
        if (!read.ok) expect(read.refusal.message).toMatch(/^[\x20-\x7e]{1,400}$/)
      }
    }
    expect(refused(`{"${'k'.repeat(5000)}": }`).message.length).toBeLessThan(400)
  })

  test('say what, where and the way out', () => {
    expect(refused('{"a":1,"a":2}')).toEqual({
      code: 'ingress.duplicate_key',
      pointer: '/a',
      offset: 7,
      line: 1,
      column: 8,
      message: 'the key `a` is there twice at line 1, column 8 (`/a`)',
      help: 'give each key of an object once',
    })
    expect(refused('{"n":9007199254740993}').message).toBe(
      'the number `9007199254740993` is an integer beyond 2^53-1, which readers round differently at line 1, column 6 (`/n`)',
    )
  })
})

describe('long strings are read as short ones are', () => {
  // What stands behind a long beginning: whatever a short string says there, the long one says, too.
  const TAILS: readonly string[] = [
    '',
    'plain',
    'a \\"quoted\\" word',
    '\\\\',
    '\\\\\\\\',
    '\\\\\\"',
    'a\\nb\\tc\\rd\\/e\\\\f\\bg\\fh',
    '\\u0041',
    '\\\\u0041',
    '\\ud83d\\ude00',
    '\\ud83d',
    '\\ude00\\ud83d',
    '😀 ünïcode \u2028 \u007f',
    '\\x41',
    '\\u12g4',
    '\\',
    'a\nb',
    'a\u0000b',
    'a\u001fb',
    '\\n\u0001',
    '\\"',
  ]
  const lengths = [100, 120, 121, 122, 123, 124, 125, 126, 127, 128, 129, 130, 131, 140, 300, 70_000]
  for (const tail of TAILS)
    test(JSON.stringify(tail), () => {
      const short = readJson(`["${tail}",1]`)
      for (const begin of ['x', 'é', '\\n', '\\"'])
        for (const length of lengths) {
          const pad = begin.repeat(length)
          const long = readJson(`["${pad}${tail}",1]`)
          const said = JSON.parse(`"${pad}"`) as string
          if (short.ok) expect(long).toMatchObject({ ok: true, value: [`${said}${(short.value as string[])[0]}`, 1] })
          else if (long.ok) throw new Error('only the short one is refused')
          else {
            expect(long.refusal.code).toBe(short.refusal.code)
            expect((long.refusal.offset ?? 0) - pad.length).toBe(short.refusal.offset)
            expect(long.refusal.message.replace(/\d+/g, '')).toBe(short.refusal.message.replace(/\d+/g, ''))
          }
        }
    })

  test('one that does not end, and one over the limit, are refused as before', () => {
    expect(refused(`["${'x'.repeat(500)}`).code).toBe('ingress.syntax')
    expect(refused(`["${'x'.repeat(500)}\\`).code).toBe('ingress.syntax')
    expect(refused(`"${'x'.repeat(501)}"`, { maxString: 500 }).code).toBe('ingress.long_string')
    expect(accepted(`"${'\\n'.repeat(500)}"`, { maxString: 500 })).toBe('\n'.repeat(500))
    expect(accepted(bytes(`{"${'k'.repeat(300)}":"${'v'.repeat(300)}"}`))).toEqual({ ['k'.repeat(300)]: 'v'.repeat(300) })
  })

  test('any text comes back as the platform reads it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 100, maxLength: 400 }), (text) => {
        if (!text.isWellFormed()) return
        expect(accepted(JSON.stringify([text]))).toEqual([text])
      }),
    )
  })
})
