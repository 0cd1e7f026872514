/** The machine against a reference over every short history, and its rules one by one. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { proves } from '../../test/proves.ts'
import { type ReferenceEvent, type ReferenceTerms, referenceApproval } from '../../test/reference/approvals.ts'
import {
  type Approval,
  type ApprovalEvent,
  advance,
  approvals,
  type Binding,
  currentApprover,
  isOpen,
  mismatch,
  openApproval,
  STATUSES,
  type Terms,
} from './machine.ts'

const BINDING: Binding = {
  call: 'c',
  definition: null,
  policy: 'p',
  session: 's',
  principal: '[]',
  cwd: '/',
  judged: 'j',
  edit: null,
  standing: 'st',
  preview: null,
}
const BRINGS = {
  same: BINDING,
  edited: { ...BINDING, edit: 'e', judged: 'je', standing: null },
  alike: { ...BINDING, call: 'x', judged: 'jx' },
  other: { ...BINDING, call: 'x', judged: 'jx', standing: 'sx' },
  changed: { ...BINDING, policy: 'x' },
} as const
const TERMS: ReferenceTerms = {
  quorum: 1,
  requester: 'me',
  approvers: null,
  chain: [],
  breakGlass: [],
  delegates: [],
  approveWithin: 100,
  useWithin: 50,
  session: { within: 80, uses: 2 },
}

function termsOf({ requester, ...terms }: ReferenceTerms): Terms {
  return { ...terms, excluded: [requester] }
}

function eventOf({ kind, at, by, reason, glass, scope, brings }: ReferenceEvent): ApprovalEvent {
  switch (kind) {
    case 'approve':
      return { kind, at, by, reason, breakGlass: glass, scope }
    case 'amend':
      return { kind, at, by, edit: 'e', judged: 'je', preview: null }
    case 'deny':
      return { kind, at, by, reason }
    case 'cancel':
      return { kind, at }
    case 'use':
      return { kind, at, binding: BRINGS[brings] }
  }
}

const born = (terms: ReferenceTerms = TERMS) => openApproval('apr_1', BINDING, { terms: termsOf(terms), at: 0 })

/** An event and how much later than the one before it happens. */
type Kind = Partial<Omit<ReferenceEvent, 'at'>> & { readonly after?: number }

/** What every setting goes through; `WHO` and the rest of a setting come on top. */
const BASIC: readonly Kind[] = [
  { kind: 'approve', by: 'alice' },
  { kind: 'approve', by: 'bob' },
  { kind: 'approve', by: 'me' },
  { kind: 'deny', by: 'alice' },
  { kind: 'cancel' },
  { kind: 'use' },
  { kind: 'use', after: 50 },
  { kind: 'approve', by: 'bob', after: -3_000 },
]

const ANSWERS: readonly Kind[] = [
  ...BASIC,
  { kind: 'approve', by: 'mallory' },
  { kind: 'approve', by: 'root', glass: true, reason: 'fire' },
  { kind: 'approve', by: 'root', glass: true },
  { kind: 'approve', by: 'alice', glass: true, reason: 'fire' },
  { kind: 'use', brings: 'other' },
  { kind: 'use', brings: 'changed' },
  { kind: 'approve', by: 'alice', after: 100 },
]

const SCOPES: readonly Kind[] = [
  ...BASIC,
  { kind: 'approve', by: 'alice', scope: 'session' },
  { kind: 'approve', by: 'bob', scope: 'session' },
  { kind: 'approve', by: 'me', scope: 'session' },
  { kind: 'approve', by: 'root', glass: true, reason: 'fire', scope: 'session' },
  { kind: 'use', brings: 'alike' },
  { kind: 'use', brings: 'other' },
  { kind: 'use', brings: 'changed' },
]

const EDITS: readonly Kind[] = [
  ...BASIC,
  { kind: 'amend', by: 'alice' },
  { kind: 'amend', by: 'bob' },
  { kind: 'amend', by: 'me' },
  { kind: 'amend', by: 'mallory' },
  { kind: 'approve', by: 'alice', scope: 'session' },
  { kind: 'use', brings: 'edited' },
  { kind: 'use', brings: 'alike' },
]

const STEADY: readonly Kind[] = [
  ...BASIC,
  { kind: 'approve', by: 'carol' },
  { kind: 'approve', by: 'dora' },
  { kind: 'approve', by: 'bob', after: 40 },
  { kind: 'amend', by: 'bob' },
]

const TWO = { ...TERMS, quorum: 2, approvers: ['alice', 'bob', 'me'] }
const standIn = (from: string, to: string, until: number | null = null) => ({ from, to, until })
const BOB_FOR_ALICE = [standIn('alice', 'bob')]

const SETTINGS: readonly (readonly [title: string, terms: ReferenceTerms, kinds: readonly Kind[], depth: number])[] = [
  ['one approver', TERMS, ANSWERS, 4],
  ['two of three', { ...TWO, breakGlass: ['root'] }, ANSWERS, 4],
  ['a chain', { ...TERMS, chain: ['alice', 'bob'], breakGlass: ['root', 'me'] }, ANSWERS, 4],
  ['a chain within a quorum', { ...TERMS, quorum: 2, chain: ['alice'], approvers: ['alice', 'bob'] }, ANSWERS, 4],
  ['a chain that begins with who asked', { ...TERMS, chain: ['me', 'alice'] }, ANSWERS, 4],
  ['nobody', { ...TERMS, approvers: [] }, ANSWERS, 3],
  ['for a session', TERMS, SCOPES, 4],
  ['two of three for a session', { ...TWO, breakGlass: ['root'] }, SCOPES, 4],
  ['no session', { ...TERMS, session: null }, SCOPES, 3],
  ['a session of one', { ...TERMS, session: { within: 10, uses: 1 } }, SCOPES, 3],
  ['edited', TERMS, EDITS, 4],
  ['two of three, edited', TWO, EDITS, 4],
  ['a chain, edited', { ...TERMS, chain: ['bob', 'alice'] }, EDITS, 4],
  ['a stand-in', { ...TERMS, approvers: ['alice'], delegates: BOB_FOR_ALICE }, STEADY, 4],
  ['a stand-in for a time', { ...TERMS, approvers: ['alice'], delegates: [standIn('alice', 'bob', 42)] }, STEADY, 4],
  ['a stand-in who may anyway', { ...TWO, delegates: BOB_FOR_ALICE }, STEADY, 4],
  ['two stand-ins for one', { ...TWO, delegates: [...BOB_FOR_ALICE, standIn('alice', 'carol')] }, STEADY, 4],
  ['a stand-in for who asked', { ...TERMS, approvers: ['me', 'alice'], delegates: [standIn('me', 'bob')] }, STEADY, 4],
  ['a stand-in who asked', { ...TERMS, approvers: ['alice'], delegates: [standIn('alice', 'me')] }, STEADY, 4],
  ['a stand-in in a chain', { ...TERMS, chain: ['alice', 'dora'], delegates: BOB_FOR_ALICE }, STEADY, 4],
  ['a link that stands in for another', { ...TERMS, chain: ['alice', 'bob'], delegates: BOB_FOR_ALICE }, STEADY, 4],
  ['stand-ins of stand-ins', { ...TERMS, approvers: ['alice'], delegates: [...BOB_FOR_ALICE, standIn('bob', 'carol')] }, STEADY, 4],
]

/** Where somebody has to agree who may not, no yes comes about. */
const HOPELESS = ['nobody', 'a chain that begins with who asked']

interface Explored {
  readonly histories: number
  readonly met: ReadonlySet<string>
}

/** Every history up to `depth`, each checked against the reference; how many there were, and every status that was met. */
function explore(terms: ReferenceTerms, kinds: readonly Kind[], depth: number): Explored {
  const met = new Set<string>()
  let histories = 0
  const walk = (approval: Approval, events: readonly ReferenceEvent[]): void => {
    if (events.length === depth) return
    for (const { after = 1, ...kind } of kinds) {
      const at = (events.at(-1)?.at ?? 0) + after
      const event = { kind: 'use', by: '', reason: '', glass: false, scope: 'once', brings: 'same', ...kind, at } as const
      const history = [...events, event]
      const step = advance(approval, eventOf(event))
      const wanted = referenceApproval(terms, history)
      if (step.approval.status !== wanted.status || (step.refused?.code ?? null) !== wanted.refused)
        expect({ history, status: step.approval.status, refused: step.refused?.code ?? null }).toEqual({ history, ...wanted })
      met.add(step.approval.status)
      histories += 1
      walk(step.approval, history)
    }
  }
  walk(born(terms), [])
  return { histories, met }
}

describe('every short history', () => {
  for (const [title, terms, kinds, depth] of SETTINGS) {
    proves(['T25', 'P7', 'P8'], `ends as the reference says: ${title}`, () => {
      const { histories, met } = explore(terms, kinds, depth)
      expect(histories).toBeGreaterThan(kinds.length ** depth)
      for (const status of STATUSES) {
        const reachable = !HOPELESS.includes(title)
        if (reachable || status === 'pending' || status === 'denied') expect([status, met.has(status)]).toEqual([status, true])
      }
    })
  }

  proves('T25', 'in four steps more than once around', () => {
    const { histories } = explore(TERMS, BASIC, 5)
    expect(histories).toBeGreaterThan(BASIC.length ** 5)
  })
})

/** A state reached by these events. */
function reached(terms: Partial<ReferenceTerms>, ...events: readonly ApprovalEvent[]): Approval {
  return events.reduce((approval, event) => advance(approval, event).approval, born({ ...TERMS, ...terms }))
}

const yes = (by: string, at = 1): ApprovalEvent => ({ kind: 'approve', at, by, reason: '', breakGlass: false })
const no = (by: string, at = 1): ApprovalEvent => ({ kind: 'deny', at, by, reason: 'no' })
const use = (at = 1, binding = BINDING): ApprovalEvent => ({ kind: 'use', at, binding })
const look = (at: number): ApprovalEvent => ({ kind: 'look', at })

describe('clocks', () => {
  const cases: readonly (readonly [title: string, events: readonly ApprovalEvent[], status: Approval['status']])[] = [
    ['the last millisecond to approve', [yes('alice', 99)], 'approved'],
    ['the end of that time', [yes('alice', 100)], 'expired'],
    ['the last millisecond to use', [yes('alice', 10), use(59)], 'consumed'],
    ['the end of that time, too', [yes('alice', 10), use(60)], 'expired'],
    ['the time to use begins with the yes, not with the ask', [yes('alice', 99), use(148)], 'consumed'],
    ['looking on time', [look(99)], 'pending'],
    ['looking late', [look(100)], 'expired'],
    ['a small step back', [look(99), look(-1_901), yes('alice', 50)], 'approved'],
    ['a large step back', [look(99), look(-1_902)], 'expired'],
    ['an hour back once approved', [yes('alice', 10), use(10 - 3_600_000)], 'expired'],
    ['an hour on once approved', [yes('alice', 10), use(10 + 3_600_000)], 'expired'],
    ['an hour on while it waits', [yes('alice', 3_600_000)], 'expired'],
    ['an hour back while it waits', [yes('alice', -3_600_000)], 'expired'],
    ['time does not bring it back', [look(100), look(1), yes('alice', 1)], 'expired'],
    ['a late no is no answer', [no('alice', 100)], 'expired'],
  ]
  for (const [title, events, status] of cases) {
    proves(['T21', 'T28'], title, () => expect(reached({}, ...events).status).toBe(status))
  }

  test('what is over stays as it is at any time', () => {
    for (const events of [[no('alice')], [yes('alice'), use()], [{ kind: 'cancel', at: 1 } as const]]) {
      const ended = reached({}, ...events)
      for (const at of [-3_600_000, 1, 3_600_000]) expect(advance(ended, look(at)).approval.status).toBe(ended.status)
    }
  })

  test('an end is told once', () => {
    const first = advance(born(), look(100))
    expect(first.happened).toEqual(['expired'])
    expect(advance(first.approval, look(101)).happened).toEqual([])
  })
})

describe('answers', () => {
  proves('AEG-20e', 'the same one again changes nothing, another one is a conflict', () => {
    for (const [events, event, refused] of [
      [[no('alice')], no('alice'), null],
      [[no('alice')], no('bob'), null],
      [[no('alice')], yes('alice'), 'approval.denied'],
      [[yes('alice')], yes('alice'), null],
      [[yes('alice'), use()], no('alice'), 'approval.consumed'],
      [[yes('alice'), use()], yes('alice'), 'approval.consumed'],
      [[{ kind: 'cancel', at: 1 }], yes('alice'), 'approval.cancelled'],
      [[{ kind: 'cancel', at: 1 }], { kind: 'cancel', at: 1 }, 'approval.cancelled'],
    ] as const satisfies readonly (readonly [readonly ApprovalEvent[], ApprovalEvent, string | null])[]) {
      const before = reached({}, ...events)
      const step = advance(before, event)
      expect([step.refused?.code ?? null, step.happened, step.approval]).toEqual([refused, [], before])
    }
  })

  proves('T25', 'a no beats a yes until the call ran, and takes its time to run away', () => {
    const step = advance(reached({}, yes('alice')), no('bob'))
    expect([step.approval.status, step.approval.useBy, step.happened]).toEqual(['denied', null, ['answered', 'denied']])
  })

  proves(['P8', 'T25'], 'one person counts once towards a quorum', () => {
    const approval = reached({ quorum: 2 }, yes('alice'), yes('alice'), yes('alice'))
    expect([approval.status, approvals(approval), approval.answers.length]).toEqual(['pending', 1, 1])
    expect(advance(approval, yes('bob')).approval.status).toBe('approved')
  })

  for (const name of ['me', 'Me', 'ME', '\uff4d\uff45', 'm\u0065']) {
    proves('P8', `${JSON.stringify(name)} is who asked, however it is written`, () => {
      for (const breakGlass of [false, true]) {
        const event = { kind: 'approve', at: 1, by: name, reason: 'fire', breakGlass } as const
        expect(advance(born({ ...TERMS, breakGlass: [name] }), event).refused?.code).toBe('approval.requester')
      }
      const delegates = [standIn('alice', name), standIn('Me', 'bob')]
      expect(advance(born({ ...TERMS, approvers: ['alice'], delegates }), yes(name)).refused?.code).toBe('approval.requester')
      expect(advance(born({ ...TERMS, approvers: ['Me'], delegates }), yes('bob')).refused?.code).toBe('approval.not_approver')
    })
  }

  for (const [first, second] of [
    ['alice', 'Alice'],
    ['alice', 'ALICE'],
    ['Caf\u00e9', 'cafe\u0301'],
    ['alice', '\uff41lice'],
  ] as const) {
    proves(['P8', 'T25'], `${JSON.stringify(first)} and ${JSON.stringify(second)} are one person of a quorum`, () => {
      const approval = reached({ quorum: 2 }, yes(first), yes(second), { ...yes(second), scope: 'session' } as ApprovalEvent)
      expect([approval.status, approvals(approval), approval.answers.length]).toEqual(['pending', 1, 1])
      expect(advance(approval, yes('bob')).approval.status).toBe('approved')
    })
  }

  test('the glass does not break for who asked, nor in silence', () => {
    const glass = (by: string, reason: string): ApprovalEvent => ({ kind: 'approve', at: 1, by, reason, breakGlass: true })
    const waiting = born({ ...TERMS, quorum: 3, breakGlass: ['root', 'me'] })
    for (const [event, refused, status] of [
      [glass('me', 'fire'), 'approval.requester', 'pending'],
      [glass('alice', 'fire'), 'approval.not_approver', 'pending'],
      [glass('root', ''), 'approval.no_reason', 'pending'],
      [glass('root', ' \n'), 'approval.no_reason', 'pending'],
      [glass('root', 'fire'), null, 'approved'],
    ] as const) {
      const step = advance(waiting, event)
      expect([step.refused?.code ?? null, step.approval.status]).toEqual([refused, status])
    }
    expect(advance(waiting, glass('root', 'fire')).happened).toContain('broke_glass')
  })

  test('the chain is walked link by link', () => {
    const chain = ['alice', 'bob']
    expect(currentApprover(born({ ...TERMS, chain }))).toBe('alice')
    expect(currentApprover(reached({ chain }, yes('alice')))).toBe('bob')
    expect(currentApprover(reached({ chain }, yes('alice'), yes('bob')))).toBeNull()
    expect(currentApprover(reached({ chain }, yes('bob')))).toBe('alice')
  })

  test('only what waits or may be used is open', () => {
    for (const status of STATUSES) expect([status, isOpen({ status })]).toEqual([status, status === 'pending' || status === 'approved'])
  })

  test('the reference has no more than sixty lines', () => {
    const lines = readFileSync(new URL('../../test/reference/approvals.ts', import.meta.url), 'utf8')
      .trimEnd()
      .split('\n')
    expect(lines.length).toBeLessThanOrEqual(60)
  })

  test('an event changes nothing of the approval it was given', () => {
    const before = born()
    const copy = structuredClone(before)
    advance(before, yes('alice'))
    expect(before).toEqual(copy)
  })
})

describe('the binding', () => {
  const cases: readonly (readonly [changes: Partial<Binding>, code: string | null])[] = [
    [{}, null],
    [{ call: 'x' }, 'approval.mismatch'],
    [{ session: null }, 'approval.mismatch'],
    [{ session: '' }, 'approval.mismatch'],
    [{ principal: '["other"]' }, 'approval.mismatch'],
    [{ cwd: null }, 'approval.mismatch'],
    [{ cwd: '/x' }, 'approval.mismatch'],
    [{ policy: 'x' }, 'approval.stale'],
    [{ judged: 'x' }, 'approval.stale'],
    [{ definition: 'x' }, 'approval.stale'],
    [{ definition: 'x', call: 'x' }, 'approval.stale'],
    [{ policy: 'x', call: 'x' }, 'approval.mismatch'],
    [{ edit: 'x' }, 'approval.mismatch'],
    [{ edit: '' }, 'approval.mismatch'],
    [{ preview: 'x' }, 'approval.stale'],
    [{ standing: 'x' }, null],
  ]
  for (const [changes, code] of cases) {
    proves(['P6', 'T01', 'PIT-5'], `${JSON.stringify(changes)} → ${code ?? 'the same call'}`, () => {
      const used = { ...BINDING, ...changes }
      expect(mismatch({ binding: BINDING, scope: 'once' }, used)?.code ?? null).toBe(code)
      const step = advance(reached({}, yes('alice')), use(2, used))
      expect([step.refused?.code ?? null, step.approval.status]).toEqual([code, code === null ? 'consumed' : 'approved'])
    })
  }
})
