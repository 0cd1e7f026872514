/**
 * A tool is what it was (T11, FUL-W5): the definition that comes with a call is held to the pinned one. A name that looks like
 * that of a tool known before is another tool.
 */
import type { ToolIdentity } from '../../core/call.ts'
import type { Finding } from '../../core/finding.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Verdict } from '../../core/verdict.ts'
import { definitionToJson } from '../../core/wire.ts'
import type { DefinitionsSection } from '../../policy/policy.ts'
import { definitionChanges, type Pin } from '../../session/pin.ts'
import { finding } from '../finding.ts'
import type { LayerInput } from '../layer.ts'

/** What the definition of the call is held to. */
export type Held =
  /** It is the pinned one. */
  | { readonly state: 'pinned' }
  /** Nothing is pinned, or the host sent no definition and the policy pins none. */
  | { readonly state: 'unknown' }
  /** Another one is pinned; `pin` is null where the policy itself pins it. */
  | { readonly state: 'changed'; readonly pin: Pin | null; readonly digest: string | null }

/** How the call's definition stands to its pin: of the policy, else of the store. */
export function heldTo({ call, policy, state }: LayerInput): Held {
  const { tool } = call
  const { pins, except } = policy.guards.definitions
  const written = pins.get(nameOf(tool))
  if (written !== undefined) return tool.definition === written ? { state: 'pinned' } : { state: 'changed', pin: null, digest: written }
  if (tool.definition === null || (tool.server !== null && except.has(tool.server))) return { state: 'unknown' }
  const { pinned } = state.pin()
  if (pinned === null) return { state: 'unknown' }
  return pinned.digest === tool.definition ? { state: 'pinned' } : { state: 'changed', pin: pinned, digest: pinned.digest }
}

/** True where the policy itself pins the definition of the call's tool. */
export function pinsTool({ call, policy }: LayerInput): boolean {
  return policy.guards.definitions.pins.has(nameOf(call.tool))
}

/** Rules of this file, for whoever must know that a definition was not taken as it is. */
export const DEFINITION_RULES: ReadonlySet<string> = new Set(['definition', 'lookalike'])

export function definitionFindings(input: LayerInput): readonly Finding[] {
  const { call, policy, state } = input
  const { onChange, firstUse, except } = policy.guards.definitions
  const held = heldTo(input)
  if (held.state === 'changed') return [changed(input, held, onChange)]
  if (held.state === 'pinned' || call.tool.definition === null || (call.tool.server !== null && except.has(call.tool.server))) return []
  const { lookalike } = state.pin()
  if (lookalike !== null) return [confused(call.tool, lookalike)]
  return firstUse === 'trust' ? [] : [unpinned(call.tool, firstUse)]
}

function changed({ call }: LayerInput, { pin, digest }: Extract<Held, { state: 'changed' }>, verdict: DefinitionsSection['onChange']) {
  const { tool, definition } = call
  const since = pin === null ? 'the policy pins' : `${pin.by === null ? 'was first seen' : 'was accepted'} on ${day(pin.at)}:`
  const now = definition === null ? null : definitionToJson(definition)
  const changes = definitionChanges(pin?.definition ?? null, now)
  const what = tool.definition === null ? 'the host says nothing of its definition' : `its definition is now ${tool.definition}`
  const before = pin !== null && digest === null ? 'what was pinned cannot be verified' : `${since} ${digest}`
  const way = pin === null ? 'change `guards.definitions.pins`' : `look at it and run \`countersign pins accept\``
  const list = changes.length === 0 ? '' : ` (${changes.join(', ')})`
  const message = `\`${nameOf(tool)}\` is not what it was: ${what}, ${before}${list}; ${way}`
  return raised(verdict, {
    rule: 'definition',
    code: 'integrity.definition_changed',
    message,
    evidence: { ...seen(tool), pinned: digest, changes },
  })
}

function unpinned(tool: ToolIdentity, verdict: 'ask' | 'deny'): Finding {
  const message = `the definition of \`${nameOf(tool)}\`, ${tool.definition}, is not pinned; \`countersign pins accept\` pins it`
  return raised(verdict, { rule: 'definition', code: 'integrity.definition_unpinned', message, evidence: seen(tool) })
}

function confused(tool: ToolIdentity, lookalike: string): Finding {
  const message = `\`${nameOf(tool)}\` can be taken for \`${lookalike}\`, which was known before; \`countersign pins accept\` tells them apart`
  return raised('deny', { rule: 'lookalike', code: 'integrity.lookalike_tool', message, evidence: { ...seen(tool), lookalike } })
}

type Said = Pick<Finding, 'rule' | 'code' | 'message' | 'evidence'>

function raised(verdict: Verdict, said: Said): Finding {
  return finding({ layer: 'integrity', verdict, resolvers: ['human'], ...said })
}

function seen({ server, name, definition }: ToolIdentity): JsonObject {
  return { server, tool: name, definition }
}

function nameOf({ server, name }: ToolIdentity): string {
  return server === null ? name : `${server}/${name}`
}

function day(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}
