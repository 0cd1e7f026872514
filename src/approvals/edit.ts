/**
 * Arguments that a person changes: what of them is a change, and the call that comes of it, which is decided again from the
 * start. The tool is no argument, so nothing here can change it (PIT-6, PRO-28).
 */
import { redactJson } from '../audit/redact.ts'
import type { Principal, ToolCall, ToolDefinition } from '../core/call.ts'
import { canonicalJson } from '../core/canonical.ts'
import type { Decision } from '../core/decision.ts'
import { isJsonObject, type Json, type JsonObject, own } from '../core/json.ts'
import type { Preview } from '../core/preview.ts'
import { runs } from '../core/verdict.ts'
import type { Facts } from '../facts/facts.ts'
import { withMasksAs, withoutMasks } from '../facts/resources/secret/mask.ts'
import type { Ways } from '../undo/compensator.ts'
import type { Refusal } from './machine.ts'
import type { StoredApproval } from './store.ts'

/** What was decided of a call that nobody is asked about and nobody records. */
export interface Considered {
  readonly decision: Decision
  /** Null where it could not be analysed. */
  readonly facts: Facts | null
  readonly preview: Preview | null
  /** As in what is shown. */
  readonly keeps: Ways | null
}

/** Longest text of all changed arguments, in UTF-16 code units. */
const LONGEST = 256 * 1024

/** Null: nothing is other than shown. */
export type Changes = { readonly changes: JsonObject | null } | { readonly refused: Refusal }

/**
 * Those top-level arguments that are other than shown, with those changed before; null where nothing is. A secret that was
 * taken out and comes back as it is shown is unchanged; one that stands inside of a change would run as its mask.
 */
export function changesTo(approval: StoredApproval, given: JsonObject): Changes {
  const shown = argsIn(approval.sheet)
  const changed: Record<string, Json> = Object.create(null)
  for (const [name, value] of Object.entries(given)) {
    const before = own(shown, name)
    if (before !== undefined && canonicalJson(before) === canonicalJson(value)) continue
    if (hasMask(value)) return masked(`\`${name}\` holds what stands for a secret: write all of it, or leave it as it is shown`)
    changed[name] = value
  }
  if (Object.keys(changed).length === 0) return { changes: null }
  if (redactJson(changed).erased.length > 0) return masked('a changed argument holds a secret, and it would be kept in the clear')
  const all = { ...approval.edit?.args, ...changed }
  const { length } = canonicalJson(all)
  if (length <= LONGEST) return { changes: all }
  return {
    refused: {
      code: 'approval.modified_denied',
      message: `the changed arguments have ${length} characters, and at most ${LONGEST} are kept`,
    },
  }
}

function masked(message: string): Changes {
  return { refused: { code: 'approval.redacted', message } }
}

/** The call as it is shown, its secrets taken out, with these arguments changed. */
export function changedCall(approval: StoredApproval, changes: JsonObject): ToolCall {
  const { binding, edit, sheet } = approval
  const shown = edit?.before ?? sheet
  const call = isJsonObject(shown.call) ? shown.call : {}
  const definition = own(call, 'definition')
  return {
    tool: { server: textOf(own(call, 'server')), name: textOf(own(call, 'tool')) ?? '', definition: binding.definition },
    args: { ...argsIn(shown), ...changes },
    principal: principalIn(binding.principal),
    session: binding.session,
    cwd: binding.cwd,
    context: { task: null, recent: [] },
    definition: isJsonObject(definition) ? definitionIn(definition) : null,
    approval: null,
    callId: null,
  }
}

/** The same call for the analysis: a secret that was taken out is one word, as the secret itself would be. */
export function readable(call: ToolCall): ToolCall {
  return { ...call, args: JSON.parse(withMasksAs(JSON.stringify(call.args), 'redacted')) as JsonObject }
}

/** Why the changed call cannot be approved at all; null where a person may say yes to it. */
export function objectionToChange({ decision }: Considered, approval: StoredApproval): Refusal | null {
  const invalid = decision.findings.find(({ code }) => code === 'contract.schema')
  if (invalid !== undefined) return { code: 'approval.modified_denied', message: `the changed arguments are not valid: ${invalid.message}` }
  if (!runs(decision.would) && decision.would !== 'ask')
    return { code: 'approval.modified_denied', message: `the changed call is denied: ${decision.reason} (${decision.code})` }
  if (decision.policyDigest === approval.binding.policy) return null
  return { code: 'approval.stale', message: 'the policy changed since this was asked; let the agent ask again' }
}

/** What `principalText` wrote. */
export function principalIn(text: string): Principal {
  const value = JSON.parse(text) as Json
  const [agent = null, role = null, user = null, tenant = null, chain = []] = Array.isArray(value) ? (value as readonly Json[]) : []
  const links = Array.isArray(chain) ? chain.filter((link): link is string => typeof link === 'string') : []
  return { agent: textOf(agent), role: textOf(role), user: textOf(user), tenant: textOf(tenant), chain: links }
}

function argsIn({ call }: JsonObject): JsonObject {
  const args = isJsonObject(call) ? own(call, 'args') : null
  return isJsonObject(args) ? args : {}
}

function hasMask(value: Json): boolean {
  const text = JSON.stringify(value)
  return withoutMasks(text) !== text
}

function definitionIn(value: JsonObject): ToolDefinition {
  const object = (key: string): JsonObject | null => {
    const held = own(value, key)
    return isJsonObject(held) ? held : null
  }
  const origin = textOf(own(value, 'origin'))
  return {
    description: textOf(own(value, 'description')),
    inputSchema: object('input_schema'),
    annotations: object('annotations'),
    ...(origin === null ? {} : { origin }),
  }
}

function textOf(value: Json | undefined): string | null {
  return typeof value === 'string' ? value : null
}
