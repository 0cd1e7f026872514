import { joinPath } from '../run/operators.ts'
import type { Call, Handler, Profile, Run, Table } from '../run/run.ts'
import {
  CLEAN,
  FROM,
  flag,
  has,
  joinTaint,
  known,
  list,
  object,
  part,
  pieces,
  taintOf,
  text,
  UNKNOWN,
  unknown,
  type Value,
} from '../run/value.ts'
import {
  all,
  bomb,
  changes,
  chmods,
  contacts,
  copies,
  deletes,
  deserializes,
  does,
  evaluates,
  links,
  moves,
  named,
  OUTPUT,
  passes,
  queries,
  reads,
  runaway,
  shells,
  TREE,
  table,
  writes,
  wrote,
} from './act.ts'
import { NODE_PURE } from './decoders.ts'
import { everyVariable, variable } from './python/files.ts'
import { connects } from './python/network.ts'

/** What is known of the functions of Node, browsers, Deno and Bun. */

const PREFIXES = /^(?:node:|globalThis\.|global\.|window\.|self\.|process\.mainModule\.|module\.)/

const SAME: ReadonlyMap<string, string> = new Map([
  ['fs.promises', 'fs'],
  ['fs/promises', 'fs'],
  ['fs-extra', 'fs'],
  ['graceful-fs', 'fs'],
  ['path/posix', 'path'],
  ['path.posix', 'path'],
  ['path.default', 'path'],
  ['fs.default', 'fs'],
  ['child_process.default', 'child_process'],
])

function canonical(name: string): string {
  let result = name.replace(PREFIXES, '').replace(PREFIXES, '')
  for (const [from, to] of SAME) {
    if (result === from) return to
    if (result.startsWith(`${from}.`)) result = to + result.slice(from.length)
  }
  // `readFileSync`, `readFile` of callbacks and of promises do the same.
  return result.startsWith('fs.') && result.endsWith('Sync') ? result.slice(0, -4) : result
}

const requires: Handler = (call) => {
  const name = known(call.args[0])
  if (name === null) return UNKNOWN
  if (/^[./]/.test(name)) {
    call.run.context.script('node', call.run.acts.word(call.args[0] ?? UNKNOWN), [])
    return UNKNOWN
  }
  return { kind: 'ref', name: canonical(name) }
}

/** The callback of a call gets what the call gives. */
function answers(call: Call, value: Value): void {
  const fn = call.args.findLast((v) => v.kind === 'function' || v.kind === 'ref')
  if (fn === undefined || (fn.kind === 'ref' && !call.run.profile.functions.has(fn.name))) return
  const first: Value = fn.kind === 'function' && fn.fn.params.length > 1 ? { kind: 'constant', value: null } : value
  call.run.call(fn, { args: [first, value, value], named: new Map(), make: false })
}

/** Node's own convention: the last argument is called with the result. */
function answering(handler: Handler): Handler {
  return (call) => {
    const value = handler(call) ?? unknown(call.taint)
    answers(call, value)
    return value
  }
}

function processObject(): Value {
  const pipe = (): Value => object('pipe', {}, flag(FROM.process))
  return object('process', { stdout: pipe(), stderr: pipe(), stdin: pipe() }, flag(FROM.process))
}

const spawn: Handler = (call) => {
  runaway(call)
  const [program, args, third] = call.args
  const settings = args?.kind === 'dict' ? args : third
  const stdio = settings?.kind === 'dict' ? settings.entries.get('stdio') : undefined
  if (stdio !== undefined && has(stdio, FROM.socket)) call.run.acts.joinStreams()
  const inShell = settings?.kind === 'dict' && settings.entries.has('shell') && known(settings.entries.get('shell')) !== 'false'
  const rest = args?.kind === 'list' ? args.items : []
  if (inShell && program !== undefined)
    call.run.acts.shell(
      part(
        [program, ...rest].flatMap((v, i) => (i > 0 ? [' ', ...pieces(v)] : pieces(v))),
        joinTaint(taintOf(program), ...rest.map((v) => taintOf(v))),
      ),
      call.name,
    )
  else
    call.run.acts.command([program ?? UNKNOWN, ...rest], call.name, {
      open: args?.kind === 'list' ? args.open : args !== undefined && args.kind !== 'dict' && args.kind !== 'function',
    })
  return processObject()
}

const forkScript: Handler = (call) => {
  if (call.run.story.endless) bomb(call)
  const path = call.args[0]
  if (path !== undefined) call.run.context.script('node', call.run.acts.word(path), [])
  return processObject()
}

const fetches: Handler = (call) => {
  const url = call.args[0] ?? UNKNOWN
  const settings = call.args[1]
  const entry = (name: string) => (settings?.kind === 'dict' ? settings.entries.get(name) : undefined)
  const method = (known(entry('method')) ?? 'GET').toUpperCase()
  const cargo = entry('body') ?? entry('data') ?? entry('params')
  const address = url.kind === 'dict' ? fromParts(url) : url
  const taint = call.run.acts.reach(address, {
    verb: cargo !== undefined || !/^(?:GET|HEAD|OPTIONS)$/.test(method) ? 'send' : 'fetch',
    method,
    cargo,
  })
  return object('response', {}, taint)
}

/** `{hostname, port, path}` and `{url}`. */
function fromParts(options: Extract<Value, { kind: 'dict' }>): Value {
  const get = (name: string) => options.entries.get(name)
  const url = get('url')
  if (url !== undefined) return url
  const host = get('hostname') ?? get('host') ?? UNKNOWN
  const port = known(get('port'))
  return part([...pieces(host), port === null ? '' : `:${port}`, ...pieces(get('path') ?? text(''))], taintOf(host))
}

const httpGet: Handler = (call) => {
  const taint = call.run.acts.reach(call.args[0]?.kind === 'dict' ? fromParts(call.args[0]) : (call.args[0] ?? UNKNOWN), {
    verb: 'fetch',
    method: 'GET',
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
  const taint = call.run.acts.reach(address, { verb: method === 'GET' ? 'fetch' : 'send', method })
  answers(call, object('response', {}, taint))
  return object('outgoing', { address }, taint)
}

const outgoing: Handler = (call) => {
  const address = call.self?.kind === 'object' ? call.self.fields.get('address') : undefined
  const data = call.args[0]
  if (address !== undefined && data !== undefined && has(data, FROM.file | FROM.environment | FROM.process))
    call.run.acts.reach(address, { verb: 'send', cargo: data })
  return undefined
}

const sending = (method: string): Handler => contacts(0, { method, cargo: [1], sends: true, gives: 'response' })

/** `net.connect(port, host)`, `net.connect({port, host})`. */
const netConnect: Handler = (call) => {
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
const pipe: Handler = (call) => {
  const [from, to] = [call.self ?? UNKNOWN, call.args[0] ?? UNKNOWN]
  const socket = has(from, FROM.socket) || has(to, FROM.socket)
  if (socket && (has(from, FROM.process) || has(to, FROM.process))) call.run.acts.joinStreams()
  if (to.kind === 'object' && to.type === 'outgoing') outgoing({ ...call, self: to, args: [from] })
  if (to.kind === 'object' && to.fields.has('path') && has(from, FROM.network)) wrote(call, to.fields.get('path') ?? UNKNOWN, from)
  return to
}

/** `x.on('data', f)`: the function gets what the object gives. */
const on: Handler = (call) => {
  const fn = call.args[1]
  if (fn === undefined) return undefined
  call.run.call(fn, { args: [unknown(taintOf(call.self ?? UNKNOWN))], named: new Map(), make: false })
  return call.self ?? undefined
}

/** What a promise gives is passed on. */
const then: Handler = (call) => {
  const fn = call.args[0]
  return fn === undefined ? (call.self ?? undefined) : call.run.call(fn, { args: [call.self ?? UNKNOWN], named: new Map(), make: false })
}

const functionOf: Handler = (call) => {
  const source = call.args.at(-1)
  if (source === undefined || source.kind === 'function') return undefined
  call.run.acts.code(source, 'node', 'Function')
  return UNKNOWN
}

/** `setTimeout("code")` is eval; with a function it is a call. */
const later: Handler = (call) => {
  const first = call.args[0]
  if (first === undefined) return undefined
  if (first.kind === 'text') call.run.acts.code(first, 'node', call.name)
  else if (first.kind !== 'part') call.run.call(first, { args: call.args.slice(2), named: new Map(), make: false })
  return UNKNOWN
}

const openFile: Handler = (call) => {
  const path = call.args[0] ?? UNKNOWN
  const flags = known(call.args[1]) ?? 'r'
  const taint = flags.startsWith('r') ? call.run.acts.read(path) : CLEAN
  if (/[wa+]/.test(flags)) call.run.acts.write(path)
  const file = object('file', { path }, taint)
  answers(call, file)
  return file
}

const removeTree: Handler = (call) => {
  const settings = call.args[1]
  const recursive = settings?.kind === 'dict' && settings.entries.has('recursive')
  return deletes(0, recursive ? TREE : {})(call)
}

const kill: Handler = (call) => {
  const pid = call.args[0]
  call.run.acts.emit('change', call.run.context.thing('process', known(pid) ?? ''), { action: 'proc:kill', reversible: false })
  return undefined
}

const FS: Table = {
  'fs.readFile': answering(reads(0)),
  ...named('fs.createReadStream fs.readv', (call) => object('stream', {}, taintOf(reads(0)(call) ?? UNKNOWN))),
  ...named('fs.readJson fs.readJSON fs.readlink', reads(0)),
  ...named('fs.writeFile fs.appendFile fs.outputFile fs.writeJson', answering(writes(0, 1))),
  'fs.createWriteStream': (call) => {
    writes(0)(call)
    return object('file', { path: call.args[0] ?? UNKNOWN })
  },
  'fs.open': openFile,
  'fs.write': (call) => {
    const path = call.args[0]?.kind === 'object' ? call.args[0].fields.get('path') : undefined
    if (path !== undefined) wrote(call, path, call.args[1] ?? UNKNOWN)
    return undefined
  },
  'fs.unlink': deletes(0),
  ...named('fs.rm rimraf rimraf.sync rimraf.rimraf del', removeTree),
  ...named('fs.remove fs.emptyDir fs.emptydir', deletes(0, TREE)),
  'fs.rmdir': removeTree,
  ...named('fs.rename fs.move', moves()),
  ...named('fs.copyFile fs.cp fs.copy', copies()),
  ...named('fs.symlink fs.link fs.ensureSymlink', links()),
  ...named('fs.chmod fs.lchmod', chmods(0, 1)),
  ...named('fs.chown fs.lchown', changes(0, 'fs:chown')),
  ...named('fs.mkdir fs.mkdirp fs.ensureDir fs.mkdtemp', writes(0, null, { action: 'fs:mkdir' })),
  'fs.truncate': writes(0, null, { action: 'fs:truncate' }),
  ...named(
    'fs.readdir fs.opendir',
    answering((call) => list([], true, taintOf(call.args[0] ?? UNKNOWN))),
  ),
  ...named('path.join path.resolve', (call) => joinPath(call.args)),
  ...named('path.normalize path.basename fs.realpath url.fileURLToPath', passes(0)),
  'path.dirname': (call) => {
    const whole = known(call.args[0])
    return whole === null ? undefined : text(whole.slice(0, Math.max(1, whole.lastIndexOf('/'))))
  },
  'os.homedir': (call) => text(call.run.context.view.home),
  'os.tmpdir': () => text('/tmp'),
  'process.cwd': (call) => (call.run.context.cwd === null ? UNKNOWN : text(call.run.context.cwd)),
  'process.env[]': variable,
  'Deno.env.get': variable,
  'Deno.env.toObject': everyVariable,
  ...named('Deno.readTextFile Deno.readFile Deno.readTextFileSync Deno.readFileSync', reads(0)),
  ...named('Deno.writeTextFile Deno.writeFile Deno.writeTextFileSync Deno.writeFileSync Bun.write', writes(0, 1)),
  ...named('Deno.remove Deno.removeSync', removeTree),
  'Bun.file': (call) => object('path', { text: call.args[0] ?? UNKNOWN }),
}

const PROCESS: Table = {
  ...named('child_process.exec child_process.execSync shelljs.exec execa.command execa.execaCommand shell.exec', answering(shells(0))),
  ...named(
    'child_process.spawn child_process.spawnSync child_process.execFile child_process.execFileSync execa execa.execa execa.sync cross-spawn cross-spawn.sync',
    answering(spawn),
  ),
  'child_process.fork': forkScript,
  'cluster.fork': (call) => (call.run.story.endless ? (bomb(call), UNKNOWN) : UNKNOWN),
  'Bun.spawn': (call) => {
    const argv = call.args[0]
    call.run.acts.command(argv?.kind === 'list' ? argv.items : [argv ?? UNKNOWN], call.name)
    return processObject()
  },
  ...named('new Deno.Command', (call) => {
    const settings = call.args[1]
    const args = settings?.kind === 'dict' ? settings.entries.get('args') : undefined
    call.run.acts.command([call.args[0] ?? UNKNOWN, ...(args?.kind === 'list' ? args.items : [])], 'Deno.Command')
    return processObject()
  }),
  ...named('$ Bun.$ zx.$', shells(0)),
  ...named('eval vm.runInNewContext vm.runInThisContext vm.runInContext execScript', evaluates(0, 'node')),
  ...named('vm.Script new vm.Script', evaluates(0, 'node')),
  ...named('Function new Function', functionOf),
  ...named('setTimeout setInterval setImmediate', later),
  require: requires,
  import: all(requires),
  'process.binding': (call) => object('native', { name: call.args[0] ?? UNKNOWN }),
  'process.kill': kill,
  'process.setuid': does('change', 'privilege:switch', { kind: 'account', value: 0 }),
  'process.dlopen': does('execute', 'code:native', { kind: 'program', value: 1 }),
  ...named('unserialize node-serialize.unserialize serialize-to-js.deserialize v8.deserialize', deserializes(0)),
  'Reflect.apply': (call) =>
    call.run.call(call.args[0] ?? UNKNOWN, {
      args: call.args[2]?.kind === 'list' ? call.args[2].items : [],
      named: new Map(),
      make: false,
    }),
  'Object.assign': (call) => call.args[0],
  'util.promisify': passes(0),
  ...named('Promise.resolve Promise.all', passes(0)),
}

const NET: Table = {
  ...named('fetch node-fetch undici.fetch undici.request axios axios.request got got.default superagent ky needle', fetches),
  ...named(
    'axios.get axios.head got.get superagent.get ky.get needle.get request request.get',
    answering(contacts(0, { method: 'GET', gives: 'response' })),
  ),
  ...named('axios.post got.post superagent.post ky.post needle.post request.post', answering(sending('POST'))),
  ...named('axios.put got.put superagent.put ky.put request.put', sending('PUT')),
  ...named('axios.patch got.patch axios.delete got.delete', sending('PATCH')),
  ...named('http.get https.get', httpGet),
  ...named('http.request https.request', httpRequest),
  ...named('net.connect net.createConnection tls.connect', netConnect),
  ...named('net.Socket new net.Socket', () => object('socket', {}, flag(FROM.socket))),
  ...named('new WebSocket WebSocket ws new ws', contacts(0)),
  'navigator.sendBeacon': contacts(0, { method: 'POST', cargo: [1], sends: true }),
  'new XMLHttpRequest': () => object('xhr'),
  ...named('http.createServer https.createServer net.createServer', (call) => {
    const fn = call.args.find((v) => v.kind === 'function')
    if (call.name === 'net.createServer')
      call.run.story.connection ??= {
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
  }),
  ...named(
    'new sqlite3.Database new better-sqlite3 better-sqlite3 new pg.Client new pg.Pool mysql.createConnection mysql2.createConnection mysql.createPool',
    (call) => object('database', { database: call.args[0]?.kind === 'text' ? call.args[0] : text('') }),
  ),
  ...named('new URL URL', (call) => (call.args[1] === undefined ? call.args[0] : joinPath([call.args[1], call.args[0] ?? UNKNOWN]))),
}

const METHODS: Table = {
  '*.pipe': pipe,
  '*.on': on,
  '*.once': on,
  '*.then': then,
  '*.catch': (call) => call.self ?? undefined,
  '*.finally': (call) => call.self ?? undefined,
  'socket.connect': netConnect,
  ...named('socket.write socket.end', (call) => {
    const data = call.args[0]
    if (data !== undefined && has(data, FROM.process) && has(data, FROM.socket)) call.run.acts.remoteShell()
    const host = call.self?.kind === 'object' ? call.self.fields.get('host') : undefined
    if (data !== undefined && host !== undefined && has(data, FROM.file | FROM.environment | FROM.process))
      call.run.acts.reach(host, { verb: 'send', action: 'net:socket', cargo: data })
    return undefined
  }),
  ...named('outgoing.write outgoing.end', outgoing),
  'file.write': (call) => {
    const path = call.self?.kind === 'object' ? call.self.fields.get('path') : undefined
    if (path !== undefined) wrote(call, path, call.args[0] ?? UNKNOWN)
    return undefined
  },
  ...named('path.text path.json path.arrayBuffer', reads('self')),
  'xhr.open': (call) => {
    if (call.self?.kind === 'object') call.self.fields.set('address', call.args[1] ?? UNKNOWN)
    return undefined
  },
  'xhr.send': (call) => {
    const address = call.self?.kind === 'object' ? call.self.fields.get('address') : undefined
    return address === undefined
      ? undefined
      : unknown(call.run.acts.reach(address, { verb: call.args[0] === undefined ? 'fetch' : 'send', cargo: call.args[0] }))
  },
  ...named(
    'database.exec database.run database.query database.prepare database.all database.get database.each database.execute',
    queries(0),
  ),
  ...named('*.query *.execute', queries(0)),
  ...named('*.unlinkSync *.rmSync *.rmdirSync', deletes(0)),
  ...named('*.writeFileSync *.appendFileSync', writes(0, 1)),
  ...named('*.readFileSync', reads(0)),
  ...named('*.execSync', shells(0)),
  ...named('*.spawnSync *.execFileSync', spawn),
  'native.spawn': (call) => {
    call.run.acts.opaque('a program is started through an internal binding')
    return OUTPUT
  },
  '*.dropDatabase': does('change', 'sql:drop', { kind: 'database' }),
  ...named('*.flushall *.flushdb', does('change', 'sql:flush', { kind: 'database' })),
  'process.env.NODE_TLS_REJECT_UNAUTHORIZED=': does('change', 'security:insecure', {
    kind: 'variable',
    value: 'NODE_TLS_REJECT_UNAUTHORIZED',
    attributes: { insecure: true },
  }),
  // `(x => x).constructor('code')`: the constructor of any function is Function.
  '*.constructor': functionOf,
}

const blank = { self: null, named: new Map<string, Value>(), make: false, taint: CLEAN }

export const NODE: Profile = {
  language: 'node',
  functions: table(NODE_PURE, FS, PROCESS, NET),
  methods: table(METHODS),
  values: new Map<string, (run: Run) => Value>([
    ['process.env', (run) => everyVariable({ run, name: 'process.env', args: [], ...blank }) ?? UNKNOWN],
    ['process.execPath', () => text('node')],
    ['process.argv', () => UNKNOWN],
    ['process.stdin', () => unknown(flag(FROM.input))],
    ['__dirname', () => text('.')],
    ['__filename', () => text('script.js')],
    ['path.sep', () => text('/')],
  ]),
  canonical,
  inert: new Set(
    'console.log console.error console.warn console.info console.table console.dir Array.isArray Object.keys util.inspect JSON.parse'.split(
      ' ',
    ),
  ),
}
