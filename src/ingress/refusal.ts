/** Why input never became a call: one code per fault, where it is, and the way out. Quotes input only in escaped form (T61). */
import type { Code } from '../core/codes.ts'
import { childPointer } from '../core/json.ts'

/** Reason codes of input that could not be read. */
export type IngressCode = Extract<Code, `ingress.${string}`>

export interface Refusal {
  readonly code: IngressCode
  /** JSON pointer to the value with the fault; the innermost one that was reached, for a fault of syntax. */
  readonly pointer: string
  /** UTF-16 offset into the decoded input, from 0; null (as line and column) for a fault of shape: the pointer says it all. */
  readonly offset: number | null
  /** From 1; lines end at `\n`. */
  readonly line: number | null
  /** From 1, in UTF-16 code units. */
  readonly column: number | null
  /** One line of printable ASCII, with the position. */
  readonly message: string
  /** What to send instead. */
  readonly help: string
}

/** A fault on its way out of a reader; never leaves this folder. */
export interface Fault {
  readonly code: IngressCode
  readonly path: readonly (string | number)[]
  readonly offset: number | null
  readonly what: string
  readonly help: string
}

/** The refusal for a fault in `text`. */
export function refusalOf(fault: Fault, text: string): Refusal {
  const { code, offset, what, help } = fault
  const pointer = fault.path.reduce<string>((parent, key) => childPointer(parent, key), '')
  const { line, column } = offset === null ? { line: null, column: null } : locate(text, offset)
  const at = line === null ? '' : ` at line ${line}, column ${column}`
  return { code, pointer, offset, line, column, message: `${what}${at}${pointer === '' ? '' : ` (${quote(pointer)})`}`, help }
}

function locate(text: string, offset: number): { line: number; column: number } {
  let line = 1
  let start = 0
  for (let end = text.indexOf('\n'); end >= 0 && end < offset; end = text.indexOf('\n', start)) {
    line++
    start = end + 1
  }
  return { line, column: offset - start + 1 }
}

const LONGEST_QUOTE = 80

/** Input in backticks, cut to 80 characters, everything but printable ASCII escaped: safe in a log, a terminal and HTML text. */
export function quote(text: string): string {
  const cut = text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}...` : text
  let out = ''
  for (let i = 0; i < cut.length; i++) {
    const code = cut.charCodeAt(i)
    const plain = code >= 0x20 && code < 0x7f && code !== 0x60 && code !== 0x5c
    out += plain ? cut[i] : `\\u${code.toString(16).padStart(4, '0')}`
  }
  return `\`${out}\``
}
