/** What of a call a reader has not seen yet: nobody approves a view that is cut (T24). Pure. */
import { visibleParts } from '../../../src/facts/resources/text/visible.ts'
import type { Row } from './arguments.ts'

/** Characters and line ends of one value that are shown at first. */
export const FIRST_LOOK = { units: 1_200, lines: 18 } as const
/** What one press on "show more" adds. */
export const NEXT_LOOK = 60_000
/** Rows of a call that are shown at first. */
export const FIRST_ROWS = 60

/** How many characters of each value are shown, by pointer; a value that is not in it is shown as far as a first look goes. */
export type Seen = ReadonlyMap<string, number>

/** How much of a value is shown: its length where it is shown whole. */
export function shownUnits(row: Pick<Row, 'pointer' | 'value'>, seen: Seen): number {
  return Math.min(row.value.length, seen.get(row.pointer) ?? firstUnits(row.value))
}

/** The names of what is cut: pointers of values; `rows` where rows are left out. Empty: all of the call was on the page. */
export function unseen(rows: readonly Row[], seen: Seen, allRows: boolean): readonly string[] {
  const cut = rows.filter((row) => shownUnits(row, seen) < row.value.length).map(({ pointer }) => pointer)
  return rows.length > FIRST_ROWS && !allRows ? ['rows', ...cut] : cut
}

/** After one press: more of that value, or all of it. */
export function showMore(row: Pick<Row, 'pointer' | 'value'>, seen: Seen): Seen {
  return new Map(seen).set(row.pointer, shownUnits(row, seen) + NEXT_LOOK)
}

/** As far as fits: a run of blanks or of hidden characters, which is one sign on the page, takes the place of one sign. */
function firstUnits(text: string): number {
  let room: number = FIRST_LOOK.units
  let lines: number = FIRST_LOOK.lines
  for (const part of visibleParts(text.slice(0, LONGEST_LOOK))) {
    if (part.kind !== 'escape' && part.text.length > room) return part.start + room
    room -= part.text.length
    lines -= part.text.startsWith('⟨LF') ? 1 : 0
    if (room <= 0 || lines <= 0) return part.end
  }
  return Math.min(text.length, LONGEST_LOOK)
}

/** Nothing beyond is looked at before a press, however much of it is padding. */
const LONGEST_LOOK = 20_000

/**
 * What keeps a reader from a yes: parts that are cut, or an end of the call that was not on the screen yet. Null: nothing; empty:
 * it is not known for a moment where the end is.
 */
export function unread(cut: number, ended: boolean | null): string | null {
  if (cut > 0) return `Show the whole call first: ${cut} ${cut === 1 ? 'part is' : 'parts are'} cut.`
  if (ended === null) return ''
  return ended ? null : 'Read to the end of the call first: it goes on below.'
}
