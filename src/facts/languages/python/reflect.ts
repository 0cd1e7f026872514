import { nameOf } from '../interpret/call.ts'
import { member } from '../interpret/expression.ts'
import { known } from '../interpret/reading.ts'
import type { Call, Handler, Table } from '../interpret/run.ts'
import { list, object, UNKNOWN, type Value } from '../interpret/value.ts'

/** Python: ways to a function that do not name its module: `methodcaller`, `__subclasses__`, `__globals__`, `code.interact`. */

/** `operator.methodcaller('system', 'x')(os)`, `operator.attrgetter('system')(os)('x')`. */
const keeper =
  (type: string): Handler =>
  (call) =>
    object(type, { name: call.args[0] ?? UNKNOWN, rest: list(call.args.slice(1)) })

function field({ self }: Call, name: string): Value | undefined {
  return self?.kind === 'object' ? self.fields.get(name) : undefined
}

function picked(call: Call): Value {
  const [of] = call.args
  const name = known(field(call, 'name'))
  return of === undefined || name === null ? UNKNOWN : name.split('.').reduce<Value>((value, part) => member(call.run, value, part), of)
}

const methodCalled: Handler = (call) => {
  const rest = field(call, 'rest')
  return call.run.call(picked(call), { args: rest?.kind === 'list' ? rest.items : [], named: call.named, make: false })
}

const ROOTS = /^(?:__base__|__bases__|__mro__|mro)$/

/** Classes below `object` are all there are: one of them starts programs, and which one is told by a number. */
const subclasses: Handler = ({ self }) => {
  let of: Value | null = self
  for (let depth = 0; of?.kind === 'method' && depth < 16; depth++) {
    if (ROOTS.test(of.name)) return list([object('some-class')], true)
    of = of.self
  }
  return self?.kind === 'part' || nameOf(self ?? undefined) === 'object' ? list([object('some-class')], true) : undefined
}

const someClass: Handler = (call) => {
  const line = call.args[0]
  if (line !== undefined && line.kind !== 'function') call.run.acts.opaque('a class is called that is picked out of all classes there are')
  return UNKNOWN
}

/** What looks like a start of a program, of whatever it is called: `f.__globals__['system']('x')`, `o.system('x')` in text that is run. */
const started: Handler = (call) => {
  const [first] = call.args
  if (first?.kind === 'list') call.run.acts.command(first.items, call.name, { open: first.open })
  else if (first?.kind === 'text' || (first?.kind === 'part' && first.pieces[0] !== null)) call.run.acts.shell(first, call.name)
  return undefined
}

/** Starts of programs that replace this one: the words after the name. */
const replaced: Handler = (call) => {
  const [program, argv] = call.args
  if (program?.kind === 'text' && argv?.kind === 'list')
    call.run.acts.command([program, ...argv.items.slice(1)], call.name, { open: argv.open })
  return undefined
}

export const REFLECT: Table = {
  'operator.methodcaller': keeper('method-caller'),
  'operator.attrgetter': keeper('attribute-getter'),
  'object.__subclasses__': () => list([object('some-class')], true),
  'code.interact': (call) => {
    call.run.context.stdin('python')
    return undefined
  },
}

export const REFLECT_METHODS: Table = {
  'method-caller.()': methodCalled,
  'attribute-getter.()': picked,
  'some-class.()': someClass,
  '*.__subclasses__': subclasses,
  '*.system *.popen *.Popen *.getoutput *.check_output *.check_call': started,
  '*.execv *.execve *.execvp *.execvpe *.posix_spawn': replaced,
}
