/** The four wire forms in which clients and frameworks ask a model: how each answers with one tool call, or with text. */
import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'

export type Body = Record<string, unknown>

export interface Call {
  readonly id: string
  readonly name: string
  readonly args: Body
}

interface Wire {
  readonly at: RegExp
  readonly answer: (response: ServerResponse, call: Call | string, streamed: boolean) => void
}

function sse(response: ServerResponse, events: readonly (readonly [string | null, unknown])[], end = ''): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const [name, data] of events) response.write(`${name === null ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`)
  response.end(end)
}

function json(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

const USAGE = { input_tokens: 1, output_tokens: 1 }

const anthropic: Wire = {
  at: /\/v1\/messages(?:\?|$)/,
  answer: (response, call, streamed) => {
    const block =
      typeof call === 'string' ? { type: 'text', text: call } : { type: 'tool_use', id: call.id, name: call.name, input: call.args }
    const stop = typeof call === 'string' ? 'end_turn' : 'tool_use'
    const message = { id: `msg_${randomUUID()}`, type: 'message', role: 'assistant', model: 'scripted', stop_sequence: null, usage: USAGE }
    if (!streamed) return json(response, { ...message, content: [block], stop_reason: stop })
    const delta =
      typeof call === 'string' ? { type: 'text_delta', text: call } : { type: 'input_json_delta', partial_json: JSON.stringify(call.args) }
    const empty = typeof call === 'string' ? { ...block, text: '' } : { ...block, input: {} }
    sse(response, [
      ['message_start', { type: 'message_start', message: { ...message, content: [], stop_reason: null } }],
      ['content_block_start', { type: 'content_block_start', index: 0, content_block: empty }],
      ['content_block_delta', { type: 'content_block_delta', index: 0, delta }],
      ['content_block_stop', { type: 'content_block_stop', index: 0 }],
      ['message_delta', { type: 'message_delta', delta: { stop_reason: stop, stop_sequence: null }, usage: { output_tokens: 1 } }],
      ['message_stop', { type: 'message_stop' }],
    ])
  },
}

const responses: Wire = {
  at: /\/responses(?:\?|$)/,
  answer: (response, call, streamed) => {
    const id = `r_${randomUUID()}`
    const item =
      typeof call === 'string'
        ? {
            type: 'message',
            role: 'assistant',
            id: `m_${randomUUID()}`,
            status: 'completed',
            content: [{ type: 'output_text', text: call, annotations: [] }],
          }
        : { type: 'function_call', id: `fc_${call.id}`, call_id: call.id, name: call.name, arguments: JSON.stringify(call.args) }
    const usage = { ...USAGE, total_tokens: 2, input_tokens_details: null, output_tokens_details: null }
    if (!streamed) return json(response, { id, object: 'response', status: 'completed', output: [item], usage })
    sse(response, [
      ['response.created', { type: 'response.created', response: { id } }],
      ['response.output_item.done', { type: 'response.output_item.done', item }],
      ['response.completed', { type: 'response.completed', response: { id, usage } }],
    ])
  },
}

const chat: Wire = {
  at: /\/chat\/completions(?:\?|$)/,
  answer: (response, call, streamed) => {
    const called =
      typeof call === 'string'
        ? []
        : [{ index: 0, id: call.id, type: 'function', function: { name: call.name, arguments: JSON.stringify(call.args) } }]
    const message =
      typeof call === 'string' ? { role: 'assistant', content: call } : { role: 'assistant', content: null, tool_calls: called }
    const finish = typeof call === 'string' ? 'stop' : 'tool_calls'
    const base = { id: `c_${randomUUID()}`, created: 1, model: 'fake-model' }
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
    if (!streamed)
      return json(response, { ...base, object: 'chat.completion', choices: [{ index: 0, message, finish_reason: finish }], usage })
    const chunk = (delta: unknown, reason: string | null) => ({
      ...base,
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta, finish_reason: reason }],
    })
    sse(
      response,
      [
        [null, chunk(message, null)],
        [null, { ...chunk({}, finish), usage }],
      ],
      'data: [DONE]\n\n',
    )
  },
}

const google: Wire = {
  at: /:(?:streamG|g)enerateContent/,
  answer: (response, call, streamed) => {
    const part = typeof call === 'string' ? { text: call } : { functionCall: { name: call.name, args: call.args } }
    const body = {
      candidates: [{ index: 0, content: { role: 'model', parts: [part] }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
    }
    if (streamed) sse(response, [[null, body]])
    else json(response, body)
  },
}

export const WIRES: readonly Wire[] = [anthropic, responses, chat, google]
