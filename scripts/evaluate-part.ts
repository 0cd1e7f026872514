/** One part of an evaluation, measured in a process of its own: takes what to measure as its first message and answers with the result. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { loadInForce } from '../src/cli/open.ts'
import { openReplay, replayFile } from '../src/replay/file.ts'
import type { Replayed } from '../src/replay/run.ts'
import { Score, type Scored } from '../src/replay/score.ts'
import { evaluateBaseline } from './evaluate-baseline.ts'
import { evaluateHybrid } from './evaluate-hybrid.ts'
import { AgainstLabels, addSession, type LabelCounts, noSessions, type SessionCounts } from './evaluate-profiles.ts'
import { evaluateRepositories } from './evaluate-repos.ts'

/** A recorded set, and how it is judged. */
export interface Measurable {
  readonly set: string
  /** A policy of its own, written from tool schemas and house rules; absent: the shipped one. */
  readonly policy?: string
  /** Recorded work of coding agents: how often they do a thing is what asking about it would cost. */
  readonly sessions?: boolean
}

/** A set as it was measured. */
export interface Measured {
  readonly scored: Scored
  readonly syntax: string
  readonly against: LabelCounts
  readonly sessions: SessionCounts
}

/** Each part, by what it is told and what it answers. Whatever it prints is printed in its place. */
export interface Parts {
  readonly suite: (data: string, suite: Measurable) => Promise<Measured>
  readonly repositories: (data: string, lists: boolean) => Promise<string | null>
  readonly hybrid: (data: string, told: null) => Promise<string>
  readonly baseline: (data: string, told: null) => Promise<string>
}

const PARTS: Parts = {
  suite: measure,
  repositories: (data, lists) => evaluateRepositories(join(data, '..', 'repos'), lists),
  hybrid: evaluateHybrid,
  baseline: evaluateBaseline,
}

async function measure(data: string, suite: Measurable): Promise<Measured> {
  const state = loadInForce(suite.policy ?? null)
  if (state.policy === null) throw new Error(`${suite.policy ?? 'the shipped policy'}: ${state.error}`)
  const gate = openReplay(state, null)
  const score = new Score()
  const unread: string[] = []
  const against = new AgainstLabels()
  const sessions = noSessions()
  for await (const [replayed] of replayFile(join(data, `${suite.set}.jsonl.gz`), [gate])) {
    if (replayed === undefined) continue
    score.add(replayed)
    const command = commandNotUnderstood(replayed)
    if (command !== null) unread.push(command)
    if (suite.sessions === true) addSession(sessions, replayed)
    else against.add(replayed)
  }
  gate.opened.close()
  const accepted = unread.filter(bashAccepts).length
  const syntax =
    unread.length === 0
      ? 'The syntax of every command was understood.'
      : `Of ${unread.length} commands whose syntax was not understood, bash itself accepts ${accepted}.`
  return { scored: score.result(), syntax, against: against.counts, sessions }
}

function commandNotUnderstood({ recording, index, decision }: Replayed): string | null {
  const command = recording.calls[index]?.args.command
  const broken = decision.effects.some((effect) => effect.reason?.startsWith('the shell syntax is broken') === true)
  return broken && typeof command === 'string' ? command : null
}

/** Reads the command without running any of it. Text that a command hands on to another shell is not read. */
function bashAccepts(command: string): boolean {
  return spawnSync('bash', ['-n'], { input: command, stdio: ['pipe', 'ignore', 'ignore'] }).status === 0
}

process.once('message', async ({ part, data, told }: { part: keyof Parts; data: string; told: never }) => {
  const result = await PARTS[part](data, told)
  process.send?.({ result }, () => process.disconnect())
})
