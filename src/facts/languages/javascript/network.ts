import { contacts, resolves, wrote } from '../api/act.ts'
import { addressIn } from '../api/clients/address.ts'
import { joinPath } from '../interpret/operators.ts'
import { has, known, pieces } from '../interpret/reading.ts'
import type { Call, Handler, Table } from '../interpret/run.ts'
import { CLEAN, FROM, flag, joinTaint, object, part, taintOf, text, UNKNOWN, unknown, type Value } from '../interpret/value.ts'
import { connects } from '../python/network.ts'
import { answering, answers } from './names.ts'

/** Node and browsers: HTTP, sockets, streams. */

/** Clients that go on to wherever an answer sends them, unless they are told not to. */
const FOLLOWING = /^(?:fetch|node-fetch|axios|got|superagent|ky|request|undici\.fetch)\b/
const STAYS: Readonly<Record<string, readonly string[]>> = { redirect: ['error', 'manual'], maxRedirects: ['0'], follow: ['0'] }

const follows = ({ name, args }: Call): boolean => {
  const settings = args.flatMap((value) => (value.kind === 'dict' ? [value.entries] : []))
  const stays = settings.some((entries) => {
    const got = entries.get('followRedirect')
    const off = got?.kind === 'constant' && got.value === false
    return off || Object.entries(STAYS).some(([key, values]) => values.includes(known(entries.get(key)) ?? ''))
  })
  return FOLLOWING.test(name) && !stays
}

const fetches: Handler = (call) => {
  const url = call.args[0] ?? UNKNOWN
  const settings = url.kind === 'dict' ? url : call.args[1]
  const entry = (name: string) => (settings?.kind === 'dict' ? settings.entries.get(name) : undefined)
  const method = (known(entry('method')) ?? 'GET').toUpperCase()
  const payload = entry('body') ?? entry('data') ?? entry('params')
  const address = url.kind === 'dict' ? fromParts(url) : url
  const taint = call.run.acts.reach(address, {
    verb: payload !== undefined || !/^(?:GET|HEAD|OPTIONS)$/.test(method) ? 'send' : 'fetch',
    method,
    payload,
    along: call.taint,
    follows: follows(call),
  })
  return object('response', {}, taint)
}

/** `new URL('/a', 'https://x.example/b')`: a path from the root starts anew at the host. */
const address: Handler = (call) => {
  const [path, base] = call.args
  if (path === undefined || base === undefined || /^\w+:\/\//.test(pieces(path)[0] ?? '')) return path
  const origin = /^\w{1,12}:\/\/[^/?#]{1,255}/.exec(pieces(base)[0] ?? '')?.[0]
  return pieces(path)[0]?.startsWith('/') === true && origin !== undefined
    ? part([origin, ...pieces(path)], joinTaint(taintOf(base), taintOf(path)))
    : joinPath([base, path])
}

/** `{hostname, port, path}` and `{url}`. */
function fromParts(options: Extract<Value, { kind: 'dict' }>): Value {
  const get = (name: string) => options.entries.get(name)
  const url = get('url')
  if (url !== undefined) return url
  const host = get('hostname') ?? get('host') ?? UNKNOWN
  const port = known(get('port'))
  const path = get('path') ?? text('')
  return part([...pieces(host), port === null ? '' : `:${port}`, ...pieces(path)], joinTaint(taintOf(host), taintOf(path)))
}

const httpGet: Handler = (call) => {
  const taint = call.run.acts.reach(call.args[0]?.kind === 'dict' ? fromParts(call.args[0]) : (call.args[0] ?? UNKNOWN), {
    verb: 'fetch',
    method: 'GET',
    along: call.taint,
  })
  const response = object('response', {}, taint)
  answers(call, response)
  return response
}

/** `http.request(options)`: what is written to it goes out. */
const httpRequest: Handler = (call) => {
  const first = call.args[0] ?? UNKNOWN
  const settings = [first, call.args[1]].find((v) => v?.kind === 'dict')
  const method = (settings?.kind === 'dict' ? known(settings.entries.get('method')) : null) ?? 'GET'
  const address = first.kind === 'dict' ? fromParts(first) : first
  const taint = call.run.acts.reach(address, { verb: method === 'GET' ? 'fetch' : 'send', method, along: call.taint })
  answers(call, object('response', {}, taint))
  return object('outgoing', { address }, taint)
}

export const outgoing: Handler = (call) => {
  const address = call.self?.kind === 'object' ? call.self.fields.get('address') : undefined
  const data = call.args[0]
  if (address !== undefined && data !== undefined && has(data, FROM.file | FROM.environment | FROM.process))
    call.run.acts.reach(address, { verb: 'send', payload: data })
  return undefined
}

const sending = (method: string): Handler => contacts(0, { method, payload: [1], sends: true, gives: 'response', follows })

/** `net.connect(port, host)`, `net.connect({port, host})`. */
export const netConnect: Handler = (call) => {
  const [first, second] = call.args
  const address =
    first?.kind === 'dict'
      ? fromParts(first)
      : part([...(second === undefined || second.kind === 'function' ? ['localhost'] : pieces(second)), `:${known(first) ?? ''}`], CLEAN)
  const socket = connects(0)({ ...call, args: [address] }) ?? UNKNOWN
  const fn = call.args.find((v) => v.kind === 'function')
  if (call.self?.kind === 'object') call.self.fields.set('host', address)
  if (fn !== undefined) call.run.call(fn, { args: [socket], named: new Map(), make: false })
  return socket
}

/** `a.pipe(b)`: a shell on a connection, either way round; a file that goes out. */
export const pipe: Handler = (call) => {
  const [from, to] = [call.self ?? UNKNOWN, call.args[0] ?? UNKNOWN]
  const socket = has(from, FROM.socket) || has(to, FROM.socket)
  if (socket && (has(from, FROM.process) || has(to, FROM.process))) call.run.acts.joinStreams()
  if (to.kind === 'object' && to.type === 'outgoing') outgoing({ ...call, self: to, args: [from] })
  if (to.kind === 'object' && to.fields.has('path') && has(from, FROM.network)) wrote(call, to.fields.get('path') ?? UNKNOWN, from)
  return to
}

/** `x.on('data', f)`: the function gets what the object gives. */
export const on: Handler = (call) => {
  const fn = call.args[1]
  if (fn === undefined) return undefined
  call.run.call(fn, { args: [unknown(taintOf(call.self ?? UNKNOWN))], named: new Map(), make: false })
  return call.self ?? undefined
}

/** What a promise gives is passed on. */
// Not named `then`: a module that exports `then` is a promise to whoever imports it.
export const fulfils: Handler = (call) => {
  const fn = call.args[0]
  return fn === undefined ? (call.self ?? undefined) : call.run.call(fn, { args: [call.self ?? UNKNOWN], named: new Map(), make: false })
}

export const NETWORK: Table = {
  'fetch node-fetch undici.fetch undici.request axios axios.request got got.default superagent ky needle': fetches,
  'axios.get axios.head got.get superagent.get ky.get needle.get request request.get': answering(
    contacts(0, { method: 'GET', gives: 'response', follows }),
  ),
  'axios.post got.post superagent.post ky.post needle.post request.post': answering(sending('POST')),
  'axios.put got.put superagent.put ky.put request.put': sending('PUT'),
  'axios.patch got.patch axios.delete got.delete': sending('PATCH'),
  'http.get https.get': httpGet,
  'http.request https.request': httpRequest,
  'net.connect net.createConnection tls.connect': netConnect,
  'net.Socket': () => object('socket', {}, flag(FROM.socket)),
  'WebSocket ws': (call) => object('outgoing', { address: call.args[0] ?? UNKNOWN }, taintOf(contacts(0)(call) ?? UNKNOWN)),
  'dns.lookup dns.resolve dns.resolve4 dns.resolve6 dns.resolveTxt dns.resolveMx dns.resolveCname dns.resolveSrv': resolves(0),
  'open opn open.default': contacts(0),
  'ssh2.Client ssh2 node-ssh.NodeSSH': () => object('ssh'),
  'navigator.sendBeacon': contacts(0, { method: 'POST', payload: [1], sends: true }),
  'new.XMLHttpRequest': () => object('xhr'),
  'http.createServer https.createServer net.createServer': (call) => {
    const fn = call.args.find((v) => v.kind === 'function')
    if (call.name === 'net.createServer')
      call.run.state.connection ??= {
        verb: 'change',
        action: 'net:listen',
        target: call.run.context.thing('host', ''),
        reversible: true,
        certainty: 'certain',
        span: null,
        reason: null,
        attributes: {},
      }
    if (fn !== undefined) call.run.call(fn, { args: [object('socket', {}, flag(FROM.socket)), UNKNOWN], named: new Map(), make: false })
    return object('server')
  },
  'sqlite3.Database better-sqlite3 pg.Client pg.Pool mysql.createConnection mysql2.createConnection mysql.createPool': (call) =>
    object('database', { database: call.args[0]?.kind === 'text' ? call.args[0] : text(addressIn(call.args[0]) ?? '') }),
  URL: address,
}
