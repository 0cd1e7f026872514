/** What `audit verify` answers. Pure data. */

export type BreakKind =
  | 'self_mismatch'
  | 'link_mismatch'
  | 'unknown_key'
  | 'missing_key'
  | 'unsigned'
  | 'malformed'
  | 'duplicate'
  | 'reordered'
  | 'deleted'
  | 'inserted'
  | 'missing_start'
  | 'truncated'
  | 'chain_reset'
  | 'fork'
  | 'anchor_missing'
  | 'anchor_invalid'
  | 'anchor_mismatch'

export interface Break {
  readonly kind: BreakKind
  /** Position in what was read, from 0; the number of entries for a break at the end. */
  readonly index: number
  readonly sequence: number | null
  readonly id: string | null
  readonly detail: string
  /** How many breaks that follow at once were left out of a summary. */
  readonly suppressed: number
}

/** What an operator should know and what alone does not make a log false. */
export interface Warning {
  /** `prefix`: an export that another one continues. `copy_silent`: a copy of the head that tells nothing. */
  readonly kind: 'crash_fragment' | 'empty' | 'prefix' | 'copy_silent'
  readonly index: number
  readonly detail: string
}

export interface Report {
  readonly ok: boolean
  readonly total: number
  /** All entries up to this one hold; -1 where none does. */
  readonly lastKnownGoodIndex: number
  readonly breaks: readonly Break[]
  readonly warnings: readonly Warning[]
}

export interface Findings {
  readonly total: number
  readonly breaks: readonly Break[]
  readonly warnings: readonly Warning[]
  readonly summarise: boolean
}

/** Orders and, where asked, summarises the breaks. */
export function report({ total, breaks, warnings, summarise }: Findings): Report {
  const ordered = breaks.toSorted((a, b) => a.index - b.index)
  const first = ordered[0]?.index ?? total
  return {
    ok: ordered.length === 0,
    total,
    lastKnownGoodIndex: first - 1,
    breaks: summarise ? summary(ordered) : ordered,
    warnings: total === 0 ? [...warnings, { kind: 'empty', index: 0, detail: 'the log has no records' }] : warnings,
  }
}

/** One break per run: a break at the same or the next position follows from the one before it (SIG-41). */
function summary(ordered: readonly Break[]): Break[] {
  const kept: Break[] = []
  let reached = Number.NEGATIVE_INFINITY
  for (const found of ordered) {
    const last = kept.at(-1)
    if (last !== undefined && found.index - reached <= 1) kept[kept.length - 1] = { ...last, suppressed: last.suppressed + 1 }
    else kept.push(found)
    reached = found.index
  }
  return kept
}
