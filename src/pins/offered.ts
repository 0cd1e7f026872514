/**
 * What a server says of its tools before any of them is called: pinned where it is seen for the first time and the policy trusts that,
 * kept beside the pin where it is another definition (T11).
 */

import { definitionChanges } from '../session/pin.ts'
import type { Signer } from '../store/chain.ts'
import type { ReadTransaction, RecordInput, Store, Transaction } from '../store/store.ts'
import { readLookalike, readPin, type Seen, type ToolKey, toolName, writePin, writeSeen } from './store.ts'

/** How a tool that a server offers stands to what was known of it. */
export interface OfferedTool {
  /** `server/name`. */
  readonly tool: string
  readonly digest: string
  /**
   * `held`: it is what it is held to. `pinned`: since now. `waits`: the policy wants the first definition to be accepted. `changed`: it is
   * held to another one. `lookalike`: its name can be taken for that of a tool known before.
   */
  readonly state: 'held' | 'pinned' | 'waits' | 'changed' | 'lookalike'
  /** What changed, as `definitionChanges` tells it; or the tool that it looks like. */
  readonly details: readonly string[]
  /** Not known before. */
  readonly news: boolean
}

export interface Offered {
  readonly key: ToolKey
  readonly seen: Seen
}

export interface OfferedParts {
  readonly store: Pick<Store, 'query' | 'run' | 'now'>
  readonly current: Signer
  readonly ring: ReadonlyMap<string, Signer>
}

/** What the policy says of definitions. */
export interface DefinitionRules {
  /** Digests by `server/name`, which come before what was seen. */
  readonly pins: ReadonlyMap<string, string>
  readonly firstUse: 'trust' | 'ask' | 'deny'
}

/** Rejects with what the store throws. */
export async function learnOffered(
  offered: readonly Offered[],
  rules: DefinitionRules,
  { store, current, ring }: OfferedParts,
): Promise<readonly OfferedTool[]> {
  const look = (tx: ReadTransaction): readonly OfferedTool[] => offered.map((each) => standing(tx, each, { rules, ring }))
  const before = store.query(look)
  if (!before.some(({ news }) => news)) return before
  // One after the other: of two names that look alike, the second is compared with the first.
  const work = (tx: Transaction): readonly OfferedTool[] =>
    offered.map((each) => {
      const tool = standing(tx, each, { rules, ring })
      if (tool.state === 'pinned') writePin(tx, each.key, { pin: { ...each.seen, by: null, reason: null }, signer: current })
      else if (tool.news) writeSeen(tx, each.key, each.seen)
      return tool
    })
  const { result } = await store.run(work, (found) => recordOf(found, offered[0]?.key.tenant ?? '', store.now()))
  return result
}

interface Held {
  readonly rules: DefinitionRules
  readonly ring: OfferedParts['ring']
}

function standing(tx: ReadTransaction, { key, seen: { digest, definition } }: Offered, { rules, ring }: Held): OfferedTool {
  const { pins, firstUse } = rules
  const tool = toolName(key)
  const written = pins.get(tool)
  const known = readPin(tx, key, ring)
  const news = known?.seen?.digest !== digest
  const pinned = known?.pinned ?? null
  if (written === digest || (written === undefined && pinned?.digest === digest))
    return { tool, digest, state: 'held', details: [], news: false }
  if (written !== undefined || pinned !== null)
    return { tool, digest, state: 'changed', details: definitionChanges(pinned?.definition ?? null, definition), news }
  const lookalike = readLookalike(tx, key)
  if (lookalike !== null) return { tool, digest, state: 'lookalike', details: [lookalike], news }
  return firstUse === 'trust'
    ? { tool, digest, state: 'pinned', details: [], news: true }
    : { tool, digest, state: 'waits', details: [], news }
}

function recordOf(found: readonly OfferedTool[], tenant: string, at: number): RecordInput {
  const tools = found.filter(({ news }) => news).map(({ tool, digest, state, details }) => ({ tool, digest, state, details }))
  const nothing = { session: null, tool: null, decision: null, code: null }
  return { ...nothing, kind: 'policy', tenant: tenant === '' ? null : tenant, at, body: { event: 'tools offered', tools } }
}
