/** A request whose answer may propose calls: its tools are judged before it is sent on, its calls before they leave. */
import type { IncomingMessage } from 'node:http'
import { isJsonObject } from '../../core/json.ts'
import { NotInspected } from '../../open-results.ts'
import type { Judge, RequestFacts } from './api.ts'
import { requesterOf } from './callers.ts'
import { type Patience, patienceOf } from './clients.ts'
import { type Answer, answerStream, answerWhole, type Exchange, fault, headOf, type Instead } from './exchange.ts'
import { piped, sent } from './forward.ts'
import { createHold } from './holding.ts'
import { fingerprintOf, plainBody } from './incoming.ts'
import { type Located, locate } from './json.ts'
import { callOf, createJudge, type JudgeParts, judgeCall, type Outcome, settled } from './judge.ts'
import { answerOf, Keeper, type KeptAnswer } from './kept.ts'
import { type Offered, offering } from './offered.ts'
import type { Withheld } from './responses/withheld.ts'
import { shadowHeaders, strictAnswer } from './strict.ts'
import { decoded, type Headers } from './upstream.ts'
import type { Asking, Visit } from './visit.ts'

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
  const asks = api !== null && here.body.length > 0
  const located = asks ? readBody(here) : null
  const facts = asks ? located && api.request(located, here.destination.path) : NOTHING_ASKED
  if (facts === null) return fault({ reply, api, headers: () => ({}) }, 400, UNREADABLE)
  const outcomes: Outcome[] = []
  const asked = judgeParts(asking, facts, outcomes)
  const parts: Parts = { ...asked, told: tellResults(asking, facts, asked) }
  const offered = located === null ? fetchedAgain(asking) : await offering({ located, facts, parts, known: here.house.offered })
  // What was said of tools is no decision about a call of this answer.
  outcomes.length = 0
  const kept = keptFor(here)
  if (kept !== null) return answered(asking, { answer: answerOf(kept), parts, offered, outcomes })
  const head = await sent(asking, bodyFor(asking, located, offered))
  if (head === null) return
  const { statusCode = 502 } = head
  if (statusCode < 200 || statusCode >= 300) return piped(head, asking)
  if (facts.conversation != null) await here.house.withheld.answered(facts.conversation)
  const body = decoded(head)
  if (body === null) return fault({ reply, api, headers: () => ({}) }, 502, 'The model API answered in an encoding that is not known.')
  if (api === null && !isLegible(head)) return piped(head, asking)
  await answered(asking, { answer: { head, body }, parts, offered, outcomes })
}

/** An answer that waited for people: it is decided anew, instead of one that the model would give now. */
function keptFor({ house, request, body }: Visit): KeptAnswer | null {
  if (!house.strict()) return null
  const key = fingerprintOf(request, body)
  const kept = house.kept.get(key)
  // It is kept again where it still waits.
  house.kept.delete(key)
  return kept === undefined || kept.until <= Date.now() ? null : kept
}

function readBody({ request, body }: Visit): Located | null {
  const plain = plainBody(body, request.headers['content-encoding'])
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
  return { body: null, kinds: here.house.answers.get(answerKey(here, id))?.kinds ?? new Set(), withheld: [] }
}

/** What is remembered of an answer is for whoever asked for it. */
function answerKey({ caller }: Visit, id: string): string {
  return JSON.stringify([caller.owner, id])
}

/** Tells the session what its calls returned, while the model works: nothing is judged before that is known. Never rejects. */
async function tellResults({ here }: Asking, { results }: RequestFacts, parts: Parts): Promise<void> {
  const { house } = here
  for (const { server, name, args, result, id } of results) {
    const key = JSON.stringify([parts.requester.session, parts.requester.principal, id])
    if (house.results.get(key) === true || !isJsonObject(args)) continue
    house.results.set(key, true)
    try {
      await house.result(callOf({ ...parts, approval: null }, { server, name, form: 'json', input: '' }, args), result)
    } catch (error) {
      // It goes on to the model: its host had it already.
      if (error instanceof NotInspected) house.uninspected(here, 'result', true)
      house.note(`a result could not be kept: ${String(error)}`)
    }
  }
}

type Parts = Omit<JudgeParts, 'hold' | 'offered' | 'withheld'>

function judgeParts({ here, api, label }: Asking, facts: RequestFacts, outcomes: Outcome[]): Parts {
  const { house, request, caller } = here
  const { gate, digester, digest, policy, ownTools, metrics } = house
  const name = api?.name ?? null
  const requester = requesterOf(caller, request.headers, { api: name, facts })
  const before = facts.session === null && facts.previous != null ? house.answers.get(answerKey(here, facts.previous)) : undefined
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
  readonly answer: Answer
  readonly parts: Parts
  readonly offered: Offered
  readonly outcomes: readonly Outcome[]
}

async function answered(asking: Asking, { answer, parts, offered, outcomes }: Answered): Promise<void> {
  const { here, reply, api } = asking
  const stream = typeOf(answer.head) === 'text/event-stream'
  const patience = patienceOf(here.request.headers['user-agent'], api)
  const headers = (): Headers => ({ ...headersOf(outcomes, offered), ...strictHeaders(asking, answer, outcomes) })
  const hold = holdFor(asking, {
    patience,
    sign: stream ? patience.sign : SPACE,
    begin: () => reply.begin(headOf(answer.head, { headers })),
  })
  const made = createJudge({ ...parts, hold, offered: offered.kinds, withheld: (calls) => keepWithheld(calls, { here, parts, offered }) })
  const judge = here.request.method === 'POST' ? made : remembering(made, asking)
  const keeper = new Keeper(answer)
  const instead = async (): Promise<Instead | null> => {
    const stands = here.house.strict() ? strictAnswer(outcomes, here.house.strictOptions()) : null
    // Before it is told: whoever hears of it may send the request again at once.
    if (stands !== null) await keepPending(here, keeper, outcomes)
    return stands
  }
  const exchange: Exchange = { reply, api, judge, instead, headers }
  if (!stream && !isLegible(answer.head)) {
    await judge.unjudged({ why: 'uninspected', what: 'an answer in a form that is not known', name: null, sample: '' })
    answer.body.destroy()
    return fault(exchange, 502, 'The model API answered in a form that cannot be looked into.')
  }
  const read = here.house.strict() ? keeper.reading : answer
  await (stream ? answerStream(read, exchange) : answerWhole(read, exchange))
}

/** Strict callers do not wait: their answer does. */
async function keepPending({ house, request, body }: Visit, keeper: Keeper, outcomes: readonly Outcome[]): Promise<void> {
  const key = fingerprintOf(request, body)
  const pending = outcomes.some(({ stopped }) => stopped === 'blocked') ? undefined : outcomes.find(({ stopped }) => stopped === 'pending')
  const until = Date.parse(pending?.decision.approval?.expiresAt ?? '')
  const kept = Number.isNaN(until) ? null : await keeper.rest(until)
  if (kept !== null) house.kept.set(key, kept)
}

/** Signet's, for callers that know them. An answer that began before has none of those about decisions. */
function strictHeaders({ here }: Asking, { head }: Answer, outcomes: readonly Outcome[]): Headers {
  const { house, destination } = here
  const asked = here.request.headers['x-countersign-receipt'] === 'true'
  const receipts = house.strict() || asked ? outcomes.flatMap(({ decision }) => house.receipt(decision) ?? []) : []
  const signed: Headers = receipts.length === 0 ? {} : { 'x-signet-receipt': receipts.slice(0, MAX_RECEIPTS) }
  if (!house.strict()) return signed
  return {
    ...signed,
    ...shadowHeaders(outcomes, house.strictOptions()),
    'x-signet-upstream': new URL(destination.upstream.url).host,
    'x-signet-upstream-status': String(head.statusCode ?? 502),
  }
}

const MAX_RECEIPTS = 16
const SIGN_EVERY_MS = 10_000

interface Keeping {
  readonly here: Visit
  readonly parts: Parts
  readonly offered: Offered
}

async function keepWithheld(calls: Withheld, { here, parts, offered }: Keeping): Promise<void> {
  here.house.answers.set(answerKey(here, calls.response), { session: parts.requester.session, kinds: offered.kinds })
  try {
    await here.house.withheld.keep(calls)
  } catch (error) {
    here.house.note(`what was withheld could not be kept: ${String(error)}`)
  }
}

/** Who fetches an answer again is told the same of it: a yes that was used once is not asked for anew. */
function remembering(judge: Judge, { here }: Asking): Judge {
  const { rulings } = here.house
  const { destination, caller } = here
  const what = [destination.upstream.url, destination.path.split('?', 1)[0], caller.owner, caller.principal]
  return {
    ...judge,
    begin: async (proposal) => {
      const key = JSON.stringify([...what, proposal])
      const known = rulings.get(key)
      if (known !== undefined) return settled(known)
      const ruling = await judgeCall(judge, proposal)
      if (ruling.kind !== 'block') rulings.set(key, ruling)
      return settled(ruling)
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
  const longest = house.strict() ? 0 : section.hold
  return createHold({ queue: house.queue, reply, longest, every: house.signEveryMs ?? SIGN_EVERY_MS, metrics: house.metrics, ...waiting })
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

function typeOf({ headers }: Answer['head']): string {
  return (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

function isLegible(head: Answer['head']): boolean {
  const type = typeOf(head)
  return type === '' || type.startsWith('text/') || /json/.test(type)
}
