/** What a call gets that may have happened already. It holds without a section, too. */
import { described, listOf, located, oneOf, text } from '../reading/fields.ts'
import { record } from '../reading/record.ts'
import { section } from '../section.ts'
import { durationOf, toolPatternOf } from '../sections/written.ts'
import type { OutcomeSection } from './model.ts'

const DAY = 86_400_000

const key = record(
  {
    tool: described(located(text), 'Pattern of the tools.'),
    argument: described(text, 'The argument whose value the tool acts on once only.'),
  },
  { required: ['tool', 'argument'] },
)

const fields = record({
  on_unknown: described(
    oneOf(['ask', 'deny', 'pass']),
    'What a call gets that would do again what may have happened: an equal call was allowed, and its result is not known. Default `ask`.',
  ),
  remember: described(located(text), 'How long a call without a known result is remembered, such as `24h`; default 24h, at most 30d.'),
  idempotent: described(listOf(located(text)), 'Patterns of tools that may be called again without doing more. Default: none.'),
  idempotency_keys: described(
    listOf(key),
    'Tools that do not act twice on the same value of an argument. A repetition with the same value is not asked about.',
  ),
})

export const outcome = section({
  fields: () => ({
    outcome: described(
      fields,
      'Calls that would pay, send or create a second time what may have happened already. Without this section they are asked about.',
    ),
  }),
  compile: ({ outcome: raw }, context): { outcome: OutcomeSection } => ({
    outcome: {
      onUnknown: raw?.on_unknown ?? 'ask',
      rememberMs: durationOf(raw?.remember, { otherwise: DAY, most: 30 * DAY, context }),
      idempotent: raw?.idempotent?.flatMap((tool) => toolPatternOf(tool, context, { strict: false }) ?? []) ?? [],
      keys: (raw?.idempotency_keys ?? []).flatMap(({ tool, argument }) => {
        if (tool === undefined || argument === undefined) return []
        const pattern = toolPatternOf(tool, context, { strict: false })
        return pattern === null ? [] : [{ tool: pattern, argument }]
      }),
    },
  }),
})
