import { effect } from '../../effect.ts'
import { contacts, does, queries } from '../api/act.ts'
import { EMPTY, emits } from '../api/lists.ts'
import { has, known, pieces } from '../interpret/reading.ts'
import type { Handler, Table } from '../interpret/run.ts'
import { FROM, flag, list, object, part, taintOf, UNKNOWN, unknown, type Value } from '../interpret/value.ts'
import { connects } from '../python/network.ts'

/** PHP: curl, HTTP clients, sockets, mail, databases. */

/** A constant's name, `CURLOPT_URL`. */
function constant(value: Value | undefined): string {
  return value?.kind === 'ref' ? value.name.toUpperCase() : (known(value) ?? '')
}

const FIELDS: ReadonlyMap<string, string> = new Map([
  ['CURLOPT_URL', 'url'],
  ['CURLOPT_POSTFIELDS', 'body'],
  ['CURLOPT_CUSTOMREQUEST', 'method'],
  ['CURLOPT_POST', 'post'],
  ['CURLOPT_INFILE', 'body'],
  ['CURLOPT_FILE', 'file'],
  ['CURLOPT_SSL_VERIFYPEER', 'verify'],
])

const setOption: Handler = (call) => {
  const [handle, option, value] = call.args
  const field = FIELDS.get(constant(option))
  if (handle?.kind === 'object' && field !== undefined && value !== undefined) handle.fields.set(field, value)
  return undefined
}

const setOptions: Handler = (call) => {
  const [handle, all] = call.args
  if (handle?.kind !== 'object' || all?.kind !== 'dict') return undefined
  for (const [name, value] of all.entries) {
    const field = FIELDS.get(name.toUpperCase())
    if (field !== undefined) handle.fields.set(field, value)
  }
  return undefined
}

const perform: Handler = (call) => {
  const handle = call.args[0]
  const get = (name: string) => (handle?.kind === 'object' ? handle.fields.get(name) : undefined)
  const body = get('body')
  const method = known(get('method')) ?? (body !== undefined || get('post') !== undefined ? 'POST' : 'GET')
  const verify = get('verify')
  const taint = call.run.acts.reach(get('url') ?? UNKNOWN, {
    verb: /^(?:GET|HEAD)$/i.test(method) ? 'fetch' : 'send',
    method: method.toUpperCase(),
    payload: body,
    insecure: verify !== undefined && (known(verify) === '0' || (verify.kind === 'constant' && verify.value === false)),
  })
  const file = get('file')
  if (file !== undefined) emits(call, file, [unknown(taint)])
  return unknown(taint)
}

/** `fsockopen($host, $port)`, `stream_socket_client('tcp://host:port')`. */
const opens: Handler = (call) => {
  const [host, port] = call.args
  const address =
    call.name.startsWith('stream_') || known(port) === null
      ? (host ?? UNKNOWN)
      : part([...pieces(host ?? UNKNOWN), `:${known(port)}`], taintOf(host ?? UNKNOWN))
  return connects(0)({ ...call, args: [bare(address)] })
}

/** `tcp://host:port` without the scheme. */
function bare(value: Value): Value {
  const [first, ...rest] = pieces(value)
  return typeof first === 'string' ? part([first.replace(/^(?:tcp|udp|ssl|tls):\/\//i, ''), ...rest], taintOf(value)) : value
}

const socketConnect: Handler = (call) => {
  const [socket, host, port] = call.args
  const address = part([...pieces(host ?? UNKNOWN), known(port) === null ? '' : `:${known(port)}`], taintOf(host ?? UNKNOWN))
  connects(0)({ ...call, args: [address] })
  if (socket?.kind === 'object') socket.fields.set('host', address)
  return undefined
}

const serves: Handler = (call) => {
  call.run.acts.emit('change', call.run.context.thing('address', known(call.args.at(-1)) ?? known(call.args[0]) ?? ''), {
    action: 'net:listen',
    reversible: true,
  })
  call.run.state.connection ??= effect('send', call.run.context.thing('host', ''))
  return object('socket', {}, flag(FROM.socket))
}

const mail: Handler = (call) => {
  const carries = has(list(call.args), FROM.file | FROM.environment | FROM.process)
  call.run.acts.emit('send', call.run.context.thing('address', known(call.args[0]) ?? ''), {
    action: 'mail:send',
    reversible: false,
    ...(carries ? { attributes: { carries: 'file' } } : {}),
  })
  return undefined
}

const sends = (method: string): Handler => contacts(0, { method, payload: [1], sends: true, gives: 'response' })

/** `$client->request('POST', $url, [...])`. */
const request: Handler = (call) => {
  const method = (known(call.args[0]) ?? 'GET').toUpperCase()
  const rest = { ...call, args: call.args.slice(1) }
  return /^(?:GET|HEAD)$/.test(method) ? contacts(0, { method, gives: 'response' })(rest) : sends(method)(rest)
}

const database: Handler = (call) => {
  const dsn = call.args[0] ?? UNKNOWN
  const whole = known(dsn) ?? ''
  const file = /^sqlite:(.{1,300})$/.exec(whole)?.[1] ?? (/sqlite3/i.test(call.name) ? whole : '')
  if (file !== '' && file !== ':memory:')
    call.run.acts.read({ kind: 'text', text: file, bytes: false, glob: false, taint: taintOf(UNKNOWN) }, { action: 'db:open' })
  return object('database', { database: dsn.kind === 'text' ? dsn : EMPTY })
}

/** `mysqli_query($link, $sql)`. */
const query: Handler = (call) => {
  const link = call.args.find((v) => v.kind === 'object')
  const sql = call.args.find((v) => pieces(v)[0] !== null) ?? call.args[1] ?? call.args[0]
  return queries(0)({ ...call, self: link ?? object('database', { database: EMPTY }), args: sql === undefined ? [] : [sql] })
}

const remote: Handler = (call) => {
  call.run.acts.emit('send', call.run.context.url(call.run.acts.word(call.args[0] ?? UNKNOWN)), {
    action: call.name.startsWith('ssh2') ? 'net:remote-login' : 'net:socket',
  })
  return object('remote', { host: call.args[0] ?? UNKNOWN }, flag(FROM.network))
}

const onRemote =
  (verb: 'fetch' | 'send', action: string, file: number | null): Handler =>
  (call) => {
    const link = call.args[0]
    const host = link?.kind === 'object' ? link.fields.get('host') : undefined
    const path = file === null ? undefined : call.args[file]
    const taint = path !== undefined && verb === 'send' ? call.run.acts.read(path) : undefined
    if (path !== undefined && verb === 'fetch') call.run.acts.write(path)
    return unknown(call.run.acts.reach(host ?? UNKNOWN, { verb, action, payload: taint === undefined ? undefined : unknown(taint) }))
  }

export const NETWORK: Table = {
  curl_init: (call) => object('curl', call.args[0] === undefined ? {} : { url: call.args[0] }),
  curl_setopt: setOption,
  curl_setopt_array: setOptions,
  'curl_exec curl_multi_exec': perform,
  'fsockopen pfsockopen stream_socket_client': opens,
  socket_create: () => object('socket', {}, flag(FROM.socket)),
  socket_connect: socketConnect,
  'socket_read socket_recv': (call) => unknown(taintOf(call.args[0] ?? UNKNOWN)),
  'socket_write socket_send': (call) => {
    const [socket, data] = call.args
    if (socket !== undefined && data !== undefined) emits(call, socket, [data])
    return undefined
  },
  'stream_socket_server socket_create_listen': serves,
  socket_accept: () => object('socket', {}, flag(FROM.socket)),
  'mail mb_send_mail': mail,
  client: () => object('client'),
  'Http.get http.get': contacts(0, { method: 'GET', gives: 'response' }),
  'Http.post http.post': sends('POST'),
  get_headers: contacts(0, { method: 'GET' }),
  'pdo sqlite3 mysqli mysqli_connect mysql_connect pg_connect sqlite_open': database,
  'mysqli_query mysql_query pg_query mysqli_multi_query pg_exec sqlite_query mssql_query': query,
  'ftp_connect ftp_ssl_connect ssh2_connect': remote,
  ssh2_exec: onRemote('send', 'net:remote-shell', null),
  'ftp_put ssh2_scp_send': onRemote('send', 'net:upload', 2),
  'ftp_get ssh2_scp_recv': onRemote('fetch', 'net:download', 1),
}

export const NETWORK_METHODS: Table = {
  'client.get client.head': contacts(0, { method: 'GET', gives: 'response' }),
  'client.post': sends('POST'),
  'client.put': sends('PUT'),
  'client.delete': sends('DELETE'),
  'client.request client.requestAsync': request,
  'response.getBody response.getContents response.body response.json': (call) => unknown(taintOf(call.self ?? UNKNOWN)),
  'database.query database.exec database.prepare database.multi_query database.querySingle database.real_query': queries(0),
  '*.query *.exec *.prepare *.statement *.unprepared': queries(0),
  '*.flushall *.flushDB *.flushAll': does('change', 'sql:flush', { kind: 'database' }),
}
