/** Tells one build of the program from another: a hook and its daemon must be of the same. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Over the names and the content of all files in these directories. */
export function buildId(directories: readonly string[]): string {
  const hash = createHash('sha256')
  for (const directory of directories) {
    const entries = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    for (const path of entries.map((entry) => join(entry.parentPath, entry.name)).toSorted())
      hash.update(`${path}\0`).update(createHash('sha256').update(readFileSync(path)).digest())
  }
  return hash.digest('hex').slice(0, 32)
}
