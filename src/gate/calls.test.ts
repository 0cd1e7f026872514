/** One id of a host's call, one call: what a second decision under it may use, and what it is refused (T20). */
import { describe, expect, test } from 'vitest'
import { proves } from '../../test/proves.ts'
import { bash, type CallChanges } from '../../test/support/calls.ts'
import { NOTE } from '../../test/support/records.ts'
import { type Workplace, workplace } from '../../test/support/workplace.ts'
import { auditVerify } from '../audit/log.ts'

const FORCE = 'git push --force origin main'
const LEASE = 'git push --force-with-lease origin main'
/** Of `origin` in the described world: a grant holds the address, not the name alone. */
const URL = 'https://git.example/acme/shop.git'
const RUNS = 'flag allow.permitted'
const REUSED = 'deny session.call_id'
const REWRITES = { attended: false, rewrites: true }

const call = (callId: string | null, command = FORCE, changes: CallChanges = {}) => bash(command, { callId, ...changes })

async function ran(work: Workplace, callId: string): Promise<string> {
  const { id } = await work.asks(call(callId))
  await work.answer(id)
  expect(await work.says(call(callId))).toBe(RUNS)
  return id
}

describe('the same id with the same call', () => {
  proves(['T20', 'P7'], 'is let through again without a second approval; another id is asked', async () => {
    const work = workplace()
    const id = await ran(work, 'toolu_1')
    expect(work.stored(id)).toMatchObject({ status: 'consumed', uses: 1 })
    const again = await work.decide(call('toolu_1'))
    expect(again).toMatchObject({ decision: 'flag', repeats: true, resolutions: [{ by: 'human', id, evidence: { repeated: true } }] })
    expect(work.stored(id).uses).toBe(1)
    expect(await work.says(call('toolu_2'))).toMatch(/^ask /)
    expect(work.queue.list({ tenant: null }).approvals).toHaveLength(2)
    expect(auditVerify({ directory: work.home }).ok).toBe(true)
  })

  proves('T20', 'uses no second grant', async () => {
    const work = workplace('capabilities: { gate: [git:push] }\nlayers: { capability: { enforcement: soft } }\n')
    const push = (callId: string) => call(callId, 'git push origin main')
    const { id } = await work.asks(push('toolu_1'))
    await work.answer(id, {
      scope: {
        grant: { action: 'git:push', scope: { target: 'origin', remote: 'origin', branch: 'main', details: { url: URL } }, count: 2 },
      },
    })
    expect((await work.decide(push('toolu_2'))).decision).toBe('flag')
    for (let time = 0; time < 5; time += 1) expect(await work.decide(push('toolu_2'))).toMatchObject({ decision: 'flag', repeats: true })
    expect((await work.decide(push('toolu_3'))).decision).toBe('flag')
    expect(work.stored(id).status).toBe('approved')
  })

  test('that waits, waits on; once it is approved it runs', async () => {
    const work = workplace()
    const { id } = await work.asks(call('toolu_1'))
    expect((await work.decide(call('toolu_1'))).approval?.id).toBe(id)
    await work.answer(id)
    expect(await work.says(call('toolu_1'))).toBe(RUNS)
  })

  proves('P2', 'is judged anew: a policy that denies it by now denies it', async () => {
    const work = workplace()
    await ran(work, 'toolu_1')
    work.policy('rules: { deny: [{ tool: Bash }] }\n')
    expect((await work.decide(call('toolu_1'))).decision).toBe('deny')
    work.policy('limits: { max_depth: 63 }\n')
    expect((await work.decide(call('toolu_1'))).decision).toBe('ask')
  })

  proves('T20', 'and arguments that people changed is the same call', async () => {
    const work = workplace()
    const { id } = await work.asks(call('toolu_1'))
    await work.answer(id, { modifiedArguments: { command: LEASE } })
    await work.answer(id)
    const run = await work.decide(call('toolu_1'), REWRITES)
    expect(run).toMatchObject({ decision: 'flag', modified: { arguments: { command: LEASE } } })
    expect(work.stored(id).status).toBe('consumed')
    expect(await work.says(call('toolu_1', LEASE), REWRITES)).toBe(REUSED)
  })

  proves(['T20', 'P7'], 'many times at once runs on one approval', async () => {
    const work = workplace()
    const { id } = await work.asks(call('toolu_0'))
    await work.answer(id)
    const decisions = await Promise.all(Array.from({ length: 50 }, (_, index) => work.decide(call(`toolu_${index}`))))
    expect(decisions.filter(({ decision }) => decision === 'flag')).toHaveLength(1)
    expect(work.stored(id).uses).toBe(1)
  })
})

describe('the same id with another call', () => {
  const others: readonly (readonly [what: string, command: string, changes?: CallChanges])[] = [
    ['other arguments', LEASE],
    ['one byte more', `${FORCE} `],
    ['what would be allowed', 'git status'],
    ['another tool', FORCE, { tool: { server: 'shell', name: 'Bash', definition: null } }],
    ['another directory', FORCE, { cwd: '/other' }],
    ['another agent', FORCE, { principal: { agent: 'other' } }],
    ['another user', FORCE, { principal: { user: 'you' } }],
  ]
  for (const [what, command, changes] of others) {
    proves('T20', `is denied, with a code of its own: ${what}`, async () => {
      const work = workplace()
      await ran(work, 'toolu_1')
      expect(await work.says(call('toolu_1', command, changes))).toBe(REUSED)
      expect(await work.says(call('toolu_1'))).toBe(RUNS)
    })
  }

  const same: readonly (readonly [what: string, changes: CallChanges])[] = [
    ['session', { session: 's-2' }],
    ['tenant', { principal: { tenant: 'acme' } }],
  ]
  for (const [what, changes] of same) {
    proves(['T20', 'T64'], `is another id in another ${what}`, async () => {
      const work = workplace()
      await ran(work, 'toolu_1')
      expect(await work.says(call('toolu_1', FORCE, changes))).toMatch(/^ask /)
    })
  }

  test('is no matter without an id or without a session', async () => {
    const work = workplace()
    for (const changes of [{}, { session: null }]) {
      await work.decide(call(changes.session === null ? 'toolu_1' : null, FORCE, changes))
      expect(await work.says(call(changes.session === null ? 'toolu_1' : null, LEASE, changes))).not.toBe(REUSED)
    }
  })

  test('is no matter while nobody was asked and nothing was given', async () => {
    const work = workplace()
    for (const command of ['git status', 'ls', 'git diff']) expect(await work.says(call('toolu_1', command))).toMatch(/^allow /)
    expect(await work.says(call('toolu_1', 'rm -rf /'))).not.toBe(REUSED)
    expect(await work.says(call('toolu_1', 'ls -la'))).toMatch(/^allow /)
  })

  test('at the same time: one of them is judged, the others are denied', async () => {
    const work = workplace()
    const commands = Array.from({ length: 20 }, (_, index) => `${FORCE}-${index}`)
    const said = await Promise.all(commands.map((command) => work.says(call('toolu_1', command))))
    expect(said.filter((each) => each === REUSED)).toHaveLength(19)
  })
})

describe('what is kept of an id', () => {
  const forged = '{"policy":"x","ran":true,"resolutions":[{"by":"human","id":"x","verdict":"allow"}]}'
  for (const sql of [
    `UPDATE calls SET body = '${forged}'`,
    `UPDATE calls SET body = '${forged}', mac = '${'0'.repeat(64)}'`,
    `UPDATE calls SET body = replace(body, 'false', 'true')`,
    `UPDATE calls SET call_id = 'toolu_2'`,
    `UPDATE calls SET expires_at = expires_at + 1`,
  ]) {
    proves('P8', `lets nothing run once somebody else wrote it: ${sql.slice(17, 70)}`, async () => {
      const work = workplace()
      await work.decide(call('toolu_1'))
      await work.opened.store.run((tx) => tx.run(sql), NOTE)
      for (const id of ['toolu_1', 'toolu_2']) expect((await work.decide(call(id))).decision).toBe('ask')
    })
  }

  proves('T60', 'holds neither arguments nor a digest that could be guessed', async () => {
    const work = workplace()
    const { callDigest } = await work.decide(call('toolu_1'))
    const rows = JSON.stringify(work.opened.store.query((tx) => tx.all('SELECT * FROM calls')))
    expect(rows).toContain('toolu_1')
    for (const text of ['push', callDigest, callDigest.slice(7)]) expect(rows).not.toContain(text)
  })

  test('ends after a day', async () => {
    const work = workplace()
    await work.decide(call('toolu_1'))
    const [row] = work.opened.store.query((tx) => tx.all('SELECT expires_at FROM calls'))
    expect(Number(row?.expires_at) - Date.now()).toBeGreaterThan(86_000_000)
    await work.opened.store.run((tx) => tx.run('UPDATE calls SET expires_at = 1'), NOTE)
    expect(await work.says(call('toolu_1', LEASE))).not.toBe(REUSED)
    expect(work.opened.store.query((tx) => tx.all('SELECT call_id FROM calls'))).toHaveLength(1)
  })
})
