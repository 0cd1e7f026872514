/** The threads of the daemon: one that looks at the log, one that decides calls which are large. Each starts when it is first asked. */
import type { Threads } from '../../server/apart/forward.ts'
import { CHECKPOINT } from '../../server/apart/message.ts'
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
  readonly close: () => void
}

export function openThreads({ home, policy, note }: ThreadsOptions): DaemonThreads {
  const file = (name: string) => threadFile(name, { from: import.meta.url, source: `./${name}.ts` })
  const looks = openThread({ file: file('looks'), data: { home } satisfies LooksData, note })
  const calls = openThread({ file: file('calls'), data: { home, policy } satisfies CallsData, note, patience: PATIENCE_MS })
  return {
    looks,
    calls,
    copyJournal: () => void looks.ask(CHECKPOINT, null).catch(() => {}),
    close: () => {
      looks.close()
      calls.close()
    },
  }
}
