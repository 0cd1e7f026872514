/** Asks a model over its wire: one question, then as many turns with tools as the judge may have, then one answer. */
import type { Json } from '../../core/json.ts'
import { NoAnswer } from '../answer.ts'
import type { ToolResult, Turn, Wire } from '../wires/wire.ts'
import { exchange, objectIn, streamed } from './fetch.ts'
import type { JudgeReply, JudgeRequest, ProviderParts } from './provider.ts'

/** Tools that a model may ask for in one turn. */
const MOST_AT_ONCE = 8

/** @throws {NoAnswer} where it gives none, uses up its steps, or asks for tools that it does not have. */
export async function askModel(wire: Wire, request: JudgeRequest, parts: ProviderParts): Promise<JudgeReply> {
  const { judge, prompt, toolbox } = request
  const messages: Json[] = [wire.question(prompt.user)]
  const tokens = { input: 0, output: 0 }
  let counted = false
  const most = toolbox === null ? 0 : toolbox.maxSteps
  for (let step = 0; ; step++) {
    const turn = await turnOf(wire, messages, { request, parts })
    if (turn.tokens !== null) {
      counted = true
      tokens.input += turn.tokens.input
      tokens.output += turn.tokens.output
    }
    if (turn.text !== null) return { text: turn.text, marks: prompt.marks, tokens: counted ? tokens : null }
    if (toolbox === null) throw new NoAnswer('judge.malformed', 'the model asks for tools, but was given none')
    if (step >= most) throw new NoAnswer('judge.steps', `\`${judge.name}\` used up its ${most} steps without an answer`)
    if (turn.requests.length > MOST_AT_ONCE)
      throw new NoAnswer('judge.malformed', `the model asks for more than ${MOST_AT_ONCE} tools at once`)
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
  const { judge, prompt, signal, timeoutMs, toolbox } = request
  const { url, headers } = wire.place(judge, parts.env)
  const { stream } = judge
  const body = wire.body({ model: judge.model ?? '', system: prompt.system, messages, tools: toolbox?.specs ?? [], stream })
  const sending = { url, headers, body, signal, patienceMs: timeoutMs / 2 }
  return wire.turn(stream ? wire.whole(await streamed(sending, parts.fetch)) : objectIn((await exchange(sending, parts.fetch)).text))
}
