import { secretName } from '../../../resources/secret/names.ts'
import { ACT_OF, type Act, AMBIGUOUS } from '../../../resources/text/act-words.ts'
import { known } from '../../interpret/reading.ts'
import type { Call } from '../../interpret/run.ts'
import { FROM, flag, object, taintOf, text, type Value } from '../../interpret/value.ts'
import { lastName, operationName } from './roots.ts'

/**
 * Objects of packages that nothing is known of, made with a secret or with the address of a service: whatever they are, they speak for
 * somebody's account there. What deletes, sends, publishes, pays or grants by its name is told to that account.
 */

const GRAVE: ReadonlySet<Act> = new Set<Act>(['send', 'publish', 'delete', 'grant', 'pay'])
/** What programs do to objects of their own all day, and what is said of a request and not of an account. */
const OWN = new Set(
  'post clear empty order return message mail call text void revert overwrite jettison allow expose share notify'.split(' '),
)

/** Whether a call tells an account something that is not taken back, by its name. A function that is handed over is called back: that sets up. */
export function tellsAccount({ name, args, named, self }: Call): boolean {
  if ([...args, ...named.values()].some(({ kind }) => kind === 'function')) return false
  if (
    MAKES.test(name) &&
    self?.kind === 'method' &&
    operationName(self.name)
      .split('-')
      .some((word) => OUT.test(word))
  )
    return true
  const words = operationName(lastName(name)).split('-')
  const [first = ''] = words
  if (OWN.has(first) || (AMBIGUOUS.has(first) && words.length > 1)) return false
  return GRAVE.has(ACT_OF.get(first) ?? 'read')
}

/** `payments.create`: what is made is as grave as what it is. */
const MAKES = /^(?:create|new|add|submit|issue|make)$/
const OUT = /^(?:payments?|refunds?|payouts?|transfers?|charges?|withdrawals?|invitations?|invites?|emails?|sms|broadcasts?)$/

const WEB = /^https:\/\/(?!localhost\b|127\.)(?:[\w-]{1,63}\.){1,8}[a-z]{2,24}(?::\d{1,5})?(?:\/[\w./-]{0,80})?$/i
/** How what is made, or what makes it, is called: `ZabbixAPI`, `connect`. */
const MADE = /(?:api|client|session|service|connection|connect|login|account)$/i
/** Names under which a secret is handed over. */
const HANDED = /^(?:access|api|auth|bearer|personal|private|secret)?_?(?:token|key|secret|password)$/i

/** Where the account is that a package is opened for: its address, else the name of what opens it; null where none is opened. */
export function accountOpened(call: Call): string | null {
  const name = lastName(call.name)
  const given = [...call.args.slice(0, 6), ...call.named.values()].flatMap((value) =>
    value.kind === 'dict' ? [...value.entries.values()] : [value],
  )
  const address = given.map(known).find((each) => each !== null && WEB.test(each)) ?? null
  if (hasSecret(call, given)) return address ?? call.name
  if (OPENS_ALONE.test(name) && call.args.length + call.named.size === 0 && !TRIES.test(wholeName(call))) return call.name
  const others = given.filter((value) => value.kind === 'text' || value.kind === 'part').length > 1
  return address !== null && (MADE.test(name) || (others && /^[A-Z]/.test(name))) ? address : null
}

/** What takes the account from where the package keeps it. */
const OPENS_ALONE = /^(?:Api|API|Client)$/
/** Stands for a service in tests. */
const TRIES = /test|mock|fake|stub|local|memory/i

const wholeName = ({ self, name }: Call): string => (self?.kind === 'ref' ? `${self.name}.${name}` : name)

function hasSecret({ args, named }: Call, given: readonly Value[]): boolean {
  const fields = [...named.keys(), ...args.flatMap((value) => (value.kind === 'dict' ? [...value.entries.keys()] : []))]
  if (fields.some((field) => HANDED.test(field.replace(/([a-z])([A-Z])/g, '$1_$2')))) return true
  return given.some((value) =>
    taintOf(value).from.some(({ verb, target }) => verb === 'read' && target.kind === 'variable' && secretName(target.value) !== null),
  )
}

/** Asks the service for something of its own: the answer does not hold the secret that the account was opened with. */
const ASKS = /^(?:get|list|fetch|search|find|query|read|retrieve|all|describe|count|encrypt|sign|hash|connect|login)(?:-|$)/
const OF_SECRETS = /secret|token|key|password|value|raw|config|header|env|auth|cred|param|setting|plain|str\b|dict/

/** What stands for the account, and for everything that it gives. */
export function account(at: string, call: Call): Value {
  const name = operationName(lastName(call.name))
  const answers = accountIn(call.self) !== null && ASKS.test(name) && !OF_SECRETS.test(name)
  const made = object('account', { at: text(at) }, answers ? flag(FROM.network) : call.taint)
  made.fields.set('each', made)
  return made
}

/** Packages that are told a secret themselves: `mailer.setConfig({ apiKey })`. */
const SETS_UP = /^(?:set|configure|config|init|initiali[sz]e|setup|auth|authenticate|login)(?:-|$)/

/** Remembers the package of a call that sets it up with a secret; gives where the account is once it was. */
export function accountOfPackage(call: Call): string | null {
  const whole = wholeName(call)
  const dot = whole.search(/[./]/)
  if (dot <= 0) return null
  const head = whole.slice(0, dot)
  const { accounts } = call.run.state
  if (SETS_UP.test(operationName(whole.slice(dot + 1))) && accountOpened(call) !== null) accounts.add(head)
  return accounts.has(head) ? head : null
}

/** The account behind a value: itself, or what it is a member of; null for everything else. */
export function accountIn(self: Value | null): string | null {
  let of = self
  for (let depth = 0; depth < 20 && of?.kind === 'method'; depth++) of = of.self
  return of?.kind === 'object' && of.type === 'account' ? (known(of.fields.get('at')) ?? '') : null
}
