/** From a shell command to its effects, on the commands of recorded coding sessions; beside cc-safety-net on the same commands. */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { checkCommand } from 'cc-safety-net/api'
import { analyse } from '../src/facts/analyse.ts'
import { DEFAULT_POLICY } from '../src/policy/default.ts'
import { readRecordings } from '../src/replay/read.ts'
import { createFixedView } from '../src/view/fixed.ts'
import { COMMANDS } from './commands.ts'
import { gateOf, policyOf, WORLD } from './gates.ts'
import { type Report, SAMPLE_COLUMNS, sample, sampleEach, sampleRows } from './measure.ts'
import { callOf } from './rules.ts'

const RECORDED = fileURLToPath(new URL('../../shared/eval/dev/claude_code_specstory.jsonl.gz', import.meta.url))
const OPTIONS = { state: { written: new Map() }, canaryTokens: [], maxCommandBytes: 64 * 1024 }
const MILLISECONDS = 8_000

export async function analysis(): Promise<readonly Report[]> {
  const recorded = existsSync(RECORDED)
  const commands = recorded ? await recordedCommands() : COMMANDS
  // Each of the five rounds sees every command.
  const count = 5 * Math.max(1_000, commands.length)
  // As in a gate that has been answering for a while: the compiler is done with what it runs often after some ten passes.
  const budget = { count, milliseconds: MILLISECONDS, warm: 12 * commands.length }
  const call = (i: number) => callOf('Bash', 'user', { command: commands[i % commands.length] ?? '' })
  const { gate } = gateOf({ policy: policyOf(DEFAULT_POLICY) })
  const effects = (i: number) => analyse(call(i), createFixedView(WORLD), OPTIONS)
  const samples = [
    await sample('countersign, effects', budget, effects),
    sampleEach('countersign, effects, each command at its best of five', commands.length, effects),
    await sample('countersign, decision by the shipped policy', budget, (i) => gate.decide(call(i))),
    await sample('cc-safety-net, checkCommand', budget, (i) =>
      checkCommand({ command: commands[i % commands.length] ?? '', cwd: WORLD.cwd }),
    ),
  ]
  const from = recorded
    ? `${commands.length} shell commands of recorded coding sessions`
    : `${commands.length} built-in commands (no recordings here)`
  return [{ title: `Analysis of ${from}`, columns: SAMPLE_COLUMNS, rows: sampleRows(samples), notes: [] }]
}

async function recordedCommands(): Promise<readonly string[]> {
  const commands: string[] = []
  for await (const { calls } of readRecordings(RECORDED)) {
    for (const { args } of calls) if (typeof args.command === 'string') commands.push(args.command)
  }
  return commands
}
