import { operators } from '../syntax/operators.ts'
import { readBody } from '../syntax/quoted.ts'
import { embeddedCode, literalText, ScriptScanner } from '../syntax/script.ts'
import { closingBrace, isDigit, isNamePart, isNameStart, type Part, type Token } from '../syntax/token.ts'

/** Tokens of Perl source: quote-like operators, sigils, heredocs, regular expressions with code in them. */
const OPERATORS = operators('//= =~ !~ // ++ -- .=')

const QUOTE_WORDS: ReadonlySet<string> = new Set(['q', 'qq', 'qw', 'qx', 'm', 'qr', 's', 'tr', 'y'])

/** Names after which a term follows, so that `/`, `%` and `<<` open one. */
const BEFORE_TERM: ReadonlySet<string> = new Set(
  (
    'if unless while until and or not xor return print printf say split grep map join push unshift x eq ne lt gt le ge cmp ' +
    'when foreach for die warn eval system exec unlink open keys values each delete exists defined scalar my our local'
  ).split(' '),
)

export function lexPerl(source: string): readonly Token[] {
  const scanner = new ScriptScanner(source)
  while (!scanner.done) {
    const c = scanner.current as string
    if (scanner.documentation('=cut')) continue
    if (c === '\n') scanner.line()
    else if (c <= ' ') scanner.space()
    else if (c === '#') scanner.skipLine()
    else if (scanner.starts('__END__') || scanner.starts('__DATA__')) break
    else if (c === '(' && prototype(scanner)) continue
    else if (variable(scanner) || quoted(scanner)) continue
    else if (isNameStart(c)) word(scanner)
    else if (isDigit(c)) scanner.push('number', number(scanner))
    else scanner.operator(OPERATORS)
  }
  scanner.push('end', '')
  return scanner.tokens
}

const PROTOTYPE = /\([\\$@%&*;+_[\],=\s]*\)/y

/** `sub name ($;@)`: what a sub may be passed. */
function prototype(scanner: ScriptScanner): boolean {
  const [before, last] = scanner.tokens.slice(-2)
  if (last?.text !== 'sub' && before?.text !== 'sub') return false
  PROTOTYPE.lastIndex = scanner.at
  const found = PROTOTYPE.exec(scanner.source)
  if (found === null) return false
  scanner.space(found[0].length)
  return true
}

/** `1..9` is a range, not the number `1.`. */
function number(scanner: ScriptScanner): string {
  const start = scanner.at
  while (isNamePart(scanner.current) || (scanner.current === '.' && isDigit(scanner.peek()))) scanner.at += 1
  return scanner.source.slice(start, scanner.at)
}

function termHere(last: Token | undefined): boolean {
  if (last === undefined) return true
  if (last.kind === 'name') return BEFORE_TERM.has(last.text)
  return last.kind === 'operator' && last.text !== ')' && last.text !== ']' && last.text !== '}'
}

/** `%` and `&` are operators as well. */
function isSigil(c: string, scanner: ScriptScanner): boolean {
  return c === '$' || c === '@' || ((c === '%' || c === '&') && termHere(scanner.last()))
}

/** `$#x`, `$#{x}`, `$^W`, `$1`, `$!`: those whose name is a sign. */
function special(scanner: ScriptScanner, next: string): boolean {
  const third = scanner.peek(2)
  if (next === '#' && (third === '{' || third === '$')) {
    scanner.at += 2
    scanner.push('operator', 'deref@')
    return true
  }
  if (next === '#' && isNameStart(third)) {
    scanner.at += 2
    scanner.push('name', `$#${qualified(scanner)}`)
    return true
  }
  if (next === '^' && /^[A-Z[\]_?\\]$/.test(third ?? '')) return pushVariable(scanner, 3, `$^${third}`)
  if (!/^[0-9_&!@/\\,;.0$<>()[\]|+"'`~?^:-]$/.test(next) || (next === '$' && isNameStart(third))) return false
  return pushVariable(scanner, 2, `$${next}`)
}

function variable(scanner: ScriptScanner): boolean {
  const c = scanner.current as string
  const next = scanner.peek() ?? ''
  if (!isSigil(c, scanner)) return false
  if (isNameStart(next) || (next === ':' && scanner.peek(2) === ':')) {
    scanner.at += 1
    scanner.push('name', c + qualified(scanner))
    return true
  }
  if (c === '$' && special(scanner, next)) return true
  if (c === '@' && /^[-+]$/.test(next) && termHere(scanner.last())) return pushVariable(scanner, 2, `@${next}`)
  if (next === '{' || next === '$') return pushVariable(scanner, 1, c)
  return false
}

function pushVariable(scanner: ScriptScanner, length: number, text: string): boolean {
  scanner.at += length
  scanner.push(text.length === 1 ? 'operator' : 'name', text.length === 1 ? `deref${text}` : text)
  return true
}

function qualified(scanner: ScriptScanner): string {
  let name = scanner.name()
  while (scanner.starts('::')) {
    scanner.at += 2
    name += `::${scanner.name()}`
  }
  return name
}

function quoted(scanner: ScriptScanner): boolean {
  const c = scanner.current as string
  if (c === '"') scanner.pushString(scanner.delimited({ escapes: 'all', interpolates: 'perl' }))
  else if (c === "'") scanner.pushString(scanner.delimited({ escapes: 'quote' }))
  else if (c === '`') scanner.pushString(scanner.delimited({ escapes: 'all', interpolates: 'perl' }), 'command')
  else if (c === '/' && slash(scanner)) pattern(scanner)
  else if (c === '<' && scanner.starts('<<')) return heredoc(scanner)
  else if (c === '<' && termHere(scanner.last())) return angles(scanner)
  else return false
  return true
}

/** A slash behind a block or a bare word divides or opens a pattern. */
function slash(scanner: ScriptScanner): boolean {
  const last = scanner.last()
  if (termHere(last)) return true
  const open = last?.text === '}' || (last?.kind === 'name' && /^\w/.test(last.text))
  if (open && scanner.peek() !== '/' && scanner.slashMatters()) scanner.doubt()
  return false
}

const ANGLES = /<([^<>\n=;]{1,80})>/y

/** `<*.c>` are the names that match; `<FH>` and `<$fh>` read a line. */
function angles(scanner: ScriptScanner): boolean {
  ANGLES.lastIndex = scanner.at
  const pattern = ANGLES.exec(scanner.source)?.[1]
  if (pattern === undefined || /^\$?\w+$/.test(pattern)) return false
  scanner.at += pattern.length + 2
  scanner.push('name', 'glob')
  scanner.pushString(readBody(pattern, { escapes: 'all', interpolates: 'perl' }))
  return true
}

/** What may be a constant, behind which `<<` shifts. */
function isConstant(scanner: ScriptScanner, name: string): boolean {
  if (name === '}' || /^[A-Z_:\d]+$/.test(name) || scanner.source.includes('constant')) return true
  return scanner.looked() || new RegExp(`sub\\s+${name.replace(/\W/g, '.')}\\s*\\(\\s*\\)`).test(scanner.source)
}

/** `print $fh <<EOT`, `print {$fh} <<EOT`. */
function printed(scanner: ScriptScanner): boolean {
  const [first, second] = scanner.tokens.slice(-2)
  const words = /^(?:print|printf|say)$/
  if (second?.text === '}') return scanner.tokens.slice(-12).some((token, at, all) => words.test(token.text) && all[at + 1]?.text === '{')
  if (second?.kind !== 'name' || first?.kind !== 'name' || !words.test(first.text)) return false
  const { text } = second
  if (/^\W/.test(text) || /^STD(?:OUT|ERR)$/.test(text)) return true
  return !scanner.looked() && !scanner.source.includes('constant') && !new RegExp(`sub\\s+${text}\\b`).test(scanner.source)
}

const HEREDOC = /<<~?(?:[ \t]*(["'`])([^"'`\n]{0,60})\1|([A-Za-z_]\w{0,60}))/y

function heredoc(scanner: ScriptScanner): boolean {
  HEREDOC.lastIndex = scanner.at
  const head = HEREDOC.exec(scanner.source)
  if (head === null) return false
  const tag = head[2] ?? head[3] ?? ''
  const last = scanner.last()
  if (!termHere(last) && !printed(scanner)) {
    if (last?.text !== '}' && !/^\w/.test(last?.kind === 'name' ? last.text : '')) return false
    if (isConstant(scanner, last?.text ?? '')) {
      if (!scanner.endsWith(tag)) return false
      scanner.doubt()
    }
  }
  scanner.at += head[0].length
  scanner.heredoc({ tag, raw: head[1] === "'", command: head[1] === '`', interpolates: 'perl' })
  return true
}

/** What runs inside of a pattern: its own code, and what is put in, which a quote as its delimiter keeps out. */
function patternCode(text: string, plain: boolean): readonly Part[] {
  const put = plain ? [] : readBody(text, { escapes: 'none', interpolates: 'perl' }).filter((part) => typeof part !== 'string')
  return [...embeddedCode(text, closingBrace), ...put]
}

/** `/…/` and `m{…}`: data, but for the code that is embedded in it. The token's text says what changes its subject. */
function pattern(scanner: ScriptScanner): void {
  const plain = scanner.current === "'"
  const text = literalText(scanner.delimited({ escapes: 'none' }))
  scanner.flags()
  scanner.push('regex', '', { parts: patternCode(text, plain) })
}

function word(scanner: ScriptScanner): void {
  const start = scanner.at
  const name = qualified(scanner)
  if (QUOTE_WORDS.has(name) && quoteFollows(scanner)) {
    quoteLike(scanner, name)
    return
  }
  scanner.push('name', scanner.source.slice(start, scanner.at))
}

/** `q => 1`, `{s}`, `->y`, `s = …` are names, not quotes. */
function quoteFollows(scanner: ScriptScanner): boolean {
  const last = scanner.last()
  const before = last?.text
  let offset = 0
  while (scanner.peek(offset) === ' ') offset += 1
  const c = scanner.peek(offset)
  if (before === '->' || before === 'sub' || (before === '{' && c === '}')) return false
  // `-s $file` asks for the size of a file.
  if (last?.kind === 'operator' && before === '-' && offset > 0) return false
  if (before === '=~' || before === '!~') return c !== undefined
  return opensQuote(scanner, c, offset)
}

/** Whether the sign that follows, so many blanks away, can begin a quoted text. */
function opensQuote(scanner: ScriptScanner, c: string | undefined, offset: number): boolean {
  if (c === undefined || c === ',' || c === ';' || c === ')' || c === '\n') return false
  if (c === '=') return scanner.peek(offset + 1) !== '>' && offset === 0
  return !(isNamePart(c) || (c === '#' && offset > 0))
}

function quoteLike(scanner: ScriptScanner, name: string): void {
  scanner.skipToDelimiter()
  const interpolates = scanner.current === "'" ? {} : { interpolates: 'perl' as const }
  switch (name) {
    case 'q':
      scanner.pushString(scanner.delimited({ escapes: 'quote' }))
      break
    case 'qq':
      scanner.pushString(scanner.delimited({ escapes: 'all', interpolates: 'perl' }))
      break
    case 'qx':
      scanner.pushString(scanner.delimited({ escapes: 'all', ...interpolates }), 'command')
      break
    case 'qw':
      scanner.push('words', '', {
        parts: literalText(scanner.delimited({ escapes: 'quote' }))
          .split(/\s+/)
          .filter((w) => w !== ''),
      })
      break
    case 'm':
    case 'qr':
      pattern(scanner)
      break
    default:
      substitution(scanner, name)
  }
}

/** With a second `e` what the code gives is code too. */
const evaluated = (raw: string, flags: string) => (/e[a-z]*e/.test(flags) ? `eval(${raw})` : raw)

/** `s/…/…/e`: with `e` the replacement is code; without, it interpolates. */
function substitution(scanner: ScriptScanner, name: string): void {
  const open = scanner.current as string
  const first = literalText(scanner.delimited({ escapes: 'none' }))
  if ('([{<'.includes(open)) scanner.skipToDelimiter()
  else scanner.at -= 1
  const from = scanner.at + 1
  const replacement = scanner.delimited(name === 's' ? { escapes: 'all', interpolates: 'perl' } : { escapes: 'none' })
  const raw = scanner.source.slice(from, scanner.at - 1)
  const flags = scanner.flags()
  const parts: readonly Part[] =
    name === 's' && flags.includes('e') ? [{ source: evaluated(raw, flags) }] : replacement.filter((p) => typeof p !== 'string')
  const changes = flags.includes('r') ? '' : name === 's' && !flags.includes('e') ? 's' : 'tr'
  scanner.push('regex', changes, { parts: [...(name === 's' ? patternCode(first, open === "'") : []), ...parts] })
}
