/** What each role may do with which tool: Fullsend's `tool_policies` and AEGIS's security context, over parsed commands and effects. */
import { Minimatch } from 'minimatch'
import { type CommandPattern, compileCommandPattern } from '../command-pattern.ts'
import { compileToolPattern } from '../glob.ts'
import { checkInheritance, lineOf, type Parents } from '../inherit.ts'
import { made } from '../keep/recipes.ts'
import { lintRoles } from '../lint/roles.ts'
import type { PathPattern, Policy, RoleLimits, RolePolicy } from '../policy.ts'
import { described, flag, type Located, listOf, located, mapOf, text, whole } from '../reading/fields.ts'
import { suggestion } from '../reading/nearest.ts'
import { record } from '../reading/record.ts'
import { type CompileContext, section } from '../section.ts'
import { toolPatternOf } from './written.ts'

const shared = {
  max_response_size: described(whole(1, 1_000_000_000), 'Bytes of one response; a longer one is reported to agent and operator.'),
  rate_limit: described(located(text), 'Calls per time, such as `10/1m`; every process counts, and calls that were let through count.'),
  max_concurrent: described(whole(1, 100_000), 'Calls that may run at the same time.'),
}

const toolPolicy = record({
  allow_patterns: described(listOf(located(text)), 'Every command of the call must be one of these, such as `git diff *`.'),
  deny_patterns: described(listOf(located(text)), 'No command of the call may be one of these, wherever in it it stands.'),
  commands: described(listOf(text), 'The only programs that may run.'),
  subcommands: described(mapOf(listOf(text)), 'The only subcommands of a program; an empty list: any.'),
  max_args_length: described(whole(0, 10_000_000), 'UTF-16 units of the arguments as canonical JSON.'),
  allow_domains: described(
    listOf(text),
    'The only domains that are contacted, with all below them. Where redirects are followed from there, people are asked.',
  ),
  deny_domains: described(listOf(text), 'Domains that are not contacted, with all below them.'),
  allow_paths: described(listOf(located(text)), 'The only paths that are touched: directories with all below them, or globs.'),
  deny_paths: described(listOf(located(text)), 'Paths that are not touched.'),
  ...shared,
})

const capability = record(
  {
    tool_pattern: described(located(text), '`*`, `fs.*` or an exact name.'),
    path_allowlist: described(listOf(located(text)), 'Directories under which paths must lie; an empty list denies every path.'),
    command_allowlist: described(listOf(text), 'Programs that may run.'),
    subcommand_allowlist: described(mapOf(listOf(text)), 'Subcommands by program; an empty list: any.'),
    domain_allowlist: described(listOf(text), 'Domains, with all below them.'),
    ...shared,
  },
  { required: ['tool_pattern'] },
)

function wrongPattern(tool: string) {
  try {
    compileToolPattern(tool, { strict: false })
    return null
  } catch (error) {
    return { code: 'policy.pattern', message: `\`${tool}\`: ${message(error)}` } as const
  }
}

const role = record({
  inherits: described(listOf(located(text)), 'Roles whose limits hold as well.'),
  tool_policies: described(
    mapOf(toolPolicy, wrongPattern),
    'Limits by tool name or pattern (Fullsend). Every policy that names the tool must hold.',
  ),
  deny_list: described(listOf(located(text)), 'Tool patterns that are denied before anything else (AEGIS).'),
  capabilities: described(listOf(capability), 'Where given, a call needs one that covers it; what none covers is denied (AEGIS).'),
  permit: described(flag, 'True: a call that its limits let through is permitted, not only not denied. Default true.'),
})

type RawRole = NonNullable<ReturnType<(typeof role)['read']>>
type RawPolicy = NonNullable<ReturnType<(typeof toolPolicy)['read']>>
type RawCapability = NonNullable<ReturnType<(typeof capability)['read']>>

export const roles = section({
  fields: () => ({
    roles: described(mapOf(role), 'Limits by role of the principal; `*` holds for every call.'),
    default_role: described(located(text), 'The role of calls whose sender names none, such as those of a main session.'),
  }),
  compile: (values, context): Pick<Policy, 'roles' | 'defaultRole'> => {
    const raw = values.roles ?? new Map<string, RawRole>()
    const parents: Parents = new Map([...raw].map(([name, { inherits }]) => [name, inherits ?? []]))
    const own = new Map([...raw].map(([name, each]) => [name, compileRole(name, each, context)]))
    const sound = checkInheritance(parents, context)
    if (sound && context.reader.errors.length === 0) lintRoles(raw, context)
    checkDefault(values.default_role ?? null, own, context)
    return {
      roles: new Map([...own].map(([name, role]) => [name, sound ? inheriting(name, role, { own, parents }) : role])),
      defaultRole: values.default_role?.value ?? null,
    }
  },
})

/** A name that no role has would be a role without limits. */
function checkDefault(named: Located<string> | null, own: ReadonlyMap<string, RolePolicy>, { reader }: CompileContext): void {
  if (named === null || own.size === 0 || own.has(named.value)) return
  const message = `there is no role \`${named.value}\``
  reader.fail({ code: 'policy.wrong_value', message, help: suggestion(named.value, [...own.keys()]), at: named.at })
}

interface Lines {
  readonly own: ReadonlyMap<string, RolePolicy>
  readonly parents: Parents
}

type Parts = Pick<RolePolicy, 'denied' | 'policies' | 'capabilities'>

/**
 * The role with all it inherits, its own limits last; every limit holds, so order tells nothing. Put together when the role is
 * first asked for: the lines of all roles together may be much longer than the policy.
 */
function inheriting(name: string, role: RolePolicy, { own, parents }: Lines): RolePolicy {
  if ((parents.get(name) ?? []).length === 0) return role
  let known: Parts | null = null
  const whole = (): Parts => {
    known ??= together(lineOf(name, parents).flatMap((each) => own.get(each) ?? []))
    return known
  }
  return {
    get denied() {
      return whole().denied
    },
    get policies() {
      return whole().policies
    },
    get capabilities() {
      return whole().capabilities
    },
    permit: role.permit,
  }
}

function together(parts: readonly RolePolicy[]): Parts {
  return {
    denied: parts.flatMap((part) => part.denied),
    policies: parts.flatMap((part) => part.policies),
    capabilities: parts.some((part) => part.capabilities !== null) ? parts.flatMap((part) => part.capabilities ?? []) : null,
  }
}

function compileRole(name: string, raw: RawRole, context: CompileContext): RolePolicy {
  const capabilities =
    raw.capabilities?.flatMap((each, index) => fromCapability(`${name}.capabilities[${index}]`, each, context) ?? []) ?? null
  return {
    denied: (raw.deny_list ?? []).flatMap((each) => toolPatternOf(each, context, { strict: false }) ?? []),
    policies: [...(raw.tool_policies ?? [])].flatMap(([tool, each]) => fromPolicy(`${name}.${tool}`, { tool, each }, context) ?? []),
    capabilities,
    permit: raw.permit ?? true,
  }
}

function fromPolicy(id: string, { tool, each }: { tool: string; each: RawPolicy }, context: CompileContext): RoleLimits | null {
  const compiled = toolPatternOf({ value: tool, at: each.at, node: null }, context, { strict: false })
  if (compiled === null) return null
  return {
    id,
    tool: compiled,
    allowCommands: each.allow_patterns === undefined ? null : commands(each.allow_patterns, context),
    denyCommands: commands(each.deny_patterns ?? [], context),
    programs: each.commands === undefined ? null : new Set(each.commands),
    subcommands: sets(each.subcommands),
    maxArgsLength: each.max_args_length ?? null,
    allowDomains: each.allow_domains === undefined ? null : domains(each.allow_domains),
    denyDomains: domains(each.deny_domains ?? []),
    allowPaths: each.allow_paths === undefined ? null : paths(each.allow_paths, context),
    denyPaths: paths(each.deny_paths ?? [], context),
    maxResponseSize: each.max_response_size ?? null,
    rate: rateOf(each.rate_limit, context),
    maxConcurrent: each.max_concurrent ?? null,
  }
}

function fromCapability(id: string, each: RawCapability, context: CompileContext): RoleLimits | null {
  const tool = each.tool_pattern === undefined ? null : toolPatternOf(each.tool_pattern, context, { strict: false })
  if (tool === null) return null
  return {
    id,
    tool,
    allowCommands: null,
    denyCommands: [],
    programs: each.command_allowlist === undefined ? null : new Set(each.command_allowlist),
    subcommands: sets(each.subcommand_allowlist),
    maxArgsLength: null,
    allowDomains: each.domain_allowlist === undefined ? null : domains(each.domain_allowlist),
    denyDomains: [],
    allowPaths: each.path_allowlist === undefined ? null : paths(each.path_allowlist, context),
    denyPaths: [],
    maxResponseSize: each.max_response_size ?? null,
    rate: rateOf(each.rate_limit, context),
    maxConcurrent: each.max_concurrent ?? null,
  }
}

function commands(written: readonly Located<string>[], { reader }: CompileContext): readonly CommandPattern[] {
  return written.flatMap(({ value, at }) => {
    try {
      return [compileCommandPattern(value)]
    } catch (error) {
      reader.fail({ code: 'policy.pattern', message: `\`${value}\`: ${message(error)}`, at })
      return []
    }
  })
}

const MAX_GLOB = 1_024

/** A directory with all below it, or a glob of minimatch; `~` is the home of the agent's user. */
function paths(written: readonly Located<string>[], { reader }: CompileContext): readonly PathPattern[] {
  return written.flatMap(({ value, at }): readonly PathPattern[] => {
    if (value.length > MAX_GLOB || !/^[/~]/.test(value)) {
      reader.fail({ code: 'policy.pattern', message: `\`${value}\` is no absolute path`, help: 'begin it with `/` or `~/`', at })
      return []
    }
    if (!/[*?[{]/.test(value)) return [{ text: value, matches: null }]
    return [{ text: value, matches: pathGlob(value) }]
  })
}

/** Whether a path is one of those that the glob names. */
export function pathGlob(text: string): (path: string) => boolean {
  const glob = new Minimatch(text, { dot: true, nonegate: true, nocomment: true })
  return made((path: string) => glob.match(path), 'path-glob', text)
}

function domains(written: readonly string[]): readonly string[] {
  return written.map((domain) => domain.toLowerCase().replace(/^\*\./, '').replace(/\.$/, ''))
}

function sets(written: ReadonlyMap<string, readonly string[]> | undefined): ReadonlyMap<string, ReadonlySet<string>> {
  return new Map([...(written ?? [])].map(([program, names]) => [program, new Set(names)]))
}

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

function rateOf(written: Located<string> | undefined, { reader }: CompileContext): RoleLimits['rate'] {
  if (written === undefined) return null
  const match = /^(\d{1,7})\/(\d{0,4})(s|m|h|d)$/.exec(written.value)
  const limit = Number(match?.[1])
  if (match === null || limit === 0) {
    reader.fail({ code: 'policy.wrong_value', message: `\`${written.value}\` is no rate`, help: 'write it as `10/1m`', at: written.at })
    return null
  }
  return { limit, window: Number(match[2] === '' ? 1 : match[2]) * (UNITS[match[3] ?? 's'] ?? 1_000) }
}

function message(error: unknown): string {
  return error instanceof Error ? error.message : 'not a pattern'
}
