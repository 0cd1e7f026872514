import { describe, expect, test } from 'vitest'
import type { GrantProposal, Proposal } from '../api/types.ts'
import { scopeWords } from './scope.ts'

const NOON = Date.parse('2026-01-10T12:00:00.000Z')
const clock = (at: string) => at.slice(11, 16)
const grant = (more: Partial<GrantProposal>): Proposal => ({
  kind: 'grant',
  text: '',
  grant: { action: 'git:push', scope: { target: 'origin' }, count: 5, expires: '2026-01-10T13:00:00.000Z', ...more },
})

describe('how far a yes reaches', () => {
  for (const [title, proposal, what, bounds] of [
    ['a grant', grant({}), 'git:push on origin', '5 more times, until 13:00'],
    ['one use', grant({ count: 1 }), 'git:push on origin', '1 more time, until 13:00'],
    ['no count', grant({ count: null }), 'git:push on origin', 'as often as asked, until 13:00'],
    ['no end', grant({ expires: null }), 'git:push on origin', '5 more times'],
    ['the next day', grant({ expires: '2026-01-11T12:30:00.000Z' }), 'git:push on origin', '5 more times, until 12:30 tomorrow'],
    [
      'more of the scope',
      grant({ scope: { target: 'origin', branch: 'main' } }),
      'git:push on origin, branch main',
      '5 more times, until 13:00',
    ],
    ['what says the same', grant({ scope: { target: 'origin', remote: 'origin' } }), 'git:push on origin', '5 more times, until 13:00'],
    ['numbers', grant({ scope: { target: 'c', maxAmount: 7 } }), 'git:push on c, max amount 7', '5 more times, until 13:00'],
    [
      'details',
      grant({ scope: { target: 'pod', context: 'staging', details: { all: true } } }),
      'git:push on pod, context staging, all true',
      '5 more times, until 13:00',
    ],
    ['no target', grant({ scope: {} }), 'git:push on null', '5 more times, until 13:00'],
    [
      'a session',
      { kind: 'session', text: 'exactly this in this session (a of b: c): up to 20 times within 60 minutes' },
      'exactly this in this session (a of b: c)',
      'up to 20 times within 60 minutes',
    ],
    ['other words', { kind: 'session', text: 'no colon' }, 'no colon', ''],
  ] as const) {
    test(`${title}: ${what}; ${bounds}`, () => expect(scopeWords(proposal, NOON, clock)).toEqual({ what, bounds }))
  }
})
