/** What an unknown tool does by the words of its name. A name is only a claim, so nothing here is ever certain. */
import type { TargetKind, Verb } from '../effect.ts'
import type { Tier } from './spec.ts'
import { wordsOf } from './words.ts'

export interface Intent {
  readonly verb: Verb
  readonly action: string | null
  readonly kind: TargetKind
  readonly tier: Tier
  readonly irreversible: boolean
  /** The words that are not the verb: what it is done to. */
  readonly nouns: readonly string[]
}

type Act = 'read' | 'send' | 'delete' | 'change' | 'create' | 'pay' | 'publish' | 'execute' | 'persist' | 'grant' | 'fetch'

const ACTS: Readonly<Record<Act, string>> = {
  read:
    'get list search find read view show describe fetch lookup look check count query retrieve browse inspect summarize summarise analyze analyse ' +
    'calculate compute estimate compare validate verify preview explain display load scan track monitor watch detect convert translate parse ' +
    'format think cat head tail grep ls wc sort diff stat du pwd echo mean help status ask answer classify extract recommend suggest predict',
  send: 'send email mail message reply forward notify tweet retweet post share invite upload broadcast dm sms submit comment mention contact call text',
  delete:
    'delete remove rm destroy drop purge erase wipe truncate clear uninstall cancel terminate prune empty trash shred rmdir unlink deprovision revert discard',
  change:
    'update edit modify set change write append insert put patch rename move mv replace enable disable assign configure approve merge close resolve ' +
    'toggle mark archive restore reset reschedule adjust tune control lock start stop press save store sync apply manage ' +
    'operate navigate drive kill return exchange',
  create:
    'create add new make generate book reserve register open touch mkdir cp copy clone init upload record provision fork draft duplicate',
  pay: 'pay transfer purchase buy charge refund withdraw deposit invest trade checkout tip donate wire remit payout sell swap bid fund order place transact',
  publish: 'publish deploy release push launch promote rollout',
  execute: 'execute exec run eval evaluate invoke spawn shell terminal bash command launch compile build install',
  persist: 'schedule cron autostart automate subscribe daemonize',
  grant: 'grant unlock share authorize authorise permit impersonate elevate revoke allow',
  fetch: 'download crawl scrape request http ping curl wget navigate visit resolve probe connect goto webhook',
}

/** Words that are verbs in one name and nouns in the next: they count only at the start or where no other verb is. */
const AMBIGUOUS: ReadonlySet<string> = new Set([
  ...[
    'email',
    'mail',
    'message',
    'post',
    'comment',
    'call',
    'text',
    'share',
    'order',
    'transfer',
    'trade',
    'schedule',
    'book',
    'record',
    'lock',
  ],
  ...[
    'draft',
    'command',
    'shell',
    'terminal',
    'bash',
    'request',
    'release',
    'check',
    'query',
    'search',
    'view',
    'status',
    'track',
    'store',
    'set',
  ],
  ...[
    'archive',
    'control',
    'fund',
    'sell',
    'contact',
    'tip',
    'wire',
    'answer',
    'help',
    'http',
    'webhook',
    'sms',
    'dm',
    'tweet',
    'mention',
    'save',
  ],
  ...[
    'invite',
    'open',
    'close',
    'start',
    'stop',
    'new',
    'empty',
    'clear',
    'build',
    'fork',
    'head',
    'tail',
    'sort',
    'load',
    'cat',
    'stat',
    'mean',
  ],
])

const ACT_OF: ReadonlyMap<string, Act> = new Map(
  (Object.keys(ACTS) as Act[]).reverse().flatMap((act) => ACTS[act].split(' ').map((word) => [word, act] as const)),
)

/** To make, change or send one of these is to move money. */
const MONEY: ReadonlySet<string> = new Set([
  ...[
    'money',
    'payment',
    'payments',
    'funds',
    'ether',
    'eth',
    'sol',
    'btc',
    'bitcoin',
    'tokens',
    'crypto',
    'coins',
    'transaction',
    'payout',
  ],
  ...['refund', 'cash', 'wire', 'remittance', 'bill'],
])
/** Things about money that are none: `update_payment_method`, `get_transaction_status`. */
const ABOUT: ReadonlySet<string> = new Set(['method', 'methods', 'status', 'info', 'information', 'details', 'note', 'category', 'report'])
const SECRETS: ReadonlySet<string> = new Set(['password', 'passwords', 'credential', 'credentials', 'secret', 'secrets'])
const SENSITIVE: ReadonlySet<string> = new Set([
  ...[
    'password',
    'passwords',
    'credential',
    'credentials',
    'secret',
    'secrets',
    'permission',
    'permissions',
    'access',
    'role',
    'roles',
    'admin',
  ],
  ...[
    'factor',
    'mfa',
    '2fa',
    'authentication',
    'policy',
    'policies',
    'firewall',
    'acl',
    'privilege',
    'privileges',
    'key',
    'keys',
    'token',
    'tokens',
  ],
])

const CHANNELS: readonly (readonly [string, string])[] = [
  ['mail:send', 'email emails mail gmail outlook inbox smtp'],
  ['sms:send', 'sms mms phone text twilio whatsapp call'],
  ['calendar:invite', 'calendar event events meeting participants invitees'],
  ['social:post', 'tweet twitter facebook instagram linkedin blog post feed status story reddit retweet webpage x'],
  ['chat:message', 'message messages slack discord telegram teams channel dm chat direct thread user'],
]

/** The intent of a name, or null where no word of it is known. What the server goes by may say what its tools work on. */
export function intentOf(name: string, server: string | null = null): Intent | null {
  const key = `${server ?? ''}\n${name}`
  const known = INTENTS.get(key)
  if (known !== undefined) return known
  const intent = readIntent(name, server)
  if (INTENTS.size >= MAX_INTENTS) INTENTS.clear()
  if (key.length <= MAX_KEPT) INTENTS.set(key, intent)
  return intent
}

/** A name is asked about several times in one decision, and the same few names all day. */
const INTENTS = new Map<string, Intent | null>()
const MAX_INTENTS = 1_024
/** UTF-16 units of a name that is kept. */
const MAX_KEPT = 256

function readIntent(name: string, server: string | null): Intent | null {
  const words = wordsOf(name)
  const index = verbIndex(words)
  const nouns = words.filter((_, i) => i !== index)
  const own = named(words, nouns, server === null ? [] : wordsOf(server))
  if (own !== null || index < 0) return own
  return describe(actOf(words[index] ?? '', nouns), nouns, words)
}

/** Who is called or texted; without one, a program is called and a text is edited. */
const REACHABLE: ReadonlySet<string> = new Set(
  'user users customer client contact person people patient number phone doctor driver support sms message emergency police owner back'.split(
    ' ',
  ),
)

function actOf(word: string, nouns: readonly string[]): Act {
  if (nouns.length > 0 && !nouns.some((noun) => REACHABLE.has(noun))) {
    if (word === 'call') return 'execute'
    if (word === 'text') return 'change'
  }
  return ACT_OF.get(word) ?? 'read'
}

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
]

/** Servers that keep secrets: whatever they hand out by name is one. */
const KEEPERS: ReadonlySet<string> = new Set(
  '1password onepassword bitwarden lastpass keepass vault infisical doppler keychain secretsmanager'.split(' '),
)
const HANDING: ReadonlySet<string> = new Set('get read fetch reveal show retrieve lookup export'.split(' '))
const NOT_SECRET: ReadonlySet<string> = new Set(
  'vaults policies policy mounts metadata version health status info users groups audit'.split(' '),
)

function named(words: readonly string[], nouns: readonly string[], server: readonly string[]): Intent | null {
  const says = (list: string): boolean => list.split(' ').some((word) => words.includes(word))
  const about = (list: string): boolean => says(list) || list.split(' ').some((word) => server.includes(word))
  if (server.some((word) => KEEPERS.has(word)) && HANDING.has(words[0] ?? '') && !words.some((word) => NOT_SECRET.has(word)))
    return { nouns, kind: 'resource', irreversible: false, verb: 'read', action: 'secret:read', tier: 'high' }
  const found = NAMED.find(([program, acts]) => about(program) && says(acts))
  if (found === undefined || READING.has(words[0] ?? '') || TOLD.has(words.at(-1) ?? '')) return null
  return { nouns, kind: 'resource', irreversible: found[2] !== 'change', verb: found[2], action: found[3], tier: 'high' }
}

/** `docker_push_status`: names that tell of it. */
const TOLD: ReadonlySet<string> = new Set('status info logs log history jobs details docs help'.split(' '))

/** `get_migration_status`, `list_docker_push_jobs`: names that ask about it. */
const READING: ReadonlySet<string> = new Set(
  'get list show describe check search find read view fetch explain plan validate preview'.split(' '),
)

/** From the mildest to the gravest. */
const GRAVITY: readonly Act[] = ['read', 'fetch', 'create', 'change', 'persist', 'grant', 'execute', 'publish', 'send', 'delete', 'pay']
const JOINING: ReadonlySet<string> = new Set(['and', 'then', 'or', 'plus', 'n'])

/** `fetch_and_purge_cache` says two things: the graver one counts. */
function verbIndex(words: readonly string[]): number {
  const joined: number[] = []
  for (const [i, word] of words.entries()) if (ACT_OF.has(word) && (i === 0 || JOINING.has(words[i - 1] ?? ''))) joined.push(i)
  if (joined.length < 2) return onlyVerbIndex(words)
  const gravity = (i: number) => GRAVITY.indexOf(ACT_OF.get(words[i] ?? '') ?? 'read')
  return joined.reduce((gravest, i) => (gravity(i) > gravity(gravest) ? i : gravest))
}

function onlyVerbIndex(words: readonly string[]): number {
  const strict = words.findIndex((word) => ACT_OF.has(word) && !AMBIGUOUS.has(word))
  const first = ACT_OF.get(words[0] ?? '')
  const mild = MILD.has(ACT_OF.get(words[strict] ?? '') ?? 'read')
  if (first !== undefined && (strict <= 0 || (mild && !MILD.has(first) && first !== 'read'))) return 0
  if (strict >= 0) return strict
  const reading = words.findIndex((word) => ACT_OF.get(word) === 'read')
  return reading >= 0 ? reading : words.findIndex((word) => ACT_OF.has(word))
}

/** `post_update` posts, and does not only update. */
const MILD: ReadonlySet<Act> = new Set<Act>(['change', 'create'])

function describe(act: Act, nouns: readonly string[], words: readonly string[]): Intent {
  const sensitive = nouns.some((noun) => SENSITIVE.has(noun))
  const base = { nouns, kind: 'resource', irreversible: false } as const
  if (act === 'read') return { ...base, verb: 'read', kind: nouns.includes('env') ? 'variable' : 'resource', ...reading(nouns) }
  if (act === 'fetch') return { ...base, verb: 'fetch', action: null, tier: 'medium' }
  if (isPayment(act, nouns))
    return { ...base, verb: 'pay', action: 'payment:transfer', kind: 'account', tier: 'critical', irreversible: true }
  if (act === 'send' || (act === 'grant' && words.includes('share')))
    return { ...base, ...sending(words), tier: 'high', irreversible: true }
  if (act === 'grant' || (sensitive && act !== 'delete')) {
    return { ...base, verb: 'change', action: sensitive ? 'account:security' : 'access:grant', kind: 'account', tier: 'high' }
  }
  const installs = words.includes('install') && act !== 'delete' && act !== 'publish'
  return { ...base, ...(installs ? INSTALLING : DOING[act]) }
}

type Doing = Pick<Intent, 'verb' | 'action' | 'tier'> & Partial<Pick<Intent, 'kind' | 'irreversible'>>

const INSTALLING: Doing = { verb: 'execute', action: 'pkg:install', kind: 'package', tier: 'medium' }
const CHANGING: Doing = { verb: 'change', action: 'resource:change', tier: 'medium' }

/** What acts are where nouns do not tell. A `pay` that moves no money (`pay_agent`) only changes something. */
const DOING: Readonly<Record<Exclude<Act, 'read' | 'fetch' | 'send' | 'grant'>, Doing>> = {
  delete: { verb: 'delete', action: 'resource:delete', tier: 'high', irreversible: true },
  publish: { verb: 'publish', action: 'resource:publish', tier: 'high', irreversible: true },
  execute: { verb: 'execute', action: 'tool:execute', kind: 'program', tier: 'high' },
  persist: { verb: 'persist', action: 'resource:schedule', tier: 'medium' },
  create: { verb: 'change', action: 'resource:create', tier: 'medium' },
  change: CHANGING,
  pay: CHANGING,
}

/** `transfer_funds`, `make_payment`, `schedule_transaction` and `buy` move money; `transfer_to_human` does not. */
function isPayment(act: Act, nouns: readonly string[]): boolean {
  if (nouns.some((noun) => PEOPLE.has(noun)) || nouns.some((noun) => ABOUT.has(noun))) return false
  return (
    act === 'pay' ||
    (nouns.some((noun) => MONEY.has(noun)) && (act === 'create' || act === 'change' || act === 'send' || act === 'persist'))
  )
}

const PEOPLE: ReadonlySet<string> = new Set([
  'human',
  'agent',
  'agents',
  'call',
  'operator',
  'support',
  'file',
  'files',
  'data',
  'ownership',
])

function reading(nouns: readonly string[]): { readonly action: string | null; readonly tier: Tier } {
  return nouns.some((noun) => SECRETS.has(noun)) ? { action: 'secret:read', tier: 'high' } : { action: null, tier: 'low' }
}

function sending(words: readonly string[]): { readonly verb: Verb; readonly action: string; readonly kind: TargetKind } {
  if (words.includes('upload') || words.includes('file') || words.includes('files'))
    return { verb: 'send', action: 'file:share', kind: 'resource' }
  const channel = CHANNELS.find(([, names]) => names.split(' ').some((name) => words.includes(name)))
  return { verb: 'send', action: channel?.[0] ?? 'message:send', kind: 'address' }
}
