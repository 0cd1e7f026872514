/** OpenAI Agents, driven by its own runner with a model that says what it is told. */
import { Agent, type AgentInputItem, type Model, type ModelResponse, Runner, tool, Usage } from '@openai/agents-core'
import { expect, test } from 'vitest'
import { approvePending, callsOf, holdsFor, INPUT, type ModelCall, openTestGate, TOOLS } from '../../../../test/support/framework-gate.ts'
import type { Gate } from '../gate.ts'
import { gateTools } from './openai-agents.ts'

class Scripted implements Model {
  readonly seen: (string | AgentInputItem[])[] = []
  #left: readonly ModelCall[]

  constructor(calls: readonly ModelCall[]) {
    this.#left = calls
  }

  async getResponse({ input }: { readonly input: string | AgentInputItem[] }): Promise<ModelResponse> {
    this.seen.push(input)
    const turn = this.#left
    this.#left = []
    const asked = turn.map(({ id, name, args }) => ({
      type: 'function_call' as const,
      callId: id,
      name,
      status: 'completed' as const,
      arguments: JSON.stringify(args),
    }))
    const done = {
      type: 'message' as const,
      role: 'assistant' as const,
      status: 'completed' as const,
      content: [{ type: 'output_text' as const, text: 'done' }],
    }
    return { usage: new Usage(), output: turn.length > 0 ? asked : [done] }
  }

  getStreamedResponse(): never {
    throw new Error('not streamed here')
  }
}

function agentOf(gate: Gate, ran: string[]) {
  const own = (name: string) =>
    tool({
      name,
      description: name,
      parameters: { ...INPUT, required: ['name'] },
      strict: true,
      execute: async (input) => {
        ran.push(name)
        return `${name} of ${(input as { name: string }).name}`
      },
    })
  return new Agent({ name: 'a', tools: gateTools(gate, [own('read'), own('paint'), own('wipe')]) })
}

function runnerOf(model: Model): Runner {
  return new Runner({ model, tracingDisabled: true })
}

holdsFor('OpenAI Agents', async (gate, calls) => {
  const ran: string[] = []
  const model = new Scripted(calls)
  const runner = runnerOf(model)
  const agent = agentOf(gate, ran)
  const first = await runner.run(agent, 'go')
  // The program says yes to whatever interrupts, as a careless one would; the gate still has to know of it.
  for (const item of first.interruptions ?? []) first.state.approve(item)
  if ((first.interruptions ?? []).length > 0) await runner.run(agent, first.state)
  return { ran, told: JSON.stringify(model.seen) }
})

test('a call that people have to see interrupts the run; after their yes to the gate it goes on, also from a state that was kept', async () => {
  const [gate, ran] = [openTestGate(), [] as string[]]
  const model = new Scripted(callsOf(['paint']))
  const agent = agentOf(gate, ran)
  const { interruptions, state } = await runnerOf(model).run(agent, 'go')
  expect([interruptions?.length, ran]).toEqual([1, []])
  await approvePending(gate)
  for (const item of interruptions ?? []) state.approve(item)
  const kept = state.toString()
  const { RunState } = await import('@openai/agents-core')
  await runnerOf(new Scripted([])).run(agent, await RunState.fromString(agent, kept))
  expect(ran).toEqual(['paint'])
  await runnerOf(new Scripted([])).run(agent, await RunState.fromString(agent, kept))
  expect(ran).toEqual(['paint'])
})

test('one decision for each call: what is denied is counted once', async () => {
  const [gate, ran] = [openTestGate(), [] as string[]]
  let decided = 0
  const counting: Gate = { ...gate, decide: (call) => gate.decide(call).finally(() => decided++) }
  await runnerOf(new Scripted(callsOf(['wipe', 'read']))).run(agentOf(counting, ran), 'go')
  expect([ran, decided]).toEqual([['read'], 4])
})

test('tools that do not run here stop the start', () => {
  const hosted = { type: 'hosted_tool' as const, name: 'web_search', providerData: {} }
  expect(() => gateTools(openTestGate(), [hosted])).toThrow('declared, but not gated: web_search')
  expect(gateTools(openTestGate(), [hosted], { elsewhere: ['web_search'] })).toEqual([hosted])
  const gate = openTestGate()
  agentOf(gate, [])
  expect(() => gate.assertGated(TOOLS)).not.toThrow()
})
