/** What a call of the log did is taken back: shown first, judged by the gate as calls of its own, and linked to that call in the log. */
import { createHash, hash } from 'node:crypto'
import type { ReadableLog, ShownRecord } from './audit/log.ts'
import { eventRecord } from './audit/record.ts'
import { bareCall, type ToolCall } from './core/call.ts'
import type { Decision } from './core/decision.ts'
import { isJsonObject, type JsonObject, own } from './core/json.ts'
import { runs } from './core/verdict.ts'
import { type LaterThan, takenBackBy, undoOf } from './open-later.ts'
import { APPLY_TOOL } from './preview/apply/change.ts'
import type { Store, StoredRecord } from './store/store.ts'
import { type Capture, captureIn, newCaptureId, openCaptures, type Way } from './undo/captures.ts'
import { waysOf } from './undo/catalogue.ts'
import { touching } from './undo/later.ts'
import { keepCurrent, type Step, shellText, stepsOf, take, type UndoParts } from './undo/undo.ts'

/** Something that cannot be taken back, and why, for whoever asked. */
export class NothingKept extends Error {}

/** A record of something that can be taken back. */
export interface Found {
  readonly record: StoredRecord
  readonly note: JsonObject
}

/** What taking it back would do now. */
export interface Plan {
  readonly record: StoredRecord
  readonly capture: Capture
  readonly steps: readonly Step[]
  /** Of what is shown: who agrees, agrees to this. */
  readonly digest: string
}

const MOST = 10_000
/** Names in one call to the gate, and in its record. */
const SHOWN = 200

export interface Reach {
  readonly session?: string
  /** Null: every tenant's. */
  readonly tenant: string | null
}

/** Newest first; what was taken back already is left out. */
export function undoable(log: Pick<ReadableLog, 'read'>, { session, tenant }: Reach): readonly Found[] {
  const notes = [...log.read({ kind: 'note', newestFirst: true, limit: MOST, text: 'undo' })]
  const taken = takenBackBy(notes)
  const at = { ...(session === undefined ? {} : { session }), ...(tenant === null ? {} : { tenant }) }
  const decisions = log.read({ kind: 'decision', newestFirst: true, limit: MOST, text: 'und', ...at })
  const applied = notes.filter((record) => isJsonObject(own(record.body, 'apply') ?? null) && isOf(record, { session, tenant }))
  // The gate's own call for changes that a person had made: their note is what takes them back.
  const acts = [...decisions].filter(({ tool }) => tool !== APPLY_TOOL)
  return [...acts, ...applied].toSorted(byTime).flatMap((record) => {
    const note = undoOf(record.body)
    return note === null || typeof own(note, 'id') !== 'string' || taken.has(record.id) ? [] : [{ record, note }]
  })
}

/** Calls of a session that ran and changed something, or may have, and of which nothing is kept; newest first. */
export function unkept(log: Pick<ReadableLog, 'read'>, { session, tenant }: Reach & { readonly session: string }): readonly StoredRecord[] {
  const at = { session, ...(tenant === null ? {} : { tenant }) }
  return [...log.read({ kind: 'decision', newestFirst: true, limit: MOST, ...at })].filter(({ decision, body }) => {
    const judged = own(body, 'decision')
    const effects = isJsonObject(judged) ? own(judged, 'effects') : null
    const changes =
      Array.isArray(effects) && effects.some((effect) => isJsonObject(effect) && !CHANGE_NOTHING.has(String(own(effect, 'verb'))))
    return (decision === 'allow' || decision === 'flag') && changes && typeof own(undoOf(body) ?? {}, 'id') !== 'string'
  })
}

const CHANGE_NOTHING: ReadonlySet<string> = new Set(['read', 'fetch', 'execute'])

function isOf(
  record: StoredRecord,
  { session, tenant }: { readonly session: string | undefined; readonly tenant: string | null },
): boolean {
  return (session === undefined || record.session === session) && (tenant === null || (record.tenant ?? '') === tenant)
}

/** Newest first: ids begin with the time. */
function byTime(one: StoredRecord, other: StoredRecord): number {
  return one.id < other.id ? 1 : -1
}

/** @throws {NothingKept} where nothing was kept for it, or its record is not as it was written. */
export function undoableBy(shown: ShownRecord | null): Found {
  const note = shown === null ? null : undoOf(shown.record.body)
  if (shown === null || note === null || (typeof own(note, 'id') !== 'string' && byHand(note).length === 0))
    throw new NothingKept('nothing was kept for this record; `countersign undo --list` shows what was')
  if (!shown.intact) throw new NothingKept(`the record ${shown.record.id} is not as it was written: \`countersign audit verify\``)
  return { record: shown.record, note }
}

/**
 * @param later tells what happened since.
 * @throws {NothingKept} where what was kept is gone, or not what the log says that it was.
 */
export async function planOf({ record, note }: Found, parts: UndoParts, later: LaterThan): Promise<Plan> {
  const ways = byHand(note)
  if (typeof own(note, 'id') !== 'string' && ways.length > 0) return planByHand(record, ways, parts)
  const text = parts.store.read(String(note.id))
  if (text === null)
    throw new NothingKept('what was kept of this call is gone: its time is over, there was too much of it, or it was changed where it lies')
  if (`sha256:${hash('sha256', text)}` !== note.digest) throw new NothingKept('what was kept of this call is not what the log says it was')
  const capture = captureIn(text)
  const steps = withRest(await stepsOf(capture, parts, later(record)), note)
  return shownPlan(record, capture, steps)
}

function shownPlan(record: StoredRecord, capture: Capture, steps: readonly Step[]): Plan {
  const sum = createHash('sha256').update(
    JSON.stringify([record.id, steps.map(({ way, lines, problem, cannot }) => [way.name, lines, problem, cannot])]),
  )
  return { record, capture, steps, digest: `sha256:${sum.digest('hex')}` }
}

async function planByHand(record: StoredRecord, ways: readonly Way[], parts: UndoParts): Promise<Plan> {
  const { at } = record
  const capture: Capture = { id: '', at, until: at, cwd: null, ways }
  return shownPlan(record, capture, await stepsOf(capture, parts))
}

/** Ways that only a person goes: nothing is kept for them. */
function byHand(note: JsonObject): readonly Way[] {
  const ways = own(note, 'ways')
  return (Array.isArray(ways) ? ways : []).flatMap((way) => (isJsonObject(way) ? [{ name: String(own(way, 'name')), run: 'manual' }] : []))
}

/** What else the call did, which no step takes back. */
function withRest([first, ...others]: readonly Step[], note: JsonObject): readonly Step[] {
  if (first === undefined) return []
  const without = own(note, 'no_way_back')
  const acts = Array.isArray(without) ? without.filter((act) => typeof act === 'string') : []
  const incomplete = own(note, 'incomplete')
  const rest = [
    ...(acts.length === 0 ? [] : [`nothing takes back ${acts.join(', ')}`]),
    ...(typeof incomplete === 'string' ? [incomplete] : []),
  ]
  if (rest.length === 0) return [first, ...others]
  return [{ ...first, cannot: [first.cannot, ...rest].join('; '), complete: false }, ...others]
}

/** True where the one takes back something that the other takes back as well: in another order both would leave something that never was. */
export function overlaps(one: Capture, other: Capture): boolean {
  const touches = touching(one.ways.flatMap(entriesOf))
  const kinds = new Set(one.ways.flatMap(({ name, run }) => (run === 'files' || run === 'manual' ? [] : [name])))
  return other.ways.some((way) => kinds.has(way.name) || entriesOf(way).some(({ path }) => touches(path)))
}

const entriesOf = (way: Way) => ('entries' in way ? way.entries : [])

/** Where contents lie, and how the policy in force reaches databases. */
export function undoPartsOf(home: string, policy: Parameters<typeof waysOf>[0] | null, variable: UndoParts['variable']): UndoParts {
  return { store: openCaptures(home), ways: waysOf(policy), now: Date.now, variable }
}

export interface TakingBack {
  readonly decide: (call: ToolCall) => Promise<Decision>
  /** Answers what the gate asks people, in the name of the person who asked for the way back. */
  readonly agree: (approval: string) => Promise<void>
  readonly log: Pick<Store, 'append' | 'now'>
  readonly parts: UndoParts
  readonly keepMs: number
  /** Who asked for it, such as `human:alice`. */
  readonly by: string
}

export type Taken =
  | { readonly refused: string }
  /** Names that could not be put back, with the reason. */
  | { readonly refused: null; readonly id: string | null; readonly problems: readonly string[]; readonly whole: boolean }

/** What is there now is kept first: taking back can be taken back. */
export async function takeBack({ record, capture, steps }: Plan, { decide, agree, log, parts, keepMs, by }: TakingBack): Promise<Taken> {
  const todo = steps.filter(({ problem, lines }) => problem === null && lines.length > 0)
  const whole = steps.every(({ problem, complete }) => problem === null && complete)
  if (todo.length === 0) return { refused: null, id: null, problems: [], whole }
  for (const step of todo) {
    const refused = await refusal(callOf(step, { record, capture }), { decide, agree })
    if (refused !== null) return { refused }
  }
  const at = log.now()
  const id = newCaptureId()
  const ways = await keepCurrent(todo, parts, id)
  const text = parts.store.write({ id, at, until: at + keepMs, cwd: null, ways })
  const problems: string[] = []
  for (const step of todo) problems.push(...(await take(step, parts)))
  const body = {
    undo: {
      id,
      digest: `sha256:${hash('sha256', text)}`,
      ways: ways.map(({ name }) => ({ name, exercised: true })),
      of: record.id,
      by,
      steps: todo.map(({ way, lines }) => ({ name: way.name, lines: lines.slice(0, 100) })),
      problems,
    },
  }
  const { session, tenant } = record
  const event = { kind: 'note' as const, session, tenant, tool: 'countersign_undo', decision: null, code: null, at: log.now(), body }
  const receipt = await log.append(eventRecord(event))
  return { refused: null, id: receipt.id, problems, whole }
}

/** The way back as a call: commands as they are, everything else with the names that it writes and deletes. */
function callOf({ way, commands, lines }: Step, { record, capture }: Pick<Plan, 'record' | 'capture'>): ToolCall {
  const paths = (word: string) => lines.filter((line) => line.startsWith(word)).map((line) => line.slice(line.indexOf('/')))
  const args: JsonObject =
    commands.length > 0
      ? { command: commands.map(shellText).join(' && ') }
      : way.run === 'database'
        ? { undo: record.id, database: way.dump.database }
        : way.run === 'kubernetes'
          ? { undo: record.id, context: way.state.cluster.context, server: way.state.cluster.server, objects: lines.slice(0, SHOWN) }
          : {
              undo: record.id,
              restore: [...paths('restore'), ...paths('bring back')].slice(0, SHOWN),
              remove: paths('delete').slice(0, SHOWN),
            }
  return bareCall(commands.length === 0 ? 'countersign_undo' : 'Bash', args, {
    principal: { agent: 'countersign', tenant: record.tenant },
    session: `undo-${record.id}-${way.name}`,
    cwd: placeOf(way) ?? capture.cwd,
  })
}

/** Where the command of a way back runs; null: it runs none. */
function placeOf(way: Way): string | null {
  switch (way.run) {
    case 'git-push':
      return way.push.top
    case 'npm':
      return way.published.top
    case 'github':
      return way.hub.cwd
    case 'kubernetes':
      return way.state.cluster.cwd
    case 'terraform':
      return way.stack.cwd
    case 'git':
      return way.state.top
    default:
      return null
  }
}

/** Null where it may run. What the policy asks people is answered by the person who was shown what would happen. */
async function refusal(call: ToolCall, { decide, agree }: Pick<TakingBack, 'decide' | 'agree'>): Promise<string | null> {
  const first = await decide(call)
  if (runs(first.decision)) return null
  if (first.decision !== 'ask' || first.approval === null) return `${first.code}: ${first.reason}`
  await agree(first.approval.id)
  const second = await decide(call)
  return runs(second.decision) ? null : `${second.code}: ${second.reason}`
}

/** What is shown before anybody agrees. */
export function toldPlan({ record, steps, digest }: Plan): JsonObject {
  return {
    of: record.id,
    digest,
    steps: steps.map(({ way, lines, problem, cannot }) => ({
      name: way.name,
      lines: lines.slice(0, SHOWN),
      more: Math.max(0, lines.length - SHOWN),
      problem,
      cannot,
    })),
  }
}
