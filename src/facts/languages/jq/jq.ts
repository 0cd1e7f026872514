import { type Span, target } from '../../effect.ts'
import type { CommandContext } from '../../host.ts'
import { readPath } from '../../resources/acts.ts'
import { doubt } from '../../resources/doubt.ts'
import { HOLE, holeWord } from '../../resources/text/hole.ts'
import { CodeLimit, LIMITS } from '../limits.ts'

/**
 * What a jq or yq filter reaches besides its input: the environment, modules and data files, and with yq's `system` programs. jq
 * runs no programs, and neither writes files from a filter, so it is otherwise plain text work.
 */
export function analyseJq(filter: string, span: Span, context: CommandContext): void {
  const tokens = lex(filter)
  for (let at = 0; at < tokens.length; at += 1) report(tokens, at, { span, context })
}

type Token =
  /** A name with its module path, a variable with its `$`, a field with its dot, or one other character. */
  { readonly kind: 'name' | 'text' | 'mark'; readonly text: string }

const NAME_START = /[A-Za-z_]/
const NAME_PART = /[A-Za-z0-9_]/

interface Lexing {
  readonly source: string
  readonly tokens: Token[]
}

function lex(source: string): readonly Token[] {
  const lexing: Lexing = { source, tokens: [] }
  // Where an interpolation ends, its string goes on.
  const open: number[] = []
  let depth = 0
  for (let at = 0; at < source.length; ) {
    const c = source[at] ?? ''
    if (lexing.tokens.length > LIMITS.tokens) throw new CodeLimit('the jq filter has more tokens than are analysed')
    if (c === '#') at = lineEnd(source, at)
    else if (c === '"' || (c === ')' && open.at(-1) === depth)) {
      if (c === ')') {
        open.pop()
        depth -= 1
      }
      at = string(lexing, at + 1)
      if (source[at - 1] === '(') {
        depth += 1
        open.push(depth)
      }
    } else {
      if (c === '(') depth += 1
      if (c === ')') depth -= 1
      at = plain(lexing, at)
    }
  }
  return lexing.tokens
}

function lineEnd(source: string, at: number): number {
  const end = source.indexOf('\n', at)
  return end < 0 ? source.length : end
}

/** To behind the closing quote, or behind the `\(` of an interpolation. */
function string({ source, tokens }: Lexing, from: number): number {
  let text = ''
  for (let at = from; at < source.length; at += 1) {
    const c = source[at] ?? ''
    if (c === '"' || (c === '\\' && source[at + 1] === '(')) {
      tokens.push({ kind: 'text', text })
      return c === '"' ? at + 1 : at + 2
    }
    if (c === '\\') at += 1
    text += source[at] ?? ''
  }
  throw new CodeLimit('a string is not closed')
}

/** Names take the `$`, `.` or `::` before them along: `.env` is a field, `env` the environment. */
function plain({ source, tokens }: Lexing, from: number): number {
  let at = from
  if (source[at] === '$' || source[at] === '.' || source[at] === '@') at += 1
  if (!NAME_START.test(source[at] ?? '')) {
    if (/\S/.test(source[from] ?? '')) tokens.push({ kind: 'mark', text: source[from] ?? '' })
    return from + 1
  }
  while (NAME_PART.test(source[at] ?? '') || (source.startsWith('::', at) && NAME_START.test(source[at + 2] ?? ''))) {
    at += source[at] === ':' ? 2 : 1
  }
  tokens.push({ kind: 'name', text: source.slice(from, at) })
  return at
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
    if (tokens[at + 1]?.text !== ':' && !isKey(tokens, at)) reported(tokens, at, to)
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
  [
    'eval',
    (tokens, at, to) => {
      if (tokens[at + 1]?.text === '(' && tokens[at + 2]?.kind !== 'text') unknown(to)
    },
  ],
  ['import', imported],
  ['include', imported],
])

function isKey(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1]?.text
  const after = tokens[at + 1]?.text
  return (before === '{' || before === ',') && (after === '}' || (after === ',' && before === '{'))
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
  const end = tokens.findIndex(({ kind, text }, at) => at > from && kind === 'mark' && text === ')')
  const inner = tokens.slice(from + 1, end < 0 ? undefined : end)
  const words = inner.filter(({ kind }) => kind !== 'mark').map(({ kind, text }) => holeWord(kind === 'text' ? text : HOLE, span))
  context.command(words, 'yq')
}

function loads(tokens: readonly Token[], from: number, { context, span }: At): void {
  const path = tokens[from + 1]
  if (tokens[from]?.text !== '(') return
  if (path?.kind === 'text') readPath(context, holeWord(path.text, span), { span })
  else readPath(context, holeWord(HOLE, span), { span })
}

/** `import "a" as b;` is `a.jq`, `import "a" as $b;` is `a.json`; a bare name is looked for in the library path. */
function imports(tokens: readonly Token[], at: number, { context, span }: At): void {
  const path = tokens[at]?.text ?? ''
  const data = tokens[at + 1]?.text === 'as' && tokens[at + 2]?.text.startsWith('$') === true
  const name = /\.(?:jq|json)$/.test(path) ? path : `${path}${data ? '.json' : '.jq'}`
  readPath(context, holeWord(name, span), { span, certainty: 'likely', action: 'code:module' })
}
