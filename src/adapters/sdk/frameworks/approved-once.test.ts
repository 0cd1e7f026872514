/** A call that people have to see, through the loops of the AI SDK 6 and of the Anthropic SDK: not before the yes, once after it. */
import Anthropic from '@anthropic-ai/sdk'
import { betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema'
import { generateText, jsonSchema, stepCountIs, tool } from 'ai'
import { MockLanguageModelV3 } from 'ai/test'
import { expect } from 'vitest'
import { proves } from '../../../../test/proves.ts'
import { approvePending, openTestGate } from '../../../../test/support/framework-gate.ts'
import { gateTools } from './ai-sdk.ts'
import { gateTools as gateRunnable } from './anthropic.ts'

const ARGS = { name: 'notes' }
let calls = 0
const nextId = (): string => `call_${++calls}`

/** One call of the tool `paint` by a model in a loop of its own; resolves to whether it ran. */
type Loop = (gate: ReturnType<typeof openTestGate>) => Promise<boolean>

const aiSdk: Loop = async (gate) => {
  let ran = false
  const inputSchema = jsonSchema<{ name: string }>({ type: 'object' })
  const execute = async (): Promise<string> => {
    ran = true
    return 'painted'
  }
  const tools = gateTools(gate, { paint: tool({ description: 'paints', inputSchema, execute }) })
  const usage = { inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 }, outputTokens: { total: 1, text: 1, reasoning: 0 } }
  const content = [{ type: 'tool-call' as const, toolCallId: nextId(), toolName: 'paint', input: JSON.stringify(ARGS) }]
  const finishReason = { unified: 'tool-calls' as const, raw: undefined }
  const model = new MockLanguageModelV3({ doGenerate: async () => ({ content, finishReason, usage, warnings: [] }) })
  const { steps } = await generateText({ model, tools, prompt: 'go', stopWhen: stepCountIs(1) })
  expect(steps.some((step) => step.content.some(({ type }) => type === 'tool-error'))).toBe(!ran)
  return ran
}

const anthropic: Loop = async (gate) => {
  let [ran, told] = [false, '']
  const run = async (): Promise<string> => {
    ran = true
    return 'painted'
  }
  const tools = gateRunnable(gate, [betaTool({ name: 'paint', description: 'paints', inputSchema: { type: 'object' }, run })])
  const answer: typeof fetch = async (_, init) => {
    const text = String(init?.body)
    const isFirst = !text.includes('tool_result')
    if (!isFirst) told = text
    const block = isFirst ? { type: 'tool_use', id: nextId(), name: 'paint', input: ARGS } : { type: 'text', text: 'done' }
    const turn = { id: 'm', type: 'message', role: 'assistant', model: 'm', content: [block], usage: { input_tokens: 1, output_tokens: 1 } }
    return new Response(JSON.stringify({ ...turn, stop_reason: isFirst ? 'tool_use' : 'end_turn' }), {
      headers: { 'content-type': 'application/json' },
    })
  }
  const { beta } = new Anthropic({ apiKey: 'sk-test', maxRetries: 0, fetch: answer })
  await beta.messages.toolRunner({ model: 'm', max_tokens: 10, messages: [{ role: 'user', content: 'go' }], tools: [...tools] })
  expect(told.includes('"is_error":true')).toBe(!ran)
  return ran
}

for (const [name, loop] of [
  ['the AI SDK 6', aiSdk],
  ['the Anthropic SDK', anthropic],
] as const)
  proves('P6', `${name}: asked about, approved once, run once`, async () => {
    const gate = openTestGate()
    expect(await loop(gate)).toBe(false)
    await approvePending(gate)
    expect([await loop(gate), await loop(gate)]).toEqual([true, false])
  })
