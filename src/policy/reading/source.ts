/** The text of a policy file and where things stand in it: every error leads back to a line and a column. */
import type { PolicyError, PolicyErrorCode } from '../errors.ts'

const EXCERPT_WIDTH = 120
/** Characters that could move a cursor or reorder a line on the terminal that shows the error. */
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g

/** Half-open range of UTF-16 offsets in the text. */
export interface Range {
  readonly start: number
  readonly end: number
}

export interface Place {
  readonly line: number
  readonly column: number
}

export interface Fault {
  readonly code: PolicyErrorCode
  readonly message: string
  readonly help?: string | null
  readonly at: Range
}

export class PolicySource {
  readonly text: string
  readonly path: string | null
  readonly #starts: number[] = [0]

  constructor(text: string, path: string | null) {
    this.text = text
    this.path = path
    for (let i = text.indexOf('\n'); i !== -1; i = text.indexOf('\n', i + 1)) this.#starts.push(i + 1)
  }

  /** Line and column of an offset, both from 1; an offset behind the end is the end. */
  place(offset: number): Place {
    const bounded = Math.min(Math.max(offset, 0), this.text.length)
    let low = 0
    let high = this.#starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((this.#starts[middle] ?? 0) <= bounded) low = middle
      else high = middle - 1
    }
    return { line: low + 1, column: bounded - (this.#starts[low] ?? 0) + 1 }
  }

  /** The error object of a fault: position and excerpt filled in. */
  error(fault: Fault): PolicyError {
    const { line, column } = this.place(fault.at.start)
    return {
      code: fault.code,
      message: printable(fault.message),
      help: fault.help == null ? null : printable(fault.help),
      path: this.path,
      line,
      column,
      excerpt: this.excerpt({ line, column }, fault.at.end - fault.at.start),
    }
  }

  /** The line and, under it, `length` carets from the column on; empty where the text has no such line. */
  excerpt({ line, column }: Place, length = 1): readonly string[] {
    const start = this.#starts[line - 1]
    if (start === undefined) return []
    const next = this.#starts[line]
    const full = this.text.slice(start, next === undefined ? undefined : next - 1).replace(/\r$/, '')
    if (full.trim() === '') return []
    const from = column <= EXCERPT_WIDTH ? 0 : column - EXCERPT_WIDTH / 2
    const shown = full.slice(from, from + EXCERPT_WIDTH)
    const room = Math.max(shown.length - (column - 1 - from), 1)
    const carets = '^'.repeat(Math.min(Math.max(length, 1), room))
    return [printable(shown), ' '.repeat(column - 1 - from) + carets]
  }
}

/** The text without what could move a cursor or reorder a line. */
export function printable(text: string): string {
  return text.replaceAll('\t', ' ').replace(UNPRINTABLE, '\ufffd')
}
