import { hasClass, type Span } from '../../effect.ts'
import type { CommandContext, SourceLanguage, Word } from '../../host.ts'
import { deletePath, readPath, wordOf, writePath } from '../../resources/acts.ts'
import { knownWord, unknownWord } from '../../resources/text/word.ts'
import { type Argument, argumentsAt } from '../lexical/arguments.ts'
import { lexWords, type Token } from '../lexical/lex.ts'
import { type Act, type Knowledge, SOURCES } from './tables.ts'
import { type Bound, evaluated, templateOf, textOf, type Value } from './values.ts'

/**
 * Reads source text of builds and of compiled languages for what it starts, deletes, reads and sends by literal words, wherever in the
 * text that stands. What it computes is no concern of anybody's; what it does by words that are not known is said where the text is
 * not the project's own.
 */
export function analyseSource(
  language: SourceLanguage,
  text: string,
  { span, context }: { readonly span: Span; readonly context: CommandContext },
): void {
  const knowledge = SOURCES[language]
  new Reader(lexWords(text, knowledge.shape), { knowledge, span, context }).read()
}

interface At {
  readonly knowledge: Knowledge
  readonly span: Span
  readonly context: CommandContext
}

/** A call with the name that it is known by. */
interface Call {
  readonly act: Act
  readonly name: string
  /** Where its bracket opens. */
  readonly open: number
  readonly at: number
}

const FAR = /^(?!localhost\b|127\.|0\.0\.0\.0)(?:(?:\d{1,3}\.){3}\d{1,3}|(?:[\w-]{1,63}\.){1,8}[a-z]{2,24}):\d{1,5}$/i
const JOINS: ReadonlySet<string> = new Set(['.', '::', '->'])
const DEFINES = /^(?:fn|func|fun|def|void|class)$/
const MAX_ACTS = 64
/** Tokens of a statement behind a call that are looked at. */
const MAX_CHAIN = 256

class Reader {
  private readonly tokens: readonly Token[]
  private readonly knowledge: Knowledge
  private readonly span: Span
  private readonly context: CommandContext
  private readonly bound: Bound
  private untold: string | null = null

  constructor(tokens: readonly Token[], { knowledge, span, context }: At) {
    this.tokens = tokens
    this.knowledge = knowledge
    this.span = span
    this.context = context
    this.bound = this.bindings()
  }

  read(): void {
    const calls: Call[] = []
    for (const [at, token] of this.tokens.entries()) {
      if (token.kind !== 'name' || calls.length >= MAX_ACTS) continue
      const call = this.callAt(at)
      if (call !== null) calls.push(call)
    }
    for (const call of calls) if (call.act.how === 'read') this.file(call)
    for (const call of calls) if (call.act.how !== 'read') this.perform(call)
    const { project } = this.context
    if (this.untold !== null && project === null)
      this.context.opaque(`what \`${this.untold}\` starts in the ${this.knowledge.title} code is not known`, this.span)
  }

  /** A name with what stands before it, where it is called: `Command::new(`, `vec!(`, and in some languages without a bracket. */
  private callAt(at: number): Call | null {
    const { tokens, knowledge } = this
    const own = tokens[at]?.text ?? ''
    const act = knowledge.calls.get(this.fullName(at)) ?? knowledge.calls.get(own)
    // A definition is no call.
    if (act === undefined || DEFINES.test(tokens[at - 1]?.text ?? '')) return null
    if (/^[=:]$/.test(tokens[at + 1]?.text ?? '')) return act.assigned === true ? { act, name: own, open: at + 2, at } : null
    const open = /^[!?]$/.test(tokens[at + 1]?.text ?? '') ? at + 2 : at + 1
    return tokens[open]?.kind === 'text' || /^[([{]$/.test(tokens[open]?.text ?? '') ? { act, name: own, open, at } : null
  }

  /** `Command` of `std::process::Command::`, `getRuntime` of `Runtime.getRuntime().`. */
  private ownerOf(join: number): string | null {
    const before = this.tokens[join - 1]
    if (before?.kind === 'name') return before.text
    return before?.text === ')' && this.tokens[join - 2]?.text === '(' ? (this.tokens[join - 3]?.text ?? null) : null
  }

  private bindings(): Bound {
    const bound = new Map<string, Value>()
    for (const [at, { kind, text }] of this.tokens.entries()) {
      const sign = this.tokens[at + 1]
      if (kind !== 'name' || sign?.kind !== 'sign' || !/^(?:=|:=|:)$/.test(sign.text)) continue
      const from = sign.text === ':' && this.tokens[at + 2]?.text === '=' ? at + 3 : at + 2
      if (sign.text === ':' && from === at + 2) continue
      const value = evaluated(this.statement(from), { knowledge: this.knowledge, bound, home: this.context.view.home })
      // `home, err := …` gives the first name what is asked here.
      let name = text
      for (let first = at; this.tokens[first - 1]?.text === ',' && this.tokens[first - 2]?.kind === 'name'; first -= 2)
        name = this.tokens[first - 2]?.text ?? name
      if (value.parts.length > 0) bound.set(name, value)
    }
    return bound
  }

  /** Tokens to the end of the statement: of the line, unless a bracket is open. */
  private statement(from: number): readonly Token[] {
    let depth = 0
    let at = from
    for (; at < this.tokens.length && at - from < MAX_CHAIN; at++) {
      const { kind, text } = this.tokens[at] as Token
      if (kind !== 'sign') continue
      if (/^[([{]$/.test(text)) depth++
      else if (/^[)\]}]$/.test(text) && --depth < 0) break
      else if (depth === 0 && (text === ';' || text === ',' || (text === '\n' && this.tokens[at + 1]?.text !== '.'))) break
    }
    return this.tokens.slice(from, at)
  }

  private evaluated(tokens: readonly Token[]): Value {
    return evaluated(tokens, { knowledge: this.knowledge, bound: this.bound, home: this.context.view.home })
  }

  private argument({ act, open, at }: Call): Argument | undefined {
    if (act.at === -1) return { name: null, tokens: this.receiver(at) }
    const { given } = argumentsAt(this.tokens, open)
    if (act.key !== undefined) return given.find(({ name }) => name === act.key)
    return given[act.at ?? 0]
  }

  /** What stands before `.execute(`: a text, or a list. */
  private receiver(at: number): readonly Token[] {
    let depth = 0
    let from = at - 2
    for (; from >= 0 && at - from < MAX_CHAIN; from--) {
      const { kind, text } = this.tokens[from] as Token
      if (kind === 'sign' && /^[)\]}]$/.test(text)) depth++
      else if (kind === 'sign' && /^[([{]$/.test(text)) depth--
      if (depth <= 0) break
    }
    return this.tokens.slice(Math.max(0, from), at - 1)
  }

  /** A path: parts are joined as a path joins them. */
  private path(call: Call): Word | null {
    const parts = call.act.joins === true ? argumentsAt(this.tokens, call.open).given : [this.argument(call)]
    const text = textOf({ parts: parts.flatMap((part) => this.evaluated(part?.tokens ?? []).parts) }, '/')
    return text === null || text === '' ? null : wordOf(text, knownWord(text, this.span))
  }

  /** Files of the user and the system, which no build has to read. */
  private file(call: Call): void {
    const word = this.path(call)
    if (word?.text?.startsWith('/') === true) readPath(this.context, word)
  }

  private perform(call: Call): void {
    const { act } = call
    switch (act.how) {
      case 'command':
        this.command(call)
        return
      case 'shell':
        this.shell(this.evaluated(this.argument(call)?.tokens ?? []), call)
        return
      case 'delete':
      case 'write':
        this.change(call)
        return
      case 'remote':
        this.remote(call)
        return
      case 'fetch':
        this.fetch(call)
        return
      case 'connect':
        this.tells(call)
        this.send(call)
        return
      default:
        this.send(call)
    }
  }

  private command(call: Call): void {
    const argument = this.argument(call)
    const all =
      call.act.at === undefined && call.act.key === undefined
        ? argumentsAt(this.tokens, call.open).given
        : argument === undefined
          ? []
          : [argument]
    const rest = call.act.at === undefined || call.act.at < 0 ? [] : argumentsAt(this.tokens, call.open).given.slice(call.act.at + 1)
    const given = [...all, ...rest].filter(({ name }) => name === null || name === call.act.key).flatMap(itemsOf)
    const words = [...given, ...this.added(call)].map((tokens) => this.word(tokens))
    // One text alone is split as a shell would.
    const [only, ...more] = words
    if (only?.text === null) this.untold ??= call.name
    else if (only !== undefined && more.length === 0 && /\s/.test(only.text ?? '')) this.context.shell(only.text, this.span, call.name)
    else if (words.length > 0) this.context.command(words, call.name)
  }

  private word(tokens: readonly Token[]): Word {
    const value = this.evaluated(tokens)
    const text = textOf(value) ?? templateOf(value)
    return text === null ? unknownWord(this.span) : knownWord(text, this.span)
  }

  /** Words of `.arg("x").args(["y"])` behind the call, or on the name that it was given. */
  private added({ at, open }: Call): readonly (readonly Token[])[] {
    const { knowledge, tokens } = this
    if (knowledge.adds.size === 0) return []
    const found: (readonly Token[])[] = []
    const name = this.nameGiven(at)
    let depth = 0
    let chained = true
    for (let next = open; next < tokens.length && next - open < 4 * MAX_CHAIN; next++) {
      const token = tokens[next] as Token
      if (token.kind === 'sign') {
        depth += /^[([{]$/.test(token.text) ? 1 : /^[)\]}]$/.test(token.text) ? -1 : 0
        chained &&= depth > 0 || token.text !== ';'
        if (depth < 0) break
      } else if (this.adds(next) && (chained || (name !== null && tokens[next - 2]?.text === name)))
        found.push(...argumentsAt(tokens, next + 1).given.flatMap(itemsOf))
    }
    return found
  }

  private adds(at: number): boolean {
    const [before, token, after] = [this.tokens[at - 1], this.tokens[at], this.tokens[at + 1]]
    return token?.kind === 'name' && this.knowledge.adds.has(token.text) && JOINS.has(before?.text ?? '') && after?.text === '('
  }

  /** `c` of `let mut c = Command::new(…)`. */
  private nameGiven(at: number): string | null {
    let from = at
    while (from > 0 && (JOINS.has(this.tokens[from - 1]?.text ?? '') || JOINS.has(this.tokens[from]?.text ?? ''))) from--
    return this.tokens[from - 1]?.text === '=' ? (this.tokens[from - 2]?.text ?? null) : null
  }

  private shell(value: Value, { name }: Call): void {
    const text = templateOf(value)
    if (text !== null) this.context.shell(text, this.span, name)
    else if (value.parts.length > 0) this.untold ??= name
  }

  private change(call: Call): void {
    const word = this.path(call)
    if (word === null) return
    if (call.act.how === 'write') writePath(this.context, word)
    else deletePath(this.context, word, call.act.tree === true ? { attributes: { recursive: true } } : {})
  }

  private remote(call: Call): void {
    const text = textOf(this.evaluated(this.argument(call)?.tokens ?? []))
    if (text === null || !/^https?:\/\//.test(text)) return
    const attributes = { by: this.knowledge.title }
    this.context.emit('execute', this.context.url(knownWord(text, this.span)), { action: 'code:remote', reversible: false, attributes })
  }

  /** What code of the project asks for is its own matter. */
  private fetch(call: Call): void {
    const text = textOf(this.evaluated(this.argument(call)?.tokens ?? []))
    if (this.context.project === null && text !== null && /^https?:\/\//.test(text))
      this.context.emit('fetch', this.context.url(knownWord(text, this.span)), { action: 'http:get', certainty: 'likely', span: this.span })
  }

  /** A connection of its own to another machine: whatever goes over it, the other side is told. */
  private tells(call: Call): void {
    const { given } = argumentsAt(this.tokens, call.open)
    const [first = '', second = ''] = given.slice(0, 2).map(({ tokens }) => textOf(this.evaluated(tokens)) ?? '')
    const address = call.act.at === 1 ? second : first
    // `udp` is how a program asks which address it has itself.
    if (this.context.project !== null || /^(?:udp|unix)/.test(first) || !FAR.test(address)) return
    this.context.emit('change', this.context.thing('resource', address), { action: 'net:act', certainty: 'likely', span: this.span })
  }

  /** What goes out is worth a word where something of the user is in the program. */
  private send(call: Call): void {
    const { act, at } = call
    if (act.when !== undefined && !this.tokens.slice(at, at + MAX_CHAIN).some(({ text }) => act.when?.test(text))) return
    const carries = this.carries()
    const text = textOf(this.evaluated(this.argument(call)?.tokens ?? []))
    if (text === null || carries === null || !/^[a-z]+:\/\/|^[\w.-]+\.[a-z]{2,}(?::\d+)?$|^\d+(?:\.\d+){3}/i.test(text)) return
    this.context.emit('send', this.context.url(knownWord(text, this.span)), {
      reversible: false,
      span: this.span,
      attributes: { method: 'POST', carries },
    })
  }

  private carries(): 'credential' | 'environment' | null {
    const { environment } = this.knowledge
    for (const [at, token] of this.tokens.entries()) {
      if (token.kind !== 'name') continue
      if (this.tokens[at + 1]?.text === '(' && this.tokens[at + 2]?.text === ')' && environment.has(this.fullName(at))) return 'environment'
      const call = this.callAt(at)
      const word = call?.act.how === 'read' ? this.path(call) : null
      if (word !== null && hasClass(this.context.path(word), 'credential')) return 'credential'
    }
    return null
  }

  /** With what stands before it: `env.vars`. */
  private fullName(at: number): string {
    const owner = JOINS.has(this.tokens[at - 1]?.text ?? '') ? this.ownerOf(at - 1) : null
    return owner === null ? (this.tokens[at]?.text ?? '') : `${owner}.${this.tokens[at]?.text}`
  }
}

/** The items of a list that is given, or the argument itself. */
function itemsOf({ tokens }: Argument): readonly (readonly Token[])[] {
  const open = tokens.findIndex(({ kind, text }, at) => kind === 'sign' && OPENS_LIST.test(text) && opensList(tokens, at))
  if (open < 0 || tokens.slice(0, open).some(({ kind }) => kind === 'text')) return [tokens]
  return argumentsAt([{ kind: 'sign', text: '(', exact: true, at: 0, end: 0 }, ...tokens.slice(open + 1)], 0).given.map(
    (item) => item.tokens,
  )
}

const OPENS_LIST = /^[[{(]$/

/** `["a", "b"]`, `{ "a", "b" }`, `listOf("a", "b")`; not the brackets of a type. */
function opensList(tokens: readonly Token[], at: number): boolean {
  if (tokens[at]?.text !== '(') return tokens[at + 1]?.text !== ']'
  return /^(?:listOf|mutableListOf|arrayOf|asList|of|Array|tuple|list)$/.test(tokens[at - 1]?.text ?? '')
}
