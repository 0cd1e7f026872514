import type { JsonObject } from '../../core/json.ts'
import type { EffectOptions, Target, Verb } from '../effect.ts'
import { hasClass } from '../effect.ts'
import type { CommandContext, Invocation, Word } from '../host.ts'
import { changedWord } from './text/word.ts'
import { describeUrl, urlAttributes } from './url/index.ts'

/** The acts that command tables have in common: one word in, one effect out, with what its spelling says about its reach. */

/** Names that stand for a stream or for nothing. */
const STREAMS: ReadonlySet<string> = new Set(['/dev/null', '/dev/stdin', '/dev/stdout', '/dev/stderr', '/dev/tty', '/dev/zero'])

/** True for the name of an open descriptor; `/dev/fd/../../etc/shadow` is a path like any other. */
export function isDescriptorPath(text: string | null): text is string {
  return text !== null && /^\/dev\/fd\/\d+$/.test(text)
}

/** True for `-`, `/dev/null` and the like: no file is touched. */
export function isStream(word: Word): boolean {
  return word.text !== null && (word.text === '-' || STREAMS.has(word.text) || isDescriptorPath(word.text))
}

/** A statically known word that stands where `at` stands. */
export function wordOf(text: string, at: Word): Word {
  return { text, prefix: text, glob: false, dynamic: false, span: at.span }
}

/** Joins known text before a word: `sub/` + `x`. */
export function joinWord(before: string, word: Word): Word {
  return changedWord(word, (text) => before + text)
}

const AS_WRITTEN: JsonObject = Object.freeze({})

/** What the spelling of a path says about how much it stands for. */
export function reach(word: Word, target: Target): JsonObject {
  const root = target.classes.length > 0 && hasClass(target, 'filesystem-root', 'home-root', 'workspace-root')
  if (!word.glob && !root && word.text !== null && !word.dynamic) return AS_WRITTEN
  return {
    ...(word.glob || root ? { mass: true } : {}),
    ...(word.glob ? { glob: true } : {}),
    ...(root ? { root: true } : {}),
    ...(word.text === null && !word.glob ? { unresolved: true } : {}),
    ...(word.dynamic ? { dynamic: true } : {}),
  }
}

/** An effect's options, and what it does. */
type Doing = EffectOptions & { readonly verb: Verb }

/** Written out: spreading is slow, and this is done for each path. */
function pathEffect(context: CommandContext, word: Word, { verb, action, reversible, certainty, span, reason, attributes }: Doing): void {
  const target = context.path(word)
  const unknown = word.text === null && !word.glob
  const said = reach(word, target)
  context.emit(verb, target, {
    action,
    reversible,
    certainty,
    span: span ?? word.span,
    reason: reason ?? (unknown ? 'the path is not known before the command runs' : null),
    attributes: said === AS_WRITTEN ? attributes : { ...said, ...attributes },
  })
}

/** Reads a file or a tree; nothing for a stream. */
export function readPath(context: CommandContext, word: Word, options: EffectOptions = {}): void {
  if (!isStream(word)) pathEffect(context, word, { verb: 'read', ...options })
}

/** Writes a file; nothing for a stream. */
export function writePath(context: CommandContext, word: Word, options: EffectOptions = {}): void {
  if (isStream(word)) return
  const irreversible = hasClass(context.path(word), 'device') ? { reversible: false } : {}
  pathEffect(context, word, { verb: 'write', ...irreversible, ...options })
}

/** Removes a path; not reversible unless said. */
export function deletePath(context: CommandContext, word: Word, options: EffectOptions = {}): void {
  pathEffect(context, word, { verb: 'delete', ...options })
}

/** Changes a path without touching its content: mode, owner, attributes. */
export function changePath(context: CommandContext, word: Word, options: EffectOptions): void {
  pathEffect(context, word, { verb: 'change', ...options })
}

/** An address where a path may stand, other than that of a file or of a database in one. */
export function isAddress({ prefix }: Word): boolean {
  return /^(?!file:|sqlite:|memory:|data:)[a-z][a-z0-9+.-]{1,16}:\/\/[^/]/i.test(prefix)
}

/** Schemes whose first part is a bucket, no host. */
const BUCKET = /^(?:s3[an]?|gs|gcs|az|abfss?|adl|wasbs?|r2|oss|hf|dbfs):/i

/** Data is read from an address, or written to one. */
export function reachData(context: CommandContext, word: Word, { verb, ...options }: EffectOptions & { verb: 'fetch' | 'send' }): void {
  if (!BUCKET.test(word.prefix)) reachUrl(context, word, { verb, ...options })
  else {
    const action = verb === 'send' ? 'cloud:upload' : 'cloud:download'
    context.emit(verb, context.thing('resource', word.text ?? word.prefix), { action, span: word.span, ...options })
  }
}

/** Kinds of public service that local data is dropped at. */
const DROPS: ReadonlySet<string> = new Set(['paste', 'file-sharing', 'webhook-catcher', 'message-webhook', 'tunnel'])

/** What the spelling of an address says: scheme, port, registrable domain, `service` where it is a known place to drop data. */
function addressAttributes(word: Word): JsonObject {
  const facts = describeUrl(word.text ?? word.prefix)
  const service = facts.kind !== null && DROPS.has(facts.kind) ? { service: facts.kind } : {}
  // The scheme that is assumed for a bare host says nothing.
  const known = facts.explicit ? facts : { ...facts, scheme: null }
  return { ...urlAttributes(known), ...service, ...(word.dynamic ? { dynamic: true } : {}) }
}

/** Contacts a URL or host with the given verb. What it carries the walker adds: it knows where the bytes come from. */
export function reachUrl(context: CommandContext, word: Word, { verb, ...options }: Doing): void {
  context.emit(verb, context.url(word), {
    span: word.span,
    ...(word.text === null ? { reason: 'the address is not known before the command runs' } : {}),
    ...options,
    attributes: { ...addressAttributes(word), ...options.attributes },
  })
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
  return landsInside(context, word) !== 'no'
}

/** Whether files would land inside of the path, as far as spelling, View and what the call did until now tell; `follows`: links, too. */
export function landsInside(context: CommandContext, word: Word, follows = true): 'yes' | 'no' | 'maybe' {
  const { text } = word
  if (text === null) return word.prefix.endsWith('/') ? 'yes' : 'no'
  if (text.endsWith('/') || text === '.' || text === '..' || text === '~' || text.endsWith('/..') || text.endsWith('/.')) return 'yes'
  const { real } = context.path(word)
  if (real === null) return 'no'
  if (follows) return context.isDirectory(real)
  return context.view.realpath(real).type === 'directory' ? 'yes' : 'no'
}

/** The names that `source` may get where it is put. */
export function landings(into: Word, source: Word, inside: ReturnType<typeof landsInside>): readonly Word[] {
  return inside === 'no' ? [into] : inside === 'yes' ? [insideOf(into, source)] : [insideOf(into, source), into]
}

/** The name that `source` gets inside directory `into`; the directory itself where that is not known. */
export function insideOf(into: Word, source: Word): Word {
  const base = baseName(source)
  if (base === null || into.text === null) return into
  const path = into.text.endsWith('/') ? into.text + base : `${into.text}/${base}`
  return wordOf(path, into)
}
