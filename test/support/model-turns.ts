/** What a model says in one turn, on the real wire of each API. */

export interface Call {
  readonly id?: string
  readonly name: string
  readonly args: unknown
  /** A tool that takes text. */
  readonly custom?: boolean
  /** Instead of well-formed arguments. */
  readonly raw?: string
}

export type Said =
  | { readonly text: string }
  | { readonly thinking: string; readonly signature: string }
  | { readonly redacted: string }
  | { readonly call: Call }
  | { readonly block: Readonly<Record<string, unknown>> }

const json = JSON.stringify

/** In `size` pieces of about the same length. */
export function inPieces(text: string, count: number): readonly string[] {
  const size = Math.max(1, Math.ceil(text.length / count))
  return Array.from({ length: Math.ceil(text.length / size) }, (_, at) => text.slice(at * size, (at + 1) * size))
}

const inputOf = ({ raw, args }: Call): string => raw ?? json(args)

export function anthropicWhole(said: readonly Said[], stop?: string): string {
  return json({
    id: 'msg_01',
    type: 'message',
    role: 'assistant',
    model: 'claude-scripted',
    content: said.map((part, index) => {
      if ('text' in part) return { type: 'text', text: part.text }
      if ('thinking' in part) return { type: 'thinking', thinking: part.thinking, signature: part.signature }
      if ('redacted' in part) return { type: 'redacted_thinking', data: part.redacted }
      if ('block' in part) return part.block
      return { type: 'tool_use', id: part.call.id ?? `toolu_${index}`, name: part.call.name, input: part.call.args }
    }),
    stop_reason: stop ?? (said.some((part) => 'call' in part) ? 'tool_use' : 'end_turn'),
    stop_sequence: null,
    usage: { input_tokens: 100, output_tokens: 20 },
  })
}

export const sse = (data: unknown, event?: string): string =>
  `${event === undefined ? '' : `event: ${event}\n`}data: ${typeof data === 'string' ? data : json(data)}\n\n`

const named = (data: { readonly type: string } & Record<string, unknown>): string => sse(data, data.type)

export function anthropicEvents(said: readonly Said[], stop?: string): readonly string[] {
  const message = {
    id: 'msg_01',
    type: 'message',
    role: 'assistant',
    model: 'claude-scripted',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 100, output_tokens: 1 },
  }
  return [
    named({ type: 'message_start', message }),
    named({ type: 'ping' }),
    ...said.flatMap((part, index) => anthropicBlock(part, index)),
    named({
      type: 'message_delta',
      delta: { stop_reason: stop ?? (said.some((part) => 'call' in part) ? 'tool_use' : 'end_turn'), stop_sequence: null },
      usage: { output_tokens: 20 },
    }),
    named({ type: 'message_stop' }),
  ]
}

function anthropicBlock(part: Said, index: number): readonly string[] {
  const start = (content_block: object) => named({ type: 'content_block_start', index, content_block })
  const delta = (given: object) => named({ type: 'content_block_delta', index, delta: given })
  const stop = named({ type: 'content_block_stop', index })
  if ('text' in part)
    return [start({ type: 'text', text: '' }), ...inPieces(part.text, 3).map((text) => delta({ type: 'text_delta', text })), stop]
  if ('thinking' in part) {
    const thoughts = inPieces(part.thinking, 2).map((thinking) => delta({ type: 'thinking_delta', thinking }))
    return [
      start({ type: 'thinking', thinking: '', signature: '' }),
      ...thoughts,
      delta({ type: 'signature_delta', signature: part.signature }),
      stop,
    ]
  }
  if ('redacted' in part) return [start({ type: 'redacted_thinking', data: part.redacted }), stop]
  if ('block' in part) return [start(part.block), stop]
  const { call } = part
  const fragments = ['', ...inPieces(inputOf(call), 4)].map((partial_json) => delta({ type: 'input_json_delta', partial_json }))
  return [start({ type: 'tool_use', id: call.id ?? `toolu_${index}`, name: call.name, input: {} }), ...fragments, stop]
}

export function chatWhole(said: readonly Said[], finish?: string): string {
  const calls = said.flatMap((part) => ('call' in part ? [part.call] : []))
  const text = said.flatMap((part) => ('text' in part ? [part.text] : [])).join('')
  const message = {
    role: 'assistant',
    content: text === '' ? null : text,
    refusal: null,
    ...(reasoningOf(said).length === 0 ? {} : { reasoning_details: reasoningOf(said) }),
    ...(calls.length === 0 ? {} : { tool_calls: calls.map((call, index) => chatCall(call, index)) }),
  }
  const reason = finish ?? (calls.length > 0 ? 'tool_calls' : 'stop')
  const usage = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 }
  return json({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'gpt-scripted',
    choices: [{ index: 0, message, logprobs: null, finish_reason: reason }],
    usage,
  })
}

/** Chat completions have no thoughts; those who serve models that think by them hand the thoughts out, and want them back, in this form. */
export function reasoningOf(said: readonly Said[]): readonly object[] {
  return said.flatMap((part): readonly object[] => {
    if ('thinking' in part) return [{ type: 'reasoning.text', text: part.thinking, signature: part.signature }]
    return 'redacted' in part ? [{ type: 'reasoning.encrypted', data: part.redacted }] : []
  })
}

function chatCall(call: Call, index: number, input = inputOf(call)): object {
  const id = call.id ?? `call_${index}`
  return call.custom === true
    ? { id, type: 'custom', custom: { name: call.name, input: call.raw ?? String(call.args) } }
    : { id, type: 'function', function: { name: call.name, arguments: input } }
}

export const chatChunk = (delta: object, finish: string | null = null, index = 0): string =>
  sse({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'gpt-scripted',
    choices: [{ index, delta, logprobs: null, finish_reason: finish }],
  })

export function chatEvents(said: readonly Said[], finish?: string): readonly string[] {
  const calls = said.flatMap((part) => ('call' in part ? [part.call] : []))
  const texts = said.flatMap((part) => ('text' in part ? inPieces(part.text, 3) : []))
  const fragments = calls.flatMap((call, index) => {
    if (call.custom === true) {
      const [first = '', ...rest] = inPieces(call.raw ?? String(call.args), 3)
      return [
        chatChunk({ tool_calls: [{ index, ...chatCall({ ...call, raw: first }, index) }] }),
        ...rest.map((input) => chatChunk({ tool_calls: [{ index, custom: { input } }] })),
      ]
    }
    const begins = chatChunk({ tool_calls: [{ index, ...chatCall(call, index, '') }] })
    return [begins, ...inPieces(inputOf(call), 4).map((text) => chatChunk({ tool_calls: [{ index, function: { arguments: text } }] }))]
  })
  const usage = {
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'gpt-scripted',
    choices: [],
    usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
  }
  return [
    chatChunk({ role: 'assistant', content: '', refusal: null }),
    ...reasoningOf(said).map((each) => chatChunk({ reasoning_details: [each] })),
    ...texts.map((content) => chatChunk({ content })),
    ...fragments,
    chatChunk({}, finish ?? (calls.length > 0 ? 'tool_calls' : 'stop')),
    sse(usage),
    sse('[DONE]'),
  ]
}
