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
      attributes,
      digest: (text: string) => `sha256:${hash('sha256', text)}`,
    }
    return captureFor({ effects, cwd: call.cwd, at: now, keepMs: section.keepMs }, parts)
  }
}

const MAX_NAMED = 10

/** What is put back is a new file: it has no extended attributes and no access control list, and the record says of which files that is a loss. */
async function attributes(paths: readonly string[]): Promise<readonly string[]> {
  if (paths.length === 0) return []
  const { attributeReader, attributesProblem } = await import('./sandbox/attributes.ts')
  if (attributesProblem() !== null) return []
  const found = await attributeReader().read(paths)
  if (found === null) return ['extended attributes, which could not be read']
  const named = paths.filter((_path, index) => (found[index] ?? []).length > 0)
  const more = named.length > MAX_NAMED ? ` and ${named.length - MAX_NAMED} more` : ''
  return named.length === 0 ? [] : [`extended attributes or access control lists of ${named.slice(0, MAX_NAMED).join(', ')}${more}`]
}
