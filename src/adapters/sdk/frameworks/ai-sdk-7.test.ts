/** The AI SDK 7, driven by its own loop with a model that says what it is told: tools that are wrapped, and `toolApproval`. */
import { generateText, isStepCount, jsonSchema, type ModelMessage, tool } from 'ai-7'
import { MockLanguageModelV4 } from 'ai-7/test'
import { expect, test } from 'vitest'
import { approvePending, callsOf, holdsFor, INPUT, type ModelCall, openTestGate, TOOLS } from '../../../../test/support/framework-gate.ts'
import type { Gate } from '../gate.ts'
import { gateApproval, gateTools } from './ai-sdk.ts'

type Input = { readonly name: string }

function toolsOf(gate: Gate, ran: string[]) {
  const own = (name: string) =>
    tool({
      description: name,
      inputSchema: jsonSchema<Input>({ ...INPUT, required: ['name'] }),
      execute: async (input) => {
        ran.push(name)
        return `${name} of ${input.name}`
      },
    })
  return gateTools(gate, { read: own('read'), paint: own('paint'), wipe: own('wipe') })
}

function model(calls: readonly ModelCall[]) {
  const usage = { inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 }, outputTokens: { total: 1, text: 1, reasoning: 0 } }
  let left = calls
  return new MockLanguageModelV4({
    doGenerate: async () => {
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
}

holdsFor('AI SDK 7', async (gate, calls) => {
  const ran: string[] = []
  const { steps } = await generateText({ model: model(calls), tools: toolsOf(gate, ran), prompt: 'go', stopWhen: isStepCount(3) })
  const told = steps.flatMap(({ content }) => content).map((part) => ('error' in part ? String(part.error) : JSON.stringify(part)))
  return { ran, told: told.join('\n') }
})

/** One turn of a chat: what was said before, and what the user interface answers to requests for approval. */
async function turn(gate: Gate, ran: string[], { messages, calls }: { messages: ModelMessage[]; calls: readonly ModelCall[] }) {
  const { content, responseMessages } = await generateText({
    model: model(calls),
    tools: toolsOf(gate, ran),
    toolApproval: gateApproval(gate),
    messages,
    stopWhen: isStepCount(3),
  })
  const requests = content.filter((part) => part.type === 'tool-approval-request').filter(({ isAutomatic }) => isAutomatic !== true)
  const yes = requests.map(({ approvalId }) => ({ type: 'tool-approval-response' as const, approvalId, approved: true }))
  const answered: ModelMessage[] = [...messages, ...responseMessages, { role: 'tool', content: yes }]
  return { requests, answered, said: JSON.stringify(responseMessages) }
}

test('`toolApproval`: a call that people have to see ends the step; their yes to the gate lets it run, once', async () => {
  const [gate, ran] = [openTestGate(), [] as string[]]
  const messages: ModelMessage[] = [{ role: 'user', content: 'go' }]
  const first = await turn(gate, ran, { messages, calls: callsOf(['paint']) })
  expect([ran, first.requests.length]).toEqual([[], 1])

  // The user interface says yes, the gate knows of none: nothing runs.
  await turn(gate, ran, { messages: first.answered, calls: [] })
  expect(ran).toEqual([])

  await approvePending(gate)
  await turn(gate, ran, { messages: first.answered, calls: [] })
  expect(ran).toEqual(['paint'])

  // The same messages once more, as anybody can send them who holds them.
  await turn(gate, ran, { messages: first.answered, calls: [] }).catch(() => null)
  expect(ran).toEqual(['paint'])
})

test('`toolApproval`: what is allowed runs by one decision, what is denied does not run', async () => {
  const [gate, ran] = [openTestGate(), [] as string[]]
  const { said, requests } = await turn(gate, ran, { messages: [{ role: 'user', content: 'go' }], calls: callsOf(['read', 'wipe']) })
  expect([ran, requests.length]).toEqual([['read'], 0])
  expect(said).toContain('not allowed')
})

test('tools that the model is offered and that are not gated stop the start', () => {
  const gate = openTestGate()
  toolsOf(gate, [])
  expect(() => gate.assertGated(TOOLS)).not.toThrow()
  expect(() => gate.assertGated([...TOOLS, 'search'])).toThrow('declared, but not gated: search')
})
