/** What the flow of data says of a call: the roles of its arguments, where each came from, and how doubtful the call is. Pure. */
import { readTask, type Task } from '../authorization/task.ts'
import type { ToolCall } from '../core/call.ts'
import type { Effect } from '../core/effect.ts'
import type { Facts, FlowFact } from '../facts/facts.ts'
import { argumentsOf, type RoleOverrides } from '../facts/tools/roles/of-call.ts'
import type { ArgumentOf } from '../facts/tools/roles/role.ts'
import type { HashKey } from '../provenance/keyed-hash.ts'
import type { SessionMemory } from '../session/memory/memory.ts'
import { HANDED_ON } from '../session/memory/names.ts'
import { actOf } from './acts.ts'
import { authorizationOf, graphOf } from './authorized.ts'
import { doubtOf } from './doubt.ts'
import type { Known } from './origin.ts'
import { type DeclassifyRule, type SourceTrust, tookInUntrusted } from './trust.ts'

export interface FlowContext {
  readonly memory: SessionMemory
  readonly key: HashKey
  readonly roles: RoleOverrides
  readonly trust: readonly SourceTrust[]
  readonly rules?: readonly DeclassifyRule[]
  readonly now?: number
  /** A tool of the host itself, which works on the user's own machine. */
  readonly hostTool: boolean
}

/** Only what somebody vouches for is the user's word. */
export function taskOf({ context }: Pick<ToolCall, 'context'>): Task {
  return readTask(context.vouched === true ? context.task : null)
}

/** Null where the call touches nothing but what is its own: there is nothing to ask. */
export function flowOf(call: ToolCall, facts: Facts, context: FlowContext): FlowFact | null {
  const act = context.hostTool ? outwardAct(facts.effects) : actOf(call.tool.name, facts.effects, Object.keys(call.args).length > 0)
  if (act === null) return null
  const task = taskOf(call)
  const known: Known = { ...context, task }
  const args = context.hostTool ? aimedAt(facts.effects) : argumentsOf(call, context.roles).list
  const sensitive = isSensitive(facts.effects)
  const doubt = doubtOf({ tool: call.tool, act, args, sensitive }, known)
  return {
    act,
    match: doubt.match,
    doubt: tookInUntrusted(context.trust, context.memory.untrusted.keys()) ? doubt.points : 0,
    because: doubt.because,
    arguments: doubt.traced.map(({ argument: { pointer, name, role, text }, origin, source, hidden, by }) => {
      return { pointer, name, role, text, origin, source, hidden, ...(by === undefined ? {} : { by }) }
    }),
    // Where another agent set the task, it is known that no user did.
    taskUnknown: task.empty && !context.memory.untrusted.has(HANDED_ON),
    authorization: authorizationOf({ call, doubt, sensitive }, known),
    graph: graphOf(call, known)?.by ?? null,
  }
}

const OUTWARD = { send: 'send', publish: 'post', pay: 'pay' } as const

/** A coding agent writes and runs what it likes in its workspace: only what leaves it counts. */
function outwardAct(effects: readonly Effect[]): 'send' | 'post' | 'pay' | null {
  for (const { verb } of effects) if (verb === 'send' || verb === 'publish' || verb === 'pay') return OUTWARD[verb]
  return null
}

/** Whom the effects of a command reach: its words are read as what they do. */
function aimedAt(effects: readonly Effect[]): readonly ArgumentOf[] {
  return effects
    .filter(({ verb, target }) => verb in OUTWARD && AIMS.has(target.kind) && target.value !== '')
    .map(({ target, span }) => ({
      role: 'target',
      sort: 'place',
      by: 'value',
      name: 'target',
      pointer: span?.pointer ?? '',
      text: target.value,
    }))
}

const AIMS: ReadonlySet<string> = new Set(['url', 'host', 'address', 'account', 'repository'])

/** It decides who is let in from now on. */
function isSensitive(effects: readonly Effect[]): boolean {
  return effects.some(({ verb, action, target }) => {
    return action === 'account:security' || (verb !== 'read' && verb !== 'fetch' && target.classes.includes('credential'))
  })
}
