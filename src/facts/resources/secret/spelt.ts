/**
 * Whether a text spells a token in pieces with other text between them. Each letter of the token that stands in its order counts
 * for the token, each gap against it, by the bits that it would take to say both; chance runs up no such sum.
 */

/** Longer gaps than this end an attempt: pieces that far apart are not told from chance. */
const LONGEST_GAP = 48
/** Attempts that are kept for each letter of the token: the best of the latest. */
const KEPT = 6
/** Texts of more than this are looked through for whole pieces only. */
const LONGEST_TEXT = 65_536
/** What a sum must have above what the length of the text makes likely. */
const MARGIN = 28

/** Below this share of digits a token is made of words, which prose may hold in any order: only whole ones are found. */
const LEAST_DIGITS = 0.15

/** Bits of one character of the token; 0 where its characters say too little. */
function bitsOf(token: string): number {
  if (/^[0-9]+$/.test(token)) return 3.3
  if (/^[0-9a-f]+$/.test(token)) return 4
  const digits = token.replace(/[^0-9]+/g, '').length
  return digits < token.length * LEAST_DIGITS && token === token.toLowerCase() ? 0 : 5
}

const COST = Float64Array.from({ length: LONGEST_GAP + 1 }, (_, gap) => (gap === 0 ? 0 : Math.log2(gap + 1) + 1))

/** True where `text` holds every character of `token` in its order, closer together than chance would have it. Linear in the text. */
export function spells(text: string, token: string): boolean {
  const bits = bitsOf(token)
  const needed = MARGIN + Math.log2(text.length + 1)
  if (text.length < token.length || text.length > LONGEST_TEXT || bits * token.length < needed) return false
  const places = placesOf(token)
  const open: Attempts[] = Array.from({ length: token.length }, () => ({ at: [], score: [] }))
  const last = token.length - 1
  for (let i = 0; i < text.length; i++) {
    const here = places[text.charCodeAt(i)]
    if (here === undefined) continue
    for (const j of here) {
      const score = j === 0 ? bits : bits + bestBefore(open[j - 1] as Attempts, i)
      // What could not make up for its gaps any more is dropped.
      if (score <= 0 || score + bits * (last - j) < needed) continue
      if (j === last) return true
      keep(open[j] as Attempts, i, score)
    }
  }
  return false
}

/** Positions and sums of beginnings of the token that end at one of its letters, oldest first. */
interface Attempts {
  readonly at: number[]
  readonly score: number[]
}

/** Where each character stands in the token, last first: one character of the text is taken once. */
function placesOf(token: string): readonly (readonly number[] | undefined)[] {
  const places: number[][] = []
  for (let j = token.length - 1; j >= 0; j--) {
    const code = token.charCodeAt(j)
    places[code] = [...(places[code] ?? []), j]
  }
  return places
}

function bestBefore({ at, score }: Attempts, position: number): number {
  let best = Number.NEGATIVE_INFINITY
  for (let k = at.length - 1; k >= 0; k--) {
    const gap = position - (at[k] as number) - 1
    if (gap > LONGEST_GAP) break
    best = Math.max(best, (score[k] as number) - (COST[gap] as number))
  }
  return best
}

/** A later attempt that is as good as an earlier one takes its place. */
function keep({ at, score }: Attempts, position: number, value: number): void {
  while (score.length > 0 && (score.at(-1) as number) <= value) {
    at.pop()
    score.pop()
  }
  at.push(position)
  score.push(value)
  if (at.length > KEPT) {
    at.shift()
    score.shift()
  }
}
