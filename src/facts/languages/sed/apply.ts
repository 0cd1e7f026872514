import { RE2JS } from 're2js'

/** What becomes of a text when sed edits it: of scripts that substitute and delete, which is nearly all that is edited in place. */

const MAX_COMMANDS = 32
const MAX_LINES = 20_000
const LONGEST = 131_072

interface Edit {
  /** Lines that it is for; null: all. */
  readonly address: ((line: string, number: number, last: boolean) => boolean) | null
  readonly negated: boolean
  /** The line after it; null where the line is deleted. */
  readonly edit: (line: string) => string | null
}

/** The text after the script; null where that is not known. `extended`: with the options `-E` or `-r`. */
export function applySed(script: string, text: string, extended: boolean): string | null {
  const edits = editsOf(script, extended)
  const lines = text.split('\n')
  if (edits === null || lines.length > MAX_LINES || text.length > LONGEST) return null
  // What stands behind the last line end is no line.
  const rest = lines.at(-1) === '' ? lines.pop() : undefined
  const kept: string[] = []
  for (const [index, line] of lines.entries()) {
    let current: string | null = line
    for (const { address, negated, edit } of edits) {
      if (current === null) break
      if ((address === null || address(current, index + 1, index === lines.length - 1)) !== negated) current = edit(current)
    }
    if (current !== null) kept.push(current)
  }
  return [...kept, ...(rest === undefined ? [] : [rest])].join('\n')
}

function editsOf(script: string, extended: boolean): readonly Edit[] | null {
  const reader = new Reader(script, extended)
  const edits: Edit[] = []
  while (!reader.done) {
    const edit = edits.length < MAX_COMMANDS ? reader.command() : null
    if (edit === null) return null
    edits.push(edit)
  }
  return edits.length === 0 ? null : edits
}

class Reader {
  readonly #text: string
  readonly #extended: boolean
  #at = 0

  constructor(text: string, extended: boolean) {
    this.#text = text
    this.#extended = extended
    this.#blanks()
  }

  get done(): boolean {
    return this.#at >= this.#text.length
  }

  /** Null for anything but `s` and `d`, each for all lines, one line, or those that a pattern matches. */
  command(): Edit | null {
    const address = this.#address()
    if (address === undefined) return null
    const negated = this.#text[this.#at] === '!'
    if (negated) this.#at++
    const name = this.#text[this.#at++]
    const edit = name === 'd' ? () => null : name === 's' ? this.#substitution() : null
    if (edit === null || (negated && address === null)) return null
    const end = this.#text[this.#at]
    if (end !== undefined && end !== ';' && end !== '\n' && end !== ' ') return null
    this.#blanks()
    return { address, negated, edit }
  }

  #blanks(): void {
    while (/[\s;]/.test(this.#text[this.#at] ?? '')) this.#at++
  }

  /** Null for none, undefined for one that is not followed. */
  #address(): Edit['address'] | undefined {
    const sign = this.#text[this.#at] ?? ''
    if (sign === 's' || sign === 'd') return null
    if (sign === '$') {
      this.#at++
      return (_, _number, last) => last
    }
    if (/\d/.test(sign)) {
      const digits = /^\d{1,7}/.exec(this.#text.slice(this.#at))?.[0] ?? ''
      this.#at += digits.length
      return (_, number) => number === Number(digits)
    }
    if (sign !== '/') return undefined
    this.#at++
    const pattern = this.#delimited('/', true)
    const compiled = pattern === null ? null : this.#pattern(pattern, false)
    return compiled === null ? undefined : (line) => compiled.matcher(line).find()
  }

  #substitution(): ((line: string) => string) | null {
    const delimiter = this.#text[this.#at++] ?? ''
    if (delimiter === '' || /[\\\n\w]/.test(delimiter)) return null
    const [pattern, replacement] = [this.#delimited(delimiter, true), this.#delimited(delimiter, false)]
    if (pattern === null || replacement === null) return null
    const flags = /^[gIi]*/.exec(this.#text.slice(this.#at))?.[0] ?? ''
    this.#at += flags.length
    const compiled = this.#pattern(pattern, /i/i.test(flags))
    const put = compiled === null ? null : replacementOf(replacement, compiled.groupCount())
    if (compiled === null || put === null) return null
    return (line) => replaced(line, compiled, { put, all: flags.includes('g') })
  }

  /** To the delimiter, which is taken; escaped, or in a bracket of a pattern, it stands for itself. */
  #delimited(delimiter: string, pattern: boolean): string | null {
    let text = ''
    for (; this.#at < this.#text.length; this.#at++) {
      const sign = this.#text[this.#at] ?? ''
      if (sign === delimiter) {
        this.#at++
        return text
      }
      if (sign === '\n') return null
      const bracket = pattern && sign === '[' ? /^\[\^?\]?[^\]\\[]{0,200}\]/.exec(this.#text.slice(this.#at))?.[0] : ''
      if (bracket === undefined) return null
      if (bracket !== '') {
        text += bracket
        this.#at += bracket.length - 1
      } else if (sign !== '\\') text += sign
      else if (this.#text[++this.#at] === delimiter) text += delimiter
      else text += `\\${this.#text[this.#at] ?? ''}`
    }
    return null
  }

  #pattern(pattern: string, folds: boolean): RE2JS | null {
    try {
      return RE2JS.compile(this.#extended ? pattern : basic(pattern), folds ? RE2JS.CASE_INSENSITIVE : 0)
    } catch {
      return null
    }
  }
}

/** A basic expression as an extended one: brackets and counts are signs where they are escaped, and texts where they are not. */
function basic(pattern: string): string {
  let text = ''
  for (let at = 0; at < pattern.length; at++) {
    const sign = pattern[at] ?? ''
    const close = sign === '[' ? pattern.indexOf(']', at + 2) : -1
    if (close > 0) {
      text += pattern.slice(at, close + 1)
      at = close
    } else if (sign === '\\') text += COUNTS.has(pattern[++at] ?? '') ? pattern[at] : `\\${pattern[at] ?? ''}`
    else text += COUNTS.has(sign) ? `\\${sign}` : sign
  }
  return text
}

const COUNTS: ReadonlySet<string> = new Set('(){}|+?')

/** A text, or the number of a group whose text stands there. */
type Part = string | number

function replaced(line: string, pattern: RE2JS, { put, all }: { readonly put: readonly Part[]; readonly all: boolean }): string {
  const matcher = pattern.matcher(line)
  let text = ''
  let from = 0
  while (matcher.find()) {
    text += line.slice(from, matcher.start())
    for (const part of put) text += typeof part === 'string' ? part : (matcher.group(part) ?? '')
    from = matcher.end()
    if (!all) break
  }
  return text + line.slice(from)
}

/** `&` and `\1` as groups; null for escapes that mean anything else. */
function replacementOf(text: string, groups: number): readonly Part[] | null {
  const put: Part[] = []
  for (let at = 0; at < text.length; at++) {
    const sign = text[at] ?? ''
    if (sign === '&') put.push(0)
    else if (sign !== '\\') put.push(sign)
    else {
      const next = text[++at] ?? ''
      if (/[1-9]/.test(next) && Number(next) <= groups) put.push(Number(next))
      else if (next === '&' || next === '/') put.push(next)
      else return null
    }
  }
  return put
}
