/** Signet's registry: tools with risk tiers, the ceilings, and what a tool gets that is not registered. */
import { isScalar } from 'yaml'
import { TARGET_KINDS, VERBS } from '../../core/effect.ts'
import { canonicalToolName, spellingsOf, toolIdentity } from '../../core/tool-name.ts'
import { rolesFrom, WRITTEN_ROLES } from '../../facts/tools/roles/written.ts'
import { prepareSchema } from '../contracts/schema.ts'
import { lintRegistered } from '../lint/tools.ts'
import { type DeclaredEffect, type RegistrySection, RISK_TIERS, type RiskTier, type ToolPolicy } from '../policy.ts'
import { described, type Field, flag, type Located, listOf, located, mapOf, oneOf, rangeOf, text } from '../reading/fields.ts'
import { jsonObject } from '../reading/json-field.ts'
import { suggestion } from '../reading/nearest.ts'
import { record } from '../reading/record.ts'
import { type CompileContext, section } from '../section.ts'

/** A tier by name (trimmed, any case) or by its ordinal, low 0 to critical 3 (SIG-13). */
const tier: Field<RiskTier> = {
  expects: 'one of `low`, `medium`, `high`, `critical`, or 0 to 3',
  schema: { enum: [...RISK_TIERS, 0, 1, 2, 3] },
  read: (node, reader, key) => {
    const value: unknown = isScalar(node) ? node.value : null
    const name = typeof value === 'string' ? value.trim().toLowerCase() : null
    const found = typeof value === 'number' ? RISK_TIERS[value] : RISK_TIERS.find((each) => each === name)
    if (found !== undefined) return found
    const shown = value === null || typeof value === 'object' ? 'this' : `\`${String(value)}\``
    const help =
      typeof value === 'string' ? suggestion(value.trim(), RISK_TIERS) : 'valid here: `low`, `medium`, `high`, `critical`, or 0 to 3'
    return reader.fail({ code: 'policy.wrong_value', message: `${shown} is no risk tier`, help, at: rangeOf(node, key) })
  },
}

const declared = record({
  verb: described(oneOf(VERBS.filter((verb) => verb !== 'opaque')), 'What it does.'),
  action: described(text, '`family:operation`, such as `crm:purge`; rules and hazards know an effect by it.'),
  kind: described(oneOf(TARGET_KINDS), 'What it is done to; default `resource`.'),
  from: described(listOf(text), 'Arguments that name the target: the first one given, and for paths and addresses each.'),
  value: described(text, 'The target where no argument names it; default the tool.'),
  reversible: described(flag, 'False where it cannot be taken back.'),
})

const tool = record({
  risk_tier: described(tier, 'How much harm a call may do; default `low`.'),
  irreversible: described(flag, 'True where a call cannot be undone; default false.'),
  dryrun_supported: described(flag, 'True where the tool can say what it would do; default false.'),
  input_schema: described(located(jsonObject), 'JSON Schema of the arguments; conditions are typed against it.'),
  arguments: described(
    mapOf(oneOf(WRITTEN_ROLES)),
    'What arguments are for, by name (`edits.*.path`): it wins over what the schema and the name say.',
  ),
  effects: described(listOf(located(declared)), 'What the tool does, beside what the analysis finds. It raises and never lowers.'),
})

const limits = record({
  max_allowed_tier: described(tier, 'Tools above this tier are denied; default `high`.'),
  allow_critical: described(flag, 'Critical tools need this and a `max_allowed_tier` of `critical`; default false.'),
  escalation_threshold: described(tier, 'Irreversible tools from this tier on are asked for; default `high`.'),
})

export const registry = section({
  fields: (vocabulary) => ({
    unregistered: described(oneOf(['deny', 'ask', 'allow']), 'What a tool gets that is not registered; default `deny`.'),
    tool_families: described(listOf(located(oneOf(vocabulary.families))), 'Families of known tools that count as registered.'),
    tools: described(
      mapOf(located(tool)),
      'Registered tools by exact name, or `server/name`, which may also be written `mcp__server__name`.',
    ),
    registry: described(limits, 'The ceilings of the registry.'),
  }),
  compile: (values, context): { registry: RegistrySection } => {
    const tools = new Map<string, ToolPolicy>()
    for (const [written, each] of values.tools ?? []) {
      const name = canonicalToolName(written)
      if (tools.has(name)) {
        const other = spellingsOf(toolIdentity(null, name)).find((each) => each !== written) ?? name
        const message = `\`${written}\` and \`${other}\` are the same tool`
        context.reader.fail({ code: 'policy.duplicate_key', message, help: 'keep one of them', at: each.at })
      }
      tools.set(name, toolPolicy(name, each, context))
    }
    lintCeiling(values.tools ?? new Map(), values.registry, context)
    const families = new Set((values.tool_families ?? []).map((family) => family.value))
    for (const [value, { at }] of values.tools ?? []) lintRegistered({ value, at }, families, context)
    return {
      registry: {
        tools,
        families,
        maxAllowedTier: values.registry?.max_allowed_tier ?? 'high',
        allowCritical: values.registry?.allow_critical ?? false,
        escalationThreshold: values.registry?.escalation_threshold ?? 'high',
        unregistered: values.unregistered ?? 'deny',
      },
    }
  },
})

/** A critical tool that the policy does not say it wants held back: who registers one so mostly means that somebody is asked. */
function lintCeiling(tools: ReadonlyMap<string, Located<ToolValues>>, ceilings: Ceilings | undefined, { warn }: CompileContext): void {
  const { allow_critical: allowed, max_allowed_tier: most } = ceilings ?? {}
  if (allowed === true && most === 'critical') return
  const meant = most === 'critical' ? false : allowed === false || (most !== undefined && allowed === undefined)
  if (meant) return
  for (const [name, { value, at }] of tools) {
    if (value.risk_tier !== 'critical') continue
    const lacks = [
      ...(allowed === true ? [] : ['`allow_critical: true`']),
      ...(most === 'critical' ? [] : ['`max_allowed_tier: critical`']),
    ]
    warn('lint.tool_ceiling', `\`${name}\` is \`critical\`, so every call of it is denied: that tier needs ${lacks.join(' and ')}`, at)
  }
}

type Ceilings = NonNullable<ReturnType<(typeof limits)['read']>>
type ToolValues = NonNullable<ReturnType<(typeof tool)['read']>>

function toolPolicy(name: string, { value }: Located<ToolValues>, context: CompileContext): ToolPolicy {
  const schema = value.input_schema
  if (schema !== undefined && prepareSchema(schema.value, { closed: false }) === null) {
    const help = 'it refers to what is not in it, is malformed, or could take too long to check: simplify it'
    context.reader.fail({ code: 'policy.input_schema', message: `the input schema of \`${name}\` cannot be used`, help, at: schema.at })
  }
  return {
    riskTier: value.risk_tier ?? 'low',
    irreversible: value.irreversible ?? false,
    dryrunSupported: value.dryrun_supported ?? false,
    inputSchema: schema?.value ?? null,
    roles: rolesFrom(value.arguments),
    effects: (value.effects ?? []).flatMap((effect) => declaredEffect(name, effect, context)),
  }
}

type EffectValues = NonNullable<ToolValues['effects']>[number]

function declaredEffect(tool: string, { value, at }: EffectValues, { reader }: CompileContext): readonly DeclaredEffect[] {
  const { verb, action, kind, from, reversible } = value
  if (verb === undefined) {
    reader.fail({ code: 'policy.missing_field', message: 'an effect needs a `verb`', help: 'such as `verb: delete`', at })
    return []
  }
  return [
    {
      verb,
      value: value.value ?? tool,
      ...(action === undefined ? {} : { action }),
      ...(kind === undefined ? {} : { kind }),
      ...(from === undefined ? {} : { from }),
      ...(reversible === undefined ? {} : { reversible }),
    },
  ]
}
