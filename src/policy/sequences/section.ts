/** Rules over time and flow: what calls of a session add up to. */
import { RESOLVERS, type ResolverKind } from '../../core/finding.ts'
import { ENFORCEMENTS } from '../../core/verdict.ts'
import { lintNamed } from '../lint/names.ts'
import { lintToolName } from '../lint/tools.ts'
import { described, type Located, listOf, located, oneOf, text } from '../reading/fields.ts'
import { rangeInFile } from '../reading/offsets.ts'
import { record } from '../reading/record.ts'
import type { Range } from '../reading/source.ts'
import { type CompileContext, section } from '../section.ts'
import { toolPatternOf } from '../sections/written.ts'
import { BUILTIN_SEQUENCES } from './builtin.ts'
import { examplesField, runSequenceExamples } from './examples.ts'
import type { SequenceRule } from './model.ts'
import { builtin, compileWhen, working } from './rule.ts'
import type { Temporal } from './terms.ts'

const rule = record(
  {
    id: described(located(text), 'Name of the rule in findings; default its place, such as `sequences[0]`.'),
    tool: described(located(text), 'Pattern on the tool name or `server/name` of the call that is judged; default every tool.'),
    when: described(
      located(text),
      'A CEL condition with `formerly`, `previous`, `since`, `within`, `count`, `sum`, `distinct`, `flows_from`, `sends` and `holds`.',
    ),
    reason: described(text, 'For the operator: why.'),
    enforcement: described(oneOf(ENFORCEMENTS), '`advisory` flags, `soft` asks (default), `hard` denies.'),
    resolvers: described(listOf(oneOf(RESOLVERS)), 'Who may answer the ask; default a human.'),
    advice: described(text, 'For the agent: a safe next step that names no pattern.'),
    examples: examplesField,
  },
  { required: ['when'] },
)

const LEVELS = ['off', ...ENFORCEMENTS] as const
const levels = record(
  Object.fromEntries(
    BUILTIN_SEQUENCES.map(({ id, enforcement, reason }) => [id, described(oneOf(LEVELS), `Default \`${enforcement}\`: ${reason}.`)]),
  ),
)

type Values = NonNullable<ReturnType<(typeof rule)['read']>>

const MAX_RULES = 50
const HUMAN: readonly ResolverKind[] = ['human']

export const sequences = section({
  fields: () => ({
    sequences: described(listOf(located(rule)), 'What calls of a session add up to: rules over time and over the flow of data.'),
    builtin_sequences: described(levels, 'Levels of the rules over time and flow that hold by default.'),
  }),
  compile: (values, context): { sequences: readonly SequenceRule[] } => {
    const written = values.sequences ?? []
    const most = written[MAX_RULES]
    if (most !== undefined)
      context.reader.fail({
        code: 'policy.sequence',
        message: `more than ${MAX_RULES} rules over time`,
        help: 'join some of them',
        at: most.at,
      })
    const ids = new Set<string>()
    const own = written.flatMap((each, index) => compileRule(each, { index, ids, context }) ?? [])
    return { sequences: [...own, ...builtins(values.builtin_sequences ?? {}, context)] }
  },
})

/** Those that are not off. The digest function of the policy names what they look for. */
function builtins(
  set: Readonly<Record<string, (typeof LEVELS)[number] | undefined>>,
  { options }: CompileContext,
): readonly SequenceRule[] {
  return BUILTIN_SEQUENCES.flatMap((rule) => {
    const level = set[rule.id] ?? rule.enforcement
    return level === 'off' ? [] : [builtin(rule, level, (text) => options.sha256(`\n${text}`).slice(0, 12))]
  })
}

interface Place {
  readonly index: number
  readonly ids: Set<string>
  readonly context: CompileContext
}

function compileRule({ value, at }: Located<Values>, place: Place): SequenceRule | undefined {
  const { context } = place
  const id = idOf(value, at, place)
  const tool = value.tool === undefined ? null : toolPatternOf(value.tool, context, { strict: false })
  const compiled = value.when === undefined ? undefined : compile(value.when, { context, toolName: value.tool?.value ?? null })
  if (compiled === undefined || (value.tool !== undefined && tool === null)) return undefined
  const { temporal, ids } = compiled
  const made = working({ id, place: context.reader.source.place(at.start), tool, ...settings(value) }, temporal, ids)
  if (value.tool !== undefined) lintToolName(value.tool, context)
  if (temporal.terms.length === 0 && value.when !== undefined) {
    context.warn('lint.sequence_plain', `\`${id}\` looks at one call alone: it may as well be one of \`rules\``, value.when.at)
  }
  if (value.examples !== undefined) {
    runSequenceExamples(value.examples, { rule: made, readsFacts: temporal.checked.some(({ readsFacts }) => readsFacts), context })
  }
  return made
}

function idOf({ id: written }: Values, at: Range, { index, ids, context }: Place): string {
  const id = written?.value ?? `sequences[${index}]`
  if (ids.has(id)) {
    const message = `two rules are called \`${id}\``
    context.reader.fail({ code: 'policy.duplicate_rule', message, help: 'rename one of them', at: written?.at ?? at })
  }
  ids.add(id)
  return id
}

function settings({ when, reason = '', enforcement = 'soft', resolvers = HUMAN, advice }: Values) {
  return { when: when?.value ?? '', reason, enforcement, resolvers, advice: advice ?? null }
}

interface Written {
  readonly context: CompileContext
  readonly toolName: string | null
}

interface Compiled {
  readonly temporal: Temporal
  readonly ids: ReadonlyMap<string, string>
}

function compile(when: Located<string>, { context, toolName }: Written): Compiled | undefined {
  const { reader, options, registry } = context
  const schema = toolName === null ? null : (registry?.tools.get(toolName)?.inputSchema ?? null)
  const scope = schema === null ? '' : toolName
  const { result, ids } = compileWhen(when.value, (text) => options.sha256(`${scope}\n${text}`).slice(0, 12))
  if (!result.ok) {
    for (const { code, message, help, at } of result.faults)
      reader.fail({ code, message, help, at: rangeInFile(reader.source.text, when, at) })
    return undefined
  }
  const { temporal } = result
  if (temporal.expression.type !== 'bool' && temporal.expression.type !== 'dyn') {
    const message = `a condition is true or false, but this is ${temporal.expression.type}`
    reader.fail({ code: 'policy.condition_type', message, help: 'compare it with something', at: when.at })
    return undefined
  }
  for (const checked of temporal.checked) lintNamed(checked.named, () => when.at, context)
  return { temporal, ids }
}
