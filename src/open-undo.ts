/** Keeps what calls would change in the state directory, where agents cannot reach it. Modules are loaded with the first call that runs. */
import { hash, randomBytes } from 'node:crypto'
import type { Capturing } from './gate/preview/captured.ts'

/** Between two looks for captures that have ended. */
const COLLECT_MS = 3_600_000

/** @param gate the gate's own places, which are never kept. */
export function capturing(home: string, gate: readonly string[]): Capturing {
  let collected = 0
  return async ({ call, effects, section, ways }) => {
    if (effects.every(({ verb }) => verb === 'read')) return null
    const { captureFor } = await import('./undo/capture.ts')
    const { openCaptures } = await import('./undo/captures.ts')
    const store = openCaptures(home)
    const now = Date.now()
    if (now - collected > COLLECT_MS) {
      collected = now
      await store.collect(now, section.totalBytes)
    }
    const parts = {
      store,
      gate,
      limits: section,
      ways,
      now: () => now,
      variable: (name: string) => process.env[name] ?? null,
      random: (bytes: number) => randomBytes(bytes).toString('hex'),
      digest: (text: string) => `sha256:${hash('sha256', text)}`,
    }
    return captureFor({ effects, cwd: call.cwd, at: now, keepMs: section.keepMs }, parts)
  }
}
