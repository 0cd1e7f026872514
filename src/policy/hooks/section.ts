/** How long agents' hooks may take to answer. */

import { described, located, text } from '../reading/fields.ts'
import { record } from '../reading/record.ts'
import { section } from '../section.ts'
import { durationOf } from '../sections/written.ts'
import type { HooksSection } from './model.ts'

const SECOND = 1_000
/** No hook waits longer for one answer, whichever agent calls it. */
const MAX_DEADLINE_MS = 20 * SECOND

export const hooks = section({
  fields: () => ({
    hooks: described(
      record({
        deadline: described(
          located(text),
          'Time within which a call that a hook asks about is decided, such as `5s`, at most `20s`; then it is denied (`timeout.gate`). Default, ' +
            'and never more than: 60 % of what the agent waits, both tries of the hook together.',
        ),
      }),
      'Hooks of agents.',
    ),
  }),
  compile: (values, context): { hooks: HooksSection } => ({
    hooks: {
      deadlineMs:
        values.hooks?.deadline === undefined
          ? null
          : durationOf(values.hooks.deadline, { otherwise: MAX_DEADLINE_MS, most: MAX_DEADLINE_MS, context }),
    },
  }),
})
