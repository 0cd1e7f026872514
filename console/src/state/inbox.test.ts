import { beforeEach, describe, expect, test } from 'vitest'
import type { Approval, ApprovalList } from '../api/types.ts'
import { cursor, grouped, inbox, step } from './inbox.ts'

function list(...entries: readonly (readonly [id: string, group: string | null])[]): ApprovalList {
  return {
    approvals: entries.map(([id, group]) => ({ id, group }) as Approval),
    groups: [{ group: 'g', ids: [], text: '2 × Bash' }],
    more: false,
  }
}

describe('groups of the inbox', () => {
  for (const [title, given, expected] of [
    ['nothing', list(), []],
    ['one', list(['a', null]), ['a']],
    ['one of a group alone', list(['a', 'g']), ['a']],
    ['two alike', list(['a', 'g'], ['b', 'g']), ['2 × Bash: a b']],
    ['two alike around another', list(['a', 'g'], ['x', null], ['b', 'g']), ['2 × Bash: a b', 'x']],
    ['a group without a text', list(['a', 'h'], ['b', 'h']), ['nearly the same call: a b']],
  ] as const) {
    test(title, () => {
      const told = grouped(given).map(
        ({ text, approvals }) => `${text === null ? '' : `${text}: `}${approvals.map(({ id }) => id).join(' ')}`,
      )
      expect(told).toEqual(expected)
    })
  }
})

describe('the cursor', () => {
  beforeEach(() => {
    inbox.value = list(['a', 'g'], ['x', null], ['b', 'g'])
    cursor.value = null
  })

  for (const [steps, at] of [
    [[1], 'a'],
    [[1, 1], 'b'],
    [[1, 1, 1], 'x'],
    [[1, 1, 1, 1], 'x'],
    [[-1], 'x'],
    [[1, -1], 'a'],
    [[1, 1, -1], 'a'],
  ] as const) {
    test(`${steps.join(', ')} leads to ${at}`, () => {
      for (const by of steps) step(by)
      expect(cursor.value).toBe(at)
    })
  }

  test('an empty inbox has none', () => {
    inbox.value = list()
    expect(step(1)).toBeNull()
    expect(cursor.value).toBeNull()
  })
})
