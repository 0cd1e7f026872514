/** What the name of a server, or a word for a service in the name of a tool, says that the tool works on. */
import type { Verb } from '../effect.ts'
import type { Act } from '../resources/text/act-words.ts'
import { wordsOf } from '../resources/text/identifier.ts'
import type { Intent } from './spec.ts'

type Named = readonly [program: string, acts: string, verb: Verb, action: string]

/** Names of what people gate by its own name: `docker_push`, `terraform_apply`, `run_migration`. */
const NAMED: readonly Named[] = [
  ['git', 'push', 'publish', 'git:push'],
  ['npm yarn pnpm', 'publish', 'publish', 'npm:publish'],
  ['npm', 'unpublish', 'delete', 'npm:unpublish'],
  ['pypi twine', 'publish upload', 'publish', 'pypi:publish'],
  ['cargo crate crates', 'publish', 'publish', 'crates:publish'],
  ['gem gems rubygems', 'push publish', 'publish', 'gems:publish'],
  ['docker podman image registry', 'push', 'publish', 'docker:push'],
  ['terraform tofu opentofu tf', 'apply', 'change', 'tf:apply'],
  ['terraform tofu opentofu tf', 'destroy', 'delete', 'tf:destroy'],
  ['kubectl k8s kubernetes', 'apply create patch replace', 'change', 'k8s:apply'],
  ['kubectl k8s kubernetes', 'delete', 'delete', 'k8s:delete'],
  ['helm', 'install upgrade', 'change', 'helm:upgrade'],
  ['helm', 'uninstall', 'delete', 'helm:uninstall'],
  ['migration migrations migrate', 'run apply execute deploy migrate up', 'change', 'sql:migrate'],
  ['database db schema', 'migrate', 'change', 'sql:migrate'],
  ['pages', 'deploy publish', 'publish', 'pages:deploy'],
  ['terraform tofu opentofu tf', 'run', 'change', 'tf:apply'],
  ['argocd argo flux gitops', 'sync rollback', 'change', 'gitops:apply'],
  [
    'jenkins circleci buildkite teamcity travis drone pipeline workflow airflow dagster prefect dag',
    'build trigger run rerun retry start dispatch replay',
    'execute',
    'ci:run',
  ],
]

/** Servers that keep secrets: whatever they hand out by name is one. */
const KEEPERS: ReadonlySet<string> = new Set(
  '1password onepassword bitwarden lastpass keepass vault infisical doppler keychain secretsmanager'.split(' '),
)
const HANDING: ReadonlySet<string> = new Set('get read fetch reveal show retrieve lookup export'.split(' '))
const NOT_SECRET: ReadonlySet<string> = new Set(
  'vaults policies policy mounts metadata version health status info users groups audit'.split(' '),
)

/** Services that say who somebody is and what they may do. */
const IDENTITY = new Set(
  'okta auth0 keycloak cognito entra azuread ldap freeipa iam clerk workos fusionauth onelogin jumpcloud authentik zitadel tailscale'.split(
    ' ',
  ),
)
/** To do one of these to one of those changes who may come in. */
const BARRING = new Set('deactivate suspend ban unban block unblock kick demote enable disable'.split(' '))
/** Only somebody is treated so. */
const EXPELLING = new Set('ban unban kick demote'.split(' '))
const MEMBERS = new Set('user users member members account accounts admin admins collaborator collaborators employee employees'.split(' '))

/** Services in which machines, networks and programs of others run. */
const PLATFORMS = new Set(
  [
    'heroku digitalocean droplet droplets linode hetzner vultr railway flyio ovh scaleway gcp azure openstack',
    'proxmox vmware vsphere nomad rancher portainer ec2 lambda dns nameserver nameservers unifi pfsense opnsense',
    'mikrotik meraki',
  ].flatMap((line) => line.split(' ')),
)

const MAIL = new Set('mail email gmail outlook inbox mailbox exchange imap'.split(' '))
const MAIL_SETTINGS = new Set(
  'rule rules filter filters forwarding delegate delegates autoforward vacation autoresponder signature'.split(' '),
)

const ADVERTS = new Set('ad ads adset adgroup campaign campaigns advertising'.split(' '))
const SPENDING = new Set('budget budgets bid bids'.split(' '))

/** What somebody earns or owes from then on. */
const OWED = new Set('salary payroll compensation wage wages loan mortgage credit'.split(' '))

/** Who sees it from then on. */
const AUDIENCE = new Set('privacy visibility'.split(' '))

/** To answer one of these is to give somebody's word. */
const ANSWERS = new Set('approve reject accept decline sign'.split(' '))
const ASKING = new Set(
  [
    'report reports request requests expense expenses invoice invoices contract contracts agreement agreements',
    'offer offers order orders candidate candidates application applications timesheet timesheets quote proposal',
    'document terms',
  ].flatMap((line) => line.split(' ')),
)

const LINKS = new Set('link links url'.split(' '))
const SHARED = new Set('shared sharing public share'.split(' '))

/** Acts that leave something other than it was, and say nothing graver than that. */
const LASTING: ReadonlySet<Act> = new Set<Act>(['delete', 'change', 'create'])

type Kind = Pick<Intent, 'verb' | 'action' | 'kind'> & Partial<Pick<Intent, 'irreversible'>>

/** A name in its parts. */
export interface NameWords {
  readonly words: readonly string[]
  /** The words that are not the verb. */
  readonly nouns: readonly string[]
  /** Words of the server's name. */
  readonly server: readonly string[]
}

/** Stores elsewhere: a path that one of their tools deletes is none of this machine. */
const STORES = new Set('firestore firebase dropbox onedrive sharepoint gdrive s3 gcs blob webdav nextcloud'.split(' '))

export function isRemoteStore(name: string, server: string | null): boolean {
  return [...wordsOf(name), ...wordsOf(server ?? '')].some((word) => STORES.has(word))
}

/** Null where the name speaks of no act that people gate by a name of its own. */
export function serviceIntent(name: NameWords): Intent | null {
  const { words, nouns, server } = name
  if (server.some((word) => KEEPERS.has(word)) && HANDING.has(words[0] ?? '') && !words.some((word) => NOT_SECRET.has(word)))
    return { nouns, kind: 'resource', irreversible: false, verb: 'read', action: 'secret:read', tier: 'high' }
  const found = isTelling(words) ? null : knownByName(name)
  return found === null ? null : { irreversible: false, ...found, nouns, tier: 'high' }
}

const isTelling = (words: readonly string[]): boolean => READING.has(words[0] ?? '') || TOLD.has(words.at(-1) ?? '')

function knownByName({ words, server }: Pick<NameWords, 'words' | 'server'>): Kind | null {
  const says = (list: string): boolean => list.split(' ').some((word) => words.includes(word))
  const about = (list: string): boolean => says(list) || list.split(' ').some((word) => server.includes(word))
  const found = NAMED.find(([program, acts]) => about(program) && says(acts))
  if (found === undefined) return null
  const [, , verb, action] = found
  return { kind: 'resource', verb, action, irreversible: verb !== 'change' && verb !== 'execute' }
}

interface Lasting {
  readonly says: (list: ReadonlySet<string>) => boolean
  /** In the name of the tool or of its server. */
  readonly about: (list: ReadonlySet<string>) => boolean
  readonly act: Act
}

const ACCESS: Kind = { verb: 'change', action: 'access:grant', kind: 'account' }
const BILLING: Kind = { verb: 'change', action: 'payment:billing', kind: 'account' }

/** What is changed for good, by what it belongs to; the first that fits counts. */
const BELONGING: readonly (readonly [fits: (name: Lasting) => boolean, kind: Kind])[] = [
  [
    ({ says, about }) => about(IDENTITY) || says(EXPELLING) || (says(BARRING) && says(MEMBERS)),
    { verb: 'change', action: 'account:security', kind: 'account' },
  ],
  [({ says, about }) => says(MAIL_SETTINGS) && about(MAIL), { verb: 'change', action: 'mail:settings', kind: 'resource' }],
  [({ says, about }) => says(SPENDING) && about(ADVERTS), BILLING],
  [({ says, act }) => says(OWED) && act !== 'delete', BILLING],
  [({ says }) => says(AUDIENCE), ACCESS],
  [({ says }) => says(ANSWERS) && says(ASKING), { verb: 'change', action: 'agreement:answer', kind: 'resource', irreversible: true }],
  [({ says, act }) => says(LINKS) && says(SHARED) && act !== 'delete', ACCESS],
  [({ about }) => about(PLATFORMS), { verb: 'change', action: 'cloud:update', kind: 'resource' }],
]

/**
 * What an act that nothing graver is known of comes to at the service that the name speaks of; null where it speaks of none. Sending, paying
 * and granting are told before, so that a service never makes a call look milder.
 */
export function lasting({ words, server }: Pick<NameWords, 'words' | 'server'>, act: Act): (Kind & { readonly tier: 'high' }) | null {
  if (isTelling(words) || !LASTING.has(act)) return null
  const says = (list: ReadonlySet<string>): boolean => words.some((word) => list.has(word))
  const about = (list: ReadonlySet<string>): boolean => says(list) || server.some((word) => list.has(word))
  const found = BELONGING.find(([fits]) => fits({ says, about, act }))
  if (found === undefined) return null
  const kind = { ...found[1], tier: 'high' as const }
  return act === 'delete' && kind.action !== 'mail:settings' ? { ...kind, verb: 'delete', irreversible: true } : kind
}

/** `docker_push_status`: names that tell of it. */
const TOLD: ReadonlySet<string> = new Set('status info logs log history jobs details docs help'.split(' '))

/** `get_migration_status`, `list_docker_push_jobs`: names that ask about it. */
const READING: ReadonlySet<string> = new Set(
  'get list show describe check search find read view fetch explain plan validate preview'.split(' '),
)
