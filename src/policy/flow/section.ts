/** The flow of data: from how much doubt on people are asked, and who is believed for what. */
import { isScalar } from 'yaml'
import { described, type Field, listOf, located, oneOf, text, wrongType } from '../reading/fields.ts'
import { record } from '../reading/record.ts'
import { section } from '../section.ts'
import { toolPatternOf } from '../sections/written.ts'
import type { FlowSection } from './model.ts'

/** What a call is doubted by its targets alone, or by nobody having asked for it. docs/evaluation.md shows what other points cost. */
export const ASK_AT = 2.4

const points: Field<number | 'never'> = {
  expects: 'a number from 0 to 20, or `never`',
  schema: { anyOf: [{ type: 'number', minimum: 0, maximum: 20 }, { const: 'never' }] },
  read: (node, reader, key) => {
    const value: unknown = isScalar(node) ? node.value : null
    if (value === 'never') return value
    if (typeof value === 'number' && value >= 0 && value <= 20) return value
    return wrongType(points, node, { reader, key })
  },
}

const source = record(
  {
    tools: described(listOf(located(text)), 'Tools by name or pattern, `server/name` included.'),
    fields: described(listOf(text), 'Fields of their results, by name or by their whole way (`order.iban`); default every field.'),
    trust: described(oneOf(['trusted', 'untrusted']), 'Whether a value of theirs may name whom or what a call touches.'),
  },
  { required: ['tools', 'trust'] },
)

export const flow = section({
  fields: () => ({
    flow: described(
      record({ ask_at: described(points, `Points of doubt from which people are asked; default ${ASK_AT}. \`never\`: nobody is.`) }),
      'Calls that touch what the user did not speak of, once text came in that somebody else may have written.',
    ),
    sources: described(listOf(source), 'Who is believed for what: results of tools, field by field. The first that fits counts.'),
  }),
  compile: (values, context): { flow: FlowSection } => {
    const asked = values.flow?.ask_at ?? ASK_AT
    return {
      flow: {
        askAt: asked === 'never' ? null : asked,
        sources: (values.sources ?? []).map(({ tools = [], fields, trust = 'untrusted' }) => ({
          tools: tools.flatMap((tool) => toolPatternOf(tool, context, { strict: trust === 'trusted' }) ?? []),
          fields: fields === undefined ? null : new Set(fields.map((field) => field.toLowerCase())),
          trust,
        })),
      },
    }
  },
})
