/** What is legal in a policy and probably not meant. Warnings never change a decision. */
import { coversTool, type ToolPattern } from './glob.ts'
import type { CompiledRule, Policy, PolicyWarning } from './policy.ts'
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
  for (const server of rules.readOnly.trustedServers) {
    if (!policy.guards.definitions.except.has(server)) continue
    warnings.push(
      top('lint.trusted_unpinned', `\`${server}\` is trusted, but its definitions are not pinned, so \`readOnlyHint\` permits nothing`),
    )
  }
  const shadows = rules.order === 'severity' ? shadowed(rules.all) : []
  return [...warnings, ...rules.all.flatMap(lintRule), ...shadows, ...duplicates(rules.all)]
}

function lintRule(rule: CompiledRule): readonly PolicyWarning[] {
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
  return warnings
}

/** Beyond this many pairs the search for shadows would take longer than loading the policy; it then looks at fewer denies. */
const MAX_PAIRS = 1_000_000

function shadowed(rules: readonly CompiledRule[]): readonly PolicyWarning[] {
  const allows = rules.filter((rule) => rule.kind === 'allow')
  const candidates = denialsFor(rules.filter(denies), Math.ceil(MAX_PAIRS / Math.max(allows.length, 1)))
  const patterns = new Map<string, ToolPattern>()
  return allows.flatMap((rule) => {
    const cover = candidates(rule.filters.tool).find((other) => covers(other, rule, patterns))
    if (cover === undefined) return []
    return [
      {
        code: 'lint.shadowed',
        message: `\`${rule.id}\` never permits anything, because \`${cover.id}\` denies all it matches`,
        ...rule.place,
      },
    ]
  })
}

/** Which denials can cover a tool pattern: those of exactly its name, looked up, and `most` of those with a wider one, tried. */
function denialsFor(denials: readonly CompiledRule[], most: number): (tool: string | null) => readonly CompiledRule[] {
  const named = new Map<string, CompiledRule[]>()
  const wide: CompiledRule[] = []
  for (const rule of denials) {
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
  return rule.kind === 'deny' && (rule.enforcement ?? 'hard') === 'hard'
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
