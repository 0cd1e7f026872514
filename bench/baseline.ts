/** What a baseline adds to a decision: the same calls by two gates over a log, one of which compares them with a role that is known well. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { roleKey } from '../src/baseline/learner.ts'
import { emptyModel, learnDay } from '../src/baseline/model.ts'
import { writeStates } from '../src/baseline/rows.ts'
import type { Term } from '../src/core/behaviour.ts'
import type { ToolCall } from '../src/core/call.ts'
import { loadKeys } from '../src/store/sqlite/keys.ts'
import { openBench, policyOf } from './gates.ts'
import { processorTime, type Report, round, SAMPLE_COLUMNS, sampleRows, summary } from './measure.ts'
import { callOf } from './rules.ts'

const WARM = 300
const COUNT = 1_500
/** Decisions of one gate that are timed together: a processor's clock is too coarse for one. */
const TOGETHER = 20
const SESSIONS = 500
const VALUES = 200
const POLICY = `version: 1
default: deny
tool_families: [claude-code]
rules: { allow: [{ tool: '*', reason: bench }] }
`
const COMMANDS = ['git status', 'npm test', 'cat src/app.ts', 'curl https://api.example.com/v1/health', 'git diff src/app.ts']

export async function baselines(): Promise<readonly Report[]> {
  const homes = ['without', 'with'].map((name) => mkdtempSync(join(tmpdir(), `countersign-bench-${name}-`)))
  const gates = homes.map((home, at) => openBench({ policy: policyOf(at === 0 ? POLICY : `${POLICY}baseline: {}\n`), record: home }))
  const [, known] = gates
  if (known !== undefined) await fill(known.store, homes[1] ?? '')
  const times: number[][] = [[], []]
  const processor = [0, 0]
  const decided = async (round: number, at: number): Promise<void> => {
    const before = processorTime()
    for (let i = round * TOGETHER; i < (round + 1) * TOGETHER; i += 1) {
      const started = performance.now()
      const decision = await gates[at]?.gate.decide(call(i))
      if (i >= WARM) times[at]?.push((performance.now() - started) * 1000)
      if (decision?.decision === 'deny') throw new Error(`denied: ${decision.reason}`)
    }
    if (round * TOGETHER >= WARM) processor[at] = (processor[at] ?? 0) + processorTime() - before
  }
  for (let round = 0; round < (WARM + COUNT) / TOGETHER; round += 1)
    for (const at of round % 2 === 0 ? [0, 1] : [1, 0]) await decided(round, at)
  for (const gate of gates) gate.close()
  for (const home of homes) rmSync(home, { recursive: true, force: true })
  const [without, beside] = [summary('without', times[0] ?? []), summary('with a baseline', times[1] ?? [])]
  return [
    {
      title: `Decision with a durable record, and with a baseline of ${SESSIONS} sessions`,
      columns: SAMPLE_COLUMNS,
      rows: sampleRows([without, beside]),
      notes: [
        `added p50: ${round(beside.p50 - without.p50)} µs; added processor time: ${round(((processor[1] ?? 0) - (processor[0] ?? 0)) / COUNT)} µs of ${round((processor[0] ?? 0) / COUNT)} µs`,
      ],
    },
  ]
}

function call(i: number): ToolCall {
  const made = callOf('Bash', 'user', { command: COMMANDS[i % COMMANDS.length] ?? '' })
  return { ...made, session: `s-${i % 50}`, cwd: '/home/user/project', principal: { ...made.principal, role: 'bench' } }
}

async function fill(store: ReturnType<typeof openBench>['store'], home: string): Promise<void> {
  const model = emptyModel()
  const terms: Term[] = Array.from({ length: VALUES }, (_, at) => ({ unit: 'command', context: '', value: `program-${at}` }))
  const usual: Term[] = COMMANDS.map((command) => ({ unit: 'command', context: '', value: command.split(' ').slice(0, 2).join(' ') }))
  const lessons = Array.from({ length: SESSIONS }, (_, n) => ({
    terms: [...usual, ...terms.filter((_term, at) => at % 50 === n % 50)],
    flagged: [],
  }))
  learnDay(model, 1, { lessons, by: { warmUp: 1e9, quarantineDays: 14 } })
  const states = new Map([[roleKey(null, 'bench'), { model, versions: new Map(), held: null }]])
  const record = { kind: 'note', session: null, tenant: null, tool: null, decision: null, code: null, at: 0, body: {} } as const
  await store.run((tx) => writeStates(tx, 'head', { states, upto: 0, at: 0, signer: loadKeys(home).current }), record)
}
