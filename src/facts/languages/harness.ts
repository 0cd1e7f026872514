import type { Effect, Span } from '../effect.ts'
import { effect, opaque, target } from '../effect.ts'
import type { CommandContext, Language, Word } from '../host.ts'
import { nothingKept } from '../host-harness.ts'
import { pathTarget } from '../resources/path/index.ts'
import { urlTarget } from '../resources/url/index.ts'
import { analyseSql } from '../sql/index.ts'
import type { View } from '../view.ts'
import { analyseCode } from './index.ts'

/** For tests of code analysis: collects what the analysis says. Paths, URLs and SQL are the real ones; commands are only noted. */

const SPAN: Span = { pointer: '/code', start: 0, end: 0 }

export interface Recorded {
  readonly effects: readonly Effect[]
  readonly shells: readonly string[]
  readonly commands: readonly string[]
  readonly codes: readonly string[]
  readonly scripts: readonly string[]
  readonly reasons: readonly string[]
}

/** A world with one user, one workspace, no files. */
export const VIEW: View = {
  home: '/home/me',
  user: 'me',
  cwd: '/repo',
  roots: ['/repo'],
  temporary: ['/tmp'],
  gate: [],
  realpath: (path) => ({ real: path, type: 'missing', links: 1 }),
  read: () => null,
  env: () => null,
  list: () => null,
  git: () => null,
  committed: () => null,
  identity: () => null,
  answers: () => [],
}

class Recorder {
  readonly view = VIEW
  readonly cwd = '/repo'
  readonly project = null
  readonly ofProject = (): boolean => false
  readonly parameters = (): readonly Word[] => []
  readonly effects: Effect[] = []
  readonly shells: string[] = []
  readonly commands: string[] = []
  readonly codes: string[] = []
  readonly scripts: string[] = []
  readonly reasons: string[] = []
  private depth = 0
  /** The context that it stands behind. */
  readonly context: CommandContext = Object.assign(this, nothingKept(VIEW))

  path(word: Word) {
    if (word.text !== null) return pathTarget(word.text, this.cwd, VIEW)
    const slash = word.prefix.lastIndexOf('/')
    return slash > 0
      ? { ...pathTarget(word.prefix.slice(0, slash), this.cwd, VIEW), value: `${word.prefix}*` }
      : target('path', `${word.prefix}*`)
  }

  url(word: Word) {
    return word.text === null && word.prefix === '' ? target('url', '') : urlTarget(word.text ?? word.prefix)
  }

  emit(...[verb, what, options]: Parameters<CommandContext['emit']>): void {
    this.effects.push(effect(verb, what, options))
  }

  thing(...[kind, value]: Parameters<CommandContext['thing']>) {
    return target(kind, value)
  }

  command(words: readonly Word[]): void {
    this.commands.push(words.map((w) => w.text ?? `${w.prefix}?`).join(' '))
  }

  shell(text: string | null): void {
    this.shells.push(text ?? '?')
  }

  code(language: Language, text: string | null, span: Span): void {
    this.codes.push(`${language}:${text ?? '?'}`)
    this.depth += 1
    if (text !== null && this.depth < 8) analyseCode(language, text, { span, context: this.context, inFile: false })
    this.depth -= 1
  }

  script(language: Language, path: Word): void {
    this.scripts.push(`${language}:${path.text ?? '?'}`)
  }

  ran(): void {}

  beside(): readonly string[] {
    return ['/repo']
  }

  module(language: Language, path: Word): void {
    this.script(language, path)
  }

  stdin(language: Language): void {
    this.codes.push(`${language}:<stdin>`)
  }

  within(...[, body]: Parameters<CommandContext['within']>): void {
    body(this.context)
  }

  sql(text: string | null, span: Span, database: Effect['target']): void {
    if (text === null) this.opaque('SQL that is not known')
    else this.effects.push(...analyseSql(text, { span, database, context: this.context }))
  }

  opaque(reason: string): void {
    this.reasons.push(reason)
    this.effects.push(opaque(reason, SPAN))
  }
}

/** What the analysis of a source text says. */
export function record(language: Language, source: string): Recorded {
  const recorder = new Recorder()
  analyseCode(language, source, { span: SPAN, context: recorder.context, inFile: false })
  return recorder
}

/** One line for each effect: `verb action kind:value`, and what else was handed on; sorted, said once. */
export function summary(language: Language, source: string): readonly string[] {
  const { effects, shells, commands, codes, scripts } = record(language, source)
  const lines = [
    ...effects.map((e) =>
      e.verb === 'opaque' ? `opaque ${e.reason ?? ''}` : [e.verb, e.action, e.target.value].filter((p) => p !== null && p !== '').join(' '),
    ),
    ...shells.map((s) => `$ ${s}`),
    ...commands.map((c) => `> ${c}`),
    ...codes,
    ...scripts.map((s) => `script ${s}`),
  ]
  return [...new Set(lines)].sort()
}
