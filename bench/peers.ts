/** The rules in three libraries that answer "may this user use this tool": each by its own documented API, deny over allow. */
import { AbilityBuilder, createMongoAbility, subject } from '@casl/ability'
import { ConflictResolutionStrategy, type Policy, PolicyEngine, PolicyScope } from '@microsoft/agent-governance-sdk'
import { newEnforcer, newModelFromString } from 'casbin'
import type { Question, Rule } from './rules.ts'

export interface Peer {
  readonly name: string
  readonly decide: (question: Question) => 'allow' | 'deny'
}

/** Casbin: an ACL whose effect is "some rule allows and none denies". */
export async function casbin(rules: readonly Rule[]): Promise<Peer> {
  const model = newModelFromString(`
[request_definition]
r = sub, obj
[policy_definition]
p = sub, obj, eft
[policy_effect]
e = some(where (p.eft == allow)) && !some(where (p.eft == deny))
[matchers]
m = r.obj == p.obj && r.sub == p.sub
`)
  const enforcer = await newEnforcer(model)
  // Casbin keeps a rule once; the same pair with the same effect is one rule.
  const lines = [...new Set(rules.map(({ user, tool, effect }) => `${user}\t${tool}\t${effect}`))].map((line) => line.split('\t'))
  await enforcer.addPolicies(lines)
  return { name: 'casbin', decide: ({ user, tool }) => (enforcer.enforceSync(user, tool) ? 'allow' : 'deny') }
}

/** CASL: later rules override earlier ones, so denials come last. */
export function casl(rules: readonly Rule[]): Peer {
  const { can, cannot, build } = new AbilityBuilder(createMongoAbility)
  for (const { tool, user } of rules.filter(({ effect }) => effect === 'allow')) can('call', tool, { user })
  for (const { tool, user } of rules.filter(({ effect }) => effect === 'deny')) cannot('call', tool, { user })
  const ability = build()
  return { name: '@casl/ability', decide: ({ tool, user }) => (ability.can('call', subject(tool, { user })) ? 'allow' : 'deny') }
}

/** Agent Governance Toolkit: a policy document with conditions, deny overrides. */
export function governance(rules: readonly Rule[]): Peer {
  const engine = new PolicyEngine([], ConflictResolutionStrategy.DenyOverrides)
  const policy: Policy = {
    apiVersion: 'governance.toolkit/v1',
    name: 'bench',
    scope: PolicyScope.Global,
    default_action: 'deny',
    rules: rules.map(({ effect, tool, user }, i) => ({
      name: `rule-${i}`,
      condition: `tool == '${tool}' and user == '${user}'`,
      ruleAction: effect,
    })),
  }
  engine.loadPolicy(policy)
  return {
    name: '@microsoft/agent-governance-sdk',
    decide: ({ tool, user }) => (engine.evaluatePolicy('did:bench', { tool, user }).allowed ? 'allow' : 'deny'),
  }
}
