/** Acts that are one more each time: asked about while it is not known whether the first one happened. Real gate, real SQLite file. */
import { describe, expect, test } from 'vitest'
import { bash, callOf } from '../../../test/support/calls.ts'
import { workplace } from '../../../test/support/workplace.ts'
import { afterwards, outcomeIn } from '../../audit/outcome.ts'
import type { ToolCall } from '../../core/call.ts'
import { isJsonObject, type Json, type JsonObject, own } from '../../core/json.ts'
import type { OpenedGate } from '../../open.ts'
import { settleOutcome } from '../../open-outcomes.ts'
import { landResult } from '../../open-results.ts'
import type { RecordQuery, StoredRecord } from '../../store/store.ts'
import { openAttempts } from './answers.ts'

const NO_RESULT = Symbol('no result came')
const stripe = (data: string, more = ''): ToolCall => bash(`curl -X POST https://api.stripe.com/v1/charges ${data} ${more}`)
const transfer = (args: JsonObject): ToolCall => callOf('transfer_funds', { to: 'acct-1', amount: 100, currency: 'USD', ...args })
const mail = (args: JsonObject): ToolCall => callOf('send_email', { to: 'a@b.example', subject: 'Hello', body: 'one', ...args })

const POLICY = `hazards: { packs: [] }
tools:
  transfer_funds: { risk_tier: low }
  send_email: { risk_tier: low }
  acme_do: { risk_tier: low }
  acme_end: { risk_tier: low, irreversible: true }
rules: { allow: [{ tool: "*", when: "true", reason: fine }] }
`

async function repeated(
  first: ToolCall,
  response: Json | typeof NO_RESULT,
  second: ToolCall,
  more: { section?: string; failed?: boolean } = {},
) {
  const work = workplace(`${POLICY}${more.section ?? ''}`)
  const said = await work.says(first)
  if (response !== NO_RESULT) await returned(work.opened, first, response, more.failed)
  return `${said}, ${await work.says(second)}`
}

const returned = (opened: OpenedGate, call: ToolCall, response: Json, failed = false) => landResult(opened, { call, response, failed }).kept

const ASKS = 'allow registry.permitted, ask outcome.unknown'
const RUNS = 'allow registry.permitted, allow registry.permitted'
/** Text of the service came in before: the flow of data says so, and asks nobody. */
const TOLD = 'allow registry.permitted, flag sequences.matched'

describe('a repetition', () => {
  test.each<[string, ToolCall, Json | typeof NO_RESULT, ToolCall, string]>([
    ['of a payment without a result', transfer({}), NO_RESULT, transfer({}), ASKS],
    ['in other words', transfer({ memo: 'rent' }), NO_RESULT, transfer({ memo: 'the rent of May', nonce: '77' }), ASKS],
    ['with the amount as text', transfer({}), NO_RESULT, transfer({ amount: '100.00' }), ASKS],
    ['of another amount', transfer({}), NO_RESULT, transfer({ amount: 101 }), RUNS],
    ['to somebody else', transfer({}), NO_RESULT, transfer({ to: 'acct-2' }), RUNS],
    ['from another session', transfer({}), NO_RESULT, { ...transfer({}), session: 's-2' }, ASKS],
    ['of another tenant', transfer({}), NO_RESULT, callOf('transfer_funds', transfer({}).args, { principal: { tenant: 't-2' } }), RUNS],
    ['after it went well', transfer({}), { ok: true }, transfer({}), RUNS],
    ['after it was refused', transfer({}), { isError: true, content: 'insufficient funds' }, transfer({}), TOLD],
    ['after it timed out', transfer({}), { isError: true, content: 'request timed out' }, transfer({}), ASKS],
    ['after an error that tells nothing', transfer({}), { isError: true, content: 'oh no' }, transfer({}), ASKS],
    ['of a mail after an error that tells nothing', mail({}), { isError: true, content: 'oh no' }, mail({}), TOLD],
    ['of a mail with a new body', mail({}), NO_RESULT, mail({ body: 'two' }), ASKS],
    ['of a mail with a new subject', mail({}), NO_RESULT, mail({ subject: 'Hello again' }), RUNS],
    ['that is the same call of its host', { ...transfer({}), callId: 'toolu_1' }, NO_RESULT, { ...transfer({}), callId: 'toolu_1' }, RUNS],
    ['that its host says is another call', { ...transfer({}), callId: 'toolu_1' }, NO_RESULT, { ...transfer({}), callId: 'toolu_2' }, ASKS],
  ])('%s', async (_name, first, response, second, expected) => {
    expect(await repeated(first, response, second)).toBe(expected)
  })

  test.each<[string, ToolCall, Json | typeof NO_RESULT, ToolCall, string]>([
    [
      'of a POST without a result',
      stripe('-d amount=5 -d customer=c1'),
      NO_RESULT,
      stripe('-d customer=c1 -d amount=5', '-sS | jq .'),
      ASKS,
    ],
    ['of a POST for another customer', stripe('-d amount=5 -d customer=c1'), NO_RESULT, stripe('-d amount=5 -d customer=c2'), RUNS],
    [
      'with the key that the API acts on once',
      stripe('-d amount=5 -H "Idempotency-Key: k"'),
      NO_RESULT,
      stripe('-d amount=5 -H "Idempotency-Key: k"'),
      RUNS,
    ],
    ['with another key', stripe('-d amount=5 -H "Idempotency-Key: k"'), NO_RESULT, stripe('-d amount=5 -H "Idempotency-Key: l"'), ASKS],
    [
      'with a key that is made when it runs',
      stripe('-d amount=5 -H "Idempotency-Key: $(uuidgen)"'),
      NO_RESULT,
      stripe('-d amount=5 -H "Idempotency-Key: $(uuidgen)"'),
      ASKS,
    ],
    ['after curl had no connection', stripe('-d amount=5'), { stdout: '', exit_code: 7 }, stripe('-d amount=5'), RUNS],
    ['after curl waited in vain', stripe('-d amount=5'), { stdout: '', exit_code: 28 }, stripe('-d amount=5'), ASKS],
    ['after it was interrupted', stripe('-d amount=5'), { stdout: '', interrupted: true }, stripe('-d amount=5'), ASKS],
    ['after the gateway gave up', stripe('-d amount=5'), { stdout: '<h1>504 Gateway Time-out</h1>' }, stripe('-d amount=5'), ASKS],
    [
      'after one of two commands failed',
      bash('curl -X POST https://x.example/a -d 1 && false'),
      { exit_code: 1 },
      bash('curl -X POST https://x.example/a -d 1'),
      ASKS,
    ],
    ['of reading', bash('curl https://api.stripe.com/v1/charges'), NO_RESULT, bash('curl https://api.stripe.com/v1/charges'), RUNS],
    [
      'of PUT, which may be repeated',
      bash('curl -X PUT https://x.example/a -d 1'),
      NO_RESULT,
      bash('curl -X PUT https://x.example/a -d 1'),
      RUNS,
    ],
    [
      'of POST to this machine',
      bash('curl -X POST http://localhost:3000/a -d 1'),
      NO_RESULT,
      bash('curl -X POST http://localhost:3000/a -d 1'),
      RUNS,
    ],
    ['of a build', bash('npm run build && rm -rf dist'), NO_RESULT, bash('npm run build && rm -rf dist'), RUNS],
    ['of a tool of one’s own', callOf('acme_do', { id: 7 }), NO_RESULT, callOf('acme_do', { id: 7 }), RUNS],
    ['of one that cannot be undone', callOf('acme_end', { id: 7 }), NO_RESULT, callOf('acme_end', { id: 7 }), ASKS],
    ['of one on something else', callOf('acme_end', { id: 7 }), NO_RESULT, callOf('acme_end', { id: 8 }), RUNS],
    ['of an issue', bash('gh issue create -t x -b y'), NO_RESULT, bash('gh issue create -b y -t x'), ASKS],
  ])('%s', async (_name, first, response, second, expected) => {
    expect(await repeated(first, response, second)).toBe(expected)
  })

  test('says when it may have happened, and only people may let it', async () => {
    const work = workplace(POLICY)
    const { auditEntryId } = await work.decide(transfer({}))
    const { reason, findings } = await work.decide(transfer({}))
    expect(reason).toMatch(/may have happened at \d{4}-\d\d-\d\d \d\d:\d\d UTC: .*no result of it came/)
    const found = findings.find(({ code }) => code === 'outcome.unknown')
    expect([found?.resolvers, found?.evidence.attempts]).toEqual([['human'], [auditEntryId]])
  })

  test('runs once with a yes; a yes for the session is none for the next one', async () => {
    const work = workplace(POLICY)
    await work.decide(transfer({}))
    const asked = await work.asks(transfer({}))
    const { refused } = await work.answer(asked.id, { scope: 'session' })
    expect(refused).not.toBeNull()
    await work.answer(asked.id)
    expect(await work.says(transfer({}))).toBe('allow allow.permitted')
    expect(await work.says(transfer({}))).toBe('ask outcome.unknown')
  })

  test('that went well after a yes closes the first one, too', async () => {
    const work = workplace(POLICY)
    await work.decide(transfer({}))
    await work.answer((await work.asks(transfer({}))).id)
    expect(await work.says(transfer({}))).toBe('allow allow.permitted')
    await returned(work.opened, transfer({}), { ok: true })
    expect(await work.says(transfer({}))).toBe('allow registry.permitted')
  })

  test('at the same moment: one of two runs', async () => {
    const work = workplace(POLICY)
    const both = await Promise.all([work.says(transfer({})), work.says(transfer({}))])
    expect(both.toSorted()).toEqual(['allow registry.permitted', 'deny outcome.unknown'])
  })
})

describe('the policy says', () => {
  test.each([
    ['outcome: { on_unknown: deny }', 'allow registry.permitted, deny outcome.unknown'],
    ['outcome: { on_unknown: pass }', RUNS],
    ['outcome: { idempotent: [transfer_funds] }', RUNS],
    ['outcome: { idempotency_keys: [{ tool: transfer_funds, argument: request }] }', RUNS],
    ['outcome: { idempotency_keys: [{ tool: other, argument: request }] }', ASKS],
    ['mode: shadow', 'allow registry.permitted, flag outcome.unknown'],
  ])('%s', async (section, expected) => {
    expect(await repeated(transfer({ request: 'r-1' }), NO_RESULT, transfer({ request: 'r-1' }), { section: `${section}\n` })).toBe(
      expected,
    )
  })
})

function shown(store: OpenedGate['store'], id: string | null) {
  const records = [...(store.read({}) as Iterable<StoredRecord>)]
  const record = records.find((each) => each.id === id)
  const after = record === undefined ? null : afterwards(record)
  if (record === undefined || after === null) return null
  const read = (query: RecordQuery) => [...(store.read(query) as Iterable<StoredRecord>)]
  return outcomeIn(record, { results: read(after.results), notes: read(after.notes) })
}

describe('what is known', () => {
  test('outlives the process, the session and the index, which the log makes again', async () => {
    const work = workplace(POLICY)
    await work.decide(transfer({}))
    await work.decide(mail({}))
    await returned(work.opened, mail({}), 'sent')
    const note = { kind: 'note', session: null, tenant: null, tool: null, decision: null, code: null, at: Date.now(), body: {} } as const
    await work.opened.store.run((tx) => {
      tx.run('DELETE FROM outcomes')
      tx.run('DELETE FROM outcome_index')
    }, note)
    expect(await work.says(transfer({}))).toBe('ask outcome.unknown')
    expect(await work.says(mail({}))).toBe('allow registry.permitted')
    expect(await work.says(transfer({}))).toBe('ask outcome.unknown')
    const rows = work.opened.store.query((tx) => tx.all('SELECT state, verb FROM outcomes ORDER BY record'))
    expect(rows).toEqual([
      { state: 'open', verb: 'pay' },
      { state: 'ran', verb: 'send' },
      { state: 'open', verb: 'send' },
    ])
  })

  test('comes from a person, too, and stands in the log', async () => {
    const work = workplace(POLICY)
    const { store } = work.opened
    const { auditEntryId: record } = await work.decide(transfer({}))
    const settle = (happened: boolean) =>
      settleOutcome(store, { record: record ?? '', happened, by: 'human:me', reason: 'looked', now: store.now() })
    expect(store.query((tx) => openAttempts(tx, 9)).map((each) => [each.record, each.verb, each.state])).toEqual([[record, 'pay', 'open']])
    expect(await settle(false)).not.toBeNull()
    expect(await settle(false)).toBeNull()
    expect(await work.says(transfer({}))).toBe('allow registry.permitted')
    expect(shown(store, record)).toEqual({ state: 'refused', why: 'human:me says so: looked', record: expect.any(String) })
  })

  test.each<[Json | typeof NO_RESULT, string | null, string]>([
    [NO_RESULT, 'toolu_1', 'unknown'],
    ['done', 'toolu_1', 'ran'],
    ['done', null, 'ran'],
    [{ exit_code: 1, stderr: 'oh no' }, 'toolu_1', 'failed'],
    [{ failed: true, error: 'permission denied' }, null, 'refused'],
  ])('is told for every call: %j, id %s', async (response, callId, state) => {
    const work = workplace(POLICY)
    const call = bash('make', { callId })
    const { auditEntryId } = await work.decide(call)
    if (callId !== null) await returned(work.opened, bash('make', { callId: 'other' }), 'of another')
    if (response !== NO_RESULT) await returned(work.opened, call, response)
    expect(shown(work.opened.store, auditEntryId)?.state).toBe(state)
  })

  test('stands in the log: what the result says, and of which decision', async () => {
    const work = workplace(POLICY)
    const { auditEntryId } = await work.decide(transfer({}))
    await returned(work.opened, transfer({}), { isError: true, content: 'request timed out' })
    const [record] = [...(work.opened.store.read({ kind: 'result' }) as Iterable<{ body: JsonObject }>)]
    expect(record?.body.outcome).toEqual({ state: 'unknown', why: 'it says `timed out`', of: [auditEntryId] })
  })

  test.each([0, 1, 63, 64, 65, 80])('a result closes its call and no other one, with %i others open', async (others) => {
    const work = workplace(POLICY)
    const open = () => work.opened.store.query((tx) => openAttempts(tx, 200)).length
    for (let amount = 1; amount <= others; amount++) await work.decide(transfer({ amount }))
    await returned(work.opened, transfer({ amount: 1_000 }), { ok: true })
    expect(open()).toBe(others)
    await work.decide(transfer({ amount: 1_000 }))
    await returned(work.opened, transfer({ amount: 1_000 }), { ok: true })
    expect(open()).toBe(others)
    await returned(work.opened, callOf('transfer_funds', transfer({ amount: 1 }).args, { principal: { tenant: 't-2' } }), { ok: true })
    expect(open()).toBe(others)
    if (others > 0) await returned(work.opened, transfer({ amount: 1 }), { ok: true })
    expect(open()).toBe(Math.max(0, others - 1))
  })

  test('names neither arguments nor keys in clear', async () => {
    const work = workplace(POLICY)
    await work.decide(transfer({ idempotency_key: 'k-secret-key-1' }))
    const [row] = work.opened.store.query((tx) => tx.all('SELECT effect, call, idempotency FROM outcomes'))
    expect(JSON.stringify(row)).not.toContain('acct-1')
    const [record] = [...(work.opened.store.read({ kind: 'decision' }) as Iterable<{ body: JsonObject }>)]
    const decision = own(record?.body ?? {}, 'decision')
    expect(isJsonObject(decision) ? own(decision, 'outcome') : null).toMatchObject({
      effects: [{ verb: 'pay', effect: row?.effect }],
      retries: [],
    })
  })
})
