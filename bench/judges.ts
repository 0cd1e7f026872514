/** What the path of a judge costs without its model: payload, prompt, parsing, thresholds, and the record of all of it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { JudgeFunction } from '../src/judges/providers/provider.ts'
import { DEFAULT_POLICY } from '../src/policy/default.ts'
import { gateOf, policyOf } from './gates.ts'
import { type Report, round, SAMPLE_COLUMNS, type Sample, sample, sampleRows } from './measure.ts'
import { callOf } from './rules.ts'

const BUDGET = { count: 4_000, milliseconds: 2_500 }
/** Microseconds that the path may add, at p50. */
const AIM = 2_000

const accept: JudgeFunction = () => ({ score: 1, confidence: 1, reasoning: 'fits', signals: [] })
const judges = new Map([['j', accept]])
const gate = (fields = '') =>
  `${DEFAULT_POLICY}\njudges: { j: { provider: function${fields} } }\ntool_validation: [{ type: semantic, judge_agent: j }]`

export async function judgePaths(): Promise<readonly Report[]> {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-bench-'))
  const opened = [
    ['no judge', gateOf({ policy: policyOf(DEFAULT_POLICY) })],
    ['a judge that answers at once', gateOf({ policy: policyOf(gate()), judges })],
    ['no judge, recorded', gateOf({ policy: policyOf(DEFAULT_POLICY), record: join(directory, 'a') })],
    ['a judge that answers at once, recorded', gateOf({ policy: policyOf(gate()), record: join(directory, 'b'), judges })],
    [
      'its answer of before, recorded',
      gateOf({ policy: policyOf(gate(', cache: { seconds: 3600 }')), record: join(directory, 'c'), judges }),
    ],
  ] as const
  const call = callOf('Bash', 'user', { command: 'git status && npm test' })
  try {
    const samples: Sample[] = []
    for (const [name, { gate: each }] of opened) {
      const { decision } = await each.decide(call)
      if (decision !== 'allow') throw new Error(`${name}: ${decision} instead of allow`)
      samples.push(await sample(name, BUDGET, () => each.decide(call)))
    }
    const [without, judged] = samples
    const added = round((judged?.p50 ?? 0) - (without?.p50 ?? 0))
    const notes = [`The judge's path adds ${added} µs at p50 (the aim is at most ${AIM}): ${added <= AIM ? 'met' : 'missed'}.`]
    return [{ title: 'The path of a judge, without its model', columns: SAMPLE_COLUMNS, rows: sampleRows(samples), notes }]
  } finally {
    for (const [, { close }] of opened) close()
    rmSync(directory, { recursive: true, force: true })
  }
}
