/** Stock clients of the model APIs, asked one question each, and what their user gets of the answer. */
import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogleGenerativeAI } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import Anthropic from '@anthropic-ai/sdk'
import { type GenerateContentResponse, GoogleGenAI } from '@google/genai'
import { generateText, jsonSchema, type LanguageModel, streamText, type ToolSet } from 'ai'
import OpenAI from 'openai'
import type { ApiName } from '../../src/proxies/model/api.ts'

export interface Seen {
  readonly text: string
  /** Calls that the client would run, or that it is asked about. */
  readonly calls: readonly { readonly name: string; readonly input: unknown }[]
  readonly stop: string | null
}

export interface Question {
  /** Functions that the AI SDK is told of; the other clients do not look. */
  readonly tools: readonly string[]
  /** True where the request offers a tool that the provider runs itself. */
  readonly hosted?: boolean
}

export interface Client {
  readonly title: string
  readonly api: ApiName
  readonly streams: boolean
  /** @param url where the model API is. */
  readonly ask: (url: string, question: Question) => Promise<Seen>
}

/** How a turn ends with calls for the client, and without. */
export const STOPS: Readonly<Record<ApiName, { readonly calls: string; readonly none: string }>> = {
  anthropic: { calls: 'tool_use', none: 'end_turn' },
  chat: { calls: 'tool_calls', none: 'stop' },
  responses: { calls: 'completed', none: 'completed' },
  gemini: { calls: 'STOP', none: 'STOP' },
}

const PROMPT = 'how is the weather?'
const MESSAGES = [{ role: 'user' as const, content: PROMPT }]

const parsed = (text: string): unknown => JSON.parse(text)

function fromMessage({ content, stop_reason: stop }: Anthropic.Message): Seen {
  return {
    text: content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('|'),
    calls: content.flatMap((block) => (block.type === 'tool_use' ? [{ name: block.name, input: block.input }] : [])),
    stop,
  }
}

async function anthropic(url: string, streams: boolean, { hosted }: Question): Promise<Seen> {
  const { messages } = new Anthropic({ apiKey: 'sk-test', baseURL: url, maxRetries: 0 })
  const tools: Anthropic.ToolUnion[] = hosted === true ? [{ type: 'web_search_20250305', name: 'web_search' }] : []
  const body = { model: 'm', max_tokens: 10, messages: MESSAGES, tools }
  return fromMessage(streams ? await messages.stream(body).finalMessage() : await messages.create(body))
}

function fromCompletion({ choices }: OpenAI.ChatCompletion): Seen {
  const [choice] = choices
  return {
    text: choice?.message.content ?? '',
    calls: (choice?.message.tool_calls ?? []).map((call) =>
      call.type === 'function'
        ? { name: call.function.name, input: parsed(call.function.arguments) }
        : { name: call.custom.name, input: call.custom.input },
    ),
    stop: choice?.finish_reason ?? null,
  }
}

const openai = (url: string): OpenAI => new OpenAI({ apiKey: 'sk-test', baseURL: `${url}/v1`, maxRetries: 0 })

async function chat(url: string, streams: boolean, { hosted }: Question): Promise<Seen> {
  const { completions } = openai(url).chat
  const body = { model: 'm', messages: MESSAGES, ...(hosted === true ? { web_search_options: {} } : {}) }
  return fromCompletion(streams ? await completions.stream(body).finalChatCompletion() : await completions.create(body))
}

function fromResponse({ output, status }: OpenAI.Responses.Response): Seen {
  const calls = output.flatMap((item) => {
    if (item.type === 'function_call' || item.type === 'mcp_approval_request') return [{ name: item.name, input: parsed(item.arguments) }]
    return item.type === 'custom_tool_call' ? [{ name: item.name, input: item.input }] : []
  })
  const text = output.flatMap((item) =>
    item.type === 'message' ? item.content.map((part) => (part.type === 'output_text' ? part.text : '')).join('') : [],
  )
  return { text: text.join('|'), calls, stop: status ?? null }
}

async function responses(url: string, streams: boolean, { hosted }: Question): Promise<Seen> {
  const { responses: api } = openai(url)
  const body = { model: 'm', input: PROMPT, ...(hosted === true ? { tools: [{ type: 'web_search' as const }] } : {}) }
  return fromResponse(streams ? await api.stream(body).finalResponse() : await api.create(body))
}

function fromGemini(pieces: readonly GenerateContentResponse[]): Seen {
  const parts = pieces.flatMap(({ candidates }) => candidates?.[0]?.content?.parts ?? [])
  return {
    text: parts.map(({ text }) => text ?? '').join(''),
    calls: parts.flatMap(({ functionCall }) =>
      functionCall === undefined ? [] : [{ name: functionCall.name ?? '', input: functionCall.args }],
    ),
    stop: pieces.at(-1)?.candidates?.[0]?.finishReason ?? null,
  }
}

async function gemini(url: string, streams: boolean, { hosted }: Question): Promise<Seen> {
  const { models } = new GoogleGenAI({ apiKey: 'g-test', httpOptions: { baseUrl: url } })
  const body = { model: 'gemini-x', contents: PROMPT, ...(hosted === true ? { config: { tools: [{ codeExecution: {} }] } } : {}) }
  if (!streams) return fromGemini([await models.generateContent(body)])
  const pieces: GenerateContentResponse[] = []
  for await (const piece of await models.generateContentStream(body)) pieces.push(piece)
  return fromGemini(pieces)
}

interface Model {
  readonly model: LanguageModel
  /** Typed without `undefined` where ToolSet has it. */
  readonly hosted: Readonly<Record<string, unknown>>
}

const MODELS: Readonly<Record<ApiName, (url: string) => Model>> = {
  anthropic: (url) => {
    const made = createAnthropic({ apiKey: 'sk-test', baseURL: `${url}/v1` })
    return { model: made('m'), hosted: { web_search: made.tools.webSearch_20250305({}) } }
  },
  chat: (url) => ({ model: createOpenAI({ apiKey: 'sk-test', baseURL: `${url}/v1` }).chat('m'), hosted: {} }),
  responses: (url) => {
    const made = createOpenAI({ apiKey: 'sk-test', baseURL: `${url}/v1` })
    return { model: made.responses('m'), hosted: { web_search: made.tools.webSearch({}) } }
  },
  gemini: (url) => {
    const made = createGoogleGenerativeAI({ apiKey: 'g-test', baseURL: `${url}/v1beta` })
    return { model: made('gemini-x'), hosted: { code_execution: made.tools.codeExecution({}) } }
  },
}

/** As the AI SDK has them call it. */
const FINISHES: Readonly<Record<string, 'calls' | 'none'>> = { 'tool-calls': 'calls', stop: 'none' }

async function aiSdk(api: ApiName, url: string, { streams, tools, hosted }: Question & { readonly streams: boolean }): Promise<Seen> {
  const { model, hosted: provided } = MODELS[api](url)
  const functions: ToolSet = Object.fromEntries(tools.map((name) => [name, { inputSchema: jsonSchema({ type: 'object' }) }]))
  const asked = { model, tools: hosted === true ? (provided as ToolSet) : functions, prompt: PROMPT, maxRetries: 0, maxOutputTokens: 100 }
  const failed: unknown[] = []
  const result = streams ? streamText({ ...asked, onError: ({ error }) => void failed.push(error) }) : await generateText(asked)
  const content = await result.content
  if (failed.length > 0) throw failed[0]
  const finish = await result.finishReason
  const known = FINISHES[finish]
  return {
    text: await result.text,
    calls: content.flatMap((part) =>
      part.type === 'tool-call' && part.providerExecuted !== true ? [{ name: part.toolName, input: part.input as unknown }] : [],
    ),
    stop: known === undefined ? finish : STOPS[api][known],
  }
}

const OFFICIAL: Readonly<Record<ApiName, (url: string, streams: boolean, question: Question) => Promise<Seen>>> = {
  anthropic,
  chat,
  responses,
  gemini,
}

export const CLIENTS: readonly Client[] = Object.entries(OFFICIAL).flatMap(([name, ask]) => {
  const api = name as ApiName
  return [false, true].flatMap((streams) => [
    { title: `${api}, ${streams ? 'stream' : 'whole'}`, api, streams, ask: (url, question) => ask(url, streams, question) },
    {
      title: `${api}, AI SDK, ${streams ? 'stream' : 'whole'}`,
      api,
      streams,
      ask: (url, question) => aiSdk(api, url, { ...question, streams }),
    },
  ]) satisfies readonly Client[]
})
