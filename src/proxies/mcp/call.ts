/** A `tools/call` as the gate knows calls. */
import type { Principal, ToolCall, ToolDefinition } from '../../core/call.ts'
import { canonicalJson } from '../../core/canonical.ts'
import type { Digester } from '../../core/digest.ts'
import { type JsonObject, own } from '../../core/json.ts'
import { definitionToJson } from '../../core/wire.ts'
import { callFromJson } from '../../ingress/call.ts'
import { cameIn } from '../large.ts'
import { metaOf } from './answers.ts'
import { inexactBelow, type Request } from './message.ts'

/** Who calls, where, and whose tool it is: all of it from the operator's side, nothing from the server's. */
export interface CallSide {
  /** By which the policy knows the server. */
  readonly server: string
  readonly principal: Principal
  readonly session: string
  readonly cwd: string | null
}

export type ReadCall =
  | { readonly ok: true; readonly call: ToolCall }
  | { readonly ok: false; readonly code: 'ingress.wrong_type' | 'ingress.bad_name' | 'ingress.unsafe_number'; readonly message: string }

export interface CallParts {
  readonly side: CallSide
  /** What the server says of the tool. */
  readonly definition: ToolDefinition
  readonly digester: Digester
  /** Where the client tells none. */
  readonly callId: string
}

/** Reads the call behind a request. */
export function toolCallOf(request: Request, { side, definition, digester, callId }: CallParts): ReadCall {
  const { params } = request
  const inexact = inexactBelow(request.inexact, '/params/arguments') ?? inexactBelow(request.inexact, '/params/name')
  if (inexact !== null) return { ok: false, code: 'ingress.unsafe_number', message: inexact.message }
  const { agent, role, user, tenant, chain } = side.principal
  const given: JsonObject = {
    tool: own(params, 'name') ?? null,
    server: side.server,
    args: own(params, 'arguments') ?? EMPTY,
    principal: { agent, role, user, tenant, chain },
    session: side.session,
    cwd: side.cwd,
    definition: definitionToJson(definition),
    call_id: hostCallId(params) ?? callId,
  }
  const read = callFromJson(given, { digester })
  if (read.ok) {
    if (read.call.args === own(params, 'arguments')) cameIn(read.call.args, request.bytes)
    return read
  }
  const { code, message } = read.refusal
  return { ok: false, code: code === 'ingress.bad_name' ? code : 'ingress.wrong_type', message }
}

const EMPTY: JsonObject = Object.freeze(Object.create(null))

/** The id that the agent itself gave the call, where its client passes it on: Claude Code and Codex do. */
function hostCallId(params: JsonObject): string | null {
  const meta = metaOf(params)
  const id = own(meta, 'claudecode/toolUseId') ?? own(meta, 'callId')
  return typeof id === 'string' && /^[\x21-\x7e]{1,256}$/.test(id) ? id : null
}

/** The request with other arguments, everything else as it was. */
export function withArguments(request: Request, args: JsonObject): JsonObject {
  return { ...request.value, params: { ...request.params, arguments: args } }
}

/** The tool and arguments of a call as one text, to tell the same call from another. */
export function callText({ params }: Request): string {
  return canonicalJson([own(params, 'name') ?? null, own(params, 'arguments') ?? null])
}
