/** Runs tests of a policy: each in a session and a world of its own, through the whole gate, without anything being asked or started. */
import type { Decision } from '../core/decision.ts'
import { type JsonObject, own } from '../core/json.ts'
import { runs } from '../core/verdict.ts'
import type { Policy } from '../policy/policy.ts'
import type { PolicyTest } from '../policy/sections/tests.ts'
import { WorldFault } from '../view/described.ts'
import { openReplay } from './file.ts'
import { RowFault, recordingOfCalls } from './rows.ts'
import { type Replayed, type ReplayGate, replayRecording } from './run.ts'

export interface Tested {
  readonly test: PolicyTest
  /** Each thing that is not as the test says; empty: it holds. */
  readonly differences: readonly Difference[]
  /** Null where the call was never decided. */
  readonly decision: Decision | null
}

export interface Difference {
  readonly what: string
  readonly expected: string
  readonly actual: string
}

/** A rule that a policy wrote, and whether a test reached it. */
export interface Covered {
  /** `rules deny[0]`, `sequences refunds`, `roles reviewer.Bash`, `capability git:push`, `contract Read`. */
  readonly rule: string
  readonly line: number | null
  readonly reached: boolean
}

export interface TestRun {
  readonly tested: readonly Tested[]
  readonly coverage: readonly Covered[]
}

export async function runPolicyTests(policy: Policy, tests: readonly PolicyTest[]): Promise<TestRun> {
  const gate = openReplay({ policy: byItself(policy), degraded: null }, null)
  const reached = new Set<string>()
  try {
    const tested: Tested[] = []
    for (const [index, test] of tests.entries()) tested.push(await runTest(test, { gate, policy, index, reached }))
    return { tested, coverage: coverageOf(policy, reached) }
  } finally {
    gate.opened.close()
  }
}

/** No judge is asked, no scanner is started, no state is looked up: a test shows what the policy itself decides. */
function byItself(policy: Policy): Policy {
  return {
    ...policy,
    judges: { ...policy.judges, named: new Map(), gates: [], advisers: [] },
    guards: { ...policy.guards, scanners: [] },
    contracts: { ...policy.contracts, providers: [] },
  }
}

interface Running {
  readonly gate: ReplayGate
  readonly policy: Policy
  readonly index: number
  readonly reached: Set<string>
}

async function runTest(test: PolicyTest, { gate, policy, index, reached }: Running): Promise<Tested> {
  try {
    const recording = recordingOfCalls(`test ${index}`, [...test.earlier.map(asSent), test.call], test.worlds)
    const replayed: Replayed[] = []
    for await (const each of replayRecording(gate, recording)) replayed.push(each)
    for (const { decision } of replayed) for (const { layer, rule } of decision.findings) reached.add(`${layer} ${rule}`)
    const other = replayed.slice(0, -1).find(({ decision, index: at }) => !wentSo(decision, wasDenied(test.earlier[at])))
    if (other !== undefined) {
      const { decision, code } = other.decision
      const expected = wasDenied(test.earlier[other.index]) ? 'a call that was denied' : 'a call that ran'
      return failed(test, { what: `earlier[${other.index}]`, expected, actual: `${decision} ${code}` })
    }
    const decision = replayed.at(-1)?.decision ?? null
    return { test, decision, differences: decision === null ? [] : differencesOf(test, decision, policy) }
  } catch (error) {
    if (error instanceof RowFault || error instanceof WorldFault)
      return failed(test, { what: 'the test', expected: 'one that can be run', actual: error.message })
    throw error
  }
}

/** `denied: true` beside a call says that it did not run, because the policy denied it. */
function wasDenied(earlier: JsonObject | undefined): boolean {
  return earlier !== undefined && own(earlier, 'denied') === true
}

function asSent({ denied, ...call }: JsonObject): JsonObject {
  return denied === undefined || typeof denied === 'boolean' ? call : { ...call, denied }
}

function wentSo({ decision }: Decision, denied: boolean): boolean {
  return denied ? decision === 'deny' || decision === 'halt' : runs(decision)
}

function failed(test: PolicyTest, difference: Difference): Tested {
  return { test, decision: null, differences: [difference] }
}

function differencesOf({ expect, call }: PolicyTest, decision: Decision, policy: Policy): readonly Difference[] {
  const people = decision.would === 'ask' && canBeAnswered(decision)
  const role = roleOf(call)
  const approvers = policy.approvals.approvers.get(role ?? '') ?? policy.approvals.approvers.get('*') ?? null
  const checks: readonly (readonly [string, string | null, string])[] = [
    ['verdict', expect.verdict, decision.would],
    ['code', expect.code, decision.code],
    ['approvals', expect.approvals === null ? null : String(expect.approvals), String(people ? policy.approvals.quorum : 0)],
    [
      'approvers',
      expect.approvers === null ? null : listed(expect.approvers),
      people ? (approvers === null ? 'anyone' : listed(approvers)) : 'nobody',
    ],
  ]
  return checks.flatMap(([what, expected, actual]) => (expected === null || expected === actual ? [] : [{ what, expected, actual }]))
}

function canBeAnswered({ findings }: Decision): boolean {
  const asks = findings.filter(({ verdict }) => verdict === 'ask')
  return asks.every(({ resolvers }) => resolvers.includes('human'))
}

function roleOf(call: PolicyTest['call']): string | null {
  const { principal } = call
  return typeof principal === 'object' && principal !== null && 'role' in principal && typeof principal.role === 'string'
    ? principal.role
    : null
}

/** `alice` and `human:alice` are one person. */
function listed(names: readonly string[]): string {
  return names
    .map((name) => (name.includes(':') ? name : `human:${name}`))
    .sort()
    .join(', ')
}

/** Every rule, rule over time, limit of a role, gated action and contract that the policy itself writes. */
function coverageOf(policy: Policy, reached: ReadonlySet<string>): readonly Covered[] {
  const limits = [...policy.roles.values()].flatMap(({ policies, capabilities }) => [...policies, ...(capabilities ?? [])])
  const written: readonly (readonly [string, number | null])[] = [
    ...policy.rules.all.map(({ id, place }) => [`rules ${id}`, place.line] as const),
    ...policy.sequences.flatMap(({ id, place }) => (place === null ? [] : [[`sequences ${id}`, place.line] as const])),
    ...limits.map(({ id }) => [`roles ${id}`, null] as const),
    ...[...policy.capabilities.gate].map((action) => [`capability ${action}`, null] as const),
    ...policy.contracts.all
      .filter(({ place }) => place.path === policy.path)
      .map(({ tool, place }) => [`contract ${tool}`, place.line] as const),
  ]
  return [...new Map(written)].map(([rule, line]) => ({ rule, line, reached: reached.has(rule) }))
}
