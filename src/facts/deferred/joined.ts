/** Lines of a program or of settings, and what its texts come to where it puts them together. */

/** Lines that are put together, and names that stand for a text. */
const MAX_JOINED = 512
const MAX_NAMES = 256
const MAX_LINE = 2_000
const LITERAL = String.raw`"[^"\n]{0,400}"|'[^'\n]{0,400}'`
const ASSIGNED = new RegExp(String.raw`\b([A-Za-z_]\w{0,40})\s{0,8}:?=\s{0,8}(${LITERAL})\s{0,8};?\s{0,8}$`)
/** Two terms that become one: beside each other, or with an operator between. */
const BETWEEN = /^\s{0,8}(?:\+\+?|\.\.?|<>|&|~|\|\|)?\s{0,8}$/
const TERM = new RegExp(`${LITERAL}|[A-Za-z_]\\w{0,40}`, 'g')
/** Terms of a line that are looked at. */
const MAX_TERMS = 64
const PLACE = /%s|\{\}/g

export function* joined(text: string): Generator<string> {
  const names = new Map<string, string>()
  let count = 0
  for (const line of text.split('\n')) {
    yield line
    if (line.length > MAX_LINE || count >= MAX_JOINED || !/["']/.test(line)) continue
    for (const made of madeOf(line, names)) {
      count++
      yield made
    }
    const [, name, literal] = ASSIGNED.exec(line) ?? []
    if (name !== undefined && literal !== undefined && names.size < MAX_NAMES) names.set(name, literal.slice(1, -1))
  }
}

function* madeOf(line: string, names: ReadonlyMap<string, string>): Generator<string> {
  const terms = termsOf(line, names)
  const whole = new Set<string>()
  for (const [at, term] of terms.entries()) {
    let made = filled(term.text, terms.slice(at + 1))
    for (let next = at + 1; next < terms.length; next++) {
      const [before, after] = [terms[next - 1], terms[next]]
      if (before === undefined || after === undefined || !BETWEEN.test(line.slice(before.end, after.start))) break
      made += after.text
    }
    if (made !== term.text || term.named) whole.add(made)
    if (/rev/i.test(line)) whole.add([...term.text].reverse().join(''))
    const decoded = decodedOf(term.text)
    if (decoded !== null) whole.add(decoded)
  }
  yield* whole
}

interface Term {
  readonly text: string
  readonly start: number
  readonly end: number
  /** A name stands in its place or in it. */
  readonly named: boolean
}

/** Texts in quotes, and names that stand for one. */
function termsOf(line: string, names: ReadonlyMap<string, string>): readonly Term[] {
  const terms: Term[] = []
  for (const found of line.matchAll(TERM)) {
    const [word] = found
    const quoted = /^["']/.test(word)
    const text = quoted ? inserted(word.slice(1, -1), names) : names.get(word)
    if (terms.length >= MAX_TERMS) break
    if (text !== undefined)
      terms.push({ text, start: found.index, end: found.index + word.length, named: !quoted || text !== word.slice(1, -1) })
  }
  return terms
}

/** `$name`, `${name}`, `#{name}`, `{name}`. */
function inserted(text: string, names: ReadonlyMap<string, string>): string {
  return names.size === 0 ? text : text.replace(/[$#]?\{(\w{1,40})\}|\$(\w{1,40})/g, (whole, a, b) => names.get(a ?? b) ?? whole)
}

/** A format with the texts that follow it. */
function filled(text: string, rest: readonly Term[]): string {
  let next = 0
  return text.replace(PLACE, (whole) => rest[next++]?.text ?? whole)
}

function decodedOf(text: string): string | null {
  if (text.length < 24 || !/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return null
  let decoded: string
  try {
    decoded = atob(text)
  } catch {
    return null
  }
  return /^[\t\n\x20-\x7e]+$/.test(decoded) ? decoded : null
}
