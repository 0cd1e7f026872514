/** What no judge may settle: a call that cannot be undone or not be told in full, whatever it scores. */
import type { Effect, PathClass } from '../core/effect.ts'
import type { ResolveContext } from '../gate.ts'
import type { JudgePolicy } from '../policy/judges.ts'

/** Whatever `permits` says, a statistical model alone never accepts what cannot be undone or fully told. */
export function mayNotSettle(judge: JudgePolicy, context: ResolveContext): boolean {
  return (judge.permits === 'reversible' || isAdviser(judge)) && cannotBeUndone(context)
}

/** It advises people and denies nothing by itself: what it rejects is a question. */
export function isAdviser({ provider }: JudgePolicy): boolean {
  return provider === 'embedded'
}

export function cannotBeUndone({ call, facts, policy }: ResolveContext): boolean {
  const names = [call.tool, ...(call.alsoNamed ?? [])].flatMap(({ server, name }) =>
    server === null ? [name] : [`${server}/${name}`, name],
  )
  const hard = names.some((each) => {
    const tool = policy.registry.tools.get(each)
    return tool !== undefined && (tool.irreversible || tool.riskTier === 'critical')
  })
  return hard || facts.coverage !== 'full' || facts.effects.some((effect) => !effect.reversible || isGrave(effect))
}

/** What was read can be told, and what runs later has run: that a file can be restored takes neither back. */
const GRAVE: ReadonlySet<PathClass> = new Set<PathClass>([
  'credential',
  'personal',
  'other-user',
  'history',
  'gate',
  'agent-settings',
  'agent-instructions',
  'shell-startup',
  'scheduled',
  'ci',
  'boot',
  'device',
])

function isGrave({ verb, target }: Effect): boolean {
  return verb === 'persist' || target.scope === 'metadata' || target.classes.some((each) => GRAVE.has(each))
}
