import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../src/core/json.ts'
import { recordLine } from './record.ts'

describe('a record in one line', () => {
  for (const [title, body, line] of [
    ['a decision', { call: { args: { command: 'ls' } }, decision: {} }, 'ls'],
    ['a result', { call: { args: { file_path: '/a' } }, response: 'x' }, '/a'],
    ['a call without arguments', { call: {} }, '{}'],
    ['a login', { event: 'login', name: 'human:root', role: 'admin' }, 'login human:root as admin'],
    ['a no', { event: 'deny', by: 'human:bob', status: 'denied', reason: 'not now' }, 'deny by human:bob, now denied: not now'],
    ['a yes without a reason', { event: 'approve', by: 'human:bob', reason: '', status: 'approved' }, 'approve by human:bob, now approved'],
    ['broken glass', { event: 'approve', by: 'human:bob', break_glass: true }, 'approve by human:bob (broke the glass)'],
    ['no body of ours', { odd: 1 }, ''],
    ['texts only', { event: 7, by: { toString: 'x' } }, ''],
    ['inherited names', JSON.parse('{"__proto__":{"event":"x"}}'), ''],
  ] as const) {
    test(`${title}: ${line}`, () => expect(recordLine({ body: body as JsonObject })).toBe(line))
  }

  test('no body at all', () => expect(recordLine({})).toBe(''))
})
