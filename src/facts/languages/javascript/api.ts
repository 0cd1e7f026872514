import { deletes, does, OUTPUT, queries, reads, shells, table, writes, wrote } from '../api/act.ts'
import { AGENT_METHODS, NODE_AGENTS } from '../api/agents.ts'
import { clients } from '../api/clients/index.ts'
import { REACHED_METHODS } from '../api/clients/reached.ts'
import { NODE_PURE } from '../api/decoders.ts'
import { SERVICE_METHODS } from '../api/services.ts'
import { given } from '../interpret/given.ts'
import { has } from '../interpret/reading.ts'
import type { Profile, Run, Table } from '../interpret/run.ts'
import { CLEAN, FROM, flag, text, UNKNOWN, unknown, type Value } from '../interpret/value.ts'
import { everyVariable } from '../python/files.ts'
import { FILES } from './files.ts'
import { canonical } from './names.ts'
import { fulfils, NETWORK, netConnect, on, outgoing, pipe } from './network.ts'
import { functionOf, madeFunction, PROCESS, requires, spawn } from './process.ts'

/** What is known of the functions of Node, browsers, Deno and Bun. */

const METHODS: Table = {
  '*.pipe': pipe,
  '*.on': on,
  '*.once': on,
  '*.then': fulfils,
  '*.catch': (call) => call.self ?? undefined,
  '*.finally': (call) => call.self ?? undefined,
  'socket.connect': netConnect,
  'socket.write socket.end': (call) => {
    const data = call.args[0]
    if (data !== undefined && has(data, FROM.process) && has(data, FROM.socket)) call.run.acts.remoteShell()
    const host = call.self?.kind === 'object' ? call.self.fields.get('host') : undefined
    if (data !== undefined && host !== undefined && has(data, FROM.file | FROM.environment | FROM.process))
      call.run.acts.reach(host, { verb: 'send', action: 'net:socket', payload: data })
    return undefined
  },
  'outgoing.write outgoing.end outgoing.send': outgoing,
  'file.write': (call) => {
    const path = call.self?.kind === 'object' ? call.self.fields.get('path') : undefined
    if (path !== undefined) wrote(call, path, call.args[0] ?? UNKNOWN)
    return undefined
  },
  'path.text path.json path.arrayBuffer path.bytes path.stream': reads('self'),
  'path.delete path.unlink': deletes('self'),
  'path.write': writes('self', 0),
  'xhr.open': (call) => {
    if (call.self?.kind === 'object') call.self.fields.set('address', call.args[1] ?? UNKNOWN)
    return undefined
  },
  'xhr.send': (call) => {
    const address = call.self?.kind === 'object' ? call.self.fields.get('address') : undefined
    return address === undefined
      ? undefined
      : unknown(call.run.acts.reach(address, { verb: call.args[0] === undefined ? 'fetch' : 'send', payload: call.args[0] }))
  },
  'database.exec database.run database.query database.prepare database.all database.get database.each database.execute': queries(0),
  '*.query *.execute *.raw *.$executeRaw *.$queryRaw *.$executeRawUnsafe *.$queryRawUnsafe': queries(0),
  '*.unlinkSync *.rmSync *.rmdirSync': deletes(0),
  '*.writeFileSync *.appendFileSync': writes(0, 1),
  '*.readFileSync': reads(0),
  '*.execSync': shells(0),
  '*.spawnSync *.execFileSync': spawn,
  'native.spawn': (call) => {
    call.run.acts.opaque('a program is started through an internal binding')
    return OUTPUT
  },
  '*.dropDatabase': does('change', 'sql:drop', { kind: 'database' }),
  '*.flushall *.flushdb': does('change', 'sql:flush', { kind: 'database' }),
  'process.env.NODE_TLS_REJECT_UNAUTHORIZED=': does('change', 'security:insecure', {
    kind: 'variable',
    value: 'NODE_TLS_REJECT_UNAUTHORIZED',
    attributes: { insecure: true },
  }),
  // `(x => x).constructor('code')`: the constructor of any function is Function.
  '*.constructor': functionOf,
  'made-function.()': madeFunction,
  '*.require': requires,
  'ssh.connect': (call) => {
    const [settings] = call.args
    const host = settings?.kind === 'dict' ? settings.entries.get('host') : undefined
    if (host !== undefined) call.run.acts.emit('send', call.run.context.url(call.run.acts.word(host)), { action: 'net:remote-login' })
    return call.self ?? undefined
  },
  'ssh.exec ssh.shell ssh.execCommand': does('send', 'net:remote-shell', { kind: 'host' }),
}

const blank = { self: null, named: new Map<string, Value>(), make: false, taint: CLEAN }

/** Modules and globals that come with Node and browsers. */
const STANDARD: ReadonlySet<string> = new Set(
  (
    'assert async_hooks buffer child_process cluster console crypto dgram diagnostics_channel dns domain events fs http http2 https inspector ' +
    'module net node os path perf_hooks process punycode querystring readline repl stream string_decoder timers tls tty url util v8 vm ' +
    'worker_threads zlib JSON Math Object Array String Number Boolean Date RegExp Promise Map Set Symbol BigInt Intl Reflect Proxy Error ' +
    'URL URLSearchParams Buffer globalThis window document navigator location history localStorage sessionStorage performance this self'
  ).split(' '),
)

export const NODE: Profile = {
  language: 'node',
  functions: table(NODE_PURE, FILES, PROCESS, NETWORK, NODE_AGENTS),
  methods: table(SERVICE_METHODS, METHODS, AGENT_METHODS, REACHED_METHODS),
  values: new Map<string, (run: Run) => Value>([
    ['process.env', (run) => everyVariable({ run, name: 'process.env', args: [], ...blank }) ?? UNKNOWN],
    ['process.execPath', () => text('node')],
    ['process.argv', given(['node'])],
    ['process.stdin', () => unknown(flag(FROM.input))],
    ['__dirname', () => text('.')],
    ['__filename', () => text('script.js')],
    ['path.sep', () => text('/')],
  ]),
  canonical,
  clients,
  standard: STANDARD,
  inert: new Set(
    'console.log console.error console.warn console.info console.table console.dir Array.isArray Object.keys util.inspect JSON.parse'.split(
      ' ',
    ),
  ),
}
