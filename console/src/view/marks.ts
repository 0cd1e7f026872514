/** Text cut into what is shown: escapes, plain runs, and the places that effects were read from. Pure. */
import { type VisiblePart, visibleParts } from '../../../src/facts/resources/text/visible.ts'

/** A place in a text; `id` says which effect was read from it. */
export interface Mark {
  readonly id: number
  /** UTF-16 offsets. */
  readonly start: number
  readonly end: number
}

export interface Piece {
  readonly kind: VisiblePart['kind']
  readonly text: string
  /** Ids of the marks that cover it. */
  readonly marks: readonly number[]
  /** An escape that stands for at least one line end, after which a viewer breaks the line. */
  readonly breaks: boolean
}

/** The pieces of a text. Marks beyond its ends are cut; marks that touch nothing are left out. */
export function pieces(text: string, marks: readonly Mark[] = []): readonly Piece[] {
  const cuts = [...new Set(marks.flatMap(({ start, end }) => [start, end]))].sort((a, b) => a - b)
  const out: Piece[] = []
  let cut = 0
  for (const part of visibleParts(text)) {
    while (cut < cuts.length && (cuts[cut] ?? 0) <= part.start) cut++
    for (const { text: shown, start } of split(part, cuts, cut)) out.push(piece({ ...part, text: shown }, covering(marks, start)))
  }
  return out
}

/** An escape is never cut, and a plain part is as long as what it stands for. */
function split(part: VisiblePart, cuts: readonly number[], from: number): { text: string; start: number }[] {
  if (part.kind === 'escape') return [{ text: part.text, start: part.start }]
  const out: { text: string; start: number }[] = []
  let start = part.start
  for (let i = from; i < cuts.length && (cuts[i] ?? 0) < part.end; i++) {
    const end = cuts[i] ?? 0
    if (isInsidePair(part.text, end - part.start)) continue
    out.push({ text: part.text.slice(start - part.start, end - part.start), start })
    start = end
  }
  return [...out, { text: part.text.slice(start - part.start), start }]
}

function isInsidePair(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code >= 0xdc00 && code <= 0xdfff
}

function covering(marks: readonly Mark[], at: number): readonly number[] {
  return marks.filter(({ start, end }) => start <= at && at < end).map(({ id }) => id)
}

function piece({ kind, text }: VisiblePart, marks: readonly number[]): Piece {
  return { kind, text, marks, breaks: kind === 'escape' && /^⟨LF(×|⟩)/.test(text) }
}

/** Where to cut a long text for a first look, never inside a surrogate pair; the length itself where it is short. */
export function cutAt(text: string, limit: number): number {
  if (text.length <= limit) return text.length
  const code = text.charCodeAt(limit)
  return code >= 0xdc00 && code <= 0xdfff ? limit - 1 : limit
}
