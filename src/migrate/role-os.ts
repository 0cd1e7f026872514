/** Role OS's `tool-contracts.json` and `capabilities.json` as one policy that needs neither file any more. */
import type { Json, JsonObject } from '../core/json.ts'
import { readCatalogue } from '../policy/contracts/catalogue.ts'
import { readCompensator } from '../policy/manifest.ts'
import { type Importer, NothingToImport, settingsOf } from './migrated.ts'
import { Notes, type Settings } from './notes.ts'
import type { Entry, Value } from './source.ts'
import { jsonOf, readYaml } from './yaml.ts'

/** The relations that the seed's floor computes; it ignores every other. */
const COMPARISONS = ['lt', 'le', 'gt', 'ge', 'eq', 'ne']
const RELATIONS = new Set(['cmp', 'sum', 'present', 'requires', 'distinct', 'member', 'char_at'])
/** What the gate of Role OS knows; a key of its manifest that is none of these gates nothing there. */
const GATED = ['npm:publish', 'pypi:publish', 'gh:release', 'gh:pr-create', 'gh:repo-edit', 'git:push', 'pages:deploy'] as const

/** @throws where no file is one of the two. */
export const importRoleOs: Importer = (files) => {
  const notes = new Notes()
  const contracts: Record<string, Json> = Object.create(null)
  const grants: Record<string, Json> = Object.create(null)
  const compensators: Record<string, Json> = Object.create(null)
  let manifests = 0
  let catalogues = 0
  for (const document of files.flatMap(readYaml)) {
    if (document.kind !== 'map') continue
    if (isManifest(document.entries)) {
      manifests++
      addCompensators(document.entries, compensators, notes)
      addGrants(document.entries, grants, notes)
    } else if (document.entries.some(({ value }) => hasKey(value, 'params') || hasKey(value, 'contract') || hasKey(value, 'constraints'))) {
      catalogues++
      addContracts(document.entries, contracts, notes)
    }
  }
  const named = Object.keys(compensators).length === 0 ? {} : { compensators }
  if (manifests + catalogues === 0) throw new NothingToImport('no file holds contracts of tools or granted capabilities')
  return {
    policy: {
      version: 1,
      unregistered: 'ask',
      tool_families: ['claude-code'],
      ...(catalogues === 0 ? {} : { contracts: { enforcement: 'advisory', tools: contracts } }),
      ...(manifests === 0 ? {} : { capabilities: { gate: [...GATED], ...(Object.keys(grants).length === 0 ? {} : { grants }), ...named } }),
      rules: { read_only: { auto_allow: true } },
    },
    notes: notes.sorted(),
  }
}

function hasKey(value: Value, key: string): boolean {
  return value.kind === 'map' && value.entries.some((entry) => entry.key === key)
}

function isManifest(entries: readonly Entry[]): boolean {
  return entries.some(({ key, value }) => hasKey(value, 'granted') || (GATED as readonly string[]).includes(key))
}

/** Who takes an act back is told whether or not it is granted. */
function addCompensators(entries: readonly Entry[], compensators: Record<string, Json>, notes: Notes): void {
  for (const { key: action, place, value } of entries) {
    if (value.kind !== 'map') continue
    const told = value.entries.find(({ key }) => key === 'compensator')
    if (told === undefined) continue
    const read = readCompensator(jsonOf(told.value) ?? null)
    if (read === null) notes.left(place, `${action}.compensator`, 'it names no undo')
    else compensators[action] = { ...read }
  }
}

function addGrants(entries: readonly Entry[], grants: Record<string, Json>, notes: Notes): void {
  for (const { key: action, place, value } of entries) {
    const settings = settingsOf(value, notes, action)
    settings?.ignore('compensator')
    if (settings === undefined) notes.left(place, action, 'this is no grant, there or here: it stays denied')
    else if (!(GATED as readonly string[]).includes(action))
      notes.left(place, action, 'Role OS gates no such action, so the grant does nothing; gate it here with `capabilities.gate`')
    else if (settings.flag('granted') !== true) notes.differs(place, action, 'not granted: it stays denied, as an action without an entry')
    else addGrant(action, { settings, grants, notes })
  }
}

interface Granting {
  readonly settings: Settings
  readonly grants: Record<string, Json>
  readonly notes: Notes
}

function addGrant(action: string, { settings, grants, notes }: Granting): void {
  const { place } = settings
  const dated = settings.keys().includes('expires')
  const expires = settings.text('expires')
  const end = expires === undefined ? Number.NaN : Date.parse(expires)
  if (dated && Number.isNaN(end)) {
    settings.ignore('scope')
    notes.left(place, action, 'its `expires` is no date, which denies there and here')
    return
  }
  const scope = settings.text('scope')
  if (scope !== undefined) notes.differs(place, `${action}.scope`, `\`${scope}\` is enforced here: the target must be called that`)
  if (/^\d{4}-\d{2}-\d{2}$/.test(expires ?? ''))
    notes.differs(place, `${action}.expires`, 'a bare date ends at its beginning, in UTC, as it does there')
  if (!dated) notes.differs(place, action, 'it never expires; `countersign grants add` hands out grants with an end and a number of uses')
  if (action === 'git:push')
    notes.differs(place, action, 'forced pushes are not covered; add `force: true` to the scope where they should be')
  settings.done('Role OS does not read it either')
  grants[action] = { ...(scope === undefined ? {} : { scope }), ...(expires === undefined ? {} : { expires: new Date(end).toISOString() }) }
}

function addContracts(entries: readonly Entry[], contracts: Record<string, Json>, notes: Notes): void {
  for (const { key: tool, place, value } of entries) {
    const settings = settingsOf(value, notes, tool)
    if (settings === undefined) {
      notes.left(place, tool, 'this is no contract')
      continue
    }
    const contract: Record<string, Json> = {}
    const words = settings.text('contract')
    if (words !== undefined) contract.contract = words
    const params = settings.items('params')?.flatMap((each) => paramOf(each) ?? [])
    if (params !== undefined) contract.params = params
    const constraints = settings.items('constraints')?.flatMap((each) => constraintOf(each, notes) ?? [])
    if (constraints !== undefined) contract.constraints = constraints
    const state = settings.take('state_struct')
    if (state !== undefined) contract.state_struct = jsonOf(state)
    settings.done()
    const [fault] = readCatalogue(JSON.stringify({ [tool]: contract }), place.path, 'advisory').errors
    if (fault === undefined) contracts[tool] = contract
    else notes.left(place, tool, `this contract cannot be used: ${fault.message}`)
  }
}

/** With everything that the grammar here knows: the seed's five fields, and none that would be an error. */
function paramOf(settings: Settings): JsonObject | undefined {
  const name = settings.text('name')
  const type = settings.text('type')
  const required = settings.flag('required')
  const values = settings.take('enum')
  const max = settings.number('max')
  settings.done('Role OS does not check it, and neither does this import')
  if (name === undefined) return undefined
  return {
    name,
    ...(type === undefined ? {} : { type }),
    ...(required === undefined ? {} : { required }),
    ...(values?.kind === 'list' ? { enum: jsonOf(values) } : {}),
    ...(max === undefined ? {} : { max }),
  }
}

/** A relation of an unknown kind is ignored there; here it would be an error. */
function constraintOf(settings: Settings, notes: Notes): JsonObject | undefined {
  const kind = settings.text('kind')
  if (kind === undefined || !RELATIONS.has(kind)) {
    settings.ignore(...settings.keys())
    return notes.left(settings.place, settings.named('kind'), `no relation is of the kind \`${kind ?? ''}\`: Role OS ignores it`)
  }
  const relation: JsonObject = Object.fromEntries(settings.keys().map((key) => [key, key === 'kind' ? kind : jsonOf(settings.take(key))]))
  const { op } = relation
  if (typeof op !== 'string' || COMPARISONS.includes(op)) return relation
  if (kind !== 'sum') return notes.left(settings.place, settings.named('op'), `no comparison is called \`${op}\`: it proves nothing there`)
  notes.differs(
    settings.place,
    settings.named('op'),
    `no comparison is called \`${op}\`: Role OS takes it for \`eq\`, and so does the policy`,
  )
  return { ...relation, op: 'eq' }
}
