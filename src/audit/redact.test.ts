import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { proves } from '../../test/proves.ts'
import { secretKinds } from '../../test/secret-kinds.ts'
import { isUntouched, redactJson, redactText } from './redact.ts'

const plain = (value: unknown) => JSON.parse(JSON.stringify(value)) as unknown
const redacted = (value: unknown) => {
  const { value: copy, erased } = redactJson(value)
  return { value: plain(copy), erased }
}
const TOKEN = secretKinds().find(({ kind }) => kind === 'npm')?.text ?? ''

describe('masks', () => {
  test('stand where the secret was, and the rest stays', () => {
    expect(redacted({ command: `npm publish --token ${TOKEN} --tag x`, n: 1, ok: true, none: null })).toEqual({
      value: { command: 'npm publish --token [redacted npm-token] --tag x', n: 1, ok: true, none: null },
      erased: ['/command'],
    })
  })

  for (const [name, value, expected, erased] of [
    ['a password', { password: 'hunter2' }, { password: '[redacted named-secret]' }, ['/password']],
    ['a short password', { password: 'x' }, { password: '[redacted named-secret]' }, ['/password']],
    ['a number', { pin: 1234, max_tokens: 5 }, { pin: '[redacted named-secret]', max_tokens: 5 }, ['/pin']],
    ['a boolean', { 'api-key': true }, { 'api-key': '[redacted named-secret]' }, ['/api-key']],
    [
      'a list',
      { secrets: ['a', 1, null] },
      { secrets: ['[redacted named-secret]', '[redacted named-secret]', null] },
      ['/secrets/0', '/secrets/1'],
    ],
    [
      'everything below',
      { credentials: { user: 'u', nested: { value: 'v' } } },
      { credentials: { user: '[redacted named-secret]', nested: { value: '[redacted named-secret]' } } },
      ['/credentials/user', '/credentials/nested/value'],
    ],
    [
      'nothing empty',
      { password: '', token: null, secrets: [], credentials: {} },
      { password: '', token: null, secrets: [], credentials: {} },
      [],
    ],
    ['nothing harmless', { monkey: 'banana12', key: 'x', tokens_used: 12 }, { monkey: 'banana12', key: 'x', tokens_used: 12 }, []],
    ['a bare text', 'PASSWORD=hunter22', 'PASSWORD=[redacted password-value]', ['']],
  ] as const) {
    test(`cover ${name}`, () => expect(redacted(value)).toEqual({ value: expected, erased }))
  }

  test('cover keys, and no pointer repeats what a key held', () => {
    const other = secretKinds(2).find(({ kind }) => kind === 'npm')?.text ?? ''
    const { value, erased } = redacted({ [TOKEN]: { password: 'p' }, [other]: 1, [`a/${TOKEN}`]: 2 })
    expect(value).toEqual({
      '[redacted npm-token]': { password: '[redacted named-secret]' },
      '[redacted npm-token] 2': 1,
      'a/[redacted npm-token]': 2,
    })
    expect(erased).toEqual([
      '/[redacted npm-token]',
      '/[redacted npm-token]/password',
      '/[redacted npm-token] 2',
      '/a~1[redacted npm-token]',
    ])
  })

  test('may carry a keyed digest, so that equal secrets can be seen to be equal', () => {
    const fingerprint = (text: string) => createHmac('sha256', 'key').update(text).digest('hex').slice(0, 12)
    const { value } = redactJson({ a: TOKEN, b: `x ${TOKEN}`, password: TOKEN }, { fingerprint })
    const mask = fingerprint(TOKEN)
    expect(plain(value)).toEqual({
      a: `[redacted npm-token ${mask}]`,
      b: `x [redacted npm-token ${mask}]`,
      password: `[redacted named-secret ${mask}]`,
    })
  })

  test('of a text alone', () => {
    expect(redactText(`a ${TOKEN} b`)).toBe('a [redacted npm-token] b')
    expect(redactText('nothing here')).toBe('nothing here')
  })
})

/** Where a secret may stand in a record. */
const PLACES: readonly ((text: string) => unknown)[] = [
  (text) => text,
  (text) => ({ command: text }),
  (text) => [[[{ a: [text] }]]],
  (text) => ({ [text]: 1 }),
  (text) => ({ a: { [text]: { b: text } } }),
  (text) => ({ message: `before\n${text}\nafter` }),
  (text) => ({ body: `{"x": "y", "z": 1} ${text} ` }),
  (text) => ({ evidence: { span: { pointer: `/args/${text} ` } } }),
]

describe('secrets', () => {
  proves('T60', 'of more than forty kinds, anywhere in a value, leave nothing behind', () => {
    const kinds = secretKinds(5)
    expect(new Set(kinds.map(({ kind }) => kind)).size).toBeGreaterThan(50)
    for (const { kind, text, secret } of kinds) {
      for (const put of PLACES) {
        const { value, erased } = redactJson(put(text))
        const kept = JSON.stringify([value, erased])
        for (const line of secret.split('\n')) expect([kind, kept.includes(line)]).toEqual([kind, false])
        expect(erased.length).toBeGreaterThan(0)
      }
    }
  })

  proves('T60', 'of any kind and seed, among any other text, leave nothing behind, and masking twice changes nothing', () => {
    const kind = fc.tuple(fc.integer({ min: 10, max: 400 }), fc.nat()).map(([seed, index]) => {
      const kinds = secretKinds(seed)
      return kinds[index % kinds.length] ?? { kind: 'none', text: '', secret: '-' }
    })
    const other = fc.stringMatching(/^[a-z0-9 .,:;/_-]{0,20}$/).map((text) => `${text} `)
    fc.assert(
      fc.property(kind, other, other, fc.constantFrom(...PLACES), ({ text, secret }, before, after, put) => {
        const once = redactJson(put(`${before}${text} ${after}`))
        const kept = JSON.stringify(once)
        for (const line of secret.split('\n')) expect([text, kept.includes(line)]).toEqual([text, false])
        const twice = redactJson(once.value)
        expect(plain(twice.value)).toEqual(plain(once.value))
        expect(twice.erased).toEqual([])
      }),
      { numRuns: 1_500, seed: 13 },
    )
  })

  proves(['T60', 'FUL-46'], 'taken apart by hidden characters or written wide are masked before anything is kept', () => {
    const disguises: readonly ((text: string) => string)[] = [
      (text) => [...text].join('\u200b'),
      (text) => [...text].join('\u{e0041}'),
      (text) => [...text].join('\u001b[0m'),
      (text) => `\u202e${[...text].join('\u2060')}\u202c`,
      (text) => [...text].map((c) => (/[!-~]/.test(c) ? String.fromCharCode(c.charCodeAt(0) + 0xfee0) : c)).join(''),
    ]
    for (const { kind, text, secret } of secretKinds(6).filter(({ text: whole, secret: part }) => whole === part)) {
      for (const disguise of disguises) {
        const { value } = redactJson({ text: `see ${disguise(text)} there` })
        const { text: kept } = plain(value) as { text: string }
        expect([
          kind,
          kept
            .replace(/[^!-~\uff01-\uff5e ]/g, '')
            .normalize('NFKC')
            .includes(secret.slice(6)),
        ]).toEqual([kind, false])
        expect(kept).toMatch(/^see .*\[redacted [a-z-]+\].* there$/su)
      }
    }
  })

  proves('FUL-W7', 'are never handed through on an error', () => {
    const hostile: readonly (readonly [string, () => unknown])[] = [
      [
        'a getter that throws',
        () =>
          Object.defineProperty({ a: TOKEN }, 'b', {
            enumerable: true,
            get: () => {
              throw new Error(TOKEN)
            },
          }),
      ],
      [
        'a proxy that throws',
        () =>
          new Proxy(
            { a: TOKEN },
            {
              ownKeys: () => {
                throw new TypeError(TOKEN)
              },
            },
          ),
      ],
      [
        'a cycle',
        () => {
          const cycle: Record<string, unknown> = { token: TOKEN }
          cycle.self = cycle
          return cycle
        },
      ],
      [
        'two cycles',
        () => {
          const a: unknown[] = [TOKEN]
          a.push(a, a)
          return a
        },
      ],
      [
        'a deep value',
        () => {
          let deep: unknown = TOKEN
          for (let i = 0; i < 50_000; i++) deep = [deep]
          return deep
        },
      ],
      ['what is no JSON', () => ({ a: undefined, b: () => TOKEN, c: Symbol(TOKEN), d: 12n, e: Number.NaN, toJSON: () => TOKEN })],
      ['a fingerprint that throws', () => ({ a: TOKEN })],
    ]
    for (const [name, make] of hostile) {
      const fingerprint = () => {
        throw new Error(TOKEN)
      }
      const result = redactJson(make(), name.startsWith('a fingerprint') ? { fingerprint } : {})
      expect([name, JSON.stringify(result).includes(TOKEN)]).toEqual([name, false])
      expect(result.erased.length).toBeGreaterThan(0)
    }
    expect(
      redactText(TOKEN, {
        fingerprint: () => {
          throw new Error('x')
        },
      }),
    ).toBe('[redacted unreadable]')
  })
})

test('values without secrets come back equal, with nothing erased', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
      const { value: copy, erased } = redactJson(value)
      if (erased.length === 0) expect(plain(copy)).toEqual(plain(value))
    }),
    { numRuns: 1_000, seed: 14 },
  )
})

test('the original is not changed', () => {
  const value = Object.freeze({ password: 'hunter2', list: Object.freeze([TOKEN]) })
  redactJson(value)
  expect(value).toEqual({ password: 'hunter2', list: [TOKEN] })
})

proves('T06', 'magic keys are copied as data', () => {
  const value = JSON.parse('{"__proto__":{"isAdmin":true},"constructor":1}') as unknown
  const { value: copy } = redactJson(value)
  expect(JSON.stringify(copy)).toBe('{"__proto__":{"isAdmin":true},"constructor":1}')
  expect(Object.getPrototypeOf(copy)).toBe(null)
})

describe('what redaction leaves as it is can be told without a copy', () => {
  for (const [name, value, untouched] of [
    ['plain JSON', { command: 'git status', n: 1, ok: true, none: null, list: ['a', { b: [] }] }, true],
    ['without a prototype', Object.assign(Object.create(null), { a: 'x' }), true],
    ['nothing under a name that says secret', { password: '', token: null, secrets: [], credentials: {} }, true],
    ['a text that only looks like one', { monkey: 'banana12', key: 'x', tokens_used: 12 }, true],
    ['a secret', { a: [{ b: TOKEN }] }, false],
    ['a secret for a key', { a: { [TOKEN]: 1 } }, false],
    ['a number under a name that says secret', { pin: 1234 }, false],
    ['a boolean under a name that says secret', { 'api-key': true }, false],
    ['a text in a list under such a name', { secrets: ['', 'x'] }, false],
    ['what is no number of JSON', { a: Number.NaN }, false],
    ['undefined', { a: undefined }, false],
    ['a date', { at: new Date(0) }, false],
    ['a map', new Map([['a', TOKEN]]), false],
    ['a function', () => TOKEN, false],
    ['nested too deep', Array.from({ length: 200 }).reduce((inner: unknown) => [inner], 'x'), false],
  ] as const) {
    test(name, () => expect(isUntouched(value)).toBe(untouched))
  }

  test('a cycle and a getter that throws are not', () => {
    const cycle: { self?: unknown } = {}
    cycle.self = cycle
    expect(isUntouched(cycle)).toBe(false)
    const throwing = Object.defineProperty({}, 'a', {
      enumerable: true,
      get: () => {
        throw new Error(TOKEN)
      },
    })
    expect(isUntouched(throwing)).toBe(false)
  })

  test('one member apart, at the top alone', () => {
    expect(isUntouched({ digest: TOKEN, a: 1 }, 'digest')).toBe(true)
    expect(isUntouched({ digest: 'x', a: { digest: TOKEN } }, 'digest')).toBe(false)
  })

  proves('T60', 'of every kind of secret in every place it says no', () => {
    for (const { text } of secretKinds(7)) for (const put of PLACES) expect([text, isUntouched(put(text))]).toEqual([text, false])
  })

  test('of any JSON it says yes only where a copy is equal', () => {
    const name = fc.constantFrom('a', 'password', 'secrets', 'token', 'x', '__proto__')
    const leaf = fc.oneof(fc.string(), fc.constantFrom(TOKEN, '', 'hunter2'), fc.integer(), fc.boolean(), fc.constant(null))
    const { json } = fc.letrec((tie) => ({
      json: fc.oneof({ depthSize: 'small', withCrossShrink: true }, leaf, fc.array(tie('json'), { maxLength: 4 }), tie('object')),
      object: fc
        .array(fc.tuple(name, tie('json')), { maxLength: 4 })
        .map((members) => JSON.parse(`{${members.map(([key, value]) => `"${key}":${JSON.stringify(value)}`).join(',')}}`) as unknown),
    }))
    fc.assert(
      fc.property(json, (value) => {
        const { value: copy, erased } = redactJson(value)
        expect(isUntouched(value)).toBe(erased.length === 0 && JSON.stringify(copy) === JSON.stringify(value))
      }),
      { numRuns: 2_000, seed: 15 },
    )
  })
})
