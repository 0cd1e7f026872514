/** Promptise's `AutoApprovalClassifier(…)` and `ApprovalPolicy(…)` as rules, a read-only permit and approvals. */
import type { Json, JsonObject } from '../core/json.ts'
import { argumentsOf, given, type Importer, NothingToImport } from './migrated.ts'
import { Notes, type Settings } from './notes.ts'
import { channelOf } from './promptise-channel.ts'
import { type CallValue, readPython } from './python.ts'
import { UnreadableSource, type Value } from './source.ts'

const RULE = ['tool', 'argument_contains', 'user', 'predicate', 'reason']
const CLASSIFIER = ['allow_rules', 'deny_rules', 'read_only_auto_allow', 'read_only_prefixes', 'llm_classifier', 'fallback', 'reviewer_id']

/** @throws where no file builds a classifier, or several do: which one a call meets cannot be told. */
export const importPromptise: Importer = (files) => {
  const notes = new Notes()
  const read = files.map(readPython)
  const [classifier, second] = read.flatMap((file) => file.calls('AutoApprovalClassifier'))
  if (classifier === undefined) throw new NothingToImport('no file calls `AutoApprovalClassifier(…)`')
  if (second !== undefined) throw new UnreadableSource(second.place, 'a second classifier: import each from a file of its own')
  const settings = argumentsOf(classifier, CLASSIFIER, notes)
  const rules = rulesOf(settings, notes)
  const channel = channelOf(settings.take('fallback'), notes)
  settings.leave({ llm_classifier: 'a function is no setting: ask a model with `judges` and `resolves`; until then people are asked' })
  settings.ignore('reviewer_id')
  settings.done()
  const approvals = approvalsOf(
    read.flatMap((file) => file.calls('ApprovalPolicy')),
    channel,
    notes,
  )
  for (const { name, place } of read.flatMap((file) => file.otherUses())) {
    notes.left(place, name, 'it is used here, too; if this line changes it, the policy does not know')
  }
  return {
    policy: {
      version: 1,
      default: 'ask',
      unregistered: 'ask',
      layers: { registry: { enforcement: 'advisory' } },
      rules,
      ...(Object.keys(approvals).length === 0 ? {} : { approvals }),
    },
    notes: notes.sorted(),
  }
}

function rulesOf(settings: Settings, notes: Notes): JsonObject {
  const deny = listOf(settings, 'deny_rules', notes)
  const ask = [...listOf(settings, 'ask_rules', notes)]
  const allow = listOf(settings, 'allow_rules', notes)
  if (allow.length > 0 && deny.length > 0)
    notes.differs(
      settings.place,
      'allow_rules',
      'a deny beats an allow here, as from 1.3 on; `order: first-match` restores the order of 1.2',
    )
  // A rule whose predicate stays behind would hold for more than it says: then people are asked, and nothing is allowed by it.
  const rules = {
    deny: deny.filter(({ code }) => !code).flatMap(({ rule }) => spellings(rule)),
    ask: [...deny.filter(({ code }) => code), ...ask].flatMap(({ rule }) => spellings(rule)),
    allow: allow.filter(({ code }) => !code).map(({ rule }) => spellings(rule).at(-1) ?? rule),
  }
  return {
    ...Object.fromEntries(Object.entries(rules).filter(([, list]) => list.length > 0)),
    read_only: readOnlyOf(settings, notes),
  }
}

interface Read {
  readonly rule: JsonObject
  /** True where a predicate stays behind. */
  readonly code: boolean
}

function listOf(settings: Settings, key: 'deny_rules' | 'ask_rules' | 'allow_rules', notes: Notes): readonly Read[] {
  const value = settings.take(key)
  if (value === undefined || (value.kind === 'scalar' && value.scalar === null)) return []
  if (value.kind === 'list') return value.items.flatMap((item) => ruleOf(item, key, notes) ?? [])
  return unknown(key, value, notes)
}

/** A rule that cannot be read: without an allow people are asked, without a deny they are asked about everything. */
function unknown(key: string, value: Value, notes: Notes): readonly Read[] {
  if (key === 'allow_rules') return notes.left(value.place, key, 'it is computed; what it would allow is asked about') ?? []
  notes.differs(value.place, key, 'it is computed, so nobody knows which calls it means: people are asked about every call')
  return [{ rule: { reason: `imported: ${key} was computed` }, code: true }]
}

function ruleOf(value: Value, key: 'deny_rules' | 'ask_rules' | 'allow_rules', notes: Notes): Read | readonly Read[] {
  if (value.kind !== 'call' || value.name !== 'ApprovalRule') return unknown(key, value, notes)
  const settings = argumentsOf(value, RULE, notes)
  const filters = ['tool', 'argument_contains', 'user'].map((name) => [name, settings.take(name)] as const)
  const rule: Record<string, Json> = {}
  for (const [name, filter] of filters) {
    if (filter === undefined || (filter.kind === 'scalar' && (filter.scalar === null || filter.scalar === ''))) continue
    if (filter.kind !== 'scalar' || typeof filter.scalar !== 'string') return unknown(key, filter, notes)
    rule[name] = filter.scalar
  }
  const predicate = settings.take('predicate')
  const code = predicate !== undefined && !(predicate.kind === 'scalar' && predicate.scalar === null)
  if (code) notes.left(predicate.place, `${key}.predicate`, fateOf(key))
  const reason = settings.text('reason')
  settings.done()
  quotes(rule, { place: value.place, key, notes })
  return { rule: { ...rule, ...(reason === undefined || reason === '' ? {} : { reason }) }, code }
}

const FATES = {
  deny_rules: 'a function is no setting: people are asked about the calls that the other filters mean. Write it as `when`',
  ask_rules: 'a function is no setting: people are asked about every call that the other filters mean. Write it as `when`',
  allow_rules: 'a function is no setting: the whole rule stays behind, so people are asked. Write it as `when`',
} as const

function fateOf(key: keyof typeof FATES): string {
  return FATES[key]
}

function quotes(rule: JsonObject, { place, key, notes }: { place: Value['place']; key: string; notes: Notes }): void {
  if (typeof rule.argument_contains !== 'string' || !rule.argument_contains.includes("'")) return
  notes.differs(
    place,
    `${key}.argument_contains`,
    'up to 1.2 it is searched in Python\'s spelling of the arguments, here in JSON: `"path": "/etc"`',
  )
}

/** As written, and as JSON spells it. */
function spellings(rule: JsonObject): readonly JsonObject[] {
  const part = rule.argument_contains
  if (typeof part !== 'string' || !part.includes("'")) return [rule]
  return [rule, { ...rule, argument_contains: part.replaceAll("'", '"') }]
}

/** Names that the seed's own list has are vouched for, since whoever wrote the classifier did. */
function readOnlyOf(settings: Settings, notes: Notes): JsonObject {
  const allowed = settings.flag('read_only_auto_allow')
  const prefixes = settings.texts('read_only_prefixes')
  const words = settings.texts('destructive_verbs')
  settings.leave({ use_tool_annotations: 'what a tool says of itself permits only for `trusted_servers`, with a pinned definition' })
  if (allowed === false) return { auto_allow: false }
  notes.differs(
    settings.place,
    'read_only_auto_allow',
    'a name alone permits nothing whose effects say worse, and words such as `purge` keep a name out',
  )
  return {
    auto_allow: true,
    prefixes: prefixes === undefined || prefixes.length === 0 ? 'default' : [...prefixes],
    ...(words === undefined || words.length === 0 ? {} : { destructive_words: [...words] }),
  }
}

const POLICY = [
  'tools',
  'handler',
  'timeout',
  'on_timeout',
  'include_arguments',
  'redact_sensitive',
  'max_pending',
  'max_retries_after_deny',
]
const WEEK = 604_800

function approvalsOf([call, second]: readonly CallValue[], channel: JsonObject | null, notes: Notes): JsonObject {
  const channels = channel === null ? {} : { channels: [channel] }
  if (second !== undefined) notes.left(second.place, 'ApprovalPolicy', 'only the first one was read')
  if (call === undefined) return channels
  const settings = argumentsOf(call, POLICY, notes)
  const tools = settings.texts('tools')
  if (tools !== undefined && !tools.includes('*'))
    notes.differs(call.place, 'tools', 'there, tools that it does not name are not gated; here every call is, so allow what should run')
  if (settings.text('on_timeout') === 'allow')
    notes.differs(call.place, 'on_timeout', 'silence is never a yes: a call that nobody answers is denied')
  const seconds = settings.number('timeout')
  const pending = settings.number('max_pending')
  const denials = given({
    limit: wholeFrom(settings.number('max_retries_after_deny')),
    within: duration(settings.number('deny_window')),
    scope: scopeOf(settings.text('deny_scope')),
  })
  settings.leave({
    include_arguments: 'people see the arguments; a channel leaves them out with `show: summary`',
    redact_sensitive: 'secrets are always covered in what people are shown',
    on_decision: 'decisions are events of the server: `GET /v1/events`',
    metadata: 'it is not shown here',
    context_messages: 'messages of the conversation are not shown here',
    sequential: 'each call waits by itself',
  })
  settings.ignore('handler')
  settings.done()
  return {
    ...given({ approve_within: duration(seconds), max_pending: pending === undefined ? undefined : { session: wholeFrom(pending) ?? 1 } }),
    ...(Object.keys(denials).length === 0 ? {} : { denials: denials as JsonObject }),
    ...channels,
  } as JsonObject
}

function duration(seconds: number | undefined): string | undefined {
  return seconds === undefined || seconds <= 0 ? undefined : `${Math.min(Math.ceil(seconds), WEEK)}s`
}

function wholeFrom(count: number | undefined): number | undefined {
  return count === undefined ? undefined : Math.min(100, Math.max(1, Math.floor(count)))
}

/** The seed also counts by agent; a session is the closest that is counted here. */
function scopeOf(scope: string | undefined): string | undefined {
  return scope === undefined ? undefined : scope === 'user' ? 'user' : 'session'
}
