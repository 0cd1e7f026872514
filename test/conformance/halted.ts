/** A session that was stopped stays stopped, whichever seam its next call comes through. */
import type { Case } from './corpus.ts'
import { type Bench, isOf } from './seam.ts'
import type { Seam } from './seams/list.ts'

/** Denials of one call after which every seam has stopped the session, by the policy of the corpus. */
const TRIES = 12
const SESSION = 'stopped'

export interface Stopped {
  readonly decided: string
  readonly told: string
}

/** What becomes of a call that the policy allows after the session was stopped; null: the seam has no such calls, or no sessions. */
export async function afterHalt(seam: Seam, bench: Bench, cases: readonly Case[]): Promise<Stopped | null> {
  const ours = cases.filter(({ id, session, answer, form }) => id === session && answer === null && !('skip' in seam.named(form)))
  const denied = ours.find(({ decision, role, form }) => decision === 'deny' && role === null && form.kind === 'shell')
  const allowed = ours.find(({ decision, role, form }) => decision === 'allow' && role === null && form.kind === 'shell')
  if (!seam.sessions || denied === undefined || allowed === undefined) return null
  const send = async (one: Case) => {
    const named = seam.named(one.form)
    if ('skip' in named) throw new Error(`${one.id} is no call at ${seam.name}`)
    const told = await bench.send({ one: { ...one, session: SESSION }, named, session: SESSION, meanwhile: null })
    const record = bench.records(SESSION).findLast((each) => isOf(each, SESSION))
    return { decided: `${record?.decision} ${record?.code}`, told }
  }
  const before = await send(allowed)
  if (before.told !== 'runs') throw new Error(`${allowed.id} did not run in a session of its own: ${before.decided}`)
  for (let i = 0; i < TRIES; i += 1) if ((await send(denied)).decided.startsWith('halt')) break
  return send(allowed)
}

export const HALTED: Stopped = { decided: 'halt session.locked', told: 'stopped' }
