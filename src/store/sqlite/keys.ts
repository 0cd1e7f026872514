/** The keys of the log: one that signs now, and the retired ones that still check what they signed. */
import { createHmac, randomBytes } from 'node:crypto'
import { linkSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Signer } from '../chain.ts'
import { guard, storeError } from './faults.ts'
import { createFile, errno, privateDirectory, replaceFile } from './files.ts'

const CURRENT = 'audit.key'
const RETIRED = /^audit-[0-9a-f]{16}\.key$/
const BYTES = 32

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
  const mac = (text: string) => createHmac('sha256', secret).update(text, 'utf8').digest('hex')
  return { id: mac('countersign/key-id/v1').slice(0, 16), mac }
}

/** Makes the first key; where two processes start at once, one key stands. */
export function ensureAuditKey(directory: string): void {
  const keys = keysDirectory(directory)
  guard('creating its key', () => {
    privateDirectory(keys)
    createFile(keys, CURRENT, randomBytes(BYTES))
  })
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
    replaceFile(keys, CURRENT, randomBytes(BYTES))
  })
  return loadKeys(directory)
}

function readKey(directory: string, name: string): Signer {
  const path = join(keysDirectory(directory), name)
  let secret: Uint8Array
  try {
    secret = readFileSync(path)
  } catch (error) {
    if (errno(error) === 'ENOENT') throw storeError('corrupt', `the audit key \`${path}\` is missing`, error)
    throw storeError('read_only', `the audit key \`${path}\` cannot be read`, error)
  }
  if (secret.length !== BYTES) throw storeError('corrupt', `the audit key \`${path}\` has ${secret.length} bytes instead of ${BYTES}`)
  return signerOf(secret)
}
