import { operators } from '../syntax/operators.ts'
import { literalText, ScriptScanner } from '../syntax/script.ts'
import { decodeEscape, isDigit, isNamePart, isNameStart, type Part, type Token } from '../syntax/token.ts'

/** Tokens of Ruby source: percent literals, symbols, heredocs, line ends. */
const OPERATORS = operators('=== =~ !~ &.')

const BEFORE_TERM: ReadonlySet<string> = new Set(
  'if unless while until and or not return puts print p when case then do else elsif in yield raise system exec'.split(' '),
)

const literal = (scanner: ScriptScanner): boolean => quoted(scanner) || symbol(scanner) || character(scanner)

export function lexRuby(source: string): readonly Token[] {
  const scanner = new ScriptScanner(source)
  while (!scanner.done) {
    const c = scanner.current as string
    if (scanner.documentation('=end')) continue
    if (c === '\n') {
      scanner.push('newline', '\n')
      scanner.line()
    } else if (c === '\\' && scanner.peek() === '\n') scanner.space(2)
    else if (c <= ' ') scanner.space()
    else if (c === '#') scanner.skipLine()
    else if (scanner.starts('__END__')) break
    else if (literal(scanner)) continue
    else if (isNameStart(c) || c === '@' || c === '$') name(scanner)
    else if (isDigit(c)) scanner.push('number', number(scanner))
    else scanner.operator(OPERATORS)
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
  if (BEFORE_TERM.has(last.text)) return true
  const before = scanner.source[scanner.at - 1]
  return /^[a-z_]/.test(last.text) && (before === ' ' || before === '\t') && scanner.peek() !== ' ' && scanner.peek() !== '='
}

function name(scanner: ScriptScanner): void {
  const start = scanner.at
  while (scanner.current === '@' || scanner.current === '$') scanner.at += 1
  scanner.name()
  if (scanner.at === start + 1 && scanner.source[start] === '$') scanner.at += 1
  if ((scanner.current === '?' || scanner.current === '!') && scanner.peek() !== '=') scanner.at += 1
  const text = scanner.source.slice(start, scanner.at)
  const key = scanner.current === ':' && /^[\s)\],}|[{(]?$/.test(scanner.peek() ?? '')
  if (key) {
    scanner.at += 1
    scanner.push('text', text)
    scanner.push('operator', '=>')
  } else scanner.push('name', text)
}

const SYMBOL = new RegExp(
  [
    /(?:@@?|\$)?(?:[A-Za-z_]|[^\x00-\x7f])(?:\w|[^\x00-\x7f])*(?:[?!](?![= ])|=(?![=~>]))?/,
    /\$[!@&~`'+*$?:"<>0,./\\;]/,
    /\[\]=?|\*\*|<=>|===?|=~|![=~]?|<<|>>|[<>]=?|[-+~]@?|[*/%&|^`]/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'y',
)
const BEFORE_SIGN = /[\s([{,&!=>]/
const CHARACTER = /\?(?:\\(?:[CM]-)?(?:u\{[^}\n]{1,60}\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{1,2}|[^\n])|[^\s\\](?![\w]))/y

function symbol(scanner: ScriptScanner): boolean {
  if (scanner.current !== ':') return false
  const next = scanner.peek()
  if ((next === '"' || next === "'") && termHere(scanner)) {
    scanner.at += 1
    scanner.pushString(scanner.delimited(next === '"' ? { escapes: 'all', interpolates: 'hash-braces' } : { escapes: 'quote' }))
    return true
  }
  if (scanner.source[scanner.at - 1] === ':') return false
  SYMBOL.lastIndex = scanner.at + 1
  const name = SYMBOL.exec(scanner.source)?.[0]
  if (name === undefined || (!isNameStart(name) && name < 'A' && !BEFORE_SIGN.test(scanner.source[scanner.at - 1] ?? ' '))) return false
  scanner.at += 1 + name.length
  scanner.push('text', name)
  return true
}

/** `?a`, `?\\n`, `?"`: one character. Where it could be a condition and its answer opens a text, neither is certain. */
function character(scanner: ScriptScanner): boolean {
  CHARACTER.lastIndex = scanner.at
  const found = CHARACTER.exec(scanner.source)
  if (found === null || !termHere(scanner)) return false
  if (isVariable(scanner)) scanner.doubt()
  scanner.at += found[0].length
  scanner.push('text', found[0].length === 2 ? found[0].slice(1) : decodeEscape(found[0], 1)[0])
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
  else if (c === '/' && termHere(scanner) && closes(scanner)) {
    if (isVariable(scanner)) scanner.doubt()
    regex(scanner)
  } else if (c === '%' && termHere(scanner)) return percent(scanner)
  else if (c === '<' && scanner.starts('<<')) return heredoc(scanner)
  else return false
  return true
}

/** True behind a name that was given a value before: what opens a text behind a method is an operator behind a variable. */
function isVariable(scanner: ScriptScanner): boolean {
  const last = scanner.last()
  if (last?.kind !== 'name' || BEFORE_TERM.has(last.text) || !/^\w{1,60}$/.test(last.text)) return false
  if (scanner.looked()) return true
  return new RegExp(`(?<![.\\w@$])${last.text}(?!\\w) ?(?:[-+*/|&]{0,2}=(?![=~>])|[,|)\\]>:;]|in )`).test(
    scanner.source.slice(0, scanner.at),
  )
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

const PERCENT = /%(?:([wWiIqQxrs])(?=[^\s\w])|(?=[([{<|!/"'^~-]))/y

function percent(scanner: ScriptScanner): boolean {
  PERCENT.lastIndex = scanner.at
  const head = PERCENT.exec(scanner.source)
  if (head === null) return false
  if (isVariable(scanner)) scanner.doubt()
  scanner.at += head[0].length
  const kind = head[1] ?? ''
  if (kind === 'q' || kind === 's') scanner.pushString(scanner.delimited({ escapes: 'quote' }))
  else if (kind === 'x') scanner.pushString(scanner.delimited({ escapes: 'all', interpolates: 'hash-braces' }), 'command')
  else if (kind === 'r') regex(scanner)
  else if (kind === '' || kind === 'Q') scanner.pushString(scanner.delimited({ escapes: 'all', interpolates: 'hash-braces' }))
  else {
    const plain = kind === 'w' || kind === 'i'
    const parts: readonly Part[] = scanner.delimited(plain ? { escapes: 'quote' } : { escapes: 'all', interpolates: 'hash-braces' })
    scanner.push('words', '', {
      parts: parts.flatMap((part): readonly Part[] => (typeof part === 'string' ? part.split(/\s+/).filter((w) => w !== '') : [part])),
    })
  }
  return true
}

const HEREDOC = /<<[~-]?(?:(["'`])([^"'`\n]{1,60})\1|([A-Z_]\w{0,60}))/y

function heredoc(scanner: ScriptScanner): boolean {
  if (!termHere(scanner)) return false
  HEREDOC.lastIndex = scanner.at
  const head = HEREDOC.exec(scanner.source)
  if (head === null) return false
  if (isVariable(scanner)) scanner.doubt()
  scanner.at += head[0].length
  scanner.heredoc({ tag: head[2] ?? head[3] ?? '', raw: head[1] === "'", command: head[1] === '`', interpolates: 'hash-braces' })
  return true
}
