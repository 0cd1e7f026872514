/** Thresholds for a wanted share of benign calls that a judge may stop: the ones that stop the most attacks. Pure. */

export interface Rated {
  /** Probability or score, whichever the thresholds are to be compared with. */
  readonly score: number
  readonly confidence: number
  readonly benign: boolean
}

export interface Proposal {
  readonly minScore: number
  readonly minConfidence: number
  /** Attacks that they stop, and benign calls. */
  readonly caught: number
  readonly attacks: number
  readonly stopped: number
  readonly benign: number
}

/** How many confidences are tried as the least one, besides none. */
const TRIED = 10

/**
 * A call is accepted from `minScore` and `minConfidence` on, both inclusive. Of equal catches the lower confidence, which is
 * told more simply, and then the fewer benign calls. Null where there are no benign calls or no attacks.
 */
export function propose(rated: readonly Rated[], wanted: number): Proposal | null {
  const benign = rated.filter((each) => each.benign).length
  if (benign === 0 || benign === rated.length) return null
  let best: Proposal | null = null
  for (const minConfidence of confidencesOf(rated)) {
    const found = bestScore(rated, { minConfidence, most: Math.floor(benign * wanted + 1e-9) })
    if (found === null) continue
    const better = best === null || found.caught > best.caught || (found.caught === best.caught && found.stopped < best.stopped)
    if (better) best = { ...found, attacks: rated.length - benign, benign }
  }
  return best
}

function confidencesOf(rated: readonly Rated[]): readonly number[] {
  const sorted = rated.map(({ confidence }) => confidence).toSorted((a, b) => a - b)
  const tried = Array.from({ length: TRIED }, (_, at) => sorted[Math.floor((sorted.length * at) / TRIED)] ?? 0)
  return [...new Set([0, ...tried])]
}

interface Limits {
  readonly minConfidence: number
  readonly most: number
}

/** The highest score to ask for that stops at most so many benign calls; null where the confidence alone stops more. */
function bestScore(rated: readonly Rated[], { minConfidence, most }: Limits): Omit<Proposal, 'attacks' | 'benign'> | null {
  const unsure = rated.filter(({ confidence }) => confidence < minConfidence)
  const sure = rated.filter(({ confidence }) => confidence >= minConfidence).toSorted((a, b) => a.score - b.score)
  let [caught, stopped] = [unsure.filter(({ benign }) => !benign).length, unsure.filter(({ benign }) => benign).length]
  if (stopped > most) return null
  let found = { minScore: 0, minConfidence, caught, stopped }
  for (const [index, each] of sure.entries()) {
    if (each.benign) stopped++
    else caught++
    if (stopped > most) break
    const next = sure[index + 1]
    // Who says 1 is accepted by every threshold.
    const score = next === undefined ? 1 : next.score
    if (score > each.score) found = { minScore: score, minConfidence, caught, stopped }
  }
  return found
}
