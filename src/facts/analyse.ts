/** The entry of facts: everything the layers may know of a call, pure over the call and the View. Never throws. */
import type { ToolCall } from '../core/call.ts'
import { type WrittenFiles, writtenAttributes } from '../session/written.ts'
import { analyseShell } from './bash/index.ts'
import { Earlier } from './bash/state/earlier.ts'
import { type Deferred, type DeferredInput, deferredBy } from './deferred/index.ts'
import { ownDirectories } from './deferred/own-directories.ts'
import { type OwnEdits, ownEdits } from './deferred/own-edits.ts'
import { markSettings } from './deferred/settings.ts'
import { type Effect, opaque } from './effect.ts'
import type { CanaryMatch, Facts, HiddenCharacters, SecretMatch, ToolFact, WrittenFact } from './facts.ts'
import { languages } from './languages/index.ts'
import { markClusters } from './resources/clusters.ts'
import { markAgents, markFound, markGate } from './resources/gate-own.ts'
import { pathTarget } from './resources/path/index.ts'
import { doubtDirectories } from './resources/replaced.ts'
import { findCanaries } from './resources/secret/canary.ts'
import { findSecrets } from './resources/secret/find.ts'
import { hiddenCharacters } from './resources/text/hidden.ts'
import { type StringAt, walkStrings } from './resources/text/walk.ts'
import { apiEffect, resolvedHost, urlTarget } from './resources/url/index.ts'
import { analyseSql } from './sql/index.ts'
import { type Analysers, Collector, declareEffects, readCall, type ToolEffect } from './tools/index.ts'
import type { View } from './view.ts'

export interface AnalyseOptions {
  /** What earlier calls of the session left: files the agent wrote, by kernel-true path. */
  readonly state: { readonly written: WrittenFiles }
  readonly canaryTokens: readonly string[]
  /** What the policy says that the tool does, beside what is found; default: nothing. */
  readonly declared?: readonly ToolEffect[]
  /** Longest command that is analysed; longer ones become opaque. */
  readonly maxCommandBytes: number
}

/** The facts of a call. A failure inside becomes an opaque effect beside what was found before it, never an exception. */
export function analyse(call: ToolCall, view: View, options: AnalyseOptions): Facts {
  const earlier = new Earlier(view, options.state.written)
  const cwd = call.cwd ?? view.cwd
  const collector = new Collector({
    args: call.args,
    view,
    cwd,
    analysers: analysersOver(view, earlier),
    maxCommandBytes: options.maxCommandBytes,
  })
  const tool = attempt<ToolFact>(collector, ['the call', { family: null, name: call.tool.name }], () => readCall(call, collector))
  attempt<void>(collector, ['what the policy says of the tool', undefined], () => declareEffects(options.declared ?? [], collector))
  const strings = attempt<readonly StringAt[]>(collector, ['strings', []], () => walkStrings(call.args))
  const hidden = attempt<readonly HiddenCharacters[]>(collector, ['hidden characters', []], () => findHidden(strings))
  const secrets = attempt<readonly SecretMatch[]>(collector, ['secrets', []], () => findAllSecrets(strings))
  const canaries = attempt<readonly CanaryMatch[]>(collector, ['canary tokens', []], () => leaked(options.canaryTokens, call, collector))
  const effects: Effect[] = []
  for (const found of collector.effects) {
    const seen = markGate(resolvedHost(posted(found, call, tool), view), view)
    linkWritten(seen, earlier, effects)
    const done = apiEffect(seen)
    if (done !== null) effects.push(done)
  }
  const looked = collector.effects.length
  const { commands, scripts } = collector
  attempt<void>(collector, ['what it ends and starts', undefined], () => {
    markFound(effects, commands, view)
    markAgents(effects, commands)
  })
  const written = writtenBy(collector, call)
  attempt<void>(collector, ['the clusters that it changes', undefined], () => markClusters(effects, written, view))
  attempt<void>(collector, ['the settings that it writes', undefined], () => markSettings(effects, { args: call.args, written, view }))
  attempt<void>(collector, ['where its clients work', undefined], () => doubtDirectories(effects))
  const own = ownWork(collector, { args: call.args, effects, written, view, earlier })
  const { planted, deferred } = leftBy(collector, { strings, effects, written, view, cwd, code: commands.length > 0, earlier })
  if (earlier.exceeded) {
    collector.partial = true
    effects.push(opaque('more files are read or run than can be looked up among those that earlier calls wrote', null))
  }
  // What failed on the way is an effect like any other: it asks.
  effects.push(...collector.effects.slice(looked))
  const coverage = collector.partial ? 'partial' : 'full'
  return {
    tool,
    home: view.home,
    effects,
    commands,
    hidden,
    secrets,
    canaries,
    scripts,
    // First, as of very many files some are not remembered.
    written: [...planted, ...own, ...written],
    ...(deferred.length === 0 ? {} : { deferred }),
    coverage,
  }
}

/** What is to be remembered of files and directories of the session's own; what throws them away is told so among the effects. */
function ownWork(collector: Collector, input: OwnEdits): readonly WrittenFact[] {
  return [
    ...attempt<readonly WrittenFact[]>(collector, ['whose edits it throws away', []], () => ownEdits(input)),
    ...attempt<readonly WrittenFact[]>(collector, ['whose directories it deletes', []], () => ownDirectories(input)),
  ]
}

/** What the call leaves behind that runs later, and what that is worth knowing at once, which is added to the effects. */
function leftBy(collector: Collector, { effects, ...seen }: DeferredInput & { readonly effects: Effect[] }): Deferred {
  const nothing: Deferred = { deferred: [], effects: [], planted: [] }
  const left = attempt<Deferred>(collector, ['what is written', nothing], () => deferredBy({ effects, ...seen }))
  if (left.effects.some(({ verb }) => verb === 'opaque')) collector.partial = true
  effects.push(...left.effects)
  return left
}

function analysersOver(view: View, earlier: Earlier): Analysers {
  return {
    shell: (text, { pointer, cwd }) => analyseShell(text, { pointer, view, languages, cwd, earlier }),
    sql: (text, at) => analyseSql(text, at).flatMap((found) => beyondSql(found, at.span.pointer, { view, earlier })),
  }
}

/** What SQL reaches outside of its database, seen as anything else would see it: paths, addresses, programs. */
function beyondSql(
  found: Effect,
  pointer: string,
  { view, earlier }: { readonly view: View; readonly earlier: Earlier },
): readonly Effect[] {
  const { kind, value } = found.target
  if (kind === 'path') return [{ ...found, target: pathTarget(value, view.cwd, view) }]
  if (kind === 'url') return [{ ...found, target: urlTarget(value) }]
  const runs = kind === 'program' && found.verb === 'execute' && value !== ''
  return runs ? [found, ...analyseShell(value, { pointer, view, languages, cwd: null, earlier }).effects] : [found]
}

/** `what` and what it is where finding it out fails. */
type Step<T> = readonly [what: string, fallback: T]

function attempt<T>(collector: Collector, [what, fallback]: Step<T>, run: () => T): T {
  try {
    return run()
  } catch (error) {
    collector.partial = true
    collector.effects.push({ ...opaque(`analysing ${what} failed: ${describe(error)}`, null), action: 'facts:error' })
    return fallback
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message.slice(0, 200) : 'unknown failure'
}

function findHidden(strings: readonly StringAt[]): readonly HiddenCharacters[] {
  const found: HiddenCharacters[] = []
  for (const { text, pointer } of strings) for (const hidden of hiddenCharacters(text, pointer)) found.push(hidden)
  return found
}

/** Tokens in the arguments, and those that come together only when the call runs: `a=CAN; b=ARY; curl host/$a$b`. */
function leaked(tokens: readonly string[], call: ToolCall, { effects, commands }: Collector): readonly CanaryMatch[] {
  if (tokens.length === 0) return []
  const written = findCanaries(tokens, call.args)
  const known = new Set(written.map(({ token }) => token))
  const words = commands.flatMap(({ argv }) => argv.filter((word) => word !== null))
  const assembled = findCanaries(tokens, [...words, ...effects.map(({ target }) => target.value)]).filter(({ token }) => !known.has(token))
  return [...written, ...[...new Set(assembled.map(({ token }) => token))].map((token) => ({ token, form: 'split' as const, span: null }))]
}

function findAllSecrets(strings: readonly StringAt[]): readonly SecretMatch[] {
  const found: SecretMatch[] = []
  for (const { text, pointer, key } of strings) if (!key) for (const secret of findSecrets(text, pointer)) found.push(secret)
  return found
}

const SENDING: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

/** A tool nobody knows that is given an address and a method that sends: it sends. */
function posted(found: Effect, { args }: ToolCall, { family }: ToolFact): Effect {
  if (family !== null || found.verb !== 'fetch' || found.target.kind !== 'url' || Object.hasOwn(found.attributes, 'method')) return found
  const given = ['method', 'http_method']
    .map((name) => (Object.hasOwn(args, name) ? args[name] : undefined))
    .find((value) => typeof value === 'string')
  const method = typeof given === 'string' ? given.toUpperCase() : ''
  return SENDING.has(method) ? { ...found, verb: 'send', reversible: false, attributes: { ...found.attributes, method } } : found
}

/** Arguments that hold the whole of the file that is written. */
const CONTENTS = ['content', 'contents', 'file_text', 'text'] as const

/** Files that the call would write: by analysed code, and by the tool itself. */
function writtenBy({ effects, written }: Collector, call: ToolCall): readonly WrittenFact[] {
  const own = effects.filter(({ verb, action, target: { kind } }) => verb === 'write' && action !== 'fs:mkdir' && kind === 'path')
  if (own.length === 0) return written
  const seen = new Set(written.map((fact) => fact.path))
  const paths = [...new Set(own.flatMap(({ target: { real } }) => (real === null || seen.has(real) ? [] : [real])))]
  const given = CONTENTS.map((name) => (Object.hasOwn(call.args, name) ? call.args[name] : undefined)).find(
    (text) => typeof text === 'string',
  )
  const text = paths.length === 1 && written.length === 0 && typeof given === 'string' ? given : null
  return [...written, ...paths.map((path) => ({ path, text, origin: null }))]
}

/** Acts that run a file which nobody looked at. */
const UNREAD: ReadonlySet<string | null> = new Set(['script:unseen', 'dev:run', 'dev:load'])

/**
 * Running what the agent itself wrote earlier is worth knowing, whatever the file is called (T02). One that came over the
 * network and cannot be looked at is code from the network, also when it was fetched by an earlier call.
 */
function linkWritten(found: Effect, earlier: Earlier, effects: Effect[]): void {
  const { real } = found.target
  const file = found.verb !== 'execute' || real === null ? undefined : earlier.file(real)
  if (file === undefined) {
    effects.push(found)
    const origin = UNREAD.has(found.action) && found.verb === 'execute' && real !== null ? earlier.above(real) : null
    if (origin !== null) effects.push(unseenDownload(found, { ...found.attributes, written_from: origin }))
    return
  }
  const { digest } = found.attributes
  const attributes = { ...found.attributes, ...writtenAttributes(file, typeof digest === 'string' ? digest : null) }
  effects.push({ ...found, attributes })
  if (file.origin !== null && UNREAD.has(found.action)) effects.push(unseenDownload(found, attributes))
}

function unseenDownload(found: Effect, attributes: Effect['attributes']): Effect {
  const reason = `\`${found.target.value}\` was downloaded by an earlier call of the session and cannot be looked at`
  return { ...found, attributes, action: 'code:downloaded', reversible: false, reason }
}
