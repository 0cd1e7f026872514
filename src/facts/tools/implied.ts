/** What the arguments of a tool say where the words of its name do not: a text for somebody, an amount for an account. */
import type { Collector } from './collect.ts'
import type { Intent } from './spec.ts'

const TEXTS = ['message', 'body', 'text', 'subject', 'note', 'greeting', 'caption']
const RECEIVERS = [
  ...['recipient', 'recipients', 'to', 'cc', 'bcc', 'receiver', 'email', 'to_email', 'phone', 'phone_number', 'msisdn', 'attendees'],
  ...['guests', 'audience', 'number'],
]
const PAYEES = [
  ...RECEIVERS,
  'payee',
  'beneficiary',
  'account',
  'account_id',
  'to_account',
  'iban',
  'wallet',
  'address',
  'vendor',
  'destination',
]
const AMOUNTS = ['amount', 'amount_cents', 'total', 'sum', 'value', 'points', 'credits', 'quantity']
const PERSON = /@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}$|^\+?\d[\d\s()-]{6,20}$|^[@#][\w-]{1,80}$/

/** For a name that says nothing; to create or change something that has an address is no message. */
export function impliedBy(collector: Collector): Intent | null {
  const base = { nouns: [], tier: 'high', irreversible: true } as const
  if (AMOUNTS.some((key) => typeof collector.value(key) === 'number') && PAYEES.some((key) => given(key, collector).length > 0))
    return { ...base, verb: 'pay', action: 'payment:transfer', kind: 'account' }
  if (collector.text(...TEXTS) !== null && RECEIVERS.some((key) => given(key, collector).some((text) => PERSON.test(text))))
    return { ...base, verb: 'send', action: 'message:send', kind: 'address' }
  return null
}

function given(key: string, collector: Collector): readonly string[] {
  return [...collector.all(key), ...collector.all(`${key}.*`)].map(({ text }) => text)
}
