/**
 * What is kept lies encrypted, under a key in the state directory: whoever finds a part of the store alone, in a backup or by a search, reads nothing.
 * Contents are AES-256-CTR under a nonce of each file's own, so that a pack is read from any place; that they are what was kept is told by their
 * SHA-256, which stands in the capture. The capture itself is AES-256-GCM, and its digest stands in the log.
 */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import {
  closeSync,
  constants,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'

export interface Vault {
  readonly directory: string
  /** Of contents. */
  readonly key: Uint8Array
  /** Of captures: two ways to encrypt never share a key. */
  readonly captures: Uint8Array
  /** Of names, which would tell what short contents are. */
  readonly names: Uint8Array
}

const BYTES = 32
/** Before the content: its nonce. */
export const HEADER = 16
const BLOCK = 16
const CHUNK = 1 << 20

/** The store below `directory`, with the key of the state directory; the first who needs one makes it. @throws where it is damaged. */
export function openVault(home: string, directory: string): Vault {
  const secret = secretIn(join(home, 'keys'))
  const derive = (use: string): Uint8Array => new Uint8Array(hkdfSync('sha256', secret, '', `countersign/undo/${use}/v1`, BYTES))
  return { directory, key: derive('content'), captures: derive('captures'), names: derive('names') }
}

function secretIn(directory: string): Uint8Array {
  const path = join(directory, 'undo.key')
  try {
    return checked(readFileSync(path))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const aside = `${path}.${randomBytes(6).toString('hex')}`
  const file = openSync(aside, 'wx', 0o600)
  try {
    writeFileSync(file, randomBytes(BYTES))
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  try {
    linkSync(aside, path)
  } catch (error) {
    // Another process was first: its key holds.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(aside, { force: true })
  }
  sync(directory)
  return checked(readFileSync(path))
}

function checked(secret: Uint8Array): Uint8Array {
  if (secret.length !== BYTES) throw new Error(`the key of what is kept for undo is damaged: it has ${secret.length} bytes`)
  return secret
}

function sync(path: string): void {
  const directory = openSync(path, 'r')
  try {
    fsyncSync(directory)
  } finally {
    closeSync(directory)
  }
}

/** The name of a content in the store. */
export function nameOf({ names }: Vault, content: string): string {
  return createHmac('sha256', names).update(content).digest('hex')
}

export interface SealedFile {
  readonly path: string
  readonly file: number
  readonly write: (bytes: Uint8Array) => void
}

/** A new file of the store, of this user alone, under a name of passage. */
export function createSealed({ directory, key }: Vault): SealedFile {
  const path = join(directory, `new-${randomBytes(12).toString('hex')}`)
  const file = openSync(path, 'wx', 0o600)
  const nonce = randomBytes(HEADER)
  writeAll(file, nonce)
  const cipher = createCipheriv('aes-256-ctr', key, nonce)
  return { path, file, write: (bytes) => writeAll(file, cipher.update(bytes)) }
}

export function writeAll(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at, bytes.length - at)
}

export interface SealedReader {
  readonly file: number
  /** Bytes of content from there on; fewer at its end. */
  readonly read: (at: number, most: number) => Buffer
}

/** No link is followed. */
export function openSealed({ directory, key }: Vault, name: string): SealedReader {
  const file = openSync(join(directory, name), constants.O_RDONLY | constants.O_NOFOLLOW)
  const nonce = Buffer.alloc(HEADER)
  readSync(file, nonce, 0, HEADER, 0)
  const read: SealedReader['read'] = (at, most) => {
    const before = at % BLOCK
    const sealed = Buffer.allocUnsafe(before + Math.min(most, CHUNK))
    const count = readSync(file, sealed, 0, sealed.length, HEADER + at - before)
    const decipher = createDecipheriv('aes-256-ctr', key, counterAt(nonce, (at - before) / BLOCK))
    return decipher.update(sealed.subarray(0, count)).subarray(before)
  }
  return { file, read }
}

/** The counter of a block: the nonce and the block's number, added as one number. */
function counterAt(nonce: Buffer, block: number): Buffer {
  const sum = (BigInt(`0x${nonce.toString('hex')}`) + BigInt(block)) & ((1n << 128n) - 1n)
  return Buffer.from(sum.toString(16).padStart(2 * HEADER, '0'), 'hex')
}

/** The whole content, piece by piece. */
export function* piecesOf(vault: Vault, name: string): Generator<Buffer> {
  const { file, read } = openSealed(vault, name)
  try {
    for (let at = 0; ; ) {
      const piece = read(at, CHUNK)
      if (piece.length === 0) return
      yield piece
      at += piece.length
    }
  } finally {
    closeSync(file)
  }
}

const TAG = 16
const NONCE = 12

export function sealText({ captures }: Vault, text: string): Buffer {
  const nonce = randomBytes(NONCE)
  const cipher = createCipheriv('aes-256-gcm', captures, nonce)
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), body])
}

/** @throws where it was changed since, or sealed under another key. */
export function textIn({ captures }: Vault, sealed: Uint8Array): string {
  const decipher = createDecipheriv('aes-256-gcm', captures, sealed.subarray(0, NONCE), { authTagLength: TAG })
  decipher.setAuthTag(sealed.subarray(NONCE, NONCE + TAG))
  return Buffer.concat([decipher.update(sealed.subarray(NONCE + TAG)), decipher.final()]).toString('utf8')
}
