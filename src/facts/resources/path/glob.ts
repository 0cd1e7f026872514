/** One name against one segment of a shell's pattern: `*`, `?`, `[a-z]`, `[!x]`. */

/** Wildcard match by backtracking to the last star only: linear in the pattern times the name. */
export function matchGlob(pattern: string, name: string): boolean {
  let [at, from, star, mark] = [0, 0, -1, 0]
  while (from < name.length) {
    const step = at < pattern.length ? accept(pattern, at, name.charAt(from)) : 0
    if (pattern[at] === '*') {
      star = at++
      mark = from
    } else if (step > 0) {
      at += step
      from++
    } else if (star >= 0) {
      at = star + 1
      from = ++mark
    } else return false
  }
  while (pattern[at] === '*') at++
  return at === pattern.length
}

/** Length of the pattern token at `at` where it accepts the character, else 0. */
function accept(pattern: string, at: number, character: string): number {
  const token = pattern.charAt(at)
  if (token === '?') return 1
  if (token === '[') {
    const end = pattern.indexOf(']', at + 2)
    if (end > 0) return inBracket(pattern.slice(at + 1, end), character) ? end - at + 1 : 0
  }
  return token === character ? 1 : 0
}

function inBracket(body: string, character: string): boolean {
  const negated = body.startsWith('!') || body.startsWith('^')
  const set = negated ? body.slice(1) : body
  for (let at = 0; at < set.length; at++) {
    const ranged = set[at + 1] === '-' && at + 2 < set.length
    const from = set.charAt(at)
    const to = ranged ? set.charAt(at + 2) : from
    if (character >= from && character <= to) return !negated
    if (ranged) at += 2
  }
  return negated
}
