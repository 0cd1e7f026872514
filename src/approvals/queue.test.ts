/** The queue over a real store: who sees what, which answers are taken, how long somebody waits. */
import { describe, expect, test } from 'vitest'
import { proves } from '../../test/proves.ts'
import { ASKED_AT, approvalRows, type Drafted, type Rows, SHEET, waitingApproval } from '../../test/support/approvals.ts'
import { NOTE } from '../../test/support/records.ts'
import { rejection } from '../../test/support/store.ts'
import { auditVerify } from '../audit/log.ts'
import { NoApproval } from './answer.ts'
import { type ApprovalQueue, createApprovalQueue, type GivenAnswer, type Listed, MAX_IN_A_BATCH } from './queue.ts'
import { changeApproval, type StoredApproval } from './store.ts'

interface Office extends Rows {
  readonly queue: ApprovalQueue
  /** Moves the clock to so many milliseconds after the asks. */
  readonly at: (time: number) => void
}

async function office(drafts: Readonly<Record<string, Drafted>> = { apr_1: {} }): Promise<Office> {
  const rows = approvalRows()
  let now = ASKED_AT + 10_000
  await rows.put(...Object.entries(drafts).map(([id, draft]) => waitingApproval(id, draft)))
  return {
    ...rows,
    queue: createApprovalQueue({ store: rows.store, keys: rows.keys, now: () => now }),
    at: (time) => {
      now = ASKED_AT + time
    },
  }
}

const ALICE = { tenant: null, by: 'human:alice' } as const
const yes = (changes: Partial<GivenAnswer> = {}): GivenAnswer => ({ ...ALICE, verdict: 'approve', ...changes })
const no = (changes: Partial<GivenAnswer> = {}): GivenAnswer => ({ ...ALICE, verdict: 'deny', ...changes })

describe('the list', () => {
  const drafts: Readonly<Record<string, Drafted>> = {
    a: { at: ASKED_AT + 2, session: 's-1' },
    b: { at: ASKED_AT + 1, session: 's-2', tenant: 'acme' },
    c: { at: ASKED_AT, session: 's-1', tenant: 'acme' },
    d: { at: ASKED_AT - 900_000, session: 's-1' },
    e: { at: ASKED_AT + 3, session: 's-1', status: 'denied' },
    f: { at: ASKED_AT + 4, session: 's-1', status: 'approved', useBy: ASKED_AT + 20_000 },
    g: { at: ASKED_AT + 5, session: 's-1', status: 'approved', useBy: ASKED_AT + 5_000 },
  }
  const cases: readonly (readonly [query: Listed, ids: string])[] = [
    [{ tenant: null }, 'e a b c f g d'],
    [{ tenant: null, status: 'pending' }, 'c b a'],
    [{ tenant: null, status: 'approved' }, 'f'],
    [{ tenant: null, status: 'open' }, 'f c b a'],
    [{ tenant: null, status: 'expired' }, 'g d'],
    [{ tenant: null, status: 'denied' }, 'e'],
    [{ tenant: null, status: 'consumed' }, ''],
    [{ tenant: null, status: 'cancelled' }, ''],
    [{ tenant: '', status: 'pending' }, 'a'],
    [{ tenant: 'acme', status: 'pending' }, 'c b'],
    [{ tenant: 'ACME', status: 'pending' }, ''],
    [{ tenant: 'acme', status: 'open', session: 's-2' }, 'b'],
    [{ tenant: '', status: 'open', session: 's-2' }, ''],
    [{ tenant: null, session: 's-2' }, 'b'],
    [{ tenant: null, status: 'pending', limit: 2 }, 'c b …'],
    [{ tenant: null, status: 'pending', limit: 3 }, 'c b a'],
    [{ tenant: null, status: 'pending', limit: 0 }, 'c …'],
    [{ tenant: null, status: 'pending', limit: -5 }, 'c …'],
    [{ tenant: null, status: 'pending', limit: 1.5 }, 'c …'],
  ]
  for (const [query, ids] of cases) {
    test(`${JSON.stringify(query)} → ${ids}`, async () => {
      const { queue } = await office(drafts)
      const { approvals, more } = queue.list(query)
      expect([...approvals.map(({ id }) => id), ...(more ? ['…'] : [])].join(' ')).toBe(ids)
    })
  }

  test('tells statuses as of now', async () => {
    const { queue, at } = await office()
    expect(queue.list({ tenant: null }).approvals[0]?.status).toBe('pending')
    at(900_000)
    expect(queue.list({ tenant: null }).approvals[0]?.status).toBe('expired')
    expect(queue.show('apr_1', { tenant: null })?.status).toBe('expired')
  })
})

describe('another tenant', () => {
  const cases: readonly (readonly [whose: string, asks: string | null, there: boolean])[] = [
    ['acme', 'acme', true],
    ['acme', null, true],
    ['acme', '', false],
    ['acme', 'Acme', false],
    ['acme', 'acme ', false],
    ['acme', 'acme|', false],
    ['', '', true],
    ['', null, true],
    ['', 'acme', false],
    ['caf\u00e9', 'cafe\u0301', false],
    ['a\0b', 'a\0b', true],
    ['a\0b', 'a', false],
  ]
  for (const [whose, asks, there] of cases) {
    proves(
      ['T64', 'AEG-20d'],
      `${JSON.stringify(asks)} ${there ? 'has' : 'does not have'} what is of ${JSON.stringify(whose)}`,
      async () => {
        const { queue, store } = await office({ apr_1: { tenant: whose } })
        expect(queue.show('apr_1', { tenant: asks }) !== null).toBe(there)
        expect(queue.list({ tenant: asks }).approvals).toHaveLength(there ? 1 : 0)
        if (there) return
        const before = store.head()
        for (const act of [
          () => queue.answer('apr_1', yes({ tenant: asks })),
          () => queue.answer('apr_1', no({ tenant: asks })),
          () => queue.cancel('apr_1', { ...ALICE, tenant: asks }),
          () => queue.wait('apr_1', { tenant: asks }),
        ])
          expect(await rejection(act())).toBeInstanceOf(NoApproval)
        expect(await queue.batch(['apr_1'], no({ tenant: asks }))).toMatchObject([
          { approval: null, refused: { code: 'approval.unknown' } },
        ])
        expect([store.head(), queue.show('apr_1', { tenant: whose })?.status]).toEqual([before, 'pending'])
      },
    )
  }

  for (const column of ['tenant', 'session', 'status', 'id']) {
    proves(['T64', 'P8'], `does not get a row by writing its ${column} into the file`, async () => {
      const { queue, store } = await office({ apr_1: { tenant: 'acme' } })
      await store.run((tx) => tx.run(`UPDATE approvals SET ${column} = 'approved'`), NOTE)
      for (const tenant of [null, 'approved', 'acme']) {
        expect(queue.list({ tenant }).approvals).toEqual([])
        for (const id of ['apr_1', 'approved']) expect(queue.show(id, { tenant })).toBeNull()
      }
    })
  }
})

describe('an answer', () => {
  proves(['AEG-20a', 'AEG-20b', 'AEG-20c'], 'keeps who and why; without one in its time it is over', async () => {
    const { queue, at } = await office({ a: {}, b: {}, c: {} })
    const said = { comment: 'the branch is mine' }
    expect((await queue.answer('a', yes(said))).approval).toMatchObject({
      status: 'approved',
      answers: [{ by: 'human:alice', reason: 'the branch is mine', at: ASKED_AT + 10_000 }],
    })
    expect((await queue.answer('b', no({ comment: 'not on a Friday' }))).approval).toMatchObject({
      status: 'denied',
      answers: [{ by: 'human:alice', verdict: 'deny', reason: 'not on a Friday' }],
    })
    at(900_000)
    expect(queue.show('c', { tenant: null })?.status).toBe('expired')
    expect((await queue.answer('c', yes())).refused?.code).toBe('timeout.approval')
  })

  proves('AEG-20e', 'the same again is taken in silence, another one is a conflict', async () => {
    const { queue, store } = await office({ a: {} })
    await queue.answer('a', no())
    const { size } = store.head()
    expect((await queue.answer('a', no())).refused).toBeNull()
    expect(store.head().size).toBe(size)
    expect((await queue.answer('a', yes())).refused?.code).toBe('approval.denied')
  })

  proves('AEG-W12', 'outlives the process, with its record', async () => {
    const { directory, keys, store, queue } = await office()
    await queue.answer('apr_1', yes({ comment: 'fine' }))
    const again = createApprovalQueue({ store, keys, now: () => ASKED_AT + 20_000 })
    expect(again.show('apr_1', { tenant: null })).toMatchObject({ status: 'approved', version: 1 })
    expect([...store.read({ kind: 'approval' })].map(({ body }) => body)).toMatchObject([
      { event: 'approve', approval: 'apr_1', by: 'human:alice', reason: 'fine', version: 1, status: 'approved' },
    ])
    expect(auditVerify({ directory }).ok).toBe(true)
  })

  test('about another version than the one that is there is refused, and recorded', async () => {
    const { queue, store } = await office({ apr_1: { terms: { quorum: 2 } } })
    for (const version of [1, -1, 0.5]) expect((await queue.answer('apr_1', yes({ version }))).refused?.code).toBe('approval.changed')
    expect((await queue.answer('apr_1', yes({ version: 0 }))).approval.version).toBe(1)
    const bob = { by: 'human:bob' }
    expect((await queue.answer('apr_1', yes({ ...bob, version: 0 }))).refused?.code).toBe('approval.changed')
    expect((await queue.answer('apr_1', yes({ version: 0 }))).refused).toBeNull()
    expect((await queue.answer('apr_1', yes({ ...bob, version: 1 }))).approval).toMatchObject({ status: 'approved', version: 2 })
    expect([...store.read({ kind: 'approval' })].map(({ code }) => code)).toEqual([
      ...Array.from({ length: 3 }, () => 'approval.changed'),
      null,
      'approval.changed',
      null,
    ])
  })

  proves('T25', 'of two at the same time one is first, and a no wins in either order', async () => {
    for (const answers of [
      [yes(), no({ by: 'human:bob' })],
      [no({ by: 'human:bob' }), yes()],
    ]) {
      const { queue } = await office()
      await Promise.all(answers.map((each) => queue.answer('apr_1', each)))
      expect(queue.show('apr_1', { tenant: null })?.status).toBe('denied')
    }
  })

  test('withdraws', async () => {
    const { queue, store } = await office()
    expect((await queue.cancel('apr_1', { ...ALICE, comment: 'the work is off' })).approval.status).toBe('cancelled')
    expect([...store.read({ kind: 'approval' })][0]?.body).toMatchObject({ event: 'cancel', by: 'human:alice', reason: 'the work is off' })
    expect((await queue.answer('apr_1', yes())).refused?.code).toBe('approval.cancelled')
  })
})

test('a row of an earlier version is read with what it could not know', async () => {
  const { queue, store, keys, put } = await office({})
  const { scope: _scope, uses: _uses, proposals: _proposals, edit: _edit, ...old } = waitingApproval('apr_1')
  const { delegates: _delegates, session: _session, ...terms } = old.terms
  const { edit: _change, standing: _standing, preview: _preview, ...binding } = old.binding
  const answer = { by: 'human:bob', verdict: 'approve', reason: '', at: ASKED_AT, breakGlass: false }
  await put({ ...old, terms: { ...terms, quorum: 2 }, binding, answers: [answer] } as unknown as StoredApproval)
  expect(queue.show('apr_1', { tenant: null })).toMatchObject({
    scope: 'once',
    uses: 0,
    proposals: [],
    edit: null,
    terms: { delegates: [], session: null },
    binding: { edit: null, standing: null, preview: null },
    answers: [{ seat: null, scope: 'once' }],
  })
  expect((await queue.answer('apr_1', yes({ scope: 'session' }))).refused?.code).toBe('approval.scope')
  expect((await queue.answer('apr_1', yes())).approval.status).toBe('approved')
  expect([store.head().size > 0, keys().ring.size]).toEqual([true, 1])
})

test('arguments cannot be changed at a queue that has no gate', async () => {
  const { queue } = await office()
  const { refused, approval } = await queue.answer('apr_1', yes({ modifiedArguments: { command: 'git status' } }))
  expect([refused?.code, approval.status]).toEqual(['approval.modified_denied', 'pending'])
})

describe('a batch', () => {
  proves('T23', 'answers each call that it lists, and says of each what came of it', async () => {
    const { queue, at } = await office({ a: {}, b: { terms: { excluded: ['human:alice'] } }, c: {}, d: { at: ASKED_AT - 890_000 } })
    at(10_000)
    const results = await queue.batch(['a', 'b', 'x', 'c', 'a', 'd'], yes())
    expect(results.map(({ id, approval, refused }) => [id, approval?.status ?? null, refused?.code ?? null])).toEqual([
      ['a', 'approved', null],
      ['b', 'pending', 'approval.requester'],
      ['x', null, 'approval.unknown'],
      ['c', 'approved', null],
      ['d', 'expired', 'timeout.approval'],
    ])
  })

  proves('T23', 'gives no yes to what has another target than the first, and a no to all', async () => {
    const other = { sheet: { ...SHEET, effects: [{ verb: 'pay', target: { kind: 'account', value: 'another' } }] } }
    const { queue } = await office({ a: {}, b: other, c: {} })
    const told = async (answer: Parameters<typeof queue.batch>[1]) =>
      (await queue.batch(['a', 'b', 'c'], answer)).map(({ refused }) => refused?.code)
    expect(await told(yes())).toEqual([undefined, 'approval.not_alike', undefined])
    expect(await told(no())).toEqual([undefined, undefined, undefined])
  })

  test('has an end', async () => {
    const { queue } = await office()
    const ids = Array.from({ length: MAX_IN_A_BATCH + 1 }, (_, index) => `apr_${index}`)
    expect(await rejection(queue.batch(ids, yes()))).toBeInstanceOf(RangeError)
    expect(queue.show('apr_1', { tenant: null })?.status).toBe('pending')
    expect(await queue.batch([], yes())).toEqual([])
  })
})

describe('waiting', () => {
  test('ends at once where there is nothing to wait for', async () => {
    const { queue } = await office({ a: { status: 'denied' }, b: {}, c: { status: 'approved', useBy: ASKED_AT + 60_000 } })
    expect((await queue.wait('a', { tenant: null })).status).toBe('denied')
    expect((await queue.wait('a', { tenant: null, version: 0 })).status).toBe('denied')
    expect((await queue.wait('b', { tenant: null, version: 7 })).version).toBe(0)
    expect((await queue.wait('c', { tenant: null })).status).toBe('approved')
    expect(await rejection(queue.wait('x', { tenant: null }))).toBeInstanceOf(NoApproval)
    expect((await queue.wait('b', { tenant: null, signal: AbortSignal.abort() })).status).toBe('pending')
  })

  test('ends with the answer, for everybody who waits', async () => {
    const { queue } = await office({ a: {}, b: {} })
    const waiting = [queue.wait('a', { tenant: null }), queue.wait('a', { tenant: null, version: 0 }), queue.wait('b', { tenant: null })]
    await queue.answer('a', yes())
    expect((await Promise.all(waiting.slice(0, 2))).map(({ status, version }) => [status, version])).toEqual([
      ['approved', 1],
      ['approved', 1],
    ])
    await queue.answer('b', no())
    expect((await waiting[2])?.status).toBe('denied')
  })

  test('ends with the answer of another process, with the clock, or when told to', async () => {
    const { queue, store, keys, at } = await office({ a: {}, b: {}, c: {} })
    const other = createApprovalQueue({ store, keys, now: () => ASKED_AT + 20_000 })
    const first = queue.wait('a', { tenant: null })
    await other.answer('a', no())
    expect((await first).status).toBe('denied')
    const controller = new AbortController()
    const told = queue.wait('c', { tenant: null, signal: controller.signal })
    controller.abort()
    expect((await told).status).toBe('pending')
    const late = queue.wait('b', { tenant: null })
    at(900_000)
    expect((await late).status).toBe('expired')
  })

  proves('P5', 'where the changes of a call are made instead goes on until that is recorded, and not for ever', async () => {
    const answers = [
      { by: 'human:alice', verdict: 'approve', reason: '', at: ASKED_AT + 10_000, breakGlass: false, seat: null, scope: 'apply' },
    ] as const
    const making: Drafted = { status: 'consumed', scope: 'apply', answers }
    const applied = { by: 'human:alice', at: ASKED_AT + 11_000, record: 'rec_1', problem: null, told: false }
    const { queue, store, keys, at } = await office({ a: making, b: making, c: { ...making, scope: 'once' } })
    expect((await queue.wait('c', { tenant: null })).status).toBe('consumed')
    const [made, versioned, died] = [
      queue.wait('a', { tenant: null }),
      queue.wait('a', { tenant: null, version: 0 }),
      queue.wait('b', { tenant: null }),
    ]
    const early = await Promise.race([made, versioned, died, new Promise((resolve) => setTimeout(resolve, 50, 'waits'))])
    expect(early).toBe('waits')
    const told = waitingApproval('a', { ...making, applied })
    await store.run((tx) => changeApproval(tx, told, keys().current), { ...NOTE, at: ASKED_AT + 11_000 })
    expect([(await made).applied, (await versioned).applied]).toEqual([applied, applied])
    at(71_000)
    expect((await died).applied).toBeNull()
  })

  test('for a version goes on where only the version is the same', async () => {
    const { queue } = await office({ apr_1: { terms: { quorum: 2 } } })
    const waiting = queue.wait('apr_1', { tenant: null, version: 0 })
    const toTheEnd = queue.wait('apr_1', { tenant: null })
    await queue.answer('apr_1', yes())
    expect(await waiting).toMatchObject({ status: 'pending', version: 1 })
    await queue.answer('apr_1', yes({ by: 'human:bob' }))
    expect((await toTheEnd).status).toBe('approved')
  })

  test('is woken by a store that fails, and says so', async () => {
    const { queue, store } = await office()
    const waiting = rejection(queue.wait('apr_1', { tenant: null }))
    store.close()
    expect(await waiting).toMatchObject({ fault: 'closed' })
  })
})
