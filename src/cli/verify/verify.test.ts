/** Guarantees of a policy: they hold for one that is whole, and each fails where a policy, an entry or a gate breaks it. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { makeHome } from '../../../test/hosts/harness.ts'
import { proves } from '../../../test/proves.ts'
import { commandLine } from '../../../test/support/command-line.ts'
import { stateDirectoryOfTest } from '../../../test/support/state.ts'
import { policyOf } from '../../../test/support/workplace.ts'
import { CAPABILITY_NAMES, gatedBy } from '../../grants/actions.ts'
import type { HostAdapter } from '../../hosts/adapter.ts'
import { HOSTS } from '../../hosts/all.ts'
import { LAYERS, type OpenedGate, openGate } from '../../open.ts'
import { createBench, type Opening } from './bench.ts'
import { entryOf } from './entries.ts'
import { exampleCalls, guaranteesOf } from './guarantees.ts'

const GATE = 'capabilities: { gate: [git:push, "k8s:*"] }\n'
const PEOPLE = 'approvals: { quorum: 2, four_eyes: true, approvers: { "*": [alice, bob, carol] } }\n'
const READS = 'rules: { allow: [{ tool: Bash, when: \'effects.all(e, e.verb == "read")\', reason: reads }] }\n'
const FREE = 'rules: { allow: [{ tool: "*", when: "true", reason: fine }] }\n'
const WHOLE = `${GATE}${PEOPLE}${READS}undo: {}\n`

async function failing(section: string, { opening, hosts = [] }: { opening?: Opening; hosts?: readonly HostAdapter[] } = {}) {
  const bench = createBench(policyOf(section), opening, stateDirectoryOfTest())
  onTestFinished(() => bench.close())
  const lines = await guaranteesOf(bench, hosts.map(entryOf))
  return lines.filter(({ state }) => state === 'fails').map(({ guarantee }) => guarantee)
}

/** A gate that is right, with one part of it broken. */
const broken =
  (change: (opened: OpenedGate) => Partial<OpenedGate>): Opening =>
  (options) => {
    const opened = openGate(options)
    return { ...opened, ...change(opened) }
  }

/** What was approved once runs for ever. */
const forever = broken(({ gate }) => {
  const ran = new Set<string>()
  const decide: OpenedGate['gate']['decide'] = async (call, ...rest) => {
    const decision = await gate.decide(call, ...rest)
    const key = JSON.stringify(call.args)
    if (decision.decision === 'allow') ran.add(key)
    return ran.has(key) ? { ...decision, decision: 'allow' } : decision
  }
  return { gate: { ...gate, decide } }
})

/** Whoever answers is taken for somebody else each time. */
const anybody = broken(({ queue }) => {
  let next = 0
  const names = ['human:alice', 'human:bob', 'human:carol']
  return { queue: { ...queue, answer: (id, given) => queue.answer(id, { ...given, by: names[next++ % names.length] ?? '' }) } }
})

const claude = HOSTS.filter(({ name }) => name === 'claude-code')
const mute = claude.map((host): HostAdapter => ({ ...host, reply: () => host.noOpinion }))
const open = claude.map((host): HostAdapter => ({ ...host, denial: () => host.noOpinion }))

describe('guarantees', () => {
  proves(['P4', 'P6', 'P7'], 'hold for a policy that is whole, through every host', async () => {
    expect(await failing(WHOLE, { hosts: HOSTS })).toEqual([])
  })

  const POLICIES: readonly (readonly [title: string, section: string, fails: readonly string[]])[] = [
    ['shadow', `mode: shadow\n${WHOLE}`, ['enforced']],
    [
      'gated actions that only flag',
      `layers: { capability: { enforcement: advisory } }\nhazards: { packs: [] }\n${GATE}${FREE}`,
      ['gated: git:push'],
    ],
    [
      'too few people',
      WHOLE.replace(PEOPLE, 'approvals: { four_eyes: true, approvers: { "*": [countersign-verify-user] } }\n'),
      ['single use', 'expiry', 'four eyes', 'drift'],
    ],
    [
      'tools that nobody described run',
      `layers: { registry: { enforcement: advisory } }\n${GATE}${FREE}`,
      ['fail-closed: a tool that nobody described'],
    ],
    ['ways back that may be missing', WHOLE.replace('undo: {}', 'undo: { on_failure: pass }'), ['fail-closed: undo.on_failure']],
    ['acts that may be repeated', `${WHOLE}outcome: { on_unknown: pass }\n`, ['fail-closed: outcome.on_unknown']],
  ]
  for (const [title, section, fails] of POLICIES)
    test(`fail for a policy with ${title}`, async () => expect(await failing(section)).toEqual(expect.arrayContaining([...fails])))

  test('say that it was the log which had no place, whatever else the policy keeps', async () => {
    const bench = createBench(
      policyOf('undo: {}\npreview: {}\nhazards: { packs: [] }\nrules: { allow: [{ tool: "*", when: "true", reason: fine }] }\n'),
    )
    onTestFinished(() => bench.close())
    const lines = await guaranteesOf(bench, [])
    expect(lines.find(({ guarantee }) => guarantee === 'fail-closed: no place for the log')).toMatchObject({
      ...{ state: 'holds', detail: 'deny infra.audit_unavailable' },
    })
  })

  test('that need a call which runs are not applicable where the example does not run anyway, and say why', async () => {
    const bench = createBench(policyOf(`${GATE}rules: { deny: [{ tool: Bash, when: "true", reason: never }] }\n`))
    onTestFinished(() => bench.close())
    const lines = await guaranteesOf(bench, [])
    for (const name of ['fail-closed: a layer that throws', 'fail-closed: no place for the log'])
      expect(lines.find(({ guarantee }) => guarantee === name)).toMatchObject({
        state: 'not_applicable',
        detail: expect.stringContaining('does not run without the failure either'),
      })
  })

  const GATES: readonly (readonly [title: string, opening: Opening, fails: string])[] = [
    ['lets an approved call run for ever', forever, 'single use'],
    [
      'takes no time for over',
      (options) => openGate(options.store === undefined ? options : { ...options, store: standing(options.store) }),
      'expiry',
    ],
    ['does not know who answers', anybody, 'four eyes'],
    [
      'goes by an earlier policy',
      (options) => openGate({ ...options, policy: () => ({ policy: policyOf(WHOLE), degraded: null }) }),
      'drift',
    ],
    [
      'goes on without a policy',
      (options) => openGate({ ...options, policy: () => ({ policy: policyOf(WHOLE), degraded: null }) }),
      'fail-closed: no valid policy',
    ],
    ['leaves out layers', (options) => openGate({ ...options, layers: LAYERS }), 'fail-closed: a layer that throws'],
    [
      'keeps no log',
      (options) => openGate({ ...options, ...(options.store === undefined ? { record: false } : {}) }),
      'fail-closed: no place for the log',
    ],
  ]
  for (const [title, opening, fails] of GATES)
    test(`fail for a gate that ${title}`, async () => expect(await failing(WHOLE, { opening })).toContain(fails))

  test('fail for an entry that answers a denial with nothing', async () => {
    expect(await failing(WHOLE, { hosts: mute })).toEqual(['gated: git:push', 'gated: k8s:*'])
    expect(await failing(WHOLE, { hosts: open })).toEqual(['fail-closed: claude-code'])
  })

  test('have an example for every capability', () => {
    const bench = createBench(policyOf(''))
    onTestFinished(() => bench.close())
    const { gate } = bench.open().gate
    const actions = exampleCalls(bench.work).flatMap(({ call }) => gate.facts(call).effects.flatMap(({ action }) => action ?? []))
    const without = CAPABILITY_NAMES.filter((name) => !actions.some((action) => gatedBy(new Set([name]), action) !== null))
    expect(without).toEqual([])
  })
})

/** Its clock stands still. */
function standing<Store extends object>(store: Store): Store {
  const now = Date.now()
  return new Proxy(store, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name)
      return name === 'now' ? () => now : typeof value === 'function' ? value.bind(target) : value
    },
  })
}

describe('countersign verify', () => {
  const verify = async (section: string, ...args: readonly string[]) => {
    const home = makeHome()
    onTestFinished(() => home.remove())
    mkdirSync(home.state, { recursive: true })
    const file = join(home.state, 'countersign.yaml')
    writeFileSync(file, `version: 1\ndefault: ask\nunregistered: ask\ntool_families: [claude-code]\n${section}`)
    return commandLine(home, ['verify', '--policy', file, ...args])
  }

  test('says a line each, and ends with 0', async () => {
    const { stdout, stderr, status } = await verify(WHOLE)
    expect([status, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/^holds {11}gated: git:push: the gate: deny capability\.not_granted$/m)
    expect(stdout).toMatch(/^not applicable {2}entries: no hook is installed here/m)
  })
  test('ends with 1 where one fails, also as JSON', async () => {
    const { stdout, status } = await verify(`mode: shadow\n${WHOLE}`, '--json')
    const told = JSON.parse(stdout) as { holds: boolean; guarantees: { guarantee: string; state: string }[] }
    expect([status, told.holds, told.guarantees.find(({ guarantee }) => guarantee === 'enforced')?.state]).toEqual([1, false, 'fails'])
  })
  test('ends with 1 where the policy does not load', async () => {
    expect(await verify('nonsense: true\n')).toMatchObject({ status: 1, stdout: expect.stringContaining('FAILS  policy: ') })
  })
})
