/** A thread with a few named tasks: started when it is first asked, and again after it was lost. */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { type Asked, errorOf, type Reply } from './wire.ts'

/** The thread ended, or was ended, before it answered. Nobody knows how far it came. */
export class ThreadLost extends Error {
  override readonly name = 'ThreadLost'
}

export interface Thread {
  /** Rejects with what the task threw, or with `ThreadLost`. `transfer` is handed over and empty afterwards. */
  readonly ask: <T>(task: string, input: unknown, transfer?: readonly ArrayBuffer[]) => Promise<T>
  /** Tasks that are not answered yet. */
  readonly size: () => number
  /** Ends it; what is under way is lost. Later tasks are, too. */
  readonly close: () => void
}

export interface ThreadOptions {
  readonly file: URL
  /** What it is started with. */
  readonly data?: unknown
  /** Milliseconds that one task may take; then the thread is ended. Default: any time. */
  readonly patience?: number
  /** Reply in one line of each time it was lost. */
  readonly note?: (line: string) => void
}

interface Waiting {
  readonly resolve: (value: never) => void
  readonly reject: (error: Error) => void
  readonly timer: NodeJS.Timeout | null
}

/** A thread that ends at once each time it is started must not be started all the time. */
const REST_MS = 1_000

export function openThread(options: ThreadOptions): Thread {
  const { patience = null, note = () => {} } = options
  const waiting = new Map<number, Waiting>()
  let worker: Worker | null = null
  let next = 0
  let lostAt = Number.NEGATIVE_INFINITY
  let closed = false
  const settle = (id: number): Waiting | undefined => {
    const found = waiting.get(id)
    waiting.delete(id)
    if (found?.timer != null) clearTimeout(found.timer)
    return found
  }
  const lose = (lost: Worker, why: string): void => {
    if (worker !== lost) return
    worker = null
    lostAt = performance.now()
    void lost.terminate()
    if (!closed) note(`a thread of the gate was lost (${why})`)
    for (const id of [...waiting.keys()]) settle(id)?.reject(new ThreadLost(why))
  }
  const start = (): Worker => {
    if (performance.now() - lostAt < REST_MS) throw new ThreadLost('it was lost a moment ago')
    const begun = begin(options)
    begun.on('message', (told: Reply) => {
      const found = settle(told.id)
      if ('failure' in told) found?.reject(errorOf(told.failure))
      else found?.resolve(told.value as never)
    })
    begun.on('error', (error) => lose(begun, error instanceof Error ? error.message : String(error)))
    begun.on('messageerror', () => lose(begun, 'an answer could not be read'))
    begun.on('exit', (code) => lose(begun, `it ended with ${code}`))
    return begun
  }
  return {
    ask: (task, input, transfer = []) =>
      new Promise((resolve, reject) => {
        if (closed) throw new ThreadLost('the gate is stopping')
        worker ??= start()
        const own = worker
        const id = next++
        const late = () => lose(own, `\`${task}\` took over ${patience} ms`)
        const timer = patience === null ? null : setTimeout(late, patience).unref()
        waiting.set(id, { resolve, reject, timer })
        try {
          own.postMessage({ id, task, input } satisfies Asked, [...transfer])
        } catch (error) {
          settle(id)
          throw error
        }
      }),
    size: () => waiting.size,
    close: () => {
      closed = true
      if (worker !== null) lose(worker, 'the gate is stopping')
    },
  }
}

/** Sources run where they are developed, and need the loader that runs them. */
function begin({ file, data }: ThreadOptions): Worker {
  const source = file.pathname.endsWith('.ts')
  // What it opened stays open when it is lost: the system drops this process's locks on a file with the first descriptor that is closed.
  const opened = { trackUnmanagedFds: false }
  const worker = new Worker(file, { workerData: data, ...opened, ...(source ? { execArgv: ['--import', 'tsx'] } : {}) })
  worker.unref()
  return worker
}

/** The file of a thread: beside the program once it is built, else the source, seen from who asks. */
export function threadFile(name: string, { from, source }: { readonly from: string; readonly source: string }): URL {
  const built = new URL(`./${name}.js`, from)
  return existsSync(fileURLToPath(built)) ? built : new URL(source, from)
}
