/**
 * Which values of a result belong to things that the user spoke of. A row that somebody else sent says nothing about its sender by words
 * that the sender wrote: whoever sends a payment chooses its subject. Such words still find the row, so its number counts as spoken of. Pure.
 */
import { says, sharedWords, type Task } from '../../authorization/task.ts'
import { isAccount, isAuthorField, isFreeText, isOwnName, isReplyField, isServiceField } from '../../provenance/claim.ts'
import type { Leaf } from '../../provenance/result.ts'

/** Shorter things stand in every task. */
const SHORTEST_NAMED = 3
/** Words of one value that are compared. */
const MAX_SHARED = 40

export interface Selection {
  /** Records that the user spoke of, by whatever words. */
  readonly records: ReadonlySet<number>
  /** The value is of such a record; a party that sent it, only where more than the sender's own words says so. */
  readonly vouches: (leaf: Leaf) => boolean
  /** It says whom to write to or to pay, and stands in a row that somebody else sent. */
  readonly isForeign: (leaf: Leaf) => boolean
  /** The user named another one of the list that it stands in, and only one. */
  readonly isOther: (leaf: Leaf) => boolean
}

/** Who sent it, or an address or account that they wrote beside it. */
function isParty(field: string, value: string): boolean {
  return isAuthorField(field) || value.includes('@') || (isAccount(value) && !isServiceField(field))
}

export function selectionOf(leaves: readonly Leaf[], task: Task): Selection {
  const sent = new Set<number>()
  for (const { field, value, record } of leaves) if (isAuthorField(field) && !isOwnName(value)) sent.add(record)
  const isForeign = ({ field, value, record, prose }: Leaf): boolean => sent.has(record) && !prose && isParty(field, value)
  const records = new Set<number>()
  const named = new Set<number>()
  for (const leaf of leaves) {
    const { value, record, prose } = leaf
    if (prose || named.has(record)) continue
    const whole = value.length >= SHORTEST_NAMED && says(task, value)
    if (!whole && sharedWords(task, value, MAX_SHARED) === 0) continue
    if (record !== 0) records.add(record)
    if (!sent.has(record) || isServiceField(leaf.field) || (whole && !isFreeText(leaf.field))) named.add(record)
  }
  return {
    records,
    isForeign,
    isOther: otherThanNamed(leaves, task),
    vouches: (leaf) => {
      if (!isForeign(leaf)) return records.has(leaf.record)
      // Whoever the user named may be meant; where else an answer is to go, the mail alone says.
      return named.has(leaf.record) && (!isReplyField(leaf.field) || says(task, leaf.value))
    },
  }
}

/** Of things in a list that are called by one field, the user named one: "reserve the Ritz". The others only came along. */
function otherThanNamed(leaves: readonly Leaf[], task: Task): Selection['isOther'] {
  const named = new Map<string, Set<string>>()
  for (const { field, value, record, prose } of leaves)
    if (record > 0 && !prose && value.length >= SHORTEST_NAMED && says(task, value))
      named.set(field, (named.get(field) ?? new Set()).add(value))
  return ({ field, value, record, prose }) => {
    const which = named.get(field)
    return record > 0 && !prose && which?.size === 1 && !which.has(value)
  }
}
