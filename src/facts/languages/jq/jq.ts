import { type Span, target } from '../../effect.ts'
import type { CommandContext } from '../../host.ts'
import { readPath } from '../../resources/acts.ts'
import { doubt } from '../../resources/doubt.ts'
import { HOLE, holeWord } from '../../resources/text/hole.ts'
import { CodeLimit, LIMITS } from '../limits.ts'

/**
 * What a jq or yq filter reaches besides its input: the environment, modules and data files, and with yq's `system` programs. jq
 * runs no programs, and neither writes files from a filter, so it is otherwise plain text work. Each token is visited, wherever it
 * stands; what no version of jq and yq has a place for is opaque.
 */
export function analyseJq(filter: string, span: Span, context: CommandContext): void {
  const { tokens, unread } = lex(filter)
  if (unread !== null) context.opaque(`the jq filter could not be read: ${unread}`, span)
  for (let at = 0; at < tokens.length; at += 1) report(tokens, at, { span, context })
}

type Token =
  /** A name with its module path, a variable with its `$`, a field with its dot, or one other character. */
  { readonly kind: 'name' | 'text' | 'mark'; readonly text: string }

const MARK = /[()[\]{}.,;:|=!<>+*/%?$@&~^\\\-\d]/
const OPENED: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' }

class Lexing {
  readonly source: string
  readonly tokens: Token[] = []
  /** What stands where nothing of it can, or where versions of jq read on differently. */
  unread: string | null = null
  /** Brackets that are open; `"` for an interpolation, behind which its string goes on. */
  readonly open: string[] = []

  constructor(source: string) {
    this.source = source
  }

  mark(text: string): void {
    this.tokens.push({ kind: 'mark', text })
    if (!MARK.test(text) && text !== HOLE) this.unread ??= `unexpected \`${text}\``
    if ('([{'.includes(text)) this.open.push(text)
    else if (Object.hasOwn(OPENED, text) && this.open.pop() !== OPENED[text]) this.unread ??= `unexpected \`${text}\``
  }
}

function lex(source: string): Lexing {
  const lexing = new Lexing(source)
  for (let at = 0; at < source.length; ) {
    const c = source[at] ?? ''
    if (lexing.tokens.length > LIMITS.tokens) throw new CodeLimit('the jq filter has more tokens than are analysed')
    if (c === '#') at = comment(lexing, at)
    else if (c === '"') at = string(lexing, at + 1)
    else if (c === ')' && lexing.open.at(-1) === '"') {
      lexing.open.pop()
      lexing.tokens.push({ kind: 'mark', text: ')' })
      at = string(lexing, at + 1)
    } else at = plain(lexing, at)
  }
  if (lexing.open.length > 0) lexing.unread ??= 'a bracket is not closed'
  return lexing
}

/** Since jq 1.7.1 a comment goes on behind a backslash at the end of its line. */
function comment(lexing: Lexing, at: number): number {
  const end = lineEnd(lexing.source, at)
  if (/(?<!\\)(?:\\\\)*\\\r?$/.test(lexing.source.slice(Math.max(at, end - 64), end)))
    lexing.unread ??= 'a comment may go on in the next line'
  return end
}

function lineEnd(source: string, at: number): number {
  const end = source.indexOf('\n', at)
  return end < 0 ? source.length : end
}

/** To behind the closing quote, or behind the `\(` of an interpolation. */
function string({ source, tokens, open }: Lexing, from: number): number {
  let text = ''
  for (let at = from; at < source.length; at += 1) {
    const c = source[at] ?? ''
    if (c === '"' || (c === '\\' && source[at + 1] === '(')) {
      tokens.push({ kind: 'text', text })
      if (c === '"') return at + 1
      open.push('"')
      tokens.push({ kind: 'mark', text: '(' })
      return at + 2
    }
    if (c === '\\') at += 1
    text += source[at] ?? ''
  }
  throw new CodeLimit('a string is not closed')
}

const NAME = /[$.@]?[A-Za-z_\u0080-\udfff](?:[A-Za-z0-9_\u0080-\udfff]|::(?=[A-Za-z_]))*/y

/** Names take the `$`, `.` or `::` before them along: `.env` is a field, `env` the environment. Up to jq 1.7, `$ ENV` is `$ENV`. */
function plain(lexing: Lexing, from: number): number {
  const { source, tokens } = lexing
  NAME.lastIndex = from
  const name = NAME.exec(source)?.[0]
  if (name === undefined) {
    const c = source[from] ?? ''
    if (/\S/.test(c)) lexing.mark(c)
    return from + 1
  }
  const apart = isMark(tokens.at(-1), '$') ? tokens.pop() : undefined
  tokens.push({ kind: 'name', text: `${apart?.text ?? ''}${name}` })
  return from + name.length
}

function isMark(token: Token | undefined, text: string): boolean {
  return token?.kind === 'mark' && token.text === text
}

interface At {
  readonly span: Span
  readonly context: CommandContext
}

function report(tokens: readonly Token[], at: number, to: At): void {
  const token = tokens[at]
  if (token?.kind === 'name') REPORTED.get(token.text)?.(tokens, at, to)
  else if (token?.text === HOLE && tokens.length === 1) unknown(to)
}

type Reported = (tokens: readonly Token[], at: number, to: At) => void

/** `{env: 1}` and `{env}` name fields. */
const unlessField =
  (reported: Reported): Reported =>
  (tokens, at, to) => {
    if (!isMark(tokens[at + 1], ':') && !isKey(tokens, at)) reported(tokens, at, to)
  }

const variables: Reported = (tokens, at, to) => environment(tokens, at + 1, to)
const loaded: Reported = unlessField((tokens, at, to) => loads(tokens, at + 1, to))
const imported: Reported = (tokens, at, to) => {
  if (tokens[at + 1]?.kind === 'text') imports(tokens, at + 1, to)
}

/** Names that reach beyond the input; `strenv`, `envsubst` and `load` are of yq. */
const REPORTED: ReadonlyMap<string, Reported> = new Map([
  ['env', unlessField(variables)],
  ...['$ENV', 'strenv', 'envsubst'].map((name) => [name, variables] as const),
  ...['load', 'load_str', 'load_xml', 'load_props', 'load_base64'].map((name) => [name, loaded] as const),
  ['system', unlessField((tokens, at, to) => runs(tokens, at + 1, to))],
  ['eval', unlessField((tokens, at, to) => evaluates(tokens, at + 1, to))],
  ['import', imported],
  ['include', imported],
])

function isKey(tokens: readonly Token[], at: number): boolean {
  const [before, after] = [tokens[at - 1], tokens[at + 1]]
  const first = isMark(before, '{')
  return (first || isMark(before, ',')) && (isMark(after, '}') || (first && isMark(after, ',')))
}

/** Text that stands alone between parentheses. */
function onlyText(tokens: readonly Token[], from: number): string | null {
  const inner = tokens[from + 1]
  return inner?.kind === 'text' && isMark(tokens[from + 2], ')') ? inner.text : null
}

/** `eval("…")` of yq. */
function evaluates(tokens: readonly Token[], from: number, to: At): void {
  if (!isMark(tokens[from], '(')) return
  const text = onlyText(tokens, from)
  if (text === null) unknown(to)
  else analyseJq(text, to.span, to.context)
}

function unknown(to: At): void {
  doubt('the jq filter is not known before it runs', to)
}

/** `$ENV.NAME`, `env["NAME"]`, `env(NAME)`: one variable; else all of them. */
function environment(tokens: readonly Token[], from: number, { context, span }: At): void {
  const [first, second] = [tokens[from], tokens[from + 1]]
  let name = '*'
  if (first?.kind === 'name' && first.text.startsWith('.')) name = first.text.slice(1)
  else if (first?.text === '[' && second?.kind === 'text') name = second.text
  else if (first?.text === '(' && second?.kind === 'name') name = second.text
  const options = name === '*' ? { action: 'env:list', attributes: { mass: true } } : { action: 'env:get' }
  context.emit('read', target('variable', name), { span, ...options })
}

/** `system("curl"; ["-s", "x"])` of yq; a program that the filter works out is not known. */
function runs(tokens: readonly Token[], from: number, { context, span }: At): void {
  if (tokens[from]?.text !== '(') return
  const end = tokens.findIndex((token, at) => at > from && isMark(token, ')'))
  const inner = tokens.slice(from + 1, end < 0 ? undefined : end)
  const known = inner.every(({ kind, text }) => kind === 'text' || (kind === 'mark' && ';,[]'.includes(text)))
  const words = inner.filter(({ kind }) => kind === 'text').map(({ text }) => holeWord(text, span))
  context.command(known ? words : [holeWord(HOLE, span)], 'yq')
}

function loads(tokens: readonly Token[], from: number, { context, span }: At): void {
  if (isMark(tokens[from], '(')) readPath(context, holeWord(onlyText(tokens, from) ?? HOLE, span), { span })
}

/** `import "a" as b;` is `a.jq`, `import "a" as $b;` is `a.json`; a bare name is looked for in the library path. */
function imports(tokens: readonly Token[], at: number, { context, span }: At): void {
  const path = tokens[at]?.text ?? ''
  const data = tokens[at + 1]?.text === 'as' && tokens[at + 2]?.text.startsWith('$') === true
  const place = searched(tokens, at)
  const name = `${place === '' ? '' : `${place}/`}${/\.(?:jq|json)$/.test(path) ? path : `${path}${data ? '.json' : '.jq'}`}`
  readPath(context, holeWord(name, span), { span, certainty: 'likely', action: 'code:module' })
}

/** `{search: "…"}` behind an import: where it is looked for. */
function searched(tokens: readonly Token[], from: number): string {
  const end = tokens.findIndex((token, at) => at > from && isMark(token, ';'))
  const at = tokens.findIndex(({ text }, index) => index > from && index < end && text === 'search')
  if (at < 0) return ''
  const place = tokens[at + 2]
  return place?.kind === 'text' ? place.text : HOLE
}
