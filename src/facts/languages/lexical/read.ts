import type { Span } from '../../effect.ts'
import type { CodeAt, CommandContext, Word } from '../../host.ts'
import { deletePath, reachUrl, readPath, writePath } from '../../resources/acts.ts'
import { isSharp } from '../../resources/text/sharp.ts'
import { CodeLimit } from '../limits.ts'
import { type Argument, argumentsAt, CLOSES, MAX_TOKENS, OPENS } from './arguments.ts'
import { bindings } from './bind.ts'
import { risky, takesFunctions } from './higher.ts'
import { lexWords, type Token } from './lex.ts'
import { KNOWLEDGE } from './tables.ts'
import type { Act, Knowledge, WordLanguage } from './vocabulary.ts'

/**
 * Reads code of languages without a parser of their own by its words: what only computes and prints is told by the names it
 * uses, what acts is told by its calls, and one name that is not known makes the whole opaque. Programs in files use the names of many
 * packages: there it does so only where the text also names something by which harm is done.
 */
export function analyseWords(language: WordLanguage, text: string, at: CodeAt): void {
  const knowledge = KNOWLEDGE[language]
  new Reader(text, lexWords(text, knowledge.shape), { ...at, knowledge }).read()
}

interface At extends CodeAt {
  readonly knowledge: Knowledge
}

/** Signs that every language means harmlessly. */
const SIGNS = /^(?:[-+*/^%=<>!&|~?:;,.()[\]{}@$#'\n]|<<?-|->>?|=>|[=!<>]=|\|>|%[\w<>*/|]{0,10}%|<>|&&|\|\||::|\.\.\.?)$/
const OPERATORS = new Set(['%>%', '%in%', '%%', '%/%', '%*%', '%o%', '%<>%', '%||%'])
const MAX_WORK = 120_000

class Reader {
  private readonly source: string
  private readonly tokens: readonly Token[]
  private readonly knowledge: Knowledge
  private readonly span: Span
  private readonly context: CommandContext
  /** Names that are not known are taken for those of packages. */
  private readonly tolerant: boolean
  private readonly locals: ReadonlySet<string>
  private readonly functions: ReadonlySet<string>
  private readonly risky: boolean
  private readonly reads: boolean
  private said = false
  private work = 0
  /** What stands before is part of a command line that was read. */
  private covered = 0

  constructor(source: string, tokens: readonly Token[], { knowledge, span, context, inFile }: At) {
    this.source = source
    this.tokens = tokens
    this.knowledge = knowledge
    this.span = span
    this.context = context
    this.tolerant = inFile && !isSharp(source)
    const bound = bindings(tokens, knowledge)
    this.locals = bound.locals
    this.functions = bound.functions
    this.risky = risky(tokens, knowledge)
    this.reads = tokens.some((token) => token.kind === 'name' && knowledge.acts.get(token.text)?.how === 'read')
  }

  read(): void {
    if (this.knowledge.commands?.test(this.source) === true) this.opaque('a command of the interpreter')
    for (const [at, token] of this.tokens.entries()) {
      if (at < this.covered) continue
      if (token.kind === 'command') this.context.shell(token.text, this.span, this.knowledge.title)
      else if (token.kind === 'sign') this.sign(token.text, at)
      else if (token.kind === 'text') this.text(at)
      else if (token.kind === 'name') this.name(token.text, at)
    }
  }

  private opaque(what: string): void {
    if (this.said) return
    this.said = true
    this.context.opaque(`${what} in the ${this.knowledge.title} code, which is read by its words only`, this.span)
  }

  private sign(text: string, at: number): void {
    if (!SIGNS.test(text) && !(text === '\\' && this.knowledge.lambda === true)) this.opaque(`\`${text.slice(0, 8)}\` is not known`)
    else if (text.startsWith('%') && text.length > 1 && !OPERATORS.has(text)) this.opaque(`the operator \`${text}\` is not known`)
    const after = this.tokens[at + 1]
    // `f()("x")`, `table[["system"]]("x")`: what is called comes out of a call or a list.
    if (CLOSES.has(text) && after?.text === '(' && after.kind === 'sign' && after.at === (this.tokens[at]?.end ?? -1))
      this.opaque('what is called is computed')
    if (this.knowledge.variables === true && text === '$' && this.startsStatement(at)) this.opaque('a variable is run as a command')
  }

  private startsStatement(at: number): boolean {
    const before = this.tokens[at - 1]
    if (before?.text === '{' && this.tokens[at - 2]?.text === 'expr') return false
    return before === undefined || (before.kind === 'sign' && /^[;{[\n]$/.test(before.text))
  }

  /** A text is data, unless it is called. */
  private text(at: number): void {
    const [before, after] = [this.tokens[at - 1], this.tokens[at + 1]]
    if (after?.kind === 'sign' && after.text === '(' && after.at === this.tokens[at]?.end) this.opaque('a name in a text is called')
    if (before?.kind === 'sign' && /^(?:\.|::|->|&)$/.test(before.text)) this.opaque('a name in a text is reached for')
    if (after?.kind === 'sign' && (after.text === '::' || (after.text === ':' && this.knowledge.colons === true)))
      this.opaque('a name in a text is reached for')
    if (this.knowledge.variables === true && this.tokens[at]?.exact === false && after?.text !== ',')
      this.opaque('a text is written with escapes')
    if (this.knowledge.variables === true && this.startsStatement(at)) this.opaque('a text is run as a command')
  }

  private called(at: number): boolean {
    const after = this.tokens[at + 1]
    const before = this.tokens[at - 1]?.text
    if (before === '%>%' || before === '|>') return true
    if (after === undefined) return false
    if (after.kind === 'text' && after.at === this.tokens[at]?.end) return true
    return after.kind === 'sign' && (after.text === '(' || (after.text === '.' && this.tokens[at + 2]?.text === '('))
  }

  private name(text: string, at: number): void {
    const { knowledge } = this
    const before = this.tokens[at - 1]
    if (knowledge.variables === true && before?.text === '$') return
    // `x$name`, `x@name` of a value.
    if (
      knowledge.members !== undefined &&
      before?.kind === 'sign' &&
      knowledge.members.includes(before.text) &&
      before.end === this.tokens[at]?.at
    )
      return
    // The name of an argument, or a new value.
    const after = this.tokens[at + 1]
    if (after?.kind === 'sign' && knowledge.assigns.includes(after.text) && before?.text !== '.') return
    const plain = knowledge.namespace === undefined ? text : text.replace(knowledge.namespace, '')
    const act = knowledge.acts.get(plain)
    if (act !== undefined) this.act(plain, act, at)
    else if (knowledge.harmless.has(plain)) {
      if (knowledge.variables === true) this.braced(plain, at)
      else this.higher(plain, at)
    } else if (!this.known(text, at)) this.opaque(`\`${text.slice(0, 60)}\` is not known`)
  }

  /** A name of the program's own, a key, or in a language whose data have names of their own any name that is not called. */
  private known(text: string, at: number): boolean {
    const { knowledge } = this
    if (this.tolerant) return true
    const head = /^[^.]+/.exec(text)?.[0] ?? text
    const called = this.called(at)
    if (called) return this.functions.has(text) || (knowledge.indexes === true && this.locals.has(text))
    if (this.locals.has(text) || this.functions.has(text) || (knowledge.fields === true && head !== text && this.locals.has(head)))
      return true
    if (knowledge.keys === true && this.tokens[at + 1]?.text === ':' && this.tokens[at + 1]?.at === this.tokens[at]?.end) return true
    if (knowledge.atoms?.test(text) === true) return true
    return knowledge.strict !== true
  }

  /** A harmless function that calls what it is handed is harmless where that can be told. */
  private higher(name: string, at: number): void {
    if (!this.knowledge.higher.has(name)) return
    const { functions, knowledge, locals, risky } = this
    if (!this.called(at) || !takesFunctions(this.arguments(at + 1), { functions, knowledge, locals, risky, name })) {
      this.opaque(`what \`${name}\` calls is not known`)
    }
  }

  private arguments(open: number): readonly Argument[] {
    const found = argumentsAt(this.tokens, open)
    this.spend(found.looked)
    return found.given
  }

  private word(argument: Argument | undefined): Word {
    const [only, ...more] = argument?.tokens ?? []
    const exact = only?.kind === 'text' && only.exact && more.length === 0 ? only.text : null
    const text = exact?.startsWith('~/') === true ? this.context.view.home + exact.slice(1) : exact
    return { text, prefix: text ?? '', glob: false, dynamic: false, span: this.span }
  }

  private act(name: string, act: Act, at: number): void {
    if (act.how === 'statement') {
      this.statement(at)
      return
    }
    const bare = this.knowledge.bare === true && /^(?:text|name)$/.test(this.tokens[at + 1]?.kind ?? '')
    if (!bare && !this.called(at)) {
      this.opaque(`\`${name}\` is handed on`)
      return
    }
    const given = this.arguments(at + 1)
    const piped = this.tokens[at - 1]?.text === '%>%' || this.tokens[at - 1]?.text === '|>'
    const positional = given.filter(({ name: key }) => key === null || act.keys?.includes(key) === true)
    this.perform(act, { first: this.word(piped ? undefined : positional[act.at ?? 0]), given: positional, name })
  }

  private send(to: Word): void {
    reachUrl(this.context, to, { verb: 'send', attributes: { method: 'POST', ...(this.reads ? { carries: 'file' } : {}) } })
  }

  private install(name: string, given: readonly Argument[]): void {
    const isUrl = given.some(({ tokens }) => tokens.some((t) => t.kind === 'text' && t.text.includes('://')))
    const attributes = { manager: this.knowledge.title.toLowerCase(), name, source: isUrl ? 'url' : 'registry' }
    this.context.emit('execute', this.context.thing('package', name), { action: 'pkg:install', span: this.span, attributes })
  }

  private perform(
    act: Act,
    { first, given, name }: { readonly first: Word; readonly given: readonly Argument[]; readonly name: string },
  ): void {
    const { context, span } = this
    switch (act.how) {
      case 'shell':
        context.shell(first.text, span, name)
        return
      case 'command':
        this.command(first, given, name)
        return
      case 'read':
        readAny(context, first)
        return
      case 'write':
        writePath(context, first)
        return
      case 'delete':
        deletePath(context, first, act.tree === true ? { attributes: { recursive: true } } : {})
        return
      case 'move':
        deletePath(context, first, { action: 'fs:move', reversible: true })
        writePath(context, this.word(given[1]), { action: 'fs:move' })
        return
      case 'fetch':
        reachUrl(context, first, { verb: 'fetch', action: 'http:get' })
        return
      case 'send':
        this.send(first)
        return
      case 'package':
        this.install(first.text ?? '', given)
        return
      case 'environment':
        context.emit('read', context.thing('variable', first.text ?? '*'), { action: first.text === null ? 'env:list' : 'env:get', span })
        return
      default:
        this.opaque(`\`${name}\` does what is not analysed`)
    }
  }

  private command(first: Word, given: readonly Argument[], name: string): void {
    const [, rest] = given
    const texts = (argument: Argument | undefined) => (argument?.tokens ?? []).filter((t) => t.kind === 'text')
    const all = first.text === null ? texts(given[0]) : texts(rest)
    const words = all.map(
      (t): Word => ({ text: t.exact ? t.text : null, prefix: t.exact ? t.text : '', glob: false, dynamic: false, span: this.span }),
    )
    const listed = (rest?.tokens ?? []).every(
      (t) => t.kind === 'text' || (t.kind === 'sign' && /^[[\](),]$/.test(t.text)) || t.text === 'c',
    )
    const open: readonly Word[] =
      first.text !== null && !listed ? [{ text: null, prefix: '', glob: false, dynamic: false, span: this.span }] : []
    const line = first.text === null ? words : [first, ...words, ...open]
    if (line.length === 0) this.opaque(`what \`${name}\` runs is not known`)
    else this.context.command(line, name)
  }

  /** Tcl: the rest of the statement is the command line. */
  private statement(at: number): void {
    let next = at + 1
    let plain = true
    for (; next < this.tokens.length && !this.ends(next); next++) plain = plain && this.tokens[next]?.text !== '['
    this.spend(next - at)
    if (plain) this.covered = next
    const line = this.source.slice(this.tokens[at]?.end ?? 0, this.tokens[next]?.at).trim()
    if (line === '') this.opaque('what is run is not known')
    else this.context.shell(line, this.span, this.knowledge.title)
  }

  private ends(at: number): boolean {
    const token = this.tokens[at]
    return token?.kind === 'sign' && /^[;\n\]]$/.test(token.text)
  }

  /** Tcl: what is calculated and what is repeated stand in braces, or they are made of texts. */
  private braced(name: string, at: number): void {
    if (name === 'expr' && this.tokens[at + 1]?.text !== '{') this.opaque('`expr` without braces')
    if (name !== 'foreach') return
    let next = at + 1
    let depth = 0
    while (next < this.tokens.length && next - at < MAX_TOKENS && (depth > 0 || !this.ends(next))) {
      const { kind, text } = this.tokens[next] as Token
      if (kind === 'sign' && OPENS.has(text)) depth++
      else if (kind === 'sign' && CLOSES.has(text) && --depth < 0) break
      next++
    }
    this.spend(next - at)
    if (this.tokens[next - 1]?.text !== '}') this.opaque('the body of `foreach`')
  }

  private spend(tokens: number): void {
    this.work += tokens
    if (this.work > MAX_WORK) throw new CodeLimit('calls in the code are nested more deeply than is followed')
  }
}

/** A file, or an address where the function takes either. */
function readAny(context: CommandContext, word: Word): void {
  if (/^https?:\/\//.test(word.text ?? '')) reachUrl(context, word, { verb: 'fetch', action: 'http:get' })
  else readPath(context, word)
}
