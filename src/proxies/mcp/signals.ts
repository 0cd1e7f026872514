/** Signals that ask this process to end: one listener, however many connections end with it. */

const NAMES = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const
const waiting = new Set<() => void>()
const tell = (): void => {
  for (const stop of [...waiting]) stop()
}

/** Has `stop` called once the process is asked to end; a signal that comes again ends it at once. What is returned takes that back. */
export function onEnd(stop: () => void): () => void {
  waiting.add(stop)
  for (const name of NAMES) process.off(name, tell).once(name, tell)
  return () => {
    waiting.delete(stop)
    if (waiting.size === 0) for (const name of NAMES) process.off(name, tell)
  }
}
