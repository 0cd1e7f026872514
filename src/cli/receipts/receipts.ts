import { existsSync, readFileSync } from 'node:fs'
import { parseReceipt, receiptFault } from '../../audit/receipt.ts'
import { receiptKey, receiptKeys, rotateReceiptKey } from '../../audit/receipt-key.ts'
import { isJsonObject, type Json, own, parseJson } from '../../core/json.ts'
import { digester, stateDirectory } from '../../open.ts'
import { EXIT, print, readStdin, UsageError, visible, warn } from '../terminal.ts'

export interface VerifyOptions {
  readonly key?: readonly string[]
  readonly decision?: string
  readonly json?: boolean
}

/** `receipts verify`: 0 all hold · 1 one does not · 2 there is nothing to check, or no key. */
export async function verifyReceipts(given: readonly string[], options: VerifyOptions): Promise<number> {
  const texts = (given.length === 0 ? [Buffer.from(readStdin()).toString('utf8')] : given.map(textOf)).flatMap(receiptsIn)
  if (texts.length === 0) throw new UsageError('there is no receipt; name a file, or send one on standard input')
  const keys = (options.key ?? []).map((file) => read(file))
  const known = keys.length > 0 ? keys : receiptKeys(stateDirectory())
  if (known.length === 0) throw new UsageError('there is no public key; name one with --key')
  const decision = options.decision === undefined ? undefined : parseJson(read(options.decision))
  if (options.decision !== undefined && decision === undefined) throw new UsageError(`${options.decision} is no JSON`)
  const told = texts.map((text) => tell(text, { keys: known, decision, json: options.json === true }))
  return told.every(Boolean) ? EXIT.ok : EXIT.broken
}

interface Told {
  readonly keys: readonly string[]
  readonly decision: Json | undefined
  readonly json: boolean
}

function tell(text: string, { keys, decision, json }: Told): boolean {
  const fault = receiptFault(text, { keys, digester, ...(decision === undefined ? {} : { decision }) })
  const receipt = parseReceipt(text)
  if (json) print(JSON.stringify({ holds: fault === null, fault, entry: receipt?.entry ?? null, decision: receipt?.decision ?? null }))
  else if (fault === null && receipt !== null)
    print(visible(`holds: ${receipt.decision} (${receipt.code}) at ${receipt.at}, entry ${receipt.entry}, key ${receipt.key}`))
  else warn(visible(`does NOT hold: ${fault}${receipt === null ? '' : `, entry ${receipt.entry}`}`))
  return fault === null
}

/** `receipts key`: the public key, in PEM. */
export async function key({ rotate }: { readonly rotate?: boolean }): Promise<number> {
  const home = stateDirectory()
  const { id } = rotate === true ? rotateReceiptKey(home) : receiptKey(home)
  print((receiptKeys(home)[0] ?? '').trimEnd())
  warn(`countersign: key ${id}`)
  return EXIT.ok
}

function textOf(given: string): string {
  return given.startsWith('signet=') || !existsSync(given) ? given : read(given)
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** One on each line, as text or as an answer of ours that holds one; `X-Signet-Receipt:` before it is no part of it. */
function receiptsIn(text: string): readonly string[] {
  const whole = parseJson(text)
  if (whole !== undefined) return fromJson(whole)
  return text.split('\n').flatMap((line) => {
    const trimmed = line.trim().replace(/^(?:x-signet-receipt|(?:x-)?countersign-receipt):\s*/i, '')
    const value = parseJson(trimmed)
    return trimmed === '' ? [] : value === undefined ? [trimmed] : fromJson(value)
  })
}

function fromJson(value: Json): readonly string[] {
  const receipt = isJsonObject(value) ? own(value, 'receipt') : value
  return typeof receipt === 'string' ? [receipt] : []
}
