/** Handing grants out and taking them back, each with its record: reason and author are in the log (P5). */
import { randomBytes } from 'node:crypto'
import type { JsonObject } from '../core/json.ts'
import type { Signer } from '../store/chain.ts'
import type { RecordInput, Store, Transaction } from '../store/store.ts'
import { isGateName } from './actions.ts'
import { type Grant, isNarrower, lapse } from './grant.ts'
import { grantToJson, insertGrant, readGrant, revokeGrant } from './store.ts'

export interface Issuer {
  readonly store: Pick<Store, 'run' | 'query'>
  readonly signer: Signer
  readonly ring: ReadonlyMap<string, Signer>
  /** Who does it, for the log. */
  readonly author: string
  /** Milliseconds since the epoch. */
  readonly now: number
}

export type Asked = Omit<Grant, 'id' | 'author' | 'source'>

/** A grant that cannot be handed out or taken back, and why. */
export class GrantError extends Error {
  override readonly name = 'GrantError'
}

/** Signs and stores a grant. Throws `GrantError` where it is malformed or wider than its parent. */
export async function addGrant(asked: Asked, issuer: Issuer): Promise<Grant> {
  const { store, signer, ring, author, now } = issuer
  if (!isGateName(asked.action)) throw new GrantError(`\`${asked.action}\` is no action that can be granted`)
  if (asked.expires !== null && asked.expires <= now) throw new GrantError('the grant would end before it begins')
  const grant = named(asked, author)
  await store.run(
    (tx) => {
      if (grant.parent !== null) {
        const parent = readGrant(tx, grant.parent, { ring, now })
        if (parent === null) throw new GrantError(`there is no grant \`${grant.parent}\``)
        const reason = lapse(parent, { ...parent.binding, now: Math.max(now, parent.notBefore ?? now) })
        if (reason !== null) throw new GrantError(`\`${parent.id}\` cannot be narrowed: ${reason}`)
        if (!isNarrower(grant, parent)) throw new GrantError(`the grant would be wider than \`${parent.id}\`, which it comes from`)
      }
      insertGrant(tx, grant, signer)
    },
    recordOf('granted', { ...grantToJson(grant) }, issuer),
  )
  return grant
}

/** Signs and stores a grant in a transaction whose record tells of it. */
export function mintGrant(tx: Transaction, asked: Asked, { signer, author }: Pick<Issuer, 'signer' | 'author'>): Grant {
  const grant = named(asked, author)
  insertGrant(tx, grant, signer)
  return grant
}

function named(asked: Asked, author: string): Grant {
  return { ...asked, id: `gr_${randomBytes(10).toString('hex')}`, author, source: 'store' }
}

/** Takes a grant back at once, and with it every grant that was narrowed from it. Throws `GrantError` where there is nothing to take back. */
export async function takeBack(id: string, reason: string, issuer: Issuer): Promise<void> {
  await issuer.store.run(
    (tx) => {
      if (!revokeGrant(tx, id, issuer)) throw new GrantError(`there is no grant \`${id}\` in force`)
    },
    recordOf('revoked', { id, reason, author: issuer.author }, issuer),
  )
}

function recordOf(event: string, body: JsonObject, { now }: Issuer): RecordInput {
  return { kind: 'grant', session: null, tenant: null, tool: null, decision: null, code: null, at: now, body: { event, ...body } }
}
