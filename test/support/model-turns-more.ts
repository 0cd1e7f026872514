/** The same turns on the wire of OpenAI's responses and of Gemini. */
import type { ApiName } from '../../src/proxies/model/api.ts'
import type { Scripted } from './model-proxy.ts'
import { anthropicEvents, anthropicWhole, type Call, chatEvents, chatWhole, inPieces, type Said, sse } from './model-turns.ts'

const json = JSON.stringify

export interface ResponseOptions {
  readonly status?: string
  readonly store?: boolean
  readonly conversation?: string
}

/** The items of a response: thoughts, messages, calls of every type. */
export function responseItems(said: readonly Said[]): readonly Record<string, unknown>[] {
  return said.map((part, index) => {
    if ('text' in part) return messageOf(`msg_${index}`, part.text)
    if ('thinking' in part)
      return {
        id: `rs_${index}`,
        type: 'reasoning',
        summary: [{ type: 'summary_text', text: part.thinking }],
        encrypted_content: part.signature,
      }
    if ('redacted' in part) return { id: `rs_${index}`, type: 'reasoning', summary: [], encrypted_content: part.redacted }
    if ('block' in part) return { id: `it_${index}`, ...part.block }
    return callItem(part.call, index)
  })
}

function messageOf(id: string, text: string): Record<string, unknown> {
  return {
    id,
    type: 'message',
    status: 'completed',
    role: 'assistant',
    content: [{ type: 'output_text', annotations: [], logprobs: [], text }],
  }
}

function callItem(call: Call, index: number): Record<string, unknown> {
  const about = { id: `fc_${index}`, call_id: call.id ?? `call_${index}`, name: call.name, status: 'completed' }
  if (call.custom === true) return { ...about, type: 'custom_tool_call', input: call.raw ?? String(call.args) }
  return { ...about, type: 'function_call', arguments: call.raw ?? json(call.args) }
}

function responseOf(
  output: readonly object[],
  { status = 'completed', store = true, conversation }: ResponseOptions = {},
): Record<string, unknown> {
  return {
    id: 'resp_1',
    object: 'response',
    created_at: 1,
    status,
    error: null,
    incomplete_details: status === 'incomplete' ? { reason: 'max_output_tokens' } : null,
    instructions: null,
    metadata: {},
    model: 'gpt-scripted',
    output,
    parallel_tool_calls: true,
    temperature: 1,
    tool_choice: 'auto',
    tools: [],
    top_p: 1,
    store,
    ...(conversation === undefined ? {} : { conversation: { id: conversation } }),
    usage: {
      input_tokens: 100,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 20,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 120,
    },
  }
}

export function responsesWhole(said: readonly Said[], options?: ResponseOptions): string {
  const items = responseItems(said)
  const last = options?.status === 'incomplete' ? items.length - 1 : -1
  return json(
    responseOf(
      items.map((item, at) => (at === last && 'status' in item ? { ...item, status: 'incomplete' } : item)),
      options,
    ),
  )
}

export function responsesEvents(said: readonly Said[], options?: ResponseOptions): readonly string[] {
  let number = 0
  const event = (type: string, data: object): string => sse({ type, sequence_number: number++, ...data }, type)
  const items = responseItems(said)
  const started = responseOf([], { ...options, status: 'in_progress' })
  return [
    event('response.created', { response: started }),
    event('response.in_progress', { response: started }),
    ...items.flatMap((item, output_index) => itemEvents(item, (type, data) => event(type, { output_index, ...data }))),
    event(`response.${options?.status ?? 'completed'}`, { response: responseOf(items, options) }),
  ]
}

type Event = (type: string, data: object) => string

function itemEvents(item: Record<string, unknown>, event: Event): readonly string[] {
  const whole = (type: string, value: object): string => event(type, { item: value })
  const about: Event = (type, data) => event(type, { item_id: item.id, ...data })
  const [added, done] = ['response.output_item.added', 'response.output_item.done']
  switch (item.type) {
    case 'message': {
      const [content] = item.content as readonly { readonly text: string }[]
      const text = content?.text ?? ''
      const part = { type: 'output_text', annotations: [], logprobs: [], text: '' }
      return [
        whole(added, { ...item, status: 'in_progress', content: [] }),
        about('response.content_part.added', { content_index: 0, part }),
        ...inPieces(text, 3).map((delta) => about('response.output_text.delta', { content_index: 0, delta, logprobs: [] })),
        about('response.output_text.done', { content_index: 0, text, logprobs: [] }),
        about('response.content_part.done', { content_index: 0, part: { ...part, text } }),
        whole(done, item),
      ]
    }
    case 'function_call':
    case 'custom_tool_call': {
      const [name, key] = item.type === 'function_call' ? ['function_call_arguments', 'arguments'] : ['custom_tool_call_input', 'input']
      const input = String(item[key])
      return [
        whole(added, { ...item, status: 'in_progress', [key]: '' }),
        ...inPieces(input, 4).map((delta) => about(`response.${name}.delta`, { delta })),
        about(`response.${name}.done`, { [key]: input }),
        whole(done, item),
      ]
    }
    default:
      return [whole(added, item), whole(done, item)]
  }
}

export function geminiParts(said: readonly Said[]): readonly Record<string, unknown>[] {
  let signed = false
  return said.map((part) => {
    if ('text' in part) return { text: part.text }
    if ('thinking' in part) return { text: part.thinking, thought: true, thoughtSignature: part.signature }
    if ('redacted' in part) return { text: '', thoughtSignature: part.redacted }
    if ('block' in part) return part.block
    // The first of parallel calls has the signature of them all.
    const signature = signed ? {} : { thoughtSignature: 'c2lnbmVk' }
    signed = true
    const id = part.call.id === undefined ? {} : { id: part.call.id }
    return { functionCall: { ...id, name: part.call.name, args: part.call.args }, ...signature }
  })
}

const USAGE = { promptTokenCount: 100, candidatesTokenCount: 20, totalTokenCount: 120 }

const piece = (parts: readonly object[], finish?: string): Record<string, unknown> => ({
  candidates: [{ content: { role: 'model', parts }, ...(finish === undefined ? {} : { finishReason: finish }), index: 0 }],
  usageMetadata: USAGE,
  modelVersion: 'gemini-scripted',
  responseId: 'r-1',
})

export function geminiWhole(said: readonly Said[], finish = 'STOP'): string {
  return json(piece(geminiParts(said), finish))
}

function pieces(said: readonly Said[], finish: string): readonly Record<string, unknown>[] {
  const parts = geminiParts(said)
  return parts.length === 0 ? [piece([], finish)] : parts.map((part, at) => piece([part], at === parts.length - 1 ? finish : undefined))
}

/** With `alt=sse`; lines end as Google's do. */
export function geminiEvents(said: readonly Said[], finish = 'STOP'): readonly string[] {
  return pieces(said, finish).map((each) => `data: ${json(each)}\r\n\r\n`)
}

/** Without it. */
export function geminiList(said: readonly Said[], finish = 'STOP'): string {
  return `[${pieces(said, finish)
    .map((each) => json(each))
    .join(',\r\n')}]`
}

const WHOLE = {
  anthropic: anthropicWhole,
  chat: chatWhole,
  responses: (said: readonly Said[], stop?: string) => responsesWhole(said, ended(stop)),
  gemini: geminiWhole,
} as const
const EVENTS = {
  anthropic: anthropicEvents,
  chat: chatEvents,
  responses: (said: readonly Said[], stop?: string) => responsesEvents(said, ended(stop)),
  gemini: geminiEvents,
} as const

const ended = (status: string | undefined): ResponseOptions => (status === undefined ? {} : { status })

export interface Turn extends Scripted {
  readonly pieces: readonly string[]
}

/**
 * A turn as the upstream answers with it.
 * @param stop why it ended, as the API says it; default: as turns of this kind do.
 */
export function scripted(api: ApiName, streams: boolean, said: readonly Said[], stop?: string): Turn {
  return streams ? { pieces: EVENTS[api](said, stop) } : { type: 'application/json', pieces: [WHOLE[api](said, stop)] }
}
