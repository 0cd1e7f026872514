import { ACT_OF, type Act } from '../../../resources/text/act-words.ts'
import { known } from '../../interpret/reading.ts'
import type { Call } from '../../interpret/run.ts'
import { object, text, type Value } from '../../interpret/value.ts'
import { operationName } from './roots.ts'

/**
 * Objects of packages that nothing is known of, made with the address of another machine or of a device: a controller, an instrument, a
 * broker. What is called on one is told to that machine, so it counts as an act unless its name reads, waits or keeps the connection.
 */

const NUMBERED = /(?:^|[^\d.])(?!127\.|0\.0\.0\.0|255\.)((?:\d{1,3}\.){3}\d{1,3})(?:$|[^\d.])/
/** A web address is as often that of a document. */
const SCHEME =
  /^(?!https?:|file:|data:|git|ssh:|urn:|s3:|gs:)[a-z][\w+.-]{1,20}:\/\/(?!localhost\b|127\.)(?:[^\s/@]{1,100}@)?[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/i
const NAMED = /^(?!localhost:)(?:[\w-]{1,63}\.){1,8}[a-z]{2,24}:\d{1,5}$/i
const DEVICE = /^(?:\/dev\/(?:tty|cu\.|serial|usb|spi|i2c|can)\S{0,80}|COM\d{1,3})$/
const HOST_FIELDS = ['host', 'hostname', 'server', 'broker', 'address', 'ip']

function isAddress(given: string): boolean {
  return given.length <= 200 && !/\s/.test(given) && [NUMBERED, SCHEME, NAMED, DEVICE].some((pattern) => pattern.test(given))
}

function addressGiven({ args, named }: Call): string | null {
  for (const value of args.slice(0, 4)) {
    const given = known(value)
    if (given !== null && isAddress(given)) return given
  }
  for (const field of HOST_FIELDS) {
    const given = known(named.get(field))
    if (given !== null && (isAddress(given) || isAddress(`${given}:1`))) return given
  }
  return null
}

/** First words of what only keeps a connection or the object itself. */
const KEEPS = new Set(
  [
    'connect disconnect close open login logout start stop begin end wait sleep timeout settimeout on off add remove subscribe unsubscribe',
    'recv receive is has can join loop flush enter exit with as to from decode encode iter next keys items values copy setup configure config',
    'init create make new build acquire release lock unlock register unregister user username tls will enable disable bind listen accept get',
  ].flatMap((line) => line.split(' ')),
)

/** Whether a call tells the other side to do something, by its name. */
function tells(name: string): boolean {
  const words = operationName(name)
    .split('-')
    .filter((word) => word !== '' && word !== 'async')
  if (KEEPS.has(words[0] ?? '')) return false
  return words.every((word) => ACT_OF.get(word) !== 'read' && ACT_OF.get(word) !== 'fetch')
}

/** By the object, or by a function that is given the address with what to do: `publish.single('door', '1', hostname='10.0.3.2')`. */
export function reached(call: Call): Value | undefined {
  const { self } = call
  const before = self?.kind === 'object' && self.type === 'reached' ? (known(self.fields.get('address')) ?? '') : null
  const address = before ?? (opens(call) ? addressGiven(call) : null)
  if (address === null) return undefined
  const acts = before === null ? isActWithAddress(call) : call.args.length + call.named.size > 0 && tells(call.name)
  if (acts) {
    call.run.acts.once('change', call.run.context.thing('resource', address), {
      action: 'net:act',
      certainty: 'likely',
      reason: `\`${call.name.slice(-80)}\` of a package that nothing is known of is called there`,
    })
  }
  return object('reached', { address: text(address) }, call.taint)
}

/** A function of a package that does not come with the language, or a method of something unknown that opens something. */
function opens({ self, name, run }: Call): boolean {
  const { standard } = run.profile
  if (standard === undefined) return false
  if (self !== null && self.kind !== 'ref' && self.kind !== 'method') return !COLLECTS.has(operationName(name).split('-')[0] ?? '')
  const whole = nameOf(self, name)
  const dot = whole.indexOf('.')
  return dot > 0 && !standard.has(whole.slice(0, dot))
}

/** Methods of texts, lists and tables, and of tests: an address among them is only a text. */
const COLLECTS = new Set(
  [
    'get append extend insert index count pop remove discard update setdefault startswith endswith starts ends find rfind split rsplit strip',
    'replace join format match fullmatch search sub includes push unshift concat indexof assert expect should equal eq parse loads dumps',
    'filter map contains has add set isin query loc log info debug warning warn error write print say',
  ].flatMap((line) => line.split(' ')),
)

function nameOf(self: Value | null, name: string): string {
  if (self?.kind === 'ref') return `${self.name}.${name}`
  return self?.kind === 'method' ? `${nameOf(self.self, self.name)}.${name}` : name
}

/** What a function without an object does where it is told: only words for acts say so. */
function isActWithAddress({ self, name, args, named }: Call): boolean {
  if (args.length + named.size < 2) return false
  return nameOf(self, name)
    .split('.')
    .slice(-2)
    .some((part) => GRAVE.has(ACT_OF.get(operationName(part).split('-')[0] ?? '') ?? 'read'))
}

const GRAVE: ReadonlySet<Act> = new Set<Act>(['send', 'publish', 'delete', 'grant', 'pay'])
