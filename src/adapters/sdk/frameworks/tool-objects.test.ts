/** Tools of the frameworks themselves, driven by their own loops with a model that says what it is told, behind a real gate. */
import Anthropic from '@anthropic-ai/sdk'
import { betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema'
import { generateText, jsonSchema, stepCountIs, tool } from 'ai'
import { MockLanguageModelV3 } from 'ai/test'
import { describe, expect, onTestFinished, test } from 'vitest'
import { stateDirectoryOfTest } from '../../../../test/support/state.ts'
import { openEngine } from '../engine.ts'
import { CallRefused } from '../errors.ts'
import type { Gate } from '../gate.ts'
import { gateTools } from './ai-sdk.ts'
import { gateTools as gateRunnable } from './anthropic.ts'

const RULES = `version: 1
unregistered: allow
rules: { allow: [{ tool: read, reason: yes }], deny: [{ tool: wipe, reason: never }] }
`

function open(): Gate {
  const gate = openEngine({ home: stateDirectoryOfTest(), policy: RULES })
  onTestFinished(() => gate.close())
  return gate
}

const ran: string[] = []
const setOf = () => ({
  read: tool({
    description: 'reads',
    inputSchema: jsonSchema<{ name: string }>({ type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }),
    execute: async ({ name }, { toolCallId }) => {
      ran.push(`read ${name} ${toolCallId}`)
      return { said: `of ${name}`, at: 1 }
    },
  }),
  wipe: tool({
    description: 'wipes',
    inputSchema: jsonSchema<{ name: string }>({ type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }),
    execute: async ({ name }) => ran.push(`wipe ${name}`),
  }),
})

/** A model that calls both tools and then says that it is done. */
function model() {
  const usage = { inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 }, outputTokens: { total: 1, text: 1, reasoning: 0 } }
  let turn = 0
  return new MockLanguageModelV3({
    doGenerate: async () => {
      const calls = ['read', 'wipe'].map((toolName, at) => ({
        ...{ type: 'tool-call' as const, toolCallId: `c${at}`, toolName },
        input: JSON.stringify({ name: 'notes' }),
      }))
      const content = turn++ === 0 ? calls : [{ type: 'text' as const, text: 'done' }]
      const finishReason = turn === 1 ? { unified: 'tool-calls' as const, raw: undefined } : { unified: 'stop' as const, raw: undefined }
      return { content, finishReason, usage, warnings: [] }
    },
  })
}

describe('tools of the AI SDK', () => {
  test('run where the gate lets them, with what the framework hands them; the model is told of the rest', async () => {
    ran.length = 0
    const gate = open()
    const tools = gateTools(gate, setOf())
    const { text, steps } = await generateText({ model: model(), tools, prompt: 'go', stopWhen: stepCountIs(3) })
    expect(text).toBe('done')
    expect(ran).toEqual(['read notes c0'])
    const results = steps[0]?.content.filter(({ type }) => type === 'tool-result' || type === 'tool-error')
    expect(results).toMatchObject([
      { type: 'tool-result', toolName: 'read', output: { said: 'of notes', at: 1 } },
      { type: 'tool-error', toolName: 'wipe', error: { name: 'CallRefused', code: 'rules.denied' } },
    ])
  })

  test('keep their types and their own parts, and are not changed', async () => {
    const own = setOf()
    const tools = gateTools(open(), own)
    const typed: typeof own = tools
    expect([typed.read.description, typed.read.inputSchema]).toEqual([own.read.description, own.read.inputSchema])
    expect(tools.read).not.toBe(own.read)
  })

  test('that stream give their last result; what is no object is refused', async () => {
    const execute = async function* () {
      yield 'half'
      yield 'whole'
    }
    const tools = gateTools(open(), { read: { execute } })
    const run = tools.read.execute as unknown as (input: unknown) => Promise<unknown>
    expect(await run({})).toBe('whole')
    for (const input of [undefined, null, 'text', [1], { at: 1n }]) await expect(run(input)).rejects.toBeInstanceOf(CallRefused)
  })

  test('that are frozen, or of a class, are gated as others are', async () => {
    class Reading {
      readonly label = 'mine'
      execute(_input: object) {
        return this.label
      }
    }
    const frozen = Object.freeze({ execute: async (_input: object) => ran.push('wiped') })
    const tools = gateTools(open(), { read: new Reading(), wipe: frozen })
    expect(await tools.read.execute({})).toBe('mine')
    await expect(tools.wipe.execute({})).rejects.toBeInstanceOf(CallRefused)
  })

  test('that throw, throw as they do', async () => {
    const tools = gateTools(open(), { read: { execute: () => Promise.reject(new Error('mine')) } })
    await expect((tools.read.execute as unknown as (input: object) => Promise<unknown>)({})).rejects.toThrow('mine')
  })

  test('that are declared and not gated stop the start', () => {
    const set = { read: { execute: () => 1 }, search: { description: 'of the provider' } }
    expect(() => gateTools(open(), set)).toThrow('declared, but not gated: search')
    const tools = gateTools(open(), set, { elsewhere: ['search'] })
    expect(tools.search).toBe(set.search)
  })
})

describe('tools of the Anthropic SDK', () => {
  const listOf = () =>
    ['read', 'wipe'].map((name) =>
      betaTool({
        ...{ name, description: name },
        inputSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
        run: ({ name: what }) => {
          ran.push(`${name} ${what}`)
          return `${name} of ${what}`
        },
      }),
    )

  test('run in its tool runner where the gate lets them', async () => {
    ran.length = 0
    const sent: { readonly messages: readonly { readonly content: unknown }[] }[] = []
    const gate = open()
    const tools = gateRunnable(gate, listOf())
    gate.assertGated(['read', 'wipe'])
    const client = new Anthropic({
      apiKey: 'k',
      fetch: async (_url, init) => {
        sent.push(JSON.parse(String(init?.body)))
        const calls = ['read', 'wipe'].map((name) => ({ type: 'tool_use', id: `t-${name}`, name, input: { name: 'notes' } }))
        const [content, stop_reason] = sent.length === 1 ? [calls, 'tool_use'] : [[{ type: 'text', text: 'done' }], 'end_turn']
        const message = {
          id: 'm',
          type: 'message',
          role: 'assistant',
          model: 'm',
          content,
          stop_reason,
          usage: { input_tokens: 1, output_tokens: 1 },
        }
        return new Response(JSON.stringify(message), { headers: { 'content-type': 'application/json' } })
      },
    })
    await client.beta.messages.toolRunner({ model: 'm', max_tokens: 10, tools, messages: [{ role: 'user', content: 'go' }] })
    expect(ran).toEqual(['read notes'])
    expect(sent[1]?.messages.at(-1)?.content).toMatchObject([
      { tool_use_id: 't-read', content: 'read of notes' },
      { tool_use_id: 't-wipe', is_error: true, content: expect.stringContaining('not allowed') },
    ])
  })
})
