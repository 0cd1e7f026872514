/** The key that signs receipts: beside the keys of the log, made when it is first needed, and as protected as those are. */
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createFile, privateDirectory, replaceFile } from '../store/sqlite/files.ts'
import { keysDirectory } from '../store/sqlite/keys.ts'
import { keyId, type ReceiptKey } from './receipt.ts'

const CURRENT = 'receipt.key'
const RETIRED = /^receipt-[0-9a-f]{16}\.pub$/

/** The key of a state directory; makes one where there is none. */
export function receiptKey(home: string): ReceiptKey {
  const directory = keysDirectory(home)
  const path = join(directory, CURRENT)
  if (!existsSync(path)) {
    privateDirectory(directory)
    createFile(directory, CURRENT, Buffer.from(fresh()))
  }
  return ofPem(readFileSync(path, 'utf8'))
}

/** PEM of every public key that signed receipts here, the current one first; empty where none was signed yet. */
export function receiptKeys(home: string): readonly string[] {
  const directory = keysDirectory(home)
  if (!existsSync(join(directory, CURRENT))) return []
  const retired = readdirSync(directory).filter((name) => RETIRED.test(name))
  return [publicPem(receiptKey(home).privateKey), ...retired.map((name) => readFileSync(join(directory, name), 'utf8'))]
}

/** A new key from now on; what the old one signed can still be checked. */
export function rotateReceiptKey(home: string): ReceiptKey {
  const { id, privateKey } = receiptKey(home)
  const directory = keysDirectory(home)
  replaceFile(directory, `receipt-${id}.pub`, Buffer.from(publicPem(privateKey)))
  replaceFile(directory, CURRENT, Buffer.from(fresh()))
  return receiptKey(home)
}

function fresh(): string {
  return generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
}

function ofPem(pem: string): ReceiptKey {
  const privateKey = createPrivateKey(pem)
  if (privateKey.asymmetricKeyType !== 'ed25519') throw new Error('the key of receipts is no Ed25519 key')
  return { id: keyId(createPublicKey(privateKey)), privateKey }
}

function publicPem(key: KeyObject): string {
  return createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString()
}
