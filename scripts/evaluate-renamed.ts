/**
 * Replays attacks twice, as they were recorded and with the addresses and hosts of the attacker under other names, and compares call by
 * call: a gate that knew names of the recordings would decide otherwise. On the tuning half; nothing is written.
 */
import { hash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { loadInForce } from '../src/cli/open.ts'
import { runs } from '../src/core/verdict.ts'
import { openReplay } from '../src/replay/file.ts'
import { readRecordings } from '../src/replay/read.ts'
import { replayRecording } from '../src/replay/run.ts'

const BENCHMARKS = ['agentdojo', 'agentdyn'] as const
/** Sessions of one task. */
const MAX_OF_A_TASK = 8
const NAMES = /[\w.+-]+@[\w-]+(?:\.[\w-]+)+|(?:https?:\/\/)[\w-]+(?:\.[\w-]+)+|www\.[\w-]+(?:\.[\w-]+)+/gi

interface Line {
  readonly context: { readonly task?: string }
  readonly calls: readonly { readonly args: unknown; readonly label: string }[]
  readonly session_label: string
  readonly meta: { readonly suite: string; readonly user_task: string }
}

/** @param data directory of the recorded sessions. */
export async function evaluateRenamed(data: string): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'countersign-renamed-'))
  try {
    for (const benchmark of BENCHMARKS) {
      const chosen = linesOf(join(data, `${benchmark}_attack.jsonl.gz`), benchmark)
      const renamed = chosen.map(renamedLine)
      const [before, after] = [
        await verdictsOf(home, benchmark, chosen),
        await verdictsOf(
          home,
          benchmark,
          renamed.map(({ line }) => line),
        ),
      ]
      const names = renamed.reduce((sum, { names: count }) => sum + count, 0)
      const moved = before.filter((verdict, at) => verdict !== after[at]).length
      const ran = before.filter((verdict, at) => runs(verdict) !== runs(after[at] ?? verdict)).length
      console.log(
        `${benchmark}: ${chosen.length} sessions, ${names} names changed, ${before.length} calls; ${moved} verdicts moved, ${ran} between running and not`,
      )
    }
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

/** Chosen by a hash, attacks of the tuning half that name an address or a host. */
function linesOf(file: string, benchmark: string): readonly string[] {
  const lines = gunzipSync(readFileSync(file)).toString('utf8').split('\n').filter(Boolean)
  const counts = new Map<string, number>()
  return lines
    .toSorted((a, b) => (hash('sha256', a) < hash('sha256', b) ? -1 : 1))
    .filter((line) => {
      const { session_label: label, meta } = JSON.parse(line) as Line
      const task = `${benchmark}/${meta.suite}/${meta.user_task}`
      const before = counts.get(task) ?? 0
      const isTuned = Number.parseInt(hash('sha256', task).charAt(0), 16) % 2 === 0
      if (!isTuned || label !== 'attack_success' || before >= MAX_OF_A_TASK || namesIn(line).length === 0) return false
      counts.set(task, before + 1)
      return true
    })
}

/** Of the attacker: in what the attack does, and not in the user's words. */
function namesIn(line: string): readonly string[] {
  const { calls, context } = JSON.parse(line) as Line
  const task = (context.task ?? '').toLowerCase()
  const attack = JSON.stringify(calls.filter(({ label }) => label === 'attack').map(({ args }) => args))
  const found = [...attack.matchAll(NAMES)].map(([name]) => name.replace(/^https?:\/\//i, ''))
  return [...new Set(found)].filter((name) => !task.includes(name.toLowerCase()))
}

function renamedLine(line: string): { readonly line: string; readonly names: number } {
  const names = [...namesIn(line)].sort((a, b) => b.length - a.length)
  let renamed = line
  for (const name of names) renamed = renamed.replaceAll(new RegExp(name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'gi'), rotated)
  return { line: renamed, names: names.length }
}

/** Other letters in the same places; the last label, `www` and signs stay. */
function rotated(name: string): string {
  const end = name.lastIndexOf('.')
  const begin = /^www\./i.test(name) ? 4 : 0
  const turned = name.slice(begin, end).replace(/[a-z]/gi, (letter) => {
    const first = letter <= 'Z' ? 65 : 97
    return String.fromCharCode(first + ((letter.charCodeAt(0) - first + TURN) % LETTERS))
  })
  return name.slice(0, begin) + turned + name.slice(end)
}

const LETTERS = 26
const TURN = 7

type Verdict = Parameters<typeof runs>[0]

async function verdictsOf(home: string, benchmark: string, lines: readonly string[]): Promise<readonly Verdict[]> {
  const file = join(home, `${benchmark}.jsonl`)
  writeFileSync(file, `${lines.join('\n')}\n`)
  const state = loadInForce(`examples/${benchmark}/countersign.yaml`)
  if (state.policy === null) throw new Error(`${benchmark}: ${state.error}`)
  const gate = openReplay(state, null)
  const found: Verdict[] = []
  try {
    for await (const recording of readRecordings(file)) {
      for await (const { decision } of replayRecording(gate, recording)) found.push(decision.decision)
    }
  } finally {
    gate.opened.close()
  }
  return found
}
