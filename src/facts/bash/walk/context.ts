import { type Effect, type EffectOptions, LOW_OPAQUE, type Span, type Target, type TargetKind, target, type Verb } from '../../effect.ts'
import type { CommandReading } from '../../facts.ts'
import type { CodeAt, CommandContext, Input, Invocation, Language, Place, Word } from '../../host.ts'
import { saidBesides } from '../../programs/said-besides.ts'
import { templateOf } from '../../resources/text/template.ts'
import { knownWord, unknownWord } from '../../resources/text/word.ts'
import { analyseSql } from '../../sql/index.ts'
import type { FileAnswer, View } from '../../view.ts'
import { outliving } from '../detect/outlive.ts'
import { noteExecuted, wordFetched } from '../flow/fetched.ts'
import { inputProvenance, NOWHERE, passedFile, remoteSource, runDecoded, runUnknown, wordProvenance } from '../flow/flow.ts'
import { namesFrom } from '../flow/held.ts'
import { isHarmlessModule, isOfProject, projectOf, walkFrom } from '../flow/project.ts'
import { broughtInto, mayBeBrought } from '../state/brought.ts'
import { LIMITS, WORK } from '../state/budget.ts'
import { enterPlace, whereaboutsBelow } from '../state/directory.ts'
import { isDirectoryNow } from '../state/presence.ts'
import {
  type ExecutionContext,
  emitAt,
  inherits,
  NO_INPUT,
  type Output,
  opaqueAt,
  type Presence,
  type Scope,
  UNKNOWN_OUTPUT,
  weaker,
} from '../state/state.ts'
import { splitEnvironment } from './declare.ts'
import { setEnvironment } from './environment.ts'
import { besideScripts, broughtText, putThere, ranProject, runScript, type ScriptHost } from './script.ts'
import { keyOf, pathOf, urlOf } from './target.ts'

function sameSpan(a: Span, b: Span): boolean {
  return a.start === b.start && a.end === b.end
}

/** Words as many as one command may have; what is cut off is said to be unknown. */
function bounded(words: readonly Word[]): readonly Word[] {
  const last = words[LIMITS.words]
  return last === undefined || words.length === LIMITS.words + 1
    ? words
    : [...words.slice(0, LIMITS.words), unknownWord(last.span, [], true)]
}

/** Names of standard input. */
export const STDIN: ReadonlySet<string> = new Set(['-', '/dev/stdin', '/dev/fd/0', '/proc/self/fd/0'])

/** What a command table may ask of the walker, for one invocation. */
export class InvocationContext implements CommandContext, ScriptHost {
  readonly view: View
  readonly cwd: string | null
  readonly remote: boolean
  get project(): string | null {
    return this.site.scope.project
  }
  readonly site: ExecutionContext
  readonly invocation: Invocation
  /** It ran something of known content in its place: a wrapper can be taken off. */
  dispatched = false
  imported = false
  /** What the code that it runs is given. */
  given: readonly Word[] = []
  /** How its words were read. */
  reading: CommandReading | null = null
  /** What the command that it ran prints. */
  output: Output = UNKNOWN_OUTPUT

  constructor(site: ExecutionContext, invocation: Invocation) {
    this.site = site
    this.invocation = invocation
    this.view = site.analysis.view
    this.cwd = site.scope.cwd
    this.remote = site.scope.remote
  }

  understood(reading: CommandReading): void {
    this.reading = reading
  }

  path(word: Word): Target {
    return pathOf(word, this.site)
  }

  url(word: Word): Target {
    return urlOf(word)
  }

  thing(kind: TargetKind, value: string): Target {
    return this.remote ? { ...target(kind, value), scope: 'elsewhere' } : target(kind, value)
  }

  emit(verb: Verb, what: Target, options: EffectOptions = {}): void {
    const { action, reversible, certainty, reason } = options
    const span = options.span ?? this.invocation.span
    const attributes = saidBesides(verb, options, this)
    const made = emitAt(this.site, what, { verb, action, reversible, certainty, span, reason, attributes })
    if (verb === 'execute') noteExecuted(this.site, made, this.invocation.name)
    if (!this.remote) for (const directory of broughtInto(made, this)) this.site.analysis.brought.add(directory)
  }

  fetched(word: Word): boolean {
    return wordFetched(this.site, word, { by: this.invocation.name, input: this.invocation.input })
  }

  opaque(reason: string, span: Span = this.invocation.span): void {
    opaqueAt(this.site, reason, span)
  }

  command(words: readonly Word[], wrapper: string, input: Input = this.invocation.input): void {
    const scope = this.enter(wrapper)
    if (scope === null || words.length === 0) return
    const given = bounded(words)
    if (given !== words) opaqueAt(this.site, 'the command has more words than can be analysed', this.invocation.span)
    scope.functions = new Map()
    scope.aliases = new Map()
    this.dispatched = true
    const site: ExecutionContext = { ...this.site, scope, input }
    const [env, rest] = splitEnvironment(given)
    const called = given.find(({ prefix }) => prefix.startsWith('BASH_FUNC_'))
    if (called !== undefined) opaqueAt(site, 'a shell finds a function in its environment', called.span)
    for (const { name, word } of env) {
      setEnvironment(name, word, { site, span: word.span })
      scope.set(name, { word, elements: null, exported: true })
    }
    if (rest.length > 0) this.output = site.walker.command(rest, site, this.invocation.span)
  }

  shell(text: string | null, span: Span, wrapper: string): void {
    const { args } = this.invocation
    // Inside of `eval` all words have one span: the one of that text comes first.
    const exact = args.findIndex((arg) => sameSpan(arg.span, span) && arg.text === text)
    const at = exact >= 0 ? exact : args.findIndex((arg) => sameSpan(arg.span, span))
    const word = args[at]
    if (text === null) {
      const template = word === undefined ? null : templateOf(word, 'shell')
      if (template === null) this.unknown('shell', { span, word, by: wrapper })
      else {
        this.partly('shell', span)
        this.run(template, { span, wrapper, parameters: this.invocation.args.slice(at + 1) })
      }
      return
    }
    if (word?.decoded === true) runDecoded(this.site, text, { language: 'shell', span, by: wrapper })
    const parameters = word === undefined ? [] : this.invocation.args.slice(at + 1)
    this.run(text, { span, wrapper, parameters })
  }

  parameters(): readonly Word[] {
    return this.given
  }

  code(language: Language, text: string | null, span: Span): void {
    if (language === 'shell') {
      this.shell(text, span, this.invocation.name)
      return
    }
    const { args } = this.invocation
    const at = args.findIndex((arg) => sameSpan(arg.span, span))
    const word = args[at]
    if (word !== undefined) this.given = args.slice(at + 1)
    if (text === null) {
      const template = word === undefined ? null : templateOf(word, language)
      if (template === null) this.unknown(language, { span, word, by: this.invocation.name })
      else {
        this.partly(language, span)
        this.source(language, template, { span, inFile: false })
      }
    } else {
      if (word?.decoded === true) runDecoded(this.site, text, { language, span, by: this.invocation.name })
      this.source(language, text, { span, inFile: false })
    }
  }

  script(language: Language | null, path: Word, args: readonly Word[]): void {
    if (path.text !== null && STDIN.has(path.text)) this.stdin(language ?? 'shell')
    else {
      this.given = args
      runScript(this, { language, path, args })
    }
  }

  module(language: Language, path: Word): void {
    const { analysis } = this.site
    const key = keyOf(pathOf(path, this.site))
    const written = analysis.files.written.get(key)
    if (written !== undefined) {
      if (analysis.loaded.has(written) && analysis.loaded.get(written) === this.cwd) return
      analysis.loaded.set(written, this.cwd)
    } else if (analysis.scripts.some((script) => script.path === key) || (this.imported && isHarmlessModule(path, this.site))) return
    if (!analysis.budget.isRead) {
      const inner = new InvocationContext(this.site, this.invocation)
      inner.imported = true
      runScript(inner, { language, path, args: [] })
      return
    }
    emitAt(this.site, target('code', key), {
      ...LOW_OPAQUE,
      verb: 'opaque',
      span: path.span,
      reason: 'a module that the program loads is more than can be analysed with the others',
    })
  }

  spend(units: number): boolean {
    return this.site.analysis.spend(units, this.invocation.span)
  }

  isDirectory(real: string): Presence {
    const { analysis } = this.site
    return analysis.spend(analysis.effects.length, this.invocation.span) ? isDirectoryNow(real, analysis) : 'maybe'
  }

  downloaded(from: readonly Effect[]): Effect | null {
    return remoteSource(from, this.site.analysis)
  }

  beside(): readonly string[] {
    return besideScripts(this.site, this.cwd)
  }

  written(path: Word): { readonly text: string | null } | null {
    return putThere(path, this.site)
  }

  names(input: Input): readonly string[] | null {
    return namesFrom(input, this.site)
  }

  broughtText(path: Word): string | null {
    return broughtText(path, this.site)
  }

  variable(name: string): Word | null {
    const { invocation, site, view } = this
    const given = invocation.env.get(name) ?? site.scope.variables.get(name)?.word
    const around = given === undefined && !site.scope.remote ? view.env(name) : null
    return given ?? (around === null ? null : knownWord(around, invocation.span))
  }

  assign(name: string, word: Word): void {
    this.site.scope.set(name, { word, elements: null, exported: true })
  }

  watches(directory: string): void {
    this.site.analysis.watching.set(directory, this.invocation.name)
  }

  brought(directory: string): boolean {
    return mayBeBrought(directory, this.site.analysis)
  }

  made(): readonly string[] {
    return this.spend(this.site.analysis.files.count) ? this.site.analysis.files.made() : []
  }

  ran(path: string, { digest }: FileAnswer): void {
    ranProject(this.site, knownWord(path, this.invocation.span), digest)
  }

  stdin(language: Language, args: readonly Word[] = []): void {
    const { input, name, span } = this.invocation
    this.given = args
    switch (input.kind) {
      case 'none':
        return
      case 'file':
        this.script(language, input.word, args)
        return
      case 'text':
        if (input.text === null) this.unknown(language, { span: input.span, word: undefined, by: name })
        else {
          if (input.decoded === true) runDecoded(this.site, input.text, { language, span: input.span, by: name })
          if (language === 'shell')
            this.run(input.text, { span: input.span, wrapper: name, parameters: args.length === 0 ? [] : [knownWord(name, span), ...args] })
          else this.source(language, input.text, { span: input.span, inFile: false })
        }
        return
      case 'pipe': {
        const file = passedFile(inputProvenance(input))
        if (file !== null) this.passed(language, knownWord(file.value, span))
        else this.fed(language, input)
      }
    }
  }

  within(place: Place, body: (context: CommandContext) => void): void {
    if (!this.site.analysis.spend(WORK.branch, this.invocation.span)) return
    const scope = this.site.scope.clone()
    scope.attributes = { ...scope.attributes, ...place.attributes }
    if (place.certainty !== undefined) scope.certainty = weaker(scope.certainty, place.certainty)
    enterPlace(scope, place, (word) => this.path(word))
    const inner = new InvocationContext({ ...this.site, scope }, this.invocation)
    if (place.files === undefined) body(inner)
    else walkFrom(inner.site, projectOf(place.files, this.invocation.args, this.site), { walk: () => body(inner) })
    if (inner.dispatched) this.dispatched = true
  }

  ofProject(path: string): boolean {
    return isOfProject(pathOf(knownWord(path, this.invocation.span), this.site), this.site)
  }

  sql(text: string | null, span: Span, database: Target): void {
    if (text === null) {
      this.opaque('the SQL is not known before it runs', span)
      return
    }
    if (!this.spend(WORK.code * text.length)) return
    for (const item of analyseSql(text, { span, database, context: this })) {
      emitAt(this.site, item.target, { ...item, certainty: weaker(item.certainty, this.site.scope.certainty) })
    }
  }

  /** Analyses known source text of a language other than shell. */
  source(language: Language, text: string, { span, inFile }: Pick<CodeAt, 'span' | 'inFile'>): void {
    this.dispatched = true
    const { site } = this
    if (site.scope.depth >= LIMITS.depth) opaqueAt(site, 'code is nested too deep', span)
    else if (language === 'shell') this.run(text, { span, wrapper: this.invocation.name, parameters: [] })
    else if (site.analysis.budget.read > 2 * LIMITS.read)
      opaqueAt(site, 'the code that it runs is longer in all than what can be analysed', span)
    else if (site.analysis.spend(WORK.program + WORK.code * text.length, span)) {
      site.analysis.budget.read += text.length
      const scope = site.scope.clone()
      scope.depth++
      scope.whereabouts = 'unknown'
      try {
        const context = new InvocationContext({ ...site, scope }, this.invocation)
        context.imported = this.imported
        context.given = this.given
        site.analysis.languages.read(language, text, { span, context, inFile })
      } catch {
        opaqueAt(site, `the ${language} code could not be analysed to its end`, span)
      }
    }
  }

  private run(text: string, at: { readonly span: Span; readonly wrapper: string; readonly parameters: readonly Word[] }): void {
    const scope = this.enter(at.wrapper)
    if (scope === null) return
    this.dispatched = true
    scope.positional = at.parameters.length > 0 ? at.parameters : [knownWord(at.wrapper, at.span)]
    const own = this.invocation.input.kind === 'text' && sameSpan(this.invocation.input.span, at.span)
    const input = own ? NO_INPUT : this.invocation.input
    const frame = { pointer: at.span.pointer, fixed: at.span }
    this.output = this.site.walker.text(text, { ...this.site, scope, input, frame })
  }

  /** Says that names or values in the code are not known, which the analysis of the rest allows for. */
  private partly(language: Language, span: Span): void {
    emitAt(this.site, target('code', ''), {
      ...LOW_OPAQUE,
      verb: 'opaque',
      span,
      reason: `part of the ${language} code is not known before it runs`,
      attributes: { ...LOW_OPAQUE.attributes, language },
    })
  }

  /** Code whose text is not known: of an argument where one stands at the span, else of standard input. */
  private unknown(language: Language, at: { readonly span: Span; readonly word: Word | undefined; readonly by: string }): void {
    const { input } = this.invocation
    if (at.word === undefined && input.kind !== 'none' && !(input.kind === 'text' && input.text === null)) this.stdin(language)
    else runUnknown(this.site, at.word === undefined ? NOWHERE : wordProvenance([at.word]), { language, span: at.span, by: at.by })
  }

  /** `cat file | sh`: where the file cannot be read it may be a pipe, and the shell anybody's. */
  private passed(language: Language, path: Word): void {
    const { effects, fed } = this.site.analysis
    const start = effects.length
    if (runScript(this, { language, path, args: [] })) return
    for (const item of effects.slice(start)) if (item.verb === 'execute') fed.add(item)
  }

  private fed(language: Language, input: Input): void {
    const { span, name } = this.invocation
    this.site.analysis.fed.add(runUnknown(this.site, inputProvenance(input), { language, span, by: name }))
  }

  /** A scope one wrapper deeper; null where nothing more is walked, which has been said. */
  private enter(wrapper: string): Scope | null {
    const { scope, analysis } = this.site
    if (analysis.budget.exhausted || !analysis.spend(WORK.branch + WORK.variable * scope.variables.size, this.invocation.span)) {
      this.dispatched = true
      return null
    }
    if (scope.wrappers.length >= LIMITS.wrappers) {
      opaqueAt(this.site, 'the chain of wrappers is too deep to be analysed', this.invocation.span)
      return null
    }
    const inner = scope.started((name) => inherits(name, this.site))
    inner.wrappers = [...scope.wrappers, wrapper]
    inner.attributes = outliving(wrapper, scope.attributes)
    inner.whereabouts = whereaboutsBelow(scope, wrapper, this.invocation.args)
    inner.worksIn = undefined
    inner.depth++
    return inner
  }
}
