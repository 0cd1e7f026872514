import type { Token } from './lex.ts'
import type { Knowledge } from './vocabulary.ts'

/** Names that a program gives to its own values and functions: found by what stands around them, wherever that is. */
export interface Bindings {
  readonly locals: ReadonlySet<string>
  /** Those that stand for functions whose bodies are read with the rest. */
  readonly functions: ReadonlySet<string>
}

const BINDERS: ReadonlySet<string> = new Set(
  'for let var val const my our def foreach set incr append lappend global variable lassign unset local dim'.split(' '),
)
const DEFINERS: ReadonlySet<string> = new Set(['function', 'def', 'fun', 'func', 'defn', 'define', 'proc', 'sub', 'defun'])
const MAX_PARAMETERS = 16

interface Binding {
  readonly knowledge: Knowledge
  readonly locals: Set<string>
  readonly functions: Set<string>
}

/** `x = 1`, `for x in y`, `def f`, `f(x) = x + 1`. */
function bindName(tokens: readonly Token[], at: number, { knowledge, locals, functions }: Binding): void {
  const { text } = tokens[at] as Token
  const before = tokens[at - 1]?.text ?? ''
  const after = tokens[at + 1]
  if (after?.kind === 'sign' && knowledge.assigns.includes(after.text)) {
    locals.add(text)
    if (isFunction(tokens, at + 2)) functions.add(text)
  } else if (after?.text === 'in' || after?.text === '∈' || BINDERS.has(before)) locals.add(text)
  if (DEFINERS.has(before)) functions.add(text)
  if (knowledge.equations === true && after?.text === '(' && definedAt(tokens, at + 1)) {
    functions.add(text)
    for (const name of parameters(tokens, at + 1)) locals.add(name)
  }
}

export function bindings(tokens: readonly Token[], knowledge: Knowledge): Bindings {
  const locals = new Set<string>()
  const functions = new Set<string>()
  for (const [at, { kind, text }] of tokens.entries()) {
    if (kind === 'name') bindName(tokens, at, { knowledge, locals, functions })
    else if (kind === 'sign' && text === '->') for (const name of leftOf(tokens, at)) locals.add(name)
    if (opensParameters(tokens, at)) for (const name of parameters(tokens, at + 1)) locals.add(name)
  }
  for (const name of [...knowledge.acts.keys(), ...knowledge.harmless]) {
    locals.delete(name)
    functions.delete(name)
  }
  return { locals, functions }
}

/** `function (…)`, `\(…)`, `fn …`: what is assigned is a function. */
function isFunction(tokens: readonly Token[], at: number): boolean {
  const first = tokens[at]?.text
  if (first === 'function' || first === '\\' || first === 'fn' || first === 'lambda') return true
  // `f = x -> x + 1`, `f = (x, y) -> x`
  for (let next = at; next < at + MAX_PARAMETERS; next++) {
    const token = tokens[next]
    if (token?.text === '->') return true
    if (token === undefined || (token.kind !== 'name' && !/^[(),]$/.test(token.text))) return false
  }
  return false
}

function opensParameters(tokens: readonly Token[], at: number): boolean {
  const text = tokens[at]?.text
  const lambda = text === 'function' || (text === '\\' && tokens[at]?.kind === 'sign') || text === '@'
  return tokens[at + 1]?.text === '(' && (lambda || DEFINERS.has(tokens[at - 1]?.text ?? ''))
}

/** Names that follow an opening bracket or a comma, to the bracket that closes. */
function parameters(tokens: readonly Token[], open: number): readonly string[] {
  const found: string[] = []
  for (let at = open; at < tokens.length && found.length < MAX_PARAMETERS; at++) {
    const token = tokens[at]
    const before = tokens[at - 1]?.text
    if (token?.text === ')' && token.kind === 'sign') break
    if (at - open > 8 * MAX_PARAMETERS) break
    if (token?.kind === 'name' && (before === '(' || before === ',')) found.push(token.text)
  }
  return found
}

/** Parameters before an arrow. */
function leftOf(tokens: readonly Token[], arrow: number): readonly string[] {
  const found: string[] = []
  for (let at = arrow - 1; at >= Math.max(0, arrow - 2 * MAX_PARAMETERS); at--) {
    const token = tokens[at]
    if (token?.kind === 'name' && token.text !== 'fn') found.push(token.text)
    else if (token?.kind !== 'sign' || !/^[(),]$/.test(token.text)) break
  }
  return found
}

/** The bracket at `open` closes before a single `=`, and nothing but names stands between. */
function definedAt(tokens: readonly Token[], open: number): boolean {
  for (let at = open + 1; at < open + 2 * MAX_PARAMETERS; at++) {
    const token = tokens[at]
    if (token?.text === ')') return tokens[at + 1]?.text === '='
    if (token === undefined || (token.kind === 'sign' && !/^(?:,|::|=|\.\.\.)$/.test(token.text))) return false
  }
  return false
}
