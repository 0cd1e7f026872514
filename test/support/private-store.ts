/** What somebody who finds the state directory would learn of what is kept for undo. */
import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Names below `undo` and `keys` that others may reach, or in which a text stands as it is; empty: none. Second names of files (hard links) are the
 * files themselves, with their permissions, in a directory of this user alone.
 */
export function revealed(home: string, texts: readonly string[]): readonly string[] {
  return ['undo', 'keys'].flatMap((name) => revealedBelow(join(home, name), texts))
}

function revealedBelow(path: string, texts: readonly string[]): readonly string[] {
  const stat = lstatSync(path)
  const mode = (stat.mode & 0o777).toString(8)
  if (stat.isDirectory()) {
    const below = readdirSync(path).filter(() => !path.includes('/tree-'))
    return [...(mode === '700' ? [] : [`${path} has ${mode}`]), ...below.flatMap((name) => revealedBelow(join(path, name), texts))]
  }
  const bytes = readFileSync(path)
  const read = texts.filter((text) => bytes.includes(text))
  return [...(mode === '600' ? [] : [`${path} has ${mode}`]), ...read.map((text) => `${path} says ${text}`)]
}
