/** Words of names of tools, by what they say: what is done, and to what. */
export type Act = 'read' | 'send' | 'delete' | 'change' | 'create' | 'pay' | 'publish' | 'execute' | 'persist' | 'grant' | 'fetch'

const ACTS: Readonly<Record<Act, string>> = {
  read:
    'get list search find read view show describe fetch lookup look check count query retrieve browse inspect summarize ' +
    'summarise analyze analyse ' +
    'calculate compute estimate compare validate verify preview explain display load scan track monitor watch detect ' +
    'convert translate parse ' +
    'format think cat head tail grep ls wc sort diff stat du pwd echo mean help status ask answer classify extract ' +
    'recommend suggest predict',
  send:
    'send email mail message reply forward notify tweet retweet post share invite upload broadcast dm sms submit comment ' +
    'mention contact call text',
  delete:
    'delete remove rm destroy drop purge erase wipe truncate clear uninstall cancel terminate prune empty trash shred ' +
    'rmdir unlink deprovision revert discard void deallocate decommission',
  change:
    'update edit modify set change write append insert put patch rename move mv replace enable disable assign configure ' +
    'approve merge close resolve ' +
    'toggle mark archive restore reset reschedule adjust tune control lock start stop press save store sync apply manage ' +
    'turn mute silence ' +
    'operate navigate drive kill return exchange deactivate suspend ban unban block unblock kick demote scale rollback ' +
    'reject decline accept sign reboot restart deprecate',
  create:
    'create add new make generate book reserve register open touch mkdir cp copy clone init upload record provision fork draft duplicate',
  pay:
    'pay transfer purchase buy charge refund withdraw deposit invest trade checkout tip donate wire remit payout sell ' +
    'swap bid fund order place transact',
  publish: 'publish deploy release push launch promote rollout',
  execute:
    'execute exec run eval evaluate invoke spawn shell terminal bash command launch compile build install trigger dispatch rerun retry',
  persist: 'schedule cron autostart automate subscribe daemonize',
  grant: 'grant unlock share authorize authorise permit impersonate elevate revoke allow',
  fetch: 'download crawl scrape request http ping curl wget navigate visit resolve probe connect goto webhook',
}

/** Words that are verbs in one name and nouns in the next: they count only at the start or where no other verb is. */
export const AMBIGUOUS: ReadonlySet<string> = new Set([
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

export const ACT_OF: ReadonlyMap<string, Act> = new Map(
  (Object.keys(ACTS) as Act[]).reverse().flatMap((act) => ACTS[act].split(' ').map((word) => [word, act] as const)),
)

/** To make, change or send one of these is to move money. */
export const MONEY: ReadonlySet<string> = new Set([
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
export const ABOUT: ReadonlySet<string> = new Set([
  'method',
  'methods',
  'status',
  'info',
  'information',
  'details',
  'note',
  'category',
  'report',
])
export const SECRETS: ReadonlySet<string> = new Set(['password', 'passwords', 'credential', 'credentials', 'secret', 'secrets'])
export const SENSITIVE: ReadonlySet<string> = new Set([
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

export const CHANNELS: readonly (readonly [string, string])[] = [
  ['mail:send', 'email emails mail gmail outlook inbox smtp'],
  ['sms:send', 'sms mms phone text twilio whatsapp call'],
  ['calendar:invite', 'calendar event events meeting participants invitees'],
  ['social:post', 'tweet twitter facebook instagram linkedin blog post feed status story reddit retweet webpage x'],
  ['chat:message', 'message messages slack discord telegram teams channel dm chat direct thread user'],
]

/** To pass somebody or something on to these moves no money. */
export const PEOPLE: ReadonlySet<string> = new Set([
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

/** To make one of these is to send it. */
export const MESSAGES: ReadonlySet<string> = new Set(
  'message messages sms mms email mail tweet post reply announcement broadcast notification notifications'.split(' '),
)

/** To do this to what hangs on a thing takes it off and loses nothing of the thing. */
export const TAKING_OFF: ReadonlySet<string> = new Set(['remove', 'clear', 'purge', 'empty'])

/** What hangs on a thing, and what fills again by itself. */
export const MARKS: ReadonlySet<string> = new Set(
  [
    'label labels tag tags reaction reactions star stars like likes bookmark bookmarks favorite favorites cart cache',
    'selection highlight pin marker basket',
  ].flatMap((line) => line.split(' ')),
)

/** Lists from which something may be taken. */
export const LISTS: ReadonlySet<string> = new Set(['wishlist', 'watchlist', 'playlist'])

const PREPOSITIONS: ReadonlySet<string> = new Set('in to for with from by on at of into as via'.split(' '))

/** What the rest tells more of: `message` of `draft message in channel`, `template` of `message template`. Empty: there is none. */
export function headOf(nouns: readonly string[]): string {
  const end = nouns.findIndex((noun, i) => i > 0 && PREPOSITIONS.has(noun))
  const own = end < 0 ? nouns : nouns.slice(0, end)
  return own.includes('draft') ? 'draft' : (own.at(-1) ?? '')
}
