/**
 * Remembers, with the decision, the definition that a tool was first seen with; later calls are held to it (T11). What is not the
 * pinned one is kept beside it, for whoever accepts it.
 */
import type { ToolCall } from '../core/call.ts'
import { canonicalJson } from '../core/canonical.ts'
import type { Json, JsonObject } from '../core/json.ts'
import { isJsonObject } from '../core/json.ts'
import { definitionToJson } from '../core/wire.ts'
import type { ResolveContext } from '../gate.ts'
import { DEFINITION_RULES, heldTo } from '../layers/integrity/definition.ts'
import { learnOffered, type OfferedTool } from '../pins/offered.ts'
import { readLookalike, readPin, type Seen, type ToolKey, toolName, writePin, writeSeen } from '../pins/store.ts'
import type { Policy } from '../policy/policy.ts'
import { type PinState, UNPINNED } from '../session/pin.ts'
import type { Signer } from '../store/chain.ts'
import { createKept } from '../store/kept.ts'
import type { ReadTransaction, Store } from '../store/store.ts'
import { type CommitContext, type Spender, Spent } from './commit.ts'

export interface PinSource {
  readonly store: Pick<Store, 'query' | 'run' | 'now'>
  /** Keys that sign pins; read where a tool is met for the first time, or its row has changed. */
  readonly keys: () => { readonly current: Signer; readonly ring: ReadonlyMap<string, Signer> }
  /** The value without its secrets. */
  readonly redact: (value: JsonObject) => Json
}

export interface PinParts {
  /** What is known of the tool that a call names; looked up once, when it is asked for. */
  readonly of: (call: ToolCall) => () => PinState
  readonly spender: Spender
  /**
   * Takes in what a server says of its tools before any of them is called: what is seen for the first time is pinned where the policy
   * trusts it, what is another one than before is kept beside its pin. Rejects with what the store throws.
   */
  readonly learn: (offered: readonly ToolCall[], policy: Policy) => Promise<readonly OfferedTool[]>
}

/** UTF-16 units of JSON up to which a definition is kept, to show what changed; of a longer one there is only the digest. */
const LARGEST = 64 * 1024

export function createPinParts({ store, keys, redact }: PinSource): PinParts {
  const spend: Spender['spend'] = (tx, decision, context) => {
    const seen = seenOf(context, redact)
    if (seen === null) return undefined
    const key = keyOf(context.call)
    const { current, ring } = keys()
    const known = readPin(tx, key, ring)
    if (known?.pinned?.digest === seen.digest) return undefined
    if (known === null || known.pinned === null) {
      if (isQuestioned(decision)) writeSeen(tx, key, seen)
      else writePin(tx, key, { pin: { ...seen, by: null, reason: null }, signer: current })
      return undefined
    }
    // Another call was faster and pinned something else: what was judged as the first definition is not.
    if (!isQuestioned(decision) && decision.decision !== 'deny' && decision.decision !== 'halt') {
      throw new Spent(
        'integrity',
        'integrity.definition_changed',
        `\`${toolName(key)}\` was pinned with another definition in the meantime`,
      )
    }
    writeSeen(tx, key, seen)
    return undefined
  }
  const states = createStates(keys)
  return {
    of: (call) => {
      if (call.tool.definition === null) return () => UNPINNED
      let state: PinState | null = null
      return () => {
        state ??= store.query((tx) => states(tx, keyOf(call)))
        return state
      }
    },
    spender: { wants: (_decision, context) => isNews(context), spend },
    learn: (offered, policy) => {
      const seen = offered.flatMap((call) => {
        const definition = seenOf({ call, at: store.now() }, redact)
        const apart = call.tool.server !== null && policy.guards.definitions.except.has(call.tool.server)
        return definition === null || apart ? [] : [{ key: keyOf(call), seen: definition }]
      })
      return learnOffered(seen, policy.guards.definitions, { store, ...keys() })
    },
  }
}

/** What is known of a tool, checked once for each state of its table and of the keys. */
function createStates(keys: PinSource['keys']): (tx: ReadTransaction, key: ToolKey) => PinState {
  let by: ReadonlyMap<string, Signer> | null = null
  let kept = createKept<PinState>('pins')
  return (tx, key) => {
    const { ring } = keys()
    if (ring !== by) kept = createKept('pins')
    by = ring
    return kept(tx, canonicalJson([key.tenant, key.server, key.tool]), () => {
      const known = readPin(tx, key, ring)
      if (known !== null && known.pinned !== null) return { pinned: known.pinned, lookalike: null }
      return { pinned: null, lookalike: readLookalike(tx, key) }
    })
  }
}

/** True where the log does not hold this definition as the pinned one yet. A pin of the policy needs none in the store. */
function isNews({ call: { tool }, basis }: CommitContext): boolean {
  if (basis === null || tool.definition === null) return false
  const { pins, except } = basis.policy.guards.definitions
  if (tool.server !== null && except.has(tool.server)) return false
  if (pins.has(tool.server === null ? tool.name : `${tool.server}/${tool.name}`)) return false
  return basis.state.pin().pinned?.digest !== tool.definition
}

function isQuestioned({ findings }: Parameters<Spender['spend']>[1]): boolean {
  return findings.some(({ layer, rule }) => layer === 'integrity' && DEFINITION_RULES.has(rule))
}

function seenOf({ call, at }: Pick<CommitContext, 'call' | 'at'>, redact: PinSource['redact']): Seen | null {
  if (call.tool.definition === null || call.definition === null) return null
  const definition = redact(definitionToJson(call.definition))
  const small = JSON.stringify(definition).length <= LARGEST
  return { digest: call.tool.definition, definition: small && isJsonObject(definition) ? definition : null, at }
}

function keyOf({ tool, principal }: ToolCall): ToolKey {
  return { tenant: principal.tenant ?? '', server: tool.server ?? '', tool: tool.name }
}

/** True where the definition that comes with the call is the one that people, or the first sight of it, accepted. */
export function isPinned({ call, facts, policy, state }: ResolveContext): boolean {
  return heldTo({ call, facts, policy, state }).state === 'pinned'
}
