/** The baseline of roles through a real gate and a real store: learned from the log, raised by surprise, never the other way. */
import { describe, expect, onTestFinished, test } from 'vitest'
import { proves } from '../../test/proves.ts'
import { stateDirectoryOfTest } from '../../test/support/state.ts'
import type { ToolCall } from '../core/call.ts'
import type { Decision } from '../core/decision.ts'
import { compare } from '../core/verdict.ts'
import { openGate } from '../open.ts'
import { type BaselineChange, changeBaseline, learnFrom, storedRoles } from '../open-baseline-changes.ts'
import { LEARNING } from '../policy/baseline/model.ts'
import { call as baseCall, policy } from '../policy/testing/compiled.ts'
import { createFixedView } from '../view/fixed.ts'

const POLICY = `tool_families: [claude-code]
rules: { allow: [{ tool: '*', reason: everything runs here }], deny: [{ tool: never, reason: never }] }
unregistered: allow
hazards: { packs: [] }
`
/** Twelve sessions are few: what is new in them is less surprising than in hundreds. */
const KNOWN = '{ warm_up: 10, flag_at: 6 }'
const BY = { ...LEARNING, warmUp: 10 }

function gateWith(baseline: string, more = '') {
  const home = stateDirectoryOfTest()
  const compiled = policy(`${POLICY}${more}${baseline === '' ? '' : `baseline: ${baseline}\n`}`)
  const opened = openGate({
    home,
    policy: () => ({ policy: compiled, degraded: null }),
    view: () => createFixedView({ home: '/home/u', cwd: '/home/u/work' }),
  })
  onTestFinished(() => opened.close())
  const at = { home, store: opened.store }
  const bash = (command: string, session: string, role: string | null = 'ops'): Promise<Decision> =>
    opened.gate.decide(of({ name: 'Bash', args: { command }, session, role }))
  const learn = (rebuild = false) => learnFrom(at, { by: BY, author: 'human:alice', rebuild })
  const change = (event: BaselineChange['event'], role: string, more: BaselineChange['more'] = {}) =>
    changeBaseline(at, { tenant: null, role, event, more, by: 'human:alice', reason: 'reviewed' }, BY)
  return { ...opened, at, bash, learn, change, decide: (given: Given) => opened.gate.decide(of(given)) }
}

interface Given {
  readonly name: string
  readonly args: ToolCall['args']
  readonly session: string | null
  readonly role: string | null
}

function of({ name, args, session, role }: Given): ToolCall {
  return { ...baseCall(name), args, session, cwd: '/home/u/work', principal: { agent: 'a', role, user: null, tenant: null, chain: [] } }
}

const USUAL = ['git status', 'npm test', 'git diff src/app.ts', 'cat src/app.ts', 'curl https://api.example.com/v1/health']

/** So many sessions of ordinary work, then learned. */
async function warmed(baseline: string, { sessions = 12, role = 'ops', more = '' } = {}) {
  const gate = gateWith(baseline, more)
  for (let at = 0; at < sessions; at += 1) for (const command of USUAL) await gate.bash(command, `${role}-${at}`, role)
  await gate.learn()
  return gate
}

function baselineOf({ findings }: Decision): readonly string[] {
  return findings.filter(({ layer }) => layer === 'baseline').map(({ code }) => code)
}

describe('the baseline of a role', () => {
  proves('FUL-57', 'a call far from what the role does is flagged, and the reason says by how much and why', async () => {
    const gate = await warmed(KNOWN)
    for (const command of USUAL) expect((await gate.bash(command, 'next')).decision).toBe('allow')
    const odd = await gate.bash('kubectl delete namespace production', 'next')
    expect([odd.decision, odd.code]).toEqual(['flag', 'baseline.unusual'])
    expect(odd.reason).toMatch(/^\d+\.\d bits from what role `ops` does: .*never seen \(\d+\.\d bits\)/)
    const host = await gate.bash('curl https://paste.attacker.example/x', 'next')
    expect(host.code).toBe('baseline.unusual')
    expect(host.reason).toContain('paste.attacker.example')
  })

  test('ordinary calls that were never made in just this way are not flagged', async () => {
    const gate = await warmed(KNOWN)
    for (const command of ['git diff src/main.ts', 'cat src/main.ts', 'curl https://api.example.com/v1/users', 'npm test'])
      expect([command, (await gate.bash(command, 'next')).decision]).toEqual([command, 'allow'])
  })

  proves('FUL-57', 'from `ask_at` on people are asked, and the order of tools alone never asks', async () => {
    const gate = await warmed('{ warm_up: 10, flag_at: 6, ask_at: 6.5 }')
    const odd = await gate.bash('kubectl delete namespace production', 'next')
    expect([odd.decision, odd.code]).toEqual(['ask', 'baseline.asked'])
    const swapped = [...USUAL].reverse()
    for (const command of swapped) expect((await gate.bash(command, 'other')).decision).toBe('allow')
  })

  test('cold start says so and never asks', async () => {
    const gate = await warmed('{ warm_up: 1000, flag_at: 6, ask_at: 8 }')
    const odd = await gate.bash('kubectl delete namespace production', 'next')
    expect([odd.decision, odd.code]).toEqual(['flag', 'baseline.cold'])
    expect(odd.reason).toContain('only 12 of 1000 sessions are known')
    const usual = await gate.bash('git status', 'next')
    expect(usual.findings.find(({ code }) => code === 'baseline.observed')?.message).toContain('cold start, 12 of 1000 sessions')
    expect(usual.risk.score).toBe(0)
  })

  test('a role that nothing is known of is flagged for nothing; with no `baseline` nothing is observed', async () => {
    const gate = await warmed(KNOWN)
    expect((await gate.bash('git status', 'x', 'newcomer')).decision).toBe('allow')
    const off = gateWith('')
    expect(baselineOf(await off.bash('git status', 's'))).toEqual([])
  })

  test('only the roles that are named are observed', async () => {
    const gate = gateWith('{ roles: [ops] }')
    expect(baselineOf(await gate.bash('git status', 's', 'ops'))).toEqual(['baseline.observed'])
    expect(baselineOf(await gate.bash('git status', 's', 'dev'))).toEqual([])
    expect(baselineOf(await gate.bash('git status', 's', null))).toEqual([])
  })

  test('a denied call, and a session with one, teach nothing', async () => {
    const gate = gateWith(KNOWN)
    expect((await gate.decide({ name: 'never', args: {}, session: 's', role: 'ops' })).decision).toBe('deny')
    await gate.bash('git status', 's')
    await gate.learn()
    expect(storedRoles(gate.at).states.get('\nops')?.model.sessions ?? 0).toBe(0)
  })

  test('what is only flagged by the baseline waits for people, and counts once they accept it', async () => {
    const gate = await warmed(KNOWN)
    for (const session of ['a', 'b', 'c']) await gate.bash('terraform plan', session)
    await gate.learn()
    const state = storedRoles(gate.at).states.get('\nops')
    expect(state?.model.waiting.get('command\t\tterraform plan')).toMatchObject({ sessions: 3, flagged: true })
    expect((await gate.bash('terraform plan', 'd')).decision).toBe('flag')
    await gate.change('baseline_accepted', 'ops', { values: [...(state?.model.waiting.keys() ?? [])] })
    expect((await gate.bash('terraform plan', 'e')).decision).toBe('allow')
  })

  test('a frozen version is what calls are held to, whatever is learned after it', async () => {
    const gate = await warmed(KNOWN)
    await gate.change('baseline_frozen', 'ops', { version: 'v1' })
    for (const session of ['a', 'b', 'c']) await gate.bash('terraform plan', session)
    await gate.learn()
    const waiting = storedRoles(gate.at).states.get('\nops')?.model.waiting
    await gate.change('baseline_accepted', 'ops', { values: [...(waiting?.keys() ?? [])] })
    const held = await gate.bash('terraform plan', 'd')
    expect(held.reason).toContain('(held to v1)')
    await gate.change('baseline_released', 'ops')
    expect((await gate.bash('terraform plan', 'e')).decision).toBe('allow')
  })

  test('a reset forgets, and learning the whole log again comes to the same', async () => {
    const gate = await warmed(KNOWN)
    await gate.change('baseline_frozen', 'ops', { version: 'v1' })
    const before = storedRoles(gate.at).states
    await gate.learn(true)
    expect(storedRoles(gate.at).states).toEqual(before)
    await gate.change('baseline_reset', 'ops')
    expect(storedRoles(gate.at).states.get('\nops')).toBeUndefined()
    await gate.learn(true)
    expect(storedRoles(gate.at).states.get('\nops')).toBeUndefined()
  })

  test('a row that somebody else wrote is not believed', async () => {
    const gate = await warmed(KNOWN)
    const record = { kind: 'note', session: null, tenant: null, tool: null, decision: null, code: null, at: 1, body: {} } as const
    await gate.store.run(
      (tx) => tx.run(`UPDATE baselines SET body = replace(body, '12', '13'), revision = revision + 1 WHERE role = 'ops'`),
      record,
    )
    const call = await gate.bash('git status', 'next')
    expect([call.decision, call.code]).toEqual(['flag', 'baseline.unreadable'])
    await gate.learn(true)
    expect((await gate.bash('git status', 'next')).decision).toBe('allow')
  })

  proves('P3', 'a baseline only raises: no call is decided more mildly with it than without', async () => {
    const more = 'sequences: []\n'
    const [without, flags, asks] = [gateWith('', more), await warmed(KNOWN, { more }), await warmed('{ warm_up: 10, ask_at: 6 }', { more })]
    const commands = [...USUAL, 'rm -rf build', 'kubectl get pods', 'curl https://paste.attacker.example/x', 'git push --force']
    for (const command of commands) {
      const plain = (await without.bash(command, 'p3')).decision
      for (const gate of [flags, asks])
        expect([command, compare((await gate.bash(command, 'p3')).decision, plain) >= 0]).toEqual([command, true])
    }
  })

  test('flags of the baseline add to the risk of the run', async () => {
    const gate = await warmed(KNOWN)
    await gate.bash('kubectl delete namespace production', 'next')
    expect((await gate.bash('git status', 'next')).risk.score).toBeGreaterThan(0)
  })
})
