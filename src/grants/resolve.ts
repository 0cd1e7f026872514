/** Answers an open ask with a grant that covers the very effect it is about. Pure. */
import type { Effect } from '../core/effect.ts'
import type { Finding } from '../core/finding.ts'
import type { JsonObject } from '../core/json.ts'
import { type Act, actsOf, type Doing } from './acts.ts'
import { allocate } from './allocate.ts'
import type { Asking, HeldGrant } from './grant.ts'

export interface GrantAnswer {
  readonly ids: readonly string[]
  readonly uses: readonly { readonly grant: string; readonly effect: number }[]
}

export interface Answering {
  readonly facts: Doing
  readonly args: JsonObject
  readonly grants: (effects: readonly Effect[]) => readonly HeldGrant[]
  readonly asking: Asking
}

/** Null where the finding is not about gated effects, or one of them is not covered. */
export function answerByGrant({ evidence }: Finding, { facts, args, grants, asking }: Answering): GrantAnswer | null {
  const { action, target } = evidence
  if (typeof action !== 'string') return null
  const acts = new Map<number, Act>()
  for (const [index, act] of actsOf(facts, args).entries()) {
    const effect = facts.effects[index]
    if (effect?.action === action && effect.target.value === target) acts.set(act.index, act)
  }
  const wanted = [...acts.values()]
  const held = grants(wanted.map(({ effect }) => effect))
  const uses = allocate(wanted, held, asking).map(({ effect, grant }) => ({ grant: grant?.id ?? null, effect }))
  const covered = uses.filter((use): use is { grant: string; effect: number } => use.grant !== null)
  if (uses.length === 0 || covered.length < uses.length) return null
  return { ids: [...new Set(covered.map((use) => use.grant))], uses: covered }
}
