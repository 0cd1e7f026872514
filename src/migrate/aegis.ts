/** AEGIS: agent manifests, security contexts and the `skip_judge` of a node, as roles and judges. */
import type { Json, JsonObject } from '../core/json.ts'
import { given, type Importer, NothingToImport, settingsOf } from './migrated.ts'
import { Notes, type Settings } from './notes.ts'
import { readYaml } from './yaml.ts'

interface Parts {
  readonly notes: Notes
  readonly roles: Record<string, Json>
  readonly judges: Record<string, Json>
  readonly validation: Json[]
  readonly skip: Json[]
}

/** @throws where no document is an agent, a node or security contexts. */
export const importAegis: Importer = (files) => {
  const notes = new Notes()
  const parts: Parts = { notes, roles: Object.create(null), judges: Object.create(null), validation: [], skip: [] }
  const documents = files.flatMap(readYaml).flatMap((document) => settingsOf(document, notes) ?? [])
  const read = documents.map((document) => addDocument(document, parts))
  if (!read.includes(true))
    throw new NothingToImport('no file holds `kind: Agent`, `kind: NodeConfig`, security contexts or `tool_validation`')
  const { roles, judges, validation, skip } = parts
  return {
    policy: {
      version: 1,
      default: 'deny',
      unregistered: 'ask',
      layers: { registry: { enforcement: 'advisory' } },
      ...(Object.keys(roles).length === 0 ? {} : { roles }),
      ...(Object.keys(judges).length === 0 ? {} : { judges }),
      ...(validation.length === 0 ? {} : { tool_validation: validation }),
      ...(skip.length === 0 ? {} : { skip_judge: skip }),
      ...(validation.length === 0 ? {} : { disclosure: { to_agent: 'reason' } }),
    },
    notes: notes.sorted(),
  }
}

/** True where something of the document is ours. */
function addDocument(document: Settings, parts: Parts): boolean {
  const spec = document.below('spec') ?? document
  const kind = document.text('kind')
  const name = document.below('metadata')?.text('name') ?? document.text('name')
  const contexts = spec.items('security_contexts') ?? document.items('security_contexts')
  for (const context of contexts ?? []) addContext(context, parts)
  const execution = spec.below('execution') ?? document.below('execution')
  const validates = execution !== undefined && addsValidation(execution, { ...parts, agent: name ?? null })
  const skipping = addSkips(spec, parts)
  if (kind === 'Agent') addAgent(name ?? 'agent', spec, parts)
  if (kind === 'SecurityContext') addContext(spec, parts, name)
  if (execution !== undefined) leaveExecution(execution)
  document.ignore('apiVersion', 'kind', 'metadata', 'name', 'spec')
  if (document !== spec) document.done()
  return [contexts !== undefined, validates, skipping, kind === 'Agent', kind === 'SecurityContext'].includes(true)
}

function addsValidation(execution: Settings, parts: Parameters<typeof addValidation>[1]): boolean {
  const validation = execution.items('tool_validation')
  if (validation === undefined) return false
  addValidation(validation, parts)
  return true
}

function leaveExecution(execution: Settings): void {
  execution.leave({ validation: 'what an agent returns is judged by its orchestrator, not by a gate before its calls' })
  execution.ignore('mode', 'max_iterations', 'llm_timeout_seconds', 'iteration_timeout', 'max_retries')
  execution.done('the inner loop of the agent is no setting of a gate')
}

/** A security context is a role: the deny list first, then one capability must cover the call. */
function addContext(context: Settings, { roles, notes }: Parts, named?: string): void {
  const name = named ?? context.text('name')
  const denied = context.texts('deny_list')
  const capabilities = context.items('capabilities') ?? []
  context.ignore('description', 'metadata', 'name')
  context.done()
  if (name === undefined) return void notes.left(context.place, 'security_contexts', 'a context without a name holds for nobody')
  roles[name] = {
    ...(denied === undefined ? {} : { deny_list: [...denied] }),
    capabilities: capabilities.map((each) => capabilityOf(each, notes)),
  }
}

function capabilityOf(each: Settings, notes: Notes): JsonObject {
  const rate = each.take('rate_limit')
  if (rate !== undefined && !(rate.kind === 'scalar' && rate.scalar === null))
    notes.left(rate.place, each.named('rate_limit'), 'AEGIS does not hold it yet; here write it as `30/1m`')
  const subcommands = each.below('subcommand_allowlist')
  const capability = given({
    tool_pattern: each.text('tool_pattern') ?? '*',
    path_allowlist: each.texts('path_allowlist'),
    command_allowlist: each.texts('command_allowlist'),
    subcommand_allowlist:
      subcommands === undefined
        ? undefined
        : Object.fromEntries(subcommands.keys().map((program) => [program, [...(subcommands.texts(program) ?? [])]])),
    domain_allowlist: each.texts('domain_allowlist'),
    max_response_size: each.number('max_response_size'),
    max_concurrent: each.number('max_concurrent'),
  })
  each.done()
  return capability as JsonObject
}

interface Validating extends Parts {
  readonly agent: string | null
}

function addValidation(entries: readonly Settings[], { judges, validation, notes, agent }: Validating): void {
  for (const entry of entries) {
    const type = entry.text('type')
    const judge = entry.text('judge_agent')
    if (type !== 'semantic' || judge === undefined) {
      entry.ignore(...entry.keys())
      notes.left(
        entry.place,
        entry.named('type'),
        `\`${type ?? ''}\` gates no call, there or here; write \`type: semantic\` with a \`judge_agent\``,
      )
      continue
    }
    const criteria = entry.text('criteria')
    const seconds = entry.number('timeout_seconds')
    validation.push(
      given({
        type: 'semantic',
        judge_agent: judge,
        criteria,
        min_score: entry.number('min_score'),
        min_confidence: entry.number('min_confidence'),
        timeout_seconds: seconds === undefined ? undefined : Math.ceil(seconds),
      }) as JsonObject,
    )
    entry.done()
    if (Object.hasOwn(judges, judge)) continue
    judges[judge] = { provider: 'function' }
    notes.differs(
      entry.place,
      entry.named('judge_agent'),
      `the agent \`${judge}\` runs in AEGIS: give the judge a \`provider\` and a \`model\` here; until then every call is denied`,
    )
  }
  const [first] = entries
  if (first !== undefined && agent !== null)
    notes.differs(first.place, 'execution.tool_validation', `there it gates the calls of \`${agent}\` alone, here those of every caller`)
}

/** Built-in dispatchers are the host's own tools; those of an MCP server are named with it. */
function addSkips(spec: Settings, { skip, notes }: Parts): boolean {
  const dispatchers = spec.items('builtin_dispatchers') ?? []
  const servers = spec.items('mcp_servers') ?? []
  for (const [list, isServer] of [
    [dispatchers, false],
    [servers, true],
  ] as const) {
    for (const each of list) {
      const server = each.text('name')
      for (const capability of each.items('capabilities') ?? []) {
        const tool = capability.text('name')
        if (capability.flag('skip_judge') !== true || tool === undefined) continue
        skip.push(isServer && server !== undefined ? { tool, server } : tool)
        notes.differs(
          capability.place,
          capability.named('skip_judge'),
          `only for calls of \`${tool}\` that just read; \`changes: true\` skips judges for the others, too`,
        )
      }
    }
  }
  return dispatchers.length + servers.length > 0
}

/** An agent's tools, files and network are the capabilities of its role. */
function addAgent(name: string, spec: Settings, { roles, notes }: Parts): void {
  const tools = toolsOf(spec, notes)
  const security = spec.below('security')
  const [filesystem, network] = [security?.below('filesystem'), security?.below('network')]
  const limits: Limits = {
    read: filesystem?.texts('read'),
    write: filesystem?.texts('write'),
    domains: domainsOf(network, notes),
  }
  security?.leave({ resources: 'processor, memory and disk are kept by the sandbox, not by this gate' })
  filesystem?.done()
  network?.done()
  security?.done()
  spec.ignore('runtime', 'task', 'context', 'volumes', 'advanced', 'schedule', 'delivery', 'input_schema')
  spec.ignore('security', 'execution')
  if (tools === undefined)
    return void notes.left(spec.place, 'spec.tools', 'no tools are named, so no role is made; AEGIS takes the security context')
  roles[name] = { capabilities: tools.map((tool) => withLimits(tool, limits)) }
}

interface Tool {
  readonly name: string
  readonly commands?: readonly string[] | undefined
}

function toolsOf(spec: Settings, notes: Notes): readonly Tool[] | undefined {
  const value = spec.take('tools')
  if (value === undefined || value.kind !== 'list') return undefined
  return value.items.flatMap((item, index): readonly Tool[] => {
    if (item.kind === 'scalar' && typeof item.scalar === 'string') return [{ name: item.scalar }]
    const settings = settingsOf(item, notes, `spec.tools[${index}]`)
    const name = settings?.text('name')
    const commands = settings?.texts('allowlist')
    settings?.leave({ config: 'settings of a tool are its own, not those of a gate' })
    settings?.done()
    if (name === undefined) return notes.left(item.place, `spec.tools[${index}]`, 'a tool without a name') ?? []
    return [{ name, ...(commands === undefined ? {} : { commands }) }]
  })
}

interface Limits {
  readonly read: readonly string[] | undefined
  readonly write: readonly string[] | undefined
  readonly domains: readonly string[] | undefined
}

function domainsOf(network: Settings | undefined, notes: Notes): readonly string[] | undefined {
  const mode = network?.text('mode')
  const allowed = network?.texts('allowlist')
  const denied = network?.texts('denylist')
  if (denied !== undefined && denied.length > 0)
    notes.left(network?.place ?? { path: '', line: 1 }, 'security.network.denylist', 'write the domains as `deny_domains` of a tool policy')
  if (mode === 'none') return []
  return mode === 'allow' || mode === undefined ? allowed : undefined
}

const READS = /\.(?:read|list|grep|glob|stat|search)$/

function withLimits({ name, commands }: Tool, { read, write, domains }: Limits): JsonObject {
  const files = /^(?:fs|filesystem)\./.test(name)
  const paths = READS.test(name)
    ? read === undefined && write === undefined
      ? undefined
      : [...new Set([...(read ?? []), ...(write ?? [])])]
    : write
  return given({
    tool_pattern: name,
    path_allowlist: files ? paths?.map(directoryOf) : undefined,
    domain_allowlist: /^web(?:-search)?\./.test(name) ? domains : undefined,
    ...(commands === undefined ? {} : commandsOf(commands)),
  }) as JsonObject
}

/** `/workspace/**` and `/workspace/` are the directory with all below it. */
function directoryOf(path: string): string {
  return path.replace(/\/?\*\*?$/, '').replace(/(?<=.)\/$/, '') || '/'
}

/** `pytest` allows every call of it, `npm test` that one subcommand. */
function commandsOf(allowlist: readonly string[]): JsonObject {
  const programs = new Map<string, readonly string[] | null>()
  for (const line of allowlist) {
    const [program = '', sub] = line.trim().split(/\s+/)
    const known = programs.get(program)
    programs.set(program, sub === undefined || known === null ? null : [...(known ?? []), sub])
  }
  const subcommands = [...programs].flatMap(([program, subs]) => (subs === null ? [] : [[program, [...subs]] as const]))
  return {
    command_allowlist: [...programs.keys()],
    ...(subcommands.length === 0 ? {} : { subcommand_allowlist: Object.fromEntries(subcommands) }),
  }
}
