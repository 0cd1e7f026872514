/**
 * The person at the client is asked there, where the policy lets calls of this risk be answered by whoever drives the client: by a
 * request of ours in a session, by a result that needs input where the protocol is stateless. An answer counts as any other: the
 * queue says whether it does.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { StoredApproval } from '../../approvals/store.ts'
import { canonicalJson } from '../../core/canonical.ts'
import type { Decision } from '../../core/decision.ts'
import { isJsonObject, type JsonObject, own } from '../../core/json.ts'
import { visibleText } from '../../facts/resources/text/visible.ts'
import type { Policy } from '../../policy/policy.ts'
import { ELICITING } from '../../policy/proxies/mcp.ts'
import { type CallSide, callText } from './call.ts'
import { encode, type Request } from './message.ts'
import type { ClientFacts, TrafficParts } from './shared.ts'

/** True where the policy and the client let the person there be asked about a call of this risk. */
export function canElicit(policy: Policy | null, { risk }: Decision, { capabilities }: ClientFacts): boolean {
  if (policy === null || risk.level === 'critical') return false
  const declared = own(capabilities, 'elicitation')
  // Without a form it can only open addresses.
  const forms = isJsonObject(declared) && (Object.keys(declared).length === 0 || isJsonObject(own(declared, 'form')))
  return forms && ELICITING.indexOf(policy.mcpProxy.elicit) >= ELICITING.indexOf(risk.level)
}

/** UTF-16 units of the arguments up to which a person can look at all of them in a client. */
const MAX_SHOWN = 2_000

/** The question; null where the whole call cannot be shown: then nobody can agree to it there (T24). */
export function elicitationFor({ sheet }: StoredApproval, redact: TrafficParts['redact']): JsonObject | null {
  const call = own(sheet, 'call')
  const args = isJsonObject(call) ? own(call, 'args') : undefined
  if (!isJsonObject(call) || args === undefined) return null
  const shown = JSON.stringify(redact(args))
  if (shown.length > MAX_SHOWN) return null
  const [server, tool, reason] = [own(call, 'server'), own(sheet, 'tool'), own(sheet, 'reason')]
  const name = typeof server === 'string' ? `${server}/${String(tool)}` : String(tool)
  const why = typeof reason === 'string' ? `\n${visibleText(reason)}` : ''
  return {
    mode: 'form',
    message: `Countersign asks: let \`${visibleText(name)}\` run once?${why}\nArguments: ${visibleText(shown)}`,
    requestedSchema: {
      type: 'object',
      properties: { approve: { type: 'boolean', title: 'Let it run, once' } },
      required: ['approve'],
    },
  }
}

/** A yes, a no, or neither: what is malformed and what was closed without an answer is never a yes. */
export function answerIn(said: unknown): 'approve' | 'deny' | null {
  const { action, content } = (typeof said === 'object' && said !== null ? said : {}) as {
    readonly action?: unknown
    readonly content?: unknown
  }
  if (action === 'decline') return 'deny'
  if (action !== 'accept' || typeof content !== 'object' || content === null) return null
  const approve = Object.hasOwn(content, 'approve') ? (content as { readonly approve: unknown }).approve : null
  return approve === true ? 'approve' : approve === false ? 'deny' : null
}

export function answererOf({ principal: { user } }: Pick<CallSide, 'principal'>): string {
  return user === null ? 'human:client' : user.includes(':') ? user : `human:${user}`
}

/** Of this process: a state of another one is none of ours. */
const SECRET = randomBytes(32)
const PREFIX = 'countersign.'
const KEY = 'countersign_approval'
const LIFE_MS = 3_600_000

/** A result that asks the client for an answer; it sends the same call again with it. */
export function inputRequired(
  request: Request,
  asked: { readonly approval: string; readonly question: JsonObject; readonly side: CallSide },
): Uint8Array {
  const until = Date.now() + LIFE_MS
  const signed = `${asked.approval}.${until}`
  const requestState = `${PREFIX}${signed}.${mac(signed, request, asked.side)}`
  const inputRequests = { [KEY]: { method: 'elicitation/create', params: asked.question } }
  return encode({ jsonrpc: '2.0', id: request.id, result: { resultType: 'input_required', inputRequests, requestState } })
}

export type Input =
  /** The request carries no state of ours. */
  | { readonly kind: 'none' }
  /** The state is not ours, is not for this call, or is over. */
  | { readonly kind: 'forged' }
  /** `request`: as it was before we asked. */
  | { readonly kind: 'answer'; readonly approval: string; readonly verdict: 'approve' | 'deny' | null; readonly request: Request }

export function readInput(request: Request, side: CallSide): Input {
  const state = own(request.params, 'requestState')
  if (typeof state !== 'string' || !state.startsWith(PREFIX)) return { kind: 'none' }
  const [approval = '', until = '', given = '', ...rest] = state.slice(PREFIX.length).split('.')
  const expected = mac(`${approval}.${until}`, request, side)
  const held = given.length === expected.length && timingSafeEqual(Buffer.from(given), Buffer.from(expected))
  if (rest.length > 0 || !held || Number(until) < Date.now()) return { kind: 'forged' }
  const { requestState: _state, inputResponses, ...params } = request.params
  const said = isJsonObject(inputResponses) ? own(inputResponses, KEY) : undefined
  const value: JsonObject = { ...request.value, params }
  return { kind: 'answer', approval, verdict: answerIn(said), request: { ...request, params, value, bytes: encode(value) } }
}

function mac(signed: string, request: Request, { principal, session, server }: CallSide): string {
  const { agent, role, user, tenant } = principal
  const about = canonicalJson(['countersign/mcp-input/v1', signed, callText(request), server, session, [agent, role, user, tenant]])
  return createHmac('sha256', SECRET).update(about).digest('hex')
}
