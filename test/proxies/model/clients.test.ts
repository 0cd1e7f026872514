/** Stock clients through the proxy: what they get of calls that run, and how they go on where one does not. */
import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogleGenerativeAI } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import Anthropic from '@anthropic-ai/sdk'
import { type GenerateContentResponse, GoogleGenAI } from '@google/genai'
import { generateText, jsonSchema, type LanguageModel, streamText, type ToolSet } from 'ai'
import OpenAI from 'openai'
import { describe, expect, test } from 'vitest'
import { proves } from '../../proves.ts'
import { type ProxyBench, proxyBench, type Scripted } from '../../support/model-proxy.ts'
import { anthropicEvents, anthropicWhole, chatEvents, chatWhole, type Said } from '../../support/model-turns.ts'
import { geminiEvents, geminiWhole, responsesEvents, responsesWhole } from '../../support/model-turns-more.ts'

const POLICY = `
tools: { get_weather: { risk_tier: low }, get_time: { risk_tier: low } }
rules: { deny: [{ tool: rm_rf, reason: never }], allow: [{ tool: get_weather, reason: reads }, { tool: get_time, reason: reads }] }
`

const TEXT = { text: 'I look at the sky.' }
const WEATHER = { call: { id: 'call_w', name: 'get_weather', args: { city: 'Oslo' } } }
const TIME = { call: { id: 'call_t', name: 'get_time', args: { zone: 'CET' } } }
const REMOVE = { call: { id: 'call_r', name: 'rm_rf', args: { path: '/' } } }

const events = (pieces: readonly string[]): Scripted => ({ pieces })
const whole = (text: string): Scripted => ({ type: 'application/json', pieces: [text] })

interface Seen {
  readonly text: string
  readonly calls: readonly { readonly name: string; readonly input: unknown }[]
  readonly stop: string | null
}

const anthropicOf = (bench: ProxyBench) => new Anthropic({ apiKey: 'sk-test', baseURL: bench.url, maxRetries: 0 })
const openaiOf = (bench: ProxyBench) => new OpenAI({ apiKey: 'sk-test', baseURL: `${bench.url}/v1`, maxRetries: 0 })

const MESSAGES = [{ role: 'user' as const, content: 'how is the weather?' }]

function fromMessage({ content, stop_reason: stop }: Anthropic.Message): Seen {
  return {
    text: content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('|'),
    calls: content.flatMap((block) => (block.type === 'tool_use' ? [{ name: block.name, input: block.input }] : [])),
    stop,
  }
}

function fromCompletion({ choices }: OpenAI.ChatCompletion): Seen {
  const [choice] = choices
  const calls = choice?.message.tool_calls ?? []
  return {
    text: choice?.message.content ?? '',
    calls: calls.flatMap((call) =>
      call.type === 'function' ? [{ name: call.function.name, input: JSON.parse(call.function.arguments) as unknown }] : [],
    ),
    stop: choice?.finish_reason ?? null,
  }
}

const TOOLS: ToolSet = Object.fromEntries(
  ['get_weather', 'get_time', 'rm_rf'].map((name) => [name, { inputSchema: jsonSchema({ type: 'object' }) }]),
)
/** As the AI SDK has them call it. */
const FINISHES: Readonly<Record<string, string>> = { 'tool-calls': 'calls', stop: 'none' }

async function fromAiSdk(model: LanguageModel, streams: boolean, stops: { readonly calls: string; readonly none: string }): Promise<Seen> {
  const asked = { model, tools: TOOLS, prompt: 'how is the weather?', maxRetries: 0, maxOutputTokens: 100 }
  const result = streams ? streamText(asked) : await generateText(asked)
  const calls = await result.toolCalls
  const finish = FINISHES[await result.finishReason]
  return {
    text: await result.text,
    calls: calls.map(({ toolName, input }) => ({ name: toolName, input: input as unknown })),
    stop: finish === 'calls' || finish === 'none' ? stops[finish] : null,
  }
}

const aiAnthropic = (bench: ProxyBench) => createAnthropic({ apiKey: 'sk-test', baseURL: `${bench.url}/v1` })('m')
const aiOpenai = (bench: ProxyBench) => createOpenAI({ apiKey: 'sk-test', baseURL: `${bench.url}/v1` }).chat('m')

function fromResponse({ output, status }: OpenAI.Responses.Response): Seen {
  const calls = output.flatMap((item) =>
    item.type === 'function_call' ? [{ name: item.name, input: JSON.parse(item.arguments) as unknown }] : [],
  )
  const text = output.flatMap((item) =>
    item.type === 'message' ? item.content.map((part) => (part.type === 'output_text' ? part.text : '')).join('') : [],
  )
  return { text: text.join('|'), calls, stop: status ?? null }
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

const geminiOf = (bench: ProxyBench) => new GoogleGenAI({ apiKey: 'g-test', httpOptions: { baseUrl: bench.url } })
const aiResponses = (bench: ProxyBench) => createOpenAI({ apiKey: 'sk-test', baseURL: `${bench.url}/v1` }).responses('m')
const aiGoogle = (bench: ProxyBench) => createGoogleGenerativeAI({ apiKey: 'g-test', baseURL: `${bench.url}/v1beta` })('gemini-x')

const STOPS = {
  anthropic: { calls: 'tool_use', none: 'end_turn' },
  chat: { calls: 'tool_calls', none: 'stop' },
  responses: { calls: 'completed', none: 'completed' },
  gemini: { calls: 'STOP', none: 'STOP' },
} as const

const CLIENTS = {
  'anthropic, AI SDK, whole': (bench: ProxyBench, said: readonly Said[]) => {
    bench.answer(whole(anthropicWhole(said)))
    return fromAiSdk(aiAnthropic(bench), false, STOPS.anthropic)
  },
  'anthropic, AI SDK, stream': (bench: ProxyBench, said: readonly Said[]) => {
    bench.answer(events(anthropicEvents(said)))
    return fromAiSdk(aiAnthropic(bench), true, STOPS.anthropic)
  },
  'chat, AI SDK, whole': (bench: ProxyBench, said: readonly Said[]) => {
    bench.answer(whole(chatWhole(said)))
    return fromAiSdk(aiOpenai(bench), false, STOPS.chat)
  },
  'chat, AI SDK, stream': (bench: ProxyBench, said: readonly Said[]) => {
    bench.answer(events(chatEvents(said)))
    return fromAiSdk(aiOpenai(bench), true, STOPS.chat)
  },
  'responses, whole': async (bench: ProxyBench, said: readonly Said[]) => {
    bench.answer(whole(responsesWhole(said)))
    return fromResponse(await openaiOf(bench).responses.create({ model: 'm', input: 'how is the weather?' }))
  },
  'responses, stream': async (bench: ProxyBench, said: readonly Said[]) => {
    bench.answer(events(responsesEvents(said)))
    return fromResponse(await openaiOf(bench).responses.stream({ model: 'm', input: 'how is the weather?' }).finalResponse())
  },
  'responses, AI SDK, whole': (bench: ProxyBench, said: readonly Said[]) => {
    bench.answer(whole(responsesWhole(said)))
    return fromAiSdk(aiResponses(bench), false, STOPS.responses)
  },
  'responses, AI SDK, stream': (bench: ProxyBench, said: readonly Said[]) => {
    bench.answer(events(responsesEvents(said)))
    return fromAiSdk(aiResponses(bench), true, STOPS.responses)
  },
  'gemini, whole': async (bench: ProxyBench, said: readonly Said[]) => {
    bench.answer(whole(geminiWhole(said)))
    return fromGemini([await geminiOf(bench).models.generateContent({ model: 'gemini-x', contents: 'how is the weather?' })])
  },
  'gemini, stream': async (bench: ProxyBench, said: readonly Said[]) => {
    bench.answer(events(geminiEvents(said)))
    const pieces: GenerateContentResponse[] = []
    for await (const piece of await geminiOf(bench).models.generateContentStream({ model: 'gemini-x', contents: 'how is the weather?' }))
      pieces.push(piece)
    return fromGemini(pieces)
  },
  'gemini, AI SDK, whole': (bench: ProxyBench, said: readonly Said[]) => {
    bench.answer(whole(geminiWhole(said)))
    return fromAiSdk(aiGoogle(bench), false, STOPS.gemini)
  },
  'gemini, AI SDK, stream': (bench: ProxyBench, said: readonly Said[]) => {
    bench.answer(events(geminiEvents(said)))
    return fromAiSdk(aiGoogle(bench), true, STOPS.gemini)
  },
  'anthropic, whole': async (bench: ProxyBench, said: readonly Said[]) => {
    bench.answer(whole(anthropicWhole(said)))
    return fromMessage(await anthropicOf(bench).messages.create({ model: 'm', max_tokens: 10, messages: MESSAGES }))
  },
  'anthropic, stream': async (bench: ProxyBench, said: readonly Said[]) => {
    bench.answer(events(anthropicEvents(said)))
    return fromMessage(await anthropicOf(bench).messages.stream({ model: 'm', max_tokens: 10, messages: MESSAGES }).finalMessage())
  },
  'chat, whole': async (bench: ProxyBench, said: readonly Said[]) => {
    bench.answer(whole(chatWhole(said)))
    return fromCompletion(await openaiOf(bench).chat.completions.create({ model: 'm', messages: MESSAGES }))
  },
  'chat, stream': async (bench: ProxyBench, said: readonly Said[]) => {
    bench.answer(events(chatEvents(said)))
    return fromCompletion(await openaiOf(bench).chat.completions.stream({ model: 'm', messages: MESSAGES }).finalChatCompletion())
  },
}

for (const [title, ask] of Object.entries(CLIENTS)) {
  const stops = STOPS[title.split(',', 1)[0] as keyof typeof STOPS]
  describe(title, () => {
    test('a call that may run arrives as it was', async () => {
      const bench = await proxyBench({ policy: POLICY })
      const seen = await ask(bench, [TEXT, WEATHER])
      expect(seen).toEqual({ text: TEXT.text, calls: [{ name: 'get_weather', input: { city: 'Oslo' } }], stop: stops.calls })
      expect(bench.decided.map(({ decision }) => decision)).toEqual(['allow'])
    })

    proves('SIG-51', 'a call that may not becomes text, and the turn ends', async () => {
      const bench = await proxyBench({ policy: POLICY })
      const seen = await ask(bench, [REMOVE])
      expect(seen.calls).toEqual([])
      expect(seen.stop).toBe(stops.none)
      expect(seen.text).toContain('[countersign] The call of `rm_rf` did not run.')
    })

    test('of parallel calls only the one that may not goes', async () => {
      const bench = await proxyBench({ policy: POLICY })
      const seen = await ask(bench, [TEXT, WEATHER, REMOVE, TIME])
      expect(seen.calls).toEqual([
        { name: 'get_weather', input: { city: 'Oslo' } },
        { name: 'get_time', input: { zone: 'CET' } },
      ])
      expect(seen.stop).toBe(stops.calls)
      expect(seen.text).toContain(TEXT.text)
      expect(seen.text).toContain('did not run')
      expect(bench.decided.map(({ decision }) => decision)).toEqual(['allow', 'deny', 'allow'])
    })
  })
}
