/**
 * Limits by role (Fullsend's tool policies, AEGIS's security context): the deny list first, then every policy that names the
 * tool, then one capability that covers the call, else nothing. Judged on parsed commands and effects, so that a second
 * command, a wrapper or a path under another name is judged like the first.
 */
import { canonicalJson } from '../../core/canonical.ts'
import type { Finding } from '../../core/finding.ts'
import type { RoleLimits, RolePolicy } from '../../policy/policy.ts'
import { finding } from '../finding.ts'
import type { Layer, LayerInput } from '../layer.ts'
import { type Breach, breachOf } from './limits.ts'
import { overRate } from './rates.ts'

export const roles: Layer = {
  name: 'roles',
  onError: 'deny',
  evaluate: (input: LayerInput): readonly Finding[] => {
    const { policy, call } = input
    if (policy.roles.size === 0) return []
    const names = call.principal.role === null ? ['*'] : ['*', call.principal.role]
    return names.flatMap((name) => {
      const role = policy.roles.get(name)
      return role === undefined ? [] : judge(name, role, input)
    })
  },
}

function judge(name: string, role: RolePolicy, input: LayerInput): readonly Finding[] {
  const { server, name: tool } = input.call.tool
  if (role.denied.some((pattern) => pattern.matches(server, tool))) {
    return [violation(name, { code: 'roles.denied', message: `tool \`${tool}\` is explicitly denied to role \`${name}\`` })]
  }
  const named = role.policies.filter((limits) => limits.tool.matches(server, tool))
  const broken = named.flatMap((limits) => breachFinding(limits, input) ?? [])
  if (broken.length > 0) return broken
  if (role.capabilities === null) return named.length > 0 && role.permit ? [permit(name, named[0] as RoleLimits)] : []
  return underCapability(name, { role, input })
}

/** The first capability that covers the call; where none does, what each of those that name the tool says (AEG-W9). */
function underCapability(name: string, { role, input }: { role: RolePolicy; input: LayerInput }): readonly Finding[] {
  const { server, name: tool } = input.call.tool
  const named = (role.capabilities ?? []).filter((limits) => limits.tool.matches(server, tool))
  const broken: Finding[] = []
  for (const limits of named) {
    const found = breachFinding(limits, input)
    if (found === null) return role.permit ? [permit(name, limits)] : []
    broken.push(found)
  }
  if (broken.length > 0) return broken
  return [violation(name, { code: 'roles.not_allowed', message: `no capability of role \`${name}\` covers tool \`${tool}\`` })]
}

function breachFinding(limits: RoleLimits, input: LayerInput): Finding | null {
  const length = limits.maxArgsLength === null ? 0 : canonicalJson(input.call.args).length
  const breach = breachOf(limits, { call: input.call, facts: input.facts, argsLength: length }) ?? overRate(limits, input)
  return breach === null ? null : violation(limits.id, breach)
}

function violation(rule: string, { code, message, verdict = 'deny' }: Breach): Finding {
  return finding({ layer: 'roles', rule, verdict, code, message, evidence: { rule } })
}

function permit(name: string, limits: RoleLimits): Finding {
  const message = `within the limits of role \`${name}\` (\`${limits.id}\`)`
  return finding({ layer: 'roles', rule: limits.id, verdict: 'allow', code: 'roles.allowed', message })
}
