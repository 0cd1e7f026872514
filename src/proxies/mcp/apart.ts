/**
 * Large answers of servers, which are read and looked through on a thread: what comes behind them does not wait. Pure.
 */
import { isJsonObject, type JsonObject, own } from '../../core/json.ts'
import { type Looked, type Looking, lookThrough } from '../../open-looking.ts'
import { withNotes } from './answers.ts'
import { encode, idKey, readMessage } from './message.ts'

/** A frame above this is read apart: 16 KiB take a millisecond or two to look through. */
export const LARGE_FRAME = 16 * 1024

/** A frame that is made out as the answer to a call. */
export interface LargeAnswer {
  readonly bytes: Uint8Array
  /** Of the request (`idKey`). */
  readonly key: string
  /** For the model, beside the result. */
  readonly notes: readonly string[]
}

export interface LookedAnswer {
  readonly looked: Looked
  /** The message with notes behind its content; null: it goes on as it came. */
  readonly noted: Uint8Array<ArrayBuffer> | null
}

/** Null where it is no plain result of this call: then it is for whoever asked to read it. */
export function lookAtAnswer({ bytes, key, notes }: LargeAnswer, looking: Looking): LookedAnswer | null {
  const message = readMessage(bytes)
  if (message.kind !== 'response' || message.id === null || idKey(message.id) !== key) return null
  const { result } = message
  if (result === undefined || (isJsonObject(result) && (own(result, 'resultType') === 'input_required' || taskIn(result) !== null)))
    return null
  const looked = lookThrough(looking, { response: result, failed: isJsonObject(result) && own(result, 'isError') === true })
  const all = notesOf(notes, looked.findings)
  const noted = all.length === 0 ? null : withNotes(message.value, all)
  return { looked, noted: noted === null ? null : Uint8Array.from(encode(noted)) }
}

/** What is wrong with a result is one note. */
export function notesOf(notes: readonly string[], findings: Looked['findings']): readonly string[] {
  return findings.length === 0 ? notes : [...notes, findings.map(({ note }) => note).join(' ')]
}

/** A task that is not over: its result comes later. */
export function taskIn(result: JsonObject): string | null {
  const task = own(result, 'task')
  const stateless = own(result, 'resultType') === 'task' ? result : null
  const holder = isJsonObject(task) ? task : stateless
  const id = holder === null ? null : own(holder, 'taskId')
  return typeof id === 'string' ? id : null
}

/** Bytes at either end of a frame in which its id is looked for. */
const EDGE = 256
const ID = '"id"\\s*:\\s*(-?[1-9]\\d{0,14}|0|"[\\x20\\x21\\x23-\\x5b\\x5d-\\x7e]{0,100}")'
const HEAD = new RegExp(`^\\s*\\{\\s*(?:"jsonrpc"\\s*:\\s*"2\\.0"\\s*,\\s*)?${ID}\\s*,`)
const TAIL = new RegExp(`,\\s*${ID}\\s*(?:,\\s*"jsonrpc"\\s*:\\s*"2\\.0"\\s*)?\\}\\s*$`)

/**
 * The id (`idKey`) that a large frame seems to have, by its first and last bytes; null: it has to be read. A hint only: whoever reads the
 * frame says what it is.
 */
export function seemingId(bytes: Uint8Array): string | null {
  const head = HEAD.exec(latin1(bytes.subarray(0, EDGE)))?.[1]
  return head ?? TAIL.exec(latin1(bytes.subarray(-EDGE)))?.[1] ?? null
}

function latin1(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes)
}
