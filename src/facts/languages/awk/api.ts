import { runaway, table, wrote } from '../api/act.ts'
import { percentFormat } from '../interpret/operators.ts'
import { has, known, pieces } from '../interpret/reading.ts'
import type { Call, Handler, Profile, Run } from '../interpret/run.ts'
import { CLEAN, FROM, flag, joinTaint, list, taintOf, text, UNKNOWN, unknown, type Value } from '../interpret/value.ts'
import { everyVariable, variable } from '../python/files.ts'
import { connects } from '../python/network.ts'

/** What awk's functions and redirections reach: shells, files, connections, the environment. */

const LINES: Value = unknown(flag(FROM.file))

const SOCKET = /^\/inet[46]?\/(?:tcp|udp)\/([^/]*)\/([^/]*)\/([^/]*)$/

/** gawk's `/inet/tcp/lport/host/rport`: a connection, or a port that is listened at where the host is 0. */
function socket(call: Call, name: Value): Value | null {
  const first = pieces(name)[0] ?? ''
  if (!first.startsWith('/inet')) return null
  const [, local = '', host = '', port = ''] = SOCKET.exec(known(name) ?? '') ?? []
  if (host === '0') {
    call.run.acts.once('change', call.run.context.thing('address', local), { action: 'net:listen' })
    return unknown(flag(FROM.socket))
  }
  const address = host === '' ? UNKNOWN : text(`${host}:${port}`)
  const key = `socket ${known(address) ?? ''}`
  if (call.run.state.said.has(key)) return unknown(flag(FROM.socket))
  call.run.state.said.add(key)
  return unknown(taintOf(connects(0)({ ...call, args: [address] }) ?? UNKNOWN))
}

const DOWNLOAD = /(?:^|[\s;|&/(])(?:curl|wget)\s/
const SHELL = /^\s*(?:\/(?:usr\/)?bin\/)?(?:ba|da|z|k)?sh(?:\s+-s?)?\s*$/

function runs(call: Call, line: Value): void {
  runaway(call)
  call.run.acts.shell(line, 'awk')
  // What the lines say is what standard input says, where they come from there.
  if ((pieces(line)[0] ?? null) === null && has(line, FROM.file)) call.run.context.stdin('shell')
}

const system: Handler = (call) => {
  const [line] = call.args
  if (line !== undefined) runs(call, line)
  return UNKNOWN
}

const readCommand: Handler = (call) => {
  const line = call.args[0] ?? UNKNOWN
  const connection = socket(call, line)
  if (connection !== null) return connection
  runs(call, line)
  const remote = pieces(line).some((piece) => piece !== null && DOWNLOAD.test(piece))
  return unknown(flag(FROM.process | (remote ? FROM.network : 0)))
}

const readFile: Handler = (call) => {
  const path = call.args[0] ?? UNKNOWN
  return socket(call, path) ?? unknown(joinTaint(call.run.acts.read(path), flag(FROM.file)))
}

/** `print content > path`. */
const toFile =
  (append: boolean): Handler =>
  (call) => {
    const [path = UNKNOWN, content = UNKNOWN] = call.args
    if (socket(call, path) !== null) return undefined
    call.run.acts.write(path, append ? { attributes: { append } } : {})
    wrote(call, path, content)
    return undefined
  }

/** `print content | command`: what is printed is the command's input. */
const toCommand: Handler = (call) => {
  const [line = UNKNOWN, content = UNKNOWN] = call.args
  if (socket(call, line) !== null) return undefined
  if (SHELL.test(known(line) ?? '')) {
    const whole = known(content)
    if (whole !== null) call.run.acts.shell(content, 'awk')
    else {
      call.run.acts.dynamic(content, 'awk', 'shell')
      runs(call, line)
    }
    return undefined
  }
  runs(call, line)
  return undefined
}

const substr: Handler = (call) => {
  const [whole, from, count] = call.args
  const value = known(whole)
  if (value === null || from?.kind !== 'number' || (count !== undefined && count.kind !== 'number')) return undefined
  const start = Math.max(0, from.value - 1)
  const end = count === undefined ? undefined : Math.max(start, from.value - 1 + count.value)
  return text(value.slice(start, end), call.taint)
}

const inCase =
  (change: (value: string) => string): Handler =>
  (call) => {
    const value = known(call.args[0])
    return value === null ? undefined : text(change(value), call.taint)
  }

/** `@name(…)`: the function that a variable names. */
const indirect: Handler = (call) => {
  const [name, ...args] = call.args
  const wanted = known(name)
  if (wanted !== null) return call.run.call({ kind: 'ref', name: wanted }, { ...call, args })
  call.run.acts.opaque('the function that awk calls is not known before it runs')
  return UNKNOWN
}

const include: Handler = (call) => {
  const path = call.args[0] ?? UNKNOWN
  call.run.context.script('awk', call.run.acts.word(path), [])
  return undefined
}

const blank = { self: null, args: [], named: new Map<string, Value>(), make: false, taint: CLEAN }

export const AWK: Profile = {
  language: 'awk',
  functions: table({
    system,
    readcommand: readCommand,
    readfile: readFile,
    'print>': toFile(false),
    'print>>': toFile(true),
    'print| print|&': toCommand,
    'readline $': () => LINES,
    'ENVIRON[]': (call) => (known(call.args[0]) === null ? everyVariable(call) : variable(call)),
    keys: () => UNKNOWN,
    'ARGV[]=': (call) => {
      const path = call.args[1]
      if (path !== undefined) call.run.acts.read(path, { certainty: 'likely' })
      return undefined
    },
    sprintf: (call) => percentFormat(call.args[0] ?? UNKNOWN, list(call.args.slice(1))),
    substr,
    toupper: inCase((value) => value.toUpperCase()),
    tolower: inCase((value) => value.toLowerCase()),
    '@': indirect,
    '@include': include,
    '@load': (call) => {
      call.run.acts.opaque('awk loads native code')
      return undefined
    },
    'unknown-code': (call) => {
      call.run.acts.opaque('part of the awk program is not known before it runs')
      return undefined
    },
  }),
  methods: new Map(),
  values: new Map<string, (run: Run) => Value>([
    ['ENVIRON', (run) => everyVariable({ run, name: 'ENVIRON', ...blank }) ?? UNKNOWN],
    ['$0', () => LINES],
    ['UNKNOWN_PART', () => UNKNOWN],
  ]),
  canonical: (name) => name,
  inert: new Set(['print']),
}
