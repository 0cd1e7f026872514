/** How far a yes reaches: one call, its likes in the session, a narrow grant; and how often a session may ask at all. */
import { describe, expect, test } from 'vitest'
import { proves } from '../../test/proves.ts'
import { bash, type CallChanges, callOf } from '../../test/support/calls.ts'
import { type Workplace, workplace } from '../../test/support/workplace.ts'
import type { GrantProposal } from '../approvals/proposals.ts'
import type { StoredApproval } from '../approvals/store.ts'
import { auditVerify } from '../audit/log.ts'
import type { Json, JsonObject } from '../core/json.ts'

const FORCE = 'git push --force origin main'
const RUNS = 'flag allow.permitted'

async function forSession(work: Workplace, command = FORCE): Promise<StoredApproval> {
  const { id } = await work.asks(bash(command))
  const { approval, refused } = await work.answer(id, { scope: 'session' })
  expect([refused, approval.status, approval.scope]).toEqual([null, 'approved', 'session'])
  return approval
}

describe('a yes for the session', () => {
  proves('P7', 'holds for what has the same effects on the same targets, in whatever words, and a counted number of times', async () => {
    const work = workplace('approvals: { scopes: { session: { uses: 3 } } }\n')
    const { id } = await forSession(work)
    for (const command of [FORCE, 'git push -f origin main', 'git   push origin main  --force'])
      expect([command, await work.says(bash(command))]).toEqual([command, RUNS])
    expect(work.stored(id)).toMatchObject({ status: 'consumed', uses: 3 })
    expect(await work.says(bash(FORCE))).toMatch(/^ask /)
    expect(auditVerify({ directory: work.home }).ok).toBe(true)
  })

  const others: readonly (readonly [what: string, command: string, changes?: CallChanges])[] = [
    ['another branch', 'git push --force origin dev'],
    ['another remote', 'git push --force upstream main'],
    ['another option that changes the effect', 'git push --force --no-verify origin main'],
    ['less than was asked', 'git push origin main'],
    ['something beside it', `${FORCE} && git push --force origin dev`],
    ['something that cannot be told beside it', `${FORCE} && $X`],
    ['another session', FORCE, { session: 's-2' }],
    ['no session', FORCE, { session: null }],
    ['another directory', FORCE, { cwd: '/other' }],
    ['another user', FORCE, { principal: { user: 'you' } }],
    ['another agent', FORCE, { principal: { agent: 'other' } }],
    ['another role', FORCE, { principal: { role: 'admin' } }],
    ['another tenant', FORCE, { principal: { tenant: 'acme' } }],
    ['another definition', FORCE, { tool: { server: null, name: 'Bash', definition: 'sha256:x' } }],
  ]
  for (const [what, command, changes] of others) {
    proves(['P6', 'T01', 'T64'], `does not hold for ${what}`, async () => {
      const work = workplace()
      const { id } = await forSession(work)
      const decision = await work.decide(bash(command, changes))
      expect(decision.resolutions.filter((each) => each.id === id)).toEqual([])
      expect(work.stored(id).uses).toBe(0)
    })
  }

  proves(['P2', 'T25'], 'never lifts a denial, and ends with a no', async () => {
    const work = workplace()
    const { id } = await forSession(work)
    work.policy('rules: { deny: [{ tool: Bash }] }\n')
    expect((await work.decide(bash(FORCE))).decision).toBe('deny')
    work.policy('')
    expect(await work.says(bash(FORCE))).toBe(RUNS)
    await work.answer(id, { verdict: 'deny', by: 'human:bob' })
    expect(await work.says(bash('git push -f origin main'))).toBe('deny approval.remembered')
  })

  proves(['T21', 'PIT-18'], 'ends with the policy it was given under', async () => {
    const work = workplace()
    const { id } = await forSession(work)
    work.policy('limits: { max_depth: 63 }\n')
    expect(await work.says(bash(FORCE))).toMatch(/^ask approval.stale/)
    work.policy('')
    expect(work.stored(id).status).toBe('cancelled')
  })

  proves(['P7', 'T20'], 'is used exactly as often as it may be, however many calls come at the same time', async () => {
    const work = workplace('approvals: { scopes: { session: { uses: 7 } } }\n')
    await forSession(work)
    const decisions = await Promise.all(
      Array.from({ length: 60 }, (_, index) => work.decide(bash(`git push${' '.repeat(1 + (index % 5))}-f origin main`))),
    )
    expect(decisions.filter(({ decision }) => decision === 'flag')).toHaveLength(7)
  })

  test('ends with its time', async () => {
    const work = workplace('approvals: { scopes: { session: { within: 1ms } } }\n')
    await forSession(work)
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect(await work.says(bash('git push -f origin main'))).toMatch(/^ask /)
  })

  test('covers a call that waited already', async () => {
    const work = workplace()
    const { id } = await work.asks(bash('git push -f origin main'))
    await forSession(work)
    expect(await work.says(bash('git push -f origin main'))).toBe(RUNS)
    expect(work.stored(id).status).toBe('pending')
  })

  const scripts = { '/repo/run.sh': `${FORCE}\n` }
  proves('T02', 'for a script ends with its content', async () => {
    const work = workplace()
    Object.assign(work.files, scripts)
    await forSession(work, 'bash run.sh')
    expect(await work.says(bash('bash ./run.sh'))).toBe(RUNS)
    work.files['/repo/run.sh'] = `${FORCE}\n${FORCE}\n\n`
    expect(await work.says(bash('bash run.sh'))).not.toBe(RUNS)
  })

  const offered: readonly (readonly [title: string, offered: boolean, section: string, call: ReturnType<typeof bash>])[] = [
    ['a push', true, '', bash(FORCE)],
    ['a push without a session', false, '', bash(FORCE, { session: null })],
    ['a policy that offers none', false, 'approvals: { scopes: { session: { uses: 0 } } }\n', bash(FORCE)],
    ['a program that nobody knows', false, '', bash('frobnicate --all')],
    ['a script that nobody saw', false, '', bash('bash unseen.sh')],
    ['a script of the package', false, '', bash('npm run deploy')],
    ['what cannot be told', false, '', bash('git push --force $REMOTE main')],
    ['an unknown tool', false, '', callOf('mcp_thing', { path: '/repo/a' })],
    [
      'a payment',
      false,
      'tools: { pay: { effects: [{ verb: pay, kind: account, from: [to] }] } }\n',
      callOf('pay', { to: 'x', amount: 5 }),
    ],
    ['the branch that is checked out', true, '', bash('git push --force origin')],
    ['a branch that is not known', false, '', bash('git push --force origin $B')],
    ['many files', false, '', bash('rm -rf /repo/.git/*')],
    ['a message', false, '', bash('curl -d @notes.txt https://example.com/in')],
    ['a start-up file', false, '', callOf('Write', { file_path: '/home/user/.bashrc', content: 'x' })],
    [
      'a file of the workspace',
      true,
      'rules: { ask: [{ tool: Write }] }\n',
      callOf('Write', { file_path: '/repo/src/a.ts', content: 'x' }),
    ],
  ]
  for (const [title, wanted, section, call] of offered) {
    proves('T23', `is ${wanted ? 'offered' : 'neither offered nor taken'} for ${title}`, async () => {
      const work = workplace(section)
      const { decision, approval } = await work.decide(call)
      if (decision !== 'ask') return expect([title, wanted]).toEqual([title, false])
      const { id, proposals } = work.stored(approval?.id ?? '')
      expect(proposals.some(({ kind }) => kind === 'session')).toBe(wanted)
      const { refused } = await work.answer(id, { scope: 'session' })
      expect(refused?.code ?? null).toBe(wanted ? null : 'approval.scope')
    })
  }

  test('is given only where everybody gives it', async () => {
    const work = workplace('approvals: { quorum: 2 }\n')
    for (const [first, second, scope] of [
      ['session', 'session', 'session'],
      ['session', 'once', 'once'],
      ['once', 'session', 'once'],
    ] as const) {
      const { id } = await work.asks(bash(FORCE, { session: `${first}-${second}` }))
      await work.answer(id, { scope: first })
      expect((await work.answer(id, { by: 'human:bob', scope: second })).approval.scope).toBe(scope)
    }
  })

  test('is not given by breaking the glass', async () => {
    const work = workplace('approvals: { break_glass: [alice] }\n')
    const { id } = await work.asks(bash(FORCE))
    expect((await work.answer(id, { scope: 'session', breakGlass: true, comment: 'fire' })).refused?.code).toBe('approval.scope')
  })
})

const GATED = 'capabilities: { gate: [git:push] }\nlayers: { capability: { enforcement: soft } }\n'
const PUSH = 'git push origin main'

/** The grant that the form proposes for a push. */
async function proposed(work: Workplace, command = PUSH): Promise<{ readonly id: string; readonly proposal: GrantProposal }> {
  const { id, proposals } = await work.asks(bash(command))
  const proposal = proposals.find((each): each is GrantProposal => each.kind === 'grant')
  if (proposal === undefined) throw new Error('no grant is proposed')
  return { id, proposal }
}

const URL = 'https://git.example/acme/shop.git'

const asked = (changes: JsonObject = {}): Json => ({
  grant: { action: 'git:push', scope: { target: 'origin', remote: 'origin', branch: 'main', details: { url: URL } }, ...changes },
})

describe('a grant with the yes', () => {
  proves('T23', 'is narrow, ends and is counted: for later calls like this one and no others', async () => {
    const work = workplace(GATED)
    const { id, proposal } = await proposed(work)
    expect(proposal).toMatchObject({
      action: 'git:push',
      scope: { target: 'origin', remote: 'origin', branch: 'main', details: { url: URL } },
      count: 5,
    })
    expect(proposal.binding).toEqual({ agent: 'claude-code', role: null, user: 'me', tenant: null, session: null })
    const { grant, refused } = await work.answer(id, { scope: asked({ count: 2 }) })
    expect([refused, grant?.count, grant?.author]).toEqual([null, 2, 'human:alice'])
    expect((grant?.expires ?? 0) - Date.now()).toBeLessThanOrEqual(28_800_000)
    const said: string[] = []
    for (let time = 0; time < 4; time += 1) said.push((await work.decide(bash(PUSH, { session: `later-${time}` }))).decision)
    expect(said).toEqual(['flag', 'flag', 'ask', 'ask'])
  })

  const narrower: readonly (readonly [title: string, scope: Json, taken: boolean])[] = [
    ['as proposed', asked(), true],
    ['fewer uses', asked({ count: 1 }), true],
    ['a sooner end', asked({ expires: new Date(Date.now() + 60_000).toISOString() }), true],
    ['more uses', asked({ count: 6 }), false],
    ['no uses', asked({ count: 0 }), false],
    ['half a use', asked({ count: 1.5 }), false],
    ['uses without number', asked({ count: null }), false],
    ['a later end', asked({ expires: '2999-01-01T00:00:00Z' }), false],
    ['no end', asked({ expires: null }), false],
    ['an end that is none', asked({ expires: 'never' }), false],
    ['an end in the past', asked({ expires: '2020-01-01T00:00:00Z' }), false],
    ['another action', asked({ action: 'npm:publish' }), false],
    ['a family', asked({ action: 'git:*' }), false],
    ['another branch', asked({ scope: { target: 'origin', remote: 'origin', branch: 'dev', details: { url: URL } } }), false],
    ['every branch', asked({ scope: { target: 'origin', remote: 'origin', branch: '*', details: { url: URL } } }), false],
    ['no branch', asked({ scope: { target: 'origin', remote: 'origin', details: { url: URL } } }), false],
    ['no details', asked({ scope: { target: 'origin', remote: 'origin', branch: 'main' } }), false],
    ['fewer details', asked({ scope: { target: 'origin', remote: 'origin', branch: 'main', details: {} } }), false],
    [
      'other details',
      asked({ scope: { target: 'origin', remote: 'origin', branch: 'main', details: { url: 'https://x.example' } } }),
      false,
    ],
    ['no scope', asked({ scope: {} }), false],
    ['force', asked({ scope: { target: 'origin', remote: 'origin', branch: 'main', force: true, details: { url: URL } } }), false],
    ['a scope that is none', asked({ scope: 'origin' }), false],
    ['an unknown field of the scope', asked({ scope: { target: 'origin', tool: 'Bash' } }), false],
    ['a field of another type', asked({ scope: { target: 5 } }), false],
    ['an unknown field', asked({ tool: 'Bash' }), false],
    ['a binding of its own', asked({ session: 's-1' }), false],
    ['no grant', { grant: null }, false],
    ['something beside it', { ...(asked() as JsonObject), always: true }, false],
    ['always', 'always', false],
    ['a number', 1, false],
    ['a list', [], false],
    ['nothing', null, false],
  ]
  for (const [title, scope, taken] of narrower) {
    proves('T23', `${taken ? 'is taken' : 'is refused'}: ${title}`, async () => {
      const work = workplace(GATED)
      const { id } = await proposed(work)
      const { refused, grant, approval } = await work.answer(id, { scope })
      expect([refused?.code ?? null, grant !== null, approval.status]).toEqual(
        taken ? [null, true, 'approved'] : ['approval.scope', false, 'pending'],
      )
    })
  }

  test('is in the record of the yes', async () => {
    const work = workplace(GATED)
    const { id } = await proposed(work)
    const { grant } = await work.answer(id, { scope: asked() })
    const records = [...(work.opened.store.read({ kind: 'approval' }) as Iterable<{ body: JsonObject }>)]
    expect(records.at(-1)?.body).toMatchObject({ event: 'approve', approval: id, grant: { id: grant?.id, action: 'git:push', count: 5 } })
  })

  proves('T64', 'is for its tenant alone', async () => {
    const work = workplace(GATED)
    const acme = { principal: { tenant: 'acme' } }
    const { id } = await work.asks(bash(PUSH, acme))
    expect((await work.answer(id, { scope: asked() })).grant?.binding.tenant).toBe('acme')
    for (const [tenant, way] of [
      [null, 'ask'],
      ['Acme', 'ask'],
      ['other', 'ask'],
      ['acme', 'flag'],
    ] as const) {
      const { decision, resolutions } = await work.decide(bash(PUSH, { session: 's-2', principal: { tenant } }))
      expect([tenant, decision, resolutions]).toEqual([tenant, way, []])
    }
  })

  test('is never proposed for what is forced, nor where nothing is gated', async () => {
    const work = workplace(GATED)
    expect((await work.asks(bash(FORCE))).proposals.map(({ kind }) => kind)).toEqual(['session'])
    expect((await workplace().asks(bash('npm publish'))).proposals.filter(({ kind }) => kind === 'grant').length).toBeLessThanOrEqual(1)
  })
})

describe('who stands in', () => {
  proves('P8', 'answers in their stead, says so, and not for who asked', async () => {
    const work = workplace('approvals: { approvers: { "*": [alice, me] }, delegates: { alice: [bob], me: [carol] } }\n')
    const { id } = await work.asks(bash(FORCE, { principal: { agent: null } }))
    expect((await work.answer(id, { by: 'human:carol' })).refused?.code).toBe('approval.not_approver')
    expect((await work.answer(id, { by: 'human:me' })).refused?.code).toBe('approval.requester')
    expect((await work.answer(id, { by: 'human:bob' })).approval.answers).toMatchObject([{ by: 'human:bob', seat: 'human:alice' }])
    const { resolutions } = await work.decide(bash(FORCE, { principal: { agent: null } }))
    expect(resolutions[0]?.reason).toBe('approved by human:bob for human:alice')
  })

  proves('T25', 'and whom they stand in for are one voice of a quorum', async () => {
    const work = workplace('approvals: { quorum: 2, approvers: { "*": [alice, dora] }, delegates: { alice: [bob] } }\n')
    const { id } = await work.asks(bash(FORCE))
    await work.answer(id, { by: 'human:bob' })
    expect((await work.answer(id, { by: 'human:alice' })).refused?.code).toBe('approval.not_approver')
    expect((await work.answer(id, { by: 'human:dora' })).approval.status).toBe('approved')
  })

  test('until their time is over', async () => {
    const work = workplace('approvals: { approvers: { "*": [alice] }, delegates: { alice: { to: [bob], until: "2020-01-01" } } }\n')
    const { id } = await work.asks(bash(FORCE))
    expect((await work.answer(id, { by: 'human:bob' })).refused?.code).toBe('approval.not_approver')
  })
})
