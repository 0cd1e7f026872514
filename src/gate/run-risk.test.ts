/** The risk of a run through a real gate: it adds up over calls, decides who is asked, stops the session, and a person lifts it. */
import { describe, expect, onTestFinished, test } from 'vitest'
import { proves } from '../../test/proves.ts'
import { stateDirectoryOfTest } from '../../test/support/state.ts'
import type { ToolCall } from '../core/call.ts'
import type { Decision } from '../core/decision.ts'
import { lockedSessions } from '../gate/session-lock.ts'
import { openGate } from '../open.ts'
import { unlockSession } from '../open-sessions.ts'
import { call as baseCall, policy } from '../policy/testing/compiled.ts'
import { createFixedView } from '../view/fixed.ts'

const TOOLS =
  'tools: { put_x: { risk_tier: low }, get_x: { risk_tier: low } }\nrules: { deny: [{ tool: never, reason: never }] }\ndisclosure: { repeats_before_halt: 0 }\n'

function gateWith(risk: string) {
  const home = stateDirectoryOfTest()
  const compiled = policy(`${TOOLS}risk: ${risk}\n`)
  const opened = openGate({
    home,
    policy: () => ({ policy: compiled, degraded: null }),
    view: () => createFixedView({ home: '/home/u', cwd: '/home/u' }),
  })
  onTestFinished(() => opened.store.close())
  const decide = (name: string, session: string | null = 's'): Promise<Decision> => opened.gate.decide(of(name, session))
  return { ...opened, decide }
}

function of(name: string, session: string | null): ToolCall {
  return { ...baseCall(name), session, principal: { agent: 'a', role: null, user: null, tenant: null, chain: [] } }
}

async function denied(gate: ReturnType<typeof gateWith>, times: number): Promise<void> {
  for (let i = 0; i < times; i += 1) expect((await gate.decide('never')).decision).toBe('deny')
}

describe('the risk of a run', () => {
  proves('FUL-58', 'denials add up, are recorded with each decision, and mark what changes something', async () => {
    const gate = gateWith('{ flag_at: 0.5 }')
    const scores: number[] = []
    for (let i = 0; i < 3; i += 1) scores.push((await gate.decide('never')).risk.score)
    expect(scores).toEqual([0.25, expect.closeTo(0.437, 2), expect.closeTo(0.578, 2)])
    const marked = await gate.decide('put_x')
    expect([marked.decision, marked.code]).toEqual(['flag', 'risk.raised'])
    expect(marked.reason).toMatch(/^the session's risk is 0\.5\d: call 3: deny \([a-z._]+\), call 2: deny/)
    // Another session, and a call that names none, have nothing to do with it.
    expect((await gate.decide('put_x', 'other')).decision).toBe('allow')
    expect((await gate.decide('put_x', null)).decision).toBe('allow')
  })

  proves('FUL-58', 'from its score on people are asked, and the policy says whose yes it takes', async () => {
    const gate = gateWith('{ ask_at: 0.5, approvers: [lead] }')
    expect((await gate.decide('put_x')).decision).toBe('allow')
    await denied(gate, 3)
    const asked = await gate.decide('put_x')
    expect([asked.decision, asked.code]).toEqual(['ask', 'risk.asked'])
    expect(asked.findings.find(({ layer }) => layer === 'risk')?.evidence.requires_approval_from).toEqual(['human:lead'])
  })

  proves('FUL-58', 'innocent calls do not pay it off', async () => {
    const gate = gateWith('{ ask_at: 0.5 }')
    await denied(gate, 3)
    for (let i = 0; i < 40; i += 1) await gate.decide('get_x')
    expect((await gate.decide('put_x')).decision).toBe('ask')
  })

  proves('FUL-58', 'a stopped session stays stopped until a person lets it go on, and then starts anew', async () => {
    const gate = gateWith('{ halt_at: 0.5 }')
    await denied(gate, 3)
    expect(await gate.decide('get_x')).toMatchObject({ decision: 'halt', code: 'risk.halted' })
    expect((await gate.decide('get_x')).decision).toBe('halt')
    expect((await gate.decide('get_x', 'other')).decision).toBe('allow')
    const unlocked = await unlockSession(gate.store, {
      session: 's',
      tenant: null,
      by: 'human:me',
      reason: 'looked at it',
      now: gate.store.now(),
    })
    expect(unlocked?.locked).toBe(true)
    const { decision, findings } = await gate.decide('put_x')
    expect([decision === 'halt', findings.some(({ layer }) => layer === 'risk')]).toEqual([false, false])
  })
})

test('a burst of denials is forgotten with them once a person lets the session go on', async () => {
  const gate = gateWith('{ halt_at: 0.5 }')
  const isBurst = async () => (await gate.decide('put_x')).findings.some(({ rule }) => rule === 'denial-burst')
  await denied(gate, 3)
  for (let i = 0; i < 3; i += 1) expect((await gate.decide('get_x')).decision).toBe('halt')
  const key = { session: 's', tenant: null, by: 'human:me', reason: 'looked at it' }
  await unlockSession(gate.store, { ...key, now: gate.store.now() })
  expect([await isBurst(), await isBurst()]).toEqual([false, false])
})

test('shadow mode stops no session: once it ends, nothing is locked', async () => {
  const gate = gateWith('{ halt_at: 0.1 }\nmode: shadow')
  for (let i = 0; i < 6; i += 1) await gate.decide('never')
  const { decision, findings } = await gate.decide('get_x')
  expect([decision, findings.some(({ code }) => code === 'risk.halted')]).toEqual(['flag', true])
  expect(gate.store.query((tx) => lockedSessions(tx, gate.store.now()))).toEqual([])
})

test.each([
  ['{ flag_at: 0 }', 'flag_at'],
  ['{ ask_at: 1.5 }', 'ask_at'],
  ['{ half_life: 40d }', 'half_life'],
  ['{ halt: 1 }', 'halt'],
])('%s is refused', (text) => {
  expect(() => policy(`${TOOLS}risk: ${text}\n`)).toThrow(/policy\./)
})
