/**
 * A machine's clock is set back, or was ahead by mistake. What has ended stays ended, in every process of the state directory; what
 * is handed out or asked meanwhile has its end all the same.
 */
import { describe, expect, onTestFinished, test } from 'vitest'
import type { ApprovalQueue } from '../../src/approvals/queue.ts'
import type { Grant } from '../../src/grants/grant.ts'
import { type Asked, addGrant } from '../../src/grants/mint.ts'
import { openGate } from '../../src/open.ts'
import { loadKeys } from '../../src/store/sqlite/keys.ts'
import { type EmbeddedStore, openStore } from '../../src/store/sqlite/open.ts'
import { makeHome } from '../hosts/harness.ts'
import { proves } from '../proves.ts'
import { bash } from '../support/calls.ts'
import { commandLine } from '../support/command-line.ts'
import { NOTE, temporaryDirectory } from '../support/records.ts'
import { type Ask, ask, startServer, type TestServer } from '../support/server.ts'
import { describedView, policyOf } from '../support/workplace.ts'

const START = 1_767_225_600_000
const SECOND = 1_000
const HOUR = 3_600_000
const YEAR = 365 * 24 * HOUR
const PUSH = bash('git push origin main')
const FORCE = bash('git push --force origin main')
const BINDING = { session: null, role: null, user: null, agent: null }
const ALICE = { tenant: null, by: 'human:alice' } as const

interface Machine {
  readonly store: EmbeddedStore
  /** Hours (or parts) after the start that the wall clock says. */
  readonly clock: (milliseconds: number) => void
  /** Decision and code. */
  readonly says: (call?: typeof PUSH) => Promise<string>
  readonly asks: () => Promise<string>
  readonly queue: ApprovalQueue
  readonly grant: (asked: Partial<Asked>) => Promise<Grant>
  readonly close: () => void
}

/** One process of a machine; several may share a state directory, each with a clock of its own. */
function machine(section: string, home: string = temporaryDirectory()): Machine & { readonly home: string } {
  let wall = START
  const store = openStore({ directory: home, now: () => wall })
  const policy = policyOf(section)
  const opened = openGate({ home, store, policy: () => ({ policy, degraded: null }), view: () => describedView({}) })
  onTestFinished(store.close)
  return {
    home,
    store,
    clock: (milliseconds) => {
      wall = START + milliseconds
    },
    says: async (call = PUSH) => {
      const { decision, code } = await opened.gate.decide(call)
      return `${decision} ${code}`
    },
    asks: async () => (await opened.gate.decide(FORCE)).approval?.id ?? '',
    queue: opened.queue,
    grant: (asked) => {
      const { current, ring } = loadKeys(home)
      const lasting = { action: 'git:push', scope: {}, binding: BINDING, notBefore: null, expires: null, count: null, parent: null }
      const issuer = { store, signer: current, ring, author: 'user:ann', now: store.now() }
      return addGrant({ ...lasting, reason: 'release', ...asked }, issuer)
    },
    close: store.close,
  }
}

const GATED = 'capabilities: { gate: ["git:push"] }\n'
const REFUSED = 'deny capability.not_granted'

describe('hostile: a clock that is set back', () => {
  proves('T28', 'a grant that ended stays ended', async () => {
    const { says, grant, clock } = machine(GATED)
    await grant({ expires: START + HOUR })
    expect(await says()).not.toBe(REFUSED)
    clock(2 * HOUR)
    expect(await says()).toBe(REFUSED)
    clock(0)
    expect(await says()).toBe(REFUSED)
  })

  proves('T28', 'a grant in the policy, too', async () => {
    const { says, clock } = machine('capabilities: { gate: ["git:push"], grants: { "git:push": { expires: 2026-01-01T01:00:00Z } } }\n')
    expect(await says()).not.toBe(REFUSED)
    clock(2 * HOUR)
    expect(await says()).toBe(REFUSED)
    clock(-YEAR)
    expect(await says()).toBe(REFUSED)
  })

  proves('T28', 'also for a process that never saw the later time, and after everybody was closed', async () => {
    const one = machine(GATED)
    await one.grant({ expires: START + HOUR })
    const other = machine(GATED, one.home)
    other.clock(2 * HOUR)
    expect(await other.says()).toBe(REFUSED)
    expect(await one.says()).toBe(REFUSED)
    one.close()
    other.close()
    expect(await machine(GATED, one.home).says()).toBe(REFUSED)
  })

  proves('T28', 'nothing is narrowed from a grant that ended, and nothing ends before it begins', async () => {
    const { says, grant, clock } = machine(GATED)
    const parent = await grant({ expires: START + HOUR })
    clock(2 * HOUR)
    await says()
    clock(0)
    await expect(grant({ expires: START + HOUR / 2, parent: parent.id })).rejects.toThrow(/expired|end before/)
    await expect(grant({ expires: START + HOUR })).rejects.toThrow(/end before/)
  })

  proves(['P7', 'T28'], 'a question that ran out is not answered any more', async () => {
    const { asks, says, queue, clock } = machine('')
    const id = await asks()
    clock(24 * HOUR)
    await says(bash('ls'))
    clock(0)
    expect(queue.show(id, ALICE)?.status).toBe('expired')
    expect((await queue.answer(id, { ...ALICE, verdict: 'approve' })).refused).not.toBeNull()
  })

  proves(['P7', 'T28'], 'a yes that nobody used in its time is not used later', async () => {
    const { asks, says, queue, clock } = machine('')
    const id = await asks()
    expect((await queue.answer(id, { ...ALICE, verdict: 'approve' })).refused).toBeNull()
    clock(24 * HOUR)
    await says(bash('ls'))
    clock(0)
    expect(await says(FORCE)).toMatch(/^(?:ask|deny) /)
  })
})

describe('hostile: tokens and log-ins, where the log has seen a later time than the clock says', () => {
  /** Another process of the same state directory, whose clock is ahead, has something recorded. */
  const seenLater = async (server: TestServer, milliseconds: number): Promise<void> => {
    const now = () => Date.now() + milliseconds
    const store = openStore({ directory: server.home, now })
    await store.append({ ...NOTE, at: now() })
    store.close()
  }
  const who = async (server: TestServer, how: Ask) => (await ask(`${server.url}/v1/whoami`, how)).status

  proves(['T28', 'T65'], 'a token that ended stays ended', async () => {
    const server = await startServer()
    const lasting = server.token({ name: 'human:ann', role: 'viewer' })
    const ending = server.token({ name: 'human:eve', role: 'viewer', expiresAt: new Date(Date.now() + HOUR).toISOString() })
    expect(await Promise.all([lasting, ending].map((token) => who(server, { token })))).toEqual([200, 200])
    await seenLater(server, 2 * HOUR)
    expect(await Promise.all([lasting, ending].map((token) => who(server, { token })))).toEqual([200, 401])
    await server.stop()
  })

  proves(['T28', 'T65'], 'so do the log-in of a browser and a link for it', async () => {
    const server = await startServer()
    const { headers } = await ask(`${server.url}/v1/login`, { body: { token: server.operator } })
    const cookie = headers.get('set-cookie')?.split(';')[0] ?? ''
    const person = { kind: 'person', name: 'human:ann', role: 'viewer', tenant: null } as const
    const code = server.app.loginCode(person)
    expect(await who(server, { headers: { cookie } })).toBe(200)
    await seenLater(server, HOUR)
    expect(await who(server, { headers: { cookie } })).toBe(200)
    expect((await ask(`${server.url}/v1/login`, { body: { code } })).status).toBe(401)
    await seenLater(server, 24 * HOUR)
    expect(await who(server, { headers: { cookie } })).toBe(401)
    expect((await ask(`${server.url}/v1/login`, { body: { code: server.app.loginCode(person) } })).status).toBe(200)
    await server.stop()
  })

  test('a token that is made then has its whole time', async () => {
    const home = makeHome()
    onTestFinished(home.remove)
    const store = openStore({ directory: home.state })
    await store.append({ ...NOTE, at: Date.now() + 24 * HOUR })
    store.close()
    const { stdout } = await commandLine(home, ['tokens', 'add', '--name', 'human:ann', '--role', 'viewer', '--expires', '2h', '--json'])
    const { expires_at: ends } = JSON.parse(stdout) as { expires_at: string }
    expect(Date.parse(ends)).toBeGreaterThan(Date.now() + 24 * HOUR)
  })
})

describe('ordinary: clocks that are a bit off', () => {
  test('a process whose clock is two seconds ahead takes nothing away that still holds', async () => {
    const one = machine(GATED)
    const other = machine(GATED, one.home)
    other.clock(2 * SECOND)
    await one.grant({ expires: START + HOUR })
    for (const { says } of [other, one, other, one]) expect(await says()).not.toBe(REFUSED)
    expect(one.store.now()).toBe(START + 2 * SECOND)
  })

  test('ends are judged by the wall clock again once it has caught up', async () => {
    const one = machine(GATED)
    const other = machine(GATED, one.home)
    other.clock(2 * SECOND)
    await other.says()
    one.clock(10 * SECOND)
    expect(one.store.now()).toBe(START + 10 * SECOND)
  })

  test('the log says when something happened by the wall clock, whatever ends are judged by', async () => {
    const one = machine(GATED)
    const other = machine(GATED, one.home)
    other.clock(HOUR)
    await other.says()
    await one.says()
    expect([...one.store.read({})].map(({ at }) => at)).toEqual([START + HOUR, START])
  })

  test('an empty log knows no other time', () => expect(machine('').store.now()).toBe(START))
})

describe('a clock that was years ahead by mistake, for one call', () => {
  async function once(section: string) {
    const made = machine(section)
    made.clock(4 * YEAR)
    await made.says(bash('ls'))
    made.clock(0)
    await made.says(bash('ls'))
    return made
  }

  proves('T28', 'what has a date before that has ended', async () => {
    const { says, grant } = await once(GATED)
    await expect(grant({ expires: START + YEAR })).rejects.toThrow(/end before/)
    await grant({})
    expect(await says()).not.toBe(REFUSED)
  })

  proves('T28', 'a grant for two hours holds, and ends within four', async () => {
    const { says, grant, store, clock } = await once(GATED)
    await grant({ expires: store.now() + 2 * HOUR })
    expect(await says()).not.toBe(REFUSED)
    clock(HOUR)
    expect(await says()).not.toBe(REFUSED)
    clock(5 * HOUR)
    expect(await says()).toBe(REFUSED)
  })

  proves(['P7', 'T28'], 'a question is asked and answered, and runs out', async () => {
    const { asks, says, queue, clock } = await once('')
    const id = await asks()
    expect((await queue.answer(id, { ...ALICE, verdict: 'approve' })).refused).toBeNull()
    expect(await says(FORCE)).toMatch(/^flag /)
    const late = await asks()
    clock(24 * HOUR)
    expect(queue.show(late, ALICE)?.status).toBe('expired')
  })
})
