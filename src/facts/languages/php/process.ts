import { at, does, evaluates, forks, named, OUTPUT, shells, table } from '../api/act.ts'
import { deserializes } from '../api/deserialize.ts'
import { mapped } from '../api/lists.ts'
import { has, itemsOf, known } from '../interpret/reading.ts'
import type { Call, Handler, Table } from '../interpret/run.ts'
import { FROM, flag, list, object, UNKNOWN, type Value } from '../interpret/value.ts'

/** PHP: programs, code from text, functions by name, native code. */

/** `proc_open(cmd, $spec, $pipes)`: a list is a program with arguments. */
const procOpen: Handler = (call) => {
  const [command, streams] = call.args
  if (streams !== undefined && has(streams, FROM.socket)) call.run.acts.joinStreams()
  if (command?.kind === 'list') call.run.acts.command(command.items, call.name, { open: command.open })
  else if (command !== undefined) call.run.acts.shell(command, call.name)
  return object('process', {}, flag(FROM.process))
}

const popen: Handler = (call) => {
  const [command, mode] = call.args
  if (command === undefined) return undefined
  call.run.acts.shell(command, call.name)
  const shell = /^(?:\/bin\/)?(?:ba|da|z)?sh\b/.test(known(command) ?? '')
  return object('process', shell && known(mode)?.startsWith('w') === true ? { shell: command } : {}, flag(FROM.process))
}

const pcntlExec: Handler = (call) => {
  const [program, args] = call.args
  call.run.acts.command([program ?? UNKNOWN, ...(args?.kind === 'list' ? args.items : [])], call.name, {
    open: args !== undefined && (args.kind !== 'list' || args.open),
  })
  return undefined
}

/** A function that is passed as a name, a closure, or `[object, 'method']`. */
function callable(call: Call, value: Value | undefined): Value | null {
  if (value === undefined) return null
  if (value.kind === 'function' || value.kind === 'ref' || value.kind === 'text') return value
  if (value.kind === 'list' && value.items.length === 2) {
    const [of, name] = value.items
    const method = known(name)
    if (of === undefined || method === null) return null
    if (of.kind === 'text') return { kind: 'ref', name: call.run.profile.canonical(`${of.text}.${method}`) }
    return { kind: 'method', self: of, name: method }
  }
  return null
}

/** Calls what is passed as a function; a name that is not known before may be any function. */
function callsNamed(call: Call, callee: Value | undefined, args: readonly Value[]): Value | undefined {
  const found = callable(call, callee)
  if (found !== null) return call.run.call(found, { args, named: new Map(), make: false })
  if (callee !== undefined && callee.kind !== 'constant' && callee.kind !== 'list') call.run.acts.dynamic(callee, call.name, 'php')
  return undefined
}

const userFunc: Handler = (call) => callsNamed(call, call.args[0], call.args.slice(1))

const userFuncArray: Handler = (call) => callsNamed(call, call.args[0], itemsOf(call.args[1] ?? UNKNOWN) ?? [UNKNOWN])

/** `array_map('f', $list)`, `array_filter($list, 'f')`, `usort($list, 'f')`. */
const overList =
  (callback: number, source: number): Handler =>
  (call) => {
    const fn = callable(call, call.args[callback])
    const from = call.args[source]
    return fn === null || from === undefined ? from : mapped(call, fn, from)
  }

/** `preg_replace('/…/e', 'code', …)` ran the replacement. */
const pregReplace: Handler = (call) => {
  const pattern = known(call.args[0])
  if (pattern !== null && /[\W_][a-zA-Z]{0,8}e[a-zA-Z]{0,8}$/.test(pattern.trim()) && call.args[1] !== undefined)
    call.run.acts.code(call.args[1], 'php', call.name)
  return undefined
}

const pregCallback: Handler = (call) => {
  const fn = callable(call, call.args[1])
  return fn === null ? undefined : call.run.call(fn, { args: [list([UNKNOWN], true, call.taint)], named: new Map(), make: false })
}

const assertion: Handler = (call) => {
  const claim = call.args[0]
  if (claim?.kind === 'text' || (claim !== undefined && has(claim, FROM.network | FROM.decoded | FROM.input)))
    call.run.acts.code(claim, 'php', 'assert')
  return undefined
}

const createFunction: Handler = (call) => {
  const body = call.args[1]
  if (body !== undefined) call.run.acts.code(body, 'php', call.name)
  return undefined
}

const includes: Handler = (call) => {
  const path = call.args[0]
  if (path === undefined) return undefined
  const whole = known(path)
  if (has(path, FROM.network | FROM.input)) call.run.acts.dynamic(path, call.name, 'php')
  else if (whole !== null && /^(?:https?|ftp|php|data|phar|expect):/i.test(whole)) {
    call.run.acts.once('execute', call.run.context.url(call.run.acts.word(path)), {
      action: 'code:remote',
      reversible: false,
      reason: `\`${call.name}\` runs what comes from an address`,
      attributes: { language: 'php', by: call.name },
    })
  } else if (whole !== null) call.run.context.script('php', call.run.acts.word(path), [])
  return undefined
}

const kill: Handler = (call) => {
  const pid = call.args[0]
  if (known(call.args[1]) === '0') return undefined
  const number = pid?.kind === 'number' ? pid.value : null
  call.run.acts.emit('change', call.run.context.thing('process', number === null ? '' : String(number)), {
    action: 'proc:kill',
    reversible: false,
    ...(number !== null && number <= 1 ? { attributes: { mass: true } } : {}),
  })
  return undefined
}

const native: Handler = (call) => {
  call.run.acts.once('execute', call.run.context.thing('program', known(call.args[1]) ?? known(call.args[0]) ?? call.name), {
    action: 'code:native',
    reason: 'calls into native code',
  })
  return object('native')
}

const setting: Handler = (call) => {
  const name = known(call.args[0])
  if (name !== null && /^(?:disable_functions|open_basedir|allow_url_include|auto_prepend_file|extension)$/.test(name))
    call.run.acts.emit('change', call.run.context.thing('variable', name), {
      action: 'env:inject',
      attributes: { value: known(call.args[1]) ?? '' },
    })
  return undefined
}

export const PROCESS: Table = {
  'system exec shell_exec passthru `': shells(0),
  popen,
  proc_open: procOpen,
  pcntl_exec: pcntlExec,
  pcntl_fork: forks,
  posix_kill: kill,
  'posix_setuid posix_seteuid posix_setgid': (call) =>
    known(at(call, 0)) === '0' ? does('change', 'privilege:switch', { kind: 'account', value: 'root' })(call) : undefined,
  eval: evaluates(0, 'php'),
  extract: ({ run, args: [given] }) => {
    if (given?.kind === 'dict' && !given.open) for (const [key, item] of given.entries) run.setNamed(key, item)
    else run.setNamed(null, given ?? UNKNOWN)
    return undefined
  },
  'parse_str mb_parse_str': ({ run, args }) => {
    if (args.length < 2) run.setNamed(null, UNKNOWN)
    return undefined
  },
  assert: assertion,
  create_function: createFunction,
  preg_replace: pregReplace,
  'preg_replace_callback mb_ereg_replace_callback': pregCallback,
  'include include_once require require_once virtual': includes,
  ...named(
    'call_user_func forward_static_call register_shutdown_function register_tick_function set_error_handler ' +
      'set_exception_handler spl_autoload_register ob_start',
    userFunc,
  ),
  'call_user_func_array forward_static_call_array': userFuncArray,
  // The output of the page is what the function gets.
  ob_start: (call) => callsNamed(call, call.args[0], [UNKNOWN]),
  array_map: overList(0, 1),
  'array_filter array_walk array_walk_recursive array_reduce usort uasort uksort iterator_apply': overList(1, 0),
  reflectionfunction: (call) => object('reflection', { fn: call.args[0] ?? UNKNOWN }),
  'unserialize yaml_parse igbinary_unserialize': deserializes(0),
  'dl FFI.cdef FFI.load FFI.scope': native,
  'ini_set ini_alter': setting,
  chroot: does('change', 'privilege:root', { kind: 'path', value: 0 }),
}

export const PROCESS_METHODS: ReturnType<typeof table> = table({
  'reflection.invoke': (call) => (call.self?.kind === 'object' ? callsNamed(call, call.self.fields.get('fn'), call.args) : undefined),
  'reflection.invokeArgs': (call) =>
    call.self?.kind === 'object' ? callsNamed(call, call.self.fields.get('fn'), itemsOf(call.args[0] ?? UNKNOWN) ?? [UNKNOWN]) : undefined,
  'process.read': () => OUTPUT,
})
