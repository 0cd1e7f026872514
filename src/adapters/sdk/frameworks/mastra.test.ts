/** Mastra's agent, driven by its own loop with a model that says what it is told. */
import { Agent } from '@mastra/core/agent'
import { createTool } from '@mastra/core/tools'
import { MockLanguageModelV3 } from 'ai/test'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { proves } from '../../../../test/proves.ts'
import { holdsFor, type ModelCall, openTestGate, TOOLS } from '../../../../test/support/framework-gate.ts'
import type { Gate } from '../gate.ts'
import { gateHooks, gateTools } from './mastra.ts'

function toolsOf(ran: string[]) {
  const own = (id: string) =>
    createTool({
      id,
      description: id,
      inputSchema: z.object({ name: z.string() }),
      execute: async ({ name }) => {
        ran.push(id)
        return `${id} of ${name}`
      },
    })
  return { read: own('read'), paint: own('paint'), wipe: own('wipe') }
}

function model(calls: readonly ModelCall[]) {
  const usage = { inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 }, outputTokens: { total: 1, text: 1, reasoning: 0 } }
  let left = calls
  const seen: unknown[] = []
  const scripted = new MockLanguageModelV3({
    doGenerate: async ({ prompt }) => {
      seen.push(prompt)
      const turn = left
      left = []
      const asked = turn.map(({ id, name, args }) => ({
        type: 'tool-call' as const,
        toolCallId: id,
        toolName: name,
        input: JSON.stringify(args),
      }))
      const unified = turn.length > 0 ? ('tool-calls' as const) : ('stop' as const)
      const content = turn.length > 0 ? asked : [{ type: 'text' as const, text: 'done' }]
      return { content, finishReason: { unified, raw: undefined }, usage, warnings: [] }
    },
  })
  return { scripted, seen }
}

interface Driving {
  readonly gate: Gate
  readonly ran: string[]
  readonly model: MockLanguageModelV3
}

const AGENT = { id: 'a', name: 'a', instructions: 'go' } as const

const WAYS: readonly (readonly [title: string, agent: (driving: Driving) => Pick<Agent, 'generate'>])[] = [
  ['Mastra, `gateTools`', ({ gate, ran, model }) => new Agent({ ...AGENT, model, tools: gateTools(gate, toolsOf(ran)) })],
  ['Mastra, `gateHooks`', ({ gate, ran, model }) => new Agent({ ...AGENT, model, tools: toolsOf(ran), hooks: gateHooks(gate) })],
]
for (const [title, agentOf] of WAYS) {
  holdsFor(title, async (gate, calls) => {
    const ran: string[] = []
    const { scripted, seen } = model(calls)
    await agentOf({ gate, ran, model: scripted }).generate('go', { maxSteps: 3 })
    return { ran, told: JSON.stringify(seen) }
  })
}

test('a tool without `execute` stops the start; tools are known by their id', () => {
  const gate = openTestGate()
  expect(() => gateTools(gate, { search: { id: 'search' } })).toThrow('declared, but not gated: search')
  gateTools(gate, toolsOf([]))
  expect(() => gate.assertGated(TOOLS)).not.toThrow()
})

proves('P1', 'with hooks, a declared tool that does not run here stops the start', () => {
  const gate = openTestGate()
  const search = { id: 'search' }
  expect(() => gateHooks(gate, { tools: { ...toolsOf([]), found: search } })).toThrow('declared, but not gated: search')
  expect(() => gateHooks(gate, { tools: { ...toolsOf([]), found: search }, elsewhere: ['search'] })).not.toThrow()
  expect(() => gateHooks(gate, { tools: toolsOf([]) })).not.toThrow()
})
