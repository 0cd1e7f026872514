import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { proves } from '../../test/proves.ts'
import { readSessionName, sessionName } from './session-name.ts'

describe('the name of a session', () => {
  for (const [name, owner, expected] of [
    ['s-1', null, 's-1'],
    ['s@1', null, 's@1@local'],
    ['s-1', 'tok_0123456789', 's-1@tok_0123456789'],
    ['s@tok_0', 'tok_1', 's@tok_0@tok_1'],
    ['s-1', 'human:alice@example.com', 's-1@human:alice%40example.com'],
    ['s-1', 'local', 's-1@%6cocal'],
    ['', null, ''],
  ] as const) {
    test(`${JSON.stringify(name)} of ${owner ?? 'the own user'} is ${expected}`, () => {
      expect(sessionName({ name, owner })).toBe(expected)
      expect(readSessionName(expected)).toEqual({ name, owner })
    })
  }

  const names = fc.oneof(fc.string(), fc.stringMatching(/^[ab@%]{0,6}(?:local|tok_1|%40|%25|%6c)?$/))
  const owned = fc.record({ name: names, owner: fc.option(fc.oneof(names, fc.constantFrom('local', 'tok_1', '%6cocal')), { nil: null }) })

  proves(['T64', 'T65'], 'two owners never have the same, whatever they name it', () => {
    fc.assert(
      fc.property(owned, owned, (one, other) => {
        if (one.name !== other.name || one.owner !== other.owner) expect(sessionName(one)).not.toBe(sessionName(other))
      }),
    )
  })

  test('says whose it is', () => {
    fc.assert(
      fc.property(owned, (each) => {
        expect(readSessionName(sessionName(each))).toEqual({ name: each.name, owner: each.owner })
      }),
    )
  })
})
