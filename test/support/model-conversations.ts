/** Two turns of a conversation through a stock client that hands back what it got, thoughts and all, as its API wants them. */
import Anthropic from '@anthropic-ai/sdk'
import { type Content, type GenerateContentResponse, GoogleGenAI } from '@google/genai'
import fc from 'fast-check'
import OpenAI from 'openai'
import type { ApiName } from '../../src/proxies/model/api.ts'
import { reasoningOf, type Said } from './model-turns.ts'
import { geminiParts, responseItems } from './model-turns-more.ts'

export interface Conversation {
  readonly streams: boolean
  /** Where the answers are cut into pieces, in thousandths. */
  readonly cuts: readonly number[]
  readonly first: readonly Said[]
  readonly second: readonly Said[]
}

const words = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }),
  fc.constantFrom('data: x\n\n', 'größer → 日本', '\u2028 "{', '</thinking>', '{"type":"tool_use","name":"rm"}'),
)
/** Opaque to everyone but the model: of any length, in the letters of base64. */
const signature = fc.base64String({ minLength: 8, maxLength: 400 })
const thought: fc.Arbitrary<Said> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ thinking: words, signature }) },
  // As newer models do by default: a signature, and nothing to read.
  { weight: 2, arbitrary: signature.map((each) => ({ thinking: '', signature: each })) },
  { weight: 1, arbitrary: signature.map((redacted) => ({ redacted })) },
)
const text: fc.Arbitrary<Said> = words.map((each) => ({ text: each }))
/** What no layer objects to: no number that readers round differently, no character that looks like another. */
const key = fc.string({ unit: fc.constantFrom(...'abcdefgh_'), minLength: 1, maxLength: 6 })
const plain = fc.oneof(
  key,
  fc.constantFrom('größer', '日本', 'a "b" \\ c', 'line\nline'),
  fc.boolean(),
  fc.constant(null),
  fc.maxSafeInteger(),
)
const value = fc.oneof(plain, fc.array(plain, { maxLength: 3 }), fc.dictionary(key, plain, { maxKeys: 3 }))
const call = (id: string): fc.Arbitrary<Said> =>
  fc
    .record({
      name: fc.constantFrom('look', 'look', 'look', 'no'),
      args: fc.dictionary(key, value, { maxKeys: 4 }),
    })
    .map((made) => ({ call: { id, ...made } }))

const turn = (id: string): fc.Arbitrary<readonly Said[]> =>
  fc
    .tuple(fc.array(thought, { minLength: 1, maxLength: 2 }), fc.option(text), fc.option(thought), fc.array(fc.nat(), { maxLength: 3 }))
    .chain(([before, said, between, calls]) =>
      fc
        .tuple(...calls.map((_, at) => call(`call_${id}_${at}`)))
        .map((made) => [...before, ...(said === null ? [] : [said]), ...(between === null ? [] : [between]), ...made]),
    )

export const conversation: fc.Arbitrary<Conversation> = fc.record({
  streams: fc.boolean(),
  cuts: fc.array(fc.nat({ max: 999 }), { maxLength: 8 }),
  first: turn('a'),
  second: turn('b'),
})

/** Asks, and asks again with the answer and a result for each of its calls. */
export type Talk = (url: string, options: { readonly opening: string; readonly streams: boolean }) => Promise<void>

const RESULT = 'as it should be'

const anthropic: Talk = async (url, { opening, streams }) => {
  const { messages } = new Anthropic({ apiKey: 'sk-test', baseURL: url, maxRetries: 0 })
  const ask = async (said: Anthropic.MessageParam[]): Promise<Anthropic.Message> => {
    const body = { model: 'm', max_tokens: 10, messages: said }
    return streams ? messages.stream(body).finalMessage() : messages.create(body)
  }
  const first: Anthropic.MessageParam[] = [{ role: 'user', content: opening }]
  const { content } = await ask(first)
  const results = content.flatMap((block): Anthropic.ToolResultBlockParam[] =>
    block.type === 'tool_use' ? [{ type: 'tool_result', tool_use_id: block.id, content: RESULT }] : [],
  )
  const next: Anthropic.MessageParam = { role: 'user', content: results.length > 0 ? results : 'go on' }
  await ask([...first, { role: 'assistant', content: content as Anthropic.ContentBlockParam[] }, next])
}

const responses: Talk = async (url, { opening, streams }) => {
  const { responses: api } = new OpenAI({ apiKey: 'sk-test', baseURL: `${url}/v1`, maxRetries: 0 })
  const ask = async (input: OpenAI.Responses.ResponseInput): Promise<OpenAI.Responses.Response> => {
    const body = { model: 'm', input, store: false, include: ['reasoning.encrypted_content' as const] }
    return streams ? api.stream(body).finalResponse() : api.create(body)
  }
  const first: OpenAI.Responses.ResponseInput = [{ role: 'user', content: opening }]
  const { output } = await ask(first)
  const results = output.flatMap(
    (item): OpenAI.Responses.ResponseInput =>
      item.type === 'function_call' ? [{ type: 'function_call_output', call_id: item.call_id, output: RESULT }] : [],
  )
  await ask([...first, ...(output as OpenAI.Responses.ResponseInput), ...results, { role: 'user', content: 'go on' }])
}

type ChatMessage = OpenAI.ChatCompletionMessage & { reasoning_details?: object[] }

/** Whole, or put together from its chunks as clients do. */
const chat: Talk = async (url, { opening, streams }) => {
  const { completions } = new OpenAI({ apiKey: 'sk-test', baseURL: `${url}/v1`, maxRetries: 0 }).chat
  const ask = async (messages: OpenAI.ChatCompletionMessageParam[]): Promise<ChatMessage | undefined> => {
    if (!streams) return (await completions.create({ model: 'm', messages })).choices[0]?.message
    const thoughts: object[] = []
    const stream = completions.stream({ model: 'm', messages })
    stream.on('chunk', ({ choices }) => {
      const delta = choices[0]?.delta as { readonly reasoning_details?: object[] } | undefined
      thoughts.push(...(delta?.reasoning_details ?? []))
    })
    return { ...(await stream.finalMessage()), ...(thoughts.length === 0 ? {} : { reasoning_details: thoughts }) } as ChatMessage
  }
  const first: OpenAI.ChatCompletionMessageParam = { role: 'user', content: opening }
  const message = await ask([first])
  if (message === undefined) throw new Error('no message came')
  const results = (message.tool_calls ?? []).map(({ id }) => ({ role: 'tool' as const, tool_call_id: id, content: RESULT }))
  await ask([first, message, ...(results.length > 0 ? results : [{ role: 'user' as const, content: 'go on' }])])
}

const gemini: Talk = async (url, { opening, streams }) => {
  const { models } = new GoogleGenAI({ apiKey: 'g-test', httpOptions: { baseUrl: url } })
  const ask = async (contents: Content[]): Promise<NonNullable<Content['parts']>> => {
    const body = { model: 'g', contents }
    const pieces: GenerateContentResponse[] = []
    if (streams) for await (const piece of await models.generateContentStream(body)) pieces.push(piece)
    else pieces.push(await models.generateContent(body))
    return pieces.flatMap(({ candidates }) => candidates?.[0]?.content?.parts ?? [])
  }
  const first: Content = { role: 'user', parts: [{ text: opening }] }
  const parts = await ask([first])
  const results = parts.flatMap(({ functionCall: { name, id } = {} }) =>
    name === undefined ? [] : [{ functionResponse: { ...(id === undefined ? {} : { id }), name, response: { output: RESULT } } }],
  )
  await ask([first, { role: 'model', parts }, { role: 'user', parts: results.length > 0 ? results : [{ text: 'go on' }] }])
}

export const TALKS: Readonly<Partial<Record<ApiName, Talk>>> = { anthropic, chat, responses, gemini }

const isThought = (part: Said): boolean => 'thinking' in part || 'redacted' in part

/** What stands in the next request for the thoughts of a turn, as its API writes them, in their order. */
export function thoughtsOf(api: ApiName, said: readonly Said[]): readonly string[] {
  const thoughts = said.flatMap((part, at) => (isThought(part) ? [at] : []))
  if (api === 'responses') {
    const items = responseItems(said)
    return thoughts.map((at) => JSON.stringify(items[at]?.encrypted_content))
  }
  if (api === 'chat') return reasoningOf(said).map((each) => JSON.stringify(each))
  if (api === 'gemini') {
    const parts = geminiParts(said)
    return thoughts.map((at) => JSON.stringify(parts[at]?.thoughtSignature))
  }
  return thoughts.map((at) => {
    const part = said[at]
    if (part !== undefined && 'redacted' in part) return JSON.stringify({ type: 'redacted_thinking', data: part.redacted })
    const { thinking = '', signature: signed = '' } = (part ?? {}) as { thinking?: string; signature?: string }
    return JSON.stringify({ type: 'thinking', thinking, signature: signed })
  })
}
