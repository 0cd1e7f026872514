/**
 * People who are asked inside of the host program (Promptise's handlers): a function, a queue that another part of the
 * program works off, an elicitation of the client. A handler carries an answer; whether it counts is not its to say.
 */
import type { Code } from '../core/codes.ts'
import type { Json, JsonObject } from '../core/json.ts'

/** One call that waits, as people are shown it: redacted. */
export interface HandlerRequest {
  /** Id of the approval. */
  readonly requestId: string
  /** Keyed digest of the call that is asked about. */
  readonly digest: string
  readonly toolName: string
  readonly server: string | null
  readonly arguments: Json
  readonly agentId: string | null
  readonly callerUserId: string | null
  readonly tenant: string | null
  readonly session: string | null
  readonly code: string | null
  readonly reason: string
  readonly effects: Json
  /** May never approve it: who asked. */
  readonly excluded: readonly string[]
  /** Milliseconds since the epoch. */
  readonly createdAt: number
  /** When nobody need answer any more. */
  readonly answerBy: number
}

export interface HandlerAnswer {
  /** Nothing but `true` is a yes, and nothing but `false` a no. */
  readonly approved: boolean
  /** Who says so; `alice` and `human:alice` are one person. */
  readonly by: string
  readonly comment?: string
}

/** Asks a person, and carries the answer; whether it counts is for the gate to say. */
export interface ApprovalHandler {
  /** Rejects where there is no answer: that is no denial by a person, and counts as none (PRO-27). `signal`: nobody waits any more. */
  readonly requestApproval: (request: HandlerRequest, context: { readonly signal: AbortSignal }) => Promise<HandlerAnswer>
}

/** Why an answer or a request is not taken. */
export class HandlerRefusal extends Error {
  override readonly name: string = 'HandlerRefusal'
  readonly code: Code

  constructor(code: Code, message: string) {
    super(message)
    this.code = code
  }
}

/** Nobody waits for an answer of this id: it never was, or it is over. */
export class UnknownRequest extends HandlerRefusal {
  override readonly name = 'UnknownRequest'

  constructor(requestId: string) {
    super('approval.unknown', `no request \`${requestId}\` waits for an answer`)
  }
}

type CallbackResult = boolean | (Omit<HandlerAnswer, 'by'> & { readonly by?: string })

/** Asks a function: it answers with a bool, or with an answer that names who gave it. */
export class CallbackHandler implements ApprovalHandler {
  readonly #ask: (request: HandlerRequest, context: { readonly signal: AbortSignal }) => CallbackResult | Promise<CallbackResult>
  readonly #by: string

  /** `by`: whose answers these are, where an answer does not say. */
  constructor(
    ask: (request: HandlerRequest, context: { readonly signal: AbortSignal }) => CallbackResult | Promise<CallbackResult>,
    { by = 'callback' }: { readonly by?: string } = {},
  ) {
    if (typeof ask !== 'function') throw new TypeError('a callback handler needs a function that it asks')
    this.#ask = ask
    this.#by = by
  }

  async requestApproval(request: HandlerRequest, context: { readonly signal: AbortSignal }): Promise<HandlerAnswer> {
    const said: unknown = await this.#ask(request, context)
    return checkedAnswer(typeof said === 'boolean' ? { approved: said } : said, this.#by)
  }
}

/** An answer of exactly this form; @throws {HandlerRefusal} for everything else, such as the text `false` (PRO-W2). */
export function checkedAnswer(said: unknown, by: string): HandlerAnswer {
  if (typeof said !== 'object' || said === null || Array.isArray(said))
    throw new HandlerRefusal('approval.malformed', 'the answer is neither a bool nor an object')
  const fields = new Map<string, unknown>(Object.entries(said))
  if (fields.has('modifiedArguments') || fields.has('modified_arguments'))
    throw new HandlerRefusal('approval.modified', 'an answer cannot change the arguments: deny it, and have the call made as it should be')
  const [approved, comment, who] = [fields.get('approved'), fields.get('comment') ?? '', fields.get('by') ?? by]
  if (typeof approved !== 'boolean') throw new HandlerRefusal('approval.malformed', '`approved` is neither `true` nor `false`')
  if (typeof comment !== 'string' || typeof who !== 'string' || who === '')
    throw new HandlerRefusal('approval.malformed', '`by` and `comment` are texts')
  return { approved, by: who.includes(':') ? who : `human:${who}`, comment }
}

export interface QueueOptions {
  /** Requests that may wait at the same time; default 100. One more is refused. */
  readonly maxPending?: number
  /** Of one agent, or of one user where no agent is named; default 10. */
  readonly perClient?: number
  /** Of one tenant; default as many as `maxPending`. */
  readonly perTenant?: number
}

interface Pending {
  readonly request: HandlerRequest
  readonly settle: (answer: HandlerAnswer) => void
}

/** Requests wait here until some other part of the program takes and answers them. Lost with the program: approvals are not. */
export class QueueHandler implements ApprovalHandler {
  readonly #pending = new Map<string, Pending>()
  readonly #fresh: HandlerRequest[] = []
  readonly #takers: ((request: HandlerRequest) => void)[] = []
  readonly #limits: Required<QueueOptions>

  constructor({ maxPending = 100, perClient = 10, perTenant = maxPending }: QueueOptions = {}) {
    for (const limit of [maxPending, perClient, perTenant])
      if (!Number.isInteger(limit) || limit < 1) throw new RangeError(`\`${limit}\` is no whole number from 1`)
    this.#limits = { maxPending, perClient, perTenant }
  }

  /** Requests that wait for an answer, taken or not. */
  get size(): number {
    return this.#pending.size
  }

  /** Those that wait, oldest first. */
  list(): readonly HandlerRequest[] {
    return [...this.#pending.values()].map(({ request }) => request)
  }

  requestApproval(request: HandlerRequest, { signal }: { readonly signal: AbortSignal }): Promise<HandlerAnswer> {
    const full = this.#full(request)
    if (full !== null) return Promise.reject(new HandlerRefusal('approval.too_many', full))
    return new Promise((resolve, reject) => {
      const gone = (): void => {
        this.#drop(request.requestId)
        reject(new HandlerRefusal('timeout.approval', 'nobody answered in time'))
      }
      const settle = (answer: HandlerAnswer): void => {
        signal.removeEventListener('abort', gone)
        this.#drop(request.requestId)
        resolve(answer)
      }
      if (signal.aborted) return gone()
      signal.addEventListener('abort', gone, { once: true })
      this.#pending.set(request.requestId, { request, settle })
      const taker = this.#takers.shift()
      if (taker === undefined) this.#fresh.push(request)
      else taker(request)
    })
  }

  /** The next request that nobody took yet; waits until there is one. Rejects when `signal` ends the waiting. */
  get({ signal }: { readonly signal?: AbortSignal } = {}): Promise<HandlerRequest> {
    const next = this.#fresh.shift()
    if (next !== undefined) return Promise.resolve(next)
    return new Promise((resolve, reject) => {
      const taker = (request: HandlerRequest): void => {
        signal?.removeEventListener('abort', stop)
        resolve(request)
      }
      const stop = (): void => {
        const place = this.#takers.indexOf(taker)
        if (place !== -1) this.#takers.splice(place, 1)
        reject(signal?.reason)
      }
      if (signal?.aborted === true) return stop()
      signal?.addEventListener('abort', stop, { once: true })
      this.#takers.push(taker)
    })
  }

  /**
   * Answers a request. @throws {UnknownRequest} where none of this id waits, {HandlerRefusal} where the answer is malformed,
   * changes the arguments, or is the yes of who asked: then the request waits on.
   */
  submit(requestId: string, answer: HandlerAnswer | (HandlerAnswer & JsonObject)): void {
    const pending = this.#pending.get(requestId)
    if (pending === undefined) throw new UnknownRequest(requestId)
    if (typeof answer?.by !== 'string' || answer.by === '')
      throw new HandlerRefusal('approval.malformed', 'the answer has to say who gives it: `by`')
    const checked = checkedAnswer(answer, '')
    if (checked.approved && pending.request.excluded.includes(checked.by))
      throw new HandlerRefusal('approval.requester', `\`${checked.by}\` asked for this call and cannot approve it`)
    pending.settle(checked)
  }

  #full({ requestId, tenant, agentId, callerUserId }: HandlerRequest): string | null {
    const { maxPending, perClient, perTenant } = this.#limits
    const others = this.list()
    if (others.some((each) => each.requestId === requestId)) return `\`${requestId}\` waits already`
    if (others.length >= maxPending) return `${others.length} requests wait already`
    const mates = others.filter((each) => each.tenant === tenant)
    if (mates.length >= perTenant) return `${mates.length} requests of the tenant wait already`
    const own = mates.filter((each) => each.agentId === agentId && (agentId !== null || each.callerUserId === callerUserId))
    return own.length >= perClient ? `${own.length} requests of this client wait already` : null
  }

  #drop(requestId: string): void {
    this.#pending.delete(requestId)
    const place = this.#fresh.findIndex((each) => each.requestId === requestId)
    if (place !== -1) this.#fresh.splice(place, 1)
  }
}

/** What a client answers to an elicitation (MCP). */
export interface Elicited {
  readonly action: 'accept' | 'decline' | 'cancel'
  readonly content?: unknown
}

export interface Elicitation {
  readonly message: string
  readonly requestedSchema: JsonObject
}

/**
 * Asks the person at the client. `accept` with `approve: true` is a yes, `decline` or `approve: false` a no; anything else,
 * and silence, is no answer, and never a yes.
 */
export class ElicitationHandler implements ApprovalHandler {
  readonly #elicit: (elicitation: Elicitation, context: { readonly signal: AbortSignal }) => Promise<Elicited>

  constructor(elicit: (elicitation: Elicitation, context: { readonly signal: AbortSignal }) => Promise<Elicited>) {
    this.#elicit = elicit
  }

  async requestApproval(request: HandlerRequest, context: { readonly signal: AbortSignal }): Promise<HandlerAnswer> {
    const { toolName, reason, callerUserId } = request
    const message = `Let \`${toolName}\` run with ${JSON.stringify(request.arguments)}? ${reason}`
    const requestedSchema = {
      type: 'object',
      properties: { approve: { type: 'boolean', title: 'Let it run, once' } },
      required: ['approve'],
    }
    const { action, content }: Elicited = await this.#elicit({ message, requestedSchema }, context)
    const by = callerUserId === null ? 'human:client' : `human:${callerUserId}`
    if (action === 'decline') return { approved: false, by }
    if (action !== 'accept' || typeof content !== 'object' || content === null)
      throw new HandlerRefusal('approval.malformed', 'the client gave no answer')
    return checkedAnswer({ approved: new Map<string, unknown>(Object.entries(content)).get('approve') }, by)
  }
}
