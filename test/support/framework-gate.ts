/** What holds for every framework: its own agent loop runs tools behind a real gate. */
import { describe, expect, onTestFinished, test } from 'vitest'
import { openEngine } from '../../src/adapters/sdk/engine.ts'
import type { Gate, GateOptions } from '../../src/adapters/sdk/gate.ts'
import { stateDirectoryOfTest } from './state.ts'

const POLICY = `version: 1
unregistered: allow
rules:
  allow: [{ tool: "*read", reason: yes }]
  ask: [{ tool: "*paint", reason: see it }]
  deny: [{ tool: "*wipe", reason: never }]
`

export const TOOLS = ['read', 'paint', 'wipe'] as const
export type ToolName = (typeof TOOLS)[number]

/** JSON Schema of every tool here. */
export const INPUT = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'], additionalProperties: false } as const

export interface ModelCall {
  readonly id: string
  readonly name: ToolName
  readonly args: { readonly name: string }
}

let made = 0
/** What the model asks for in one turn; ids are never used twice. */
export function callsOf(names: readonly ToolName[]): readonly ModelCall[] {
  return names.map((name) => ({ id: `call-${++made}`, name, args: { name: 'notes' } }))
}

export function openTestGate(options: GateOptions = {}): Gate {
  const gate = openEngine({ home: stateDirectoryOfTest(), policy: POLICY, ...options })
  onTestFinished(() => gate.close())
  return gate
}

export async function approvePending(gate: Gate): Promise<void> {
  const { approvals } = gate.approvals.list({ tenant: null, status: 'pending' })
  expect(approvals).toHaveLength(1)
  await gate.approve(approvals[0]?.id ?? '', { by: 'human:alice' })
}

export interface Driven {
  /** Names of the tools that ran. */
  readonly ran: readonly string[]
  /** All that the model was told of the results. */
  readonly told: string
}

/** @param drive runs one agent, whose model asks for these tools in its first turn, and then ends. */
export function holdsFor(framework: string, drive: (gate: Gate, calls: readonly ModelCall[]) => Promise<Driven>): void {
  describe(`${framework}: tools behind the gate`, () => {
    test('allow runs; deny and ask do not, and the model is told', async () => {
      const { ran, told } = await drive(openTestGate(), callsOf(TOOLS))
      expect(ran).toEqual(['read'])
      expect(told).toContain('read of notes')
      expect(told).toContain('not allowed')
      expect(told).toContain('apr_')
    })

    test('what was approved runs, once', async () => {
      const gate = openTestGate()
      expect((await drive(gate, callsOf(['paint']))).ran).toEqual([])
      await approvePending(gate)
      expect((await drive(gate, callsOf(['paint']))).ran).toEqual(['paint'])
      expect((await drive(gate, callsOf(['paint']))).ran).toEqual([])
    })

    test('a gate that is gone runs nothing', async () => {
      const gate = openTestGate()
      gate.close()
      const driven = await drive(gate, callsOf(TOOLS)).catch(() => ({ ran: [] }))
      expect(driven.ran).toEqual([])
    })

    test('a gate that throws runs nothing', async () => {
      const gate = openTestGate({
        caller: () => {
          throw new Error('who is it?')
        },
      })
      const driven = await drive(gate, callsOf(TOOLS)).catch(() => ({ ran: [] }))
      expect(driven.ran).toEqual([])
    })
  })
}
