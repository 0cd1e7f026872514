/** Which directory a name stands for: another one of the same name is another one, also where the file system uses its number again. */
import { lstatSync, readFileSync } from 'node:fs'

/** The clock that file systems read may be behind by a tick: milliseconds. */
const TICK_MS = 50

/**
 * Device, number and time of birth of a directory itself; null where there is none, where the file system tells no birth, or where something is
 * mounted below: that is no part of it.
 */
export function directoryIdentity(path: string): string | null {
  return identityOf(path)?.text ?? null
}

/** The same, where it was made since a time (milliseconds since the epoch): one that was only moved there is older. */
export function identityOfMade(path: string, since: number): string | null {
  const found = identityOf(path)
  return found !== null && found.bornMs >= since - TICK_MS ? found.text : null
}

function identityOf(path: string): { readonly text: string; readonly bornMs: number } | null {
  try {
    const stat = lstatSync(path, { bigint: true })
    const { dev, ino, birthtimeNs } = stat
    if (!stat.isDirectory() || birthtimeNs <= 0n || mountedBelow(path, mounts())) return null
    return { text: `${dev}:${ino}:${birthtimeNs}`, bornMs: Number(birthtimeNs / 1_000_000n) }
  } catch {
    return null
  }
}

/**
 * @param path without a stroke at its end.
 * @param mounts as Linux lists them (`proc(5)`): the fifth word of a line is where something is mounted.
 */
export function mountedBelow(path: string, mounts: string): boolean {
  const start = Buffer.from(`${path}/`).toString('latin1')
  return mounts.split('\n').some((line) => unescaped(line.split(' ', 5)[4] ?? '').startsWith(start))
}

/** @throws where Linux does not tell them. Other systems have no directory in two places. */
const mounts = (): string => (process.platform === 'linux' ? readFileSync('/proc/self/mountinfo', 'latin1') : '')

const unescaped = (word: string): string =>
  word.replaceAll(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(parseInt(digits, 8)))
