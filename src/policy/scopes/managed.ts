/** The machine's policy: a file of root, which no user of the machine can change. I/O. */
import { lstatSync, type Stats } from 'node:fs'
import { dirname, join } from 'node:path'
import { exists, POLICY_FILE } from '../file.ts'

/** Fixed: nothing that an agent's environment says moves it. */
export const MANAGED_DIRECTORY = process.platform === 'darwin' ? '/Library/Application Support/Countersign' : '/etc/countersign'

/** The file, or null where the machine has none. */
export function managedFile(directory: string | null | undefined): string | null {
  if (directory == null) return null
  const path = join(directory, POLICY_FILE)
  return exists(path) ? path : null
}

/** Why it is not taken; null where nothing speaks against it. @param owner the user who must own it. */
export function managedFault(path: string, owner = 0): string | null {
  if (process.getuid === undefined) return null
  for (const [name, isRight] of [
    [path, (stats: Stats) => stats.isFile()],
    [dirname(path), (stats: Stats) => stats.isDirectory()],
  ] as const) {
    const stats = lstatSync(name)
    if (!isRight(stats)) return `policy.unsafe: \`${name}\` is a link or no regular file`
    if (stats.uid !== owner) return `policy.unsafe: \`${name}\` must belong to root`
    if ((stats.mode & 0o022) !== 0) return `policy.unsafe: \`${name}\` may be written by others`
  }
  return null
}
