/** Roles by the words of an argument's name. Data: a word is looked up from the end of the name, where the noun stands. */
import { wordsOf } from '../../resources/text/identifier.ts'
import type { ArgumentRole, TargetSort } from './role.ts'

/** `target:party` and its like, or a role. */
type RoleWord = ArgumentRole | `target:${TargetSort}`

const WORDS: readonly (readonly [RoleWord, string])[] = [
  [
    'handle',
    'tab session cursor continuation window frame connection conversation run trace etag offset checkpoint correlation idempotency nonce input element ' +
      'field xpath uid',
  ],
  ['credential', 'password passwd passphrase passcode pin otp secret credential credentials apikey token mfa totp cvv key'],
  ['amount', 'amount total sum price budget fee cost quantity qty tip discount percentage'],
  [
    'content',
    'body text content contents message messages subject title description comment note notes summary reason html markdown prompt caption ' +
      'location details data payload thought question answer reply bio string str headline label labels attachment attachments value values inputs fields',
  ],
  [
    'selector',
    'query filter pattern regex keyword keywords search sort order_by select where columns category categories glob expression range',
  ],
  [
    'target:party',
    'to cc bcc recipient recipients receiver payee beneficiary vendor email emails mail user users username login account accounts iban wallet ' +
      'participant participants attendee attendees invitee invitees guest guests member members collaborator collaborators assignee assignees ' +
      'reviewer reviewers owner owners person people contact contacts phone mobile customer patient friend friends follower tenant principal ' +
      'organization organisation team group role payer sender author',
  ],
  [
    'target:place',
    'url urls uri href link links webhook endpoint host hostname domain domains ip server channel channels chat room thread repo repository ' +
      'repositories remote bucket database site website page registry cluster namespace queue topic device',
  ],
  [
    'target:thing',
    'path paths file files filepath filename filenames dir directory folder folders branch destination dest dst source src target address ' +
      'event order item product document invoice ticket issue',
  ],
  [
    'option',
    'date time day start end due deadline until since timezone when month year duration recurring enabled force overwrite dry limit count max min ' +
      'page_size size n top per offset format type mode level priority status state permission permissions visibility public private language lang ' +
      'locale currency unit units encoding timeout retries verbose recursive cabin class insurance quality width height depth color sort_by ' +
      'action operation run_in_background replace_all multiline head_limit output_mode',
  ],
  ['code', 'command commands cmd cmdline script sql statement code source snippet patch diff'],
]

const BY_WORD: ReadonlyMap<string, RoleWord> = new Map(
  WORDS.flatMap(([told, list]) => list.split(' ').map((word): [string, RoleWord] => [word, told])).reverse(),
)

/** Words that say which, not what: the word before them decides, `user_id` is a user, `message_id` is a thing. */
const WHICH: ReadonlySet<string> = new Set('id ids name names number no uuid guid ref uid key slug handle field list array'.split(' '))
/** Whoever is named by an id is still somebody; a mail, a file or a page that is named by one is a thing to act on. */
const PEOPLE_BY_ID: ReadonlySet<string> = new Set(
  (
    'user users phone account accounts recipient payee beneficiary vendor customer contact member group team role owner assignee person organization ' +
    'organisation tenant wallet channel channels chat room repo repository bucket database device'
  ).split(' '),
)

/** What makes something cheaper touches nobody. */
const DISCOUNTS: ReadonlySet<string> = new Set(
  'discount coupon promo promotion voucher referral country currency language postal zip'.split(' '),
)

export interface Named {
  readonly role: ArgumentRole
  readonly sort: TargetSort | null
}

/** Null where the name says nothing. */
export function roleByName(name: string): Named | null {
  const words = wordsOf(name)
  const whole = BY_WORD.get(words.join('_'))
  if (whole !== undefined) return told(whole)
  const last = words.at(-1) ?? ''
  if (words.length > 1 && WHICH.has(last)) return byId(words.slice(0, -1), last)
  if (WHICH.has(last)) return last === 'key' ? told('credential') : { role: 'target', sort: 'thing' }
  // `discount_code` names something; only alone it is a program.
  if (words.length > 1 && last === 'code') return DISCOUNTS.has(words.at(-2) ?? '') ? told('option') : { role: 'target', sort: 'thing' }
  const found = BY_WORD.get(last) ?? BY_WORD.get(words[0] ?? '')
  return found === undefined ? null : told(found)
}

/** `id`, `transaction_id`: it says which record, and neither where something goes nor who somebody is. */
export function isIdentifier(name: string): boolean {
  const words = wordsOf(name)
  const what = words.at(-2) ?? ''
  return IDENTIFIERS.has(words.at(-1) ?? '') && !PEOPLE_BY_ID.has(what) && !GOES_TO.has(what)
}

const IDENTIFIERS: ReadonlySet<string> = new Set('id ids uuid guid ref number no'.split(' '))
const GOES_TO: ReadonlySet<string> = new Set('to destination dest dst target receiver iban address phone'.split(' '))

function byId(before: readonly string[], last: string): Named {
  if (last === 'key') return told('credential')
  const what = before.at(-1) ?? ''
  const found = BY_WORD.get(what)
  return found !== undefined && (found === 'handle' || PEOPLE_BY_ID.has(what)) ? told(found) : { role: 'target', sort: 'thing' }
}

function told(told: RoleWord): Named {
  return told.startsWith('target:') ? { role: 'target', sort: told.slice(7) as TargetSort } : { role: told as ArgumentRole, sort: null }
}
