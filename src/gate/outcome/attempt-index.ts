/**
 * Open attempts as the index has them, kept for as long as nobody writes to it: a decision looks for the same attempts when it is judged,
 * once for each policy, and again when it is committed.
 */
import { createKept } from '../../store/kept.ts'
import type { ReadTransaction, SqlRow } from '../../store/store.ts'
import type { KeptAttempt } from './log.ts'

export interface AttemptIndex {
  /** False: the log has to be read instead. */
  readonly isBuilt: (tx: ReadTransaction) => boolean
  /** Attempts at an effect whose end is not known, the newest first. */
  readonly open: (tx: ReadTransaction, tenant: string, effect: string) => readonly KeptAttempt[]
}

const BUILT = 'SELECT built FROM outcome_index LIMIT 1'

/** @param columns what `keptFrom` reads. */
export function createAttemptIndex(columns: string): AttemptIndex {
  const open = `SELECT ${columns} FROM outcomes WHERE tenant = ? AND effect = ? AND state IN ('open', 'unknown') ORDER BY record DESC LIMIT 32`
  const built = createKept<boolean>('outcome_index')
  const attempts = createKept<readonly KeptAttempt[]>('outcomes')
  return {
    isBuilt: (tx) => built(tx, '', () => tx.get(BUILT) !== undefined),
    open: (tx, tenant, effect) => attempts(tx, `${tenant}\n${effect}`, () => tx.all(open, tenant, effect).map(keptFrom)),
  }
}

export function keptFrom(row: SqlRow): KeptAttempt {
  const text = (name: string): string | null => (typeof row[name] === 'string' ? row[name] : null)
  return {
    tenant: text('tenant') ?? '',
    effect: text('effect') ?? '',
    record: text('record') ?? '',
    verb: text('verb') ?? '',
    call: text('call') ?? '',
    session: text('session'),
    callId: text('call_id'),
    idempotency: text('idempotency'),
    attended: row.attended === 1,
    several: row.several === 1,
    at: Number(row.at),
    state: text('state') ?? 'open',
    why: text('why'),
  }
}
