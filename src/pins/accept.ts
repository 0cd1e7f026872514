/** Accepting and forgetting pins, each with its record: who, why, and what it was before (P5). */
import type { JsonObject } from '../core/json.ts'
import type { Signer } from '../store/chain.ts'
import type { RecordInput, Store } from '../store/store.ts'
import { readPin, removePin, type ToolKey, toolName, writePin } from './store.ts'

export interface Acceptor {
  readonly store: Pick<Store, 'run'>
  readonly signer: Signer
  readonly ring: ReadonlyMap<string, Signer>
  /** Who does it, for the log. */
  readonly author: string
  readonly reason: string
  /** Milliseconds since the epoch. */
  readonly now: number
}

/** A pin that cannot be changed, and why. */
export class PinError extends Error {
  override readonly name = 'PinError'
}

/**
 * Holds the tool to the definition that was last seen. The digest says which one the operator looked at, so that a definition that
 * changed once more is not accepted with it. @throws {PinError} where it is another, or nothing waits.
 */
export async function acceptPin(key: ToolKey, digest: string, { store, signer, ring, author, reason, now }: Acceptor): Promise<void> {
  const work = (tx: Parameters<Parameters<Store['run']>[0]>[0]): string | null => {
    const known = readPin(tx, key, ring)
    if (known === null) throw new PinError(`no definition of \`${toolName(key)}\` was ever seen`)
    const seen = known.seen ?? known.pinned
    if (seen === null || seen.digest !== digest) {
      throw new PinError(`the definition of \`${toolName(key)}\` is ${seen?.digest ?? 'not known'}, not ${digest}; look at it again`)
    }
    writePin(tx, key, { pin: { digest, definition: seen.definition, at: now, by: author, reason }, signer })
    return known.pinned?.digest ?? null
  }
  await store.run(work, (before) => recordOf(key, { event: 'pin accepted', digest, before, reason, author }, now))
}

/** Forgets what is known of the tool; the next definition is the first one again. @throws {PinError} where nothing is known. */
export async function forgetPin(key: ToolKey, { store, ring, author, reason, now }: Acceptor): Promise<void> {
  const work = (tx: Parameters<Parameters<Store['run']>[0]>[0]): string | null => {
    const known = readPin(tx, key, ring)
    if (!removePin(tx, key)) throw new PinError(`nothing is pinned for \`${toolName(key)}\``)
    return known?.pinned?.digest ?? null
  }
  await store.run(work, (before) => recordOf(key, { event: 'pin removed', before, reason, author }, now))
}

function recordOf(key: ToolKey, body: JsonObject, at: number): RecordInput {
  const tenant = key.tenant === '' ? null : key.tenant
  return { kind: 'policy', session: null, tenant, tool: key.tool, decision: null, code: null, at, body: { ...body, tool: toolName(key) } }
}
