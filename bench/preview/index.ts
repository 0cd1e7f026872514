/**
 * What a preview adds to a bare run of the same command in bubblewrap, with the same namespaces and mounts, in a workspace of 50,000 files. The
 * ways take turns in blocks, so that other work on the machine falls on all of them.
 */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { ToolCall } from '../../src/core/call.ts'
import { analyse } from '../../src/facts/analyse.ts'
import { previewOf } from '../../src/open-preview.ts'
import { type System, sandboxed } from '../../src/sandbox/cell.ts'
import { lookAround, PLACES } from '../../src/sandbox/sandbox.ts'
import { createNodeView } from '../../src/view/node.ts'
import { policyOf } from '../gates.ts'
import { type Report, round, summary } from '../measure.ts'
import { callOf } from '../rules.ts'

const WORKSPACE = 50_000
const EACH = 500
const BLOCKS = 5
const RUNS = 20
const WARM = 10
/** Milliseconds; p50 that a preview may add. */
const GOAL = 30
/** `/proc/self/stat` counts in hundredths of a second. */
const TICK_MS = 10

const COMMANDS = [
  ['one file written', 'echo "export const value = 1" > d7/fresh.ts'],
  ['100 files written', 'for i in $(seq 3500 3599); do echo "export const value = 1" > d7/$i.ts; done'],
  ['a tree of 500 files read', 'grep -rl value d9 | wc -l'],
] as const

interface Measured {
  /** Wall, each run. */
  readonly milliseconds: number[]
  /** Processor time of all of them, of this process and of those that it started. */
  processor: number
}

export async function preview(): Promise<readonly Report[]> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-bench-')))
  try {
    const work = join(root, 'work')
    plant(work)
    const rows: (string | number)[][] = []
    const misses: string[] = []
    for (const [name, command] of COMMANDS) {
      const [bare, shown] = await inTurn([() => bareRun(command, work), () => previewed(command, work)])
      const added = median(shown) - median(bare)
      if (added > GOAL) misses.push(`"${name}" is over ${GOAL} ms`)
      rows.push([`${name}: bare bubblewrap`, ...cells(bare), '-'])
      rows.push([`${name}: preview`, ...cells(shown), round(added)])
    }
    const columns = ['', 'least ms', 'p50 ms', 'p99 ms', 'processor time ms', 'added, p50 ms']
    const notes = [`Aim: a preview adds at most ${GOAL} ms at p50: ${misses.length === 0 ? 'met' : `missed (${misses.join('; ')})`}.`]
    return [{ title: 'Previews in a workspace of 50,000 files', columns, rows, notes }]
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

function plant(work: string): void {
  for (let index = 0; index < WORKSPACE; index++) {
    const directory = join(work, `d${Math.floor(index / EACH)}`)
    if (index % EACH === 0) mkdirSync(directory, { recursive: true })
    writeFileSync(join(directory, `${index}.ts`), `export const value = ${index}\n`.repeat(20))
  }
}

type Way = () => Promise<void>

async function inTurn(ways: readonly [Way, Way]): Promise<readonly [Measured, Measured]> {
  const measured: readonly [Measured, Measured] = [
    { milliseconds: [], processor: 0 },
    { milliseconds: [], processor: 0 },
  ]
  for (let run = 0; run < WARM; run++) for (const way of ways) await way()
  for (let block = 0; block < BLOCKS; block++)
    for (const [at, way] of ways.entries()) {
      const before = await processorTime()
      for (let run = 0; run < RUNS; run++) {
        const started = performance.now()
        await way()
        measured[at]?.milliseconds.push(performance.now() - started)
      }
      const to = measured[at]
      if (to !== undefined) to.processor += (await processorTime()) - before
    }
  return measured
}

/** Of this process, of those that it started and that have ended, and of those that it keeps. Waits for those that are about to end. */
async function processorTime(): Promise<number> {
  await wait(100)
  const kept = readFileSync('/proc/thread-self/children', 'latin1').trim().split(' ')
  return ['self', ...kept.filter((pid) => pid !== '')].reduce((sum, pid) => sum + ticksOf(pid), 0) * TICK_MS
}

/** With those that it waited for. The first field here is the third of the manual. */
function ticksOf(pid: string): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ') ?? []
  return [11, 12, 13, 14].reduce((sum, field) => sum + Number(fields[field]), 0)
}

function median({ milliseconds }: Measured): number {
  return summary('', milliseconds).p50
}

function cells({ milliseconds, processor }: Measured): readonly number[] {
  const { p50, p99, count } = summary('', milliseconds)
  return [round(Math.min(...milliseconds)), p50, p99, round(processor / count)]
}

const { preview: SECTION } = policyOf('version: 1\npreview: { run: always }\n')
const OPTIONS = { state: { written: new Map() }, canaryTokens: [], maxCommandBytes: 64 * 1024 }

/** As the gate does it: what the call would do is known then, but is counted here too. */
async function previewed(command: string, work: string): Promise<void> {
  const call: ToolCall = { ...callOf('Bash', 'user', { command }), cwd: work }
  const view = createNodeView({ cwd: work })
  const seen = await previewOf(call, analyse(call, view, OPTIONS), { view, section: SECTION })
  if (seen?.shown.kind !== 'sandbox' || seen.shown.exit_code !== 0)
    throw new Error(`no trial: ${JSON.stringify(seen?.shown).slice(0, 300)}`)
}

/** Writes to the workspace itself, which is why it costs what it costs without a preview. */
function bareRun(command: string, work: string): Promise<void> {
  const system = lookAroundOnce()
  const cell = {
    mounts: [],
    copy: false,
    hidden: [],
    programs: [],
    cwd: work,
    environment: {},
    limits: { timeMs: 10_000, memoryBytes: 1 << 30, outputBytes: 1 << 16, spaceBytes: 1 << 28, processes: 256 },
    binds: [{ from: work, to: work, writable: true }],
    identity: { uid: process.getuid?.() ?? 65_534, gid: process.getgid?.() ?? 65_534 },
  }
  const [program = '', ...words] = sandboxed([], cell, system)
  const walls = words.slice(0, words.indexOf('--') + 1)
  const child = spawn(program, [...walls, '/bin/bash', '-c', `cd "${work}"; ${command}`], { env: {}, stdio: ['ignore', 'pipe', 'pipe'] })
  return new Promise((resolve, reject) => {
    child.stdout.resume()
    child.stderr.resume()
    child.on('error', reject)
    child.on('close', (status) => (status === 0 ? resolve() : reject(new Error(`bubblewrap ended with ${status}`))))
  })
}

let system: System | null = null

function lookAroundOnce(): System {
  if (system !== null) return system
  const found = lookAround(PLACES)
  if (typeof found === 'string') throw new Error(found)
  system = found
  return found
}
