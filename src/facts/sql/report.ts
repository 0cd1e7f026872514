import { type Effect, type EffectOptions, effect, opaque, type Span, type Target, target, type Verb } from '../effect.ts'
import type { CommandContext, Word } from '../host.ts'
import { readPath, writePath } from '../resources/acts.ts'
import { textOf } from '../resources/file-text.ts'
import { SqlCoverage } from './coverage.ts'
import { SQL_LIMITS } from './lex.ts'

/** Collects what SQL does: on the database, on files, in a shell. */
export interface SqlOptions {
  readonly span: Span | null
  readonly database: Target
  /** Where given, files and shell commands in the SQL are analysed by it; else they are effects of their own. */
  readonly context?: CommandContext
}

export class Report {
  readonly effects: Effect[] = []
  readonly coverage = new SqlCoverage()
  private readonly options: SqlOptions
  private readonly nested: (sql: string) => void
  private readonly said = new Set<string>()
  /** Offsets of the statement at hand, where the whole text that the span covers is SQL. */
  part: { readonly start: number; readonly end: number } | null = null
  /** How sure it is that the statement at hand runs. */
  certainty: 'certain' | 'likely' | 'possible' = 'certain'
  /** What effects say of the database where a statement before chose another one: its name, and null where that is not known. */
  private moved: { readonly database?: string | null; readonly host?: null } = {}

  /** `nested` reports the statements of another file. */
  constructor(options: SqlOptions, nested: (sql: string) => void) {
    this.options = options
    this.nested = nested
  }

  private get span(): Span | null {
    const { span } = this.options
    if (span === null || this.part === null) return span
    return { ...span, start: span.start + this.part.start, end: span.start + this.part.end }
  }

  private once(key: string): boolean {
    if (this.said.has(key)) return false
    this.said.add(key)
    return true
  }

  database(verb: Verb, action: string, extra: EffectOptions = {}): void {
    const { database } = this.options
    const { span } = this
    const attributes = { ...extra.attributes, ...this.moved }
    if (!this.once(`${verb} ${action} ${JSON.stringify(attributes)}`)) return
    const said = Object.keys(attributes).length === 0 ? {} : { attributes }
    this.effects.push(effect(verb, database, { action, span, certainty: this.certainty, ...extra, ...said }))
  }

  /** What follows is about another database; null: which one is not known. `server`: it may be on another one, too. */
  move(name: string | null, server = false): void {
    const same = name === this.options.database.value
    this.moved = { ...(same ? {} : { database: name }), ...(server ? { host: null } : {}) }
  }

  opaque(reason: string): void {
    if (this.once(reason)) this.effects.push(opaque(reason, this.span))
  }

  private word(path: string): Word {
    return { text: path, prefix: path, glob: false, dynamic: false, span: this.span ?? { pointer: '', start: 0, end: 0 } }
  }

  /** A file that the database server or its client reads or writes. */
  file(verb: 'read' | 'write', path: string, action: string): void {
    const { context } = this.options
    const { span } = this
    if (path.startsWith('|')) {
      if (/^\|\s*(?:\S*\/)?(?:ba|da|z|k|a)?sh\s*$/.test(path)) this.opaque('a shell runs what the database prints')
      this.shell(path.slice(1), action)
      return
    }
    const extra = { action, certainty: this.certainty, attributes: { by: 'sql' } }
    if (/^(?:s3|gs|gcs|azure|https?):\/\//i.test(path)) this.url(verb === 'read' ? 'fetch' : 'send', path, action)
    else if (!this.once(`${verb} ${action} ${path}`)) return
    else if (context !== undefined) (verb === 'read' ? readPath : writePath)(context, this.word(path), extra)
    else this.effects.push(effect(verb, target('path', path), { span, ...extra }))
  }

  /** A file of statements that runs too: read through the View, opaque where it cannot be. */
  script(path: string): void {
    const { context } = this.options
    if (this.said.has(`script ${path}`)) return
    this.said.add(`script ${path}`)
    this.file('read', path, 'sql:script')
    const text = context === undefined ? null : textOf(this.word(path), context, SQL_LIMITS.text)
    if (text === null) this.opaque(`the SQL of \`${path}\` runs, and what is in it is not known`)
    else this.nested(text)
  }

  url(verb: 'fetch' | 'send', address: string, action: string): void {
    const { context } = this.options
    const { span } = this
    if (!this.once(`${verb} ${action} ${address}`)) return
    const where = context === undefined ? target('url', address) : context.url(this.word(address))
    this.effects.push(
      effect(verb, where, { span, action, certainty: this.certainty, ...(verb === 'send' ? { attributes: { carries: 'file' } } : {}) }),
    )
  }

  /** A shell command that the database server or its client runs. */
  shell(command: string | null, action: string): void {
    const { context } = this.options
    const { span } = this
    const text = command?.trim() ?? null
    if (!this.once(`shell ${action} ${text ?? ''}`)) return
    this.effects.push(
      effect('execute', target('program', text ?? ''), {
        action,
        span,
        reversible: false,
        certainty: this.certainty,
        reason: 'the database runs a program',
      }),
    )
    if (context !== undefined && span !== null) context.shell(text, span, action)
    else if (text === null) this.opaque('the database runs a program that is not known')
  }
}
