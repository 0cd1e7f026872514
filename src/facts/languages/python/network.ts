import { effect } from '../../effect.ts'
import { type At, all, at, contacts, does, named, queries, resolves, writes, wrote } from '../api/act.ts'
import { has, known, pieces } from '../interpret/reading.ts'
import { argument, type Call, type Handler, type Table } from '../interpret/run.ts'
import { FROM, flag, list, object, part, taintOf, text, UNKNOWN, unknown, type Value } from '../interpret/value.ts'

/** Python: HTTP, sockets, mail, remote shells, databases. */

const BODY: readonly At[] = [
  [-1, 'data'],
  [-1, 'json'],
  [-1, 'files'],
  [-1, 'params'],
  [-1, 'content'],
  [-1, 'body'],
]

/** Clients that go on to wherever an answer sends them, unless they are told not to; of httpx it is the other way round. */
const FOLLOWING = /^(?:requests|urllib3|grequests|cloudscraper|curl_cffi|aiohttp|urllib|urllib2)\./

const follows = (call: Call): boolean => {
  const said = ['allow_redirects', 'follow_redirects', 'redirect'].map((name) => call.named.get(name)).find((value) => value !== undefined)
  const session = call.self?.kind === 'object' ? call.self.fields.get('follows') : undefined
  const word = said ?? session
  if (word === undefined) return FOLLOWING.test(call.name)
  return !(word.kind === 'constant' && word.value === false)
}

/** A table as a file, or at an address; nothing where the path is a buffer, or is not known. */
const table: Handler = (call) => {
  const where: At = [0, 'path', 'path_or_buf', 'excel_writer', 'path_or_buffer']
  const path = at(call, where)
  return path !== undefined && (pieces(path)[0] ?? '') !== '' ? writes(where)(call) : undefined
}

const getting = contacts([0, 'url'], {
  method: 'GET',
  payload: [
    [-1, 'params'],
    [-1, 'data'],
    [-1, 'json'],
  ],
  gives: 'response',
  follows,
})
const sending = (method: string): Handler =>
  contacts([0, 'url'], { method, payload: [[1, 'data'], ...BODY], sends: true, gives: 'response', follows })

const request: Handler = (call) => {
  const method = (known(argument(call, 0, 'method')) ?? 'GET').toUpperCase()
  const rest = { ...call, args: call.args.slice(1) }
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS' ? getting(rest) : sending(method)(rest)
}

const MODULES = ['requests', 'httpx', 'urllib3', 'grequests', 'cloudscraper', 'curl_cffi.requests']

const METHODS: Table = {
  ...named('get head options', getting),
  post: sending('POST'),
  put: sending('PUT'),
  patch: sending('PATCH'),
  delete: sending('DELETE'),
  request,
  stream: request,
}

const HTTP: Table = Object.fromEntries(
  MODULES.flatMap((module) => Object.entries(METHODS).map(([name, handler]) => [`${module}.${name}`, handler])),
)

const SESSIONS: Table = named(
  'requests.Session requests.session httpx.Client httpx.AsyncClient aiohttp.ClientSession urllib3.PoolManager urllib.request.build_opener',
  (call) => object('session', { follows: { kind: 'constant', value: follows(call) } }),
)

/** `urllib.request.Request(url, data)` waits for `urlopen`. */
const makeRequest: Handler = (call) => {
  const url = argument(call, 0, 'url') ?? UNKNOWN
  return object('request', {
    text: url,
    data: argument(call, 1, 'data') ?? { kind: 'constant', value: null },
    method: argument(call, -1, 'method') ?? UNKNOWN,
  })
}

const urlopen: Handler = (call) => {
  const target = argument(call, 0, 'url') ?? UNKNOWN
  const wrapped = target.kind === 'object' && target.type === 'request' ? target.fields.get('data') : undefined
  const data = argument(call, 1, 'data') ?? wrapped
  const payload = data?.kind === 'constant' ? undefined : data
  const url = target.kind === 'object' ? (target.fields.get('text') ?? UNKNOWN) : target
  const taint = call.run.acts.reach(url, {
    verb: payload === undefined ? 'fetch' : 'send',
    method: payload === undefined ? 'GET' : 'POST',
    payload,
    follows: true,
  })
  return object('response', { each: unknown(taint) }, taint)
}

/** Downloads into a file. */
const download: Handler = (call) => {
  const url = argument(call, 0, 'url') ?? UNKNOWN
  const goal = argument(call, 1, 'filename', 'out', 'output')
  const taint = call.run.acts.reach(url, { verb: 'fetch', method: 'GET', follows: true })
  if (goal !== undefined) {
    call.run.acts.write(goal)
    wrote(call, goal, unknown(taint))
  }
  return unknown(taint)
}

function address(value: Value | undefined): Value {
  if (value?.kind !== 'list') return value ?? UNKNOWN
  const [host, port] = value.items
  return part([...pieces(host ?? UNKNOWN), ...(known(port) === null ? [] : [`:${known(port)}`])], taintOf(host ?? UNKNOWN))
}

/** A raw connection: what comes out of it must never become a command. */
export function connects(where: At): Handler {
  return (call) => {
    const host = address(at(call, where))
    const word = call.run.acts.word(host)
    const goal = call.run.context.url(word)
    call.run.state.connection ??= effect('send', goal)
    call.run.acts.emit('send', goal, { action: 'net:socket', ...(word.text === null ? { attributes: { dynamic: true } } : {}) })
    return object('socket', { host }, flag(FROM.socket, [effect('fetch', goal)]))
  }
}

const socketConnect: Handler = (call) => {
  connects(0)(call)
  return undefined
}

export const socketSend: Handler = (call) => {
  const data = call.args[0]
  if (data === undefined || call.self === null) return undefined
  const { connection } = call.run.state
  const goal = call.args[1] === undefined ? (connection?.target ?? null) : call.run.context.url(call.run.acts.word(address(call.args[1])))
  if (goal === null) return undefined
  if (has(data, FROM.process) && has(data, FROM.socket)) call.run.acts.remoteShell()
  if (!has(data, FROM.file | FROM.environment | FROM.process) && call.args[1] === undefined) return undefined
  const url = call.run.acts.word(call.self.kind === 'object' ? (call.self.fields.get('host') ?? UNKNOWN) : UNKNOWN)
  call.run.acts.reach(
    { kind: 'part', pieces: [goal.value === '' ? null : goal.value || url.prefix], taint: taintOf(UNKNOWN) },
    { verb: 'send', action: 'net:socket', payload: data },
  )
  return undefined
}

const listen = does('change', 'net:listen', { kind: 'address', value: 'self', reversible: true })

function mailTo(where: number, ...names: readonly string[]): Handler {
  return (call) => {
    const to = argument(call, where, ...names)
    const all = to?.kind === 'list' ? to.items : [to ?? UNKNOWN]
    for (const one of call.run.acts.first(all, 64)) {
      const carries = has(list([...call.args, ...call.named.values()]), FROM.file | FROM.environment | FROM.process)
      call.run.acts.emit('send', call.run.context.thing('address', known(one) ?? ''), {
        action: 'mail:send',
        reversible: false,
        ...(carries ? { attributes: { carries: 'file' } } : {}),
      })
    }
    return undefined
  }
}

const remoteHost =
  (type: string): Handler =>
  (call) => {
    const host = argument(call, 0, 'hostname', 'host')
    if (host === undefined) return object(type)
    const where = call.run.context.url(call.run.acts.word(host))
    if (call.self?.kind === 'object') call.self.fields.set('host', host)
    if (type === 'ssh' || call.self !== null)
      call.run.acts.emit('send', where, { action: type === 'ssh' ? 'net:remote-login' : 'net:socket' })
    return object(type, { host }, flag(FROM.network))
  }

const toHost =
  (verb: 'fetch' | 'send'): Handler =>
  (call) => {
    const host = call.self?.kind === 'object' ? call.self.fields.get('host') : undefined
    const taint = call.run.acts.reach(host ?? UNKNOWN, { verb, payload: verb === 'send' ? list(call.args) : undefined })
    return unknown(taint)
  }

const connection: Handler = (call) => object('http', { host: argument(call, 0, 'host') ?? UNKNOWN })

const httpRequest: Handler = (call) => {
  const self = call.self
  const host = self?.kind === 'object' ? (self.fields.get('host') ?? UNKNOWN) : UNKNOWN
  const method = (known(argument(call, 0, 'method')) ?? 'GET').toUpperCase()
  const path = argument(call, 1, 'url') ?? UNKNOWN
  const body = argument(call, 2, 'body')
  const url = part([...pieces(host), ...pieces(path)], taintOf(path))
  const taint = call.run.acts.reach(url, { verb: method === 'GET' || method === 'HEAD' ? 'fetch' : 'send', method, payload: body })
  return object('response', {}, taint)
}

const database: Handler = (call) => {
  const name = argument(call, 0, 'database', 'dsn', 'db', 'host') ?? call.named.get('dbname') ?? UNKNOWN
  if (call.name.startsWith('sqlite3') || call.name.startsWith('apsw') || call.name.startsWith('duckdb')) {
    const path = known(name)
    if (path !== ':memory:' && path !== '') call.run.acts.read(name, { action: 'db:open' })
  }
  const host = known(call.named.get('host') ?? call.named.get('hostname') ?? UNKNOWN)
  return object('database', { database: host === null ? name : text(`sql://${host}/`) })
}

const cursor: Handler = ({ self }) => (self?.kind === 'object' ? object('database', Object.fromEntries(self.fields)) : undefined)

function document(verb: 'delete' | 'change', action: string): Handler {
  return (call: Call) => {
    call.run.acts.emit(verb, call.run.context.thing('database', ''), {
      action,
      reversible: false,
      attributes: { where: call.args[0]?.kind === 'dict' && call.args[0].entries.size > 0 },
    })
    return undefined
  }
}

export const NETWORK: Table = {
  ...HTTP,
  ...SESSIONS,
  'urllib3.request': request,
  'urllib.request.urlopen urllib2.urlopen urllib.urlopen': urlopen,
  'urllib.request.Request urllib2.Request': makeRequest,
  'urllib.request.urlretrieve urllib.urlretrieve wget.download': download,
  'http.client.HTTPConnection http.client.HTTPSConnection httplib.HTTPConnection httplib.HTTPSConnection': connection,
  'webbrowser.open webbrowser.open_new_tab pandas.read_html feedparser.parse': contacts(0),
  'websockets.connect websocket.create_connection websocket.WebSocketApp': (call) =>
    object('channel', { host: argument(call, 0, 'uri', 'url') ?? UNKNOWN }, taintOf(contacts([0, 'uri'])(call) ?? UNKNOWN)),
  'socket.gethostbyname socket.gethostbyname_ex socket.getaddrinfo socket.getfqdn dns.resolver.resolve dns.resolver.query': resolves(0),
  'socket.socket': () => object('socket', {}, flag(FROM.socket)),
  'socket.create_connection': connects(0),
  'asyncio.open_connection': all(connects(0), () =>
    list([object('socket', {}, flag(FROM.socket)), object('socket', {}, flag(FROM.socket))]),
  ),
  'telnetlib.Telnet': connects(0),
  'http.server.HTTPServer http.server.ThreadingHTTPServer socketserver.TCPServer socketserver.ThreadingTCPServer': listen,
  'smtplib.SMTP smtplib.SMTP_SSL': remoteHost('smtp'),
  'yagmail.SMTP': remoteHost('yagmail'),
  'imaplib.IMAP4 imaplib.IMAP4_SSL': remoteHost('imap'),
  'ftplib.FTP ftplib.FTP_TLS': remoteHost('ftp'),
  'paramiko.SSHClient': () => object('ssh'),
  'fabric.Connection paramiko.Transport': remoteHost('ssh'),
  ...named(
    'sqlite3.connect apsw.Connection duckdb.connect psycopg2.connect psycopg.connect pymysql.connect MySQLdb.connect ' +
      'mysql.connector.connect cx_Oracle.connect pyodbc.connect pymssql.connect sqlalchemy.create_engine ' +
      'snowflake.connector.connect clickhouse_driver.Client asyncpg.connect aiosqlite.connect',
    database,
  ),
  'sqlalchemy.text psycopg2.sql.SQL': (call) => call.args[0],
  'ssl._create_unverified_context': () => object('unverified'),
  'pandas.read_sql': queries(0),
}

export const NETWORK_METHODS: Table = {
  'channel.send channel.write_message channel.send_text': (call) =>
    has(call.args[0] ?? UNKNOWN, FROM.file | FROM.environment | FROM.process) ? toHost('send')(call) : undefined,
  ...Object.fromEntries(Object.entries(METHODS).map(([name, handler]) => [`session.${name}`, handler])),
  'session.open': urlopen,
  'response.read response.json response.text response.iter_content response.iter_lines response.readlines response.getresponse response.recv':
    (call) => unknown(taintOf(call.self ?? UNKNOWN)),
  'http.request http.putrequest': httpRequest,
  'http.getresponse': () => object('response', {}, flag(FROM.network)),
  'socket.connect socket.connect_ex': socketConnect,
  'socket.send socket.sendall socket.sendto socket.write': socketSend,
  'socket.recv socket.read socket.readline socket.makefile': (call) => unknown(taintOf(call.self ?? UNKNOWN)),
  'socket.recvfrom': (call) => list([unknown(taintOf(call.self ?? UNKNOWN)), UNKNOWN]),
  'socket.fileno': (call) => unknown(taintOf(call.self ?? UNKNOWN)),
  'socket.accept': (call) => {
    call.run.state.connection ??= effect('send', call.run.context.thing('host', ''))
    return list([object('socket', {}, taintOf(call.self ?? UNKNOWN)), UNKNOWN])
  },
  'socket.bind': listen,
  'smtp.sendmail': mailTo(1, 'to_addrs'),
  'smtp.send_message': mailTo(2, 'to_addrs'),
  'yagmail.send': mailTo(0, 'to'),
  'imap.expunge imap.delete': does('delete', 'mail:delete', { kind: 'resource', value: 'mailbox' }),
  'ftp.storbinary ftp.storlines': toHost('send'),
  'ftp.retrbinary ftp.retrlines': toHost('fetch'),
  'ftp.connect': remoteHost('ftp'),
  'ssh.connect': remoteHost('ssh'),
  'ssh.run ssh.sudo': does('send', 'net:remote-shell', { kind: 'host' }),
  'database.execute database.executemany database.executescript database.raw_sql database.query': queries(0),
  'database.cursor database.connect database.begin database.raw_connection database.__enter__': cursor,
  '*.execute *.executemany *.executescript *.fetch *.fetchall': queries(0),
  '*.drop_database *.drop_collection': document('delete', 'sql:drop'),
  '*.drop_all *.drop_tables': does('delete', 'sql:truncate', { kind: 'database' }),
  '*.delete_many *.deleteMany': document('delete', 'sql:delete'),
  '*.flushall *.flushdb *.flushAll': does('change', 'sql:flush', { kind: 'database' }),
  '*.save_to_disk': writes(0),
  '*.to_csv *.to_parquet *.to_json *.to_excel *.to_pickle *.to_feather *.to_hdf *.to_orc *.to_xml *.to_stata': table,
  'ssl._create_default_https_context=': does('change', 'security:insecure', {
    kind: 'variable',
    value: 'ssl',
    attributes: { insecure: true },
  }),
}
