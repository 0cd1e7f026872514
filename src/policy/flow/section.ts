/** The flow of data: from how much doubt on people are asked, and who is believed for what. */
import { isScalar } from 'yaml'
import { readDate } from '../contracts/dates.ts'
import { described, type Field, type Located, listOf, located, oneOf, text, wrongType } from '../reading/fields.ts'
import { record } from '../reading/record.ts'
import { type CompileContext, section } from '../section.ts'
import { toolPatternOf } from '../sections/written.ts'
import type { DeclassifyPolicy, FlowSection } from './model.ts'

/** What a call is doubted by its targets alone, or by nobody having asked for it. docs/evaluation.md shows what other points cost. */
export const ASK_AT = 2.4

/** Points of doubt, or a word. */
export function pointsOr<const W extends string>(...words: readonly W[]): Field<number | W> {
  const field: Field<number | W> = {
    expects: `a number from 0 to 20, or ${words.map((word) => `\`${word}\``).join(' or ')}`,
    schema: { anyOf: [{ type: 'number', minimum: 0, maximum: 20 }, ...words.map((word) => ({ const: word }))] },
    read: (node, reader, key) => {
      const value: unknown = isScalar(node) ? node.value : null
      if (typeof value === 'number' && value >= 0 && value <= 20) return value
      return words.find((word) => word === value) ?? wrongType(field, node, { reader, key })
    },
  }
  return field
}

const source = record(
  {
    tools: described(listOf(located(text)), 'Tools by name or pattern, `server/name` included.'),
    fields: described(listOf(text), 'Fields of their results, by name or by their whole way (`order.iban`); default every field.'),
    trust: described(oneOf(['trusted', 'untrusted']), 'Whether a value of theirs may name whom or what a call touches.'),
  },
  { required: ['tools', 'trust'] },
)

const release = record(
  {
    from: described(listOf(located(text)), 'Tools whose results hold the values, by exact name; `server/name` included.'),
    fields: described(listOf(text), 'Fields of these results, by name or by their whole way; default every field.'),
    into: described(listOf(located(text)), 'Tools that may be called with the values.'),
    arguments: described(listOf(text), 'Arguments of these tools; default every argument.'),
    until: described(located(text), 'When it ends (ISO 8601). A bare date ends at its beginning, in UTC. Default never.'),
    reason: described(text, 'Why, for whoever reads the policy.'),
  },
  { required: ['from', 'into', 'reason'] },
)

type RawRelease = NonNullable<ReturnType<(typeof release)['read']>>

function releaseOf(
  { from = [], fields, into = [], arguments: args, until }: RawRelease,
  at: number,
  context: CompileContext,
): DeclassifyPolicy {
  const patterns = (tools: readonly Located<string>[]) => tools.flatMap((tool) => toolPatternOf(tool, context) ?? [])
  return {
    id: `declassify[${at}]`,
    from: patterns(from),
    fields: fields === undefined ? null : new Set(fields.map((field) => field.toLowerCase())),
    into: patterns(into),
    arguments: args === undefined ? null : new Set(args),
    until: until === undefined ? null : endOf(until, context),
  }
}

/** One that cannot be read is an error; one that is over is told. */
function endOf({ value, at }: Located<string>, { reader, warn, options }: CompileContext): number {
  const end = readDate(value)
  if (end === undefined) {
    reader.fail({ code: 'policy.wrong_value', message: `\`${value}\` is no date`, help: 'write it as `2027-01-31T18:00:00Z`', at })
    return 0
  }
  if (options.asOf !== undefined && end <= options.asOf) warn('lint.declassify_ended', `this declassification ended at ${value}`, at)
  return end
}

export const flow = section({
  fields: () => ({
    flow: described(
      record({
        ask_at: described(pointsOr('never'), `Points of doubt from which people are asked; default ${ASK_AT}. \`never\`: nobody is.`),
      }),
      'Calls that touch what the user did not speak of, once text came in that somebody else may have written.',
    ),
    declassify: described(listOf(release), 'Values of a source that may go into arguments of tools, although the user did not name them.'),
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
        declassify: (values.declassify ?? []).map((each, at) => releaseOf(each, at, context)),
      },
    }
  },
})
