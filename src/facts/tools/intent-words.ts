/** Words of names of tools that say what something is done to. */

/** To make, change or send one of these is to move money. */
export const MONEY: ReadonlySet<string> = new Set(
  [
    'money payment payments funds ether eth sol btc bitcoin tokens crypto coins transaction payout refund cash wire',
    'remittance bill payroll payouts',
  ].flatMap((line) => line.split(' ')),
)
/** Things about money that are none: `update_payment_method`, `get_transaction_status`. */
export const ABOUT: ReadonlySet<string> = new Set('method methods status info information details note category report'.split(' '))
export const SECRETS: ReadonlySet<string> = new Set(['password', 'passwords', 'credential', 'credentials', 'secret', 'secrets'])
export const SENSITIVE: ReadonlySet<string> = new Set(
  [
    'password passwords credential credentials secret secrets permission permissions access role roles admin factor',
    'mfa 2fa authentication policy policies firewall acl privilege privileges key keys token tokens',
  ].flatMap((line) => line.split(' ')),
)

export const CHANNELS: readonly (readonly [string, string])[] = [
  ['mail:send', 'email emails mail gmail outlook inbox smtp'],
  ['sms:send', 'sms mms phone text twilio whatsapp call'],
  ['calendar:invite', 'calendar event events meeting participants invitees'],
  ['social:post', 'tweet twitter facebook instagram linkedin blog post feed status story reddit retweet webpage x'],
  ['chat:message', 'message messages slack discord telegram teams channel dm chat direct thread user'],
]

/** To pass somebody or something on to these moves no money. */
export const PEOPLE: ReadonlySet<string> = new Set('human agent agents call operator support file files data ownership'.split(' '))

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
