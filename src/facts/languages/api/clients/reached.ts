import { ACT_OF, type Act } from '../../../resources/text/act-words.ts'
import { changesGraph } from '../../../sql/index.ts'
import { known } from '../../interpret/reading.ts'
import type { Call, Table } from '../../interpret/run.ts'
import { object, text, type Value } from '../../interpret/value.ts'
import { account, accountIn, accountOfPackage, accountOpened, tellsAccount } from './accounts.ts'
import { actsAlone, devicePackage, setsDevice, staysHere, writesToDevice } from './devices.ts'
import { lastName, operationName } from './roots.ts'

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

function addressGiven({ args, named, name }: Call): string | null {
  const connects = CONNECTS.test(operationName(lastName(name)))
  for (const value of args.slice(0, 4)) {
    const given = known(value)
    if (given !== null && (isAddress(given) || (connects && HOST.test(given)))) return given
    const within = value.kind === 'dict' ? addressIn(value.entries) : null
    if (within !== null) return within
  }
  return addressIn(named)
}

const CONNECTS = /^(?:connect|dial|login|attach)/
/** A machine by its name, as nothing else is called. */
const HOST = /^(?:[\w-]{1,63}\.){1,8}(?:com|net|org|io|cloud|example|internal|lan|local|corp|edu|gov|dev)$/i

function addressIn(fields: ReadonlyMap<string, Value>): string | null {
  for (const field of HOST_FIELDS) {
    const given = known(fields.get(field))
    if (given !== null && (isAddress(given) || isAddress(`${given}:1`))) return given
  }
  const device = known(fields.get('path') ?? fields.get('port'))
  return device !== null && DEVICE.test(device) ? device : null
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

/** The object that stands for another machine or a device behind a value: itself, or what it is a member of. */
function machineIn(self: Value | null): Extract<Value, { kind: 'object' }> | null {
  let of = self
  for (let depth = 0; depth < 20 && of?.kind === 'method'; depth++) of = of.self
  return of?.kind === 'object' && of.type === 'reached' ? of : null
}

/** By the object, or by a function that is given the address with what to do: `publish.single('door', '1', hostname='10.0.3.2')`. */
export function reached(call: Call): Value | undefined {
  reportStatement(call)
  const at = accountIn(call.self)
  if (at !== null) {
    if (tellsAccount(call)) act(call, at)
    return account(at, call)
  }
  const before = machineIn(call.self)
  if (before !== null) {
    const address = known(before.fields.get('address')) ?? ''
    if (actsOn(call, before)) act(call, address)
    return machine(address, known(before.fields.get('made')) ?? '', call)
  }
  return reachedBy(call)
}

/** By a package, or by something unknown that opens something. */
function reachedBy(call: Call): Value | undefined {
  const whole = nameOf(call.self, call.name)
  const device = devicePackage(call.run.profile.language, whole)
  if (device !== null && staysHere(call)) return undefined
  const opened = opens(call)
  const address = (opened ? addressGiven(call) : null) ?? device
  if (address === null) return opened ? opensAccount(call) : undefined
  if (device === null ? isActWithAddress(call) : writesToDevice(call)) act(call, address)
  return machine(address, device === null ? whole : `device ${whole}`, call)
}

function opensAccount(call: Call): Value | undefined {
  const set = accountOfPackage(call)
  if (set !== null && tellsAccount(call)) act(call, set)
  const at = set ?? accountOpened(call)
  return at === null ? undefined : account(at, call)
}

const machine = (address: string, made: string, { taint }: Call): Value =>
  object('reached', { address: text(address), made: text(made) }, taint)

function actsOn({ name, args, named }: Call, object: Extract<Value, { kind: 'object' }>): boolean {
  const made = known(object.fields.get('made')) ?? ''
  if (args.length + named.size === 0) return actsAlone(name, made, made.startsWith('device '))
  return tells(name) || (made.startsWith('device ') && MOVED_BY.test(operationName(name)))
}

/** Words of objects that elsewhere only keep a connection. */
const MOVED_BY = /^(?:on|off|lock|unlock|enable|disable|start|stop)$/

function act({ name, run }: Call, address: string): void {
  run.acts.once('change', run.context.thing('resource', address), {
    action: 'net:act',
    certainty: 'likely',
    reason: `\`${name.slice(-80)}\` of a package that nothing is known of is called there`,
  })
}

/** An attribute that is set: `vehicle.armed = True`, `lights[0].on = False`. */
export const REACHED_METHODS: Table = {
  'reached.=': (call) => {
    const object = machineIn(call.self)
    const name = call.name.slice(call.name.indexOf('.') + 1, -1)
    if (object !== null && setsDevice(name, call.args[0])) act({ ...call, name }, known(object.fields.get('address')) ?? '')
    return undefined
  },
}

/** A statement of a graph's query language, whatever the method is called that is handed it. */
function reportStatement({ self, args: [first], run }: Call): void {
  const statement = first === undefined || self === null ? null : known(first)
  if (statement === null || statement.length < 8 || !changesGraph(statement)) return
  const address = known(machineIn(self)?.fields.get('address')) ?? ''
  run.context.sql(statement, run.span, run.context.thing('database', address))
}

/** A function of a package that does not come with the language, or a method of something unknown that opens something. */
function opens({ self, name, run }: Call): boolean {
  const { standard } = run.profile
  if (standard === undefined) return false
  if (self !== null && self.kind !== 'ref' && self.kind !== 'method') return !COLLECTS.has(operationName(name).split('-')[0] ?? '')
  const whole = nameOf(self, name)
  const dot = whole.indexOf('.')
  return dot > 0 ? !standard.has(whole.slice(0, dot)) : PACKAGE.test(whole)
}

/** A package that is called itself, as no function of a program is named: `require('acme-display')('10.3.0.4')`. */
const PACKAGE = /^@?[a-z][\w.]{0,60}[-/][\w./-]{1,80}$/

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
