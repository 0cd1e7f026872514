/**
 * What this process knows of the results of a session: what the log says as far as it was read, and then what returned here and may not be in
 * the log yet. Others add to the log, too; the order is that of the log, whoever added.
 */
import { type Addition, withAdditions } from '../../policy/contracts/remembered.ts'
import type { Transaction } from '../../store/store.ts'
import { atOnce, type PastSource, recorded, SLICE, type Tables, type Whose } from './past.ts'

/** A result that came here. */
export interface Came {
  /** Of its record; null: that was not made yet. */
  id: string | null
  readonly additions: readonly Addition[]
}

export interface Known {
  /** With everything. */
  tables: Tables
  /** As the log says up to record `upto`. */
  base: Tables
  upto: number
  /** What came here and is not in `base`, oldest first. */
  came: readonly Came[]
  /** How often others had written by then; null: it is read at the next call. */
  others: number | null
  /** Results that are in no piece. */
  left: number
}

/** So many results stay apart from what the log says. One that is never recorded is among them for as long. */
const MAX_CAME = 256

export function knownFrom(tables: Tables, { upto, came, left }: Pick<Known, 'upto' | 'came' | 'left'>): Known {
  return { tables: withAll(tables, came), base: tables, upto, came, left, others: null }
}

/** Its place in the log is known once its record is made. */
export function landing(came: Came): (tx: Transaction, at: number) => void {
  return (tx, at) => {
    came.id = tx.recordId(at)
  }
}

export function takeIn(known: Known, came: Came, { log }: PastSource): void {
  known.tables = withAdditions(known.tables, came.additions)
  if (log !== undefined && came.additions.length > 0) known.came = [...known.came, came]
  known.left += 1
}

/** Records that the log may have more than was read of it, and that are read in one go; more are read in slices first. */
const MAX_AT_ONCE = 128

/** True where so much was added by others that reading it would hold everything else up. */
export function isFarBehind({ log }: PastSource, { others, upto }: Known): boolean {
  return log !== undefined && log.others() !== others && log.head() - upto > MAX_AT_ONCE
}

/** Reads what others added. Throws where the log cannot be read, and then knows what it knew. */
export function catchUp(source: PastSource, known: Known, whose: Whose): void {
  const { log } = source
  if (log === undefined) return
  if (log.others() !== known.others) atOnce(catchingUp(source, known, whose))
  else if (known.came.length >= MAX_CAME) settle(known, log.head())
}

/** The same in slices. What returns here meanwhile is recorded behind what is read; where another one was faster, that stands. */
export function* catchingUp(source: PastSource, known: Known, whose: Whose): Generator<undefined, void> {
  const { log } = source
  if (log === undefined) return
  const { upto: after } = known
  const [others, upto] = [log.others(), log.head()]
  const came = new Map(known.came.flatMap((each) => (each.id === null ? [] : [[each.id, each] as const])))
  const read = new Set<Came>()
  const found: Addition[] = []
  let foreign = 0
  let count = 0
  for (const { record, additions } of recorded(source, { ...whose, after, upto })) {
    const here = came.get(record.id)
    // What came here is known whole, whatever the log has of it.
    found.push(...(here?.additions ?? additions))
    if (here === undefined) foreign += 1
    else read.add(here)
    count += 1
    if (count % SLICE === 0) yield
  }
  if (known.upto !== after) return
  const waiting = known.came.filter((each) => !read.has(each))
  const still = waiting.slice(-MAX_CAME)
  const base = withAll(withAdditions(known.base, found), waiting.slice(0, -MAX_CAME))
  Object.assign(known, {
    base,
    upto,
    came: still,
    others,
    tables: found.length === 0 ? known.tables : withAll(base, still),
    left: known.left + foreign,
  } satisfies Known)
}

/** Nobody else wrote since: what has its record by now is what the log says. The oldest of the rest may have none at all. */
function settle(known: Known, upto: number): void {
  const stays = known.came.filter(({ id }) => id === null).slice(-MAX_CAME / 2)
  const kept = new Set(stays)
  known.base = withAll(
    known.base,
    known.came.filter((each) => !kept.has(each)),
  )
  known.came = stays
  known.upto = upto
}

function withAll(tables: Tables, came: readonly Came[]): Tables {
  return withAdditions(
    tables,
    came.flatMap(({ additions }) => additions),
  )
}
