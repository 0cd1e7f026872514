/** Warnings about roles: what they allow and deny at once, limits on what a tool does not do. */
import { canonicalToolName } from '../../core/tool-name.ts'
import { coversCommand } from '../command-pattern.ts'
import { coversTool } from '../glob.ts'
import { lineOf, type Parents } from '../inherit.ts'
import type { Located } from '../reading/fields.ts'
import type { Range } from '../reading/source.ts'
import type { CompileContext } from '../section.ts'
import { lintToolName } from './tools.ts'

type Words = readonly string[]

interface WrittenPolicy {
  readonly at: Range
  readonly allow_patterns?: readonly Located<string>[] | undefined
  readonly deny_patterns?: readonly Located<string>[] | undefined
  readonly commands?: Words | undefined
  readonly subcommands?: ReadonlyMap<string, Words> | undefined
}

interface WrittenCapability {
  readonly at: Range
  readonly tool_pattern?: Located<string> | undefined
  readonly command_allowlist?: Words | undefined
  readonly subcommand_allowlist?: ReadonlyMap<string, Words> | undefined
}

/** A role as the file has it. */
interface WrittenRole {
  readonly inherits?: readonly Located<string>[] | undefined
  readonly tool_policies?: ReadonlyMap<string, WrittenPolicy> | undefined
  readonly deny_list?: readonly Located<string>[] | undefined
  readonly capabilities?: readonly WrittenCapability[] | undefined
}

type Roles = ReadonlyMap<string, WrittenRole>

/** Comparisons of patterns, and roles in lines, that one policy may cost; what is left then is not looked at. */
const MAX_PAIRS = 200_000

/** Every warning about the roles of a policy that compiled. */
export function lintRoles(roles: Roles, context: CompileContext): void {
  const budget = { left: MAX_PAIRS, warned: new Set<number>() }
  const parents: Parents = new Map([...roles].map(([name, { inherits }]) => [name, inherits ?? []]))
  for (const [name, role] of roles) {
    for (const [tool, policy] of role.tool_policies ?? []) lintPolicyOf(`${name}.${tool}`, { tool, policy }, context)
    for (const [index, each] of (role.capabilities ?? []).entries()) {
      lintSubcommands(
        `${name}.capabilities[${index}]`,
        { at: each.at, programs: each.command_allowlist, by: each.subcommand_allowlist },
        context,
      )
    }
    for (const tool of toolsOf(role)) lintToolName(tool, context)
    lintDenied(name, { roles, parents, budget }, context)
  }
}

/** Exact names alone: the dotted patterns of AEGIS are names of its own. */
function toolsOf({ tool_policies, deny_list, capabilities }: WrittenRole): readonly Pick<Located<string>, 'value' | 'at'>[] {
  const limited = [...(tool_policies ?? [])].map(([value, { at }]) => ({ value, at }))
  const named = [...limited, ...(deny_list ?? []), ...(capabilities ?? []).flatMap(({ tool_pattern }) => tool_pattern ?? [])]
  return named.filter(({ value }) => !/[*?[]/.test(value))
}

function lintPolicyOf(id: string, { tool, policy }: { tool: string; policy: WrittenPolicy }, context: CompileContext): void {
  lintSubcommands(id, { at: policy.at, programs: policy.commands, by: policy.subcommands }, context)
  if (context.options.vocabulary.runsCommands?.(canonicalToolName(tool)) !== false) return
  const [first] = policy.allow_patterns ?? []
  if (first !== undefined) {
    const message = `\`${tool}\` runs no commands, so \`allow_patterns\` holds nothing back`
    context.warn('lint.role_commands', message, first.at)
  }
  if (policy.commands !== undefined) {
    context.warn('lint.role_commands', `\`${tool}\` runs no commands, so \`commands\` denies every call of it`, policy.at)
  }
}

interface Listed {
  readonly at: Range
  readonly programs: Words | undefined
  readonly by: ReadonlyMap<string, Words> | undefined
}

function lintSubcommands(id: string, { at, programs, by }: Listed, { warn }: CompileContext): void {
  if (programs === undefined || by === undefined) return
  const strange = [...by.keys()].filter((program) => !programs.includes(program)).map((program) => `\`${program}\``)
  if (strange.length === 0) return
  warn('lint.role_subcommands', `\`${id}\` lists subcommands of ${strange.join(', ')}, which may not run`, at)
}

interface Search {
  readonly roles: Roles
  readonly parents: Parents
  readonly budget: { left: number; readonly warned: Set<number> }
}

function lineOfEveryone(parents: Parents) {
  return parents.has('*') ? lineOf('*', parents) : []
}

function rolesOf(names: readonly string[], roles: Roles) {
  return names.flatMap((each) => roles.get(each) ?? [])
}

/** What a role or an ancestor allows, and the role, an ancestor or `*` denies in every case. */
function lintDenied(name: string, { roles, parents, budget }: Search, { warn }: CompileContext): void {
  if (budget.left <= 0) return
  const line = lineOf(name, parents)
  const everyone = name === '*' ? [] : lineOfEveryone(parents)
  budget.left -= line.length + everyone.length
  const own = rolesOf(line, roles)
  const all = [...own, ...rolesOf(everyone, roles)]
  const say = (at: Range, what: string, by: string): void => {
    if (budget.warned.has(at.start)) return
    budget.warned.add(at.start)
    warn('lint.role_shadowed', `in role \`${name}\`, \`${what}\` never permits anything, because \`${by}\` is denied`, at)
  }
  const first = <T>(items: readonly T[], covers: (item: T) => boolean): T | undefined =>
    items.find((item) => budget.left-- > 0 && covers(item))
  const tools = all.flatMap((role) => role.deny_list ?? [])
  const denials = all.flatMap((role) =>
    [...(role.tool_policies ?? [])].flatMap(([tool, policy]) => (policy.deny_patterns ?? []).map(({ value }) => ({ tool, value }))),
  )
  for (const { tool_policies, capabilities } of own) {
    for (const { tool_pattern } of capabilities ?? []) {
      const by = tool_pattern && first(tools, ({ value }) => coversTool(value, tool_pattern.value))
      if (tool_pattern !== undefined && by !== undefined) say(tool_pattern.at, tool_pattern.value, by.value)
    }
    for (const [tool, policy] of tool_policies ?? []) {
      const by = first(tools, ({ value }) => coversTool(value, tool))
      if (by !== undefined) say(policy.at, tool, by.value)
      for (const { value, at } of policy.allow_patterns ?? []) {
        const denial = first(denials, (each) => coversTool(each.tool, tool) && coversCommand(each.value, value))
        if (denial !== undefined) say(at, value, denial.value)
      }
    }
  }
}
