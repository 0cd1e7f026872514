/** How Anthropic, OpenAI and Google write what a model says: whole, and as a stream of events. */

/** What a model says: a text, or the tools that it asks for. */
export type Said = string | { readonly calls: readonly { readonly name: string; readonly input: unknown }[] }

export type Protocol = 'anthropic' | 'openai' | 'google'

export function protocolOf(path: string): Protocol | null {
  if (path === '/v1/messages') return 'anthropic'
  if (path === '/v1/chat/completions') return 'openai'
  return /^\/v1beta\/models\/[^/]+:(?:g|streamG)enerateContent(?:\?alt=sse)?$/.test(path) ? 'google' : null
}

const USAGE = { input: 321, output: 45 } as const

function anthropicBlocks(said: Said): readonly object[] {
  if (typeof said === 'string') return [{ type: 'text', text: said }]
  const asked = said.calls.map(({ name, input }, index) => ({ type: 'tool_use', id: `toolu_${index}`, name, input }))
  return [{ type: 'text', text: 'I look around first.' }, ...asked]
}

export function anthropicMessage(said: Said, stop = typeof said === 'string' ? 'end_turn' : 'tool_use'): string {
  return JSON.stringify({
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'scripted',
    content: anthropicBlocks(said),
    stop_reason: stop,
    stop_sequence: null,
    usage: { input_tokens: USAGE.input, output_tokens: USAGE.output },
  })
}

function openAiCalls(said: Said): object {
  if (typeof said === 'string') return {}
  return {
    tool_calls: said.calls.map(({ name, input }, index) => {
      return { id: `call_${index}`, type: 'function', function: { name, arguments: JSON.stringify(input) } }
    }),
  }
}

export function openAiCompletion(
  said: Said,
  finish = typeof said === 'string' ? 'stop' : 'tool_calls',
  refusal: string | null = null,
): string {
  const content = typeof said === 'string' ? said : null
  return JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'scripted',
    choices: [{ index: 0, message: { role: 'assistant', content, refusal, ...openAiCalls(said) }, logprobs: null, finish_reason: finish }],
    usage: { prompt_tokens: USAGE.input, completion_tokens: USAGE.output, total_tokens: USAGE.input + USAGE.output },
  })
}

function googleParts(said: Said): readonly object[] {
  return typeof said === 'string' ? [{ text: said }] : said.calls.map(({ name, input }) => ({ functionCall: { name, args: input } }))
}

export function googleContent(said: Said, finish = 'STOP'): string {
  return JSON.stringify({
    candidates: [{ content: { role: 'model', parts: googleParts(said) }, finishReason: finish, index: 0 }],
    usageMetadata: { promptTokenCount: USAGE.input, candidatesTokenCount: USAGE.output, totalTokenCount: USAGE.input + USAGE.output },
    modelVersion: 'scripted',
  })
}

export function whole(protocol: Protocol, said: Said): string {
  if (protocol === 'anthropic') return anthropicMessage(said)
  return protocol === 'openai' ? openAiCompletion(said) : googleContent(said)
}

function event(data: unknown, name?: string): string {
  return `${name === undefined ? '' : `event: ${name}\n`}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`
}

function halves(text: string): readonly string[] {
  const middle = Math.floor(text.length / 2)
  return [text.slice(0, middle), text.slice(middle)]
}

function anthropicEvents(said: Said): readonly string[] {
  const named = (data: { readonly type: string }): string => event(data, data.type)
  const blocks = anthropicBlocks(said) as readonly { type: string; text?: string; input?: unknown }[]
  const message = { id: 'msg_1', type: 'message', role: 'assistant', content: [], usage: { input_tokens: USAGE.input, output_tokens: 1 } }
  return [
    named({ type: 'message_start', ...{ message } }),
    ...blocks.flatMap((block, index) => {
      const tool = block.type === 'tool_use'
      const start = tool ? { ...block, input: {} } : { type: 'text', text: '' }
      const parts = halves(tool ? JSON.stringify(block.input) : (block.text ?? ''))
      const delta = (text: string) => (tool ? { type: 'input_json_delta', partial_json: text } : { type: 'text_delta', text })
      return [
        named({ type: 'content_block_start', ...{ index, content_block: start } }),
        named({ type: 'ping' }),
        ...parts.map((text) => named({ type: 'content_block_delta', ...{ index, delta: delta(text) } })),
        named({ type: 'content_block_stop', ...{ index } }),
      ]
    }),
    named({
      type: 'message_delta',
      ...{ delta: { stop_reason: typeof said === 'string' ? 'end_turn' : 'tool_use' }, usage: { output_tokens: USAGE.output } },
    }),
    named({ type: 'message_stop' }),
  ]
}

function openAiEvents(said: Said): readonly string[] {
  const chunk = (delta: object, finish: string | null = null) => event({ id: 'c', choices: [{ index: 0, delta, finish_reason: finish }] })
  const parts =
    typeof said === 'string'
      ? halves(said).map((content) => chunk({ content }))
      : said.calls.flatMap(({ name, input }, index) => {
          const [first = '', second = ''] = halves(JSON.stringify(input))
          return [
            chunk({ tool_calls: [{ index, id: `call_${index}`, type: 'function', function: { name, arguments: first } }] }),
            chunk({ tool_calls: [{ index, function: { arguments: second } }] }),
          ]
        })
  const usage = event({ id: 'c', choices: [], usage: { prompt_tokens: USAGE.input, completion_tokens: USAGE.output } })
  return [
    chunk({ role: 'assistant', content: '' }),
    ...parts,
    chunk({}, typeof said === 'string' ? 'stop' : 'tool_calls'),
    usage,
    event('[DONE]'),
  ]
}

function googleEvents(said: Said): readonly string[] {
  const texts = typeof said === 'string' ? halves(said).map((text) => [{ text }]) : googleParts(said).map((part) => [part])
  return texts.map((parts, index) => {
    const last = index === texts.length - 1
    const candidate = { content: { role: 'model', parts }, index: 0, ...(last ? { finishReason: 'STOP' } : {}) }
    return event({ candidates: [candidate], usageMetadata: { promptTokenCount: USAGE.input, candidatesTokenCount: USAGE.output } })
  })
}

/** The same as events, each a piece of the body. */
export function streamOf(protocol: Protocol, said: Said): readonly string[] {
  if (protocol === 'anthropic') return anthropicEvents(said)
  return protocol === 'openai' ? openAiEvents(said) : googleEvents(said)
}
