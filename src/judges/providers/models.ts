/** Asks a model over its wire: one question, then as many turns with tools as the judge may have, then one answer. */
import type { Json, JsonObject } from '../../core/json.ts'
import { NoAnswer } from '../answer.ts'
import type { ToolResult, Turn, Wire } from '../wires/wire.ts'
import { exchange, objectIn, streamed } from './fetch.ts'
import { headersOf } from './headers.ts'
import type { JudgeReply, JudgeRequest, ProviderParts } from './provider.ts'

/** Tools that a model may ask for in one turn. */
const MAX_AT_ONCE = 8

/** @throws {NoAnswer} where it gives none, uses up its steps, or asks for tools that it does not have. */
export async function askModel(wire: Wire, request: JudgeRequest, parts: ProviderParts): Promise<JudgeReply> {
  const { judge, prompt, toolbox } = request
  const messages: Json[] = [wire.question(prompt.user)]
  const most = toolbox === null ? 0 : toolbox.maxSteps
  for (let step = 0; ; step++) {
    const turn = await turnOf(wire, messages, { request, parts })
    if (turn.text !== null) return { text: turn.text, marks: prompt.marks }
    if (toolbox === null) throw new NoAnswer('judge.malformed', 'the model asks for tools, but was given none')
    if (step >= most) throw new NoAnswer('judge.steps', `\`${judge.name}\` used up its ${most} steps without an answer`)
    if (turn.requests.length > MAX_AT_ONCE)
      throw new NoAnswer('judge.malformed', `the model asks for more than ${MAX_AT_ONCE} tools at once`)
    const results: ToolResult[] = []
    for (const asked of turn.requests) results.push(await toolbox.use(asked, request.signal))
    messages.push(turn.message, ...wire.results(results))
  }
}

interface Asking {
  readonly request: JudgeRequest
  readonly parts: ProviderParts
}

async function turnOf(wire: Wire, messages: readonly Json[], { request, parts }: Asking): Promise<Turn> {
  const { judge, prompt, signal, timeoutMs, toolbox, meter } = request
  const { url, headers } = wire.place(judge, parts.env)
  const { stream, temperature } = judge
  const conversation = { model: judge.model ?? '', system: prompt.system, messages, tools: toolbox?.specs ?? [], stream, temperature }
  const body = wire.body({ ...conversation, own: judge.url === null })
  const said: JsonObject[] = []
  const free = meter.open({ sent: JSON.stringify(body).length, tokens: () => wire.usage(said) })
  const sending = {
    url,
    headers: { ...headers, ...headersOf(judge, parts.env) },
    body,
    signal,
    patienceMs: timeoutMs / 2,
    turnedAway: free,
  }
  if (stream) await streamed(sending, parts.fetch, said)
  else said.push(objectIn((await exchange(sending, parts.fetch)).text))
  return wire.turn(stream ? wire.whole(said) : (said[0] ?? {}))
}
