/** Chat completions, as OpenAI and local servers such as Ollama speak them. A key is sent where there is one. */
import { isJsonObject, type Json, type JsonObject, own } from '../../core/json.ts'
import { NoAnswer } from '../answer.ts'
import { inputIn } from './input.ts'
import { baseOf, finished, keyOf, MAX_TOKENS, objectOf, objectsIn, type ToolRequest, textOf, tokensOf, turnOf, type Wire } from './wire.ts'

export const OPENAI: Wire = {
  place: (judge, env) => {
    const key = keyOf(judge, 'OPENAI_API_KEY', env)
    return {
      url: `${baseOf(judge.url, 'https://api.openai.com/v1')}/chat/completions`,
      headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
    }
  },
  body: ({ model, system, messages, tools, stream, temperature, own: ours }) => ({
    model,
    ...(ours || reasons(model) ? { max_completion_tokens: MAX_TOKENS } : { max_tokens: MAX_TOKENS }),
    ...(temperature === null ? {} : { temperature }),
    messages: [{ role: 'system', content: system }, ...messages],
    ...(tools.length === 0
      ? {}
      : {
          tools: tools.map(({ name, description, schema }) => ({ type: 'function', function: { name, description, parameters: schema } })),
        }),
    ...(stream ? { stream: true, stream_options: { include_usage: true } } : {}),
  }),
  question: (user) => ({ role: 'user', content: user }),
  results: (results) => results.map(({ request, text }) => ({ role: 'tool', tool_call_id: request.id, content: text })),
  turn: (answer) => {
    const choices = objectsIn(own(answer, 'choices'))
    const [choice] = choices
    if (choice === undefined || choices.length > 1) throw new NoAnswer('judge.malformed', 'the model did not answer with one choice')
    const message = objectOf(own(choice, 'message'), 'a message')
    if (typeof own(message, 'refusal') === 'string') throw new NoAnswer('judge.refused', 'the model declined to answer')
    finished(own(choice, 'finish_reason'), ['stop', 'tool_calls'])
    const calls = objectsIn(own(message, 'tool_calls'))
    const content = own(message, 'content') ?? null
    const said: JsonObject = { role: 'assistant', content, ...(calls.length === 0 ? {} : { tool_calls: calls }) }
    return turnOf({ message: said, texts: [content], requests: calls.map(requestOf) })
  },
  whole,
  usage: (said) => tokensOf(said.findLast((each) => isJsonObject(own(each, 'usage')))?.usage, ['prompt_tokens'], ['completion_tokens']),
}

/** Models that think do not take `max_tokens`, and many servers of others know nothing else. */
function reasons(model: string): boolean {
  return /^(?:openai\/)?(?:o\d|gpt-(?:[5-9]|\d\d))/.test(model)
}

function requestOf(call: JsonObject): ToolRequest {
  const asked = objectOf(own(call, 'function'), 'a function')
  return { id: textOf(own(call, 'id')), name: textOf(own(asked, 'name')), input: inputIn(textOf(own(asked, 'arguments'))) }
}

/** Chunks with deltas; the last of them may hold only the usage. */
function whole(events: readonly JsonObject[]): JsonObject {
  const text: string[] = []
  const refusal: string[] = []
  const calls: { id: string; name: string; parts: string[] }[] = []
  let reason: Json = null
  for (const event of events) {
    if (own(event, 'error') !== undefined) throw new NoAnswer('judge.unavailable', 'the model broke off with an error')
    for (const choice of objectsIn(own(event, 'choices'))) {
      if (Number(own(choice, 'index') ?? 0) !== 0) throw new NoAnswer('judge.malformed', 'the model did not answer with one choice')
      reason = own(choice, 'finish_reason') ?? reason
      const delta = objectOf(own(choice, 'delta') ?? {}, 'a part of a message')
      pushText(text, own(delta, 'content'))
      pushText(refusal, own(delta, 'refusal'))
      for (const call of objectsIn(own(delta, 'tool_calls'))) addCall(calls, call)
    }
  }
  const tools = calls.map(({ id, name, parts }) => ({ id, type: 'function', function: { name, arguments: parts.join('') } }))
  const said = {
    content: text.join(''),
    refusal: refusal.length === 0 ? null : refusal.join(''),
    ...(tools.length === 0 ? {} : { tool_calls: tools }),
  }
  return { choices: [{ index: 0, message: said, finish_reason: reason }] }
}

function pushText(parts: string[], text: Json | undefined): void {
  if (typeof text === 'string') parts.push(text)
}

/** The first part of a call names it, the others go on with its arguments. */
function addCall(calls: { id: string; name: string; parts: string[] }[], call: JsonObject): void {
  const index = Number(own(call, 'index'))
  if (!Number.isInteger(index) || index < 0 || index > calls.length || index > 63)
    throw new NoAnswer('judge.malformed', 'a call of a tool has no place')
  const asked = objectOf(own(call, 'function') ?? {}, 'a function')
  const known = calls[index]
  if (known === undefined) {
    calls.push({ id: textOf(own(call, 'id')), name: textOf(own(asked, 'name')), parts: [textOf(own(asked, 'arguments') ?? '')] })
  } else {
    pushText(known.parts, own(asked, 'arguments'))
  }
}
