/**
 * What the installed hook and the gate agree on. An answer ends with a seal that only who knows the key can make, over this event
 * and a number that is used once: an impostor at the socket, an old answer, another event's answer and a program that is not ours
 * have none.
 */
import { createHash, randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Seconds the gate has for an answer; at most 80 % of what the host waits, after the daemon's try. */
export const GATE_SECONDS = 20

/** Seconds without a sign of life after which the hook gives the daemon up. */
export const SILENCE_SECONDS = 2

/** Between two signs of life, in milliseconds. */
export const ALIVE_EVERY_MS = 500

/** For how long after a daemon hung the hook does not wait for it again, in seconds. */
export const HUNG_SECONDS = 60

/** What the last line of a whole answer begins with: what was cut off lacks it. */
export const SEAL = '.'

const KEY = /^[0-9a-f]{64}$/
const NONCE = /^[0-9a-f-]{16,64}$/

/** Below a state directory: the key that answers are sealed with. */
export const KEY_FILE = 'keys/hook.key'

/** Below a state directory: there while hooks found the daemon hanging. */
export const HUNG_FILE = 'run/gate.hung'

/** The number that a hook sends with its event; null where it is none. */
export function nonceOf(given: string | null | undefined): string | null {
  return given !== undefined && given !== null && NONCE.test(given) ? given : null
}

export interface Sealing {
  readonly key: string
  readonly nonce: string
  /** The event as the hook sent it. */
  readonly event: Uint8Array
}

/** One line of answer and its seal. Newlines stand between the parts, and none of them can hold one but the event. */
export function sealed(answer: string, { key, nonce, event }: Sealing): string {
  const seal = createHash('sha256').update(`${key}\n${nonce}\n`).update(event).update(`\n${answer}\n${key}\n`).digest('hex')
  return `${answer}\n${SEAL}${seal}\n`
}

/** The key of a state directory; made when it is first needed. Where two processes start at once, one key stands. */
export function hookKey(home: string): string {
  const path = join(home, KEY_FILE)
  const known = readKey(path)
  if (known !== null) return known
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const fresh = `${path}.${process.pid}`
  writeFileSync(fresh, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600 })
  try {
    linkSync(fresh, path)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  } finally {
    rmSync(fresh, { force: true })
  }
  const made = readKey(path)
  if (made === null) throw new Error(`the key of the hook at \`${path}\` is damaged; remove it, and a new one is made`)
  return made
}

function readKey(path: string): string | null {
  try {
    const text = readFileSync(path, 'utf8').trim()
    return KEY.test(text) ? text : null
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}
