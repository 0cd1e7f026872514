/** One simple call under the shipped policy: what looking at the machine adds, and what the durable record adds. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DEFAULT_POLICY } from '../src/policy/default.ts'
import { gateOf, policyOf } from './gates.ts'
import { type Report, SAMPLE_COLUMNS, sample, sampleRows } from './measure.ts'
import { callOf } from './rules.ts'

const BUDGET = { count: 20_000, milliseconds: 2_500 }

export async function simple(): Promise<readonly Report[]> {
  const policy = policyOf(DEFAULT_POLICY)
  const directory = mkdtempSync(join(tmpdir(), 'countersign-bench-'))
  const described = gateOf({ policy })
  const machine = gateOf({ policy, machine: true })
  const recorded = gateOf({ policy, machine: true, record: directory })
  const cwd = process.cwd()
  const read = { ...callOf('Read', 'user', { file_path: join(cwd, 'package.json') }), cwd }
  const status = { ...callOf('Bash', 'user', { command: 'git status' }), cwd }
  try {
    const samples = [
      await sample('`git status`, described world', BUDGET, () => described.gate.decide(status)),
      await sample('`git status`, this machine', BUDGET, () => machine.gate.decide(status)),
      await sample('`git status`, this machine, recorded', BUDGET, () => recorded.gate.decide(status)),
      await sample('Read of a file, described world', BUDGET, () => described.gate.decide(read)),
      await sample('Read of a file, this machine', BUDGET, () => machine.gate.decide(read)),
    ]
    return [{ title: 'A simple call under the shipped policy', columns: SAMPLE_COLUMNS, rows: sampleRows(samples), notes: [] }]
  } finally {
    recorded.close()
    rmSync(directory, { recursive: true, force: true })
  }
}
