/**
 * Reads a call of a tool that no table knows, and the arguments that a table says nothing of: by names, by shapes of
 * values, by the words of the tool's name, by its schema and its annotations. Hints raise; no hint ever lowers.
 */

import type { ToolDefinition } from '../../core/call.ts'
import { childPointer, isJsonObject, type Json, type JsonObject, own } from '../../core/json.ts'
import type { EffectOptions, Target } from '../effect.ts'
import { describeUrl } from '../url/index.ts'
import { type Collector, whole } from './collect.ts'
import { type Intent, intentOf } from './intent.ts'
import { type ArgumentKind, argumentKind } from './keys.ts'
import type { Argument, Use } from './spec.ts'

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

/** Reads one argument by its name and shape. `options` carry the certainty. */
export function readLeaf(leaf: Leaf, collector: Collector, how: { readonly pathUse: Use; readonly options: EffectOptions }): void {
  const kind = argumentKind(leaf.name, leaf.text)
  const { options } = how
  if (kind === 'code') collector.use(CODE_SHAPE.test(leaf.text) ? codeUse(collector) : 'ignore', leaf, options)
  else if (kind === 'command' && !looksLikeCommand(leaf)) collector.use('ignore', leaf)
  else if (kind === 'connection') connect(leaf, collector, options)
  else if (kind === 'secret') readSecret(leaf, collector, options)
  else if ((kind === 'reference' || kind === 'package') && leaf.text.startsWith('-')) inject(leaf, collector, options)
  else collector.use(kind === 'path' ? how.pathUse : (DEFAULT_USE[kind] ?? 'ignore'), leaf, options)
}

/** A postcode or a currency is no program. */
const CODE_SHAPE = /[\n(=;]/

function codeUse(collector: Collector): Use {
  const language = (collector.text('language', 'lang', 'runtime', 'interpreter') ?? '').toLowerCase()
  if (language.startsWith('j') || language.startsWith('t') || language.startsWith('node')) return 'javascript'
  return language === 'bash' || language === 'sh' || language === 'shell' ? 'shell' : 'python'
}

/** `command: "create"` of an editor tool is an option, not a program to run. */
function looksLikeCommand({ name, text }: Leaf): boolean {
  return !(name === 'command' && EDITOR_COMMANDS.has(text))
}

const EDITOR_COMMANDS: ReadonlySet<string> = new Set([
  'view',
  'create',
  'str_replace',
  'insert',
  'undo_edit',
  'replace',
  'delete',
  'rename',
])

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

/** How an unknown tool's paths are used, by the word of its name. */
const PATH_USE: Readonly<Partial<Record<Intent['verb'], Use>>> = {
  delete: 'delete',
  change: 'write',
  execute: 'execute',
  persist: 'write',
}

/** Reads a call of an unknown tool. Effects are `likely` at most, as a name promises nothing. */
export function readUnknown(name: string, definition: ToolDefinition | null, collector: Collector): void {
  const intent = intentOf(name)
  const { leaves, complete } = leavesOf(collector.args)
  if (!complete) collector.opaque('the call has more arguments than can be analysed')
  const before = collector.effects.length
  const pathUse = writesContent(collector) ? 'write' : (PATH_USE[intent?.verb ?? 'read'] ?? 'read')
  for (const leaf of leaves) readLeaf(leaf, collector, { pathUse, options: { certainty: 'likely' } })
  const touched = collector.effects.length > before
  if (intent !== null) emitIntent(intent, { name, collector, touched })
  else if (!touched) unknownTool(name, collector)
  if (hint(definition, 'destructiveHint')) hinted('change', 'tool:destructive', name, collector)
  if (hint(definition, 'openWorldHint') && intent?.verb !== 'read') hinted('send', 'tool:open-world', name, collector)
}

/** A path next to a text to put there is written. */
function writesContent(collector: Collector): boolean {
  return ['content', 'contents', 'new_content', 'file_text', 'new_string', 'new_str', 'data', 'text'].some(
    (key) => collector.value(key) !== undefined,
  )
}

function unknownTool(name: string, collector: Collector): void {
  collector.partial = true
  collector.emit('opaque', collector.thing('code', name), {
    action: 'tool:unknown',
    reason: `nothing is known of the tool \`${name.slice(0, 100)}\``,
    certainty: 'possible',
    reversible: false,
    attributes: { severity: 'low' },
  })
}

function hint(definition: ToolDefinition | null, key: string): boolean {
  const annotations = definition?.annotations ?? null
  return annotations !== null && own(annotations, key) === true
}

function hinted(verb: 'change' | 'send', action: string, name: string, collector: Collector): void {
  collector.emit(verb, collector.thing('resource', name), {
    action,
    certainty: 'possible',
    reversible: false,
    reason: 'the tool says so of itself',
  })
}

interface Naming {
  readonly name: string
  readonly collector: Collector
  readonly touched: boolean
}

const FROM: Readonly<Record<string, readonly string[]>> = {
  amount: ['amount', 'total', 'sum', 'price', 'value', 'total_amount'],
  currency: ['currency', 'asset', 'token', 'symbol'],
  subject: ['subject', 'title', 'name'],
}
const RECIPIENTS = [
  'recipient',
  'recipients',
  'to',
  'payee',
  'receiver',
  'vendor',
  'email',
  'user',
  'user_email',
  'channel',
  'channel_id',
  'account',
  'participants',
]

/** The effect that the name speaks of; where arguments already show what is touched, a mere read adds nothing. */
function emitIntent(intent: Intent, { name, collector, touched }: Naming): void {
  if (intent.verb === 'read' && intent.action === null && touched) return
  if (intent.verb === 'fetch' && touched) return
  const others = recipients(collector)
  const value = intent.verb === 'send' || intent.verb === 'pay' ? (others[0] ?? name) : subject(intent, name, collector)
  collector.emit(intent.verb, collector.thing(intent.kind, value), {
    action: intent.action,
    certainty: 'likely',
    reversible: !intent.irreversible,
    attributes: {
      tool: name,
      ...(intent.nouns.length > 0 ? { of: intent.nouns.join(' ') } : {}),
      ...(others.length > 0 ? { recipients: others } : {}),
      ...pick(collector),
    },
  })
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
