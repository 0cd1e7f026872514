/** The thread that decides large calls of a proxy: a gate of its own over the same store, under the same policy. */
import { workerData } from 'node:worker_threads'
import type { ToolCall } from '../../core/call.ts'
import { isJsonObject, type JsonObject, own } from '../../core/json.ts'
import { runs } from '../../core/verdict.ts'
import { readJson } from '../../ingress/json.ts'
import { openGate } from '../../open.ts'
import { landResult } from '../../open-results.ts'
import { type LargeCall, type LargeResult, MAX_LARGE } from '../../proxies/large.ts'
import { createMemory } from '../../proxies/mcp/memory.ts'
import { readMessage } from '../../proxies/mcp/message.ts'
import { DECIDE, LAND } from '../../server/apart/message.ts'
import { serveTasks } from '../../thread/serve.ts'
import { policyHeld } from '../mcp/lock.ts'
import { watchInForce } from '../watch.ts'
import type { DecisionsData } from './open.ts'

/** The proxy has read the arguments already, within its own limits. */
const LIMITS = { maxBytes: 1 << 30, maxDepth: 512, maxKeys: 10_000_000, maxString: 1 << 30 }

const { home, policy, lock } = workerData as DecisionsData
// The proxy's own watch tells of every reload; once is enough.
const held = policyHeld(watchInForce(policy, () => {}).current, lock)
const opened = openGate({ home, policy: held.current, grown: () => {}, protect: held.protect })

/** Calls that were let through, until their results come: the newest of them. */
const calls = createMemory<ToolCall>(MAX_LARGE)

serveTasks({
  [DECIDE]: async ({ key, call: given, args, ingress, host }: LargeCall) => {
    const call = { ...given, args: argumentsIn(args) }
    const decision = await opened.gate.decide(call, ingress, host)
    if (runs(decision.decision)) calls.set(String(key), call)
    return { value: decision }
  },
  // Null: the call is not known any more.
  [LAND]: async ({ key, ...returned }: LargeResult) => {
    const call = calls.take(String(key))
    if (call === null) return { value: null }
    const { seen, kept } = landResult(opened, { call, ...returned, ahead: true })
    await kept
    return { value: { seen } }
  },
})

function argumentsIn(given: LargeCall['args']): JsonObject {
  if (typeof given !== 'string') {
    const message = readMessage(given)
    const args = message.kind === 'request' ? own(message.params, 'arguments') : undefined
    if (args === undefined || !isJsonObject(args)) throw new Error('the message holds no arguments')
    return args
  }
  const read = readJson(given, LIMITS)
  if (!read.ok || !isJsonObject(read.value)) throw new Error(read.ok ? 'the arguments are no object' : read.refusal.message)
  return read.value
}
