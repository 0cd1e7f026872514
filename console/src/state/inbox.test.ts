import { beforeEach, describe, expect, test } from 'vitest'
import type { Approval, ApprovalList } from '../api/types.ts'
import { cursor, grouped, inbox, listed, needle, step, unfolded } from './inbox.ts'

function list(...entries: readonly (readonly [id: string, group: string | null])[]): ApprovalList {
  return {
    approvals: entries.map(([id, group]) => ({ id, group, principal: null, sheet: { call: {} } }) as unknown as Approval),
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

const alike = (count: number) => Array.from({ length: count }, (_, index) => [`a${index}`, 'g'] as const)

describe('what the list shows', () => {
  for (const [title, given, open, expected] of [
    ['four alike', list(...alike(4)), [], ['a0 a1 a2 a3']],
    ['five alike, folded', list(...alike(5)), [], ['a0 a1 a2']],
    ['five alike, unfolded', list(...alike(5)), ['g'], ['a0 a1 a2 a3 a4']],
    ['another unfolded', list(...alike(5)), ['h'], ['a0 a1 a2']],
    ['fifty alike hide no single one', list(...alike(50), ['x', null]), [], ['a0 a1 a2', 'x']],
  ] as const) {
    test(title, () => {
      const groups = listed(given, '', new Set(open))
      expect(groups.map(({ shown }) => shown.map(({ id }) => id).join(' '))).toEqual(expected)
      expect(groups.flatMap(({ approvals }) => approvals)).toHaveLength(given.approvals.length)
    })
  }

  const full = {
    id: 'a',
    tool: 'Bash',
    server: 'Linear',
    session: 's-17',
    group: null,
    principal: { agent: 'claude-code', user: 'alice', role: 'coder' },
    sheet: { call: { args: { command: 'npm Publish' } } },
  } as unknown as Approval

  for (const [looking, found] of [
    ['', true],
    ['  ', true],
    ['bash', true],
    ['BASH', true],
    ['linear', true],
    ['s-17', true],
    ['claude', true],
    ['alice', true],
    ['coder', true],
    ['publish', true],
    ['npm publish', true],
    ['publish npm', false],
    ['nothing of it', false],
  ] as const) {
    test(`looking for ${JSON.stringify(looking)} ${found ? 'finds it' : 'finds nothing'}`, () => {
      expect(listed({ approvals: [full], groups: [], more: false }, looking, new Set()).length).toBe(found ? 1 : 0)
    })
  }

  test('nobody named, nothing said: nothing to find, and nothing breaks', () => {
    const bare = { ...full, principal: null, session: null, server: null, tool: null } as unknown as Approval
    expect(listed({ approvals: [bare], groups: [], more: false }, 'alice', new Set())).toEqual([])
  })
})

describe('the cursor', () => {
  beforeEach(() => {
    inbox.value = list(['a', 'g'], ['x', null], ['b', 'g'])
    cursor.value = null
    needle.value = ''
    unfolded.value = new Set()
  })

  test('passes over what is folded', () => {
    inbox.value = list(...alike(6), ['x', null])
    for (const at of ['a0', 'a1', 'a2', 'x', 'x']) expect(step(1)?.id).toBe(at)
    unfolded.value = new Set(['g'])
    for (const at of ['a5', 'a4']) expect(step(-1)?.id).toBe(at)
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
