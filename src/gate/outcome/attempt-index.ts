/**
 * Open attempts as the index has them, kept for as long as nobody writes to it: a decision looks for the same attempts when it is judged,
 * once for each policy, and again when it is committed.
 */
import type { ToolCall } from '../../core/call.ts'
import { createKept } from '../../store/kept.ts'
import type { ReadTransaction, SqlRow } from '../../store/store.ts'
import type { KeptAttempt } from './log.ts'

export interface AttemptIndex {
  /** False: the log has to be read instead. */
  readonly isBuilt: (tx: ReadTransaction) => boolean
  /** Attempts at an effect whose end is not known, the newest first. */
  readonly open: (tx: ReadTransaction, tenant: string, effect: string) => readonly KeptAttempt[]
  /** False: no attempt of this call is open, by the keyed names that it may go by. `names` is asked only where any attempt is open. */
  readonly mayClose: (tx: ReadTransaction, call: ToolCall, names: () => readonly string[]) => boolean
}

/** With more open attempts than this, each call is looked up. */
const MAX_OPEN_CALLS = 64
const OPEN_CALLS = `SELECT tenant, call FROM outcomes INDEXED BY outcomes_call WHERE state IN ('open', 'unknown') LIMIT ${MAX_OPEN_CALLS + 1}`

const BUILT = 'SELECT built FROM outcome_index LIMIT 1'

/** @param columns what `keptFrom` reads. */
export function createAttemptIndex(columns: string): AttemptIndex {
  const open = `SELECT ${columns} FROM outcomes WHERE tenant = ? AND effect = ? AND state IN ('open', 'unknown') ORDER BY record DESC LIMIT 32`
  const built = createKept<boolean>('outcome_index')
  const attempts = createKept<readonly KeptAttempt[]>('outcomes')
  const calls = createKept<ReadonlySet<string>>('outcomes')
  const openCalls = (tx: ReadTransaction): ReadonlySet<string> =>
    calls(tx, '', () => new Set(tx.all(OPEN_CALLS).map(({ tenant, call }) => `${String(tenant)}\n${String(call)}`)))
  return {
    mayClose: (tx, { principal }, names) => {
      const open = openCalls(tx)
      const tenant = principal.tenant ?? ''
      if (open.size === 0) return false
      return open.size > MAX_OPEN_CALLS || names().some((name) => open.has(`${tenant}\n${name}`))
    },
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
