/** Google's `generateContent` of Gemini models. */
import { isJsonObject, type Json, type JsonObject, own } from '../../core/json.ts'
import { NoAnswer } from '../answer.ts'
import { baseOf, finished, keyOf, MAX_TOKENS, objectOf, objectsIn, type ToolRequest, textOf, tokensOf, turnOf, type Wire } from './wire.ts'

/** Without tools of the server's there is nothing to count for them. What is thought is paid for as what is written. */
const READ = ['promptTokenCount', 'toolUsePromptTokenCount'] as const
const WRITTEN = ['candidatesTokenCount', 'thoughtsTokenCount'] as const

export const GOOGLE: Wire = {
  place: (judge, env) => {
    const model = encodeURIComponent(judge.model ?? '')
    const key = keyOf(judge, 'GEMINI_API_KEY', env)
    const act = judge.stream ? 'streamGenerateContent?alt=sse' : 'generateContent'
    return {
      url: `${baseOf(judge.url, 'https://generativelanguage.googleapis.com')}/v1beta/models/${model}:${act}`,
      headers: key === undefined ? {} : { 'x-goog-api-key': key },
    }
  },
  body: ({ system, messages, tools, temperature }) => ({
    systemInstruction: { parts: [{ text: system }] },
    contents: messages,
    generationConfig: { ...(temperature === null ? {} : { temperature }), maxOutputTokens: MAX_TOKENS, candidateCount: 1 },
    ...(tools.length === 0
      ? {}
      : {
          tools: [
            { functionDeclarations: tools.map(({ name, description, schema }) => ({ name, description, parameters: plain(schema) })) },
          ],
        }),
  }),
  question: (user) => ({ role: 'user', parts: [{ text: user }] }),
  results: (results) => [
    {
      role: 'user',
      parts: results.map(({ request, text, failed }) => {
        return { functionResponse: { name: request.name, response: failed ? { error: text } : { result: text } } }
      }),
    },
  ],
  turn: (answer) => {
    const feedback = own(answer, 'promptFeedback')
    if (feedback !== undefined && own(objectOf(feedback, 'feedback'), 'blockReason') !== undefined)
      throw new NoAnswer('judge.refused', 'the model declined to answer')
    const candidates = objectsIn(own(answer, 'candidates'))
    const [candidate] = candidates
    if (candidate === undefined || candidates.length > 1)
      throw new NoAnswer('judge.malformed', 'the model did not answer with one candidate')
    finished(own(candidate, 'finishReason'), ['STOP'])
    const content = objectOf(own(candidate, 'content'), 'a content')
    const parts = objectsIn(own(content, 'parts'))
    const texts = parts.filter((part) => own(part, 'text') !== undefined && own(part, 'thought') !== true)
    const requests = parts.flatMap((part, index) => requestOf(own(part, 'functionCall'), index))
    return turnOf({ message: { role: 'model', parts }, texts: texts.map((part) => own(part, 'text') ?? null), requests })
  },
  whole,
  usage: (said) => tokensOf(said.findLast((each) => isJsonObject(own(each, 'usageMetadata')))?.usageMetadata, READ, WRITTEN),
}

function requestOf(call: Json | undefined, index: number): readonly ToolRequest[] {
  if (call === undefined) return []
  const asked = objectOf(call, 'a function call')
  return [{ id: String(index), name: textOf(own(asked, 'name')), input: objectOf(own(asked, 'args') ?? {}, 'the input of a tool') }]
}

/** Gemini takes a part of JSON Schema, in which closed objects do not occur. */
function plain(schema: JsonObject): JsonObject {
  const { additionalProperties: _closed, ...rest } = schema
  return rest
}

/** Each event is a response with the next parts; neighbouring texts are one. */
function whole(events: readonly JsonObject[]): JsonObject {
  const parts: JsonObject[] = []
  let last: JsonObject = {}
  let reason: Json | undefined
  for (const event of events) {
    if (own(event, 'error') !== undefined) throw new NoAnswer('judge.unavailable', 'the model broke off with an error')
    last = { ...last, ...event }
    for (const candidate of objectsIn(own(event, 'candidates'))) {
      reason = own(candidate, 'finishReason') ?? reason
      for (const part of objectsIn(own(objectOf(own(candidate, 'content') ?? {}, 'a content'), 'parts'))) addPart(parts, part)
    }
  }
  const { candidates: _last, ...rest } = last
  return { ...rest, candidates: [{ content: { role: 'model', parts }, ...(reason === undefined ? {} : { finishReason: reason }) }] }
}

function addPart(parts: JsonObject[], part: JsonObject): void {
  const before = parts.at(-1)
  const [old, next] = [before === undefined ? undefined : own(before, 'text'), own(part, 'text')]
  const same = before !== undefined && (own(before, 'thought') === true) === (own(part, 'thought') === true)
  if (same && typeof old === 'string' && typeof next === 'string') parts[parts.length - 1] = { ...before, text: old + next }
  else parts.push(part)
}
