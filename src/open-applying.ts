/**
 * An approver has exactly the changes made that a preview showed, instead of letting the call run: compared with what stands there now, judged
 * by the gate as a call of its own, made all or none, kept for `undo`, and recorded. The approval is used up before anything is changed, so
 * it is never made twice; the agent hears of it when it sends its call again.
 */
import { hash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { answerApproval, type Outcome } from './approvals/answer.ts'
import type { Refusal } from './approvals/machine.ts'
import type { Applying } from './approvals/queue.ts'
import { changeApproval, type Keyed, readApproval, type StoredApproval } from './approvals/store.ts'
import { eventRecord } from './audit/record.ts'
import { bareCall, type ToolCall } from './core/call.ts'
import type { Decision } from './core/decision.ts'
import type { JsonObject } from './core/json.ts'
import { runs } from './core/verdict.ts'
import type { Gate } from './gate.ts'
import type { GateStore } from './open.ts'
import { APPLY_TOOL, changeLine, journalsIn, type KeptChange } from './preview/apply/change.ts'
import type { ContentStore } from './preview/apply/contents.ts'
import type { Recovered, Told } from './preview/apply/journal.ts'
import type { RecordInput, Transaction } from './store/store.ts'

export interface ApplyingParts {
  readonly home: string
  readonly own: readonly string[]
  readonly store: GateStore
  readonly decide: (call: ToolCall) => Promise<Decision>
  readonly keys: () => Keyed
  /** Answers what the gate asks people, in the name of whoever asked for the changes. */
  readonly agree: (approval: string, by: string) => Promise<void>
}

const KEEP_MS = 7 * 86_400_000
/** Names in a record. */
const MAX_NAMED = 200

export function applyingWith(parts: ApplyingParts): Applying {
  return {
    objection: (approval) => objectionTo(approval, parts),
    make: (approval, by) => make(approval, by, parts),
  }
}

async function contentsIn(home: string): Promise<ContentStore> {
  const { openContents } = await import('./preview/apply/contents.ts')
  return openContents(home)
}

async function objectionTo({ kept }: StoredApproval, parts: ApplyingParts): Promise<Refusal | null> {
  const { leftBehind } = await import('./preview/apply/journal.ts')
  const [inTheWay] = leftBehind(journalsIn(parts.home)).refused
  if (inTheWay !== undefined) return { code: 'approval.not_applied', message: inTheWay }
  const found = await changesOf(kept, parts)
  if (typeof found === 'string') return { code: 'approval.not_applied', message: found }
  const { driftOf } = await import('./preview/apply/make.ts')
  const drift = driftOf(found)
  return drift.length === 0 ? null : { code: 'approval.stale', message: `changed since it was previewed: ${drift.slice(0, 5).join('; ')}` }
}

/** What would be made, or why it cannot be. */
async function changesOf(kept: StoredApproval['kept'], { home, own }: ApplyingParts): Promise<readonly KeptChange[] | string> {
  if (kept === null) return 'the changes of its preview are not kept'
  if ('problem' in kept) return `exactly what was seen cannot be made: ${kept.problem}`
  const found = (await contentsIn(home)).read(kept.digest)
  if (found === null) return 'what was kept of its preview is gone'
  const inside = found.find(
    ({ path, place }) => !path.startsWith(`${place}/`) || own.some((dir) => path === dir || path.startsWith(`${dir}/`)),
  )
  return inside === undefined ? found : `${inside.path} is not a place for it`
}

async function make(approval: StoredApproval, by: string, parts: ApplyingParts): Promise<Outcome> {
  const { store, keys } = parts
  const refuse = (refused: Refusal): Outcome => ({ approval, happened: [], refused, grant: null })
  const [inTheWay] = await takeUpAgain(parts)
  if (inTheWay !== undefined) return refuse({ code: 'approval.not_applied', message: inTheWay })
  const found = await changesOf(approval.kept, parts)
  if (typeof found === 'string') return refuse({ code: 'approval.not_applied', message: found })
  const refused = await refusal(approval, { found, by, parts })
  if (refused !== null) {
    await answerApproval(approval.id, { kind: 'cancel', at: store.now(), by, reason: refused }, { store, keys: keys() })
    return refuse({ code: 'approval.not_applied', message: `the gate does not let its changes be made: ${refused}` })
  }
  // INVARIANT: used up, durably, before the first file is touched.
  const taken = await answerApproval(approval.id, { kind: 'apply', at: store.now(), by }, { store, keys: keys() })
  if (taken.refused !== null || !taken.happened.includes('consumed')) return taken
  return finish(taken, { found, by, parts })
}

interface Making {
  readonly found: readonly KeptChange[]
  readonly by: string
  readonly parts: ApplyingParts
}

async function finish(taken: Outcome, { found, by, parts }: Making): Promise<Outcome> {
  const contents = await contentsIn(parts.home)
  const { makeChanges } = await import('./preview/apply/make.ts')
  const { settle } = await import('./preview/apply/journal.ts')
  const { approval } = taken
  const told = { by, files: found.slice(0, MAX_NAMED).map(changeLine), more: Math.max(0, found.length - MAX_NAMED) }
  let undo: JsonObject | null = null
  let problem: string | null
  try {
    undo = await keepBefore(found, parts)
    const { blobs, journals } = contents
    problem = makeChanges(approval.id, found, { blobs, journals, told: { ...told, undo } })
  } catch (error) {
    problem = error instanceof Error ? error.message : String(error)
  }
  const after = await record(approval, { ...told, undo, problem }, parts)
  if (problem === null) settle(approval.id, contents.journals)
  const refused: Refusal | null = problem === null ? null : { code: 'approval.not_applied', message: `nothing was changed: ${problem}` }
  return { ...taken, approval: after, refused }
}

/** What stands there now, so that `countersign undo` takes the changes back. */
async function keepBefore(found: readonly KeptChange[], { home, store }: ApplyingParts): Promise<JsonObject> {
  const { newCaptureId, openCaptures } = await import('./undo/captures.ts')
  const { takeSnapshot, written } = await import('./undo/files/snapshot.ts')
  const captures = openCaptures(home)
  // Of a directory that stays, only its permissions change: what lies in it is not kept.
  const isModeAlone = ({ before, after }: KeptChange): boolean => before?.type === 'directory' && after?.type === 'directory'
  const paths = found.filter((change) => !isModeAlone(change)).map(({ path }) => path)
  const { entries, left } = await takeSnapshot(written(paths), captures, EVERYTHING)
  const modes = found.filter(isModeAlone).map(({ path, before }) => {
    return { path, type: 'directory', mode: before?.mode ?? 0, size: 0, content: null } as const
  })
  if (left.length > 0) throw new Error(`what stands there could not be kept: ${left.join('; ')}`)
  const at = store.now()
  const id = newCaptureId()
  const ways = [{ name: 'files', run: 'files', entries: [...entries, ...modes], left }] as const
  const text = captures.write({ id, at, until: at + KEEP_MS, cwd: null, ways })
  return { id, digest: `sha256:${hash('sha256', text)}`, until: at + KEEP_MS, ways: [{ name: 'files', exercised: true }] }
}

const EVERYTHING = { maxFiles: Number.MAX_SAFE_INTEGER, maxBytes: Number.MAX_SAFE_INTEGER }

interface Recording extends Told {
  readonly problem: string | null
}

/** The record, and what the approval says of it, are one transaction. */
async function record(
  { id }: StoredApproval,
  { by, files, more, problem, undo }: Recording,
  { store, keys }: ApplyingParts,
): Promise<StoredApproval> {
  const at = store.now()
  const keyed = keys()
  const { result } = await store.run(
    (tx) => {
      const before = readApproval(tx, id, keyed.ring)
      if (before === null) throw new Error(`approval ${id} is not there any more`)
      const next: StoredApproval = { ...before, applied: { by, at, record: tx.recordId(at), problem, told: false } }
      if (!changeApproval(tx, next, keyed.current)) throw new Error(`approval ${id} was changed by somebody else`)
      return { ...next, version: before.version + 1 }
    },
    (after) => recordOf(after, { by, files, more, problem, undo }, at),
  )
  return result
}

function recordOf({ id, session, tenant, decision }: StoredApproval, recording: Recording, at: number): RecordInput {
  const { by, files, more, problem, undo } = recording
  return eventRecord({
    kind: 'note',
    session: session === '' ? null : session,
    tenant: tenant === '' ? null : tenant,
    tool: APPLY_TOOL,
    decision: null,
    code: problem === null ? null : 'approval.not_applied',
    at,
    body: {
      apply: { approval: id, of: decision, by, files, more, problem },
      ...(problem === null && undo !== null ? { undo } : {}),
    },
  })
}

/** The changes as a call of their own. Null: they may be made. What the policy asks people is answered by whoever asked for them. */
async function refusal(approval: StoredApproval, { found, by, parts }: Making): Promise<string | null> {
  const call = callOf(approval, found)
  const first = await parts.decide(call)
  if (runs(first.decision)) return null
  if (first.decision !== 'ask' || first.approval === null) return `${first.code}: ${first.reason}`
  await parts.agree(first.approval.id, by)
  const second = await parts.decide(call)
  return runs(second.decision) ? null : `${second.code}: ${second.reason}`
}

function callOf({ id, kept, binding, tenant }: StoredApproval, found: readonly KeptChange[]): ToolCall {
  const paths = (gone: boolean): readonly string[] => found.filter(({ after }) => (after === null) === gone).map(({ path }) => path)
  const changes = kept !== null && 'digest' in kept ? kept.digest : ''
  const args = { approval: id, changes, write: paths(false), remove: paths(true) }
  const principal = { agent: 'countersign', tenant: tenant === '' ? null : tenant }
  return bareCall(APPLY_TOOL, args, { principal, session: `apply-${id}`, cwd: binding.cwd })
}

/**
 * What processes that are gone left half made is taken back; what they had made whole gets its record. Answers why something is left as it
 * is, a sentence each.
 */
async function takeUpAgain(parts: ApplyingParts): Promise<readonly string[]> {
  const { leftBehind } = await import('./preview/apply/journal.ts')
  const { ids, refused } = leftBehind(journalsIn(parts.home))
  for (const id of ids) await takeUp(id, parts)
  return refused
}

/** Nothing to record: somebody else did it, or the approval is not there any more. */
class Unrecorded extends Error {
  readonly found: Recovered | null

  constructor(found: Recovered | null) {
    super('nothing is recorded')
    this.found = found
  }
}

/** INVARIANT: the files are put back within the transaction that records it. The store lets one writer in, so two never recover at once. */
async function takeUp(id: string, { home, store, keys }: ApplyingParts): Promise<void> {
  const { recoverOne, settle } = await import('./preview/apply/journal.ts')
  const journals = journalsIn(home)
  const at = store.now()
  const keyed = keys()
  const recover = (tx: Transaction) => {
    const found = recoverOne(id, journals)
    const before = found === null ? null : readApproval(tx, id, keyed.ring)
    if (found === null || before === null || before.applied !== null) throw new Unrecorded(found)
    const problem = found.made ? null : ['the process that made it ended in between', ...found.left].join('; ')
    const { told, left } = found
    const next: StoredApproval = { ...before, applied: { by: told.by, at, record: tx.recordId(at), problem, told: false } }
    if (!changeApproval(tx, next, keyed.current)) throw new Error(`approval ${id} was changed by somebody else`)
    return { approval: next, left, recording: { ...told, problem } }
  }
  try {
    const { result } = await store.run(recover, ({ approval, recording }) => recordOf(approval, recording, at))
    settle(id, journals, result.left)
  } catch (error) {
    if (!(error instanceof Unrecorded)) throw error
    if (error.found !== null) settle(id, journals, error.found.left)
  }
}

/** Null where nothing was left behind. What fails now is tried again with the next changes that are made, which say so. */
export function recoveredFirst(parts: ApplyingParts): Promise<void> | null {
  try {
    if (!readdirSync(journalsIn(parts.home)).some((name) => name.endsWith('.json'))) return null
  } catch {
    return null
  }
  return takeUpAgain(parts).then(
    () => {},
    () => {},
  )
}

/** The gate, which decides nothing before what was left half made is taken up. */
export function afterRecovery(gate: Gate, recovered: Promise<void> | null): Gate {
  if (recovered === null) return gate
  return { ...gate, decide: async (...given) => recovered.then(() => gate.decide(...given)) }
}
