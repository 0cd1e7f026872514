/**
 * What sessions have learnt from results of their calls, for contracts that refer to it. In memory, made again when a session is first
 * seen, so that a restart of the gate forgets nothing that was recorded; from time to time what the log says is written down, signed, in the
 * commit of a decision, so that little of the log has to be read then.
 */
import type { ToolCall } from '../../core/call.ts'
import type { Json } from '../../core/json.ts'
import { additionsOf } from '../../policy/contracts/remember.ts'
import type { Policy } from '../../policy/policy.ts'
import { judgingPolicies } from '../../policy/scopes/model.ts'
import type { Transaction } from '../../store/store.ts'
import type { Spender } from '../commit.ts'
import { type Kept, type Piece, placeOf, type TablesName, writePiece } from './kept.ts'
import { type Came, catchingUp, catchUp, isFarBehind, type Known, knownFrom, landing, takeIn } from './known.ts'
import { atOnce, inSlices, MAX_PIECES, nameOf, type Past, type PastSource, restOf, type Tables, type Whose, wholePast } from './past.ts'

export interface SessionTables {
  /** Resolves once the past of the session is read, in slices that hold up no other call; null: it is read already, or not needed. */
  readonly ready: (call: ToolCall, policy: Policy) => Promise<void> | null
  /** What is known when this call is judged. */
  readonly of: (call: ToolCall, policy: Policy) => Tables
  /** A call has run and returned this. What is answered belongs into the transaction of its record, which is of the time `at`. */
  readonly observe: (call: ToolCall, result: Json, policy: Policy) => (tx: Transaction, at: number) => void
  /** Writes a piece of what the log says. */
  readonly spender: Spender
}

interface Entry extends Known {
  /** How far the pieces go, with those that wait to be written; null: it has to be looked up. */
  kept: Kept | null
  pending: readonly Piece[]
  /** How many pieces there were when all was last read: after many more all is read again, and becomes one where that is less. */
  whole: number
  /** Pieces are being made. */
  busy: boolean
}

/** A past that is being read. What returns in the meantime is taken in at the end. */
interface Reading {
  readonly done: Promise<void>
  readonly later: Came[]
}

const NOTHING: Tables = new Map()
const NOTHING_TO_DO = (): void => {}
/** Sessions kept in memory; one that was dropped is read from the log again. */
const MAX_SESSIONS = 1_024
/** So many results are written down together. */
const PIECE_RESULTS = 64

/**
 * @param pause lets others go first, between two slices of a past.
 */
export function createSessionTables(source: PastSource, pause: () => Promise<void>): SessionTables {
  const sessions = new Map<string, Entry>()
  const reading = new Map<string, Reading>()
  // Another policy may remember other things of the same results.
  const keyOf = (call: ToolCall, policy: Policy) => JSON.stringify(nameOf({ call, policy }))
  const keep = (key: string, entry: Entry): Entry => {
    sessions.set(key, entry)
    forgetOldest(sessions)
    return entry
  }
  const entryOf = (call: ToolCall, policy: Policy): Entry => {
    const key = keyOf(call, policy)
    const known = sessions.get(key)
    if (known !== undefined) return known
    const upto = headOf(source)
    return keep(key, entryFrom(atOnce(wholePast(source, { call, policy, upto })), { upto, came: [] }))
  }
  const read = async (whose: Whose, came: readonly Came[]): Promise<void> => {
    // What is recorded while this is read has its place behind it.
    const upto = headOf(source)
    const past = await inSlices(wholePast(source, { ...whose, upto }), pause)
    const key = keyOf(whose.call, whose.policy)
    if (!sessions.has(key)) keep(key, entryFrom(past, { upto, came: [...came] }))
  }
  return {
    ready: (call, policy) => {
      if (unused(call, policy)) return null
      const key = keyOf(call, policy)
      const under = reading.get(key)
      if (under !== undefined) return under.done
      const entry = sessions.get(key)
      if (entry !== undefined) {
        if (source.kept !== undefined && entry.left >= PIECE_RESULTS && !entry.busy) void makePieces(source, { call, policy, entry, pause })
        if (!isFarBehind(source, entry)) return null
      }
      const later: Came[] = []
      const whose = { call, policy }
      const begun = entry === undefined ? read(whose, later) : inSlices(catchingUp(source, entry, whose), pause)
      const done = begun.finally(() => reading.delete(key))
      reading.set(key, { done, later })
      return done
    },
    of: (call, policy) => {
      if (unused(call, policy)) return NOTHING
      const entry = entryOf(call, policy)
      catchUp(source, entry, { call, policy })
      return entry.tables
    },
    observe: (call, result, policy) => {
      if (unused(call, policy)) return NOTHING_TO_DO
      const came = cameOf(call, result, policy)
      const before = reading.get(keyOf(call, policy))
      if (before !== undefined) before.later.push(came)
      const entry = before === undefined ? entryOf(call, policy) : sessions.get(keyOf(call, policy))
      if (entry !== undefined) takeIn(entry, came, source)
      return landing(came)
    },
    spender: pieceSpender(source, (call, policy) => (unused(call, policy) ? undefined : sessions.get(keyOf(call, policy)))),
  }
}

function forgetOldest(sessions: Map<string, Entry>): void {
  for (const oldest of sessions.keys()) {
    if (sessions.size <= MAX_SESSIONS) break
    sessions.delete(oldest)
  }
}

function unused({ session }: ToolCall, { contracts }: Policy): boolean {
  return contracts.tables.length === 0 || session === null
}

function entryFrom({ tables, kept, pieces, left }: Past, { upto, came }: Pick<Known, 'upto' | 'came'>): Entry {
  const known = knownFrom(tables, { upto: Math.max(upto, kept.upto), came, left: left + came.length })
  return { ...known, kept, pending: pieces, whole: kept.pieces, busy: false }
}

function cameOf({ tool, args }: ToolCall, result: Json, { contracts }: Policy): Came {
  return { id: null, additions: additionsOf(contracts.tables, { server: tool.server, tool: tool.name, args, result }) }
}

/** Without others everything in the log is of before. */
function headOf({ log }: PastSource): number {
  return log === undefined ? Number.MAX_SAFE_INTEGER : log.head()
}

interface Making extends Whose {
  readonly entry: Entry
  readonly pause: () => Promise<void>
}

/** What cannot be read now is tried again after as many results. */
async function makePieces(source: PastSource, { entry, pause, ...whose }: Making): Promise<void> {
  entry.busy = true
  const { kept, pending } = entry
  const since = entry.left
  try {
    const whole = kept === null || kept.pieces - entry.whole >= MAX_PIECES
    // What waits to be written is read again with the rest.
    if (!whole && pending.length > 0) return
    const made = await inSlices(whole ? wholePast(source, whose) : restOf(source, { ...whose, kept }), pause)
    entry.kept = made.kept
    if (whole) entry.whole = made.kept.pieces
    entry.pending = made.pieces
    entry.left = made.left
  } catch {
    entry.left = Math.max(0, entry.left - since)
  } finally {
    entry.busy = false
  }
}

/** One piece goes with a decision, so that its commit stays short. */
function pieceSpender({ kept }: PastSource, entryOf: (call: ToolCall, policy: Policy) => Entry | undefined): Spender {
  const due = (call: ToolCall, policy: Policy) =>
    judgingPolicies(policy).flatMap((each) => {
      const entry = entryOf(call, each)
      return entry === undefined || entry.pending.length === 0 ? [] : [{ entry, name: nameOf({ call, policy: each }) }]
    })
  return {
    wants: (_decision, { call, basis }) => kept !== undefined && basis !== null && due(call, basis.policy).length > 0,
    spend: (tx, _decision, { call, basis, at }) => {
      const [first] = basis === null ? [] : due(call, basis.policy)
      const piece = first === undefined ? null : nextPiece(tx, first.entry, first.name)
      if (piece !== null && first !== undefined && kept !== undefined)
        writePiece(tx, first.name, { piece, at, signer: kept.keys().current })
      return undefined
    },
  }
}

/** It stays among those that wait until it is seen in the table: this transaction may be taken back. */
function nextPiece(tx: Transaction, entry: Entry, name: TablesName): Piece | null {
  for (;;) {
    const [piece] = entry.pending
    if (piece === undefined) return null
    const place = placeOf(tx, name, piece)
    if (place === 'goes here') return piece
    entry.pending = entry.pending.slice(1)
    if (place === 'is there') continue
    // Somebody else wrote others.
    entry.pending = []
    entry.kept = null
    return null
  }
}
