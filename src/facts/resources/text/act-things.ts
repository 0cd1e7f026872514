/**
 * What acts are done to, where a word of a name says so: the same verb is grave of somebody's account and nothing of a cache.
 * Each list says why its words are in it.
 */

const listed = (...lines: readonly string[]): ReadonlySet<string> => new Set(lines.flatMap((line) => line.split(' ')))

/** Other people, what they may do and what they own: whoever changes it changes it for them, and often they are shut out or let in. */
const PEOPLES = listed(
  // people, by themselves and together
  'user users account accounts member members membership memberships team teams group groups org orgs organization organizations',
  'organisation organisations owner owners collaborator collaborators maintainer maintainers customer customers contact contacts',
  'subscriber subscribers attendee attendees patient patients student students employee employees tenant tenants',
  // what lets them in
  'role roles permission permissions policy policies acl acls invitation invitations invite invites token tokens apikey apikeys',
  'secret secrets credential credentials password passwords passcode pin pins mfa 2fa otp certificate certificates cert certs sessions',
  // what is owed and sold
  'payment payments invoice invoices order orders refund refunds payout payouts subscription subscriptions shipment shipments wallet',
  'wallets stock license licenses reservation reservations booking bookings ticket tickets charge charges',
)

/** Machines, and data that others read: what is lost there does not come back from the workspace. */
const STORES = listed(
  'cluster clusters node nodes instance instances server servers vm vms machine machines droplet droplets host hosts fleet',
  'volume volumes disk disks partition partitions database databases db dbs schema bucket buckets queue queues topic topics stream streams',
  'table tables index indexes dns domain domains zone zones record records firewall device devices webhook webhooks backup backups',
  'quota quotas prod production live ledger ledgers mailbox mailboxes inbox data',
)

/** Settings of the program itself and parts of the project, on this machine: written again as easily. */
const LOCAL = listed(
  'config configs configuration setting settings preference preferences option options telemetry completion completions alias aliases',
  'theme themes local pane panes window windows tab tabs layout keybinding keybindings color colors font fonts linter linters',
  'typings directory folder template templates boilerplate scaffold component components snippet snippets fixture fixtures mock mocks',
  'test tests doc docs example examples story stories translation translations locale locales dependency dependencies dep deps lockfile',
  'migration migrations cache caches tmp temp workspace',
)

/** What fills again by itself. */
const REFILLED = listed('cache caches tmp temp temporary telemetry completion completions screen coverage dist')
/** What a program leaves out of what it makes, where an option says so: `--remove-comments`. */
const LEFT_OUT = listed(
  'comments comment console whitespace blanks duplicates unused imports empty ansi colors metadata debugger orphans dangling',
)

export const isPeoples = (word: string): boolean => PEOPLES.has(word)
export const isWeighty = (word: string): boolean => PEOPLES.has(word) || STORES.has(word)
export const isLocal = (word: string): boolean => LOCAL.has(word)
export const isRefilled = (word: string): boolean => REFILLED.has(word)
export const isLeftOut = (word: string): boolean => REFILLED.has(word) || LEFT_OUT.has(word)
