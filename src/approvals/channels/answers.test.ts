import { describe, expect, test } from 'vitest'
import { proves } from '../../../test/proves.ts'
import type { Json } from '../../core/json.ts'
import { policy } from '../../policy/testing/compiled.ts'
import { readAnswer, readObject } from './answers.ts'

const [CHANNEL] = policy(
  'approvals: { channels: [{ name: ops, type: webhook, url: "https://x.example", secrets: ["env:A"], approvers: { alice@ops: alice } }] }',
).approvals.channels
if (CHANNEL === undefined) throw new Error('no channel')
const channel = CHANNEL

const GOOD = { approval: 'apr_1', digest: 'd', approved: true, by: 'alice@ops' }
const read = (data: Json) => {
  const reply = readAnswer(data, 'msg_1', channel)
  return reply.ok ? reply.answer : reply.refusal.code
}

describe('an answer', () => {
  test('of a known person is theirs by the name of the policy', () => {
    expect(read({ ...GOOD, comment: 'fine' })).toEqual({
      id: 'msg_1',
      approval: 'apr_1',
      digest: 'd',
      verdict: 'approve',
      by: 'human:alice',
      comment: 'fine',
    })
    expect(read({ ...GOOD, approved: false })).toMatchObject({ verdict: 'deny', comment: '' })
  })

  for (const approved of ['false', 'true', 'yes', 1, 0, null, [], {}, ['true'], [true]] as readonly Json[]) {
    proves('PRO-W2', `\`approved: ${JSON.stringify(approved)}\` is no answer`, () =>
      expect(read({ ...GOOD, approved })).toBe('approval.malformed'),
    )
  }

  const cases: readonly (readonly [title: string, data: Json, code: string])[] = [
    ['nothing', null, 'approval.malformed'],
    ['a list', [GOOD], 'approval.malformed'],
    ['a text', 'true', 'approval.malformed'],
    ['no verdict', { approval: 'apr_1', digest: 'd', by: 'alice@ops' }, 'approval.malformed'],
    ['no approval', { ...GOOD, approval: null }, 'approval.malformed'],
    ['no digest', { ...GOOD, digest: null }, 'approval.malformed'],
    ['a number for a digest', { ...GOOD, digest: 1 }, 'approval.malformed'],
    ['nobody', { ...GOOD, by: null }, 'approval.malformed'],
    ['a comment that is no text', { ...GOOD, comment: 1 }, 'approval.malformed'],
    ['a field that nobody knows', { ...GOOD, scope: 'session' }, 'approval.malformed'],
    ['two verdicts', { ...GOOD, verdict: 'deny' }, 'approval.malformed'],
    ['a broken glass', { ...GOOD, break_glass: true }, 'approval.malformed'],
    ['a stranger', { ...GOOD, by: 'mallory' }, 'approval.not_approver'],
    ['the name of the policy instead of the channel', { ...GOOD, by: 'human:alice' }, 'approval.not_approver'],
    ['a name of every object', { ...GOOD, by: 'constructor' }, 'approval.not_approver'],
    ['a name in other letters', { ...GOOD, by: 'Alice@ops' }, 'approval.not_approver'],
  ]
  for (const [title, data, code] of cases) test(title, () => expect(read(data)).toBe(code))

  proves('PRO-29d', 'that changes the arguments is refused', () => {
    for (const field of ['modified_arguments', 'arguments'])
      for (const value of [{ command: 'ls' }, null, {}]) expect(read({ ...GOOD, [field]: value })).toBe('approval.modified')
  })

  test('a long comment is cut', () => expect(read({ ...GOOD, comment: 'x'.repeat(5_000) })).toMatchObject({ comment: 'x'.repeat(2_000) }))
})

describe('what is read as an object', () => {
  for (const [text, expected] of [
    ['{"approved":true}', { approved: true }],
    ['{"approved":false,"approved":true}', null],
    ['[]', null],
    ['true', null],
    ['', null],
    ['{"a":1}x', null],
    ['{"a":1e400}', null],
    ['{"__proto__":{}}', null],
    ['\u0000', null],
  ] as const) {
    test(JSON.stringify(text), () => expect(readObject(text)).toEqual(expected))
  }
})
