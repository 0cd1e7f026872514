import { effect } from '../../effect.ts'
import { contacts, named, queries, wrote } from '../api/act.ts'
import { known, pieces } from '../interpret/reading.ts'
import { argument, type Call, type Handler, type Table } from '../interpret/run.ts'
import { FROM, flag, list, object, part, taintOf, text, UNKNOWN, unknown, type Value } from '../interpret/value.ts'
import { connects } from '../python/network.ts'

/** Perl: HTTP, sockets, mail, remote shells, databases. */

/** Pairs `Key => value` of a call, as named arguments or in one hash. */
function setting(call: Call, ...names: readonly string[]): Value | undefined {
  for (const name of names) {
    const value = call.named.get(name)
    if (value !== undefined) return value
  }
  for (const [i, arg] of call.args.entries()) {
    if (arg.kind === 'ref' && names.includes(arg.name)) return call.args[i + 1]
    if (arg.kind === 'dict') for (const name of names) if (arg.entries.has(name)) return arg.entries.get(name)
  }
  return undefined
}

const fetched: Handler = contacts(0, { method: 'GET', gives: 'response' })

const sends =
  (method: string): Handler =>
  (call) => {
    const payload = [...call.args.slice(1), ...call.named.values()]
    const taint = call.run.acts.reach(call.args[0] ?? UNKNOWN, {
      verb: 'send',
      method,
      payload: payload.length === 0 ? undefined : list(payload),
    })
    return object('response', {}, taint)
  }

/** Fetches into a file. */
const stores: Handler = (call) => {
  const [url, goal] = call.args
  const taint = call.run.acts.reach(url ?? UNKNOWN, { verb: 'fetch', method: 'GET' })
  if (goal !== undefined) {
    call.run.acts.write(goal)
    wrote(call, goal, unknown(taint))
  }
  return unknown(taint)
}

/** `$ua->get($url, ':content_file' => $path)`. */
const agentGet: Handler = (call) => {
  const goal = call.named.get(':content_file')
  return goal === undefined ? fetched(call) : stores({ ...call, args: [call.args[0] ?? UNKNOWN, goal] })
}

const requested: Handler = (call) => {
  const request = call.args[0]
  if (request?.kind !== 'object') return generic(call)
  const method = known(request.fields.get('method')) ?? 'GET'
  const body = request.fields.get('body')
  const taint = call.run.acts.reach(request.fields.get('url') ?? UNKNOWN, {
    verb: /^(?:GET|HEAD)$/.test(method) ? 'fetch' : 'send',
    method,
    payload: body,
  })
  return object('response', {}, taint)
}

/** `$http->request('POST', $url, {content => …})`. */
const generic: Handler = (call) => {
  const method = (known(call.args[0]) ?? 'GET').toUpperCase()
  const rest = { ...call, args: call.args.slice(1) }
  return /^(?:GET|HEAD)$/.test(method) ? fetched(rest) : sends(method)(rest)
}

/** `new('GET', $url)` and `new(GET => $url)`. */
const request: Handler = (call) => {
  for (const [name, url] of call.named) if (/^[A-Z]{3,7}$/.test(name)) return object('request', { method: text(name), url })
  const [method, url, , body] = call.args
  return object('request', { method: method ?? UNKNOWN, url: url ?? UNKNOWN, ...(body === undefined ? {} : { body }) })
}

const content: Handler = (call) => {
  const body = call.args.at(-1)
  if (call.self?.kind === 'object' && body !== undefined) call.self.fields.set('body', body)
  return undefined
}

const socketNew: Handler = (call) => {
  const peer = setting(call, 'PeerAddr', 'PeerHost', 'Peer') ?? call.args[0]
  if (setting(call, 'Listen', 'LocalPort') !== undefined || peer === undefined) return listens(call)
  const port = setting(call, 'PeerPort')
  const goal = part([...pieces(peer), ...(known(port) === null ? [] : [`:${known(port)}`])], taintOf(peer))
  return connects(0)({ ...call, args: [goal] })
}

const listens: Handler = (call) => {
  call.run.acts.emit('change', call.run.context.thing('address', known(setting(call, 'LocalPort')) ?? ''), {
    action: 'net:listen',
    reversible: true,
  })
  call.run.state.connection ??= effect('send', call.run.context.thing('host', ''))
  return object('socket', {}, flag(FROM.socket))
}

/** `connect(S, sockaddr_in($port, inet_aton($host)))`. */
const connect: Handler = (call) => {
  connects(1)(call)
  return undefined
}

const address: Handler = (call) => {
  const [port, host] = call.args
  return part([...pieces(host ?? UNKNOWN), known(port) === null ? '' : `:${known(port)}`], taintOf(host ?? UNKNOWN))
}

const toHost =
  (verb: 'fetch' | 'send', action: string): Handler =>
  (call) => {
    const host = call.self?.kind === 'object' ? call.self.fields.get('host') : undefined
    return unknown(call.run.acts.reach(host ?? UNKNOWN, { verb, action, payload: verb === 'send' ? list(call.args) : undefined }))
  }

const remote =
  (type: string, action: string): Handler =>
  (call) => {
    const host = argument(call, 0, 'host', 'Host') ?? UNKNOWN
    call.run.acts.emit('send', call.run.context.url(call.run.acts.word(host)), { action })
    return object(type, { host }, flag(FROM.network))
  }

const uploads: Handler = (call) => {
  const taint = call.args[0] === undefined ? undefined : call.run.acts.read(call.args[0])
  return toHost('send', 'net:upload')({ ...call, args: taint === undefined ? [] : [unknown(taint)] })
}

const database: Handler = (call) => {
  const dsn = call.args[0] ?? UNKNOWN
  const file = /^dbi:SQLite:(?:dbname=|database=)?([^;]{1,200})/i.exec(known(dsn) ?? '')?.[1]
  if (file !== undefined && file !== ':memory:')
    call.run.acts.read({ kind: 'text', text: file, bytes: false, glob: false, taint: taintOf(UNKNOWN) }, { action: 'db:open' })
  return object('database', { database: dsn })
}

const mails: Handler = (call) => {
  call.run.acts.emit('send', call.run.context.thing('address', known(call.args[0]) ?? ''), { action: 'mail:send', reversible: false })
  return undefined
}

export const NETWORK: Table = {
  'LWP.Simple.get LWP.Simple.getprint LWP.Simple.head getprint': fetched,
  'LWP.Simple.getstore LWP.Simple.mirror getstore': stores,
  'LWP.UserAgent.new HTTP.Tiny.new WWW.Mechanize.new Mojo.UserAgent.new Furl.new LWP.UserAgent.Determined.new': () => object('agent'),
  'HTTP.Request.new': request,
  'HTTP.Request.Common.GET GET': (call) =>
    object('request', {
      method: { kind: 'text', text: 'GET', bytes: false, glob: false, taint: taintOf(UNKNOWN) },
      url: call.args[0] ?? UNKNOWN,
    }),
  'HTTP.Request.Common.POST POST': (call) =>
    object('request', {
      method: { kind: 'text', text: 'POST', bytes: false, glob: false, taint: taintOf(UNKNOWN) },
      url: call.args[0] ?? UNKNOWN,
      body: list([...call.args.slice(1), ...call.named.values()]),
    }),
  'IO.Socket.INET.new IO.Socket.IP.new IO.Socket.SSL.new IO.Socket.INET6.new': socketNew,
  socket: () => object('socket', {}, flag(FROM.socket)),
  accept: (call) => {
    call.run.state.connection ??= effect('send', call.run.context.thing('host', ''))
    return object('socket', {}, flag(FROM.socket))
  },
  connect,
  'sockaddr_in pack_sockaddr_in Socket.sockaddr_in Socket.pack_sockaddr_in': address,
  'inet_aton Socket.inet_aton inet_pton': (call) => call.args.at(-1),
  'bind listen': (call) => {
    if (call.name === 'listen') listens({ ...call, args: [] })
    return undefined
  },
  send: (call) => {
    const [socket, data] = call.args
    const host = socket?.kind === 'object' ? socket.fields.get('host') : undefined
    if (host !== undefined && data !== undefined) call.run.acts.reach(host, { verb: 'send', action: 'net:socket', payload: data })
    return undefined
  },
  'Net.FTP.new': remote('ftp', 'net:socket'),
  'Net.SSH.Perl.new Net.OpenSSH.new Net.SSH2.new Net.SFTP.Foreign.new Net.SFTP.new': remote('ssh', 'net:remote-login'),
  'Net.Telnet.new': remote('socket', 'net:socket'),
  'Net.SMTP.new': () => object('smtp'),
  'DBI.connect DBI.connect_cached': database,
  'MongoDB.connect': database,
}

export const NETWORK_METHODS: Table = {
  'agent.get': agentGet,
  'agent.head': fetched,
  'agent.post agent.post_form': sends('POST'),
  'agent.put': sends('PUT'),
  'agent.patch': sends('PATCH'),
  'agent.delete': sends('DELETE'),
  'agent.mirror': stores,
  'agent.request agent.simple_request': requested,
  'request.content request.add_content': content,
  'response.content response.decoded_content response.as_string response.body response.res response.result response.json': (call) =>
    unknown(taintOf(call.self ?? UNKNOWN)),
  'socket.accept': (call) => object('socket', {}, taintOf(call.self ?? UNKNOWN)),
  'ftp.get': toHost('fetch', 'net:download'),
  'ftp.put ftp.append ssh.put ssh.scp_put': uploads,
  'ssh.system ssh.capture ssh.cmd ssh.exec': toHost('send', 'net:remote-shell'),
  'smtp.to smtp.recipient': mails,
  ...named(
    'database.do database.prepare database.prepare_cached database.selectall_arrayref database.selectall_hashref ' +
      'database.selectrow_array database.selectrow_arrayref database.selectrow_hashref database.selectcol_arrayref',
    queries(0),
  ),
}
