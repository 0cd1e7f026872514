import { effect } from '../../effect.ts'
import { contacts, does, named, queries } from '../api/act.ts'
import { EMPTY, emits, withoutBlock, yields } from '../api/lists.ts'
import { known, pieces } from '../interpret/reading.ts'
import { argument, type Call, type Handler, type Table } from '../interpret/run.ts'
import { FROM, flag, list, object, part, taintOf, text, UNKNOWN, unknown, type Value } from '../interpret/value.ts'
import { connects } from '../python/network.ts'

/** Ruby: HTTP, sockets, mail, remote shells, databases. */

const get: Handler = contacts(0, { method: 'GET', gives: 'response' })

const sends =
  (method: string): Handler =>
  (call) => {
    const payload = [...withoutBlock(call.args).slice(1), ...call.named.values()]
    const taint = call.run.acts.reach(call.args[0] ?? UNKNOWN, {
      verb: 'send',
      method,
      payload: payload.length === 0 ? undefined : list(payload),
    })
    return object('response', {}, taint)
  }

function hostPort(call: Call): Value {
  const [host, port] = call.args
  const number = known(port)
  return part(
    [...pieces(host ?? UNKNOWN), ...(number === null || number === '80' || number === '443' ? [] : [`:${number}`])],
    taintOf(host ?? UNKNOWN),
  )
}

const uri: Handler = (call) => {
  const address = call.args.at(-1) ?? UNKNOWN
  const whole = known(address)
  const [, scheme = '', host = '', rest = '/'] = /^(\w{1,12}:\/\/)([^/?#]{1,255})(.{0,2000})/s.exec(whole ?? '') ?? []
  if (host === '') return address
  const path = text(rest === '' ? '/' : rest)
  return object('uri', { text: address, host: text(scheme + host), hostname: text(host), path, request_uri: path })
}

/** `Net::HTTP.new(host, port)`, `Net::HTTP.start(host, port) { |http| … }`. */
const session: Handler = (call) => yields(call, object('http', { host: hostPort(call) }))

const makeRequest =
  (method: string): Handler =>
  (call) =>
    object('request', { method: text(method), url: call.args[0] ?? UNKNOWN })

function hosted(call: Call, path: Value): Value {
  const host = call.self?.kind === 'object' ? call.self.fields.get('host') : undefined
  const whole = /^\w+:\/\//.test(pieces(path)[0] ?? '')
  return whole || host === undefined ? path : part([...pieces(host), ...pieces(path)], taintOf(path))
}

const request: Handler = (call) => {
  const [given, second] = call.args
  const made = given?.kind === 'object' ? given : null
  const method = made === null ? 'GET' : (known(made.fields.get('method')) ?? 'GET')
  const url = hosted(call, made?.fields.get('url') ?? given ?? UNKNOWN)
  const payload = made?.fields.get('body') ?? (second?.kind === 'function' ? undefined : second)
  const taint = call.run.acts.reach(url, { verb: /^(?:GET|HEAD)$/.test(method) ? 'fetch' : 'send', method, payload })
  return yields(call, object('response', {}, taint))
}

const path =
  (method: string): Handler =>
  (call) => {
    const args = withoutBlock(call.args)
    const url = hosted(call, args[0] ?? EMPTY)
    const fetches = method === 'GET'
    return object(
      'response',
      {},
      call.run.acts.reach(url, { verb: fetches ? 'fetch' : 'send', method, payload: fetches ? undefined : args[1] }),
    )
  }

const body: Handler = (call) => {
  const value = call.args.at(-1)
  if (call.self?.kind === 'object' && value !== undefined) call.self.fields.set('body', value)
  return undefined
}

const connect: Handler = (call) => yields(call, connects(0)({ ...call, args: [hostPort(call)] }) ?? UNKNOWN)

const serves: Handler = (call) => {
  call.run.acts.emit('change', call.run.context.thing('address', known(call.args.at(-1)) ?? ''), { action: 'net:listen', reversible: true })
  call.run.state.connection ??= effect('send', call.run.context.thing('host', ''))
  return object('socket', {}, flag(FROM.socket))
}

const remote =
  (type: string, action: string): Handler =>
  (call) => {
    const host = argument(call, 0, 'host', 'address') ?? UNKNOWN
    call.run.acts.emit('send', call.run.context.url(call.run.acts.word(host)), { action })
    return yields(call, object(type, { host }, flag(FROM.network)))
  }

const toHost =
  (verb: 'fetch' | 'send', action: string): Handler =>
  (call) => {
    const host = call.self?.kind === 'object' ? call.self.fields.get('host') : undefined
    return unknown(call.run.acts.reach(host ?? UNKNOWN, { verb, action, payload: verb === 'send' ? list(call.args) : undefined }))
  }

const uploads: Handler = (call) => {
  const taint = call.args[0] === undefined ? undefined : call.run.acts.read(call.args[0])
  return toHost('send', 'net:upload')({ ...call, args: taint === undefined ? [] : [unknown(taint)] })
}

const database: Handler = (call) => {
  const name = argument(call, 0, 'dbname', 'database', 'host') ?? UNKNOWN
  if (call.name.startsWith('SQLite3') && known(name) !== ':memory:') call.run.acts.read(name, { action: 'db:open' })
  return yields(call, object('database', { database: name.kind === 'text' ? name : EMPTY }))
}

const mails: Handler = (call) => {
  call.run.acts.emit('send', call.run.context.thing('address', known(argument(call, 2, 'to')) ?? ''), {
    action: 'mail:send',
    reversible: false,
  })
  return undefined
}

const CLIENTS = ['HTTParty', 'Faraday', 'RestClient', 'Excon', 'Typhoeus', 'HTTP', 'HTTPX', 'HTTPClient']

const CLIENT: Table = Object.fromEntries(
  CLIENTS.flatMap((client) => [
    [`${client}.get`, get] as const,
    [`${client}.head`, get] as const,
    [`${client}.post`, sends('POST')] as const,
    [`${client}.put`, sends('PUT')] as const,
    [`${client}.patch`, sends('PATCH')] as const,
    [`${client}.delete`, sends('DELETE')] as const,
  ]),
)

export const NETWORK: Table = {
  ...CLIENT,
  'Net.HTTP.get Net.HTTP.get_response Net.HTTP.get_print': get,
  'Net.HTTP.post Net.HTTP.post_form': sends('POST'),
  'Net.HTTP.new Net.HTTP.start': session,
  'Net.HTTP.Get.new Net.HTTP.Head.new': makeRequest('GET'),
  'Net.HTTP.Post.new': makeRequest('POST'),
  'Net.HTTP.Put.new': makeRequest('PUT'),
  'Net.HTTP.Patch.new': makeRequest('PATCH'),
  'Net.HTTP.Delete.new': makeRequest('DELETE'),
  'URI URI.parse URI.join Addressable.URI.parse': uri,
  'Faraday.new': (call) => object('http', { host: argument(call, 0, 'url') ?? UNKNOWN }),
  'TCPSocket.new TCPSocket.open UDPSocket.new UNIXSocket.new Socket.tcp OpenSSL.SSL.SSLSocket.new': connect,
  'TCPServer.new TCPServer.open UDPServer.new WEBrick.HTTPServer.new': serves,
  'Net.SSH.start Net.SCP.start Net.SFTP.start': remote('ssh', 'net:remote-login'),
  'Net.FTP.new Net.FTP.open Net.Telnet.new': remote('ftp', 'net:socket'),
  'Net.SMTP.start Net.SMTP.new': (call) => yields(call, object('smtp')),
  'Mail.deliver Pony.mail': mails,
  'SQLite3.Database.new SQLite3.Database.open PG.connect PG.Connection.new Mysql2.Client.new Sequel.connect Sequel.sqlite': database,
  'ActiveRecord.Base.connection': () => object('database', { database: EMPTY }),
}

export const NETWORK_METHODS: Table = {
  'http.request': request,
  'http.get http.request_get http.head': path('GET'),
  'http.post http.request_post': path('POST'),
  'http.put': path('PUT'),
  'http.patch': path('PATCH'),
  'http.delete': path('DELETE'),
  'http.start': (call) => yields(call, call.self ?? UNKNOWN),
  'request.body= request.set_form_data request.form_data= request.set_form': body,
  'response.body response.read_body response.parsed_response response.value': (call) => unknown(taintOf(call.self ?? UNKNOWN)),
  'http.verify_mode=': (call) => {
    if (call.args[0]?.kind === 'ref' && call.args[0].name.endsWith('VERIFY_NONE'))
      call.run.acts.emit('change', call.run.context.thing('variable', 'verify_mode'), {
        action: 'security:insecure',
        attributes: { insecure: true },
      })
    return undefined
  },
  'socket.puts': (call) => {
    emits(call, call.self ?? UNKNOWN, call.args)
    return undefined
  },
  'ssh.exec ssh.exec!': toHost('send', 'net:remote-shell'),
  'ssh.upload! ftp.put ftp.putbinaryfile ftp.puttextfile': uploads,
  'ssh.download! ftp.get ftp.getbinaryfile ftp.gettextfile': toHost('fetch', 'net:download'),
  'smtp.send_message smtp.sendmail': mails,
  ...named(
    'database.execute database.execute_batch database.execute2 database.query database.exec database.exec_params ' +
      'database.prepare database.run database.async_exec database.select_all',
    queries(0),
  ),
  '*.flushall *.flushdb': does('change', 'sql:flush', { kind: 'database' }),
}
