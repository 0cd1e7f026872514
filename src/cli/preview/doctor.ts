/** Whether commands can be tried out on this machine, where the policy wants that; and what would help. */
import type { Check } from '../../hosts/adapter.ts'
import type { Policy } from '../../policy/policy.ts'
import { journalsIn } from '../../preview/apply/change.ts'
import { leftBehind } from '../../preview/apply/journal.ts'
import { attributesProblem, perlHere } from '../../sandbox/attributes.ts'
import { createTrials, type Trials } from '../../sandbox/overlay.ts'
import { unwatchedBecause, withRemedy } from '../../sandbox/remedy.ts'
import { MAX_COPIED } from '../../sandbox/stage.ts'

type DoctorTrials = Pick<Trials, 'problem' | 'copying' | 'watches'>

/** Nothing where the policy has no `preview` section: then no command is tried out. */
export async function previewChecks(policy: Policy | null, trials: DoctorTrials = createTrials()): Promise<readonly Check[]> {
  const section = policy?.preview ?? null
  if (section === null) return []
  const problem = await trials.problem()
  if (problem === null) return [await standing(trials)]
  const counts = section.onUnsupported === null ? 'people are asked without one' : `such calls count as ${section.onUnsupported}`
  return [{ name: 'preview', state: 'warn', detail: `commands cannot be tried out (${counts}): ${problem}` }]
}

/** Where commands are tried out: what of a preview this machine cannot give. */
async function standing(trials: DoctorTrials): Promise<Check> {
  const warn = (detail: string): Check => ({ name: 'preview', state: 'warn', detail })
  const copying = await trials.copying(process.cwd())
  if (copying !== null) return warn(`commands are tried out in directories of up to ${MAX_COPIED} files alone: ${withRemedy(copying)}`)
  const unread = attributesProblem()
  if (unread !== null) return warn(`commands are tried out, but never applied exactly as they were seen: ${unread}`)
  if (!(await trials.watches())) return warn(`commands are tried out, but ${unwatchedBecause(perlHere())}`)
  return { name: 'preview', state: 'ok', detail: 'commands are tried out in a sandbox over copies' }
}

/** What another process left half made, and this one cannot take back: nothing more is applied before that is put right. */
export function applyChecks(home: string): readonly Check[] {
  return leftBehind(journalsIn(home)).refused.map((detail) => ({ name: 'apply', state: 'warn', detail }))
}
