/** Tools of agent frameworks, each run by the framework's own loop with a model that proposes the call. */
import { AsyncLocalStorage } from 'node:async_hooks'
import Anthropic from '@anthropic-ai/sdk'
import { betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema'
import { generateText, jsonSchema, stepCountIs, tool } from 'ai'
import { MockLanguageModelV3 } from 'ai/test'
import { CallRefused } from '../../../src/adapters/sdk/errors.ts'
import { gateTools as gateToolSet } from '../../../src/adapters/sdk/frameworks/ai-sdk.ts'
import { gateTools as gateRunnableTools } from '../../../src/adapters/sdk/frameworks/anthropic.ts'
import { gateOptions } from '../../../src/adapters/sdk/frameworks/claude-agent.ts'
import { createGate, type Gate, type GateOptions } from '../../../src/adapters/sdk/gate.ts'
import { HandlerRefusal } from '../../../src/approvals/handlers.ts'
import type { JsonObject } from '../../../src/core/json.ts'
import { runs } from '../../../src/core/verdict.ts'
import type { Case } from '../corpus.ts'
import { plainly } from '../normal.ts'
import type { Place } from '../place.ts'
import type { Heard, Sent } from '../seam.ts'
import { benchOf, type Opened } from './direct.ts'

export const written = ({ server, tool: name }: Sent['named']): string => (server === null ? name : `mcp__${server}__${name}`)

export const namesOf = (cases: readonly Case[]): readonly string[] => [...new Set(cases.map(({ form }) => written(plainly(form))))]

const current = new AsyncLocalStorage<{ readonly sent: Sent; ran: boolean }>()

/** The call that the model of the loop that runs is to propose. */
export function proposed(): Sent {
  const at = current.getStore()
  if (at === undefined) throw new Error('no call is under way here')
  return at.sent
}

export const run = (): string => {
  const at = current.getStore()
  if (at !== undefined) at.ran = true
  return 'it ran'
}

export const HANDLER: NonNullable<GateOptions['handler']> = {
  requestApproval: async () => {
    const meanwhile = current.getStore()?.sent.meanwhile ?? null
    if (meanwhile === null) throw new HandlerRefusal('timeout.approval', 'nobody is there')
    return { approved: meanwhile === 'approve', by: 'human:reviewer', comment: 'looked at' }
  },
}

interface Embedded {
  readonly gate: Gate
  readonly bench: Pick<Opened, 'queue' | 'records' | 'close'>
}

/** A gate as programs open it; its log is read beside it. */
export async function embedded(place: Place, name: string, handler?: GateOptions['handler']): Promise<Embedded> {
  const gate = await createGate({
    home: place.state(name),
    protect: [`${place.home}/.countersign`],
    policy: () => ({ policy: place.policy, degraded: null }),
    ...(handler === undefined ? {} : { handler }),
    caller: () => {
      const { one, session } = (current.getStore() as { readonly sent: Sent }).sent
      return { principal: { role: one.role }, session, cwd: place.repo }
    },
  })
  const beside = place.open(name)
  const close = (): void => {
    gate.close()
    beside.close()
  }
  return { gate, bench: { ...benchOf(beside), close } }
}

let calls = 0
export const nextId = (): string => {
  calls += 1
  return `call_${calls}`
}

/** The call alone: a program that runs its tools itself. */
export async function library(place: Place): Promise<Opened> {
  const { gate, bench } = await embedded(place, 'create-gate')
  return {
    ...bench,
    send: async (sent) => {
      const { server, tool: name, args } = sent.named
      const call = { tool: name, args, callId: nextId(), ...(server === null ? {} : { server }) }
      const { decision } = await current.run({ sent, ran: false }, () => gate.decide(call))
      return runs(decision) ? 'runs' : 'stopped'
    },
  }
}

/** Whether the tool ran, and what the loop was told of it. */
export async function within(sent: Sent, loop: () => Promise<boolean>): Promise<Heard> {
  const at = { sent, ran: false }
  const refused = await current.run(at, loop)
  return at.ran === refused ? 'unclear' : at.ran ? 'runs' : 'stopped'
}

export async function aiSdk(place: Place, cases: readonly Case[]): Promise<Opened> {
  const { gate, bench } = await embedded(place, 'ai-sdk', HANDLER)
  const inputSchema = jsonSchema<JsonObject>({ type: 'object' })
  const set = Object.fromEntries(namesOf(cases).map((name) => [name, tool({ description: name, inputSchema, execute: async () => run() })]))
  const tools = gateToolSet(gate, set)
  return {
    ...bench,
    send: (sent) =>
      within(sent, async () => {
        const { steps } = await generateText({ model: modelOf(sent), tools, prompt: 'go', stopWhen: stepCountIs(1) })
        return steps.some(({ content }) => content.some((each) => each.type === 'tool-error' && each.error instanceof CallRefused))
      }),
  }
}

function modelOf({ named }: Sent): MockLanguageModelV3 {
  const usage = { inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 }, outputTokens: { total: 1, text: 1, reasoning: 0 } }
  const content = [{ type: 'tool-call' as const, toolCallId: nextId(), toolName: written(named), input: JSON.stringify(named.args) }]
  const finishReason = { unified: 'tool-calls' as const, raw: undefined }
  return new MockLanguageModelV3({ doGenerate: async () => ({ content, finishReason, usage, warnings: [] }) })
}

/** The model answers in the client's own `fetch`: the call first, and `done` once it was told what became of it. */
export async function anthropicRunner(place: Place, cases: readonly Case[]): Promise<Opened> {
  const { gate, bench } = await embedded(place, 'anthropic', HANDLER)
  const inputSchema = { type: 'object' } as const
  const list = namesOf(cases).map((name) => betaTool({ name, description: name, inputSchema, run: async () => run() }))
  const tools = gateRunnableTools(gate, list)
  return {
    ...bench,
    send: (sent) =>
      within(sent, async () => {
        let told = ''
        const id = nextId()
        const answer: typeof fetch = async (_, init) => {
          const text = String(init?.body)
          const isFirst = !text.includes('tool_result')
          if (!isFirst) told = text
          const proposed = { type: 'tool_use', id, name: written(sent.named), input: sent.named.args }
          return new Response(anthropicTurn(isFirst ? proposed : { type: 'text', text: 'done' }), { headers: JSON_HEADERS })
        }
        const { beta } = new Anthropic({ apiKey: 'sk-test', maxRetries: 0, fetch: answer })
        const messages = [{ role: 'user' as const, content: 'go' }]
        await beta.messages.toolRunner({ model: 'm', max_tokens: 10, messages, tools: [...tools] })
        return told.includes('"is_error":true')
      }),
  }
}

/** What the SDK hands its hook; `npm run test:agent-sdk` drives the SDK itself, which is too large for the suite. */
export async function claudeAgent(place: Place): Promise<Opened> {
  const { gate, bench } = await embedded(place, 'claude-agent')
  const [before] = gateOptions(gate).hooks.PreToolUse[0]?.hooks ?? []
  return {
    ...bench,
    send: async (sent) => {
      const told = await current.run({ sent, ran: false }, async () =>
        before?.({
          ...{ hook_event_name: 'PreToolUse', session_id: sent.session, transcript_path: '/t', cwd: place.repo },
          ...{ tool_name: written(sent.named), tool_input: sent.named.args, tool_use_id: nextId() },
        }),
      )
      const answer = JSON.stringify(told)
      return answer === '{"continue":true}' ? 'runs' : answer.includes('"permissionDecision":"deny"') ? 'stopped' : 'unclear'
    },
  }
}

const JSON_HEADERS = { 'content-type': 'application/json' }

function anthropicTurn(block: JsonObject): string {
  const [stop_reason, usage] = [block.type === 'text' ? 'end_turn' : 'tool_use', { input_tokens: 1, output_tokens: 1 }]
  return JSON.stringify({ id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [block], stop_reason, usage })
}
