/** Signet's `ToolCallInspectorCheck(…)` and what stands beside it in a pipeline file, as a policy. */
import type { Json, JsonObject } from '../core/json.ts'
import { argumentsOf, given, type Importer, NothingToImport } from './migrated.ts'
import { Notes, Settings } from './notes.ts'
import { type CallValue, type PythonFile, readPython } from './python.ts'
import { UnreadableSource, type Value } from './source.ts'

const TIERS = ['low', 'medium', 'high', 'critical'] as const

const INSPECTOR = ['registry', 'max_allowed_tier', 'escalate_at_tier', 'allow_critical', 'allow_unregistered']
const SPEC = ['risk_tier', 'irreversible', 'dryrun_supported']

/** Other checks of a pipeline, and what does their work here. */
const OTHERS: Readonly<Record<string, string>> = {
  OwnerResolutionCheck: 'who asks is `principal` of the call, vouched for by the token or the host',
  LoopbackTrustCheck: 'an address is no identity here: agents on this machine use the private socket or a token',
  RateLimitCheck: 'limit calls per role with `rate_limit` under `roles`',
  PromptInjectionCheck: 'hidden characters and canaries are `guards`; requests to the model are not read by this gate',
  ClassificationGateCheck: 'classification labels have no counterpart; write `rules` on `principal.role`',
  ScopeDriftCheck: 'text that a model streams is not read by this gate',
  ContinuingConsentCheck: 'text that a model streams is not read by this gate',
  TokenBudgetCheck: 'tokens of the model are not counted by this gate',
  RegexContentCheck: 'text of requests is not read; `argument_contains` and `when` of a rule look at arguments',
  RegexOutputCheck: 'text that a model streams is not read by this gate',
}

/** One inspector becomes the registry. @throws where no file has one, or several have: each decides by itself. */
export const importSignet: Importer = (files) => {
  const notes = new Notes()
  const read = files.map(readPython)
  const [inspector, second] = read.flatMap((file) => file.calls('ToolCallInspectorCheck'))
  if (inspector === undefined) throw new NothingToImport('no file calls `ToolCallInspectorCheck(…)`')
  if (second !== undefined) throw new UnreadableSource(second.place, 'a second inspector: import each from a file of its own')
  const registry = registryOf(inspector, notes)
  const judges = tribunalOf(read, notes)
  const preview = previewOf(read, notes)
  for (const call of read.flatMap((file) => file.callsEnding('Check'))) {
    const why = Object.hasOwn(OTHERS, call.name) ? OTHERS[call.name] : undefined
    if (why !== undefined) notes.left(call.place, call.name, why)
    else if (!['ToolCallInspectorCheck', 'TribunalCheck', 'SandboxPreviewCheck'].includes(call.name))
      notes.left(call.place, call.name, 'a check of your own: write its work as `rules`')
  }
  for (const { name, place } of read.flatMap((file) => file.otherUses())) {
    notes.left(place, name, 'it is used here, too; if this line changes it, the policy does not know')
  }
  return { policy: { version: 1, default: 'ask', ...registry, ...preview, ...judges }, notes: notes.sorted() }
}

function registryOf(inspector: CallValue, notes: Notes): JsonObject {
  const settings = argumentsOf(inspector, INSPECTOR, notes)
  const open = settings.flag('allow_unregistered') === true
  if (open)
    notes.differs(inspector.place, 'allow_unregistered', 'unregistered tools run and are flagged each time; better name them under `tools`')
  const limits = given({
    max_allowed_tier: tierOf(settings, 'max_allowed_tier', notes),
    allow_critical: settings.flag('allow_critical'),
    escalation_threshold: tierOf(settings, 'escalate_at_tier', notes) ?? tierOf(settings, 'escalation_threshold', notes),
  })
  const tools = toolsOf(settings.take('registry'), notes)
  settings.done()
  return {
    unregistered: open ? 'allow' : 'deny',
    ...(Object.keys(tools).length === 0 ? {} : { tools }),
    ...(Object.keys(limits).length === 0 ? {} : { registry: limits as JsonObject }),
  }
}

/** A limit that cannot be read is the strictest one. */
function tierOf(settings: Settings, key: string, notes: Notes): string | undefined {
  const value = settings.take(key)
  if (value === undefined) return undefined
  const tier = tierIn(value)
  if (tier !== null) return tier
  notes.differs(value.place, key, 'the tier is computed, so the strictest one stands here')
  return 'low'
}

/** `RiskTier.HIGH`, its ordinal, or its name in any case. */
function tierIn(value: Value): string | null {
  if (value.kind === 'name') return TIERS.find((tier) => value.name.endsWith(`RiskTier.${tier.toUpperCase()}`)) ?? null
  if (value.kind !== 'scalar') return null
  if (typeof value.scalar === 'number') return TIERS[value.scalar] ?? null
  return typeof value.scalar === 'string' ? (TIERS.find((tier) => tier === String(value.scalar).trim().toLowerCase()) ?? null) : null
}

function toolsOf(registry: Value | undefined, notes: Notes): Record<string, JsonObject> {
  if (registry === undefined) return {}
  if (registry.kind !== 'map') {
    notes.left(registry.place, 'registry', 'the registry is computed: list its tools under `tools`; until then every call is denied')
    return {}
  }
  const tools: Record<string, JsonObject> = Object.create(null)
  for (const { key, place, value } of registry.entries) {
    const spec = specOf(value, notes)
    if (spec === null)
      notes.left(place, `registry[${JSON.stringify(key)}]`, 'the specification is computed: the tool is not registered, so it is denied')
    else tools[key] = spec
  }
  return tools
}

function specOf(value: Value, notes: Notes): JsonObject | null {
  const settings =
    value.kind === 'call' && value.name === 'ToolSpec'
      ? argumentsOf(value, SPEC, notes)
      : value.kind === 'map'
        ? new Settings(value.place, value.entries, { notes, path: 'ToolSpec' })
        : null
  if (settings === null) return null
  const written = settings.take('risk_tier')
  const tier = written === undefined ? 'low' : tierIn(written)
  if (tier === null) return null
  // What cannot be read counts as what asks for more.
  const irreversible = settings.keys().includes('irreversible') ? (settings.flag('irreversible') ?? true) : false
  const spec = given({
    risk_tier: tier,
    irreversible: irreversible ? true : undefined,
    dryrun_supported: settings.flag('dryrun_supported'),
  })
  settings.done()
  return spec as JsonObject
}

/** A policy has one of each; what further ones would add is said. */
function onlyOne(name: string, read: readonly PythonFile[], notes: Notes): CallValue | undefined {
  const [first, ...further] = read.flatMap((file) => file.calls(name))
  for (const { place } of further) notes.left(place, name, 'the policy has one of these, the first')
  return first
}

const PREVIEW = ['runner', 'policy', 'only_for_tools', 'require_dryrun_supported', 'registry']

/** Every call is tried out first, as there. */
function previewOf(read: readonly PythonFile[], notes: Notes): JsonObject {
  const call = onlyOne('SandboxPreviewCheck', read, notes)
  if (call === undefined) return {}
  const settings = argumentsOf(call, PREVIEW, notes)
  const tools = settings.texts('only_for_tools') ?? []
  const required = settings.flag('require_dryrun_supported') ?? true
  settings.ignore('registry', 'runner')
  notes.differs(
    call.place,
    'SandboxPreviewCheck',
    'commands run in the sandbox of this gate and edits are compared; a runner of your own is `openGate({ preview })` of the library',
  )
  settings.leave({ policy: 'what was seen to happen is judged by the layers as every other effect; `ask_above` limits its size' })
  settings.done()
  return {
    preview: { run: 'always', ...(tools.length === 0 ? {} : { only_for_tools: tools }), require_dryrun_supported: required } as JsonObject,
  }
}

const TRIBUNAL = ['judge_a_url', 'judge_b_url', 'judge_a_model', 'judge_b_model']

/** Two judges that every call must pass. */
function tribunalOf(read: readonly PythonFile[], notes: Notes): JsonObject {
  const call = onlyOne('TribunalCheck', read, notes)
  if (call === undefined) return {}
  const settings = argumentsOf(call, TRIBUNAL, notes)
  const member = (letter: 'a' | 'b'): JsonObject | null => {
    const [url, model] = [settings.text(`judge_${letter}_url`), settings.text(`judge_${letter}_model`)]
    return url === undefined ? null : { provider: 'openai', model: model ?? `judge-${letter}`, url }
  }
  const [a, b] = [member('a'), member('b')]
  const seconds = settings.number('timeout_seconds', 'timeout')
  if (settings.flag('require_unanimous_block') === true)
    notes.differs(call.place, 'require_unanimous_block', 'two judges that disagree never permit a call: people are asked')
  settings.leave({ max_tokens: 'the answer is one JSON object here, and its length is fixed', temperature: 'set it per judge' })
  settings.done()
  if (a === null || b === null) {
    notes.left(call.place, 'TribunalCheck', 'a judge without an address is no judge')
    return {}
  }
  notes.differs(
    call.place,
    'TribunalCheck',
    'both judges answer with a score as strict JSON, not with the word ALLOW; see docs/guide/judges.md',
  )
  const tribunal: Record<string, Json> = { provider: 'tribunal', judges: ['judge-a', 'judge-b'], timeout_seconds: Math.ceil(seconds ?? 10) }
  return {
    judges: { 'judge-a': a, 'judge-b': b, tribunal },
    tool_validation: [{ type: 'semantic', judge_agent: 'tribunal' }],
  }
}
