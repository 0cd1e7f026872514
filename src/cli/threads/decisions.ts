/** The thread that decides large calls of a proxy: a gate of its own over the same store, under the same policy. */
import { workerData } from 'node:worker_threads'
import { isJsonObject, type JsonObject, own } from '../../core/json.ts'
import { readJson } from '../../ingress/json.ts'
import { openGate } from '../../open.ts'
import type { LargeCall } from '../../proxies/large.ts'
import { readMessage } from '../../proxies/mcp/message.ts'
import { DECIDE } from '../../server/apart/message.ts'
import { serveTasks } from '../../thread/serve.ts'
import { policyHeld } from '../mcp/lock.ts'
import { watchInForce } from '../watch.ts'
import type { DecisionsData } from './open.ts'

/** The proxy has read the arguments already, within its own limits. */
const LIMITS = { maxBytes: 1 << 30, maxDepth: 512, maxKeys: 10_000_000, maxString: 1 << 30 }

const { home, policy, lock } = workerData as DecisionsData
// The proxy's own watch tells of every reload; once is enough.
const held = policyHeld(watchInForce(policy, () => {}).current, lock)
const { gate } = openGate({ home, policy: held.current, grown: () => {}, protect: held.protect })

serveTasks({
  [DECIDE]: async ({ call, args, ingress, host }: LargeCall) => {
    return { value: await gate.decide({ ...call, args: argumentsIn(args) }, ingress, host) }
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
