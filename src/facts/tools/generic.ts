/**
 * Reads a call of a tool that no table knows, and the arguments that a table says nothing of: by names, by shapes of
 * values, by the words of the tool's name, by its schema and its annotations. Hints raise; no hint ever lowers.
 */

import type { ToolDefinition } from '../../core/call.ts'
import { childPointer, isJsonObject, type Json, type JsonObject, own } from '../../core/json.ts'
import { type Effect, type EffectOptions, hasClass, LOW_OPAQUE, type Target, type TargetKind, type Verb } from '../effect.ts'
import { isProduction } from '../resources/environment/production.ts'
import { pathTarget } from '../resources/path/index.ts'
import { wordsOf } from '../resources/text/identifier.ts'
import { describeUrl } from '../resources/url/index.ts'
import { actedOn } from './acting.ts'
import { type Collector, whole } from './collect.ts'
import { commandLine } from './command-line.ts'
import { reportDevice } from './devices.ts'
import { reportMutations } from './graphql.ts'
import { impliedBy } from './implied.ts'
import { intentOf } from './intent.ts'
import { type ArgumentKind, argumentKind, isFreeText } from './keys.ts'
import { schemaKinds } from './schema-kinds.ts'
import { isRemoteStore } from './services.ts'
import { reportObjects, reportSmuggled } from './smuggled-report.ts'
import type { Argument, Intent, Use } from './spec.ts'

export interface Leaf extends Argument {
  /** Nearest name on the way to it. */
  readonly name: string
}

/** More strings than this are not looked at one by one. */
const MAX_LEAVES = 2000

/** Every string of the arguments with the name it goes by; iterative, bounded. */
export function leavesOf(args: JsonObject): { readonly leaves: readonly Leaf[]; readonly complete: boolean } {
  const leaves: Leaf[] = []
  const open: { value: Json; pointer: string; name: string }[] = [{ value: args, pointer: '', name: '' }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, pointer, name } = next
    if (leaves.length >= MAX_LEAVES) return { leaves, complete: false }
    if (typeof value === 'string') leaves.push({ text: value, pointer, name })
    else if (Array.isArray(value)) {
      for (let i = value.length - 1; i >= 0; i -= 1) open.push({ value: value[i] ?? null, pointer: childPointer(pointer, i), name })
    } else if (isJsonObject(value)) {
      for (const key of Object.keys(value).reverse()) {
        open.push({ value: own(value, key) ?? null, pointer: childPointer(pointer, key), name: key })
      }
    }
  }
  return { leaves, complete: true }
}

/** What a kind of argument is put to where nothing better is known. */
const DEFAULT_USE: Readonly<Partial<Record<ArgumentKind, Use>>> = {
  path: 'read',
  cwd: 'cwd',
  url: 'fetch',
  host: 'contact',
  command: 'shell',
  sql: 'sql',
}

/** Puts an argument to a use; a command that comes in parts is put together first. */
export function putTo(use: Use, argument: Argument, how: { readonly collector: Collector; readonly options: EffectOptions }): void {
  const whole = use === 'shell' || use === 'powershell' ? commandLine(argument, how.collector.args) : argument
  if (whole !== null) how.collector.use(use, whole, how.options)
}

/** Reads one argument by its name and shape. `options` carry the certainty. */
export function readLeaf(leaf: Leaf, collector: Collector, how: Reading): void {
  const shown = argumentKind(leaf.name, leaf.text)
  const kind = shown === 'plain' ? (how.kinds?.get(leaf.name) ?? shown) : shown
  const { options } = how
  if (kind === 'code') collector.use(codeUse(leaf, collector), leaf, options)
  else if (kind === 'command' && !looksLikeCommand(leaf)) collector.use('ignore', leaf)
  else if (kind === 'connection') connect(leaf, collector, options)
  else if (kind === 'secret') readSecret(leaf, collector, options)
  else if ((kind === 'reference' || kind === 'package') && leaf.text.startsWith('-')) inject(leaf, collector, options)
  else if (kind === 'plain' && how.trusted !== true && namesSecret(leaf, collector)) collector.use(how.pathUse, leaf, options)
  else putTo(useOfKind(kind, how), leaf, { collector, options })
  if (how.trusted !== true) reportSmuggled(leaf, kind, collector)
}

const ROOTED = /^(?:\/|~\/|\.\.?\/|[A-Za-z]:[\\/])\S+$/

/** Whatever an argument is called: a value that is nothing but the path of a secret, or of the gate, asks for that file. */
function namesSecret({ name, text }: Leaf, { cwd, view }: Collector): boolean {
  if (text.length > 1024 || isFreeText(name) || !ROOTED.test(text)) return false
  return hasClass(pathTarget(text, cwd, view), 'credential', 'gate')
}

export interface Reading {
  readonly pathUse: Use
  /** Default: `fetch`. */
  readonly urlUse?: Use
  /** Default: `shell`. */
  readonly shellUse?: Use
  /** What the tool's schema says of arguments by name. */
  readonly kinds?: ReadonlyMap<string, ArgumentKind>
  /** A tool of the host itself, which takes plain data as plain data. Default: no. */
  readonly trusted?: boolean
  readonly options: EffectOptions
}

function useOfKind(kind: ArgumentKind, { pathUse, urlUse, shellUse }: Reading): Use {
  if (kind === 'path') return pathUse
  if (kind === 'command' && shellUse !== undefined) return shellUse
  return kind === 'url' && urlUse !== undefined ? urlUse : (DEFAULT_USE[kind] ?? 'ignore')
}

/** A postcode or a currency is no program. */
const CODE_SHAPE = /[\n(=;]/

function codeUse({ text }: Leaf, collector: Collector): Use {
  if (!CODE_SHAPE.test(text)) return 'ignore'
  const language = (collector.text('language', 'lang', 'runtime', 'interpreter') ?? '').toLowerCase()
  if (language.startsWith('j') || language.startsWith('t') || language.startsWith('node')) return 'javascript'
  return language === 'bash' || language === 'sh' || language === 'shell' ? 'shell' : 'python'
}

/** `command: "create"` of an editor tool is an option, not a program to run. */
function looksLikeCommand({ name, text }: Leaf): boolean {
  return !(name === 'command' && EDITOR_COMMANDS.has(text))
}

const EDITOR_COMMANDS: ReadonlySet<string> = new Set(
  'view create str_replace insert undo_edit replace delete rename write read edit append'.split(' '),
)

function connect(leaf: Leaf, collector: Collector, options: EffectOptions): void {
  const { scope, host } = describeUrl(leaf.text)
  const on: Target = { kind: 'database', value: leaf.text, real: host, scope, classes: [] }
  collector.emit('fetch', on, { ...options, action: 'db:connect', span: whole(leaf) })
}

/** Naming a secret asks for it; passing one along is found by the secret scanner, not here. */
function readSecret(leaf: Leaf, collector: Collector, options: EffectOptions): void {
  if (!/name|id$/i.test(leaf.name)) return
  collector.emit('read', collector.thing('resource', leaf.text), { ...options, action: 'secret:read', span: whole(leaf) })
}

function inject(leaf: Leaf, collector: Collector, options: EffectOptions): void {
  collector.emit('execute', collector.thing('code', leaf.text), {
    ...options,
    reason: 'an option stands where plain data belongs',
    span: whole(leaf),
    attributes: { injection: 'option' },
  })
}

/** What an `action` argument may add to a tool that manages things. */
const ASKED: ReadonlySet<Verb> = new Set<Verb>(['delete', 'pay', 'send', 'publish', 'execute'])

/** How an unknown tool's paths are used, by the word of its name. */
const PATH_USE: Readonly<Partial<Record<Intent['verb'], Use>>> = {
  delete: 'delete',
  change: 'write',
  execute: 'execute',
  persist: 'write',
}

/** Bare name of the tool and what its server goes by. */
interface Unknown {
  readonly server: string | null
  readonly name: string
}

/** Reads a call of an unknown tool. Effects are `likely` at most, as a name promises nothing. */
export function readUnknown({ server, name }: Unknown, definition: ToolDefinition | null, collector: Collector): void {
  const intent = intentOf(name, server)
  const { leaves, complete } = leavesOf(collector.args)
  if (!complete) collector.opaque('the call has more arguments than can be analysed')
  const before = collector.effects.length
  const pathUse = pathUseOf(intent, { server, name }, collector)
  const shellUse = wordsOf(name).some((word) => POWERSHELL.has(word)) ? 'powershell' : 'shell'
  const sends = intent?.verb === 'send'
  const kinds = schemaKinds(definition)
  const [urls, others] = sends ? split(leaves) : [[], leaves]
  for (const leaf of others)
    readLeaf(leaf, collector, { pathUse: useOf(leaf, name, pathUse), shellUse, kinds, options: { certainty: 'likely' } })
  if (wordsOf(name).some((word) => TYPING.has(word))) for (const leaf of leaves) readTyped(leaf, collector)
  for (const leaf of leaves) reportMutations(leaf, collector)
  const attributes = carried(collector.effects.slice(before))
  for (const leaf of urls) readLeaf(leaf, collector, { pathUse, urlUse: 'send', options: { certainty: 'likely', attributes } })
  reportObjects(leaves, collector, writesContent(collector))
  const touched = collector.effects.slice(before)
  const meant = meantBy(intent, collector)
  if (meant !== null) emitIntent(meant, { name, collector, touched })
  else readNameless(name, definition, { collector, touched })
  const asked = intentOf(collector.text('action', 'operation') ?? '')
  if (asked !== null && asked.verb !== intent?.verb && ASKED.has(asked.verb)) emitIntent(asked, { name, collector, touched })
  reportDevice({ server, name }, intent, { definition, collector })
  reportHints(definition, intent, { name, collector })
}

/** What a name does not say, or only that something is executed, arguments may. */
function meantBy(intent: Intent | null, collector: Collector): Intent | null {
  return intent !== null && intent.verb !== 'execute' ? intent : (impliedBy(collector) ?? intent)
}

function pathUseOf(intent: Intent | null, { server, name }: Unknown, collector: Collector): Use {
  const verb = intent?.verb ?? 'read'
  if (verb === 'delete' && isRemoteStore(name, server)) return 'ignore'
  return writesContent(collector) ? 'write' : (PATH_USE[verb] ?? 'read')
}

const TYPING: ReadonlySet<string> = new Set(['type', 'typewrite', 'keystroke', 'keystrokes', 'sendkeys', 'keys', 'paste'])

/** A line that is typed and sent off, into whatever window is in front: a terminal runs it. */
function readTyped(leaf: Leaf, collector: Collector): void {
  if (/^\s*[\w./~$-]+\s+\S/.test(leaf.text) && /[-/~|$;&>]/.test(leaf.text) && leaf.text.endsWith('\n'))
    collector.use('shell', leaf, { certainty: 'possible' })
}

const POWERSHELL: ReadonlySet<string> = new Set(['powershell', 'pwsh'])

const SOURCES: ReadonlySet<string> = new Set(['source', 'src', 'from', 'old_path', 'input', 'input_path', 'source_path'])
const MOVES: ReadonlySet<string> = new Set(['mv', 'move', 'rename'])

/** Addresses apart from the rest: what a sending tool is handed has to be known before it is sent there. */
function split(leaves: readonly Leaf[]): readonly [readonly Leaf[], readonly Leaf[]] {
  const isUrl = (leaf: Leaf) => argumentKind(leaf.name, leaf.text) === 'url'
  return [leaves.filter(isUrl), leaves.filter((leaf) => !isUrl(leaf))]
}

const OUTPUTS: ReadonlySet<string> = new Set(['output', 'out', 'dest', 'destination', 'dst', 'save', 'export'])

/** What is moved goes away, what is copied or converted is only read, and where it goes is written. */
function useOf(leaf: Leaf, name: string, pathUse: Use): Use {
  const words = wordsOf(leaf.name)
  if (pathUse === 'read' && OUTPUTS.has(words[0] ?? '')) return 'write'
  if (pathUse !== 'write' || !(SOURCES.has(leaf.name) || words[0] === 'source' || words[0] === 'input')) return pathUse
  return wordsOf(name).some((word) => MOVES.has(word)) ? 'move' : 'read'
}

/** A path next to a text to put there is written. */
function writesContent(collector: Collector): boolean {
  return ['content', 'contents', 'new_content', 'file_text', 'new_string', 'new_str', 'data', 'text'].some(
    (key) => collector.value(key) !== undefined,
  )
}

/** No word of the name says what is done. */
function readNameless(name: string, definition: ToolDefinition | null, { collector, touched }: Omit<Naming, 'name'>): void {
  if (touched.length === 0) unknownTool(name, collector)
  const thing = touched.some(({ verb }) => verb !== 'read' && verb !== 'fetch') ? null : actedOn(name, definition, collector.args)
  if (thing === null) return
  collector.emit('change', collector.thing('resource', thing.text.slice(0, 200)), {
    action: 'tool:change',
    certainty: 'possible',
    reason: `what the tool \`${name.slice(0, 100)}\` does is not known, and it is given something to act on`,
    span: whole(thing),
    attributes: { tool: name },
  })
}

function unknownTool(name: string, collector: Collector): void {
  collector.partial = true
  collector.emit('opaque', collector.thing('code', name), {
    ...LOW_OPAQUE,
    action: 'tool:unknown',
    reason: `nothing is known of the tool \`${name.slice(0, 100)}\``,
  })
}

function hint(definition: ToolDefinition | null, key: string): boolean {
  const annotations = definition?.annotations ?? null
  return annotations !== null && own(annotations, key) === true
}

/** What the tool says of itself; that it reaches others says nothing where its name says that it reads. */
function reportHints(definition: ToolDefinition | null, intent: Intent | null, { name, collector }: Named): void {
  const report = (verb: Verb, action: string): void =>
    collector.emit(verb, collector.thing('resource', name), {
      action,
      certainty: 'possible',
      reversible: false,
      reason: 'the tool says so of itself',
    })
  if (hint(definition, 'destructiveHint')) report('change', 'tool:destructive')
  if (hint(definition, 'openWorldHint') && intent?.verb !== 'read') report('send', 'tool:open-world')
}

interface Named {
  readonly name: string
  readonly collector: Collector
}

interface Naming extends Named {
  /** What the arguments already came to. */
  readonly touched: readonly Effect[]
}

const FROM: Readonly<Record<string, readonly string[]>> = {
  amount: ['amount', 'total', 'sum', 'price', 'value', 'total_amount'],
  currency: ['currency', 'asset', 'token', 'symbol'],
  subject: ['subject', 'title', 'name'],
}
const RECIPIENTS = 'recipient recipients to payee receiver vendor email user user_email channel channel_id account participants'.split(' ')

/** The effect that the name speaks of; where arguments already show it, the name adds nothing. */
function emitIntent(intent: Intent, { name, collector, touched }: Naming): void {
  if (
    (intent.verb === 'read' && intent.action === null && touched.length > 0) ||
    (intent.action !== 'secret:read' && touched.some(({ verb }) => shows(verb, intent.verb)))
  )
    return
  const outward = OUTWARD.has(intent.verb)
  const others = outward ? recipients(collector) : []
  // An amount that is sent to somebody is as good as money, whatever the tool calls it.
  const pays = intent.verb === 'send' && typeof collector.value('amount') === 'number'
  const value = outward ? (others[0] ?? name) : subject(intent, name, collector)
  collector.emit(pays ? 'pay' : intent.verb, collector.thing(kindOf(intent, pays), value), {
    action: pays ? 'payment:transfer' : intent.action,
    certainty: 'likely',
    reversible: !intent.irreversible,
    attributes: {
      tool: name,
      ...(intent.nouns.length > 0 ? { of: intent.nouns.join(' ') } : {}),
      ...(others.length > 0 ? { recipients: others } : {}),
      ...(outward ? carried(touched) : {}),
      ...pick(collector),
      ...inProduction(intent, collector),
    },
  })
}

/** A value that is the name of what customers use: `env: "production"`, `namespace: "shop-prod"`. */
function inProduction({ verb }: Intent, { args }: Collector): JsonObject {
  if (verb !== 'change') return {}
  const names = leavesOf(args).leaves.some(({ text, name }) => !isFreeText(name) && isProduction(text))
  return names ? { environment: 'production' } : {}
}

/** Files that a sending tool is handed go along. */
export function carried(touched: readonly Effect[]): JsonObject {
  const files = touched.filter(({ verb, target }) => verb === 'read' && target.kind === 'path')
  if (files.length === 0) return {}
  return { carries: files.some(({ target }) => hasClass(target, 'credential')) ? 'credential' : 'file' }
}

const OUTWARD: ReadonlySet<Verb> = new Set<Verb>(['send', 'pay', 'publish'])

function kindOf(intent: Intent, pays: boolean): TargetKind {
  return pays ? 'account' : intent.kind
}

function shows(verb: Verb, named: Verb): boolean {
  if (named === 'change') return verb === 'write' || verb === 'change' || verb === 'delete'
  return verb === named && !OUTWARD.has(named)
}

function subject(intent: Intent, name: string, collector: Collector): string {
  return collector.text('id', 'name', 'title', 'resource', 'target', 'key') ?? (intent.nouns.join(' ') || name)
}

function recipients(collector: Collector): readonly string[] {
  return RECIPIENTS.flatMap((key) => [...collector.all(key), ...collector.all(`${key}.*`)]).map(({ text }) => text)
}

function pick(collector: Collector): JsonObject {
  const found: Record<string, Json> = Object.create(null)
  for (const [attribute, keys] of Object.entries(FROM)) {
    const value = keys.map((key) => collector.value(key)).find((item) => typeof item === 'string' || typeof item === 'number')
    if (value !== undefined) found[attribute] = value
  }
  return found
}
