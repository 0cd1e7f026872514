import {
  calls,
  deletes,
  does,
  evaluates,
  exhausts,
  gives,
  links,
  moves,
  OUTPUT,
  passes,
  queries,
  reads,
  runaway,
  table,
  writes,
  wrote,
} from '../api/act.ts'
import { bytes } from '../api/decoders.ts'
import { percentFormat } from '../interpret/operators.ts'
import { known, pieces } from '../interpret/reading.ts'
import { type Call, type Handler, type Profile, passing, type Run, type Table } from '../interpret/run.ts'
import {
  CLEAN,
  FROM,
  flag,
  joinTaint,
  list,
  number,
  object,
  part,
  taintOf,
  text,
  UNKNOWN,
  unknown,
  type Value,
} from '../interpret/value.ts'
import { everyVariable, opens, variable } from '../python/files.ts'
import { connects, socketSend } from '../python/network.ts'

/** What is known of Lua's functions: the standard library, LuaSocket, LuaFileSystem, LuaSQL, LuaJIT's ffi. */

/** `_G.os.execute`, `_ENV.os.execute`; `require` of a module under its usual local name. */
function canonical(name: string): string {
  let result = name
  for (const prefix of ['_G.', '_ENV.', 'package.loaded.']) if (result.startsWith(prefix)) result = result.slice(prefix.length)
  return result
}

const INPUT: Value = unknown(flag(FROM.input))

const DOWNLOAD = /(?:^|[\s;|&/(])(?:curl|wget)\s/

/** `io.popen`: what the command prints, or what it is told. */
const popen: Handler = (call) => {
  const line = call.args[0] ?? UNKNOWN
  runaway(call)
  call.run.acts.shell(line, call.name)
  const remote = pieces(line).some((piece) => piece !== null && DOWNLOAD.test(piece))
  const taint = flag(FROM.process | (remote ? FROM.network : 0))
  return object('pipe', { line, each: unknown(taint) }, taint)
}

const SHELL = /^\s*(?:\/(?:usr\/)?bin\/)?(?:ba|da|z|k)?sh(?:\s+-s?)?\s*$/

/** Text written to a shell is run. */
const pipeWrite: Handler = (call) => {
  const line = call.self?.kind === 'object' ? call.self.fields.get('line') : undefined
  if (line !== undefined && SHELL.test(known(line) ?? '')) for (const value of call.args) call.run.acts.shell(value, 'io.popen')
  return call.self ?? undefined
}

const fileWrite: Handler = (call) => {
  const path = call.self?.kind === 'object' ? call.self.fields.get('path') : undefined
  for (const value of call.args) if (path !== undefined) wrote(call, path, value)
  return call.self ?? undefined
}

const execute: Handler = (call) => {
  const [line] = call.args
  if (line === undefined) return UNKNOWN
  if (call.run.state.endless && /&\s*$/.test(known(line) ?? '')) exhausts(call, 'starts processes without end')
  call.run.acts.shell(line, call.name)
  return OUTPUT
}

/** A function that gives pieces of a program (`load(f)`) is called for them. */
const loads: Handler = (call) => {
  const [chunk] = call.args
  if (chunk?.kind === 'function') {
    const source = call.run.call(chunk, passing())
    call.run.acts.code(source, 'lua', call.name)
  } else if (chunk !== undefined) evaluates(0, 'lua')(call)
  return UNKNOWN
}

/** `require "socket.http"` stands for the module; a path of one's own is a script. */
const requires: Handler = (call) => {
  const name = known(call.args[0])
  if (name !== null) return { kind: 'ref', name: canonical(name) }
  call.run.acts.opaque('the module that `require` loads is not known')
  return UNKNOWN
}

const runsFile: Handler = (call) => {
  const [path] = call.args
  if (path === undefined) call.run.context.stdin('lua')
  else call.run.context.script('lua', call.run.acts.word(path), [])
  return UNKNOWN
}

const native: Handler = (call) => {
  const path = known(call.args[0])
  call.run.acts.emit('execute', call.run.context.thing('program', path ?? ''), { action: 'code:native', certainty: 'likely' })
  return UNKNOWN
}

/** `http.request(url)`, `http.request(url, body)`, `http.request{url = …, method = …, source = …}`. */
const request: Handler = (call) => {
  const [first, body] = call.args
  const field = (name: string) => (first?.kind === 'dict' ? first.entries.get(name) : undefined)
  const payload = field('source') ?? body
  const method = known(field('method')) ?? (body === undefined ? 'GET' : 'POST')
  const address = field('url') ?? first ?? UNKNOWN
  const verb = payload !== undefined || !/^(?:GET|HEAD)$/.test(method) ? 'send' : 'fetch'
  return unknown(call.run.acts.reach(address, { verb, method, payload }))
}

function hostAndPort(host: Value | undefined, port: Value | undefined): Value {
  const number = known(port)
  return part([...pieces(host ?? UNKNOWN), ...(number === null ? [] : [`:${number}`])], taintOf(host ?? UNKNOWN))
}

/** `socket.connect(host, port)`, `tcp:connect(host, port)`. */
const connect: Handler = (call) => {
  const address = hostAndPort(call.args[0], call.args[1])
  const made = connects(0)({ ...call, args: [address] })
  if (call.self?.kind === 'object') call.self.fields.set('host', address)
  return made
}

const blank = { self: null, args: [], named: new Map<string, Value>(), make: false, taint: CLEAN }

const characters: Handler = (call) => bytes({ ...call, args: [list(call.args)] })

/** `string.sub` counts from one and takes the end along. */
const sub: Handler = (call) => {
  const [whole, from, to] = call.self === null ? call.args : [call.self, ...call.args]
  const value = known(whole)
  if (value === null || from?.kind !== 'number' || (to !== undefined && to.kind !== 'number')) return undefined
  const at = (index: number): number => (index < 0 ? value.length + index + 1 : index)
  return text(value.slice(Math.max(0, at(from.value) - 1), to === undefined ? undefined : Math.max(0, at(to.value))), call.taint)
}

const onText =
  (change: (value: string) => string, bits = 0): Handler =>
  (call) => {
    const value = known(call.self ?? call.args[0])
    return value === null ? undefined : text(change(value), joinTaint(call.taint, flag(value.length > 8 ? bits : 0)))
  }

const format: Handler = (call) => {
  const [template, ...values] = call.self === null ? call.args : [call.self, ...call.args]
  return percentFormat(template ?? UNKNOWN, list(values))
}

const concat: Handler = (call) => {
  const [items, separator] = call.args
  if (items?.kind !== 'list' || items.open) return undefined
  const between = separator === undefined ? '' : known(separator)
  return part(
    items.items.flatMap((item, index) => [...(index > 0 ? [between] : []), ...pieces(item)]),
    call.taint,
  )
}

const repeat: Handler = (call) => {
  const [whole, count] = call.self === null ? call.args : [call.self, ...call.args]
  const value = known(whole)
  return value === null || count?.kind !== 'number' || count.value * value.length > 65_536
    ? undefined
    : text(value.repeat(Math.max(0, count.value)), call.taint)
}

const STRINGS: Table = {
  sub,
  format,
  rep: repeat,
  reverse: onText((value) => [...value].reverse().join(''), FROM.decoded),
  lower: onText((value) => value.toLowerCase()),
  upper: onText((value) => value.toUpperCase()),
}

const prefixed = (prefix: string, members: Table): Table =>
  Object.fromEntries(Object.entries(members).map(([name, handler]) => [prefix + name, handler]))

/** `ipairs(list)`: number and item; `pairs(table)`: key and value. */
const pairs: Handler = (call) => {
  const [of] = call.args
  if (of?.kind === 'list') {
    const items = of.items.map((item, index) => list([number(index + 1), item]))
    return list(items, of.open, of.taint)
  }
  if (of?.kind === 'dict') {
    const entries = [...of.entries].map(([key, value]) => list([text(key), value]))
    return list(entries, of.open, of.taint)
  }
  return undefined
}

const FUNCTIONS: Table = {
  'ipairs pairs': pairs,
  ...prefixed('string.', STRINGS),
  'string.char utf8.char': characters,
  'table.concat': concat,
  'os.execute ffi.C.system posix.system vim.fn.system': execute,
  'io.popen ffi.C.popen': popen,
  'ffi.load package.loadlib': native,
  'os.remove ffi.C.unlink posix.unlink': deletes(0),
  'os.rename': moves(0, 1),
  'os.getenv': variable,
  'os.tmpname': () => text('/tmp/lua_XXXXXX'),
  'io.open': opens(0, 1),
  'io.lines io.input': (call) => (call.args.length === 0 ? INPUT : object('file', {}, taintOf(reads(0)(call) ?? UNKNOWN))),
  'io.output': (call) => {
    writes(0)(call)
    return object('file', { path: call.args[0] ?? text('/dev/stdout') })
  },
  'io.read': gives(INPUT),
  'io.write': gives(UNKNOWN),
  'load loadstring': loads,
  'dofile loadfile': runsFile,
  require: requires,
  pcall: calls(0, 1, 2, 3),
  xpcall: calls(0, 2, 3),
  'coroutine.wrap': passes(0),
  'socket.http.request ssl.https.request https.request http.request copas.http.request': request,
  'socket.tcp socket.udp socket.tcp4 socket.tcp6': () => object('socket', {}, flag(FROM.socket)),
  'socket.connect': connect,
  'socket.bind': does('change', 'net:listen', { kind: 'address', value: 0, reversible: true }),
  'socket.dns.toip': (call) => unknown(call.run.acts.reach(call.args[0] ?? UNKNOWN, { verb: 'fetch', action: 'net:dns' })),
  'lfs.mkdir': writes(0, null, { action: 'fs:mkdir' }),
  'lfs.rmdir': deletes(0, { action: 'fs:rmdir', reversible: true }),
  'lfs.touch': writes(0, null, { action: 'fs:touch' }),
  'lfs.link': links(0, 1),
  'lfs.dir lfs.attributes': reads(0, { action: 'fs:list' }),
  'luasql.sqlite3 luasql.mysql luasql.postgres': () => object('driver'),
  'sqlite3.open': (call) => {
    call.run.acts.read(call.args[0] ?? UNKNOWN)
    return object('database', { database: call.args[0] ?? UNKNOWN })
  },
}

const received = (call: Call): Value => unknown(taintOf(call.self ?? UNKNOWN))

const METHODS: Table = {
  ...prefixed('text.', STRINGS),
  'file.write': fileWrite,
  'file.read file.lines pipe.read pipe.lines socket.receive': received,
  'pipe.write': pipeWrite,
  'socket.connect': connect,
  'socket.send': socketSend,
  'socket.bind': does('change', 'net:listen', { kind: 'address', value: 0, reversible: true }),
  'driver.connect': (call) => object('database', { database: call.args[0] ?? UNKNOWN }),
  'database.execute database.exec database.prepare database.nrows database.rows': queries(0),
  'io.stdin.read': gives(INPUT),
}

export const LUA: Profile = {
  language: 'lua',
  functions: table(FUNCTIONS),
  methods: table(METHODS),
  values: new Map<string, (run: Run) => Value>([
    ['io.stdin', () => INPUT],
    ['arg', () => UNKNOWN],
    ['os.environ', (run) => everyVariable({ run, name: 'os.environ', ...blank }) ?? UNKNOWN],
  ]),
  canonical,
  inert: new Set('print type tostring tonumber assert error select next rawget rawset setmetatable getmetatable'.split(' ')),
}
