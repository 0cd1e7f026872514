/** Reads the past of a session for its contracts, in turns between which others may go: what was written down, then the log from there on. */
import type { ToolCall } from '../../core/call.ts'
import { isJsonObject, type JsonObject, own } from '../../core/json.ts'
import { splitToolName } from '../../core/tool-name.ts'
import { additionsOf, type Returned } from '../../policy/contracts/remember.ts'
import { type Addition, type EntryText, joined, rememberer, textsIn, textsOf } from '../../policy/contracts/remembered.ts'
import type { Policy } from '../../policy/policy.ts'
import { ownDigest } from '../../policy/scopes/model.ts'
import type { SessionState } from '../../session/state.ts'
import type { LogEnd, PastQuery, PastResult } from '../../store/session-log.ts'
import { type Kept, type KeptSource, NOTHING_KEPT, type Piece, piecesOf, type TablesName, withPiece } from './kept.ts'

export type Tables = SessionState['tables']

export interface PastSource {
  /** What was recorded of a session, oldest first. */
  readonly results: (query: PastQuery) => Iterable<PastResult>
  /** Absent: nothing is written down. */
  readonly kept?: KeptSource
  /** Absent: nobody else adds to the log. */
  readonly log?: LogEnd
}

export interface Past {
  /** Only what the whole past makes. */
  readonly tables: Tables
  readonly kept: Kept
  /** Pieces that are not written yet. */
  readonly pieces: readonly Piece[]
  /** Results that are in none. */
  readonly left: number
}

/** Results that are read at a turn. */
export const SLICE = 50
/** Fewer results are not worth a piece: to read them again takes a few milliseconds. */
const MIN_RESULTS = 32
/** UTF-16 units of a piece; one result may make it longer, */
const PIECE = 128 * 1024
/** but not by any length: it is written in the commit of a decision. */
const MAX_PIECE = 1024 * 1024
/** What an entry takes besides its table, key and value. */
const HEAD = 12
/** The same of all pieces of one policy in a session. What comes after that is read from the log. */
const MAX_KEPT = 16 * 1024 * 1024
const MAX_WHOLE = MAX_KEPT / 4
/** So many entries may stand in pieces whose place others took. */
const MAX_STALE = 4_096
/** And so many pieces may be there before all become one. */
export const MAX_PIECES = 64

export interface Whose {
  readonly call: ToolCall
  readonly policy: Policy
}

interface WholePast extends Whose {
  /** The last record that is read; default all. */
  readonly upto?: number
}

export function nameOf({ call, policy }: Whose): TablesName {
  return [call.principal.tenant ?? '', call.session ?? '', ownDigest(policy)]
}

/** Everything; throws where the log cannot be read. */
export function* wholePast(source: PastSource, whose: WholePast): Generator<undefined, Past> {
  let made = rememberer()
  let kept = source.kept === undefined ? NOTHING_KEPT : yield* piecesOf(source.kept, nameOf(whose), made.takeText)
  if (kept === null) {
    made = rememberer()
    kept = NOTHING_KEPT
  }
  const rest = yield* restOf(source, { ...whose, kept, take: made.take })
  return { ...rest, ...(source.kept === undefined ? { pieces: [] } : anew(made.tables, rest)), tables: made.tables }
}

interface Rest extends WholePast {
  readonly kept: Kept
  readonly take?: (additions: readonly Addition[]) => void
}

/** What came after the pieces. */
export function* restOf(source: PastSource, { kept: before, take, ...whose }: Rest): Generator<undefined, Omit<Past, 'tables'>> {
  const writer = new PieceWriter(before)
  let count = 0
  for (const { record, additions } of recorded(source, { ...whose, after: before.upto })) {
    take?.(additions)
    writer.add(record, additions)
    count += 1
    if (count % SLICE === 0) yield
  }
  return writer.end()
}

export function atOnce<T>(reading: Generator<undefined, T>): T {
  for (;;) {
    const step = reading.next()
    if (step.done === true) return step.value
  }
}

/** @param pause lets others go first, between two slices. */
export async function inSlices<T>(reading: Generator<undefined, T>, pause: () => Promise<void>): Promise<T> {
  for (;;) {
    const step = reading.next()
    if (step.done === true) return step.value
    await pause()
  }
}

/** Each result of a part of the log, with what it adds. */
export function* recorded(
  { results }: PastSource,
  { call, policy, after, upto }: WholePast & { readonly after: number },
): Iterable<{ readonly record: PastResult; readonly additions: readonly Addition[] }> {
  const part = { session: call.session ?? '', tools: toolsOf(policy), after, ...(upto === undefined ? {} : { upto }) }
  for (const record of results(part)) {
    const returned = record.tenant === call.principal.tenant ? returnedOf(record.body) : null
    yield { record, additions: returned === null ? [] : additionsOf(policy.contracts.tables, returned) }
  }
}

/** One piece in place of all, where there are many small ones, or most of what stands in them does not hold any more. */
function anew(tables: Tables, rest: Omit<Past, 'tables'>): Pick<Past, 'kept' | 'pieces'> {
  const { kept, pieces } = rest
  const last = pieces.at(-1)
  const entries = [...tables.values()].reduce<number>((sum, table) => sum + (table instanceof Map ? table.size : 1), 0)
  const many = kept.pieces > MAX_PIECES && kept.length <= MAX_WHOLE
  if (last === undefined || !(many || kept.entries - entries > Math.max(MAX_STALE, entries))) return rest
  const body = joined(textsIn(tables))
  if (body.length > MAX_WHOLE) return rest
  const piece = { number: 0, start: 0, upto: last.upto, hash: last.hash, entries, body }
  return { kept: withPiece(NOTHING_KEPT, piece, body.length), pieces: [piece] }
}

/** Cuts what results add into pieces. */
class PieceWriter {
  #kept: Kept
  readonly #pieces: Piece[] = []
  #entries: EntryText[] = []
  #length = 0
  #results = 0
  #last: Pick<PastResult, 'sequence' | 'hash'> | null = null
  /** What comes now stays in the log alone. */
  #full = false

  constructor(kept: Kept) {
    this.#kept = kept
  }

  add(record: Pick<PastResult, 'sequence' | 'hash'>, additions: readonly Addition[]): void {
    this.#last = record
    this.#results += 1
    for (const entry of this.#full ? [] : additions.flatMap(textsOf)) {
      this.#entries.push(entry)
      this.#length += entry.table.length + (entry.key?.length ?? 0) + entry.text.length + HEAD
    }
    if (this.#length >= PIECE) this.#cut()
  }

  end(): Omit<Past, 'tables'> {
    if (this.#results >= MIN_RESULTS) this.#cut()
    return { kept: this.#kept, pieces: this.#pieces, left: this.#results }
  }

  #cut(): void {
    this.#full ||= this.#length > MAX_PIECE || this.#kept.length + this.#length > MAX_KEPT
    if (this.#last === null || this.#full) return
    const { sequence: upto, hash } = this.#last
    const body = joined(this.#entries)
    const piece = { number: this.#kept.pieces, start: this.#kept.upto, upto, hash, entries: this.#entries.length, body }
    this.#pieces.push(piece)
    this.#kept = withPiece(this.#kept, piece, body.length)
    this.#entries = []
    this.#length = 0
    this.#results = 0
  }
}

/** Bare names of the tools whose results fill a table. */
function toolsOf({ contracts }: Policy): ReadonlySet<string> {
  const written = contracts.tables.flatMap(({ sources }) => sources.flatMap(({ tools }) => [...tools]))
  return new Set(written.flatMap((name) => [name, splitToolName(name)?.name ?? name]))
}

/** Null where redaction or length took something out: half a value would prove what is not so. */
function returnedOf(body: JsonObject): Returned | null {
  const call = own(body, 'call')
  const erased = own(body, 'erased')
  const whole = (erased === undefined || (Array.isArray(erased) && erased.length === 0)) && own(body, 'response_cut') !== true
  if (!whole || !isJsonObject(call)) return null
  const [server, tool, args] = [own(call, 'server'), own(call, 'tool'), own(call, 'args')]
  if (typeof tool !== 'string' || !isJsonObject(args)) return null
  return { server: typeof server === 'string' ? server : null, tool, args, result: own(body, 'response') ?? null }
}
