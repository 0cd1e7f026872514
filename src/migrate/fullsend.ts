/** Fullsend's declarative `tool_policies` and the `security` part of a harness file, as roles and guards. */
import type { Json, JsonObject } from '../core/json.ts'
import { given, type Importer, NothingToImport, settingsOf } from './migrated.ts'
import { Notes, type Settings } from './notes.ts'
import { readYaml } from './yaml.ts'

/** Parts of a harness that run an agent and gate nothing. */
const RUNNING = [
  ...['agent', 'doc', 'model', 'image', 'skills', 'plugins', 'pre_script', 'post_script', 'host_files', 'validation_loop', 'runner_env'],
  ...['timeout_minutes', 'providers', 'api_servers', 'agent_input', 'env', 'description', 'name', 'slug', 'base', 'role'],
]

interface Parts {
  readonly notes: Notes
  readonly roles: Record<string, Json>
  readonly guards: Record<string, Json>
}

/** @throws where no file has policies of tools or a security part. */
export const importFullsend: Importer = (files) => {
  const parts: Parts = { notes: new Notes(), roles: Object.create(null), guards: { unicode: {} } }
  const documents = files.flatMap(readYaml).flatMap((document) => settingsOf(document, parts.notes) ?? [])
  const read = documents.filter((each) => ['tool_policies', 'security', 'roles'].some((key) => each.keys().includes(key)))
  if (read.length === 0) throw new NothingToImport('no file has `tool_policies` or `security`')
  for (const document of documents) addDocument(document, parts)
  const { roles, guards, notes } = parts
  return {
    policy: {
      version: 1,
      default: 'ask',
      unregistered: 'ask',
      tool_families: ['claude-code'],
      ...(Object.keys(roles).length === 0 ? {} : { roles }),
      rules: { read_only: { auto_allow: true } },
      guards,
    },
    notes: notes.sorted(),
  }
}

function addDocument(document: Settings, parts: Parts): void {
  const agent = document.text('agent')
  const role = document.text('role') ?? agent?.split('/').at(-1)?.replace(/\.md$/, '')
  const policies = document.each('tool_policies')
  if (policies !== undefined) {
    if (role === undefined) parts.notes.differs(document.place, 'tool_policies', 'no role is named, so they hold for every caller (`*`)')
    parts.roles[role ?? '*'] = { tool_policies: toolPolicies(policies, parts.notes) }
  }
  for (const [name, settings] of document.each('roles') ?? []) {
    const own = settings.each('tool_policies')
    if (own !== undefined) parts.roles[name] = { tool_policies: toolPolicies(own, parts.notes) }
    settings.done()
  }
  const security = document.below('security')
  if (security !== undefined) addSecurity(security, parts)
  document.leave({
    policy: 'what the sandbox lets out is kept outside of this gate; its hosts are `allow_domains` here',
    disallowedTools: 'write the tools as `rules.deny`',
  })
  document.ignore(...RUNNING)
  document.done()
}

/** Field by field: those that the seed names, with the meaning that they have here. */
function toolPolicies(policies: ReadonlyMap<string, Settings>, notes: Notes): JsonObject {
  return Object.fromEntries(
    [...policies].map(([tool, each]) => {
      const policy = given({
        allow_patterns: each.texts('allow_patterns'),
        deny_patterns: each.texts('deny_patterns'),
        max_args_length: each.number('max_args_length'),
        allow_domains: each.texts('allow_domains'),
        deny_domains: each.texts('deny_domains'),
        allow_paths: pathsOf(each, 'allow_paths', notes),
        deny_paths: pathsOf(each, 'deny_paths', notes),
      })
      each.done('Fullsend names no such limit; see `roles` in the reference of the policy')
      return [tool, policy as JsonObject]
    }),
  )
}

/** Paths are absolute here: what is relative to a workspace nobody names cannot be held. */
function pathsOf(settings: Settings, key: string, notes: Notes): readonly string[] | undefined {
  const paths = settings.texts(key)
  if (paths === undefined) return undefined
  const absolute = paths.filter((path) => /^[/~]/.test(path))
  for (const path of paths) {
    if (!absolute.includes(path))
      notes.left(settings.place, settings.named(key), `\`${path}\` is no absolute path; begin it with \`/\` or \`~/\``)
  }
  return absolute
}

const ALWAYS = 'it is always done here: '

function addSecurity(security: Settings, { notes, guards }: Parts): void {
  if (security.flag('enabled') === false)
    notes.differs(security.place, 'security.enabled', 'what is known to be dangerous stays guarded; switch packs off with `hazards.packs`')
  if (security.text('fail_mode') === 'open')
    notes.differs(security.place, 'security.fail_mode', 'a part that fails never allows a call: it asks or denies')
  const host = security.below('host_scanners')
  if (host !== undefined) addHostScanners(host, notes)
  const hooks = security.below('sandbox_hooks')
  if (hooks !== undefined) addHooks(hooks, { notes, guards })
  security.leave({
    escalation: 'who is asked stands under `approvals`',
    trace: 'every decision is recorded in the keyed log; `countersign audit export` writes it out',
  })
  security.done()
}

function addHostScanners(host: Settings, notes: Notes): void {
  if (host.flag('unicode_normalizer') === false)
    notes.differs(host.place, host.named('unicode_normalizer'), 'characters that nobody sees stay guarded')
  host.leave({
    unicode_normalizer: `${ALWAYS}\`guards.unicode\``,
    context_injection: 'context files of an agent are not read by this gate',
    ssrf_validator: 'addresses inside the network are denied by the hazard packs, `guards.ssrf` holds more',
    secret_redactor: `${ALWAYS}the log holds no secrets`,
    llm_guard: 'ask a model with `judges`',
  })
  host.done()
}

function addHooks(hooks: Settings, { notes, guards }: Pick<Parts, 'notes' | 'guards'>): void {
  addTirith(hooks, { notes, guards })
  const ssrf = hooks.take('ssrf_pretool')
  if (ssrf !== undefined && !isOff(ssrf)) {
    guards.ssrf = { strict: true, resolve: true }
    notes.differs(ssrf.place, hooks.named('ssrf_pretool'), 'it holds for every tool; names that cannot be looked up are denied, as there')
  } else if (ssrf !== undefined)
    notes.differs(ssrf.place, hooks.named('ssrf_pretool'), 'off there; metadata services and private hosts stay with the hazard packs')
  const canary = hooks.take('canary_pretool') ?? hooks.take('canary_posttool')
  hooks.ignore('canary_posttool')
  if (canary !== undefined && !isOff(canary)) guards.canary = { tokens_env: ['FULLSEND_CANARY_TOKEN'] }
  const allowlist = hooks.take('tool_allowlist_pretool')
  if (allowlist !== undefined && !isOff(allowlist)) {
    guards.allowlist_env = 'FULLSEND_TOOL_ALLOWLIST'
    notes.differs(allowlist.place, hooks.named('tool_allowlist_pretool'), 'unset or empty, the variable blocks every tool, as there')
  }
  hooks.leave({
    secret_redact_posttool: 'secrets in results are reported (`guards.results`); a result is not rewritten',
    unicode_posttool: 'hidden characters in results are reported (`guards.results`); a result is not rewritten',
    context_suppress_posttool: 'results are not shortened by this gate',
  })
  hooks.done()
}

const SEVERITIES = ['low', 'medium', 'high', 'critical']

/** The gate reads commands itself; where Tirith should look as well, its program must be named. */
function addTirith(hooks: Settings, { notes, guards }: Pick<Parts, 'notes' | 'guards'>): void {
  const tirith = hooks.below('tirith')
  if (tirith === undefined) return
  const failOn = tirith.text('fail_on')
  if (tirith.flag('enabled') === false) {
    tirith.done('Tirith is off')
    return
  }
  tirith.done()
  notes.differs(
    tirith.place,
    hooks.named('tirith'),
    'name the absolute path of the program; until it is there people are asked about every command',
  )
  guards.scanners = [
    {
      name: 'tirith',
      command: ['/usr/local/bin/tirith', 'check', '--json', '--non-interactive', '--shell', 'posix', '--', '{command}'],
      ...(failOn !== undefined && SEVERITIES.includes(failOn) ? { fail_on: failOn } : {}),
    },
  ]
}

/** `false`, or a mapping that says so. */
function isOff(value: NonNullable<ReturnType<Settings['take']>>): boolean {
  if (value.kind === 'scalar') return value.scalar === false
  return (
    value.kind === 'map' && value.entries.some(({ key, value: on }) => key === 'enabled' && on.kind === 'scalar' && on.scalar === false)
  )
}
