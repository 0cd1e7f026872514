/** Models over their own wire protocols: Anthropic's messages, and chat completions as OpenAI and local servers speak them. */
import { isJsonObject, type Json, type JsonObject, own } from '../../core/json.ts'
import { NoAnswer } from '../answer.ts'
import { exchange, objectIn } from './fetch.ts'
import type { JudgeReply, JudgeRequest, ProviderParts } from './provider.ts'

const MAX_TOKENS = 1_024

/** Anthropic's messages; version 2023-06-01. */
export async function askAnthropic(request: JudgeRequest, { fetch, env }: ProviderParts): Promise<JudgeReply> {
  const { judge, prompt, signal } = request
  const url = `${base(judge.url, 'https://api.anthropic.com')}/v1/messages`
  const headers = { 'anthropic-version': '2023-06-01', 'x-api-key': keyOf(env, judge.apiKeyEnv ?? 'ANTHROPIC_API_KEY') ?? '' }
  const messages = [{ role: 'user', content: prompt.user }]
  const body = { model: judge.model, max_tokens: MAX_TOKENS, temperature: 0, system: prompt.system, messages }
  const answer = objectIn((await exchange({ url, body, headers, signal }, fetch)).text)
  finished(own(answer, 'stop_reason'), ['end_turn', 'stop_sequence'])
  const content = own(answer, 'content')
  const parts = Array.isArray(content) ? content.filter(isJsonObject).filter((part) => own(part, 'type') === 'text') : []
  const [only] = parts
  if (only === undefined || parts.length > 1) throw new NoAnswer('judge.malformed', 'the model did not answer with one text')
  return { text: textOf(own(only, 'text')), marks: prompt.marks, tokens: tokensOf(own(answer, 'usage'), 'input_tokens', 'output_tokens') }
}

/** Chat completions; a key is sent where there is one, for local servers need none. */
export async function askOpenAi(request: JudgeRequest, { fetch, env }: ProviderParts): Promise<JudgeReply> {
  const { judge, prompt, signal } = request
  const url = `${base(judge.url, 'https://api.openai.com/v1')}/chat/completions`
  const key = keyOf(env, judge.apiKeyEnv ?? (judge.url === null ? 'OPENAI_API_KEY' : null))
  const headers: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` }
  const messages = [
    { role: 'system', content: prompt.system },
    { role: 'user', content: prompt.user },
  ]
  const body = { model: judge.model, max_tokens: MAX_TOKENS, temperature: 0, messages }
  const answer = objectIn((await exchange({ url, body, headers, signal }, fetch)).text)
  const choices = own(answer, 'choices')
  const choice = Array.isArray(choices) && choices.length === 1 ? (choices[0] as Json) : undefined
  const message = isJsonObject(choice) ? own(choice, 'message') : undefined
  if (!isJsonObject(choice) || !isJsonObject(message)) throw new NoAnswer('judge.malformed', 'the model did not answer with one choice')
  if (typeof own(message, 'refusal') === 'string') throw new NoAnswer('judge.refused', 'the model declined to answer')
  finished(own(choice, 'finish_reason'), ['stop'])
  return {
    text: textOf(own(message, 'content')),
    marks: prompt.marks,
    tokens: tokensOf(own(answer, 'usage'), 'prompt_tokens', 'completion_tokens'),
  }
}

/** Half an answer may be the half that was meant to be read. */
function finished(reason: Json | undefined, whole: readonly string[]): void {
  if (reason === 'refusal' || reason === 'content_filter') throw new NoAnswer('judge.refused', 'the model declined to answer')
  if (typeof reason !== 'string' || !whole.includes(reason)) throw new NoAnswer('judge.malformed', 'the model did not finish its answer')
}

function textOf(text: Json | undefined): string {
  if (typeof text !== 'string') throw new NoAnswer('judge.malformed', 'the model did not answer with a text')
  return text
}

function tokensOf(usage: Json | undefined, input: string, output: string): JudgeReply['tokens'] {
  if (!isJsonObject(usage)) return null
  return { input: count(usage, input), output: count(usage, output) }
}

function count(usage: JsonObject, key: string): number {
  const value = own(usage, key)
  return typeof value === 'number' ? value : 0
}

function base(url: string | null, usual: string): string {
  const written = url ?? usual
  return written.endsWith('/') ? written.slice(0, -1) : written
}

function keyOf(env: ProviderParts['env'], name: string | null): string | undefined {
  return name === null ? undefined : env(name)
}
