import { watchKey } from '../../session/written.ts'
import { type Effect, opaque, type Span } from '../effect.ts'
import type { CommandFact, ScriptFact, WrittenFact } from '../facts.ts'
import type { Invocation, Language, Languages } from '../host.ts'
import { knownWord } from '../resources/text/word.ts'
import type { View } from '../view.ts'
import { remoteSource } from './flow/flow.ts'
import { SETTINGS_PLACE } from './state/brought.ts'
import type { Earlier } from './state/earlier.ts'
import type { Written } from './state/files.ts'
import { Analysis, type ExecutionContext, NO_INPUT, Scope } from './state/state.ts'
import { InvocationContext } from './walk/context.ts'
import { runUncalled } from './walk/deferred.ts'
import { runTraps } from './walk/trap.ts'
import { walker } from './walk/walk.ts'

/** Shell text to effects: what would happen if it ran. Nothing is run, and nothing unresolved is dropped. */

export interface ShellOptions {
  /** JSON pointer of the text in the call's arguments. */
  readonly pointer: string
  readonly view: View
  /** Who reads the other languages that the text runs code of. */
  readonly languages: Languages
  /** Absolute directory the text runs in; null where unknown. */
  readonly cwd: string | null
  /** Nesting that was already used up by the caller. Default: 0. */
  readonly depth?: number
  /** Work that other texts of the same call used up already, as `ShellFacts.work` tells it. Default: 0. */
  readonly used?: number
  /** What earlier calls of the session wrote. Default: nothing is known of them. */
  readonly earlier?: Earlier
  /** Of the text. Default: the shell's. */
  readonly language?: Language
}

export interface ShellFacts {
  readonly effects: readonly Effect[]
  /** Every program that would run, wrappers taken off. */
  readonly commands: readonly CommandFact[]
  /** Script files whose content was analysed. */
  readonly scripts: readonly ScriptFact[]
  /** Files it would write. */
  readonly written: readonly WrittenFact[]
  /** partial where anything is opaque or a limit was reached. */
  readonly coverage: 'full' | 'partial'
  /** What the analysis cost, `used` included. */
  readonly work: number
}

/** Analyses shell text. Never throws: a failure inside becomes an opaque effect beside what was found before it. */
export function analyseShell(text: string, options: ShellOptions): ShellFacts {
  const analysis = new Analysis(options)
  analysis.budget.work = options.used ?? 0
  const scope = new Scope(options.cwd)
  scope.depth = options.depth ?? 0
  const site: ExecutionContext = {
    analysis,
    scope,
    frame: { pointer: options.pointer, fixed: null, length: text.length },
    input: NO_INPUT,
    piped: false,
    captured: false,
    forked: false,
    sockets: [],
    walker,
    pending: [],
  }
  try {
    if (options.language === undefined) walker.text(text, site)
    else new InvocationContext(site, programOf(text, options)).code(options.language, text, spanOf(text, options))
    runTraps(analysis, scope)
    runUncalled(site)
  } catch {
    analysis.add(opaque('the script could not be analysed to its end', spanOf(text, options)))
  }
  return {
    effects: analysis.effects,
    commands: analysis.commands,
    scripts: analysis.scripts,
    written: writtenBy(analysis),
    coverage: analysis.partial ? 'partial' : 'full',
    work: analysis.budget.work,
  }
}

const spanOf = (text: string, { pointer }: ShellOptions): Span => ({ pointer, start: 0, end: text.length })

/** A program that is given the text, whatever it is called. */
function programOf(text: string, options: ShellOptions): Invocation {
  const span = spanOf(text, options)
  const name = options.language ?? ''
  return { name, program: knownWord(name, span), args: [], env: new Map(), input: NO_INPUT, piped: false, span }
}

const NOT_KEPT: Pick<Written, 'text' | 'from' | 'added'> = { text: null, from: [] }

function writtenBy(analysis: Analysis): readonly WrittenFact[] {
  const paths = analysis.effects.flatMap(({ verb, action, target }) =>
    verb === 'write' && action !== 'fs:mkdir' && target.kind === 'path' && target.real !== null ? [target.real] : [],
  )
  const unseen = [
    ...[...analysis.brought].map((directory) => ({ path: `${directory}/${SETTINGS_PLACE}`, text: null, origin: null })),
    ...[...analysis.watching].map(([directory, by]) => ({ path: watchKey(directory), text: null, origin: by })),
  ]
  if (paths.length === 0) return unseen
  // What one command wrote came from one place: it is looked for once.
  const origins = new Map<readonly Effect[], string | null>()
  const written = [...new Set(paths)].map((path) => {
    const { text, from, added } = analysis.files.written.get(path) ?? NOT_KEPT
    if (!origins.has(from)) origins.set(from, (remoteSource(from, analysis) ?? analysis.earlier.source(from))?.target.value ?? null)
    return { path, text, origin: origins.get(from) ?? null, ...(added === undefined ? {} : { added }) }
  })
  const unpacked = written.filter(({ origin }) => origin !== null).flatMap(({ path, origin }) => namedTree(path, origin, analysis))
  return [...unseen, ...written, ...unpacked]
}

/** An archive fills a directory that is called like itself, wherever it is unpacked. */
function namedTree(path: string, origin: string | null, { effects }: Analysis): readonly WrittenFact[] {
  const unpacking = effects.find(({ action, target }) => action === 'archive:extract' && target.real === path)
  const { from } = unpacking?.attributes ?? {}
  const name = (typeof from === 'string' ? from : (origin ?? '')).replace(/[?#].*$/s, '')
  const stem = unpacking === undefined ? '' : name.slice(name.lastIndexOf('/') + 1).replace(ARCHIVE, '')
  return /^[\w.+-]+$/.test(stem) && !/^\.*$/.test(stem) ? [{ path: `${path}/${stem}`, text: null, origin }] : []
}

const ARCHIVE = /\.(?:tar(?:\.\w{1,4})?|t[gbx]z2?|tzst|zip|7z|rar|cpio|jar|whl)$/i
