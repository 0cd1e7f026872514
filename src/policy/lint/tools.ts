/**
 * Warnings about names of tools that no tool goes by. A rule for `bash` stops nothing that is called `Bash`. Any name may be that of
 * somebody's own tool, so a name is doubted only beside one that is known, and never where the policy registers it.
 */
import { canonicalToolName, splitToolName } from '../../core/tool-name.ts'
import { compileToolPattern } from '../glob.ts'
import type { RegistrySection } from '../policy.ts'
import type { Located } from '../reading/fields.ts'
import { nearest } from '../reading/nearest.ts'
import type { CompileContext, Vocabulary } from '../section.ts'

/** The host that the installed hook is for, and so the one that is meant where the policy lists none. */
const USUAL_HOST = 'claude-code'

/** Searches for similar names that one policy may cost; what is left then is not looked at. */
const MAX_SEARCHES = 2_000

interface Registered {
  /** As registered, and without the server. */
  readonly names: ReadonlySet<string>
  readonly byLowerCase: ReadonlyMap<string, string>
  left: number
}

const registered = new WeakMap<RegistrySection, Registered>()

/** Warns of a name that is written in another case, with a dot for the slash, or like that of a known tool. */
export function lintToolName({ value, at }: Pick<Located<string>, 'value' | 'at'>, context: CompileContext): void {
  const problem = value.length > 512 ? null : problemOf(canonicalToolName(value), context)
  if (problem !== null) context.warn('lint.tool_name', problem, at)
}

/** Warns of a registered name that a listed host writes in another case: registering it vouches for a tool that is not there. */
export function lintRegistered(
  { value, at }: Pick<Located<string>, 'value' | 'at'>,
  families: ReadonlySet<string>,
  { options, warn }: CompileContext,
): void {
  const listed = (options.vocabulary.toolNames?.(null) ?? []).filter(({ family }) => families.has(family))
  if (listed.some(({ names }) => names.includes(value))) return
  const problem = otherCase(value, listed)
  if (problem !== null) warn('lint.tool_name', problem, at)
}

function otherCase(tool: string, hosts: readonly Names[]): string | null {
  const lower = tool.toLowerCase()
  for (const { family, names } of hosts) {
    const other = names.find((name) => name.toLowerCase() === lower)
    if (other !== undefined) return `\`${tool}\` is no tool of \`${family}\`, but \`${other}\` is: names differ by case`
  }
  return null
}

type Names = ReturnType<NonNullable<Vocabulary['toolNames']>>[number]

function problemOf(tool: string, context: CompileContext): string | null {
  const { registry } = context
  if (registry === null || context.options.vocabulary.toolNames === undefined) return null
  const own = ownTools(registry)
  if (own.names.has(tool)) return null
  if (/[*?[]/.test(tool)) return joined(tool, own, context)
  const other = own.byLowerCase.get(tool.toLowerCase())
  if (other !== undefined) return `\`${tool}\` is no tool, but \`${other}\` is: names differ by case`
  const split = splitToolName(tool)
  return joined(tool, own, context) ?? (split === null ? ofHost(tool, own, context) : ofServer(split, own, context))
}

function ownTools(registry: RegistrySection): Registered {
  const known = registered.get(registry)
  if (known !== undefined) return known
  const names = new Set([...registry.tools.keys()].flatMap((tool) => [tool, splitToolName(tool)?.name ?? tool]))
  const made = { names, byLowerCase: new Map([...names].map((name) => [name.toLowerCase(), name])), left: MAX_SEARCHES }
  registered.set(registry, made)
  return made
}

/** `github.create_issue`: what joins server and tool is a slash. A name with a wildcard joins where the server is known. */
function joined(tool: string, own: Registered, { options }: CompileContext): string | null {
  const [, server, by = '', name = ''] = /^([A-Za-z][A-Za-z0-9-]*)(\.|:|__)([^/]+)$/.exec(tool) ?? []
  if (server === undefined || server === 'mcp') return null
  const written = `${server}/${name}`
  const families = options.vocabulary.toolNames?.(server) ?? []
  const wild = /[*?[]/.test(name)
  const known = wild
    ? families.length > 0 && ![...own.names].some(compiledName(tool))
    : own.names.has(written) || families.some(({ names }) => names.includes(name))
  return known ? `\`${tool}\` names no tool of the server \`${server}\`: a slash joins the two, not \`${by}\`; write \`${written}\`` : null
}

function compiledName(pattern: string): (name: string) => boolean {
  const compiled = compileToolPattern(pattern, { strict: false })
  return (name) => compiled.matches(null, name)
}

function ofHost(tool: string, own: Registered, { options, registry }: CompileContext): string | null {
  const hosts = options.vocabulary.toolNames?.(null) ?? []
  const listed = hosts.filter(({ family }) => registry?.families.has(family))
  const [meant, sure] = listed.length > 0 ? [listed, true] : [hosts.filter(({ family }) => family === USUAL_HOST), false]
  if (meant.some(({ names }) => names.includes(tool))) return null
  const problem = otherCase(tool, meant)
  if (problem !== null) return problem
  // Only names of a host begin with a capital letter; others are those of anybody's tools.
  if (hosts.some(({ names }) => names.includes(tool)) || !(sure || /^[A-Z]/.test(tool)) || tool.length < 4 || own.left-- <= 0) return null
  const near = nearest(
    tool,
    meant.flatMap(({ names }) => names.filter((name) => /^[A-Z]/.test(name) === /^[A-Z]/.test(tool))),
  )
  return near === null ? null : `\`${tool}\` is no tool that is known; did you mean \`${near}\`?`
}

function ofServer(
  { server, name }: { server: string; name: string },
  own: Registered,
  { options, registry }: CompileContext,
): string | null {
  const families = options.vocabulary.toolNames?.(server) ?? []
  const names = families.flatMap((each) => each.names)
  if (names.length === 0 || names.includes(name)) return null
  const lower = name.toLowerCase().replaceAll('-', '_')
  const same = names.find((each) => each.toLowerCase().replaceAll('-', '_') === lower)
  if (same !== undefined) return `\`${server}/${name}\` is no tool that is known, but \`${server}/${same}\` is`
  const near = own.left-- > 0 ? nearest(name, names) : null
  if (near !== null) return `\`${server}/${name}\` is no tool that is known; did you mean \`${server}/${near}\`?`
  const listed = families.find(({ family }) => registry?.families.has(family))
  return listed === undefined ? null : `\`${server}/${name}\` is no tool that \`${listed.family}\` knows, so it counts as not registered`
}
