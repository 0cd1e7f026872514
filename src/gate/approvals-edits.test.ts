/** Arguments that people change: decided again from the start, shown before they count, run once or told to the agent. */
import { describe, expect, test } from 'vitest'
import { proves } from '../../test/proves.ts'
import { bash, callOf } from '../../test/support/calls.ts'
import { type Workplace, workplace } from '../../test/support/workplace.ts'
import type { ToolCall } from '../core/call.ts'
import type { JsonObject } from '../core/json.ts'

const FORCE = 'git push --force origin main'
const LEASE = 'git push --force-with-lease origin main'
const REWRITES = { attended: false, rewrites: true }
const SECRET = `ghp_${'a1B2'.repeat(9)}`

/** Asked, and changed by alice; nobody has agreed yet. */
async function changed(work: Workplace, call: ToolCall, args: JsonObject): Promise<string> {
  const { id } = await work.asks(call)
  const outcome = await work.answer(id, { modifiedArguments: args })
  expect([outcome.refused, outcome.happened, outcome.approval.status]).toEqual([null, ['amended'], 'pending'])
  return id
}

async function approvedChange(work: Workplace, call: ToolCall, args: JsonObject): Promise<string> {
  const id = await changed(work, call, args)
  expect((await work.answer(id, { version: work.stored(id).version })).approval.status).toBe('approved')
  return id
}

describe('changed arguments', () => {
  proves(
    ['PRO-28c', 'PIT-6', 'PRO-W13'],
    'are decided again and shown before they count, then run once in the place of the call',
    async () => {
      const work = workplace()
      const { id, version } = await work.asks(bash(FORCE))
      const outcome = await work.answer(id, { modifiedArguments: { command: LEASE } })
      expect(outcome.approval).toMatchObject({ status: 'pending', answers: [], edit: { by: 'human:alice', args: { command: LEASE } } })
      const shown = work.stored(id)
      expect(shown.version).toBe(version + 1)
      expect(shown.sheet).toMatchObject({ call: { args: { command: LEASE } }, decision: 'ask' })
      expect(shown.edit?.before).toMatchObject({ call: { args: { command: FORCE } } })
      expect(await work.says(bash(FORCE), REWRITES)).toMatch(/^ask /)
      expect((await work.answer(id, { version })).refused?.code).toBe('approval.changed')
      expect((await work.answer(id, { version: version + 1 })).approval.status).toBe('approved')
      const run = await work.decide(bash(FORCE), REWRITES)
      expect(run).toMatchObject({ decision: 'flag', modified: { arguments: { command: LEASE }, approval: id } })
      expect(run.effects).toMatchObject([{ attributes: { lease: true } }])
      expect(run.agentReason).toContain(`Approved with modified arguments: {"command":"${LEASE}"}`)
      expect(work.stored(id).status).toBe('consumed')
      expect(await work.says(bash(FORCE), REWRITES)).toMatch(/^ask /)
    },
  )

  proves(['PIT-6', 'T20'], 'are told to a host that cannot put them in, and run once when they are sent', async () => {
    const work = workplace()
    const id = await approvedChange(work, bash(FORCE), { command: LEASE })
    expect(await work.says(bash(LEASE))).toMatch(/^ask /)
    const told = await work.decide(bash(FORCE))
    expect(told).toMatchObject({ decision: 'deny', code: 'approval.with_changes', modified: { arguments: { command: LEASE } } })
    expect(told.agentReason).toContain(`Arguments: {"command":"${LEASE}"}`)
    expect(work.stored(id).status).toBe('approved')
    expect(await work.says(bash(`${LEASE} `))).toMatch(/^ask /)
    expect(await work.says(bash(LEASE))).toBe('flag allow.permitted')
    expect(work.stored(id).status).toBe('consumed')
    expect(await work.says(bash(LEASE))).toMatch(/^ask /)
    expect(await work.says(bash(FORCE))).toMatch(/^ask /)
  })

  test('a judge is asked about both, and both calls of it are in the one record', async () => {
    const judges = 'judges: { e: { provider: embedded, mode: shadow } }\ntool_validation: [{ type: semantic, judge_agent: e }]\n'
    const asked = ({ findings }: Awaited<ReturnType<Workplace['decide']>>) =>
      findings.filter(({ layer }) => layer === 'judge').map(({ verdict, evidence }) => [verdict, evidence.asked, evidence.input_digest])
    const work = workplace(judges)
    const id = await approvedChange(work, bash(FORCE), { command: LEASE })
    const run = await work.decide(bash(FORCE), REWRITES)
    expect([run.decision, run.modified?.approval]).toEqual(['flag', id])
    const both = asked(run)
    expect(both.map(([verdict, judge]) => [verdict, judge])).toEqual([
      ['abstain', ['e']],
      ['abstain', ['e']],
    ])
    expect(new Set(both.map(([, , digest]) => digest)).size).toBe(2)
    const { determining, findings } = run
    expect(determining.every((index) => findings[index]?.layer !== 'judge')).toBe(true)
  })

  proves('P7', 'run once however many hosts put them in at the same time', async () => {
    const work = workplace()
    await approvedChange(work, bash(FORCE), { command: LEASE })
    const decisions = await Promise.all(Array.from({ length: 40 }, () => work.decide(bash(FORCE), REWRITES)))
    expect(decisions.filter(({ decision }) => decision === 'flag')).toHaveLength(1)
    expect(decisions.filter(({ code, modified }) => code === 'approval.consumed' && (modified ?? null) === null)).toHaveLength(39)
  })

  proves('PIT-6', 'cannot change the tool, whatever they are called', async () => {
    const work = workplace()
    const names = { tool: 'Read', name: 'Read', tool_name: 'Read', server: 'x', args: {}, call: {}, __proto__: null }
    await approvedChange(work, bash(FORCE), JSON.parse(JSON.stringify(names)))
    const told = await work.decide(bash(FORCE), REWRITES)
    expect(told.modified?.arguments).toMatchObject({ command: FORCE, tool: 'Read' })
    expect(told.effects).toMatchObject([{ action: 'git:push' }])
  })

  proves(['PRO-28c', 'P2'], 'that are denied cannot be approved', async () => {
    const work = workplace('rules: { deny: [{ tool: Bash, argument_contains: npm }] }\n')
    const { id, version } = await work.asks(bash(FORCE))
    for (const command of ['rm -rf ~', 'npm publish', 'countersign approvals approve x']) {
      const { refused, approval } = await work.answer(id, { modifiedArguments: { command } })
      expect([command, refused?.code, approval.version]).toEqual([command, 'approval.modified_denied', version])
    }
    expect(work.stored(id)).toMatchObject({ status: 'pending', version, edit: null })
  })

  const schema = {
    type: 'object',
    properties: { to: { type: 'string' }, copies: { type: 'integer' } },
    required: ['to'],
    additionalProperties: false,
  }
  const send = callOf(
    'mcp_send',
    { to: 'a@example.com', copies: 1 },
    { definition: { description: null, inputSchema: schema, annotations: null } },
  )
  for (const args of [{ copies: 'two' }, { to: 5 }, { to: null }, { copies: 1.5 }] as const) {
    proves('PRO-28a', `that do not fit the schema cannot be approved: ${JSON.stringify(args)}`, async () => {
      const work = workplace()
      const { id } = await work.asks(send)
      const { refused } = await work.answer(id, { modifiedArguments: args })
      expect([refused?.code, refused?.message]).toEqual(['approval.modified_denied', expect.stringContaining('not valid')])
    })
  }

  proves('PRO-28b', 'that come back as they were shown are unchanged, masks of secrets too', async () => {
    const work = workplace()
    const call = callOf('Bash', { command: `GH_TOKEN=${SECRET} ${FORCE}`, description: 'push', timeout: 5 })
    const { id, sheet } = await work.asks(call)
    const shown = (sheet.call as { args: JsonObject }).args
    expect(JSON.stringify(shown)).not.toContain(SECRET)
    expect((await work.answer(id, { modifiedArguments: { ...shown, timeout: 9 } })).approval.edit?.args).toEqual({ timeout: 9 })
    expect((await work.answer(id)).approval.status).toBe('approved')
    const run = await work.decide(call, REWRITES)
    expect(run.modified?.arguments).toEqual({ ...call.args, timeout: 9 })
    expect(JSON.stringify([...work.opened.store.query((tx) => tx.all('SELECT body FROM approvals'))])).not.toContain(SECRET)
  })

  const masked: readonly (readonly [title: string, change: (shown: string) => string])[] = [
    ['a mask inside of a change', (shown) => `${shown} --verbose`],
    ['a mask alone', () => '[redacted github-token]'],
    ['a new secret', () => `GH_TOKEN=${SECRET} git push origin main`],
  ]
  for (const [title, change] of masked) {
    proves(['T60', 'PRO-W13'], `cannot hold ${title}`, async () => {
      const work = workplace()
      const { id, sheet } = await work.asks(bash(`GH_TOKEN=${SECRET} ${FORCE}`))
      const shown = String((sheet.call as { args: JsonObject }).args.command)
      expect((await work.answer(id, { modifiedArguments: { command: change(shown) } })).refused?.code).toBe('approval.redacted')
    })
  }

  test('all as they were shown, or none at all, are a plain yes', async () => {
    for (const args of [{ command: FORCE }, {}]) {
      const work = workplace()
      const { id } = await work.asks(bash(FORCE))
      expect((await work.answer(id, { modifiedArguments: args })).approval).toMatchObject({ status: 'approved', edit: null })
      expect(await work.says(bash(FORCE))).toBe('flag allow.permitted')
    }
  })

  test('of a no are left aside', async () => {
    const work = workplace()
    const { id } = await work.asks(bash(FORCE))
    const { approval } = await work.answer(id, { verdict: 'deny', modifiedArguments: { command: LEASE } })
    expect([approval.status, approval.edit]).toEqual(['denied', null])
  })

  proves(['T25', 'PIT-6'], 'void every yes to those of before, and are for whoever may approve', async () => {
    const work = workplace('approvals: { quorum: 2, approvers: { "*": [alice, bob, me] } }\n')
    const { id } = await work.asks(bash(FORCE, { principal: { agent: null } }))
    await work.answer(id, { by: 'human:bob' })
    for (const [by, code] of [
      ['human:me', 'approval.requester'],
      ['human:mallory', 'approval.not_approver'],
    ] as const)
      expect((await work.answer(id, { by, modifiedArguments: { command: LEASE } })).refused?.code).toBe(code)
    expect(work.stored(id).answers).toHaveLength(1)
    await work.answer(id, { modifiedArguments: { command: LEASE } })
    expect(work.stored(id)).toMatchObject({ status: 'pending', answers: [] })
    await work.answer(id)
    expect(work.stored(id).status).toBe('pending')
    expect((await work.answer(id, { by: 'human:bob' })).approval.status).toBe('approved')
  })

  test('can be changed once more, and each time it is asked anew', async () => {
    const work = workplace()
    const id = await changed(work, bash(FORCE), { command: LEASE })
    await work.answer(id, { modifiedArguments: { timeout: 10 } })
    const { edit, version, sheet } = work.stored(id)
    expect(edit?.args).toEqual({ command: LEASE, timeout: 10 })
    expect(edit?.before).toMatchObject({ call: { args: { command: FORCE } } })
    expect(sheet).toMatchObject({ call: { args: { command: LEASE, timeout: 10 } } })
    await work.answer(id, { version })
    expect((await work.decide(bash(FORCE), REWRITES)).modified?.arguments).toEqual({ command: LEASE, timeout: 10 })
  })

  test('reach no further than the one call', async () => {
    const work = workplace()
    const id = await changed(work, bash(FORCE), { command: 'git push origin main' })
    expect(work.stored(id).proposals).toEqual([])
    expect((await work.answer(id, { scope: 'session' })).refused?.code).toBe('approval.scope')
    expect((await work.answer(id)).approval.status).toBe('approved')
  })

  proves(['T21', 'PIT-18'], 'do not outlive the policy: the call is asked as it came', async () => {
    const work = workplace()
    const id = await approvedChange(work, bash(FORCE), { command: LEASE })
    work.policy('limits: { max_depth: 63 }\n')
    const asked = await work.decide(bash(FORCE), REWRITES)
    expect([asked.decision, asked.code, asked.modified ?? null]).toEqual(['ask', 'approval.stale', null])
    expect(work.stored(id).status).toBe('cancelled')
    expect(work.stored(asked.approval?.id ?? '').sheet).toMatchObject({ call: { args: { command: FORCE } } })
  })

  proves(['P6', 'T02'], 'do not outlive what they would run: another script, and the call is asked as it came', async () => {
    const work = workplace()
    work.files['/repo/run.sh'] = `${LEASE}\n`
    const id = await approvedChange(work, bash(FORCE), { command: 'bash run.sh' })
    work.files['/repo/run.sh'] = `${FORCE}\n`
    const asked = await work.decide(bash(FORCE), REWRITES)
    expect([asked.decision, asked.code]).toEqual(['ask', 'approval.stale'])
    expect(work.stored(id).status).toBe('cancelled')
    expect(asked.approval?.id).not.toBe(id)
  })

  proves('P2', 'do not lift a denial that holds by then', async () => {
    const work = workplace()
    work.files['/repo/run.sh'] = `${LEASE}\n`
    const id = await approvedChange(work, bash(FORCE), { command: 'bash run.sh' })
    work.files['/repo/run.sh'] = 'rm -rf ~\n'
    expect((await work.decide(bash(FORCE), REWRITES)).decision).toBe('deny')
    expect(work.stored(id).status).toBe('approved')
  })

  test('wait like everything else: the call as it came finds its approval, its token too', async () => {
    const work = workplace()
    const { decision, approval } = await work.decide(bash(FORCE))
    const token = approval?.token ?? ''
    expect(decision).toBe('ask')
    await work.answer(approval?.id ?? '', { modifiedArguments: { command: LEASE } })
    expect((await work.decide(bash(FORCE))).approval?.id).toBe(approval?.id)
    expect((await work.decide(bash(FORCE, { approval: token }))).decision).toBe('ask')
    await work.answer(approval?.id ?? '')
    expect(await work.says(bash(LEASE, { approval: token }))).toMatch(/^ask /)
    expect(await work.says(bash(FORCE, { approval: token }), REWRITES)).toBe('flag allow.permitted')
    expect(await work.says(bash(FORCE, { approval: token }), REWRITES)).toBe('deny approval.consumed')
  })

  test('that people deny after all are denied', async () => {
    const work = workplace()
    const id = await approvedChange(work, bash(FORCE), { command: LEASE })
    await work.answer(id, { by: 'human:bob', verdict: 'deny' })
    for (const command of [FORCE, LEASE]) expect((await work.decide(bash(command), REWRITES)).decision).not.toBe('flag')
  })

  test('are in the log: who changed what, and what ran', async () => {
    const work = workplace()
    const id = await approvedChange(work, bash(FORCE), { command: LEASE })
    await work.decide(bash(FORCE), REWRITES)
    const records = work.opened.store.read({}) as Iterable<{ kind: string; body: JsonObject }>
    const told = [...records]
    expect(told.filter(({ kind }) => kind === 'approval').map(({ body }) => body)).toMatchObject([
      { event: 'amend', approval: id, by: 'human:alice', modified_arguments: { command: LEASE }, happened: ['amended'] },
      { event: 'approve', approval: id },
    ])
    expect(told.at(-1)?.body).toMatchObject({
      call: { args: { command: LEASE } },
      decision: { modified_arguments: { command: LEASE }, original_call_digest: expect.stringMatching(/^sha256:/) },
    })
  })
})
