/** What is legal in a policy and probably not meant. Warnings never change a decision. */
import { own } from '../core/json.ts'
import type { Enforcement } from '../core/verdict.ts'
import { coversTool, type ToolPattern } from './glob.ts'
import type { CompiledRule, Policy, PolicyWarning, RegistrySection } from './policy.ts'
import type { LintCode } from './warnings.ts'

/** Warnings about a compiled policy, in the order of the rules. */
export function lintPolicy(policy: Policy): readonly PolicyWarning[] {
  const { registry, rules } = policy
  const top = (code: LintCode, message: string): PolicyWarning => ({ code, message, line: 1, column: 1 })
  const warnings: PolicyWarning[] = []
  if (registry.unregistered === 'allow') {
    warnings.push(
      top('lint.unregistered_allow', 'tools that are not registered may run: anything a server offers is permitted, and flagged'),
    )
  }
  if (registry.unregistered === 'deny' && registry.tools.size === 0 && registry.families.size === 0) {
    warnings.push(
      top('lint.empty_registry', 'no tool is registered, so every call is denied: add `tools`, `tool_families` or `unregistered: ask`'),
    )
  }
  if (rules.order === 'first-match') {
    warnings.push(top('lint.first_match', 'with `order: first-match` a broad allow rule hides every deny rule'))
  }
  const { authorization, flow } = policy
  if (authorization.judge !== null && flow.askAt === null && authorization.uncoveredAt === null) {
    const judge = authorization.judge
    warnings.push(
      top(
        'lint.authorization_idle',
        `\`${judge}\` is asked for graphs that change nothing: with \`ask_at: never\` there is nothing to lift`,
      ),
    )
  }
  for (const server of rules.readOnly.trustedServers) {
    if (!policy.guards.definitions.except.has(server)) continue
    warnings.push(
      top('lint.trusted_unpinned', `\`${server}\` is trusted, but its definitions are not pinned, so \`readOnlyHint\` permits nothing`),
    )
  }
  const shadows = rules.order === 'severity' ? shadowed(rules.all) : []
  return [...warnings, ...rules.all.flatMap((rule) => lintRule(rule, registry)), ...shadows, ...duplicates(rules.all)]
}

function lintRule(rule: CompiledRule, registry: RegistrySection): readonly PolicyWarning[] {
  const warnings: PolicyWarning[] = []
  const warn = (code: LintCode, message: string) => warnings.push({ code, message, ...rule.place })
  if (rule.kind === 'allow' && coversAll(rule)) warn('lint.allow_all', `\`${rule.id}\` permits every call that nothing else stops`)
  if (rule.kind !== 'allow' && rule.reason === '') warn('lint.no_reason', `\`${rule.id}\` does not say why: add a \`reason\``)
  if (rule.filters.tool === null && rule.filters.unguarded.length > 0) {
    const names = rule.filters.unguarded.map((name) => `\`args.${name}\``).join(', ')
    warn(
      'lint.unguarded_argument',
      `\`${rule.id}\` is for every tool and counts as matched where ${names} is missing: ask \`has\` first, or name the tool`,
    )
  }
  const optional = optionalArguments(rule, registry)
  if (optional.length > 0) {
    const names = optional.map((name) => `\`args.${name}\``).join(', ')
    warn(
      'lint.unguarded_argument',
      `\`${rule.id}\` counts as matched where ${names} is missing, which the schema of \`${rule.filters.tool}\` permits: ask \`has\` first`,
    )
  }
  return warnings
}

/** Arguments that the condition of a rule for one tool reads, and that a call of it may leave out by the tool's own schema. */
function optionalArguments({ filters }: CompiledRule, { tools }: RegistrySection): readonly string[] {
  const schema = filters.tool === null ? null : (tools.get(filters.tool)?.inputSchema ?? null)
  if (schema === null) return []
  const required = own(schema, 'required')
  return filters.unguarded.filter((name) => !(Array.isArray(required) && required.includes(name)))
}

/** Beyond this many pairs the search for shadows would take longer than loading the policy; it then looks at fewer rules. */
const MAX_PAIRS = 1_000_000

interface Cover {
  readonly rule: CompiledRule
  readonly by: CompiledRule
}

/** Rules that a wider one makes idle, each with that one. */
function* covered(rules: readonly CompiledRule[], by: readonly CompiledRule[]): Generator<Cover> {
  const candidates = candidatesFor(by, Math.ceil(MAX_PAIRS / Math.max(rules.length, 1)))
  const patterns = new Map<string, ToolPattern>()
  for (const rule of rules) {
    const found = candidates(rule.filters.tool).find(
      (other) => outdoes(other, rule) && covers(other, rule, patterns) && !(isLater(other, rule) && covers(rule, other, patterns)),
    )
    if (found !== undefined) yield { rule, by: found }
  }
}

function shadowed(rules: readonly CompiledRule[]): readonly PolicyWarning[] {
  const allows = rules.filter((rule) => rule.kind === 'allow')
  const others = rules.filter((rule) => rule.kind !== 'allow')
  return [
    ...[...covered(allows, rules.filter(denies))].map(({ rule, by }) => ({
      code: 'lint.shadowed',
      message: `\`${rule.id}\` never permits anything, because \`${by.id}\` denies all it matches`,
      ...rule.place,
    })),
    ...[...covered(others, others)].map(({ rule, by }) => ({
      code: 'lint.covered',
      message: `\`${rule.id}\` changes nothing, because \`${by.id}\` ${denies(by) ? 'denies' : 'asks about'} all it matches`,
      ...rule.place,
    })),
  ]
}

/** True where the first makes the second idle wherever both match: it is graver, or as grave and not the same rule again. */
function outdoes(one: CompiledRule, other: CompiledRule): boolean {
  if (one === other) return false
  if (other.kind === 'allow') return true
  const [mine, theirs] = [levelOf(one), levelOf(other)]
  if (mine === 'advisory' || theirs === 'advisory') return false
  if (mine !== theirs) return mine === 'hard'
  // The same rule again is a duplicate.
  if (one.kind === other.kind && sameFilters(one, other)) return false
  return mine === 'hard' || one.resolvers.toSorted().join() === other.resolvers.toSorted().join()
}

/** Of two as grave rules that match the same calls the later one is the idle one. */
function isLater(one: CompiledRule, other: CompiledRule): boolean {
  if (other.kind === 'allow' || levelOf(one) !== levelOf(other)) return false
  return one.place.line > other.place.line || (one.place.line === other.place.line && one.place.column > other.place.column)
}

function sameFilters(one: CompiledRule, other: CompiledRule): boolean {
  return JSON.stringify(one.filters) === JSON.stringify(other.filters)
}

function levelOf(rule: CompiledRule): Enforcement {
  return rule.enforcement ?? (rule.kind === 'deny' ? 'hard' : 'soft')
}

/** Which rules can cover a tool pattern: those of exactly its name, looked up, and `most` of those with a wider one, tried. */
function candidatesFor(rules: readonly CompiledRule[], most: number): (tool: string | null) => readonly CompiledRule[] {
  const named = new Map<string, CompiledRule[]>()
  const wide: CompiledRule[] = []
  for (const rule of rules) {
    const { tool } = rule.filters
    const group = tool === null || WILD.test(tool) ? wide : (named.get(tool) ?? [])
    group.push(rule)
    if (tool !== null && group !== wide) named.set(tool, group)
  }
  wide.splice(most)
  return (tool) => {
    if (tool === null) return wide
    const bare = tool.slice(tool.indexOf('/') + 1)
    const exact = [...(named.get(tool) ?? []), ...(bare === tool ? [] : (named.get(bare) ?? []))]
    return exact.length === 0 ? wide : [...exact, ...wide]
  }
}

const WILD = /[*?[]/

function denies(rule: CompiledRule): boolean {
  return rule.kind !== 'allow' && levelOf(rule) === 'hard'
}

function coversAll({ filters }: CompiledRule): boolean {
  const everyTool = filters.tool === null || /^\*+$/.test(filters.tool)
  return everyTool && filters.user === null && filters.role === null && filters.argumentContains === null && filters.always
}

/** True where every call that `narrow` matches is matched by `wide`; false where that cannot be told. */
function covers(wide: CompiledRule, narrow: CompiledRule, patterns: Map<string, ToolPattern>): boolean {
  const a = wide.filters
  const b = narrow.filters
  if (a.user !== null && a.user !== b.user) return false
  if (a.role !== null && a.role !== b.role) return false
  if (a.argumentContains !== null && !(b.argumentContains?.includes(a.argumentContains) ?? false)) return false
  if (a.when !== null && a.when !== b.when && !a.always) return false
  return coversTool(a.tool, b.tool, patterns)
}

function duplicates(rules: readonly CompiledRule[]): readonly PolicyWarning[] {
  const seen = new Map<string, string>()
  return rules.flatMap((rule) => {
    const key = JSON.stringify([rule.kind, rule.enforcement, rule.filters])
    const first = seen.get(key)
    if (first === undefined) seen.set(key, rule.id)
    return first === undefined
      ? []
      : [{ code: 'lint.duplicate', message: `\`${rule.id}\` asks for the same as \`${first}\``, ...rule.place }]
  })
}
