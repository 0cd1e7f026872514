/** Capabilities and roles in words, for `policy explain`. */
import type { Grant } from '../../grants/grant.ts'
import type { CapabilitiesSection, RoleLimits, RolePolicy, RolesSection } from '../policy.ts'

export interface ToolName {
  readonly server: string | null
  readonly name: string
}

/** What needs a grant, whichever tool does it, and the grants that the policy and its files hold. Empty where nothing is gated. */
export function describeCapabilities({ gate, grants }: CapabilitiesSection): readonly string[] {
  if (gate.size === 0) return []
  return [`effects that need a grant: ${[...gate].join(', ')}`, ...grants.map((grant) => `  ${grantText(grant)}`)]
}

function grantText({ action, scope, binding, notBefore, expires, count, author, reason }: Grant): string {
  const { force, maxAmount, currency, recipientDomain, ...names } = scope
  const parts = [
    ...Object.entries(names).map(([field, name]) => `${field} ${name}`),
    ...(recipientDomain === undefined ? [] : [`recipients at ${recipientDomain}`]),
    ...(maxAmount === undefined ? [] : [`at most ${maxAmount}${currency === undefined ? '' : ` ${currency}`}`]),
    ...(maxAmount === undefined && currency !== undefined ? [`in ${currency}`] : []),
    ...(force === true ? ['force as well'] : []),
    ...Object.entries(binding).flatMap(([who, value]) => (value === null ? [] : [`for ${who} ${value}`])),
    ...(notBefore === null ? [] : [`from ${new Date(notBefore).toISOString()}`]),
    ...(expires === null ? [] : [`until ${new Date(expires).toISOString()}`]),
    ...(count === null ? [] : [count === 1 ? 'once' : `${count} times`]),
  ]
  return `${action} granted by ${author}: ${parts.length === 0 ? 'anything' : parts.join(', ')}${reason === '' ? '' : `: ${reason}`}`
}

/** What each role may do with one tool; roles that say nothing of it are left out. */
export function describeRoles(roles: RolesSection, tool: ToolName): readonly string[] {
  return [...roles].flatMap(([name, role]) => describeRole(name === '*' ? 'every caller' : `role ${name}`, role, tool))
}

function describeRole(who: string, role: RolePolicy, { server, name }: ToolName): readonly string[] {
  const denied = role.denied.find((pattern) => pattern.matches(server, name))
  if (denied !== undefined) return [`${who}: denied, by ${denied.text} in its deny list`]
  const named = (limits: readonly RoleLimits[]) => limits.filter(({ tool }) => tool.matches(server, name))
  const policies = named(role.policies)
  const capabilities = role.capabilities === null ? null : named(role.capabilities)
  if (capabilities?.length === 0) return [`${who}: denied, because none of its capabilities names the tool`]
  if (policies.length === 0 && capabilities === null) return []
  return [
    `${who}: ${role.permit ? 'permitted' : 'not denied'} within these limits, denied outside of them`,
    ...policies.map((limits) => `  ${limitsText(limits)}`),
    ...(capabilities ?? []).map((limits, index) => `  ${index === 0 ? '' : 'or '}${limitsText(limits)}`),
  ]
}

function limitsText(limits: RoleLimits): string {
  const { programs, subcommands, allowDomains, rate, maxArgsLength, maxResponseSize, maxConcurrent } = limits
  const list = (items: Iterable<string>): string => [...items].join(', ') || 'none'
  const texts = (patterns: readonly { readonly text: string }[]): string => list(patterns.map(({ text }) => text))
  const parts = [
    limits.allowCommands && `only commands ${texts(limits.allowCommands)}`,
    limits.denyCommands.length > 0 && `no command ${texts(limits.denyCommands)}`,
    programs && `only programs ${list(programs)}`,
    ...[...subcommands].map(([program, names]) => names.size > 0 && `of ${program} only ${list(names)}`),
    maxArgsLength !== null && `arguments of at most ${maxArgsLength} characters`,
    limits.allowPaths && `only paths ${texts(limits.allowPaths)}`,
    limits.denyPaths.length > 0 && `no path ${texts(limits.denyPaths)}`,
    allowDomains && `only domains ${list(allowDomains)}`,
    limits.denyDomains.length > 0 && `no domain ${list(limits.denyDomains)}`,
    maxResponseSize !== null && `responses of at most ${maxResponseSize} bytes`,
    rate && `${rate.limit} calls in ${rate.window / 1_000} s`,
    maxConcurrent !== null && `${maxConcurrent} at the same time`,
  ].filter((part) => typeof part === 'string')
  return `${limits.id}: ${parts.length === 0 ? 'no limit' : parts.join('; ')}`
}
