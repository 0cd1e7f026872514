/** What the agent is told of a denial, and how often it may come back with the same before the session ends (T53). */

import { DISCLOSURES, type DisclosureSection } from '../policy.ts'
import { described, located, oneOf, whole } from '../reading/fields.ts'
import { record } from '../reading/record.ts'
import { section } from '../section.ts'

const REPEATS = 5

export const disclosure = section({
  fields: () => ({
    disclosure: described(
      record({
        to_agent: described(
          located(oneOf(DISCLOSURES)),
          '`coarse` (default): that it was denied and a safe next step; `reason`: also why, without what matched; `full`: as in the log.',
        ),
        repeats_before_halt: described(
          whole(0, 1_000),
          'Denials of one effect on one target, in whatever form, that end the session; twice as many for one reason. 0: never. Default 5.',
        ),
      }),
      'What an agent learns from denials, and when it has tried often enough.',
    ),
  }),
  compile: (values, { warn }): { disclosure: DisclosureSection } => {
    const level = values.disclosure?.to_agent
    if (level?.value === 'full') warn('lint.disclosure', 'the agent is told what matched, so it can try until nothing does', level.at)
    return { disclosure: { toAgent: level?.value ?? 'coarse', repeatsBeforeHalt: values.disclosure?.repeats_before_halt ?? REPEATS } }
  },
})
