import { operators } from '../syntax/operators.ts'
import { literalText, ScriptScanner } from '../syntax/script.ts'
import { isDigit, isNamePart, isNameStart, type Token } from '../syntax/token.ts'

/** Tokens of Ruby source: percent literals, symbols, heredocs, line ends. */
const OPERATORS = operators('=== =~ !~ &.')

const BEFORE_TERM: ReadonlySet<string> = new Set(
  'if unless while until and or not return puts print p when case then do else elsif in yield raise system exec'.split(' '),
)

export function lexRuby(source: string): readonly Token[] {
  const scanner = new ScriptScanner(source)
  let depth = 0
  while (!scanner.done) {
    const c = scanner.current as string
    if (scanner.documentation('=end')) continue
    if (c === '\n') {
      if (depth === 0) scanner.push('newline', '\n')
      scanner.line()
    } else if (c === '\\' && scanner.peek() === '\n') scanner.space(2)
    else if (c <= ' ') scanner.space()
    else if (c === '#') scanner.skipLine()
    else if (scanner.starts('__END__')) break
    else if (quoted(scanner) || symbol(scanner)) continue
    else if (isNameStart(c) || c === '@' || c === '$') name(scanner)
    else if (isDigit(c)) scanner.push('number', number(scanner))
    else {
      if (c === '(' || c === '[') depth += 1
      else if (c === ')' || c === ']') depth = Math.max(0, depth - 1)
      scanner.operator(OPERATORS)
    }
  }
  scanner.push('newline', '\n')
  scanner.push('end', '')
  return scanner.tokens
}

function number(scanner: ScriptScanner): string {
  const start = scanner.at
  while (isNamePart(scanner.current) || (scanner.current === '.' && isDigit(scanner.peek()))) scanner.at += 1
  return scanner.source.slice(start, scanner.at)
}

/** A term starts here: after nothing, an operator, a keyword, or a bare method name that is followed by a space and no space. */
function termHere(scanner: ScriptScanner): boolean {
  const last = scanner.last()
  if (last === undefined || last.kind === 'newline') return true
  if (last.kind === 'operator') return last.text !== ')' && last.text !== ']' && last.text !== '}'
  if (last.kind !== 'name') return false
  const before = scanner.source[scanner.at - 1]
  return BEFORE_TERM.has(last.text) || ((before === ' ' || before === '\t') && scanner.peek() !== ' ' && scanner.peek() !== '=')
}

function name(scanner: ScriptScanner): void {
  const start = scanner.at
  while (scanner.current === '@' || scanner.current === '$') scanner.at += 1
  scanner.name()
  if (scanner.at === start + 1 && scanner.source[start] === '$') scanner.at += 1
  if ((scanner.current === '?' || scanner.current === '!') && scanner.peek() !== '=') scanner.at += 1
  const text = scanner.source.slice(start, scanner.at)
  const key = scanner.current === ':' && scanner.peek() !== ':' && (scanner.peek() ?? ' ') <= ' '
  if (key) {
    scanner.at += 1
    scanner.push('text', text)
    scanner.push('operator', '=>')
  } else scanner.push('name', text)
}

function symbol(scanner: ScriptScanner): boolean {
  if (scanner.current !== ':') return false
  const next = scanner.peek()
  if (next === '"' && termHere(scanner)) {
    scanner.at += 1
    scanner.pushString(scanner.delimited({ escapes: 'all', interpolates: 'hash-braces' }))
    return true
  }
  if (!isNameStart(next) || scanner.source[scanner.at - 1] === ':') return false
  scanner.at += 1
  const name = scanner.name()
  const mark = /^[?!](?![= ])/.exec(scanner.source.slice(scanner.at, scanner.at + 2))?.[0] ?? ''
  scanner.at += mark.length
  scanner.push('text', name + mark)
  return true
}

function quoted(scanner: ScriptScanner): boolean {
  const c = scanner.current as string
  if (c === '"') {
    scanner.pushString(scanner.delimited({ escapes: 'all', interpolates: 'hash-braces' }))
    quotedKey(scanner)
    return true
  }
  if (c === "'") {
    scanner.pushString(scanner.delimited({ escapes: 'quote' }))
    quotedKey(scanner)
    return true
  }
  if (c === '`') scanner.pushString(scanner.delimited({ escapes: 'all', interpolates: 'hash-braces' }), 'command')
  else if (c === '/' && termHere(scanner) && closes(scanner)) regex(scanner)
  else if (c === '%' && termHere(scanner)) return percent(scanner)
  else if (c === '<' && scanner.starts('<<')) return heredoc(scanner)
  else return false
  return true
}

/** `x /y` on a line without another slash is a division. */
function closes(scanner: ScriptScanner): boolean {
  const last = scanner.last()
  if (last?.kind !== 'name' || BEFORE_TERM.has(last.text)) return true
  const lineEnd = scanner.source.indexOf('\n', scanner.at)
  return scanner.source.slice(scanner.at + 1, lineEnd < 0 ? undefined : lineEnd).includes('/')
}

/** `'key': value` in a hash or a call. */
function quotedKey(scanner: ScriptScanner): void {
  if (scanner.current !== ':' || (scanner.peek() ?? ' ') > ' ') return
  scanner.at += 1
  scanner.push('operator', '=>')
}

function regex(scanner: ScriptScanner): void {
  const parts = scanner.delimited({ escapes: 'none', interpolates: 'hash-braces' })
  scanner.flags()
  scanner.push('regex', literalText(parts), { parts: parts.filter((p) => typeof p !== 'string') })
}

const PERCENT = /%([wWiIqQxrs]?)(?=[([{<|!/"'^~-])/y

function percent(scanner: ScriptScanner): boolean {
  PERCENT.lastIndex = scanner.at
  const head = PERCENT.exec(scanner.source)
  if (head === null) return false
  scanner.at += head[0].length
  const kind = head[1] ?? ''
  if (kind === 'q' || kind === 's') scanner.pushString(scanner.delimited({ escapes: 'quote' }))
  else if (kind === 'x') scanner.pushString(scanner.delimited({ escapes: 'all', interpolates: 'hash-braces' }), 'command')
  else if (kind === 'r') regex(scanner)
  else if (kind === '' || kind === 'Q') scanner.pushString(scanner.delimited({ escapes: 'all', interpolates: 'hash-braces' }))
  else {
    const text = literalText(scanner.delimited({ escapes: 'quote' }))
    scanner.push('words', '', { parts: text.split(/\s+/).filter((w) => w !== '') })
  }
  return true
}

const HEREDOC = /<<[~-]?(?:(["'`])([^"'`\n]{1,60})\1|([A-Z_]\w{0,60}))/y

function heredoc(scanner: ScriptScanner): boolean {
  if (!termHere(scanner)) return false
  HEREDOC.lastIndex = scanner.at
  const head = HEREDOC.exec(scanner.source)
  if (head === null) return false
  scanner.at += head[0].length
  scanner.heredoc({ tag: head[2] ?? head[3] ?? '', raw: head[1] === "'", command: head[1] === '`', interpolates: 'hash-braces' })
  return true
}
