import { describe, expect, test } from 'vitest'
import type { Json } from '../../../src/core/json.ts'
import { describedEffects, marksAt } from './effects.ts'

const push = {
  verb: 'publish',
  action: 'git:push',
  target: { kind: 'repository', value: 'origin' },
  reversible: false,
  certainty: 'certain',
  span: { pointer: '/command', start: 0, end: 8 },
}

describe('effects in words', () => {
  for (const [json, words] of [
    [push, 'pushes to `origin` [git:push], cannot be undone'],
    [{ ...push, reversible: true }, 'pushes to `origin` [git:push]'],
    [{ ...push, certainty: 'likely' }, 'pushes to `origin` [git:push], likely, cannot be undone'],
    [{ ...push, certainty: 'no word for it' }, 'pushes to `origin` [git:push], possible, cannot be undone'],
    [{ ...push, attributes: { force: true } }, 'pushes to `origin` [git:push], by force, cannot be undone'],
    [
      { verb: 'read', action: null, target: { kind: 'path', value: 'a', real: '/b' }, reversible: true, certainty: 'certain' },
      'reads `a` (really `/b`)',
    ],
    [
      {
        verb: 'delete',
        action: null,
        target: { kind: 'path', value: '/', classes: ['filesystem-root'], scope: 'system' },
        reversible: false,
        certainty: 'certain',
      },
      'deletes `/`, the whole machine, cannot be undone',
    ],
    [
      {
        verb: 'opaque',
        action: null,
        target: { kind: 'unknown', value: '' },
        reason: 'it is encrypted',
        reversible: false,
        certainty: 'possible',
      },
      'cannot be told: it is encrypted',
    ],
    ['no effect', '"no effect"'],
    [{ verb: 1 }, '{"verb":1}'],
    [{ verb: 'read' }, '{"verb":"read"}'],
    [null, 'null'],
  ] as const) {
    test(`${JSON.stringify(json).slice(0, 70)}: ${words}`, () => expect(describedEffects([json as Json], '/w')[0]?.words).toBe(words))
  }

  for (const [json, irreversible] of [
    [push, true],
    [{ ...push, reversible: true }, false],
    ['no effect', true],
    [{ ...push, verb: 'opaque' }, false],
  ] as const) {
    test(`${JSON.stringify(json).slice(0, 50)} is ${irreversible ? 'for good' : 'no more than it says'}`, () =>
      expect(describedEffects([json as Json], '/w')[0]?.irreversible).toBe(irreversible))
  }
})

describe('marks of effects', () => {
  const effects = describedEffects([push as Json], null)
  for (const [pointer, text, expected] of [
    ['/command', 'git push origin', [{ id: 0, start: 0, end: 8 }]],
    ['/other', 'git push origin', []],
    ['/command', 'git', []],
    ['/command', 'git push [redacted github-token]', []],
  ] as const) {
    test(`${pointer} of ${JSON.stringify(text)}`, () => {
      expect(marksAt(pointer, text, effects).map(({ id, start, end }) => ({ id, start, end }))).toEqual(expected)
    })
  }

  for (const span of [
    null,
    'x',
    { pointer: 1, start: 0, end: 1 },
    { pointer: '/command', start: '0', end: 1 },
    { pointer: '/command', start: 3, end: 3 },
  ]) {
    test(`the span ${JSON.stringify(span)} marks nothing`, () => {
      expect(marksAt('/command', 'git push', describedEffects([{ ...push, span } as Json], null))).toEqual([])
    })
  }
})
