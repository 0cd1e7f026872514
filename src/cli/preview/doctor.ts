/** Whether commands can be tried out on this machine, where the policy wants that; and what would help. */
import type { Check } from '../../hosts/adapter.ts'
import type { Policy } from '../../policy/policy.ts'
import { journalsIn } from '../../preview/apply/change.ts'
import { leftBehind } from '../../preview/apply/journal.ts'
import { attributesProblem } from '../../sandbox/attributes.ts'
import { createTrials, type Trials } from '../../sandbox/overlay.ts'
import { MAX_COPIED } from '../../sandbox/stage.ts'

/** Nothing where the policy has no `preview` section: then no command is tried out. */
export async function previewChecks(
  policy: Policy | null,
  trials: Pick<Trials, 'problem' | 'copying'> = createTrials(),
): Promise<readonly Check[]> {
  const section = policy?.preview ?? null
  if (section === null) return []
  const problem = await trials.problem()
  if (problem === null) {
    const copying = await trials.copying(process.cwd())
    const unread = attributesProblem()
    if (copying === null && unread !== null)
      return [{ name: 'preview', state: 'warn', detail: `commands are tried out, but never applied exactly as they were seen: ${unread}` }]
    if (copying === null) return [{ name: 'preview', state: 'ok', detail: 'commands are tried out in a sandbox over copies' }]
    const fix = 'Put the workspace on a file system of the disk (not on an overlay over another one), with Linux 5.11 or later'
    return [
      {
        name: 'preview',
        state: 'warn',
        detail: `commands are tried out in directories of up to ${MAX_COPIED} files alone: ${copying}. ${fix}`,
      },
    ]
  }
  const counts = section.onUnsupported === null ? 'people are asked without one' : `such calls count as ${section.onUnsupported}`
  return [{ name: 'preview', state: 'warn', detail: `commands cannot be tried out (${counts}): ${problem}` }]
}

/** What another process left half made, and this one cannot take back: nothing more is applied before that is put right. */
export function applyChecks(home: string): readonly Check[] {
  return leftBehind(journalsIn(home)).refused.map((detail) => ({ name: 'apply', state: 'warn', detail }))
}
