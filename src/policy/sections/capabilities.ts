/** Capabilities: which actions are gated, and the grants that the policy hands out or that Role OS's own files hold. */
import { isScalar } from 'yaml'
import { isKnownAction } from '../../facts/actions.ts'
import { CAPABILITY_NAMES, isGateName, overlap, ROLE_OS_GATED } from '../../grants/actions.ts'
import type { Grant, GrantScope } from '../../grants/grant.ts'
import { keysOf, NAME_FIELDS, NAME_KEYS, type NameField } from '../../grants/scope-keys.ts'
import { readDate } from '../contracts/dates.ts'
import { lintGrants } from '../lint/grants.ts'
import { declaredActions, meantAction } from '../lint/names.ts'
import { readManifest } from '../manifest.ts'
import type { CapabilitiesSection, NamedCompensator } from '../policy.ts'
import { described, either, type Field, flag, type Located, listOf, located, mapOf, text, whole } from '../reading/fields.ts'
import { suggestion } from '../reading/nearest.ts'
import { record } from '../reading/record.ts'
import { type CompileContext, section } from '../section.ts'

const scopeField = record({
  target: described(text, 'Any name of the target; `*` stands for any run of characters, here and below.'),
  ...(Object.fromEntries(NAME_FIELDS.map((field) => [field, described(text, NAME_KEYS[field].about)])) as Record<NameField, Field<string>>),
  recipient_domain: described(text, 'Domain of every recipient of a message.'),
  max_amount: described(whole(0, Number.MAX_SAFE_INTEGER), 'Highest amount of one payment, in `currency`.'),
  currency: described(text, 'Currency of the payment.'),
  force: described(flag, 'True: forced pushes, deletions and mirrors, too. Default false.'),
})

const grantField = record({
  granted: described(flag, 'False grants nothing; default true.'),
  scope: described(
    either({ when: (node) => isScalar(node), first: text, second: scopeField }),
    'What the effect must be about: one name of its target, or fields that all must hold. Default anything.',
  ),
  expires: described(located(text), 'When it ends (ISO 8601). A bare date ends at its beginning, in UTC. Default never.'),
  not_before: described(located(text), 'When it begins.'),
  count: described(whole(1, 1_000_000), 'How many effects it lets through; default any number.'),
  session: described(text, 'Only in this session.'),
  role: described(text, 'Only for this role.'),
  user: described(text, 'Only for this user.'),
  agent: described(text, 'Only for this agent.'),
  reason: described(text, 'Why, for the log.'),
})

const compensatorField = record(
  {
    how: described(text, 'What a person does to take it back.'),
    owner: described(text, 'Who can do it.'),
    until: described(text, 'By when; default always.'),
    cannot: described(text, 'What stays all the same.'),
  },
  { required: ['how', 'owner'] },
)

const capabilitiesField = record({
  files: described(
    listOf(located(text)),
    "Role OS's `capabilities.json`, beside the policy. An agent that can write such a file can grant itself what it gates: leave it out where that matters.",
  ),
  gate: described(
    listOf(located(text)),
    `Actions that need a grant: ${CAPABILITY_NAMES.map((name) => `\`${name}\``).join(', ')}, ` +
      `any other action, or a family such as \`k8s:*\`. Default: the seven of Role OS.`,
  ),
  grants: described(mapOf(grantField, unknownAction), 'Grants by action; they are as trusted as the policy itself.'),
  compensators: described(
    mapOf(compensatorField),
    'Who takes back which act, and how, by action: shown before anybody agrees. With an `undo` section, an act with one is not ' +
      'asked about for having no way back.',
  ),
})

function unknownAction(action: string) {
  if (isGateName(action)) return null
  const message = `\`${action}\` is no action that can be granted`
  return { code: 'policy.wrong_value', message, help: suggestion(action, CAPABILITY_NAMES) } as const
}

type RawCompensator = NonNullable<ReturnType<(typeof compensatorField)['read']>>
type RawGrant = NonNullable<ReturnType<(typeof grantField)['read']>>

export const capabilities = section({
  fields: () => ({ capabilities: described(capabilitiesField, 'Gated actions, and the grants that let them through (Role OS).') }),
  compile: (values, context): { capabilities: CapabilitiesSection } => {
    const raw = values.capabilities
    if (raw === undefined) return { capabilities: { gate: new Set(), grants: [], compensators: [] } }
    const own = [...(raw.grants ?? [])].flatMap(([action, each]) =>
      compileGrant(action, each, context).map((grant) => ({ grant, at: each.at })),
    )
    const files = (raw.files ?? []).map((file) => ({ at: file.at, ...readManifest(file, context) }))
    const foreign = files.flatMap(({ grants, at }) => grants.map((grant) => ({ grant, at })))
    const gate = gateOf(raw.gate, context)
    lintGrants([...own, ...foreign], gate, context)
    const compensators = [...namedCompensators(raw.compensators), ...files.flatMap((file) => file.compensators)]
    return { capabilities: { gate, grants: [...own, ...foreign].map(({ grant }) => grant), compensators } }
  },
})

function namedCompensators(raw: ReadonlyMap<string, RawCompensator> = new Map()): readonly NamedCompensator[] {
  return [...raw].map(([action, { how = '', owner = '', until = 'always', cannot = '' }]) => ({ action, how, owner, until, cannot }))
}

/** A misspelt action gates nothing, so the one that was meant runs: worth a warning where nobody declares such an action. */
function warnUnknown(name: string, at: Located<string>['at'], { registry, warn }: CompileContext): void {
  if (CAPABILITY_NAMES.includes(name) || isKnownAction(name)) return
  if (declaredActions(registry).some((action) => overlap(name, action))) return
  const hint = meantAction(name, registry)
  warn('lint.gate_unknown', `no effect has the action \`${name}\`, so this gates nothing${hint}`, at)
}

function gateOf(names: readonly Located<string>[] | undefined, context: CompileContext): ReadonlySet<string> {
  const { reader } = context
  for (const { value, at } of names ?? []) {
    if (isGateName(value)) {
      warnUnknown(value, at, context)
      continue
    }
    reader.fail({
      code: 'policy.wrong_value',
      message: `\`${value}\` is no action that can be gated`,
      help: suggestion(value, CAPABILITY_NAMES),
      at,
    })
  }
  return new Set(names === undefined ? ROLE_OS_GATED : names.map(({ value }) => value))
}

function compileGrant(action: string, raw: RawGrant, context: CompileContext): readonly Grant[] {
  if (raw.granted === false) return []
  checkScope(action, raw.scope, context)
  const grant: Omit<Grant, 'id'> = {
    action,
    scope: scopeOf(raw.scope),
    binding: { session: raw.session ?? null, role: raw.role ?? null, user: raw.user ?? null, agent: raw.agent ?? null },
    notBefore: instant(raw.not_before, context),
    expires: endOf(action, raw.expires, context),
    count: raw.count ?? null,
    parent: null,
    reason: raw.reason ?? '',
    author: 'policy',
    source: 'policy',
  }
  // A grant that is written anew, with another count or scope, starts its count anew.
  return [{ ...grant, id: `policy:${action}:${context.options.sha256(JSON.stringify(grant)).slice(0, 12)}` }]
}

/** A key that no effect of the action has would hold nothing but a grant that covers nothing, which is not what anybody means. */
function checkScope(action: string, raw: RawGrant['scope'], { reader, registry }: CompileContext): void {
  if (raw === undefined || typeof raw === 'string') return
  const declared = declaredActions(registry)
  const keys = keysOf(action, (each) => isKnownAction(each) && !declared.includes(each))
  if (keys === null) return
  const { at, ...given } = raw
  for (const [key, value] of Object.entries(given)) {
    if (value === undefined || keys.includes(key)) continue
    const message = `no effect of \`${action}\` has \`${key}\`, so this grant would cover nothing`
    reader.fail({ code: 'policy.wrong_value', message, help: `valid for it: ${keys.map((each) => `\`${each}\``).join(', ')}`, at })
  }
}

type RawScope = NonNullable<ReturnType<(typeof scopeField)['read']>>

function scopeOf(raw: string | RawScope | undefined): GrantScope {
  if (raw === undefined) return {}
  if (typeof raw === 'string') return { target: raw }
  const { at: _at, recipient_domain: recipientDomain, max_amount: maxAmount, ...rest } = raw
  return Object.fromEntries(Object.entries({ ...rest, recipientDomain, maxAmount }).filter(([, value]) => value !== undefined))
}

function endOf(action: string, written: Located<string> | undefined, context: CompileContext): number | null {
  const end = instant(written, context)
  if (end !== null && written !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(written.value)) {
    const message = `the grant of \`${action}\` ends at ${new Date(end).toISOString()}, the beginning of that day`
    context.warn('lint.grant_date', message, written.at)
  }
  return end
}

function instant(written: Located<string> | undefined, { reader }: CompileContext): number | null {
  if (written === undefined) return null
  const time = readDate(written.value)
  if (time !== undefined) return time
  reader.fail({
    code: 'policy.wrong_value',
    message: `\`${written.value}\` is no date`,
    help: 'write it as `2026-07-01T12:00:00Z`',
    at: written.at,
  })
  return null
}
