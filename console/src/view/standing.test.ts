import { describe, expect, test } from 'vitest'
import type { Answer, Approval, Terms } from '../api/types.ts'
import { progress, standingOf } from './standing.ts'

const TERMS: Terms = { quorum: 1, excluded: ['agent:claude-code'], approvers: null, chain: [], break_glass: [] }

function approval(more: Partial<Omit<Approval, 'terms'>> & { readonly terms?: Partial<Terms> } = {}): Approval {
  return { status: 'pending', current_approver: null, answers: [], yes: 0, ...more, terms: { ...TERMS, ...more.terms } } as Approval
}

const said = (by: string, verdict: 'approve' | 'deny' = 'approve'): Answer => ({ by, verdict, reason: '', at: '', break_glass: false })
const alice = { name: 'human:alice', canAnswer: true }

describe('who may answer', () => {
  for (const [title, given, person, objection, mayDeny] of [
    ['anybody', approval(), alice, null, true],
    ['a viewer', approval(), { ...alice, canAnswer: false }, 'You may look, but not answer.', false],
    [
      'the requester',
      approval({ terms: { excluded: ['human:alice'] } }),
      alice,
      'You asked for this call; somebody else has to approve it.',
      true,
    ],
    ['no approver of it', approval({ terms: { approvers: ['human:bob'] } }), alice, 'Only human:bob can approve this call.', true],
    [
      'no approver of it, of several',
      approval({ terms: { approvers: ['human:bob', 'human:carol', 'human:dan'] } }),
      alice,
      'Only human:bob, human:carol or human:dan can approve this call.',
      true,
    ],
    [
      'no approver of it, of many',
      approval({ terms: { approvers: ['a', 'b', 'c', 'd', 'e', 'f'] } }),
      alice,
      'Only a, b, c, d or 2 others can approve this call.',
      true,
    ],
    ['an approver of it', approval({ terms: { approvers: ['human:alice'] } }), alice, null, true],
    ['who agreed already', approval({ answers: [said('human:alice')] }), alice, 'You have agreed; others have to agree, too.', true],
    ['whose turn it is not', approval({ current_approver: 'human:bob' }), alice, 'human:bob has to agree first.', true],
    ['whose turn it is', approval({ current_approver: 'human:alice' }), alice, null, true],
    [
      'who stands in for an approver',
      approval({ terms: { approvers: ['human:bob'], delegates: [{ from: 'human:bob', to: 'human:alice', until: null }] } }),
      alice,
      null,
      true,
    ],
    [
      'who stands in for whose turn it is',
      approval({ current_approver: 'human:bob', terms: { delegates: [{ from: 'human:bob', to: 'human:alice', until: null }] } }),
      alice,
      null,
      true,
    ],
    [
      'who handed their seat on',
      approval({ terms: { approvers: ['human:bob'], delegates: [{ from: 'human:alice', to: 'human:bob', until: null }] } }),
      alice,
      'Only human:bob can approve this call.',
      true,
    ],
    ['after it was approved', approval({ status: 'approved' }), alice, 'Approved already; Deny takes it back until it is used.', true],
    [
      'after somebody approved it',
      approval({ status: 'approved', answers: [said('human:bob')] }),
      alice,
      'Approved by human:bob already; Deny takes it back until it is used.',
      true,
    ],
    [
      'after somebody denied it',
      approval({ status: 'denied', answers: [said('human:bob', 'deny')] }),
      alice,
      'Denied by human:bob already.',
      false,
    ],
    ['after it was denied', approval({ status: 'denied' }), alice, 'Denied already.', false],
    ['after it was used', approval({ status: 'consumed' }), alice, 'Used already.', false],
    ['after its time', approval({ status: 'expired' }), alice, 'Expired already.', false],
  ] as const) {
    test(`${title}: ${objection ?? 'may approve'}`, () => {
      const standing = standingOf(given, person)
      expect([standing.objection, standing.mayDeny]).toEqual([objection, mayDeny])
    })
  }

  for (const [title, given, person, may] of [
    ['nobody is named', approval(), alice, false],
    ['named, where their yes would do', approval({ terms: { break_glass: ['human:alice'] } }), alice, false],
    ['named, where two have to agree', approval({ terms: { break_glass: ['human:alice'], quorum: 2 } }), alice, true],
    ['named, as the second of two', approval({ terms: { break_glass: ['human:alice'], quorum: 2 }, yes: 1 }), alice, false],
    [
      'named, and agreed as the first of two',
      approval({ terms: { break_glass: ['human:alice'], quorum: 2 }, yes: 1, answers: [said('human:alice')] }),
      alice,
      true,
    ],
    ['named, but no approver', approval({ terms: { break_glass: ['human:alice'], approvers: ['human:bob'] } }), alice, true],
    [
      'named, before their turn',
      approval({ terms: { break_glass: ['human:alice'], chain: ['human:bob'] }, current_approver: 'human:bob' }),
      alice,
      true,
    ],
    ['named, and asked for it', approval({ terms: { break_glass: ['human:alice'], excluded: ['human:alice'] } }), alice, false],
    ['named, but a viewer', approval({ terms: { break_glass: ['human:alice'] } }), { ...alice, canAnswer: false }, false],
    ['named, too late', approval({ status: 'denied', terms: { break_glass: ['human:alice'] } }), alice, false],
  ] as const) {
    test(`break-glass, ${title}: ${may ? 'offered' : 'not offered'}`, () => expect(standingOf(given, person).mayBreakGlass).toBe(may))
  }

  for (const [quorum, chain, yes, shown] of [
    [1, [], 0, null],
    [2, [], 0, '0 of 2'],
    [2, [], 1, '1 of 2'],
    [1, ['human:a'], 0, null],
    [1, ['human:a', 'human:b'], 1, '1 of 2'],
    [3, ['human:a'], 2, '2 of 3'],
  ] as const) {
    test(`quorum ${quorum}, chain of ${chain.length}, ${yes} yes: ${shown ?? 'no count'}`, () =>
      expect(progress(approval({ yes, terms: { quorum, chain } }))).toBe(shown))
  }
})
