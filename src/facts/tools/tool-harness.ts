import type { ToolCall, ToolDefinition } from '../../core/call.ts'
import type { JsonObject } from '../../core/json.ts'
import { createFixedView, type World } from '../../view/fixed.ts'
import { analyse } from '../analyse.ts'
import { type Effect, resolvedName } from '../effect.ts'
import type { Facts } from '../facts.ts'

/** For tests of tools: a call analysed whole in a described world, effects as one line each. */

const WORLD: World = { home: '/home/me', user: 'me', cwd: '/repo' }

export interface Called {
  readonly server?: string
  readonly definition?: ToolDefinition
  readonly world?: Partial<World>
}

export function factsOf(tool: string, args: JsonObject, { server, definition, world }: Called = {}): Facts {
  const view = createFixedView({ ...WORLD, ...world })
  const call: ToolCall = {
    tool: { server: server ?? null, name: tool, definition: null },
    args,
    principal: { agent: null, role: null, user: null, tenant: null, chain: [] },
    session: null,
    cwd: WORLD.cwd ?? null,
    context: { task: null, recent: [] },
    definition: definition ?? null,
    approval: null,
    callId: null,
  }
  return analyse(call, view, { state: { written: new Map() }, canaryTokens: [], maxCommandBytes: 65_536 })
}

/** `likely delete mail:delete resource m-1 !`: certainty where it is not certain, `!` where it cannot be undone. */
export function lineOf({ certainty, verb, action, target, reversible, attributes }: Effect): string {
  const injection = Object.hasOwn(attributes, 'injection') ? `<${String(attributes.injection)}>` : null
  const words = [
    certainty === 'certain' ? null : certainty,
    verb,
    action,
    target.kind,
    target.kind === 'path' || target.kind === 'host' ? resolvedName(target) : target.value,
    injection,
    reversible ? null : '!',
  ]
  return words.filter((word) => word !== null && word !== '').join(' ')
}

export function linesOf(tool: string, args: JsonObject, called: Called = {}): readonly string[] {
  return factsOf(tool, args, called).effects.map(lineOf)
}
