/** A model that says what is written below, on the wire of OpenAI's chat completions: one turn for each message it has answered before. */
import { createServer } from 'node:http'

const TURNS = [
  ['I look up the order.', ['get_order', { order: 'A-100' }]],
  ['It came broken, so I give the money back.', ['refund_order', { order: 'A-100', amount: 40 }]],
  ['Now I tidy up.', ['run_sql', { query: 'DROP TABLE orders' }]],
]

function* chunks([text, [name, args]], id) {
  const delta = (delta, finish_reason = null) => ({
    id: `chatcmpl-${id}`,
    object: 'chat.completion.chunk',
    created: 0,
    model: 'scripted',
    choices: [{ index: 0, delta, finish_reason }],
  })
  yield delta({ role: 'assistant', content: '' })
  for (const word of text.split(/(?= )/)) yield delta({ content: word })
  yield delta({ tool_calls: [{ index: 0, id: `call_${id}`, type: 'function', function: { name, arguments: '' } }] })
  for (const part of JSON.stringify(args).match(/.{1,8}/gs)) yield delta({ tool_calls: [{ index: 0, function: { arguments: part } }] })
  yield delta({}, 'tool_calls')
}

export const model = createServer(async (request, response) => {
  let text = ''
  for await (const chunk of request) text += chunk
  const turn = JSON.parse(text).messages.filter(({ role }) => role === 'assistant').length
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const chunk of chunks(TURNS[turn] ?? TURNS[0], turn)) response.write(`data: ${JSON.stringify(chunk)}\n\n`)
  response.end('data: [DONE]\n\n')
})
