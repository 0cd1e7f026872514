/**
 * The first decision of a session in a process that has just started, by itself in that process: `bench/sessions.ts` runs it. Prints the
 * milliseconds of processor time that the decision took, or, with `watched`, the longest that anybody else would have waited meanwhile:
 * whoever watches uses the processor, too, while the decision waits for the disk.
 */
import type { ToolCall } from '../src/core/call.ts'
import { openBench, policyOf } from './gates.ts'
import { processorTime } from './measure.ts'
import { callOf } from './rules.ts'

const [home = '', policy = '', session = '', watched] = process.argv.slice(2)
const { gate, close } = openBench({ policy: policyOf(policy), record: home })
const of = (name: string): ToolCall => ({ ...callOf('update_order', 'user', { id: 'o-1' }), session: name })
await gate.decide(of('another'))

let longest = 0
let last = processorTime()
let over = false
const turn = (): void => {
  const now = processorTime()
  longest = Math.max(longest, now - last)
  last = now
  if (!over) setImmediate(turn)
}
if (watched !== undefined) setImmediate(turn)
const before = processorTime()
const { decision } = await gate.decide(of(session))
const took = processorTime() - before
over = true
if (watched !== undefined) turn()
process.stdout.write(JSON.stringify({ decision, took: took / 1_000, longest: longest / 1_000 }))
close()
