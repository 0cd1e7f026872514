/** Which of the valid names was probably meant: the way out of a misspelling. */

/** The name closest to `word`, or null where none is close enough to be a slip of the pen. */
export function nearest(word: string, names: Iterable<string>): string | null {
  const typed = word.toLowerCase()
  const limit = Math.max(1, Math.floor(word.length / 3))
  let best: string | null = null
  let least = limit + 1
  for (const name of names) {
    if (Math.abs(name.length - word.length) > limit) continue
    const distance = editDistance(typed, name.toLowerCase())
    if (distance < least) [best, least] = [name, distance]
  }
  return best
}

/** `did you mean …? valid here: …`, with at most sixteen names spelt out. */
export function suggestion(word: string, names: readonly string[]): string {
  const near = word.length > 64 ? null : nearest(word, names)
  const shown = names.slice(0, 16).map((name) => `\`${name}\``)
  const rest = names.length > 16 ? ` and ${names.length - 16} more` : ''
  const valid = names.length === 0 ? 'nothing is valid here' : `valid here: ${shown.join(', ')}${rest}`
  return near === null ? valid : `did you mean \`${near}\`? ${valid}`
}

/** Insertions, deletions, substitutions and swaps of neighbours (optimal string alignment). */
function editDistance(a: string, b: string): number {
  let before: number[] = []
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const current = [i]
    for (let j = 1; j <= b.length; j++) {
      const substitution = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      let cost = Math.min((previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1, substitution)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, (before[j - 2] ?? 0) + 1)
      current.push(cost)
    }
    before = previous
    previous = current
  }
  return previous[b.length] ?? 0
}
