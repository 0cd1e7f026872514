/** What `wrap` and the frameworks' tools keep of a type: checked by the compiler, so the assertions cost nothing when they run. */
import { expectTypeOf, test } from 'vitest'
import { stateDirectoryOfTest } from '../../../test/support/state.ts'
import { openEngine } from './engine.ts'
import { gateTools } from './frameworks/ai-sdk.ts'
import { gateTools as gateToolsOfAnthropic } from './frameworks/anthropic.ts'
import { gateTools as gateToolsOfOpenAI } from './frameworks/openai-agents.ts'
import type { Gate } from './gate.ts'

interface Refund {
  readonly order: string
  readonly amount: number
}

function types(gate: Gate): void {
  const refund = gate.wrap(async ({ amount }: Refund) => amount, { name: 'refund' })
  expectTypeOf(refund).toEqualTypeOf<(args: Refund) => Promise<number>>()
  // @ts-expect-error the argument is still checked
  expectTypeOf(refund).toBeCallableWith({ order: 'o-1' })

  const traced = gate.wrap((args: Refund, trace: symbol, depth: number) => ({ args, trace, depth }), { name: 'traced' })
  expectTypeOf(traced).toEqualTypeOf<
    (args: Refund, trace: symbol, depth: number) => Promise<{ args: Refund; trace: symbol; depth: number }>
  >()

  const rates = gate.wrap(function rates() {
    return [1, 2] as const
  })
  expectTypeOf(rates).toEqualTypeOf<() => Promise<readonly [1, 2]>>()

  const set = { refund: { description: 'pays back', execute: async (args: Refund) => args.amount } }
  expectTypeOf(gateTools(gate, set).refund.execute).toEqualTypeOf<(args: Refund) => Promise<number>>()

  // What the frameworks ask for is no `readonly` list.
  const one = { type: 'function', name: 'refund', run: (args: Refund) => args.amount }
  expectTypeOf(gateToolsOfAnthropic(gate, [one])).toExtend<(typeof one)[]>()
  expectTypeOf(gateToolsOfOpenAI(gate, [{ ...one, invoke: one.run }])).toExtend<(typeof one)[]>()

  // @ts-expect-error a text is no arguments
  gate.wrap((name: string) => name, { name: 'text' })
}

test('types are kept', () => {
  const gate = openEngine({ home: stateDirectoryOfTest(), policy: 'version: 1\n' })
  types(gate)
  gate.close()
})
