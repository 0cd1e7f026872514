/** What is known of roles as signed rows of the store. */
import { canonicalJson } from '../core/canonical.ts'
import type { Signer } from '../store/chain.ts'
import type { ReadTransaction, SqlRow, Transaction } from '../store/store.ts'
import { decodeState, encodeState } from './encode.ts'
import { type RoleState, roleKey, type States } from './learner.ts'

/** `closed`: days that are over. `head`: all that was learned. */
export type StateName = 'closed' | 'head'

export interface StoredStates {
  readonly states: States
  /** Number of the last record in them; 0: none. */
  readonly upto: number
  /** True where a row is not rightly signed, or is none of this version: what is known is not known then. */
  readonly broken: boolean
}

const REVISION = `SELECT revision FROM baselines WHERE state = 'head' ORDER BY revision DESC LIMIT 1`
const READ = 'SELECT tenant, role, upto, revision, body, key, mac FROM baselines WHERE state = ?'
const READ_TENANT = `${READ} AND tenant = ?`
const WRITE = 'INSERT INTO baselines (tenant, role, state, upto, revision, at, body, key, mac) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)'
const FORGET = 'DELETE FROM baselines WHERE state = ?'
/** Stands for how far the log was read, where no role has a row of its own. */
const NOBODY = '\n'

/** Rises whenever something was learned; 0: nothing ever was. */
export function revisionOf(tx: ReadTransaction): number {
  return Number(tx.get(REVISION)?.revision ?? 0)
}

/** @param tenant the roles of one tenant alone; absent: of all. */
export function readStates(
  tx: ReadTransaction,
  state: StateName,
  { ring, tenant }: { readonly ring: ReadonlyMap<string, Signer>; readonly tenant?: string | null },
): StoredStates {
  const rows = tenant === undefined ? tx.all(READ, state) : tx.all(READ_TENANT, state, tenant ?? '')
  const states: States = new Map()
  let upto = 0
  for (const row of rows) {
    const signed = ring.get(String(row.key))?.mac(textOf(state, row)) === row.mac
    if (!signed) return { states: new Map(), upto: 0, broken: true }
    upto = Math.max(upto, Number(row.upto))
    if (row.role === NOBODY) continue
    const decoded = stateIn(row)
    if (decoded === null) return { states: new Map(), upto: 0, broken: true }
    states.set(roleKey(String(row.tenant), String(row.role)), decoded)
  }
  return { states, upto, broken: false }
}

function stateIn({ body }: SqlRow): RoleState | null {
  try {
    return decodeState(JSON.parse(String(body)))
  } catch {
    return null
  }
}

export interface Written {
  readonly states: States
  readonly upto: number
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly signer: Signer
}

/** Puts these states in the place of those that stand there. */
export function writeStates(tx: Transaction, state: StateName, { states, upto, at, signer }: Written): void {
  const revision = revisionOf(tx) + 1
  tx.run(FORGET, state)
  const put = (tenant: string, role: string, body: string): void => {
    const row = { tenant, role, upto, revision, body }
    tx.run(WRITE, tenant, role, state, upto, revision, at, body, signer.id, signer.mac(textOf(state, row)))
  }
  put('', NOBODY, '')
  for (const [key, each] of states) {
    const [tenant = '', ...role] = key.split('\n')
    put(tenant, role.join('\n'), encodeState(each))
  }
}

function textOf(state: StateName, { tenant, role, upto, revision, body }: SqlRow): string {
  return canonicalJson(['countersign/baseline/v1', state, String(tenant), String(role), Number(upto), Number(revision), String(body)])
}
