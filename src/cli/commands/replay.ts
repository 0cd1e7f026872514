import { basename } from 'node:path'
import { stateDirectory } from '../../open.ts'
import { openReplay, replayFile } from '../../replay/file.ts'
import { type Replayed, type ReplayGate, replayLine } from '../../replay/run.ts'
import { Score } from '../../replay/score.ts'
import { textTable } from '../../replay/table.ts'
import { loadInForce } from '../open.ts'
import { EXIT, print, UsageError, warn } from '../terminal.ts'

export interface ReplayOptions {
  readonly policy?: string
  readonly score?: boolean
  readonly json?: boolean
  readonly diff?: string
  readonly record?: string
  readonly attended?: boolean
}

/** `countersign replay`: one line per call, or the table of metrics, or the calls that another policy decides differently. */
export async function replay(files: readonly string[], options: ReplayOptions): Promise<number> {
  // Nothing is let through without a record, not even on paper: one record per decision, in the log of this machine unless told.
  const attended = options.attended === true
  const main = open(options.policy ?? null, options.record ?? stateDirectory(), attended)
  const gates = options.diff === undefined ? [main] : [main, open(options.diff, null, attended)]
  try {
    for (const file of files) await replayOne(file, gates, options)
  } finally {
    for (const gate of gates) gate.opened.close()
  }
  return EXIT.ok
}

function open(policy: string | null, record: string | null, attended: boolean): ReplayGate {
  const state = loadInForce(policy)
  if (state.policy === null) throw new UsageError(state.detail ?? state.error)
  return openReplay(state, record, { attended })
}

async function replayOne(file: string, gates: readonly ReplayGate[], options: ReplayOptions): Promise<void> {
  const score = new Score()
  let calls = 0
  let reported = Date.now()
  let progress = false
  for await (const [replayed, other] of replayFile(file, gates)) {
    if (replayed === undefined) continue
    calls++
    score.add(replayed)
    if (other !== undefined) printDifference(replayed, other)
    else if (options.score !== true) print(replayLine(replayed))
    if (Date.now() - reported > 1000) {
      warn(`${basename(file)}: ${calls} calls`)
      reported = Date.now()
      progress = true
    }
  }
  if (progress) warn(`${basename(file)}: ${calls} calls, done`)
  if (options.score !== true) return
  const title = basename(file)
  print(options.json === true ? JSON.stringify({ file: title, ...score.result() }) : textTable(title, score.result()))
}

function printDifference(replayed: Replayed, other: Replayed): void {
  if (other.decision.decision === replayed.decision.decision) return
  print(`${replayLine(replayed).slice(0, -1)},"other":"${other.decision.decision}","other_code":"${other.decision.code}"}`)
}
