import { HOLE } from '../../resources/text/hole.ts'
import { CodeLimit } from '../limits.ts'
import { decodeEscape, isDigit, isNameStart, type Part, Scanner, type Token } from '../syntax/token.ts'

/** Tokens of awk, gawk's additions included. Unknown parts of a program become names or pieces of strings. */

/** The name that stands for an unknown part. */
export const UNKNOWN_PART = 'UNKNOWN_PART'

const OPERATORS = [...'**= >> |& && || !~ == != <= >= ++ -- += -= *= /= %= ^= **'.split(' ')] as const

/** Words after which a slash starts a regular expression. */
const BEFORE_REGEX: ReadonlySet<string> = new Set(['print', 'printf', 'return', 'in', 'case', 'else', 'do', 'getline', 'exit'])

export function lexAwk(source: string): readonly Token[] {
  const scanner = new Scanner(source)
  while (!scanner.done) step(scanner)
  scanner.push('end', '')
  return scanner.tokens
}

function step(scanner: Scanner): void {
  const c = scanner.current as string
  if (c === '\n') {
    scanner.line()
    scanner.push('newline', '\n')
  } else if (c <= ' ') scanner.space()
  else if (c === '#') scanner.skipLine()
  else if (c === '\\' && (scanner.peek() === '\n' || scanner.starts('\\\r\n'))) scanner.space(scanner.peek() === '\n' ? 2 : 3)
  else if (c === '"') quoted(scanner)
  else if (c === '/' && startsValue(scanner.last())) regex(scanner)
  else word(scanner, c)
}

/** Names, numbers and operators. */
function word(scanner: Scanner, c: string): void {
  if (c === HOLE) {
    scanner.at += 1
    scanner.push('name', UNKNOWN_PART)
  } else if (isNameStart(c)) scanner.push('name', qualified(scanner))
  else if (c === '@' && isNameStart(scanner.peek())) {
    scanner.at += 1
    scanner.push('name', `@${scanner.name()}`)
  } else if (isDigit(c) || (c === '.' && isDigit(scanner.peek()))) scanner.push('number', scanner.number())
  else scanner.operator(OPERATORS)
}

/** `space::name` of gawk by its name alone: whatever space it is of, it may be any of that name. */
function qualified(scanner: Scanner): string {
  const name = scanner.name()
  if (!scanner.starts('::') || !isNameStart(scanner.source[scanner.at + 2])) return name
  scanner.at += 2
  return scanner.name()
}

function quoted(scanner: Scanner): void {
  const { source } = scanner
  const parts: Part[] = []
  let text = ''
  let at = scanner.at + 1
  for (; at < source.length && source[at] !== '"'; ) {
    const c = source[at] as string
    if (c === '\n') throw new CodeLimit('a string is not closed')
    if (c === '\\') {
      const [decoded, next] = decodeEscape(source, at)
      text += decoded
      at = next
    } else {
      if (c === HOLE) {
        parts.push(text, { source: UNKNOWN_PART })
        text = ''
      } else text += c
      at += 1
    }
  }
  if (at >= source.length) throw new CodeLimit('a string is not closed')
  scanner.at = at + 1
  scanner.pushString([...parts, text])
}

/** A slash after a value divides. */
function startsValue(last: Token | undefined): boolean {
  switch (last?.kind) {
    case 'name':
      return BEFORE_REGEX.has(last.text)
    case 'text':
    case 'template':
    case 'number':
    case 'regex':
      return false
    case 'operator':
      return last.text !== ')' && last.text !== ']' && last.text !== '$' && last.text !== '++' && last.text !== '--'
    default:
      return true
  }
}

function regex(scanner: Scanner): void {
  const { source } = scanner
  let at = scanner.at + 1
  let bracket = false
  for (; at < source.length && source[at] !== '\n'; at += 1) {
    const c = source[at]
    if (c === '\\') at += 1
    else if (bracket) bracket = c !== ']' || source[at - 1] === '[' || source.startsWith('[^', at - 2)
    else if (c === '[') bracket = true
    else if (c === '/') {
      scanner.at = at + 1
      scanner.push('regex', '')
      return
    }
  }
  throw new CodeLimit('a regular expression is not closed')
}
