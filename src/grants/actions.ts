/**
 * What people gate, in the actions of effects: one capability for each thing that goes out of the house, whichever verb,
 * tool or server does it (Role OS's seven, ROS-W5, and their kin).
 */
const CAPABILITIES: ReadonlyMap<string, readonly string[]> = new Map([
  ['git:push', ['git:push']],
  ['npm:publish', ['npm:publish', 'npm:unpublish', 'npm:deprecate', 'npm:dist-tag', 'npm:owner']],
  ['pypi:publish', ['pypi:publish']],
  ['crates:publish', ['crates:publish', 'crates:yank', 'crates:owner']],
  ['gems:publish', ['gems:publish', 'gems:yank', 'gems:owner']],
  ['docker:push', ['docker:push']],
  ['gh:release', ['gh:release']],
  ['gh:pr-create', ['gh:pr-create']],
  ['gh:pr-merge', ['gh:pr-merge']],
  ['gh:repo-edit', ['gh:repo-edit', 'gh:repo-delete']],
  ['gh:workflow-run', ['gh:workflow-run']],
  ['pages:deploy', ['pages:deploy']],
  ['deploy', ['deploy:deploy', 'cloud:deploy', 'gitops:apply']],
  ['tf:apply', ['tf:apply', 'tf:destroy']],
  ['k8s:apply', ['k8s:apply', 'k8s:run', 'k8s:scale', 'k8s:rollout', 'k8s:expose', 'helm:install', 'helm:upgrade', 'helm:rollback']],
  ['k8s:delete', ['k8s:delete', 'k8s:drain', 'helm:uninstall']],
  ['db:migrate', ['db:migrate', 'sql:migrate']],
  ['mail:send', ['mail:send']],
  [
    'payment',
    ['payment:transfer', 'payment:refund', 'payment:billing', 'payment:object', 'pay:transfer', 'pay:charge', 'pay:refund', 'pay:change'],
  ],
])

const BY_ACTION: ReadonlyMap<string, string> = new Map(
  [...CAPABILITIES].flatMap(([capability, actions]) => actions.map((action): [string, string] => [action, capability])),
)

/** The seven that Role OS gates. */
export const ROLE_OS_GATED: readonly string[] = [
  'npm:publish',
  'pypi:publish',
  'gh:release',
  'gh:pr-create',
  'gh:repo-edit',
  'git:push',
  'pages:deploy',
]

/** Names that a policy may gate. */
export const CAPABILITY_NAMES: readonly string[] = [...CAPABILITIES.keys()]

/** Every action that a capability stands for. */
export const CAPABILITY_ACTIONS: readonly string[] = [...BY_ACTION.keys()]

/** The capability that an action belongs to; null for an action that nobody gates by name. */
export function capabilityOf(action: string): string | null {
  return BY_ACTION.get(action) ?? null
}

/** True for a capability, an action such as `k8s:delete`, or a family such as `k8s:*`. */
export function isGateName(name: string): boolean {
  return CAPABILITIES.has(name) || /^[a-z][a-z0-9-]*:(?:[a-z][a-z0-9-]*|\*)$/.test(name)
}

/** True where there is an action that both names cover, each a capability, an action or a family. */
export function overlap(a: string, b: string): boolean {
  const [mine, theirs] = [actionsOf(a), actionsOf(b)]
  return mine.some((one) => theirs.some((other) => within(one, other) || within(other, one)))
}

/** The actions that a name stands for: those of a capability, else itself, an action or a family. */
export function actionsOf(name: string): readonly string[] {
  return CAPABILITIES.get(name) ?? [name]
}

function within(action: string, name: string): boolean {
  return action === name || (name.endsWith(':*') && action.startsWith(name.slice(0, -1)))
}

/** The gated name that covers an action; null where none does. */
export function gatedBy(gate: ReadonlySet<string>, action: string): string | null {
  if (gate.has(action)) return action
  const capability = capabilityOf(action)
  if (capability !== null && gate.has(capability)) return capability
  const family = `${action.slice(0, action.indexOf(':'))}:*`
  return gate.has(family) ? family : null
}
