/** A request whose answer may propose calls: its tools are judged before it is sent on, its calls before they leave. */
import type { IncomingMessage } from 'node:http'
import type { RequestFacts } from './api.ts'
import { requesterOf } from './callers.ts'
import { type Patience, patienceOf } from './clients.ts'
import { answerStream, answerWhole, type Exchange, fault, headOf } from './exchange.ts'
import { piped, sent } from './forward.ts'
import { createHold } from './holding.ts'
import { plainBody } from './incoming.ts'
import { locate } from './json.ts'
import { createJudge, type JudgeParts, type Outcome } from './judge.ts'
import { type Offered, offering } from './offered.ts'
import { decoded, type Headers } from './upstream.ts'
import type { Asking } from './visit.ts'

const NOTHING_ASKED: RequestFacts = {
  streamed: false,
  task: null,
  opening: null,
  session: null,
  definitions: new Map(),
  providerTools: [],
  results: [],
}

const UNREADABLE = 'The body of the request cannot be read, so it was not sent on.'
const SPACE = Buffer.from('\n')

export async function judged(asking: Asking): Promise<void> {
  const { here, reply, api } = asking
  const plain = api === null ? null : plainBody(here.body, here.request.headers['content-encoding'])
  const located = plain === null ? null : locate(plain.toString('utf8'))
  const facts = api === null ? NOTHING_ASKED : located === null ? null : api.request(located, here.destination.path)
  if (facts === null) return fault({ reply, api, headers: () => ({}) }, 400, UNREADABLE)
  const outcomes: Outcome[] = []
  const parts = judgeParts(asking, facts, outcomes)
  const offered =
    located === null ? NONE_OFFERED : await offering({ located, tools: facts.providerTools, parts, known: here.house.offered })
  const body = offered.body === null || offered.body === located?.text ? here.body : Buffer.from(offered.body)
  const answer = await sent(asking, body)
  if (answer === null) return
  const { statusCode = 502 } = answer
  if (statusCode < 200 || statusCode >= 300) return piped(answer, asking)
  await answered(asking, { answer, parts, offered, outcomes })
}

const NONE_OFFERED: Offered = { body: null, kinds: new Set(), withheld: [] }

type Parts = Omit<JudgeParts, 'hold' | 'offered'>

function judgeParts({ here, api, label }: Asking, facts: RequestFacts, outcomes: Outcome[]): Parts {
  const { house, request, caller } = here
  const { gate, digester, digest, policy, ownTools, metrics } = house
  const name = api?.name ?? null
  return {
    gate,
    digester,
    digest,
    policy,
    ownTools,
    api: name,
    requester: requesterOf(caller, request.headers, { api: name, facts }),
    facts,
    approval: approvalOf(request),
    seen: (outcome) => {
      outcomes.push(outcome)
      metrics.decided(label, outcome.decision.decision, outcome.decision.would)
      if (outcome.unjudged) metrics.uninspected(label)
    },
  }
}

interface Answered {
  readonly answer: IncomingMessage
  readonly parts: Parts
  readonly offered: Offered
  readonly outcomes: readonly Outcome[]
}

async function answered(asking: Asking, { answer, parts, offered, outcomes }: Answered): Promise<void> {
  const { here, reply, api } = asking
  const stream = typeOf(answer) === 'text/event-stream'
  const patience = patienceOf(here.request.headers['user-agent'], api)
  const headers = (): Headers => headersOf(outcomes, offered)
  const hold = holdFor(asking, { patience, sign: stream ? patience.sign : SPACE, begin: () => reply.begin(headOf(answer, { headers })) })
  const judge = createJudge({ ...parts, hold, offered: offered.kinds })
  const exchange: Exchange = { reply, api, judge, instead: () => null, headers }
  const content = decoded(answer)
  if (content === null) return fault(exchange, 502, 'The model API answered in an encoding that is not known.')
  if (stream) return answerStream({ head: answer, body: content }, exchange)
  if (isText(answer)) return answerWhole({ head: answer, body: content }, exchange)
  if (api === null) return piped(answer, asking)
  await judge.unjudged({ why: 'uninspected', what: 'an answer in a form that is not known', name: null, sample: '' })
  answer.destroy()
  fault(exchange, 502, 'The model API answered in a form that cannot be looked into.')
}

interface Waiting {
  readonly patience: Patience
  readonly sign: Buffer
  readonly begin: () => void
}

function holdFor({ here, reply }: Asking, waiting: Waiting): JudgeParts['hold'] {
  const { house, section } = here
  return createHold({ queue: house.queue, reply, longest: section.hold, metrics: house.metrics, ...waiting })
}

function approvalOf({ headers }: IncomingMessage): string | null {
  const value = headers['countersign-approval'] ?? headers['x-countersign-approval']
  return typeof value === 'string' && value.length <= 4_096 ? value : null
}

/** What was decided, for clients that look. An answer that began before has none. */
function headersOf(outcomes: readonly Outcome[], { withheld }: Offered): Headers {
  const gravest = outcomes.find(({ stopped }) => stopped === 'blocked') ?? outcomes.find(({ stopped }) => stopped !== null) ?? outcomes[0]
  const id = gravest?.decision.auditEntryId ?? null
  return {
    ...(gravest === undefined ? {} : { 'x-countersign-decision': gravest.decision.decision }),
    ...(id === null ? {} : { 'x-countersign-audit-id': id }),
    ...(withheld.length === 0 ? {} : { 'x-countersign-withheld': withheld.join(', ') }),
  }
}

function typeOf({ headers }: IncomingMessage): string {
  return (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

function isText(answer: IncomingMessage): boolean {
  const type = typeOf(answer)
  return type === '' || type.startsWith('text/') || /json/.test(type)
}
