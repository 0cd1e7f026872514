/**
 * A directory held open while something is done in it: no link that is put in its way meanwhile leads anywhere else. Linux has a name for an
 * open directory; elsewhere its real name is checked right before.
 */
import { closeSync, constants, existsSync, openSync, readlinkSync, realpathSync } from 'node:fs'
import { basename, dirname } from 'node:path'

const DESCRIPTORS = '/proc/self/fd'
const NAMED = existsSync(DESCRIPTORS)

/** Does `work` with a path that stays in the directory of `path`. @throws where that directory is a link, lies below one, or is gone. */
export function inDirectory<T>(path: string, work: (path: string) => T): T {
  const directory = dirname(path)
  if (!NAMED) {
    if (realpathSync(directory) !== directory) throw new Error(`its directory ${directory} is a link now, or lies below one`)
    return work(path)
  }
  const held = openSync(directory, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
  try {
    if (readlinkSync(`${DESCRIPTORS}/${held}`) !== directory) throw new Error(`its directory ${directory} is a link now, or lies below one`)
    return work(`${DESCRIPTORS}/${held}/${basename(path)}`)
  } finally {
    closeSync(held)
  }
}
