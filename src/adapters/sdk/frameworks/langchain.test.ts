/** LangChain's agent over LangGraph, driven by its own loop with a model that says what it is told. */
import { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { AIMessage, type BaseMessage, ToolMessage } from '@langchain/core/messages'
import { Command, interrupt, MemorySaver } from '@langchain/langgraph'
import { createAgent, createMiddleware, tool } from 'langchain'
import { expect, test } from 'vitest'
import { proves } from '../../../../test/proves.ts'
import { approvePending, callsOf, holdsFor, INPUT, type ModelCall, openTestGate, TOOLS } from '../../../../test/support/framework-gate.ts'
import type { Gate } from '../gate.ts'
import { gateToolCalls, type MiddlewareOptions } from './langchain.ts'

class Scripted extends BaseChatModel {
  #left: readonly ModelCall[]

  constructor(calls: readonly ModelCall[]) {
    super({})
    this.#left = calls
  }

  _llmType(): string {
    return 'scripted'
  }

  override bindTools(): this {
    return this
  }

  async _generate(_messages: BaseMessage[]) {
    const turn = this.#left
    this.#left = []
    const tool_calls = turn.map(({ id, name, args }) => ({ id, name, args: { ...args }, type: 'tool_call' as const }))
    const message = new AIMessage({ content: turn.length > 0 ? '' : 'done', tool_calls })
    return { generations: [{ text: '', message }] }
  }
}

function agentOf(
  gate: Gate,
  parts: { readonly ran: string[]; readonly calls: readonly ModelCall[]; readonly more?: Partial<MiddlewareOptions> },
) {
  const { ran, calls, more = {} } = parts
  const own = (name: string) =>
    tool(
      ({ name: what }: { name: string }) => {
        ran.push(name)
        return `${name} of ${what}`
      },
      { name, description: name, schema: INPUT },
    )
  return createAgent({
    model: new Scripted(calls),
    tools: TOOLS.map(own),
    checkpointer: new MemorySaver(),
    middleware: [createMiddleware({ name: 'countersign', wrapToolCall: gateToolCalls(gate, { ToolMessage, ...more }) })],
  })
}

const GO = { messages: [{ role: 'user' as const, content: 'go' }] }
const IN = { configurable: { thread_id: 't-1' } }

holdsFor('LangChain', async (gate, calls) => {
  const ran: string[] = []
  const { messages } = await agentOf(gate, { ran, calls }).invoke(GO, IN)
  return { ran, told: JSON.stringify(messages) }
})

test('`interrupt`: the graph stops where people have to see a call; resumed without their yes to the gate it runs nothing', async () => {
  const [gate, ran] = [openTestGate(), [] as string[]]
  const agent = agentOf(gate, { ran, calls: callsOf(['paint']), more: { interrupt } })
  const stopped = await agent.invoke(GO, IN)
  expect(JSON.stringify(stopped)).toContain('countersign.approval')
  expect(ran).toEqual([])
  const on = await agent.invoke(new Command({ resume: true }), IN)
  expect(ran).toEqual([])
  expect(JSON.stringify(on)).toContain('pending')
})

test('`interrupt`: after their yes the graph goes on, and the call runs, once', async () => {
  const [gate, ran] = [openTestGate(), [] as string[]]
  const agent = agentOf(gate, { ran, calls: callsOf(['read', 'paint']), more: { interrupt } })
  await agent.invoke(GO, IN)
  await approvePending(gate)
  const { messages } = await agent.invoke(new Command({ resume: true }), IN)
  expect(ran.filter((name) => name === 'paint')).toEqual(['paint'])
  expect(JSON.stringify(messages)).toContain('paint of notes')
})

test('what a tool throws is the tool’s', async () => {
  const hook = gateToolCalls(openTestGate(), { ToolMessage })
  const request = { toolCall: { name: 'read', args: {}, id: 'c-1' } }
  await expect(hook(request, () => Promise.reject(new Error('mine')))).rejects.toThrow('mine')
})

const own = tool(() => 'x', { name: 'read', description: 'read', schema: INPUT })
const hosted = { type: 'web_search_20250305', name: 'web_search' }
const declared: readonly (readonly [title: string, more: Pick<MiddlewareOptions, 'tools' | 'elsewhere'>, fault: string | null])[] = [
  ['a tool of the model’s provider', { tools: [own, hosted] }, 'declared, but not gated: web_search'],
  ['one that only has a type', { tools: [{ type: 'code_interpreter' }] }, 'declared, but not gated: code_interpreter'],
  ['tools that run here', { tools: [own] }, null],
  ['one that is said to run elsewhere', { tools: [own, hosted], elsewhere: ['web_search'] }, null],
]
for (const [title, more, fault] of declared) {
  proves('P1', `at the start: ${title}`, () => {
    const start = () => gateToolCalls(openTestGate(), { ToolMessage, ...more })
    if (fault === null) expect(start).not.toThrow()
    else expect(start).toThrow(fault)
  })
}
