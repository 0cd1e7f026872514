/** Approvals through a real gate over a real store: what binds, what is used once, what is asked again, what is refused. */
import { rmSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { proves } from '../../test/proves.ts'
import { bash, type CallChanges, callOf } from '../../test/support/calls.ts'
import { NOTE } from '../../test/support/records.ts'
import { stateDirectoryOfTest } from '../../test/support/state.ts'
import { newStateDirectory } from '../../test/support/state-base.ts'
import { describedView, policyOf, workplace } from '../../test/support/workplace.ts'
import { answerApproval, type Outcome } from '../approvals/answer.ts'
import type { ApprovalEvent } from '../approvals/machine.ts'
import { readApproval, type StoredApproval } from '../approvals/store.ts'
import { auditVerify } from '../audit/log.ts'
import type { ToolCall } from '../core/call.ts'
import type { Decision } from '../core/decision.ts'
import { type OpenedGate, openGate } from '../open.ts'
import type { Policy } from '../policy/policy.ts'
import { loadKeys, rotateAuditKey } from '../store/sqlite/keys.ts'
import { openStore } from '../store/sqlite/open.ts'
import { createFixedView } from '../view/fixed.ts'

const FORCE = 'git push --force origin main'
/** An approved push runs and is flagged, as every push is. */
const RUNS = 'flag'

let home: string
let files: Record<string, string>
let policy: Policy
let opened: OpenedGate
beforeEach(() => {
  home = newStateDirectory()
  files = {}
  start()
})
afterEach(() => {
  opened.close()
  rmSync(home, { recursive: true, force: true })
})

function start(section = ''): void {
  policy = policyOf(section)
  opened = openGate({ home, policy: () => ({ policy, degraded: null }), view: () => describedView(files) })
}

function restart(section = ''): void {
  opened.close()
  start(section)
}

const decide = (call: ToolCall) => opened.gate.decide(call)

/** The approval that a call opened, and its token. */
function waits({ decision, approval }: Decision): { readonly id: string; readonly token: string | null } {
  expect(decision).toBe('ask')
  if (approval === null) throw new Error('no approval is waiting')
  return approval
}

function answer(id: string, kind: 'approve' | 'deny' | 'glass', by = 'human:alice', at = Date.now()): Promise<Outcome> {
  const event: ApprovalEvent =
    kind === 'deny' ? { kind, at, by, reason: 'no' } : { kind: 'approve', at, by, reason: 'because', breakGlass: kind === 'glass' }
  const store = openStore({ directory: home })
  return answerApproval(id, event, { store, keys: loadKeys(home) }).finally(() => store.close())
}

function stored(id: string): StoredApproval {
  const found = opened.store.query((tx) => readApproval(tx, id, loadKeys(home).ring))
  if (found === null) throw new Error(`there is no ${id}`)
  return found
}

const open = () => opened.queue.list({ tenant: null, status: 'open' }).approvals

/** Asks, has it approved, and answers the token. */
async function approved(call: ToolCall): Promise<{ readonly id: string; readonly token: string | null }> {
  const waiting = waits(await decide(call))
  expect((await answer(waiting.id, 'approve')).refused).toBeNull()
  return waiting
}

describe('an approval', () => {
  proves(['P7', 'PIT-4'], 'lets the identical call run once, then it is asked again', async () => {
    const call = bash(FORCE)
    const first = waits(await decide(call))
    expect(first.id).toMatch(/^apr_[0-9a-f]{20}$/)
    expect(stored(first.id).status).toBe('pending')
    await answer(first.id, 'approve')
    const run = await decide(call)
    expect(run).toMatchObject({ decision: RUNS, code: 'allow.permitted' })
    expect(run.resolutions[0]).toMatchObject({ by: 'human', id: first.id, reason: 'approved by human:alice: because' })
    expect(stored(first.id).status).toBe('consumed')
    const again = waits(await decide(call))
    expect(again.id).not.toBe(first.id)
  })

  proves(['P7', 'T20', 'PIT-4'], 'is used by one of a hundred concurrent calls, over several gates', async () => {
    const { token } = await approved(bash(FORCE))
    const other = openGate({
      home,
      policy: () => ({ policy, degraded: null }),
      view: () => createFixedView({ home: '/home/user', cwd: '/repo' }),
    })
    const gates = [opened.gate, other.gate]
    const decisions = await Promise.all(
      Array.from({ length: 100 }, (_, index) => gates[index % 2]?.decide(bash(FORCE, { approval: token }))),
    )
    other.close()
    expect(decisions.filter((each) => each?.decision === RUNS)).toHaveLength(1)
    expect(decisions.filter((each) => each?.decision === 'deny' && each.code === 'approval.consumed')).toHaveLength(99)
    expect(auditVerify({ directory: home }).ok).toBe(true)
  })

  test('coalesces identical asks and tells its token once', async () => {
    const first = waits(await decide(bash(FORCE)))
    const second = waits(await decide(bash(FORCE)))
    expect(second.id).toBe(first.id)
    expect([first.token === null, second.token]).toEqual([false, null])
    expect(open()).toHaveLength(1)
  })

  test('of fifty concurrent identical asks is one', async () => {
    const decisions = await Promise.all(Array.from({ length: 50 }, () => decide(bash(FORCE))))
    expect(new Set(decisions.map((each) => waits(each).id)).size).toBe(1)
    expect(decisions.filter(({ approval }) => approval?.token !== null)).toHaveLength(1)
  })

  proves('T60', 'keeps neither its token nor the secrets of the call', async () => {
    const secret = `ghp_${'a1B2'.repeat(9)}`
    const { id, token } = waits(await decide(bash(`GH_TOKEN=${secret} ${FORCE}`)))
    const rows = opened.store.query((tx) => tx.all('SELECT body FROM approvals'))
    const kept = JSON.stringify([...rows, ...records()])
    expect(kept).toContain(id)
    expect(kept).not.toContain(token?.split('.')[1] ?? '-')
    expect(kept).not.toContain(secret)
  })

  proves('PIT-15', 'shows what will run with its secrets marked as left out, and binds to the secrets all the same', async () => {
    const command = (secret: string) => `GH_TOKEN=ghp_${secret.repeat(9)} ${FORCE}`
    const { id, token } = await approved(bash(command('a1B2')))
    const { sheet } = stored(id)
    expect(sheet).toMatchObject({ tool: 'Bash', digest: null, code: 'hazard.history' })
    expect(JSON.stringify(sheet.call)).toContain(FORCE)
    expect(JSON.stringify(sheet.call)).toContain('[redacted')
    expect(await decide(bash(command('a1B3'), { approval: token }))).toMatchObject({ decision: 'ask' })
    expect((await decide(bash(command('a1B2'), { approval: token }))).decision).toBe(RUNS)
  })

  test('tells the agent how to go on', async () => {
    const { agentReason, approval } = await decide(bash(FORCE))
    expect(agentReason).toBe(
      `Approval \`${approval?.id}\` is pending until ${approval?.expiresAt}: once it is approved, send exactly the same call again.`,
    )
  })

  for (const [title, section, more] of [
    [
      'with the advice of a rule',
      'rules: { ask: [{ tool: WebFetch, reason: r, advice: Name the ticket }] }\n',
      '; the policy says: name the ticket.',
    ],
    ['with what the policy discloses', 'rules: { ask: [{ tool: WebFetch, reason: r }] }\ndisclosure: { to_agent: full }\n', '. Reason: r'],
    ['alone', 'rules: { ask: [{ tool: WebFetch, reason: r }] }\n', '.'],
  ] as const) {
    test(`in one sentence, ${title}`, async () => {
      const { agentReason } = await workplace(section).decide(callOf('WebFetch', { url: 'https://x.example', prompt: 'x' }))
      expect(agentReason.slice(agentReason.indexOf(': ') + 2)).toBe(`once it is approved, send exactly the same call again${more}`)
    })
  }

  test('does not open where a host asks its own user', async () => {
    const { decision, approval } = await opened.gate.decide(bash(FORCE), 0, true)
    expect([decision, approval, open()]).toEqual(['ask', null, []])
  })

  proves('PIT-19', 'does not open in shadow mode, nor for what cheaper checks deny or let run', async () => {
    for (const [section, command] of [
      ['mode: shadow\n', FORCE],
      ['', 'rm -rf ~'],
      ['', 'git status'],
    ] as const) {
      restart(section)
      expect([command, (await decide(bash(command))).approval]).toEqual([command, null])
    }
    expect(open()).toEqual([])
  })
})

function records() {
  const read = opened.store.read({})
  return Symbol.iterator in read ? [...read] : []
}

describe('an approval binds', () => {
  const cases: readonly (readonly [what: string, changes: CallChanges])[] = [
    ['arguments', { args: { command: `${FORCE} ` } }],
    ['another argument', { args: { command: FORCE, timeout: 1 } }],
    ['session', { session: 's-2' }],
    ['no session', { session: null }],
    ['directory', { cwd: '/other' }],
    ['agent', { principal: { agent: 'other' } }],
    ['user', { principal: { user: 'you' } }],
    ['role', { principal: { role: 'admin' } }],
    ['tenant', { principal: { tenant: 'acme' } }],
    ['tool', { tool: { server: 'shell', name: 'Bash', definition: null } }],
  ]
  for (const [what, changes] of cases) {
    proves(['P6', 'T01', 'T20', 'SIG-W2', 'PIT-5'], `to the ${what}: a token with another one is refused`, async () => {
      const { id, token } = await approved(bash(FORCE))
      const { decision, findings } = await decide(bash(FORCE, { ...changes, approval: token }))
      expect([decision, findings.some((each) => each.code === 'approval.mismatch')]).toEqual([what === 'tool' ? decision : 'ask', true])
      expect(decision).not.toBe(RUNS)
      expect(stored(id).status).toBe('approved')
      expect((await decide(bash(FORCE, { ...changes }))).decision).not.toBe(RUNS)
      expect((await decide(bash(FORCE, { approval: token }))).decision).toBe(RUNS)
    })
  }

  proves(['T01', 'PIT-5'], 'while it waits, too, and even where the other call would run', async () => {
    const { token } = waits(await decide(bash(FORCE)))
    expect(await decide(bash('git status', { approval: token }))).toMatchObject({ decision: 'deny', code: 'approval.mismatch' })
  })

  proves(['T21', 'PIT-18'], 'to the policy: changed since, it is stale and asked again, and the old yes is gone', async () => {
    const { id, token } = await approved(bash(FORCE))
    restart('limits: { max_depth: 63 }\n')
    const asked = await decide(bash(FORCE, { approval: token }))
    expect(asked).toMatchObject({ decision: 'ask', code: 'approval.stale' })
    expect(waits(asked).id).not.toBe(id)
    expect(stored(id).status).toBe('cancelled')
    restart()
    expect(await decide(bash(FORCE, { approval: token }))).toMatchObject({ decision: 'deny', code: 'approval.cancelled' })
  })

  proves(['P2', 'PIT-18'], 'and never lifts a denial of the policy that holds now', async () => {
    const { token } = await approved(bash(FORCE))
    restart('rules: { deny: [{ tool: Bash }] }\n')
    expect((await decide(bash(FORCE, { approval: token }))).decision).toBe('deny')
  })

  test('to the definition of the tool', async () => {
    const tool = { server: null, name: 'Bash', definition: 'sha256:a' }
    const { token } = await approved(bash(FORCE, { tool }))
    const changed = await decide(bash(FORCE, { approval: token, tool: { ...tool, definition: 'sha256:b' } }))
    expect(changed).toMatchObject({ decision: 'ask', code: 'approval.stale' })
  })

  proves(['P6', 'T02'], 'to the scripts that the call runs', async () => {
    files['/repo/run.sh'] = `${FORCE}\n`
    const { token } = await approved(bash('bash run.sh'))
    files['/repo/run.sh'] = `${FORCE}\n# and more\n`
    expect(await decide(bash('bash run.sh', { approval: token }))).toMatchObject({ decision: 'ask', code: 'approval.stale' })
  })

  for (const token of ['apr_1', 'apr_1.x', '.', 'x.y.z', `apr_${'0'.repeat(20)}.${'0'.repeat(48)}`]) {
    test(`not with a made-up token: ${token}`, async () => {
      await approved(bash(FORCE))
      expect(await decide(bash(FORCE, { approval: token }))).toMatchObject({ decision: 'deny', code: 'approval.unknown' })
    })
  }

  test('not with the id alone, nor with the secret of another approval', async () => {
    const mine = await approved(bash(FORCE))
    const other = waits(await decide(bash('git push --force origin dev')))
    for (const token of [mine.id, `${mine.id}.`, `${mine.id}.${other.token?.split('.')[1]}`]) {
      expect((await decide(bash(FORCE, { approval: token }))).code).toBe('approval.unknown')
    }
  })

  test('without a session only with its token', async () => {
    const call = bash(FORCE, { session: null })
    const { token } = await approved(call)
    expect((await decide(call)).decision).toBe('ask')
    expect((await decide({ ...call, approval: token })).decision).toBe(RUNS)
  })
})

describe('an approval ends', () => {
  proves(['T21', 'PRO-25a', 'P4'], 'when nobody answers in time: the token is denied, the call may be asked anew', async () => {
    restart('approvals: { approve_within: 1ms }\n')
    const { id, token } = waits(await decide(bash(FORCE)))
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect(await decide(bash(FORCE, { approval: token }))).toMatchObject({ decision: 'deny', code: 'timeout.approval' })
    expect((await answer(id, 'approve')).refused?.code).toBe('timeout.approval')
    expect(waits(await decide(bash(FORCE))).id).not.toBe(id)
  })

  proves(['T21', 'P7'], 'when it is not used in time', async () => {
    restart('approvals: { use_within: 1ms }\n')
    const { token } = await approved(bash(FORCE))
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect(await decide(bash(FORCE, { approval: token }))).toMatchObject({ decision: 'deny', code: 'timeout.approval' })
  })

  proves(['T25', 'PIT-8'], 'when somebody says no, even after the yes', async () => {
    const { id, token } = await approved(bash(FORCE))
    await answer(id, 'deny', 'human:bob')
    expect(await decide(bash(FORCE, { approval: token }))).toMatchObject({ decision: 'deny', code: 'approval.denied' })
    expect((await answer(id, 'approve')).refused?.code).toBe('approval.denied')
  })

  proves(['P7', 'PIT-4'], 'with its one use', async () => {
    const { token } = await approved(bash(FORCE))
    expect((await decide(bash(FORCE, { approval: token }))).decision).toBe(RUNS)
    const again = await decide(bash(FORCE, { approval: token }))
    expect([again.decision, again.findings.some(({ code }) => code === 'approval.consumed')]).toEqual(['ask', true])
    expect(again.approval?.token).not.toBe(token)
  })

  proves(['P7', 'PRO-26'], 'a spent token brings nothing back that people said no to', async () => {
    const { token } = await approved(bash(FORCE))
    expect((await decide(bash(FORCE, { approval: token }))).decision).toBe(RUNS)
    const { id } = waits(await decide(bash(FORCE, { approval: token })))
    await answer(id, 'deny', 'human:bob')
    expect(await decide(bash(FORCE, { approval: token }))).toMatchObject({ decision: 'deny', code: 'approval.remembered' })
  })

  proves(['PIT-9', 'PRO-W10'], 'with no restart, neither pending nor approved', async () => {
    const { id, token } = waits(await decide(bash(FORCE)))
    restart()
    expect(stored(id).status).toBe('pending')
    await answer(id, 'approve')
    restart()
    expect((await decide(bash(FORCE, { approval: token }))).decision).toBe(RUNS)
  })

  test('not with a rotated key', async () => {
    const { token } = await approved(bash(FORCE))
    rotateAuditKey(home)
    expect((await decide(bash(FORCE, { approval: token }))).decision).toBe(RUNS)
    const next = waits(await decide(bash(FORCE)))
    rotateAuditKey(home)
    expect(waits(await decide(bash(FORCE))).id).toBe(next.id)
  })
})

describe('who may answer', () => {
  proves(['P8', 'PRO-29c', 'PIT-19'], 'not who asked, by whatever way', async () => {
    restart('approvals: { break_glass: [me], approvers: { "*": [me, alice] } }\n')
    const { id } = waits(await decide(bash(FORCE, { principal: { agent: null } })))
    for (const kind of ['approve', 'glass'] as const) expect((await answer(id, kind, 'human:me')).refused?.code).toBe('approval.requester')
    expect(stored(id).status).toBe('pending')
    expect((await answer(id, 'approve')).approval.status).toBe('approved')
  })

  proves('P8', 'not the requester as the head of their own chain', async () => {
    restart('tools: { send: { risk_tier: high, irreversible: true } }\n')
    const call = bash('', { tool: { server: null, name: 'send', definition: null }, principal: { agent: null, chain: ['human:me'] } })
    const { id } = waits(await decide(call))
    expect((await answer(id, 'approve', 'human:me')).refused?.code).toBe('approval.requester')
    expect((await answer(id, 'approve', 'human:alice')).refused?.code).toBe('approval.not_turn')
  })

  proves('SIG-11', 'the chain of Signet, link by link', async () => {
    restart('tools: { send: { risk_tier: high, irreversible: true } }\n')
    const call = bash('', { tool: { server: null, name: 'send', definition: null }, principal: { chain: ['manager', 'ceo'] } })
    const { id } = waits(await decide(call))
    for (const [by, refused, status] of [
      ['human:ceo', 'approval.not_turn', 'pending'],
      ['human:alice', 'approval.not_turn', 'pending'],
      ['human:manager', null, 'pending'],
      ['human:manager', null, 'pending'],
      ['human:ceo', null, 'approved'],
    ] as const) {
      const outcome = await answer(id, 'approve', by)
      expect([by, outcome.refused?.code ?? null, outcome.approval.status]).toEqual([by, refused, status])
    }
    expect((await decide(call)).decision).toBe('allow')
  })

  const quorum = 'approvals: { quorum: 2, approvers: { coder: [alice, bob, carol], "*": [dora, emil] } }\n'
  proves('T25', 'a quorum of different people, each counted once, by role', async () => {
    restart(quorum)
    const call = bash(FORCE, { principal: { role: 'coder' } })
    const { id } = waits(await decide(call))
    for (const [by, refused, status] of [
      ['human:alice', null, 'pending'],
      ['human:alice', null, 'pending'],
      ['human:dora', 'approval.not_approver', 'pending'],
      ['human:bob', null, 'approved'],
    ] as const) {
      const outcome = await answer(id, 'approve', by)
      expect([by, outcome.refused?.code ?? null, outcome.approval.status]).toEqual([by, refused, status])
    }
    expect((await decide(call)).decision).toBe(RUNS)
  })

  test('with four eyes not the user behind the agent, and nobody where that user is not known', async () => {
    restart('approvals: { four_eyes: true }\n')
    const { id } = waits(await decide(bash(FORCE)))
    expect((await answer(id, 'approve', 'human:me')).refused?.code).toBe('approval.requester')
    const unknown = waits(await decide(bash(FORCE, { principal: { user: null } })))
    expect((await answer(unknown.id, 'approve')).refused?.code).toBe('approval.not_approver')
  })

  test('alone by breaking the glass: only who may, with a reason, and the call is flagged', async () => {
    restart(`tools: { send: { risk_tier: high, irreversible: true } }\napprovals: { quorum: 2, break_glass: [root] }\n`)
    const tool = { server: null, name: 'send', definition: null }
    const { id, token } = waits(await decide(bash('', { tool })))
    expect((await answer(id, 'glass')).refused?.code).toBe('approval.not_approver')
    const broken = await answer(id, 'glass', 'human:root')
    expect(broken.happened).toEqual(['answered', 'broke_glass', 'approved'])
    const decision = await decide(bash('', { tool, approval: token }))
    expect(decision).toMatchObject({ decision: 'flag', reason: 'glass broken by human:root: because' })
    const log = records().filter(({ kind }) => kind === 'approval')
    expect(log.map(({ body }) => [body.event, body.by, body.break_glass, body.refused === null])).toEqual([
      ['approve', 'human:alice', false, false],
      ['approve', 'human:root', true, true],
    ])
  })
})

describe('fatigue', () => {
  proves(['PRO-26a', 'PRO-26c'], 'the third no is remembered, for its time, until somebody says yes', async () => {
    restart('approvals: { denials: { limit: 3, within: 1h } }\n')
    const say = async (kind: 'approve' | 'deny') => answer(waits(await decide(bash(FORCE))).id, kind)
    for (let i = 0; i < 2; i += 1) await say('deny')
    await say('approve')
    expect((await decide(bash(FORCE))).decision).toBe(RUNS)
    for (let i = 0; i < 3; i += 1) await say('deny')
    expect(await decide(bash(FORCE))).toMatchObject({ decision: 'deny', code: 'approval.remembered' })
    restart('approvals: { denials: { limit: 3, within: 1ms } }\n')
    expect((await decide(bash(FORCE))).code).toBe('approval.remembered')
  })

  proves('PRO-26b', 'a no is forgotten when its time is over', async () => {
    restart('approvals: { denials: { within: 1ms } }\n')
    await answer(waits(await decide(bash(FORCE))).id, 'deny')
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect((await decide(bash(FORCE))).decision).toBe('ask')
  })

  const spellings = [`${FORCE} `, 'git push -f origin main', 'sh -c "git push --force origin main"', 'cd . && git push --force origin main']
  for (const spelling of spellings) {
    proves('PRO-26a', `the same effect is not asked again in the form \`${spelling}\``, async () => {
      await answer(waits(await decide(bash(FORCE))).id, 'deny')
      expect(await decide(bash(spelling))).toMatchObject({ decision: 'deny', code: 'approval.remembered' })
    })
  }

  test('another target is asked', async () => {
    await answer(waits(await decide(bash(FORCE))).id, 'deny')
    expect((await decide(bash('git push --force elsewhere main'))).decision).toBe('ask')
  })

  proves('PRO-26d', 'denials count in their scope', async () => {
    for (const [scope, sameUser, sameSession] of [
      ['session', 'ask', 'deny'],
      ['user', 'deny', 'ask'],
    ] as const) {
      restart(`approvals: { denials: { scope: ${scope} } }\n`)
      const session = `first-${scope}`
      await answer(waits(await decide(bash(FORCE, { session, principal: { user: scope } }))).id, 'deny')
      const other = await decide(bash(FORCE, { session: `other-${scope}`, principal: { user: scope } }))
      const stranger = await decide(bash(FORCE, { session, principal: { user: `${scope}-other` } }))
      expect([scope, other.decision, stranger.decision]).toEqual([scope, sameUser, sameSession])
    }
  })

  proves(['PRO-29a', 'PRO-29b', 'PIT-19'], 'no more calls wait than the caps let, of a session and of a tenant', async () => {
    restart('approvals: { max_pending: { session: 2, tenant: 3 } }\n')
    const outcomes: string[] = []
    for (const [session, branch] of ['a', 'a', 'a', 'b', 'b'].entries()) {
      const { code, decision } = await decide(bash(`git push --force origin b${session}`, { session: branch }))
      outcomes.push(`${branch} ${decision === 'deny' ? code : decision}`)
    }
    expect(outcomes).toEqual(['a ask', 'a ask', 'a approval.too_many', 'b ask', 'b approval.too_many'])
    expect((await decide(bash('git push --force origin b0', { session: 'a' }))).decision).toBe('ask')
  })
})

describe('the store', () => {
  test('a row that nobody signed approves nothing', async () => {
    const { id, token } = waits(await decide(bash(FORCE)))
    const store = openStore({ directory: home })
    await store.run(
      (tx) => tx.run(`UPDATE approvals SET status = 'approved', body = replace(body, '"pending"', '"approved"') WHERE id = ?`, id),
      { ...NOTE, at: 1 },
    )
    store.close()
    expect((await decide(bash(FORCE, { approval: token }))).decision).toBe('deny')
  })

  test('a state directory of its own knows no foreign approval', async () => {
    const { token } = await approved(bash(FORCE))
    const elsewhere = openGate({ home: stateDirectoryOfTest(), policy: () => ({ policy, degraded: null }) })
    const { code } = await elsewhere.gate.decide(bash(FORCE, { approval: token }))
    elsewhere.close()
    expect(code).toBe('approval.unknown')
  })
})
