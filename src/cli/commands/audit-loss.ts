/** `audit accept-loss`: the operator goes on with a log that lost records, with a reason, on the record. */
import type { JsonObject } from '../../core/json.ts'
import { readGrants, revokeGrant } from '../../grants/store.ts'
import { stateDirectory } from '../../open.ts'
import { type Keys, loadKeys } from '../../store/sqlite/keys.ts'
import { type AcceptedLoss, acceptLoss } from '../../store/sqlite/loss.ts'
import { openStore } from '../../store/sqlite/open.ts'
import { StoreError, type Transaction } from '../../store/store.ts'
import { beginCopies, copiesInForce, copiesReport, NO_POLICY } from '../head-copies.ts'
import { EXIT, print, UsageError, visible, warn } from '../terminal.ts'
import { userName } from '../user.ts'

export interface LossOptions {
  readonly reason?: string
  readonly json?: boolean
  readonly policy?: string
}

/** 0 accepted · 2 there is nothing to accept, or what is left does not hold. */
export async function accept(options: LossOptions): Promise<number> {
  const reason = options.reason?.trim() ?? ''
  if (reason === '') throw new UsageError('accepting a loss needs a reason: --reason "the disk was restored from the backup of Monday"')
  const directory = stateDirectory()
  const now = Date.now()
  const { ring } = loadKeys(directory)
  const copies = await copiesInForce(options.policy ?? null, ring)
  if (copies === null) throw new UsageError(NO_POLICY)
  const { heads, foreign } = copiesReport(copies, directory, ring)
  const by = `user:${userName() ?? 'unknown'}`
  const accepted =
    isWhole(directory) && heads.length === 0 && foreign.length === 0
      ? null
      : acceptLoss({ directory, reason, by, now, withdraw: withdrawer(now), copies: heads, copyProblem: foreign[0] })
  if (accepted === null) throw new UsageError('nothing is lost: the log is as long as it ever was')
  if (options.json === true) print(JSON.stringify(accepted))
  else tell(accepted)
  for (const line of await beginCopies(directory, copies, now)) warn(visible(`countersign: ${line}`))
  return EXIT.ok
}

/** Opening also brings an older store to the tables of this version, which is no loss. */
function isWhole(directory: string): boolean {
  try {
    openStore({ directory }).close()
    return true
  } catch (error) {
    if (error instanceof StoreError && error.code === 'infra.store_corrupt') return false
    throw error
  }
}

/** What people allowed may have been used up, or taken back, in the lost part: all of it is asked for again. */
function withdrawer(now: number): (tx: Transaction, keys: Keys) => JsonObject {
  return (tx, { current, ring }) => {
    const approvals = tx.all(OPEN_APPROVALS).map(({ id }) => String(id))
    tx.run(FORGET_MESSAGES)
    tx.run(FORGET_APPROVALS)
    const grants = readGrants(tx, ring, now).filter(({ revoked }) => !revoked)
    for (const { id } of grants) revokeGrant(tx, id, { now, signer: current })
    return { approvals, grants: grants.map(({ id }) => id) }
  }
}

const OPEN = `status IN ('pending', 'approved')`
const OPEN_APPROVALS = `SELECT id FROM approvals WHERE ${OPEN} ORDER BY id`
const FORGET_MESSAGES = `DELETE FROM outbox WHERE approval IN (SELECT id FROM approvals WHERE ${OPEN})`
const FORGET_APPROVALS = `DELETE FROM approvals WHERE ${OPEN}`

function tell({ problem, had, has, withdrawn, receipt }: AcceptedLoss): void {
  const count = (name: string) => (Array.isArray(withdrawn[name]) ? withdrawn[name].length : 0)
  print(visible(`accepted: ${problem.split(': keep a copy')[0] ?? problem}`))
  print(`the log goes on after record ${has}${had === null ? '' : ` of ${had}`}; record ${receipt.sequence} (${receipt.id}) says so`)
  print(`withdrawn, as the lost part may have used them: ${count('approvals')} open approvals, ${count('grants')} grants`)
  warn('countersign: uses of grants in policies, rates and limits are counted from what is left of the log')
  warn('countersign: restart `countersign serve`')
}
