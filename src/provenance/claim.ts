/** What the fields of a row say of who wrote it: senders, texts that senders choose, what the service itself adds. Pure. */

/**
 * Fields in which anybody can stand with any address: who a message says that it is from, whose account a payment came from. A name in
 * a chat is that of a member.
 */
const CLAIMS = /^(?:sender|from|from_\w+|reply_?to|return_path|author|submitted_by|name_of_sender)$/

/** @param field the whole way to the value, such as `messages.sender`. */
export function isClaimed(field: string, value: string): boolean {
  if (value.includes('@')) return CLAIMS.test(lastName(field).toLowerCase())
  return isAccount(value) && isAuthorField(field)
}

export function isAccount(value: string): boolean {
  return value.length <= MAX_ACCOUNT && ACCOUNT.test(value.replace(/[ -]/g, ''))
}

const MAX_ACCOUNT = 80
/** Where money goes: an account, a wallet. */
const ACCOUNT = /^(?:[a-z]{2}\d{2}[a-z0-9]{8,30}|0x[a-f0-9]{16,64}|\d{8,20}|[a-z0-9]{26,62})$/i

/** Who sent or wrote a row. */
const AUTHORS = new RegExp(
  '^(?:(?:sender|from|payer|remitter|debtor|originator)(?:_\\w+)?|reply_?to|return_path|author(?:_(?:name|email|id))?|' +
    '(?:submitted|posted|written|sent|paid)_by|name_of_sender)$',
)
/** How a service names the user in their own rows. */
const OWN_NAMES: ReadonlySet<string> = new Set(['me', 'myself', 'self', 'you'])
/** What whoever sends a row may say in it. */
const FREE_TEXT = new RegExp(
  '(?:^|_)(?:subject|title|purpose|reference|memo|remarks?|remittance|concept|caption|headline|topic|body|text|content|message|description|' +
    'comments?|notes?|summary|details?|reason)$',
)
/** What the service itself adds to a row. */
const SERVICE = /(?:^|_)(?:id|uid|uuid|key|date|time|timestamp|at|status|state|type|folder|labels|read|recurring)_?$/
/** Numbers of somebody rather than of a row. */
const PARTY = /account|user|customer|party|payee|recipient|bank|wallet|beneficiary/

export function isAuthorField(field: string): boolean {
  return AUTHORS.test(snake(lastName(field)))
}

/** It sends answers somewhere else than to whoever wrote. */
export function isReplyField(field: string): boolean {
  return REPLIES.test(lastName(field).toLowerCase())
}

const REPLIES = /^(?:reply[_-]?to|return[_-]?path)$/

export function isOwnName(value: string): boolean {
  return OWN_NAMES.has(value.trim().toLowerCase())
}

export function isFreeText(field: string): boolean {
  return FREE_TEXT.test(snake(lastName(field)))
}

export function isServiceField(field: string): boolean {
  const name = snake(lastName(field))
  return SERVICE.test(name) && !AUTHORS.test(name) && !PARTY.test(name)
}

function lastName(field: string): string {
  return field.slice(field.lastIndexOf('.') + 1)
}

/** `senderIban` as `sender_iban`. */
function snake(name: string): string {
  return name.replace(/([a-z\d])([A-Z])/g, '$1_$2').toLowerCase()
}
