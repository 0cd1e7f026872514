/** The keys of the log: one that signs now, and the retired ones that still check what they signed. */
import { createHmac, createSecretKey, randomBytes } from 'node:crypto'
import { existsSync, linkSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Signer } from '../chain.ts'
import { guard, storeError } from './faults.ts'
import { createFile, errno, privateDirectory, replaceFile } from './files.ts'

const CURRENT = 'audit.key'
const RETIRED = /^audit-[0-9a-f]{16}\.key$/
const BYTES = 32

/**
 * Before the secret of a key that has a counter. It is in the key's own file, in front: without reading the secret nobody can
 * write it back as a key from before there were counters, and so pass off a lost counter as one that never was.
 */
const COUNTED = 2

/** The signing key and every key there is, by id. */
export interface Keys {
  readonly current: Signer
  readonly ring: ReadonlyMap<string, Signer>
}

/** Where a state directory keeps its keys. */
export function keysDirectory(directory: string): string {
  return join(directory, 'keys')
}

/** A signer over a secret. Its id is a MAC, so it says nothing about the secret. */
export function signerOf(secret: Uint8Array): Signer {
  const key = createSecretKey(secret)
  const mac: Signer['mac'] = (...parts) => {
    const hmac = createHmac('sha256', key)
    for (const part of parts) typeof part === 'string' ? hmac.update(part, 'utf8') : hmac.update(part)
    return hmac.digest('hex')
  }
  return { id: mac('countersign/key-id/v1').slice(0, 16), mac }
}

export function hasAuditKey(directory: string): boolean {
  return existsSync(join(keysDirectory(directory), CURRENT))
}

/** Makes the first key. `before` sees it before it is in place, so that its counter is there as soon as the key is. */
export function createAuditKey(directory: string, before: (signer: Signer) => void): void {
  const keys = keysDirectory(directory)
  guard('creating its key', () => {
    privateDirectory(keys)
    const secret = randomBytes(BYTES)
    before(signerOf(secret))
    createFile(keys, CURRENT, counted(secret))
  })
}

/** True for a key that has a counter, whether or not the counter is still there. */
export function isCounted(directory: string): boolean {
  return readSecret(directory, CURRENT).counted
}

/** Notes in the key's file that it has a counter. */
export function markCounted(directory: string): void {
  const { secret } = readSecret(directory, CURRENT)
  guard('marking its key', () => replaceFile(keysDirectory(directory), CURRENT, counted(secret)))
}

function counted(secret: Uint8Array): Uint8Array {
  return new Uint8Array([COUNTED, ...secret])
}

/** Throws `StoreError` where the key is missing or damaged: without it nothing can be appended or checked. */
export function loadKeys(directory: string): Keys {
  const current = readKey(directory, CURRENT)
  const ring = new Map([[current.id, current]])
  for (const name of readdirSync(keysDirectory(directory)).filter((file) => RETIRED.test(file))) {
    const retired = readKey(directory, name)
    ring.set(retired.id, retired)
  }
  return { current, ring }
}

/** Nanoseconds within which a file system may give two changes one time. */
const COARSE = 1_000_000_000n

/**
 * `loadKeys` for whoever asks at each call: the files are read again where the directory or the key that signs is not what it was. What
 * changed a moment ago is read again each time: its next change could have the same time.
 */
export function createKeyReader(directory: string, now: () => number = Date.now): () => Keys {
  let known: { readonly keys: Keys; readonly stamp: string } | null = null
  return () => {
    const { stamp, changed } = guard('looking for its keys', () => stampOf(directory))
    if (known !== null && known.stamp === stamp) return known.keys
    const keys = loadKeys(directory)
    known = BigInt(now()) * 1_000_000n - changed > COARSE ? { keys, stamp } : null
    return keys
  }
}

/** Renaming changes the time of the directory; nobody but the system sets the time of a change (`ctime`). */
function stampOf(directory: string): { readonly stamp: string; readonly changed: bigint } {
  const keys = keysDirectory(directory)
  const found = [keys, join(keys, CURRENT)].map((path) => statSync(path, { bigint: true, throwIfNoEntry: false }))
  const [latest = 0n] = found.map((each) => each?.ctimeNs ?? 0n).toSorted((a, b) => (a < b ? 1 : -1))
  return { stamp: found.map((each) => `${each?.dev}:${each?.ino}:${each?.size}:${each?.ctimeNs}`).join(' '), changed: latest }
}

/**
 * Retires the current key and makes a new one. Processes that hold the old key go on signing with it until they end;
 * what they sign stays checkable.
 */
export function rotateAuditKey(directory: string): Keys {
  const keys = keysDirectory(directory)
  const { current } = loadKeys(directory)
  guard('rotating its key', () => {
    try {
      linkSync(join(keys, CURRENT), join(keys, `audit-${current.id}.key`))
    } catch (error) {
      if (errno(error) !== 'EEXIST') throw error
    }
    replaceFile(keys, CURRENT, isCounted(directory) ? counted(randomBytes(BYTES)) : randomBytes(BYTES))
  })
  return loadKeys(directory)
}

function readKey(directory: string, name: string): Signer {
  return signerOf(readSecret(directory, name).secret)
}

function readSecret(directory: string, name: string): { readonly secret: Uint8Array; readonly counted: boolean } {
  const path = join(keysDirectory(directory), name)
  let bytes: Uint8Array
  try {
    bytes = readFileSync(path)
  } catch (error) {
    if (errno(error) === 'ENOENT') throw storeError('corrupt', `the audit key \`${path}\` is missing`, error)
    throw storeError('read_only', `the audit key \`${path}\` cannot be read`, error)
  }
  if (bytes.length === BYTES) return { secret: bytes, counted: false }
  if (bytes.length === BYTES + 1 && bytes[0] === COUNTED) return { secret: bytes.subarray(1), counted: true }
  throw storeError('corrupt', `the audit key \`${path}\` is damaged: it has ${bytes.length} bytes`)
}
