/** Promptise's rules: deny, ask and allow by tool, user, argument text and condition; and the read-only permit. */

import { isScalar } from 'yaml'
import { RESOLVERS, type ResolverKind } from '../../core/finding.ts'
import { canonicalToolName } from '../../core/tool-name.ts'
import { ENFORCEMENTS, type Enforcement } from '../../core/verdict.ts'
import { type Condition, compileCondition } from '../condition.ts'
import { examplesField, runExamples } from '../examples.ts'
import { compileToolPattern, type ToolPattern } from '../glob.ts'
import { made } from '../keep/recipes.ts'
import { lintNamed } from '../lint/names.ts'
import { lintToolName } from '../lint/tools.ts'
import type { CompiledRule, RegistrySection, RuleFilters, RuleInput, RulesSection } from '../policy.ts'
import { described, either, flag, type Located, listOf, located, oneOf, text } from '../reading/fields.ts'
import { rangeInFile } from '../reading/offsets.ts'
import { record } from '../reading/record.ts'
import { type IndexedRule, indexRules } from '../rule-index.ts'
import { type CompileContext, section } from '../section.ts'

/** Promptise's read-only prefixes, for `prefixes: default`. */
export const DEFAULT_PREFIXES: readonly string[] =
  'get_ list_ read_ search_ find_ fetch_ describe_ show_ view_ lookup_ query_ head_ stat_ exists_ count_'.split(' ')

const rule = record({
  id: described(located(text), 'Name of the rule in findings; default its place, such as `deny[0]`.'),
  tool: described(located(text), 'Pattern on the tool name or `server/name`: `*`, `?`, `[a-z]`; default every tool.'),
  user: described(text, 'Exact user of the principal.'),
  role: described(text, 'Exact role of the principal.'),
  argument_contains: described(text, 'Part of the JSON of the arguments (sorted keys, spaced or compact).'),
  when: described(located(text), 'A CEL condition.'),
  reason: described(text, 'For the operator: why.'),
  enforcement: described(located(oneOf(ENFORCEMENTS)), '`advisory` flags, `soft` asks, `hard` denies.'),
  resolvers: described(located(listOf(oneOf(RESOLVERS))), 'Who may answer the ask; default a grant or a human.'),
  advice: described(text, 'For the agent: a safe next step that names no pattern.'),
  examples: examplesField,
})

const readOnly = record({
  auto_allow: described(flag, 'Permit calls that only read; default true where this section is present.'),
  prefixes: described(
    either({
      when: (node) => isScalar(node),
      first: oneOf(['default']),
      second: listOf(text),
    }),
    'Name prefixes that are vouched for; `default` is the list of Promptise; default none.',
  ),
  destructive_words: described(listOf(text), 'Words that keep a name out; replaces the built-in list.'),
  trusted_servers: described(
    listOf(located(text)),
    'Servers whose `readOnlyHint` permits a call, where the definition of the tool is the pinned one; default none.',
  ),
})

const rulesField = record({
  order: described(oneOf(['severity', 'first-match']), '`first-match`: an allow hides denies of this section (not of any other layer).'),
  deny: described(listOf(located(rule)), 'Calls that are denied.'),
  ask: described(listOf(located(rule)), 'Calls that somebody must agree to.'),
  allow: described(listOf(located(rule)), 'Calls that are permitted unless anything speaks against them.'),
  read_only: described(readOnly, 'A permit for calls that only read.'),
})

type RuleValues = NonNullable<ReturnType<(typeof rule)['read']>>
type Kind = CompiledRule['kind']
const KINDS = ['deny', 'ask', 'allow'] as const

export const rules = section({
  fields: () => ({ rules: described(rulesField, 'Rules by tool, user, argument text and condition.') }),
  compile: (values, context): { rules: RulesSection } => {
    const ids = new Map<string, Located<RuleValues>>()
    const indexed = KINDS.flatMap((kind) =>
      (values.rules?.[kind] ?? []).flatMap((written, index) => compileRule({ kind, index, written, ids }, context) ?? []),
    )
    const reading = values.rules?.read_only
    const prefixes = reading?.prefixes ?? []
    return {
      rules: {
        order: values.rules?.order ?? 'severity',
        forTool: indexRules(indexed),
        all: indexed.map((each) => each.rule),
        readOnly: {
          autoAllow: reading !== undefined && (reading.auto_allow ?? true),
          prefixes: typeof prefixes === 'string' ? DEFAULT_PREFIXES : prefixes,
          destructiveWords: reading?.destructive_words ?? null,
          trustedServers: new Set((reading?.trusted_servers ?? []).map(({ value: server }) => server)),
        },
      },
    }
  },
})

interface Written {
  readonly kind: Kind
  readonly index: number
  readonly written: Located<RuleValues>
  readonly ids: Map<string, Located<RuleValues>>
}

function compileRule({ kind, index, written, ids }: Written, context: CompileContext): IndexedRule | undefined {
  const { value, at } = written
  const id = ownId({ kind, index, written, ids }, context)
  checkShape(kind, value, context)
  const pattern = value.tool === undefined ? null : toolPattern(value.tool, kind, context)
  const condition = value.when === undefined ? null : typedCondition(value.when, schemaFor(pattern ?? null, context.registry), context)
  if (pattern === undefined || condition === undefined) return undefined
  const filters = filtersOf(value, condition)
  const compiled: CompiledRule = {
    id,
    kind,
    index,
    filters,
    place: context.reader.source.place(at.start),
    reason: value.reason ?? '',
    enforcement: value.enforcement?.value ?? null,
    resolvers: value.resolvers?.value ?? DEFAULT_RESOLVERS,
    advice: value.advice ?? null,
    matches: matcher(filters, condition),
  }
  const result = { rule: compiled, pattern }
  if (value.examples !== undefined)
    runExamples(value.examples, { indexed: result, readsFacts: condition?.checked.readsFacts ?? false, context })
  if (value.tool !== undefined) lintToolName(value.tool, context)
  if (value.when !== undefined && condition !== null) warnOfCondition(value.when, condition, context)
  return result
}

/** The name of a rule, or its place; an error where another rule has it. */
function ownId({ kind, index, written, ids }: Written, { reader }: CompileContext): string {
  const { value, at } = written
  const id = value.id?.value ?? `${kind}[${index}]`
  if (ids.has(id))
    reader.fail({
      code: 'policy.duplicate_rule',
      message: `two rules are called \`${id}\``,
      help: 'rename one of them',
      at: value.id?.at ?? at,
    })
  ids.set(id, written)
  return id
}

function filtersOf(value: RuleValues, condition: Condition | null): RuleFilters {
  return {
    tool: value.tool === undefined ? null : canonicalToolName(value.tool.value),
    user: value.user ?? null,
    role: value.role ?? null,
    argumentContains: value.argument_contains ?? null,
    when: value.when?.value ?? null,
    always: condition?.always ?? true,
    unguarded: [...(condition?.checked.argumentFields ?? [])].flatMap(([name, guarded]) => (guarded ? [] : [name])),
  }
}

/** A judge answers only where the policy says so. */
const DEFAULT_RESOLVERS: readonly ResolverKind[] = ['grant', 'human']
const BOUND: Readonly<Record<'deny' | 'ask', Enforcement>> = { deny: 'hard', ask: 'soft' }

function checkShape(kind: Kind, value: RuleValues, { reader }: CompileContext): void {
  if (kind === 'allow' && value.enforcement !== undefined) {
    const message = 'an allow rule has no enforcement: it is not violated, it permits'
    reader.fail({ code: 'policy.rule_shape', message, help: 'take `enforcement` out', at: value.enforcement.at })
  }
  const asks = kind !== 'allow' && (value.enforcement?.value ?? BOUND[kind]) === 'soft'
  if (value.resolvers === undefined) return
  if (!asks) {
    const message = `nobody can resolve this rule, because it does not ask`
    reader.fail({
      code: 'policy.rule_shape',
      message,
      help: 'take `resolvers` out, or bind the rule at `enforcement: soft`',
      at: value.resolvers.at,
    })
  } else if (value.resolvers.value.length === 0) {
    reader.fail({ code: 'policy.rule_shape', message: 'nobody is named', help: 'name one, or deny instead', at: value.resolvers.at })
  }
}

/** Undefined after an error was reported. */
function toolPattern(tool: Located<string>, kind: Kind, { reader }: CompileContext): ToolPattern | undefined {
  try {
    return compileToolPattern(tool.value, { strict: kind === 'allow' })
  } catch (error) {
    const detail = error instanceof Error ? error.message : 'unknown reason'
    return reader.fail({ code: 'policy.pattern', message: `this pattern cannot be compiled: ${detail}`, at: tool.at })
  }
}

function schemaFor(pattern: ToolPattern | null, registry: RegistrySection | null) {
  if (pattern === null || registry === null) return null
  return registry.tools.get(pattern.text)?.inputSchema ?? null
}

function typedCondition(when: Located<string>, schema: ReturnType<typeof schemaFor>, { reader }: CompileContext): Condition | undefined {
  const result = compileCondition(when.value, schema)
  if (result.ok) return result.condition
  for (const { code, message, help, at } of result.faults)
    reader.fail({ code, message, help, at: rangeInFile(reader.source.text, when, at) })
  return undefined
}

/** All filters but the tool pattern. */
export function matcher(filters: RuleFilters, condition: Condition | null): (input: RuleInput) => boolean {
  const { user, role, argumentContains } = filters
  const holds = (input: RuleInput): boolean =>
    (user === null || input.user === user) &&
    (role === null || input.role === role) &&
    (argumentContains === null || input.argsText.includes(argumentContains)) &&
    (condition === null || condition.test(input.condition))
  return made(holds, 'rule-filters', filters, condition)
}

function warnOfCondition(when: Located<string>, condition: Condition, context: CompileContext): void {
  const { reader, warn } = context
  lintNamed(condition.checked.named, (at) => rangeInFile(reader.source.text, when, at), context)
  for (const range of condition.checked.lexicalPaths) {
    const message = 'this path is as the call names it, which may be relative or a link; `target.real` is the file itself'
    warn('lint.lexical_path', message, rangeInFile(reader.source.text, when, range))
  }
}
