/**
 * The threads of the daemon: one that looks at the log, one that decides calls which are large; the one of the proxies, which copies the
 * journal, and the one that looks large results through. Each starts when it is first asked.
 */
import type { Decision } from '../../core/decision.ts'
import type { Looked, Looking, Response } from '../../open-looking.ts'
import type { LargeCall } from '../../proxies/large.ts'
import type { LargeAnswer, LookedAnswer } from '../../proxies/mcp/apart.ts'
import type { Threads } from '../../server/apart/forward.ts'
import { CHECKPOINT, DECIDE, LOOK_AT_ANSWER, LOOK_THROUGH } from '../../server/apart/message.ts'
import { openThread, threadFile } from '../../thread/thread.ts'

export interface ThreadsOptions {
  readonly home: string
  /** The policy that the operator named; null: as it is found. */
  readonly policy: string | null
  readonly note: (line: string) => void
}

/** What the thread of large calls is started with. */
export type CallsData = Pick<ThreadsOptions, 'home' | 'policy'>
/** What the thread that looks is started with. */
export type LooksData = Pick<ThreadsOptions, 'home'>

/** Milliseconds that a large call may take: longer than any host waits. */
const PATIENCE_MS = 60_000

export interface DaemonThreads extends Threads {
  /** Has the journal of the log copied into its file. What fails is made up for the next time, or by a commit. */
  readonly copyJournal: () => void
  readonly results: ResultThread
  readonly close: () => void
}

/** What the thread that copies the journal is started with. */
export type JournalData = Pick<ThreadsOptions, 'home'>

interface JournalOptions extends Omit<ThreadsOptions, 'policy'> {
  /** What the thread runs. */
  readonly file?: URL
}

/** Has the journal of the log copied into its file by a thread that starts when it first has something to copy. */
export function openJournal({ home, note, file = fileOf('journal') }: JournalOptions): Pick<DaemonThreads, 'copyJournal' | 'close'> {
  const journal = openThread({ file, data: { home } satisfies JournalData, note })
  return { copyJournal: () => void journal.ask(CHECKPOINT, null).catch(() => {}), close: journal.close }
}

/** Milliseconds that a result may take: a result of 64 MB takes some ten seconds. */
const RESULT_PATIENCE_MS = 30_000

export interface ResultThread {
  readonly lookThrough: (looking: Looking, response: Response) => Promise<Looked>
  readonly lookAtAnswer: (answer: LargeAnswer, looking: Looking) => Promise<LookedAnswer | null>
  readonly close: () => void
}

/** Has large results looked through by a thread that starts with the first of them. What it loses rejects. */
export function openResults({ note, file = fileOf('results') }: Pick<JournalOptions, 'note' | 'file'>): ResultThread {
  const { ask, close } = openThread({ file, note, patience: RESULT_PATIENCE_MS })
  return {
    lookThrough: (looking, response) => ask<Looked>(LOOK_THROUGH, { ...response, looking }),
    lookAtAnswer: (answer, looking) => {
      // Whoever asks keeps its own: it goes on as it came.
      const bytes = Uint8Array.from(answer.bytes)
      return ask<LookedAnswer | null>(LOOK_AT_ANSWER, { ...answer, bytes, looking }, [bytes.buffer])
    },
    close,
  }
}

/** What the thread that decides large calls of a proxy is started with. */
export interface DecisionsData extends CallsData {
  /** The file that servers are held to. */
  readonly lock: string | null
}

export interface DecisionsOptions extends DecisionsData, Pick<ThreadsOptions, 'note'> {
  /** What the thread runs. */
  readonly file?: URL
}

export interface DecisionThread {
  readonly decide: (large: LargeCall) => Promise<Decision>
  readonly close: () => void
}

/** Has large calls of a proxy decided by a thread that starts with the first of them. What it loses rejects. */
export function openDecisions({ home, policy, lock, note, file = fileOf('decisions') }: DecisionsOptions): DecisionThread {
  const { ask, close } = openThread({ file, data: { home, policy, lock } satisfies DecisionsData, note, patience: PATIENCE_MS })
  return {
    decide: (large) => {
      if (typeof large.args === 'string') return ask<Decision>(DECIDE, large)
      // Whoever asks keeps its own: it goes on as it came.
      const args = Uint8Array.from(large.args)
      return ask<Decision>(DECIDE, { ...large, args }, [args.buffer])
    },
    close,
  }
}

const fileOf = (name: string): URL => threadFile(name, { from: import.meta.url, source: `./${name}.ts` })

export function openThreads({ home, policy, note }: ThreadsOptions): DaemonThreads {
  const looks = openThread({ file: fileOf('looks'), data: { home } satisfies LooksData, note })
  const calls = openThread({ file: fileOf('calls'), data: { home, policy } satisfies CallsData, note, patience: PATIENCE_MS })
  const results = openResults({ note })
  const copyJournal = () => void looks.ask(CHECKPOINT, null).catch(() => {})
  return {
    looks,
    // A few large calls fill the journal, and the commit that finds it full would copy it while others wait.
    calls: { ...calls, ask: (...task) => calls.ask<never>(...task).finally(copyJournal) },
    copyJournal,
    results,
    close: () => {
      looks.close()
      calls.close()
      results.close()
    },
  }
}
