import { CodeLimit } from '../limits.ts'
import { readQuoted } from '../syntax/quoted.ts'
import { isDigit, isNameStart, Scanner, type Token } from '../syntax/token.ts'

/** Tokens of Python source: indentation, joined lines, every string prefix. */
const OPERATORS = [...'**= //= >>= <<= ... ** // >> << <= >= == != -> := += -= *= /= %= &= |= ^= @='.split(' ')] as const

const PREFIX = /^(?:[rbuft]|rb|br|fr|rf|tr|rt)$/i

/** A file may say in which characters it is written; those that are not ASCII with more could hide anything. */
const CODING = /^(?:[^\n]*\n)?[ \t\f]*#[^\n]*?coding[:=][ \t]*([-\w.]+)/
const PLAIN = /^(?:utf-?8(?:-sig)?|ascii|us-ascii|latin-?1|iso-?8859-1|cp1252)$/i

function refuseCoding(text: string): void {
  const coding = CODING.exec(text)?.[1]
  if (coding !== undefined && !PLAIN.test(coding.replaceAll('_', '-')))
    throw new CodeLimit('the code is written in characters that are not read')
}

/** Takes blanks, comments, words, numbers and texts; false where an operator stands. */
function withinLine(scanner: Scanner, c: string): boolean {
  if (c === ' ' || c === '\t' || c === '\r' || c === '\f') scanner.space()
  else if (c === '\\' && scanner.peek() === '\n') scanner.space(2)
  else if (c === '#') scanner.skipLine()
  else if (isNameStart(c)) word(scanner)
  else if (isDigit(c) || (c === '.' && isDigit(scanner.peek()))) scanner.push('number', scanner.number())
  else if (c === '"' || c === "'") quoted(scanner, '')
  else return false
  return true
}

export function lexPython(text: string): readonly Token[] {
  refuseCoding(text)
  const scanner = new Scanner(text.replace(/\r\n?/g, '\n'))
  const indents = [0]
  let depth = 0
  indent(scanner, indents)
  while (!scanner.done) {
    const c = scanner.current as string
    if (c === '\n') {
      scanner.line()
      if (depth === 0) {
        scanner.push('newline', '\n')
        indent(scanner, indents)
      }
    } else if (!withinLine(scanner, c)) {
      if ('([{'.includes(c)) depth += 1
      else if (')]}'.includes(c)) depth = Math.max(0, depth - 1)
      scanner.operator(OPERATORS)
    }
  }
  scanner.push('newline', '\n')
  for (let i = 1; i < indents.length; i += 1) scanner.push('dedent', '')
  scanner.push('end', '')
  return scanner.tokens
}

/** Measures the indentation of the next line that is not blank; an uneven dedent falls back to the nearest level. */
function indent(scanner: Scanner, indents: number[]): void {
  for (;;) {
    let width = 0
    while (scanner.current === ' ' || scanner.current === '\t') {
      width = scanner.current === '\t' ? width - (width % 8) + 8 : width + 1
      scanner.space()
    }
    if (scanner.current === '#') scanner.skipLine()
    if (scanner.current === '\r') scanner.space()
    if (scanner.current === '\n') {
      scanner.line()
      continue
    }
    if (scanner.done) return
    if (width > (indents.at(-1) ?? 0)) {
      indents.push(width)
      scanner.push('indent', '')
    }
    while (width < (indents.at(-1) ?? 0)) {
      indents.pop()
      scanner.push('dedent', '')
    }
    return
  }
}

function word(scanner: Scanner): void {
  const name = scanner.name()
  if ((scanner.current === '"' || scanner.current === "'") && PREFIX.test(name)) quoted(scanner, name.toLowerCase())
  else scanner.push('name', name.normalize('NFKC'))
}

function quoted(scanner: Scanner, prefix: string): void {
  const quote = scanner.current as string
  const triple = scanner.starts(quote.repeat(3))
  const close = triple ? quote.repeat(3) : quote
  const { parts, end } = readQuoted(scanner.source, scanner.at + close.length, {
    close,
    escapes: prefix.includes('r') ? 'none' : 'all',
    oneLine: !triple,
    ...(prefix.includes('f') || prefix.includes('t') ? { interpolates: 'braces' as const } : {}),
  })
  scanner.at = end
  scanner.pushString(parts, 'template', prefix.includes('b'))
}
