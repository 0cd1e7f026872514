import { CodeLimit } from '../limits.ts'
import { operators } from './operators.ts'
import { readBody, readQuoted } from './quoted.ts'
import { decodeEscape, isDigit, isNameStart, Scanner, type Token } from './token.ts'

/** Tokens of the languages with plain quotes: PHP, Lua. */
export type BraceLanguage = 'php' | 'lua'

const OPERATORS = operators('>>>= === !== >>> ??= ?-> ?? ?. ++ -- .= ~= //')

const WITHOUT: Readonly<Record<BraceLanguage, ReadonlySet<string>>> = {
  php: new Set(['?.', '>>>', '>>>=', '~=', '..', '//']),
  lua: new Set('?. ?-> -> ++ -- && || ?? => === !== ** .= <=> += -= *= /= %= &= |= ^='.split(' ')),
}

/** One list for each language: every interpolation in a text is lexed by itself. */
const KNOWN = new Map<BraceLanguage, readonly string[]>()

function operatorsOf(language: BraceLanguage): readonly string[] {
  const known = KNOWN.get(language)
  if (known !== undefined) return known
  const operators = OPERATORS.filter((op) => !WITHOUT[language].has(op))
  KNOWN.set(language, operators)
  return operators
}

const startsNumber = (scanner: Scanner, c: string): boolean => isDigit(c) || (c === '.' && isDigit(scanner.peek()))

/** `?>` ends a statement, and the text behind it is printed. */
function endOfCode(scanner: Scanner): void {
  scanner.at += 2
  scanner.push('operator', ';')
  inlineText(scanner)
}

const isBlank = (c: string): boolean => c <= ' ' || c === '\u00a0' || c === '\ufeff'

const PHP_NAME_START: ReadonlySet<string> = new Set(['$', '\\'])

/** `afterText`: the source begins with text that is no code (a file of PHP). */
export function lexBrace(language: BraceLanguage, source: string, afterText = false): readonly Token[] {
  const scanner = new Scanner(source.replace(/\r\n?/g, '\n'))
  const operators = operatorsOf(language)
  if (scanner.starts('#!')) scanner.skipLine()
  if (afterText) inlineText(scanner)
  while (!scanner.done) {
    const c = scanner.current as string
    if (c === '\n') scanner.line()
    else if (isBlank(c)) scanner.space()
    else if (comment(scanner, language) || literal(scanner, language)) continue
    else if (isNameStart(c) || (PHP_NAME_START.has(c) && language === 'php')) name(scanner)
    else if (startsNumber(scanner, c)) scanner.push('number', scanner.number())
    else if (language === 'php' && scanner.starts('?>')) endOfCode(scanner)
    else scanner.operator(operators)
  }
  scanner.push('end', '')
  return scanner.tokens
}

/** Text outside `<?php … ?>` is output, not code; what does not begin with a tag is code from the start (`php -r`). */
function inlineText(scanner: Scanner): void {
  const open = scanner.source.indexOf('<?', scanner.at)
  scanner.at = open < 0 ? scanner.source.length : open + 2
  if (/^php\b/i.test(scanner.source.slice(scanner.at, scanner.at + 4))) scanner.at += 3
  else if (scanner.starts('=')) {
    scanner.at += 1
    scanner.push('name', 'echo')
  }
}

/** A name; of a qualified one of PHP the last part. */
function name(scanner: Scanner): void {
  if (scanner.current === '$') {
    scanner.at += 1
    scanner.push(isNameStart(scanner.current) ? 'name' : 'operator', `$${scanner.name()}`)
    return
  }
  let text = ''
  do {
    if (scanner.current === '\\') scanner.at += 1
    text = scanner.name()
  } while (scanner.current === '\\' && isNameStart(scanner.peek()))
  scanner.push(text === '' ? 'operator' : 'name', text === '' ? '\\' : text)
}

function comment(scanner: Scanner, language: BraceLanguage): boolean {
  if (language === 'lua') return luaComment(scanner)
  if (scanner.starts('//') || (scanner.current === '#' && scanner.peek() !== '[')) scanner.skipComment()
  else if (scanner.starts('/*')) {
    scanner.at += 2
    scanner.skipPast('*/')
  } else return false
  return true
}

function luaComment(scanner: Scanner): boolean {
  if (!scanner.starts('--')) return false
  scanner.at += 2
  const close = longBracket(scanner)
  if (close === null) scanner.skipLine()
  else scanner.skipPast(close)
  return true
}

/** At `[[` or `[==[`: steps behind it and gives what closes it. */
function longBracket(scanner: Scanner): string | null {
  if (scanner.current !== '[') return null
  let level = 0
  while (scanner.peek(level + 1) === '=') level += 1
  if (scanner.peek(level + 1) !== '[') return null
  scanner.at += level + 2
  return `]${'='.repeat(level)}]`
}

function literal(scanner: Scanner, language: BraceLanguage): boolean {
  const c = scanner.current as string
  if ((c === '"' || c === "'") && language === 'lua') luaQuote(scanner, c)
  else if (c === '"' || c === "'") quote(scanner, c)
  else if (c === '`' && language === 'php') backtick(scanner)
  else if (language === 'php' && scanner.starts('<<<')) return heredoc(scanner)
  else if (language === 'lua' && c === '[') return longString(scanner)
  else return false
  return true
}

function quote(scanner: Scanner, c: string): void {
  const { parts, end } = readQuoted(scanner.source, scanner.at + 1, {
    close: c,
    escapes: c === "'" ? 'quote' : 'all',
    ...(c === '"' ? { interpolates: 'php' as const } : {}),
  })
  scanner.at = end
  scanner.pushString(parts)
}

function backtick(scanner: Scanner): void {
  const { parts, end } = readQuoted(scanner.source, scanner.at + 1, { close: '`', escapes: 'all', interpolates: 'php' })
  scanner.at = end
  scanner.pushString(parts, 'command')
}

/** Lua's escapes: decimal bytes, `\\z` for white space that does not count; a line may go on after a backslash. */
function luaQuote(scanner: Scanner, close: string): void {
  const { source } = scanner
  let text = ''
  let at = scanner.at + 1
  while (at < source.length && source[at] !== close && source[at] !== '\n') {
    const next = source[at + 1]
    if (source[at] !== '\\') {
      text += source[at]
      at += 1
    } else if (next === 'z') {
      at += 2
      while (/\s/.test(source[at] ?? '')) at += 1
    } else if (isDigit(next)) {
      const [digits = '0'] = /^\d{1,3}/.exec(source.slice(at + 1, at + 4)) ?? []
      text += String.fromCharCode(Number(digits))
      at += 1 + digits.length
    } else {
      const [decoded, end] = next === '\n' ? ['\n', at + 2] : decodeEscape(source, at)
      text += decoded
      at = end
    }
  }
  if (source[at] !== close) throw new CodeLimit('a string is not closed')
  scanner.at = at + 1
  scanner.push('text', text)
}

function longString(scanner: Scanner): boolean {
  const close = longBracket(scanner)
  if (close === null) return false
  const end = scanner.source.indexOf(close, scanner.at)
  if (end < 0) throw new CodeLimit('a string is not closed')
  const body = scanner.source.slice(scanner.at, end)
  scanner.at = end + close.length
  scanner.push('text', body.startsWith('\n') ? body.slice(1) : body)
  return true
}

const HEREDOC = /<<<[ \t]*(["']?)(\w{1,60})\1\r?\n/y

function heredoc(scanner: Scanner): boolean {
  HEREDOC.lastIndex = scanner.at
  const head = HEREDOC.exec(scanner.source)
  if (head === null) return false
  const from = scanner.at + head[0].length
  const close = new RegExp(`^[ \\t]*${head[2] as string}(?![\\w\\x80-\\uffff])`)
  let at = from
  while (at < scanner.source.length && !close.test(scanner.source.slice(at, at + 160))) {
    const end = scanner.source.indexOf('\n', at)
    at = end < 0 ? scanner.source.length : end + 1
  }
  const raw = head[1] === "'"
  const body = scanner.source.slice(from, Math.max(from, at - 1))
  scanner.pushString(raw ? [body] : readBody(body, { escapes: 'all', interpolates: 'php' }))
  scanner.at = at
  while (scanner.current === ' ' || scanner.current === '\t') scanner.space()
  scanner.at += (head[2] as string).length
  return true
}
