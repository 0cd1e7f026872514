import type { JsonObject } from '../../core/json.ts'
import type { Effect, EffectOptions, Target, Verb } from '../effect.ts'
import { hasClass } from '../effect.ts'
import type { CommandContext, Invocation, Word } from './spec.ts'

/** The acts that command tables have in common: one word in, one effect out, with what its spelling says about its reach. */

/** Names that stand for a stream or for nothing. */
const STREAMS: ReadonlySet<string> = new Set(['/dev/null', '/dev/stdin', '/dev/stdout', '/dev/stderr', '/dev/tty', '/dev/zero'])

/** True for `-`, `/dev/null` and the like: no file is touched. */
export function isStream(word: Word): boolean {
  return word.text !== null && (word.text === '-' || STREAMS.has(word.text) || word.text.startsWith('/dev/fd/'))
}

/** A statically known word that stands where `at` stands. */
export function wordOf(text: string, at: Word): Word {
  return { text, prefix: text, glob: false, dynamic: false, span: at.span }
}

/** Joins known text before a word: `sub/` + `x`. */
export function joinWord(before: string, word: Word): Word {
  return { ...word, text: word.text === null ? null : before + word.text, prefix: before + word.prefix }
}

/** What the spelling of a path says about how much it stands for. */
export function reach(word: Word, target: Target): JsonObject {
  const root = hasClass(target, 'filesystem-root', 'home-root', 'workspace-root')
  return {
    ...(word.glob || root ? { mass: true } : {}),
    ...(word.glob ? { glob: true } : {}),
    ...(root ? { root: true } : {}),
    ...(word.text === null && !word.glob ? { unresolved: true } : {}),
    ...(word.dynamic ? { dynamic: true } : {}),
  }
}

function pathEffect(verb: Verb, word: Word, context: CommandContext, options: EffectOptions): void {
  const target = context.path(word)
  const unknown = word.text === null && !word.glob
  context.emit(verb, target, {
    span: word.span,
    ...(unknown ? { reason: 'the path is not known before the command runs' } : {}),
    ...options,
    attributes: { ...reach(word, target), ...options.attributes },
  })
}

/** Reads a file or a tree; nothing for a stream. */
export function readPath(context: CommandContext, word: Word, options: EffectOptions = {}): void {
  if (!isStream(word)) pathEffect('read', word, context, options)
}

/** Writes a file; nothing for a stream. */
export function writePath(context: CommandContext, word: Word, options: EffectOptions = {}): void {
  if (isStream(word)) return
  const irreversible = hasClass(context.path(word), 'device') ? { reversible: false } : {}
  pathEffect('write', word, context, { ...irreversible, ...options })
}

/** Removes a path; not reversible unless said. */
export function deletePath(context: CommandContext, word: Word, options: EffectOptions = {}): void {
  pathEffect('delete', word, context, options)
}

/** Changes a path without touching its content: mode, owner, attributes. */
export function changePath(context: CommandContext, word: Word, options: EffectOptions): void {
  pathEffect('change', word, context, options)
}

/** The scheme a URL is written with; null for a scheme-less host. */
export function schemeOf(word: Word): string | null {
  const end = word.prefix.indexOf('://')
  const scheme = end < 0 ? '' : word.prefix.slice(0, end)
  return /^[A-Za-z][A-Za-z0-9+.-]*$/.test(scheme) ? scheme.toLowerCase() : null
}

/** Contacts a URL or host with the given verb. What a substitution puts into the address leaves with it. */
export function reachUrl(context: CommandContext, verb: Verb, word: Word, options: EffectOptions = {}): void {
  const scheme = schemeOf(word)
  context.emit(verb, context.url(word), {
    span: word.span,
    ...(word.text === null ? { reason: 'the address is not known before the command runs' } : {}),
    ...options,
    attributes: {
      ...(scheme === null ? {} : { scheme }),
      ...(word.dynamic ? { dynamic: true } : {}),
      ...cargoAttributes(word.dynamic ? dataCargo(word) : NO_CARGO),
      ...options.attributes,
    },
  })
}

/** What a sending effect takes along, worst first; the `carries` attribute names the worst. */
const CARRIED = ['credential', 'environment', 'archive', 'file', 'command-output', 'variable'] as const
export type Carried = (typeof CARRIED)[number]

export interface Cargo {
  readonly what: readonly Carried[]
  /** Names of the files in it. */
  readonly files: readonly string[]
}

export const NO_CARGO: Cargo = { what: [], files: [] }

export function joinCargo(...parts: readonly Cargo[]): Cargo {
  return { what: parts.flatMap((p) => p.what), files: parts.flatMap((p) => p.files) }
}

function fileTarget(target: Target): Cargo {
  return { what: [hasClass(target, 'credential') ? 'credential' : 'file'], files: [target.value] }
}

/** The cargo of a file named by a word. */
export function fileCargo(context: CommandContext, word: Word): Cargo {
  return fileTarget(context.path(word))
}

function effectsCargo(effects: readonly Effect[]): Cargo {
  const read = effects.filter((e) => e.verb === 'read' && e.action !== 'fs:list' && e.action !== 'fs:stat')
  return joinCargo(
    ...read.map((e) => (e.target.kind === 'variable' ? { what: ['environment' as const], files: [] } : fileTarget(e.target))),
  )
}

/** The cargo of literal data: nothing where it is known, else the files behind its substitutions, a command's output or a variable. */
export function dataCargo(word: Word): Cargo {
  const inside = effectsCargo(word.from ?? [])
  if (inside.what.length > 0) return inside
  if (word.dynamic) return { what: ['command-output'], files: [] }
  return word.text === null ? { what: ['variable'], files: [] } : NO_CARGO
}

const ARCHIVERS: ReadonlySet<string> = new Set(['tar', 'bsdtar', 'zip', 'gzip', 'bzip2', 'xz', 'zstd', '7z', 'cpio'])
const ENVIRONMENT: ReadonlySet<string> = new Set(['env', 'printenv', 'set', 'export', 'declare', 'typeset'])

/** The cargo of standard input: what the commands before it in the pipe read, or that they printed something. */
export function inputCargo(context: CommandContext, invocation: Invocation): Cargo {
  const { input } = invocation
  switch (input.kind) {
    case 'none':
      return NO_CARGO
    case 'text':
      return input.text === null ? { what: ['command-output'], files: [] } : NO_CARGO
    case 'file':
      return fileCargo(context, input.word)
    case 'pipe': {
      const inside = effectsCargo(input.from)
      const how = input.producers.flatMap((name): Carried[] => {
        if (ENVIRONMENT.has(name)) return ['environment']
        return ARCHIVERS.has(name) ? ['archive'] : []
      })
      return { what: [...inside.what, ...how, 'command-output'], files: inside.files }
    }
  }
}

/** Attributes of a sending effect: `carries` (the worst of its cargo) and `files`. */
export function cargoAttributes(cargo: Cargo): JsonObject {
  const worst = CARRIED.find((kind) => cargo.what.includes(kind))
  if (worst === undefined) return {}
  return { carries: worst, ...(cargo.files.length > 0 ? { files: [...new Set(cargo.files)] } : {}) }
}

/** Name of what feeds standard input over the network, where a fetch does: `curl … | tar x`. */
export function fedFrom(invocation: Invocation): string | null {
  if (invocation.input.kind !== 'pipe') return null
  return invocation.input.from.find((e) => e.verb === 'fetch')?.target.value ?? null
}

/** Last component of a path word; null where it is not known. */
export function baseName(word: Word): string | null {
  if (word.text === null || word.glob) return null
  let end = word.text.length
  while (end > 1 && word.text[end - 1] === '/') end--
  return word.text.slice(word.text.lastIndexOf('/', end - 1) + 1, end)
}

/** True where the path is a directory as far as spelling and View tell: files would land inside it. */
export function isDirectory(context: CommandContext, word: Word): boolean {
  const { text } = word
  if (text === null) return word.prefix.endsWith('/')
  if (text.endsWith('/') || text === '.' || text === '..' || text === '~' || text.endsWith('/..') || text.endsWith('/.')) return true
  const { real } = context.path(word)
  return real !== null && context.view.realpath(real).type === 'directory'
}

/** The name that `source` gets inside directory `into`; the directory itself where that is not known. */
export function insideOf(into: Word, source: Word): Word {
  const base = baseName(source)
  if (base === null || into.text === null) return into
  const path = into.text.endsWith('/') ? into.text + base : `${into.text}/${base}`
  return wordOf(path, into)
}
