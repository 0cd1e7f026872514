/**
 * The keys of a grant's scope that are names: one table for coverage, for offers, for the policy and the command line, and for
 * lint. Each key says which families of actions have it, and where an effect says it.
 */
import type { Effect } from '../core/effect.ts'
import type { Json } from '../core/json.ts'
import { actionsOf } from './actions.ts'

type Read = (effect: Effect) => readonly (Json | undefined)[]

export interface NameKey {
  /** For people who write a policy. */
  readonly about: string
  /** Families of actions, or whole actions, whose effects may say it. */
  readonly of: readonly string[]
  /** Every name that the effect has under this key; what is not known of it is null or undefined. */
  readonly read: Read
}

const attribute =
  (...names: readonly string[]): Read =>
  ({ attributes }) => [names.map((name) => attributes[name]).find((value) => value !== undefined)]

const words = (text: string): readonly string[] => text.split(' ')

const PACKAGES = words('npm pypi crates gems nuget pods hex pub jsr conda maven clojars hackage luarocks nimble opam conan galaxy')
const CLUSTERS = words('k8s helm gitops')
const DATABASES = words('sql db')
const MONEY = words('payment pay')
const CLOUDS = words('cloud pages deploy tf')

/** In the order in which they are shown. */
export const NAME_KEYS = {
  package: { about: 'Name of the package.', of: PACKAGES, read: (effect) => [packageOf(effect)] },
  remote: { about: 'Name of the git remote.', of: ['git'], read: attribute('remote') },
  branch: { about: 'Every branch that is pushed.', of: ['git'], read: branches },
  repository: { about: 'Repository, by its URL or as `owner/name`.', of: words('git gh gl'), read: repository },
  host: {
    about: 'Host name.',
    of: words('sql db net http deploy cloud docker gems npm mail git gh gl k8s helm'),
    read: ({ target, attributes }) => [attributes.host ?? target.real],
  },
  context: { about: 'Context of the cluster, by its name in the kubeconfig.', of: CLUSTERS, read: attribute('context') },
  cluster: { about: 'Cluster, by its name in the kubeconfig.', of: [...CLUSTERS, 'cloud'], read: attribute('cluster') },
  namespace: {
    about: 'Namespace of the cluster.',
    of: CLUSTERS,
    read: ({ attributes }) => [attributes.all_namespaces === true ? null : attributes.namespace],
  },
  selector: { about: 'Label selector, as it is written.', of: ['k8s'], read: attribute('selector') },
  database: {
    about: 'Name of the database.',
    of: DATABASES,
    read: ({ target, attributes }) => [attributes.database ?? (target.kind === 'database' ? target.value : null)],
  },
  schema: { about: 'Schema of the database.', of: DATABASES, read: schema },
  table: { about: 'Table of the database.', of: DATABASES, read: attribute('table') },
  payee: { about: 'Who is paid.', of: MONEY, read: payee },
  account: { about: 'The account that pays, or that the cloud bills.', of: [...MONEY, 'cloud'], read: attribute('account', 'profile') },
  iban: { about: 'IBAN of who is paid.', of: MONEY, read: attribute('iban') },
  region: { about: 'Region of the cloud.', of: CLOUDS, read: attribute('region') },
  project: { about: 'Project, subscription or app of the cloud.', of: CLOUDS, read: attribute('project', 'subscription', 'app') },
  environment: {
    about: 'Environment, such as `staging`.',
    of: [...CLOUDS, ...DATABASES, 'gh', 'gitops'],
    read: ({ attributes }) => [attributes.environment ?? (attributes.production === true ? 'production' : null)],
  },
  workspace: { about: 'Workspace or stack of the infrastructure.', of: ['tf'], read: attribute('workspace', 'stack') },
} as const satisfies Record<string, NameKey>

export type NameField = keyof typeof NAME_KEYS

export const NAME_FIELDS = Object.keys(NAME_KEYS) as readonly NameField[]

/** Keys that are no names, with the families that have them. */
const OTHER_KEYS: Readonly<Record<string, readonly string[]>> = {
  recipient_domain: words('mail message calendar file'),
  max_amount: MONEY,
  currency: MONEY,
}

/** The keys that effects of this action, capability or family may have; null where nothing is known of it. */
export function keysOf(action: string, isKnown: (action: string) => boolean): readonly string[] | null {
  const actions = actionsOf(action)
  if (!actions.some(isKnown)) return null
  const families = new Set(actions.map((each) => each.slice(0, each.indexOf(':'))))
  const has = (of: readonly string[]): boolean => of.some((each) => families.has(each))
  const names = NAME_FIELDS.filter((field) => has(NAME_KEYS[field].of))
  return ['target', ...names, ...Object.keys(OTHER_KEYS).filter((key) => has(OTHER_KEYS[key] ?? [])), 'force']
}

/** Its own name where that is known or known to be unknown: a folder or a file is no name of a package. */
export function packageOf({ target, attributes }: Effect): Json | undefined {
  if (Object.hasOwn(attributes, 'package')) return attributes.package
  return target.kind === 'package' ? target.value : undefined
}

/** Several branches are pushed as one text; each must be covered. */
function branches({ attributes: { all, tags, branch } }: Effect): readonly (Json | undefined)[] {
  if (all === true || tags === true) return [null]
  return typeof branch === 'string' ? branch.split(' ') : [branch]
}

function repository({ target, attributes }: Effect): readonly (Json | undefined)[] {
  return [attributes.repository ?? attributes.url ?? (target.kind === 'repository' ? target.value : null)]
}

/** `shop.orders` names its schema. */
function schema({ attributes: { schema: named, table } }: Effect): readonly (Json | undefined)[] {
  if (named !== undefined) return [named]
  const parts = typeof table === 'string' ? table.split('.') : []
  return [parts.length > 1 ? parts.at(-2) : null]
}

function payee({ target, attributes }: Effect): readonly (Json | undefined)[] {
  return [attributes.payee ?? attributes.recipient ?? (target.kind === 'account' ? target.value : null)]
}
