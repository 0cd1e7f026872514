/** What rules over time and flow are told: the memory of the session, and the data of the call at hand. Pure. */
import type { ToolCall } from '../core/call.ts'
import { type Effect, resolvedName } from '../core/effect.ts'
import type { FlowLabel, HeldLabel, History } from '../core/history.ts'
import type { Json } from '../core/json.ts'
import type { Facts } from '../facts/facts.ts'
import { argumentsOf, type RoleOverrides } from '../facts/tools/roles/of-call.ts'
import { decodedForms, reversed } from '../provenance/decode.ts'
import { runsOf, winnowed } from '../provenance/fingerprint.ts'
import { aimHash, type HashKey, keyedHash } from '../provenance/keyed-hash.ts'
import { comparedForms, fold, pathText } from '../provenance/text.ts'
import type { SessionMemory } from '../session/memory/memory.ts'
import { countOf, distinctOf, lastSeen } from '../session/memory/monitors.ts'
import { taskOf } from './analyse.ts'
import { type Known, type Origin, provenanceOf } from './origin.ts'
import { type DeclassifyRule, type SourceTrust, tookInUntrusted } from './trust.ts'

export interface HistoryContext {
  readonly call: ToolCall
  readonly facts: Facts
  readonly memory: SessionMemory
  readonly key: HashKey
  readonly trust: readonly SourceTrust[]
  readonly rules?: readonly DeclassifyRule[]
  readonly roles: RoleOverrides
  /** A tool of the host itself. */
  readonly hostTool: boolean
  /** Every policy lets the user's own words authorise a call. Absent: none does. */
  readonly wordsAuthorize?: boolean
  readonly now: number
  /** When a person last let the session go on, in milliseconds since the epoch. Absent: never. */
  readonly lifted?: number
}

export function historyOf(context: HistoryContext): History {
  const { memory, key, now } = context
  const moment = { step: memory.steps, at: now }
  const hashOf = (text: string | null): number => (text === null ? 0 : keyedHash(key, text))
  return {
    steps: memory.steps,
    now,
    incomplete: memory.incomplete,
    lastSeen: (id, by) => lastSeen(memory.monitors, id, hashOf(by)),
    count: (id, by) => (isForgotten(id, context) ? 0 : countOf(memory.monitors, id, { by: hashOf(by), now: moment })),
    distinct: (id, by, value) =>
      distinctOf(memory.monitors, id, { by: hashOf(by), now: moment, value: value === null ? null : hashOf(value) }),
    flowsFrom: (argument, label) => flowsFrom(argument, label, context),
    sends: (label) => (label === 'secret' ? sendsSecret(context) : sendsPrivate(context)),
    holds: (label) => holds(label, context),
  }
}

/** A person has let the session go on since: its denials count for nothing, and its memory learns of it with this call. */
function isForgotten(id: string, { memory, lifted = 0 }: HistoryContext): boolean {
  return lifted > memory.lifted && memory.monitors.get(id)?.denied === true
}

function holds(label: HeldLabel, { call, memory, trust }: HistoryContext): boolean {
  if (label === 'request') return !taskOf(call).empty
  return label === 'untrusted' ? tookInUntrusted(trust, memory.untrusted.keys()) : memory.held.has(label)
}

/** Verbs by which something leaves: what is fetched names whom, and may say what. */
const OUTWARD: ReadonlySet<string> = new Set(['send', 'publish', 'pay', 'fetch'])
/** Runs of a secret that have to be out before it counts as given away. */
const GIVEN_AWAY = 6
const MAX_TEXT = 20_000
const MAX_RUNS = 400

export function goesOut({ facts, hostTool }: Pick<HistoryContext, 'facts' | 'hostTool'>): boolean {
  // Whatever a tool of somebody else is given has left.
  return !hostTool || facts.effects.some(({ verb }) => OUTWARD.has(verb))
}

type SecretContext = Pick<HistoryContext, 'call' | 'facts' | 'memory' | 'key' | 'hostTool'>

/** Hashes of runs of secrets that the call carries out. */
export function secretRunsOut(context: SecretContext): readonly number[] {
  return context.memory.secrets.size === 0 ? [] : secretRunsIn(textsOf(context.call.args), context)
}

function secretRunsIn(texts: readonly string[], context: SecretContext): readonly number[] {
  const { memory, key } = context
  if (!goesOut(context)) return []
  const found = new Set<number>()
  for (const text of texts) {
    for (const form of [text, ...decodedForms(text)]) {
      for (const run of runsOf(key, form.slice(0, MAX_TEXT), MAX_TEXT)) if (memory.secrets.has(run)) found.add(run)
      if (found.size >= MAX_RUNS) return [...found]
    }
  }
  return [...found]
}

function sendsSecret(context: HistoryContext): boolean {
  if (context.memory.secrets.size === 0) return false
  const texts = textsOf(context.call.args)
  const presented = presentedCredentials(context)
  const runs = secretRunsIn(presented.size === 0 ? texts : texts.filter((text) => !presented.has(text)), context)
  if (runs.length === 0) return false
  let more = runs.length
  for (const run of context.memory.sent) if (!runs.includes(run)) more += 1
  return more >= GIVEN_AWAY
}

/**
 * A password that the user says where to find is used to log in: that is what it is for. Whatever else goes along, where it goes and that
 * a login was asked for is held by the authorization itself (`flow/authorized.ts`).
 */
function presentedCredentials({ facts: { flow }, wordsAuthorize }: HistoryContext): ReadonlySet<string> {
  if (wordsAuthorize !== true || flow?.act !== 'authenticate' || flow.authorization?.by !== 'words') return NONE_PRESENTED
  return new Set(flow.arguments.flatMap(({ role, text, hidden }) => (role === 'credential' && !hidden ? [text] : [])))
}

const NONE_PRESENTED: ReadonlySet<string> = new Set()

function sendsPrivate(context: HistoryContext): boolean {
  const { call, memory, key } = context
  if (memory.privates.size === 0 || !goesOut(context)) return false
  return textsOf(call.args).some((text) => winnowed(key, text.slice(0, MAX_TEXT), MAX_RUNS).some((run) => memory.privates.has(run)))
}

/** Every text in the arguments, at most 200. */
function textsOf(args: Json): readonly string[] {
  const texts: string[] = []
  const visit = (value: Json): void => {
    if (typeof value === 'string') texts.push(value)
    else if (typeof value === 'object' && value !== null && texts.length < 200) for (const each of Object.values(value)) visit(each)
  }
  visit(args)
  return texts
}

function flowsFrom(argument: string, label: FlowLabel, context: HistoryContext): boolean {
  if (label === 'fetched' || (label === 'secret' && argument === '*')) return filesOf(context, label)
  if (label === 'denied') return context.memory.refused.size > 0 && aimsOf(argument, context).some((text) => wasDenied(text, context))
  if (label === 'secret')
    return argumentTexts(argument, context).some((text) =>
      runsOf(context.key, text, MAX_TEXT).some((run) => context.memory.secrets.has(run)),
    )
  const known: Known = { ...context, task: taskOf(context.call) }
  const texts = argument === '*' ? aimsOf(argument, context) : argumentTexts(argument, context)
  const has = (text: string): boolean => LABELLED[label].has(provenanceOf(text, known).origin)
  // Of several one that the user did not name is enough to say that they did not.
  return label === 'user' ? texts.length > 0 && texts.every(has) : texts.some(has)
}

const LABELLED: Readonly<Record<'user' | 'untrusted' | 'result' | 'nowhere', ReadonlySet<Origin>>> = {
  user: new Set(['user', 'approved', 'derived']),
  untrusted: new Set(['structured', 'named-text', 'selected-text', 'text']),
  result: new Set(['own', 'trusted', 'selected', 'structured', 'named-text', 'selected-text', 'text']),
  nowhere: new Set(['nowhere']),
}

/** The texts of an argument, or of the list that it is. */
function argumentTexts(argument: string, { call, roles }: HistoryContext): readonly string[] {
  if (argument === '*') return textsOf(call.args)
  return argumentsOf(call, roles).list.flatMap(({ name, text }) => (name === argument || name.startsWith(`${argument}.`) ? text : []))
}

const NETWORK: ReadonlySet<string> = new Set(['url', 'host', 'address', 'account'])

/** Whom and what the call is aimed at. */
function aimsOf(argument: string, context: HistoryContext): readonly string[] {
  if (argument !== '*') return argumentTexts(argument, context)
  return aimedAt(context)
}

/** Of a tool of the host its effects say it; a remote is called `origin` everywhere. */
export function aimedAt({ facts: { flow, effects }, hostTool }: Pick<HistoryContext, 'facts' | 'hostTool'>): readonly string[] {
  const targets = hostTool ? [] : (flow?.arguments ?? []).filter(({ role }) => role === 'target')
  const named = targets.map(({ text }) => text)
  const reached = effects
    .filter(({ verb, target }) => OUTWARD.has(verb) && NETWORK.has(target.kind) && target.value !== '')
    .map(({ target }) => target.value)
  return [...new Set([...named, ...reached])]
}

/** By another tool; a host has one for everything. What one tool was denied may come again from it, mended. */
function wasDenied(text: string, { call, memory, key, hostTool, lifted = 0 }: HistoryContext): boolean {
  if (lifted > memory.lifted) return false
  const forms = [text, ...decodedForms(text), reversed(text)].flatMap((form) => comparedForms(fold(form)))
  return forms.some((form) => memory.refused.has(keyedHash(key, form)) && (hostTool || !memory.refused.has(aimHash(key, call.tool, form))))
}

/** A file that holds something of an earlier call, as it is remembered. */
export function fileHash(key: HashKey, holds: 'fetched' | 'secret', path: string): number {
  return keyedHash(key, `${holds}\0${pathText(path)}`)
}

const MAX_ABOVE = 12

/** The path itself or a directory above it holds such. */
export function isKnownFile(holds: 'fetched' | 'secret', path: string, { memory, key }: Pick<HistoryContext, 'memory' | 'key'>): boolean {
  if (memory.files.size === 0) return false
  let at = path
  for (let i = 0; i < MAX_ABOVE && at !== '' && at !== '/'; i += 1) {
    if (memory.files.has(fileHash(key, holds, at))) return true
    at = at.slice(0, Math.max(0, at.lastIndexOf('/')))
  }
  return false
}

function filesOf(context: HistoryContext, holds: 'fetched' | 'secret'): boolean {
  if (context.memory.files.size === 0) return false
  const uses = holds === 'fetched' ? RUNS : USES
  return context.facts.effects.some((effect) => {
    const path = uses.has(effect.verb) ? pathOf(effect, context.call.cwd) : null
    // A script whose text was read is judged by what is in it.
    const seen = holds === 'fetched' && context.facts.scripts.some((script) => script.path === path)
    return path !== null && !seen && isKnownFile(holds, path, context)
  })
}

const RUNS: ReadonlySet<string> = new Set(['execute', 'persist'])
const USES: ReadonlySet<string> = new Set([...RUNS, 'read', 'send', 'publish', 'opaque'])

/** The whole path of what an effect touches; null where it is none. */
export function pathOf({ target }: Effect, cwd: string | null): string | null {
  if (target.kind !== 'path' && target.kind !== 'script' && !(target.kind === 'program' && target.value.includes('/'))) return null
  const path = resolvedName(target)
  return path.startsWith('/') || cwd === null ? path : normalized(`${cwd}/${path}`)
}

function normalized(path: string): string {
  const names: string[] = []
  for (const name of path.split('/')) {
    if (name === '..') names.pop()
    else if (name !== '' && name !== '.') names.push(name)
  }
  return `/${names.join('/')}`
}
