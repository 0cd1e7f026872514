/** Runs a table entry over a call's arguments, or the generic reader where there is none. */
import type { ToolCall } from '../../core/call.ts'
import type { Json } from '../../core/json.ts'
import type { Effect } from '../effect.ts'
import type { ToolFact } from '../facts.ts'
import type { Collector } from './collect.ts'
import { carried, leavesOf, putTo, readLeaf, readUnknown } from './generic.ts'
import { type ArgumentKind, argumentKind } from './keys.ts'
import { findTool, splitName } from './registry.ts'
import { schemaKinds } from './schema-kinds.ts'
import { reportSmuggled } from './smuggled-report.ts'
import type { ToolContext, ToolEffect, ToolSpec, Use } from './spec.ts'

/** Collects the effects of the call and says which tool it is of. */
export function readCall(call: ToolCall, collector: Collector): ToolFact {
  const { server, name } = splitName(call.tool.server, call.tool.name)
  const found = findTool(call.tool.server, call.tool.name)
  if (found === null) {
    readUnknown({ server, name }, call.definition, collector)
    return { family: null, name }
  }
  const certainty = found.sure ? 'certain' : 'likely'
  runSpec(found.spec, collector, { certainty, kinds: schemaKinds(call.definition), trusted: found.family.servers.length === 0 })
  if (server !== null) {
    if (found.sure && DATA_FAMILIES.has(found.family.family)) markServed(server, collector)
    raiseByHints(call, collector)
  }
  return { family: found.sure ? found.family.family : null, name: found.name }
}

/** Families whose servers work on a database: which one, and on which machine, only their settings say. */
const DATA_FAMILIES: ReadonlySet<string> = new Set(['mcp-database', 'mcp-hosting', 'mcp-mongodb', 'mcp-redis'])

/** Names of servers that keep their data in a file of this machine, or that say that they are for trying things out. */
const OWN_DATA = /(?:^|[^a-z])(?:sqlite|duckdb|local|localhost|dev|devel|development|test|tests|testing|sandbox|demo|mock)(?:[^a-z]|$)/i

/** Data that is changed behind a server may be another machine's. */
function markServed(server: string, { effects }: Collector): void {
  if (OWN_DATA.test(server)) return
  for (const [at, found] of effects.entries()) {
    const changes = found.verb === 'write' || found.verb === 'delete' || found.verb === 'change'
    if (changes && found.target.kind === 'database' && found.target.value !== ':memory:')
      effects[at] = { ...found, attributes: { ...found.attributes, served_by: server } }
  }
}

const PLACED: Readonly<Partial<Record<ToolEffect['kind'] & string, Readonly<Partial<Record<ToolEffect['verb'], Use>>>>>> = {
  path: { read: 'read', write: 'write', delete: 'delete', execute: 'execute', change: 'change' },
  url: { fetch: 'fetch', send: 'send', read: 'fetch' },
}

/** Adds what the policy says the tool does: beside what was found, never in its place. */
export function declareEffects(declared: readonly ToolEffect[], collector: Collector): void {
  for (const constant of declared) {
    const use = PLACED[constant.kind ?? 'resource']?.[constant.verb]
    const places = use === undefined ? [] : (constant.from ?? []).flatMap((name) => [...collector.all(name), ...collector.all(`${name}.*`)])
    const options = {
      ...(constant.action === undefined ? {} : { action: constant.action }),
      ...(constant.reversible === undefined ? {} : { reversible: constant.reversible }),
    }
    for (const place of places) if (use !== undefined) collector.use(use, place, options)
    if (places.length === 0) emitConstant(constant, collector, { certainty: 'certain', touched: [] })
  }
}

function raiseByHints(call: ToolCall, collector: Collector): void {
  const annotations = call.definition?.annotations
  if (annotations?.destructiveHint !== true || collector.effects.some(({ reversible }) => !reversible)) return
  const attributes = { tool: call.tool.name }
  collector.emit('change', collector.thing('resource', call.tool.name), {
    action: 'tool:destructive',
    certainty: 'possible',
    reversible: false,
    attributes,
  })
}

type Sureness = 'certain' | 'likely'

interface Known {
  readonly certainty: Sureness
  readonly kinds: ReadonlyMap<string, ArgumentKind>
  /** It is a tool of the host. */
  readonly trusted: boolean
}

/** What is read of the arguments at a time: the directory first, for paths are read from it. */
interface Pass {
  readonly directory: boolean
  readonly patterns: readonly (readonly [pattern: string, use: Use])[]
  /** Whether arguments that no pattern names can matter. */
  readonly leaves: boolean
}

const listed = new WeakMap<ToolSpec, readonly Pass[]>()

/** The arguments that a spec names, listed once for it. */
function passesOf(spec: ToolSpec): readonly Pass[] {
  const known = listed.get(spec)
  if (known !== undefined) return known
  const all = Object.entries(spec.args ?? {})
  const made = [
    { directory: true, patterns: all.filter(([, use]) => use === 'cwd'), leaves: Object.values(spec.on ?? {}).includes('cwd') },
    { directory: false, patterns: all.filter(([, use]) => use !== 'cwd'), leaves: true },
  ]
  listed.set(spec, made)
  return made
}

function runSpec(spec: ToolSpec, collector: Collector, { certainty, kinds, trusted }: Known): void {
  const { leaves, complete } = leavesOf(collector.args)
  if (!complete) collector.opaque('the call has more arguments than can be analysed')
  const taken = new Set<string>()
  const before = collector.effects.length
  for (const pass of passesOf(spec)) {
    for (const [pattern, use] of pass.patterns) {
      for (const argument of collector.all(pattern)) {
        taken.add(argument.pointer)
        putTo(use, argument, { collector, options: { certainty } })
      }
    }
    if (!pass.leaves) continue
    for (const leaf of leaves) {
      if (taken.has(leaf.pointer)) continue
      const kind = argumentKind(leaf.name, leaf.text)
      const use = spec.on?.[kind]
      if ((use === 'cwd') !== pass.directory) continue
      if (use !== undefined) {
        putTo(use, leaf, { collector, options: { certainty } })
        if (kind === 'url' && !trusted) reportSmuggled(leaf, kind, collector)
      } else readLeaf(leaf, collector, { pathUse: 'read', kinds, trusted, options: { certainty: 'likely' } })
    }
  }
  const touched = collector.effects.slice(before)
  for (const constant of spec.effects ?? []) emitConstant(constant, collector, { certainty, touched })
  if (spec.command !== undefined) collector.run(spec.command(collector), { certainty })
  spec.refine?.(collector)
}

interface Given {
  readonly certainty: Sureness
  /** What the arguments came to. */
  readonly touched: readonly Effect[]
}

function emitConstant(constant: ToolEffect, context: ToolContext, { certainty, touched }: Given): void {
  const value = firstText(constant.from ?? [], context) ?? constant.value ?? ''
  const carries = constant.verb === 'send' ? carried(touched) : {}
  const attributes: Record<string, Json> = Object.assign(Object.create(null), carries, constant.fixed)
  for (const [attribute, names] of Object.entries(constant.attributes ?? {})) {
    const given = names.map((name) => context.value(name)).find((item) => item !== undefined && item !== null && item !== '')
    if (given !== undefined) attributes[attribute] = given
  }
  context.emit(constant.verb, context.thing(constant.kind ?? 'resource', value), {
    ...(constant.action === undefined ? {} : { action: constant.action }),
    ...(constant.reversible === undefined ? {} : { reversible: constant.reversible }),
    certainty,
    attributes,
    ...(constant.directory === undefined ? {} : { directory: absolute(firstText(constant.directory, context)) }),
  })
}

/** Where a server of its own runs is not known: a relative name leads nowhere. */
const absolute = (text: string | null): string | null => (text?.startsWith('/') === true ? text : null)

function firstText(names: readonly string[], context: ToolContext): string | null {
  for (const name of names) {
    const found = context.text(name) ?? context.all(`${name}.*`)[0]?.text
    if (found !== undefined && found !== null && found !== '') return found
    const value = context.value(name)
    if (typeof value === 'number') return String(value)
  }
  return null
}
