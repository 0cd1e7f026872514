/** From a shell command to its effects, on the commands of recorded coding sessions; beside cc-safety-net on the same commands. */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { checkCommand } from 'cc-safety-net/api'
import { analyse } from '../src/facts/analyse.ts'
import { DEFAULT_POLICY } from '../src/policy/default.ts'
import { readRecordings } from '../src/replay/read.ts'
import { createFixedView } from '../src/view/fixed.ts'
import { createNodeView } from '../src/view/node.ts'
import { COMMANDS } from './commands.ts'
import { gateOf, policyOf, WORLD } from './gates.ts'
import { type Report, round, SAMPLE_COLUMNS, sample, sampleEach, sampleRows } from './measure.ts'
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
  return [{ title: `Analysis of ${from}`, columns: SAMPLE_COLUMNS, rows: sampleRows(samples), notes: [] }, await python(), project()]
}

/** A program of plain Python that a command hands to the interpreter, by its length. */
async function python(): Promise<Report> {
  const rows: (string | number)[][] = []
  for (const parts of [5, 50, 100]) {
    const program = ['import json', ...Array.from({ length: parts }, (_, i) => pythonPart(i))].join('\n')
    const lines = program.split('\n').length
    const call = callOf('Bash', 'user', { command: `python3 <<'EOF'\n${program}\nEOF` })
    const { p50 } = sampleEach('', 100, () => {
      if (analyse(call, createFixedView(WORLD), OPTIONS).effects.some(({ verb }) => verb === 'opaque')) throw new Error('it was not read')
    })
    rows.push([`${lines} lines`, p50, round(p50 / lines)])
  }
  const notes = ['Each of a hundred runs at its best of five.']
  return { title: 'Analysis of Python', columns: ['', 'p50 µs', 'p50 a line, µs'], rows, notes }
}

function pythonPart(i: number): string {
  return `
def step_${i}(items, limit=${i}):
    """Counts what is left of the items."""
    total = 0
    for item in items:
        if item is None or item["size"] > limit:
            continue
        total += item["size"] * 2
    result = {"name": "step ${i}", "total": total, "parts": [str(x) for x in items[:3]]}
    if total > 100:
        raise ValueError(f"too many: {total}")
    return json.dumps(result, indent=2)
`
}

const REPOSITORY = fileURLToPath(new URL('..', import.meta.url))

/** Commands of this very repository: their package scripts, settings, scripts and tests are opened and read. */
const OF_PROJECT = [
  'npm test',
  'npm run check',
  'npm run build && npm run bench',
  'npx vitest run test/readers',
  'npx vitest run src/facts/bash --maxWorkers=1',
  'npx tsx scripts/docs.ts --check',
  'npm run evaluate -- repos',
  './bin/countersign demo',
  'npx biome check . && npx tsc -p . --noEmit',
  'git add -A && git commit -m "Say why" && npm run check:house',
]

function project(): Report {
  const view = () => createNodeView({ cwd: REPOSITORY })
  const rows = OF_PROJECT.map((command) => {
    const call = { ...callOf('Bash', 'user', { command }), cwd: REPOSITORY }
    const { p50, p99 } = sampleEach('', 40, () => analyse(call, view(), OPTIONS))
    return [command, p50, p99]
  })
  const notes = ['Each of forty runs at its best of five; every run opens the files anew through the real View.']
  return { title: 'Analysis of commands of this repository, whose files are read', columns: ['', 'p50 µs', 'p99 µs'], rows, notes }
}

async function recordedCommands(): Promise<readonly string[]> {
  const commands: string[] = []
  for await (const { calls } of readRecordings(RECORDED)) {
    for (const { args } of calls) if (typeof args.command === 'string') commands.push(args.command)
  }
  return commands
}
