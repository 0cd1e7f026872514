import type { HereDoc, HereString, Redirect, Redirection } from 'unbash'
import { type Effect, type Span, type Target, target } from '../../effect.ts'
import type { Input, Word } from '../../host.ts'
import { isDescriptorPath, isStream, reach } from '../../resources/acts.ts'
import { unknownWord } from '../../resources/text/word.ts'
import { urlTarget } from '../../resources/url/index.ts'
import { expandBody, expandSingle } from '../expand/expand.ts'
import { WORK } from '../state/budget.ts'
import type { Written } from '../state/files.ts'
import { merged } from '../state/origins.ts'
import { changed, type ExecutionContext, emitAt, type Output, setVariable, spanOf } from '../state/state.ts'
import type { Streams } from './builtin.ts'
import { fileKey, keyOf, pathOf } from './target.ts'

/** Redirections: files that are written and read, descriptors that lead to the network, text that is fed in. */

interface Building {
  input: Input
  away: boolean
  readonly outputs: { key: string; append: boolean }[]
  readonly received: Effect[]
  readonly sent: Effect[]
  readonly effects: Effect[]
  readonly listed: Effect[]
}

/** Emits the effects of the redirections, in order, and says where the streams go. */
export function applyRedirects(redirects: readonly Redirection[], site: ExecutionContext): Streams {
  const streams: Building = { input: site.input, away: false, outputs: [], received: [], sent: [], effects: [], listed: [] }
  for (const redirect of redirects) {
    if (!site.analysis.spend(WORK.redirect, spanOf(redirect, site.frame))) break
    if (redirect.type === 'Redirect') applyRedirect(redirect, streams, site)
    else feed(redirect, streams, site)
  }
  return streams
}

/** The descriptor as a number; null for `{name}>`. */
function descriptorOf(redirect: Redirection): number | null {
  const { descriptor } = redirect
  if (descriptor === undefined) return redirect.operator.startsWith('<') ? 0 : 1
  return descriptor.type === 'FileDescriptor' ? descriptor.value : null
}

function feed(redirect: HereDoc | HereString, streams: Building, site: ExecutionContext): void {
  const word = redirect.type === 'HereString' ? hereString(redirect, site) : hereDocument(redirect, site)
  if (word === null) return
  const descriptor = descriptorOf(redirect)
  if (descriptor === 0) streams.input = inputOf(word)
  else if (descriptor !== null) hold(descriptor, word, site)
}

/** Text under a descriptor of its own: `exec 3<<<'ls'; bash <&3`, `bash /dev/fd/3 3<<<'ls'`. */
function hold(descriptor: number, word: Word, site: ExecutionContext): void {
  const from = word.from ?? []
  site.analysis.files.written.set(descriptorPath(descriptor), { text: word.text, decoded: word.decoded === true, from })
  site.scope.descriptors = changed(site.scope.descriptors, descriptor, from)
}

function descriptorPath(descriptor: number): string {
  return `/dev/fd/${descriptor}`
}

/** A word as standard input. */
export function inputOf(word: Word): Input {
  if (word.text === null) return { kind: 'pipe', from: word.from ?? [], producers: [] }
  return { kind: 'text', text: word.text, span: word.span, ...(word.decoded === true ? { decoded: true } : {}) }
}

function hereString(redirect: HereString, site: ExecutionContext): Word | null {
  if (redirect.target === undefined) return null
  const word = expandSingle(redirect.target, site)
  return word.text === null ? word : { ...word, text: `${word.text}\n` }
}

function hereDocument(redirect: HereDoc, site: ExecutionContext): Word {
  const { body, delimiter, operator } = redirect
  const span = spanOf(body, site.frame)
  const quoted = delimiter?.quoted === true
  const word = quoted
    ? { text: body.text, prefix: body.text, glob: false, dynamic: false, span }
    : expandBody(body.parts, body.text, { site, span })
  return operator === '<<-' && word.text !== null ? { ...word, text: word.text.replace(/^\t+/gm, '') } : word
}

const NETWORK = /^\/dev\/(?:tcp|udp)\/([^/]+)\/([^/]+)$/

function applyRedirect(redirect: Redirect, streams: Building, site: ExecutionContext): void {
  if (redirect.target === undefined) return
  const word = expandSingle(redirect.target, site)
  const descriptor = descriptorOf(redirect)
  if (redirect.descriptor?.type === 'FileDescriptorVariable') {
    setVariable(site.scope, redirect.descriptor.name, { word: unknownWord(word.span), elements: null })
  }
  const { operator } = redirect
  const duplicates = operator === '<&' || (operator === '>&' && (redirect.descriptor !== undefined || isDescriptor(word)))
  if (duplicates && (isDescriptor(word) || word.text === null)) {
    duplicate(word, operator, { streams, site, descriptor })
    return
  }
  if (descriptor !== null && descriptor > 2) site.analysis.files.written.delete(descriptorPath(descriptor))
  const network = networkTarget(word)
  if (network !== null) connect(network, { operator, streams, site, descriptor, span: word.span })
  else if (operator === '<') readFrom(word, { streams, site, descriptor })
  else writeTo(word, { operator, streams, site, descriptor })
}

function isDescriptor(word: Word): boolean {
  return word.text !== null && /^(?:\d+-?|-)$/.test(word.text)
}

interface Redirecting {
  readonly streams: Building
  readonly site: ExecutionContext
  readonly descriptor: number | null
}

/** Whoever wrote what a descriptor holds: not a file as it stands on disk. */
const UNNAMED: readonly string[] = ['']

/** Another descriptor for what would be standard input: `exec 3< <(…)`, `4<file`. */
function keep(descriptor: number, input: Input, site: ExecutionContext): void {
  const path = descriptorPath(descriptor)
  const { written: files } = site.analysis.files
  const from = input.kind === 'pipe' || input.kind === 'file' ? (input.from ?? []) : []
  site.scope.descriptors = changed(site.scope.descriptors, descriptor, from)
  if (input.kind === 'text') files.set(path, { text: input.text, decoded: input.decoded === true, from })
  else if (input.kind === 'none') files.set(path, { text: '', decoded: false, from })
  else if (input.kind === 'pipe') files.set(path, { text: null, decoded: input.decoded === true, from })
  else files.set(path, { text: null, decoded: false, from, same: pathOf(input.word, site) })
}

/** `2>&1` moves nothing; `>&3` and `<&3` may lead where an earlier `exec 3<>…` leads. */
function duplicate(word: Word, operator: string, at: Redirecting): void {
  const { streams, site, descriptor } = at
  const source = word.text === null ? Number.NaN : Number.parseInt(word.text, 10)
  if (descriptor === 1 && (source === 2 || word.text === '-')) streams.away = true
  const effects = site.scope.descriptors.get(source)
  if (operator === '<&') duplicateInput(word, source, at)
  if (effects === undefined) return
  const held = site.analysis.files.written.get(descriptorPath(source))
  if (descriptor !== null && descriptor > 2) {
    site.scope.descriptors = changed(site.scope.descriptors, descriptor, effects)
    if (held !== undefined) site.analysis.files.written.set(descriptorPath(descriptor), held)
  }
  if (operator === '<&' && descriptor === 0) {
    streams.input = heldInput(held, effects, word.span)
    streams.received.push(...effects.filter(({ action }) => action === 'net:socket'))
  } else {
    streams.sent.push(...effects)
    if (descriptor === 1) streams.away = true
  }
}

function duplicateInput(word: Word, source: number, { streams, site, descriptor }: Redirecting): void {
  // Whatever a name like `${JOB[0]}` stands for: a shell that reads from there runs what is not known.
  const opened = source <= 2 || site.scope.descriptors.has(source) || site.analysis.files.written.has(descriptorPath(source))
  if (descriptor === 0 && (word.text === null || !(Number.isNaN(source) || opened)))
    streams.input = { kind: 'pipe', from: [], producers: [] }
  if (source === 0 && descriptor !== null && descriptor > 2) keep(descriptor, streams.input, site)
}

/** What is read from a descriptor that an earlier redirection opened. */
function heldInput(held: Written | undefined, effects: readonly Effect[], span: Span): Input {
  const decoded = held?.decoded === true ? { decoded: true } : {}
  const text = held?.text ?? null
  if (text !== null) return { kind: 'text', text, span, ...decoded }
  return { kind: 'pipe', from: effects, producers: held === undefined || held.same !== undefined ? [] : UNNAMED, ...decoded }
}

/** `/dev/tcp/host/port` as the address it stands for; null for everything else. */
export function networkTarget(word: Word): Target | null {
  const known = word.text ?? word.prefix
  if (!known.startsWith('/dev/tcp/') && !known.startsWith('/dev/udp/')) return null
  const match = word.text === null ? null : NETWORK.exec(word.text)
  return match === null ? target('address', word.raw ?? known) : urlTarget(`${match[1]}:${match[2]}`)
}

function connect(address: Target, at: Redirecting & { readonly operator: string; readonly span: Span }): void {
  const { operator, streams, site, descriptor, span } = at
  const options = { action: 'net:socket', span }
  const made: Effect[] = []
  const both = operator === '<>'
  if (operator === '<' || both) made.push(emitAt(site, address, { verb: 'fetch', ...options }))
  if (operator !== '<') made.push(emitAt(site, address, { verb: 'send', ...options }))
  if (descriptor !== null && descriptor > 2) site.scope.descriptors = changed(site.scope.descriptors, descriptor, made)
  if (descriptor === 0) {
    streams.input = { kind: 'pipe', from: made, producers: [] }
    streams.received.push(...made)
  }
  if (operator !== '<' && descriptor !== 0) streams.sent.push(...made)
  if (descriptor === 1) streams.away = true
}

function readFrom(word: Word, { streams, site, descriptor }: Redirecting): void {
  const key = fileKey(word, site)
  const written = key === null ? undefined : site.analysis.files.written.get(key)
  const file = !isDescriptorPath(word.text)
  const made = file && !isStream(word) ? [emitAt(site, pathOf(word, site), { verb: 'read', ...pathOptions(word, pathOf(word, site)) })] : []
  const own = written !== undefined && written.same === undefined && !file ? UNNAMED : []
  const input: Input =
    written !== undefined && written.text !== null
      ? inputOf({ ...word, text: written.text, decoded: written.decoded })
      : written !== undefined
        ? { kind: 'pipe', from: [...made, ...written.from], producers: own, decoded: written.decoded }
        : isStream(word) && file
          ? { kind: 'none' }
          : { kind: 'file', word, from: made }
  if (descriptor === 0) streams.input = input
  else if (descriptor !== null) keep(descriptor, word.text === '/dev/stdin' ? streams.input : input, site)
}

function pathOptions(word: Word, path: Target, append = false) {
  const unknown = word.text === null && !word.glob
  return {
    span: word.span,
    ...(unknown ? { reason: 'the path is not known before the command runs' } : {}),
    attributes: { ...reach(word, path), ...(append ? { append: true } : {}) },
  }
}

/** A write over what a pattern names, or what something else printed. */
const listed = ({ glob, text, from = [] }: Word, operator: string, made: Effect): readonly Effect[] =>
  !operator.endsWith('>>') && (glob || (text === null && from.length > 0)) ? [made] : []

function writeTo(word: Word, at: Redirecting & { readonly operator: string }): void {
  const { operator, streams, site, descriptor } = at
  const append = operator.endsWith('>>')
  const isOutput = descriptor === 1 || operator.startsWith('&')
  if (isOutput) streams.away = word.text !== '/dev/stdout' && word.text !== '/dev/stderr' && word.text !== '/dev/tty'
  if (isStream(word)) return
  const path = pathOf(word, site)
  const made = emitAt(site, path, { verb: 'write', ...pathOptions(word, path, append) })
  if (operator === '<>') {
    emitAt(site, path, { verb: 'read', ...pathOptions(word, path) })
    if (descriptor === 0) streams.input = { kind: 'file', word }
  }
  if (descriptor !== null && descriptor > 2) site.scope.descriptors = changed(site.scope.descriptors, descriptor, [made])
  if (!isOutput) {
    // What comes out of another descriptor, and when, is not followed.
    site.analysis.files.written.set(keyOf(path), { text: null, decoded: false, from: [] })
    return
  }
  streams.effects.push(made)
  streams.listed.push(...listed(word, operator, made))
  if (word.text !== null && !word.glob) streams.outputs.push({ key: fileKey(word, site) ?? keyOf(path), append })
}

/** Commands that print nothing, though they could. */
const NOTHING = /^(?:cat \/dev\/null|printf (?:%s ?)?|echo -n ?)$/

/** Where nothing goes into files that a list or a pattern names, what stood there is gone. */
export function reportEmptied(
  { listed }: Streams,
  words: readonly Word[],
  { site, output }: { site: ExecutionContext; output: Output },
): void {
  if (listed.length === 0) return
  if (output.text !== '' && !NOTHING.test(words.map(({ text }) => text ?? '?').join(' '))) return
  for (const { target: path, span, reason, attributes } of listed)
    emitAt(site, path, { verb: 'write', action: 'fs:truncate', reversible: false, span, reason, attributes })
}

/** Where output came from that went into files. */
interface Origin {
  readonly site: ExecutionContext
  readonly from: readonly Effect[]
  /** The one file that it is a copy of. */
  readonly same?: Target | null
}

/** `>>` to a file whose content is known, or known in part. */
function longer({ text, decoded }: Written, output: Output): Omit<Written, 'from'> {
  const joined = text === null || output.text === null ? null : text + output.text
  return { text: joined, decoded: output.decoded || decoded === true }
}

/** `>>` to a file that held what nobody knows. */
function unknownBefore({ text, decoded }: Output): Omit<Written, 'from'> {
  return { text: null, decoded, ...(text === null ? {} : { added: text }) }
}

/** Remembers what went into the files that got standard output. */
export function recordOutputs(streams: Streams, output: Output, at: Origin): void {
  const { written: files } = at.site.analysis.files
  // One command may name a file a thousand times: where its output comes from is told once.
  const told = new Set<string>()
  for (const { key, append } of streams.outputs) {
    const before = append ? files.get(key) : undefined
    if (before !== undefined)
      files.set(key, { ...longer(before, output), from: told.has(key) ? before.from : merged(before.from, at.from) })
    else if (append) files.set(key, { ...unknownBefore(output), from: at.from })
    else {
      const same = output.text !== null || !at.same || files.has(keyOf(at.same)) ? {} : { same: at.same }
      files.set(key, { text: output.text, decoded: output.decoded, from: at.from, ...same })
    }
    told.add(key)
  }
}
