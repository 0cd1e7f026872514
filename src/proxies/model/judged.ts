/** A request whose answer may propose calls: its tools are judged before it is sent on, its calls before they leave. */
import type { IncomingMessage } from 'node:http'
import type { Judge, RequestFacts } from './api.ts'
import { requesterOf } from './callers.ts'
import { type Patience, patienceOf } from './clients.ts'
import { answerStream, answerWhole, type Exchange, fault, headOf } from './exchange.ts'
import { piped, sent } from './forward.ts'
import { createHold } from './holding.ts'
import { plainBody } from './incoming.ts'
import { type Located, locate } from './json.ts'
import { createJudge, type JudgeParts, type Outcome } from './judge.ts'
import { type Offered, offering } from './offered.ts'
import type { Withheld } from './responses/withheld.ts'
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
  const located = here.body.length === 0 ? null : readBody(asking)
  const facts =
    located === null || api === null
      ? here.body.length === 0 || api === null
        ? NOTHING_ASKED
        : null
      : api.request(located, here.destination.path)
  if (facts === null) return fault({ reply, api, headers: () => ({}) }, 400, UNREADABLE)
  const outcomes: Outcome[] = []
  const parts = judgeParts(asking, facts, outcomes)
  const offered = located === null ? fetchedAgain(asking) : await offering({ located, facts, parts, known: here.house.offered })
  const answer = await sent(asking, bodyFor(asking, located, offered))
  if (answer === null) return
  const { statusCode = 502 } = answer
  if (statusCode < 200 || statusCode >= 300) return piped(answer, asking)
  if (facts.conversation != null) await here.house.withheld.answered(facts.conversation)
  await answered(asking, { answer, parts, offered, outcomes })
}

function readBody({ here, api }: Asking): Located | null {
  const plain = api === null || here.body.length === 0 ? null : plainBody(here.body, here.request.headers['content-encoding'])
  return plain === null ? null : locate(plain.toString('utf8'))
}

/** The very bytes of the request where nothing of it is changed. */
function bodyFor({ here, api }: Asking, located: Located | null, offered: Offered): Buffer {
  if (located === null || offered.body === null) return here.body
  const restricted = offered.body === located.text ? located : (locate(offered.body) ?? located)
  const text = api?.answering?.(restricted, here.house.withheld) ?? restricted.text
  return text === located.text ? here.body : Buffer.from(text)
}

/** The answer to an earlier request: what that one offered counts. */
function fetchedAgain({ here }: Asking): Offered {
  const id = /\/responses\/([^/?]+)/.exec(here.destination.path)?.[1] ?? ''
  return { body: null, kinds: here.house.answers.get(id)?.kinds ?? new Set(), withheld: [] }
}

type Parts = Omit<JudgeParts, 'hold' | 'offered' | 'withheld'>

function judgeParts({ here, api, label }: Asking, facts: RequestFacts, outcomes: Outcome[]): Parts {
  const { house, request, caller } = here
  const { gate, digester, digest, policy, ownTools, metrics } = house
  const name = api?.name ?? null
  const requester = requesterOf(caller, request.headers, { api: name, facts })
  const before = facts.session === null && facts.previous != null ? house.answers.get(facts.previous) : undefined
  return {
    gate,
    digester,
    digest,
    policy,
    ownTools,
    api: name,
    requester: before === undefined ? requester : { ...requester, session: before.session },
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
  const withheld = (calls: Withheld): Promise<void> => {
    here.house.answers.set(calls.response, { session: parts.requester.session, kinds: offered.kinds })
    return here.house.withheld
      .keep(calls)
      .catch((error: unknown) => here.house.note(`what was withheld could not be kept: ${String(error)}`))
  }
  const made = createJudge({ ...parts, hold, offered: offered.kinds, withheld })
  const judge = here.request.method === 'POST' ? made : remembering(made, asking)
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

/** Who fetches an answer again is told the same of it: a yes that was used once is not asked for anew. */
function remembering(judge: Judge, { here }: Asking): Judge {
  const { rulings } = here.house
  const what = [here.destination.upstream.url, here.destination.path.split('?', 1)[0], here.caller.owner]
  return {
    ...judge,
    call: async (proposal) => {
      const key = JSON.stringify([...what, proposal])
      const known = rulings.get(key)
      if (known !== undefined) return known
      const ruling = await judge.call(proposal)
      if (ruling.kind !== 'block') rulings.set(key, ruling)
      return ruling
    },
  }
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
