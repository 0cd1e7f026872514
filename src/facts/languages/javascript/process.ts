import { bomb, directoryOf, does, evaluates, forks, named, passes, runaway, shells } from '../api/act.ts'
import { deserializes } from '../api/deserialize.ts'
import { outputTaint, outputValue } from '../api/output.ts'
import { has, known, pieces } from '../interpret/reading.ts'
import type { Call, Handler, Table } from '../interpret/run.ts'
import {
  either,
  FROM,
  flag,
  joinTaint,
  list,
  object,
  part,
  type Taint,
  taintOf,
  text,
  UNKNOWN,
  unknown,
  type Value,
} from '../interpret/value.ts'
import { setVariable } from '../python/files.ts'
import { answering, canonical } from './names.ts'

/** Node: programs, shells, code from text, modules by name. */

const SUFFIXES = ['', '.js', '.cjs', '.mjs', '.ts', '.tsx', '.jsx', '.json', '/index.js', '/index.mjs', '/index.ts']

/** A module of the program's own, found as Node finds it: beside the file that loads it. TypeScript names what it becomes. */
function loads(call: Call, name: string): Value {
  const { context, acts } = call.run
  const isThere = (path: Value): boolean => {
    const word = acts.word(path)
    const { real } = context.path(word)
    return (real !== null && context.view.realpath(real).type === 'file') || context.written(word) !== null
  }
  const names = [...SUFFIXES.map((suffix) => name + suffix), ...(/\.[cm]?js$/.test(name) ? [name.replace(/js$/, 'ts')] : [])]
  const places = name.startsWith('.') ? context.beside() : ['']
  const path = places.flatMap((place) => names.map((each) => text(place === '' ? each : `${place}/${each}`))).find(isThere) ?? text(name)
  if (known(path)?.endsWith('.json') === true) return unknown(acts.read(path))
  context.module('node', acts.word(path))
  return UNKNOWN
}

export const requires: Handler = (call) => {
  const name = known(call.args[0])
  if (name === null) {
    const path = call.args[0]
    if (path !== undefined && has(path, FROM.network | FROM.socket | FROM.input)) call.run.acts.dynamic(path, call.name, 'node')
    return UNKNOWN
  }
  if (/^(?:https?|data):/.test(name)) call.run.context.script('node', call.run.acts.word(text(name)), [])
  if (/^\.{0,2}\//.test(name)) return loads(call, name)
  return { kind: 'ref', name: canonical(name) }
}

function processObject(taint: Taint = flag(FROM.process)): Value {
  const pipe = (): Value => object('pipe', {}, taint)
  return object('process', { stdout: pipe(), stderr: pipe(), stdin: pipe() }, taint)
}

/** What a process is given of its own: `{ env: { NAME: value } }`, among the arguments. */
function environment(call: Call): void {
  for (const settings of call.args) {
    const env = settings.kind === 'dict' ? settings.entries.get('env') : undefined
    if (env?.kind !== 'dict') continue
    for (const [name, value] of call.run.acts.first([...env.entries], 64)) setVariable({ ...call, args: [text(name), value] })
  }
}

function withEnvironment(handler: Handler): Handler {
  return (call) => {
    environment(call)
    return handler(call)
  }
}

export const spawn: Handler = (call) => {
  runaway(call)
  environment(call)
  const [program, args, third] = call.args
  const settings = args?.kind === 'dict' ? args : third
  const stdio = settings?.kind === 'dict' ? settings.entries.get('stdio') : undefined
  if (stdio !== undefined && has(stdio, FROM.socket)) call.run.acts.joinStreams()
  const inShell = settings?.kind === 'dict' && settings.entries.has('shell') && known(settings.entries.get('shell')) !== 'false'
  const rest = args?.kind === 'list' ? args.items : []
  call.run.acts.inside(directoryOf(call), () => {
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
  })
  const line = list([program ?? UNKNOWN, ...rest])
  return call.name.endsWith('execFileSync') ? outputValue(call, line) : processObject(outputTaint(call, line))
}

const forkScript: Handler = (call) => {
  if (call.run.state.endless) bomb(call)
  const path = call.args[0]
  if (path !== undefined) call.run.context.script('node', call.run.acts.word(path), [])
  return processObject()
}

export const functionOf: Handler = (call) => {
  const source = call.args.at(-1)
  if (source === undefined || source.kind === 'function') return undefined
  call.run.acts.code(source, 'node', 'Function')
  return object('made-function', { code: source })
}

/** `Function('return process')()` is what it names. */
export const madeFunction: Handler = (call) => {
  const code = call.self?.kind === 'object' ? (known(call.self.fields.get('code')) ?? '') : ''
  const name = /^return\s+([\w$.]{1,80});?$/.exec(code.slice(0, 200).trim())?.[1]
  return name === undefined ? undefined : { kind: 'ref', name: name === 'this' || name === 'globalThis' ? '' : canonical(name) }
}

/** Code in a text for a worker, or the script that it runs. */
const worker: Handler = (call) => {
  const [source, settings] = call.args
  const inText = settings?.kind === 'dict' ? settings.entries.get('eval') : undefined
  if (source === undefined) return undefined
  if (inText?.kind === 'constant' && inText.value === true) call.run.acts.code(source, 'node', 'Worker')
  else if (known(source) !== null && !/^(?:https?|data|blob):/.test(known(source) ?? '')) forkScript(call)
  return undefined
}

/** `setTimeout("code")` is eval; with a function it is a call. */
const later: Handler = (call) => {
  const first = call.args[0]
  if (first === undefined) return undefined
  if (first.kind === 'text') call.run.acts.code(first, 'node', call.name)
  else if (first.kind !== 'part') call.run.call(first, { args: call.args.slice(2), named: new Map(), make: false })
  return UNKNOWN
}

/** Code mode of agents: a tool that runs a command, given as one text or as words. */
const toolCommand: Handler = (call) => {
  const [settings] = call.args
  if (settings?.kind !== 'dict') {
    call.run.acts.opaque(`what \`${call.name}\` is called with cannot be told`)
    return UNKNOWN
  }
  const given = ['cmd', 'command', 'chars', 'input'].map((name) => settings.entries.get(name)).find((value) => value !== undefined)
  const directory = settings.entries.get('workdir') ?? settings.entries.get('cwd')
  const script =
    given?.kind === 'list' && given.items.length === 3 && known(given.items[1])?.endsWith('c') === true ? given.items[2] : given
  const line = script?.kind === 'list' ? null : (script ?? UNKNOWN)
  if (line === null) call.run.acts.command(given?.kind === 'list' ? given.items : [], call.name)
  else if (directory === undefined || call.name.endsWith('write_stdin')) call.run.acts.shell(line, call.name)
  else
    call.run.acts.shell(
      part(['cd ', ...pieces(directory), ' && { ', ...pieces(line), '\n}'], joinTaint(taintOf(line), taintOf(directory))),
      call.name,
    )
  return UNKNOWN
}

const kill: Handler = (call) => {
  const pid = call.args[0]
  if (known(call.args[1]) === '0') return undefined
  call.run.acts.emit('change', call.run.context.thing('process', known(pid) ?? ''), {
    action: 'proc:kill',
    reversible: false,
    ...(pid?.kind === 'number' && pid.value <= 1 ? { attributes: { mass: true } } : {}),
  })
  return undefined
}

export const PROCESS: Table = {
  'child_process.exec child_process.execSync shelljs.exec execa.command execa.commandSync execa.execaCommand execa.execaCommandSync shell.exec':
    answering(withEnvironment(shells(0))),
  ...named(
    'child_process.spawn child_process.spawnSync child_process.execFile child_process.execFileSync execa execa.execa ' +
      'execa.execaSync execa.execaNode execa.sync nano-spawn tinyexec.x tinyexec.exec cross-spawn cross-spawn.spawn ' +
      'cross-spawn.sync',
    answering(spawn),
  ),
  'child_process.fork': forkScript,
  'cluster.fork': forks,
  'worker_threads.Worker': worker,
  'Deno.run': (call) => {
    const [settings] = call.args
    const argv = settings?.kind === 'dict' ? settings.entries.get('cmd') : undefined
    call.run.acts.command(argv?.kind === 'list' ? argv.items : [UNKNOWN], call.name, { open: argv?.kind !== 'list' || argv.open })
    return processObject()
  },
  'Bun.spawn': (call) => {
    const argv = call.args[0]
    call.run.acts.command(argv?.kind === 'list' ? argv.items : [argv ?? UNKNOWN], call.name)
    return processObject()
  },
  'Deno.Command': (call) => {
    const settings = call.args[1]
    const args = settings?.kind === 'dict' ? settings.entries.get('args') : undefined
    call.run.acts.command([call.args[0] ?? UNKNOWN, ...(args?.kind === 'list' ? args.items : [])], 'Deno.Command')
    return processObject()
  },
  '$ Bun.$ zx.$': shells(0),
  'eval vm.runInNewContext vm.runInThisContext vm.runInContext execScript': evaluates(0, 'node'),
  'vm.Script': evaluates(0, 'node'),
  Function: functionOf,
  'setTimeout setInterval setImmediate': later,
  require: requires,
  import: requires,
  'process.binding': (call) => object('native', { name: call.args[0] ?? UNKNOWN }),
  'tools.exec_command tools.shell tools.shell_command tools.local_shell tools.unified_exec tools.write_stdin': toolCommand,
  'tools.apply_patch': (call) => {
    const [patch] = call.args
    const given = patch?.kind === 'dict' ? (patch.entries.get('input') ?? patch.entries.get('patch') ?? UNKNOWN) : (patch ?? UNKNOWN)
    call.run.acts.command([text('apply_patch'), given], call.name)
    return UNKNOWN
  },
  'process.kill': kill,
  'process.setuid': does('change', 'privilege:switch', { kind: 'account', value: 0 }),
  'process.dlopen': does('execute', 'code:native', { kind: 'program', value: 1 }),
  'unserialize node-serialize.unserialize serialize-to-js.deserialize v8.deserialize': deserializes(0),
  'Reflect.apply': (call) =>
    call.run.call(call.args[0] ?? UNKNOWN, {
      args: call.args[2]?.kind === 'list' ? call.args[2].items : [],
      named: new Map(),
      make: false,
    }),
  'Object.assign': ({ run, args: [of, ...sources] }) => {
    if (of === undefined) return undefined
    for (const source of sources)
      if (source.kind === 'dict') for (const [key, item] of source.entries) run.assignMember(of, key, item)
      else if (of.kind === 'dict') for (const [key, old] of of.entries) of.entries.set(key, either([old, UNKNOWN]))
    return of
  },
  'Object.defineProperty': ({ run, args: [of, name, given] }) => {
    const key = known(name)
    const value = given?.kind === 'dict' ? (given.entries.get('value') ?? given.entries.get('get')) : undefined
    if (of !== undefined && key !== null && value !== undefined) run.assignMember(of, key, value)
    return of
  },
  'util.promisify': passes(0),
  'Promise.resolve Promise.all': passes(0),
}
