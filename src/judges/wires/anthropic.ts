/** Anthropic's messages; version 2023-06-01. */
import { isJsonObject, type Json, type JsonObject, own } from '../../core/json.ts'
import { NoAnswer } from '../answer.ts'
import { inputIn } from './input.ts'
import {
  baseOf,
  finished,
  keyOf,
  MAX_TOKENS,
  objectOf,
  objectsIn,
  type Tokens,
  type ToolRequest,
  textOf,
  tokensOf,
  turnOf,
  type Wire,
} from './wire.ts'

export const ANTHROPIC: Wire = {
  place: (judge, env) => {
    const key = keyOf(judge, 'ANTHROPIC_API_KEY', env)
    return {
      url: `${baseOf(judge.url, 'https://api.anthropic.com')}/v1/messages`,
      headers: { 'anthropic-version': '2023-06-01', ...(key === undefined ? {} : { 'x-api-key': key }) },
    }
  },
  body: ({ model, system, messages, tools, stream, temperature }) => ({
    model,
    max_tokens: MAX_TOKENS,
    ...(temperature === null ? {} : { temperature }),
    system,
    messages,
    ...(tools.length === 0 ? {} : { tools: tools.map(({ name, description, schema }) => ({ name, description, input_schema: schema })) }),
    ...(stream ? { stream: true } : {}),
  }),
  question: (user) => ({ role: 'user', content: user }),
  results: (results) => [
    {
      role: 'user',
      content: results.map(({ request, text, failed }) => {
        return { type: 'tool_result', tool_use_id: request.id, content: text, is_error: failed }
      }),
    },
  ],
  turn: (answer) => {
    finished(own(answer, 'stop_reason'), ['end_turn', 'stop_sequence', 'tool_use'])
    const content = objectsIn(own(answer, 'content'))
    const of = (type: string): readonly JsonObject[] => content.filter((part) => own(part, 'type') === type)
    const requests = of('tool_use').map(
      (part): ToolRequest => ({
        id: textOf(own(part, 'id')),
        name: textOf(own(part, 'name')),
        input: objectOf(own(part, 'input'), 'the input of a tool'),
      }),
    )
    return turnOf({ message: { role: 'assistant', content }, texts: of('text').map((part) => own(part, 'text') ?? null), requests })
  },
  whole,
  usage,
}

/** Of a whole answer, or of the events that begin and end a stream; the later counts hold. */
function usage(said: readonly JsonObject[]): Tokens | null {
  const counts = said.flatMap((each) => [own(objectIn(own(each, 'message')), 'usage'), own(each, 'usage')].map(objectIn))
  return tokensOf(
    Object.assign({}, ...counts),
    ['input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens'],
    ['output_tokens'],
  )
}

function objectIn(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {}
}

/** `message_start`, then for each block a start, deltas and a stop, then `message_delta` and `message_stop`. */
function whole(events: readonly JsonObject[]): JsonObject {
  const blocks: { start: JsonObject; text: string[]; json: string[] }[] = []
  let reason: Json = null
  for (const event of events) {
    const type = own(event, 'type')
    if (type === 'error') throw new NoAnswer('judge.unavailable', 'the model broke off with an error')
    if (type === 'content_block_start') blocks.push({ start: objectOf(own(event, 'content_block'), 'a block'), text: [], json: [] })
    if (type === 'content_block_delta') {
      const delta = objectOf(own(event, 'delta'), 'a part of a block')
      const block = blocks[Number(own(event, 'index'))]
      if (own(delta, 'type') === 'text_delta') block?.text.push(textOf(own(delta, 'text')))
      if (own(delta, 'type') === 'input_json_delta') block?.json.push(textOf(own(delta, 'partial_json')))
    }
    if (type === 'message_delta') reason = own(objectOf(own(event, 'delta'), 'a change'), 'stop_reason') ?? null
  }
  if (own(events.at(-1) ?? {}, 'type') !== 'message_stop') throw new NoAnswer('judge.malformed', 'the stream of the model broke off')
  const content = blocks.map(({ start, text, json }) => {
    if (own(start, 'type') === 'text') return { type: 'text', text: text.join('') }
    return own(start, 'type') === 'tool_use' ? { ...start, input: inputIn(json.join('')) } : start
  })
  return { content, stop_reason: reason }
}
