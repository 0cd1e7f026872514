/**
 * A first policy for the tools of a server: what each does, how much harm it may do, and what its arguments are for, with the reason for
 * each beside it. A proposal to read: it permits nothing by itself, and nothing that a server says of itself makes it milder.
 */
import { isJsonObject, type JsonObject, own } from '../../core/json.ts'
import { visibleText } from '../../facts/resources/text/visible.ts'
import { intentOf } from '../../facts/tools/intent.ts'
import { type FoundTool, findTool } from '../../facts/tools/registry.ts'
import { draftRoles } from '../../facts/tools/roles/draft.ts'
import type { RoleOf } from '../../facts/tools/roles/role.ts'
import type { Intent } from '../../facts/tools/spec.ts'

export interface DraftServer {
  readonly name: string
  readonly tools: readonly JsonObject[]
}

export interface DraftedTool {
  readonly tool: string
  /** Null: nothing is known of what it does, so a person is asked for each call. */
  readonly tier: 'low' | 'medium' | 'high' | 'critical' | null
  readonly irreversible: boolean
  readonly effect: { readonly verb: string; readonly action: string | null; readonly kind: string; readonly from: readonly string[] } | null
  readonly roles: ReadonlyMap<string, RoleOf>
  /** Why, one line each. */
  readonly why: readonly string[]
  readonly family: string | null
}

const TIERS = ['low', 'medium', 'high', 'critical'] as const

export function draftTool(server: string, tool: JsonObject): DraftedTool {
  const name = textOf(tool, 'name')
  const schema = own(tool, 'inputSchema')
  const roles = draftRoles({ inputSchema: isJsonObject(schema) ? schema : null })
  const found = findTool(server, name)
  const known = found?.sure === true ? found : null
  const byName = intentOf(name, server)
  const byWords = intentIn(textOf(tool, 'description'))
  const intent = graver(byName, byWords)
  const base = known === null ? ofIntent(intent, { byName, byWords }) : ofTable(known)
  const raised = raise(base, { tool, reads: intent?.verb === 'read' })
  const effect = known === null && intent !== null && intent.verb !== 'read' ? effectOf(intent, roles) : null
  return { tool: `${server}/${name}`, effect, roles, family: known?.family.family ?? null, ...raised }
}

type Judged = Pick<DraftedTool, 'tier' | 'irreversible' | 'why'>

function ofTable({ family, spec }: FoundTool): Judged {
  return { tier: spec.tier, irreversible: spec.irreversible ?? false, why: [`known: a tool of ${family.family}`] }
}

function ofIntent(intent: Intent | null, { byName, byWords }: { readonly byName: Intent | null; readonly byWords: Intent | null }): Judged {
  if (intent === null)
    return { tier: null, irreversible: false, why: ['neither its name nor its description says what it does: asked for each call'] }
  const from = byName === null ? 'its description' : intent === byName ? 'its name' : 'its description, which says more than its name'
  const also =
    byWords !== null && byName !== null && byWords.verb !== byName.verb && intent === byName ? ` (its description: ${byWords.verb})` : ''
  const why = `${intent.verb}${intent.action === null ? '' : ` (${intent.action})`}, by ${from}${also}`
  return { tier: intent.tier, irreversible: intent.irreversible, why: [why] }
}

/** What a server says of its tool can only raise. */
function raise({ tier, irreversible, why }: Judged, { tool, reads }: { readonly tool: JsonObject; readonly reads: boolean }): Judged {
  const annotations = own(tool, 'annotations')
  const says = (hint: string): boolean => isJsonObject(annotations) && own(annotations, hint) === true
  const meta = own(tool, '_meta')
  if (says('destructiveHint') && tier === 'low')
    return { tier: 'medium', irreversible, why: [...why, 'it says that it may destroy: raised to medium'] }
  if (says('readOnlyHint') && !reads) return { tier, irreversible, why: [...why, 'it says that it only reads: that lowers nothing'] }
  if (isJsonObject(meta) && own(meta, 'anthropic/requiresUserInteraction') === true)
    return { tier, irreversible, why: [...why, 'it says that a person has to agree'] }
  return { tier, irreversible, why }
}

function graver(one: Intent | null, other: Intent | null): Intent | null {
  if (one === null || other === null) return one ?? other
  const [a, b] = [TIERS.indexOf(one.tier), TIERS.indexOf(other.tier)]
  return b > a || (b === a && other.irreversible && !one.irreversible) ? other : one
}

/** Verbs of descriptions stand in the third person as often as not. */
const ENDINGS: readonly (readonly [RegExp, string])[] = [
  [/ies$/, 'y'],
  [/(ss|sh|ch|x|z)es$/, '$1'],
  [/s$/, ''],
]

/** What the first words of a description say, where they begin with a verb: `Deletes the account of a user`. */
function intentIn(description: string): Intent | null {
  const words =
    description
      .slice(0, 200)
      .toLowerCase()
      .match(/[a-z]+/g) ?? []
  const [first = '', ...others] = words
  const nouns = others.filter((word) => !FILLERS.has(word)).slice(0, 3)
  if (TELLING.has(first)) return null
  const bare = ENDINGS.find(([ending]) => ending.test(first))
  const verb = intentOf(first) !== null ? first : bare === undefined ? first : first.replace(bare[0], bare[1])
  const alone = intentOf(verb)
  return alone === null ? null : (intentOf([verb, ...nouns].join('_')) ?? alone)
}

/** What a tool answers, not what it does. */
const TELLING: ReadonlySet<string> = new Set(
  'returns return provides provide gives give outputs output reports report tells tell'.split(' '),
)

const FILLERS: ReadonlySet<string> = new Set(
  'a an the of to in on for from with this that all any by and or its their your one new given specific specified'.split(' '),
)

function effectOf({ verb, action, kind }: Intent, roles: ReadonlyMap<string, RoleOf>): DraftedTool['effect'] {
  const targets = [...roles].filter(([, { role }]) => role === 'target')
  const parties = targets.filter(([, { sort }]) => sort === 'party')
  const outward = verb === 'send' || verb === 'pay' || verb === 'publish'
  const from = (outward && parties.length > 0 ? parties : targets).map(([name]) => name.replace(/\.\*$/, '')).slice(0, 3)
  return { verb, action, kind, from }
}

/** The whole policy file. */
export function draftPolicy(servers: readonly DraftServer[]): string {
  const drafted = servers.flatMap(({ name, tools }) => tools.map((tool) => draftTool(name, tool)))
  const families = [...new Set(drafted.flatMap(({ family }) => family ?? []))]
  const critical = drafted.some(({ tier }) => tier === 'critical')
  return `${[
    '# Drafted by `countersign mcp --draft` from what the servers say of their tools. Read it before you use it: `countersign policy lint`.',
    'version: 1',
    'mode: enforce',
    '',
    '# What a call gets that nothing below permits, and a tool that is not listed.',
    'default: ask',
    'unregistered: ask',
    ...(families.length === 0
      ? []
      : ['', '# What Countersign knows of these tools counts, whatever the servers say.', `tool_families: [${families.join(', ')}]`]),
    ...(critical ? ['', ...CRITICAL] : []),
    '',
    '# Tools from the tier `high` on that cannot be undone are asked for. Roles of arguments say what has to be watched in them.',
    drafted.some(({ tier }) => tier !== null) ? 'tools:' : 'tools: {}',
    ...drafted.flatMap(linesOf),
    '',
    '# What runs outside of these servers does not come to the gate. So a person is asked when it is written: code that fetches a program or hides',
    '# what it does, and files with secrets that go under version control. Where your agent has the hook, too, you can take this out.',
    'hazards: { written: ask, rules: { tracked-secret: soft } }',
    '',
    'rules:',
    '  read_only: { auto_allow: true }',
    '',
  ].join('\n')}`
}

const CRITICAL: readonly string[] = [
  '# Tools of the tier `critical` are denied. With these two fields a person can agree to them:',
  '# registry: { max_allowed_tier: critical, allow_critical: true }',
]

function linesOf({ tool, tier, irreversible, effect, roles, why }: DraftedTool): readonly string[] {
  const reasons = why.map((line) => `  # ${visibleText(line)}`)
  const told = [...roles].filter(([name, role]) => isWritten(role) && /^[A-Za-z0-9_.*-]{1,100}$/.test(name))
  const sources = told.map(([name, { role, by }]) => `${name} ${role} by its ${by === 'schema' ? 'schema' : 'name'}`)
  const because = sources.length === 0 ? [] : [`  # arguments: ${sources.join(', ')}`]
  const key = /^[A-Za-z0-9_./-]+$/.test(tool) ? tool : JSON.stringify(tool)
  if (tier === null) return [...reasons, `  # ${visibleText(key)}: { risk_tier: … }`]
  const fields = [
    `risk_tier: ${tier}`,
    ...(irreversible ? ['irreversible: true'] : []),
    ...(effect === null ? [] : [`effects: [${effectText(effect)}]`]),
    ...(told.length === 0 ? [] : [`arguments: { ${told.map(([name, each]) => `${keyText(name)}: ${roleText(each)}`).join(', ')} }`]),
  ]
  return [...reasons, ...because, `  ${key}: { ${fields.join(', ')} }`]
}

function effectText({ verb, action, kind, from }: NonNullable<DraftedTool['effect']>): string {
  const names = from.filter((name) => /^[A-Za-z0-9_.-]{1,100}$/.test(name))
  return `{ verb: ${verb}${action === null ? '' : `, action: "${action}"`}, kind: ${kind}${names.length === 0 ? '' : `, from: [${names.join(', ')}]`} }`
}

function keyText(name: string): string {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? name : JSON.stringify(name)
}

function roleText({ role, sort }: RoleOf): string {
  return sort === null ? role : `${role}:${sort}`
}

/** What a server calls an option or a handle would be watched less: that is for the operator to say. */
function isWritten({ role, by }: RoleOf): boolean {
  return role === 'target' || role === 'amount' || role === 'credential' || (by === 'name' && (role === 'content' || role === 'selector'))
}

function textOf(object: JsonObject, key: string): string {
  const value = own(object, key)
  return typeof value === 'string' ? value : ''
}
