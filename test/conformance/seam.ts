/** The corpus through one seam: every call is sent as the seam has it, and what the log then holds is compared. */
import type { ApprovalQueue } from '../../src/approvals/queue.ts'
import { runs } from '../../src/core/verdict.ts'
import type { StoredRecord } from '../../src/store/store.ts'
import { type Case, type Places, sessionsOf } from './corpus.ts'
import { bodyOf, type Named, normal, plainly } from './normal.ts'
import { type Seam, sameForm, skipped } from './seams/list.ts'

/** What whoever proposed the call was told: it may run, it may not, or a prompt of the host's own. */
export type Heard = 'runs' | 'stopped' | 'prompt' | 'unclear'

export interface Sent {
  readonly one: Case
  readonly named: Named
  readonly session: string
  /** What a person says while the call is held; null: nobody says anything. */
  readonly meanwhile: 'approve' | 'deny' | null
}

export interface Bench {
  readonly send: (sent: Sent) => Promise<Heard>
  readonly queue: ApprovalQueue
  /** The decisions of this seam, in order; of one session only, where it is named. */
  readonly records: (session?: string) => readonly StoredRecord[]
}

export interface Through {
  readonly told: ReadonlyMap<string, Heard>
  readonly records: ReadonlyMap<string, StoredRecord>
  readonly skipped: readonly string[]
}

/** Sessions that are under way at the same time. */
const AT_ONCE = 8

export async function through(seam: Seam, bench: Bench, cases: readonly Case[]): Promise<Through> {
  const told = new Map<string, Heard>()
  const records = new Map<string, StoredRecord>()
  const all = sessionsOf(cases)
  const sessions = all.filter((session) => skipped(seam, session) === null)
  const waiting = [...sessions]
  const worker = async (): Promise<void> => {
    for (let session = waiting.shift(); session !== undefined; session = waiting.shift())
      for (const [id, each] of await sendAll(seam, bench, session)) told.set(id, each)
  }
  // What has no session is known by its place in the log.
  await Promise.all(Array.from({ length: seam.sessions ? AT_ONCE : 1 }, worker))
  if (seam.sessions) bySession(sessions, bench.records(), records)
  else for (const [at, record] of bench.records().entries()) records.set(sessions[at]?.[0]?.id ?? '', record)
  const left = all.filter((session) => !sessions.includes(session)).flat()
  return { told, records, skipped: left.map(({ id }) => id) }
}

async function sendAll(seam: Seam, bench: Bench, session: readonly Case[]): Promise<readonly (readonly [string, Heard])[]> {
  const told: [string, Heard][] = []
  for (const [at, one] of session.entries()) {
    const { answer } = one
    const next = session[at + 1]
    if (answer !== null && !seam.holds) await answered(bench, one.session, answer)
    // A call that was held has run once the person agreed: it is this one.
    if (seam.holds && answer === 'approve') continue
    const meanwhile = seam.holds && sameForm(one, next) ? (next?.answer ?? null) : null
    const named = seam.named(one.form)
    if ('skip' in named) throw new Error(`${one.id} is no call at ${seam.name}`)
    // All that waits is of one session where there are none, and only so much may wait in one.
    if (!seam.sessions) await withdrawn(bench)
    const heard = await bench.send({ one, named, session: one.session, meanwhile })
    told.push([one.id, meanwhile === 'approve' && heard === 'runs' ? 'stopped' : heard])
    if (meanwhile === 'approve' && next !== undefined) told.push([next.id, heard])
  }
  return told
}

async function withdrawn({ queue }: Bench): Promise<void> {
  for (const { id } of queue.list({ tenant: null, status: 'pending', limit: 20 }).approvals)
    await queue.cancel(id, { tenant: null, by: 'human:reviewer', comment: 'seen' })
}

async function answered({ queue, records }: Bench, session: string, answer: 'approve' | 'deny'): Promise<void> {
  const asked = records(session).filter((record) => isOf(record, session) && bodyOf(record).decision.approval !== null)
  const approval = asked.length === 0 ? null : bodyOf(asked[0] as StoredRecord).decision.approval
  const id = approval as unknown as { readonly id: string } | null
  if (id === null) throw new Error(`nothing waits for a person in the session ${session}`)
  await queue.answer(id.id, { tenant: null, by: 'human:reviewer', verdict: answer, comment: 'looked at' })
}

function bySession(sessions: readonly (readonly Case[])[], all: readonly StoredRecord[], records: Map<string, StoredRecord>): void {
  for (const session of sessions) {
    const own = all.filter((record) => isOf(record, session[0]?.session ?? ''))
    if (own.length !== session.length)
      throw new Error(`${session[0]?.id}: ${own.length} decisions were recorded of ${session.length} calls`)
    for (const [at, one] of session.entries()) records.set(one.id, own[at] as StoredRecord)
  }
}

/** A seam whose callers are known puts the owner behind the name. */
export function isOf({ session }: StoredRecord, name: string): boolean {
  return session === name || session?.startsWith(`${name}@`) === true
}

/** The corpus through this seam, and through the library. */
export interface Both {
  readonly seam: Seam
  readonly cases: readonly Case[]
  readonly places: Places
  readonly seen: Through
  readonly like: Through
}

/** How the seam differs from the corpus and from the library; none where they agree. */
export function differences({ seam, cases, places, seen, like }: Both): readonly string[] {
  return cases.flatMap((one) => {
    if (seen.skipped.includes(one.id)) return []
    const [record, reference] = [seen.records.get(one.id), like.records.get(one.id)]
    if (record === undefined || reference === undefined) return [`${one.id}: nothing was recorded`]
    const said = `${record.decision} ${record.code}`
    const faults: string[] = []
    if (said !== `${one.decision} ${one.code}`) faults.push(`${one.id}: decided ${said}, expected ${one.decision} ${one.code}`)
    const heard = seen.told.get(one.id)
    const right = runs(one.decision) ? heard === 'runs' : heard === 'stopped' || (one.decision === 'ask' && heard === 'prompt')
    if (!right) faults.push(`${one.id}: ${one.decision} was told as ${heard}`)
    const named = seam.named(one.form)
    const ours = normal(record, { one, places, seam, named: 'skip' in named ? plainly(one.form) : atPlace(named, places) })
    const theirs = normal(reference, { one, places, seam, named: plainly(one.form) })
    if (ours !== theirs) faults.push(`${one.id}: recorded otherwise: ${firstUnlike(ours, theirs)}`)
    return faults
  })
}

function firstUnlike(ours: string, theirs: string): string {
  const [a, b] = [ours.split('\n'), theirs.split('\n')]
  const at = a.findIndex((line, index) => line !== b[index])
  return `${a.slice(at, at + 2).join(' ')} ≠ ${b.slice(at, at + 2).join(' ')}`
}

/** What a seam says of where it is. */
export function atPlace(named: Named, { repo }: Places): Named {
  return JSON.parse(JSON.stringify(named).replaceAll('"{cwd}"', JSON.stringify(repo))) as Named
}
