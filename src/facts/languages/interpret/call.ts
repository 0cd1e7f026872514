import type { FunctionNode } from '../ast.ts'
import { fold } from './methods.ts'
import { outputKind } from './output-kind.ts'
import { elementOf, known, taintOfAll } from './reading.ts'
import { argument, type Call, type Passed, passing, type Run } from './run.ts'
import { CLEAN, Environment, either, FROM, object, type Taint, taintOf, unknown, type Value } from './value.ts'

/** Finds what is called: a function of the tables, of the program itself, a method of a known type, or nothing that is known. */
export function callValue(run: Run, callee: Value, passed: Passed): Value {
  run.spend(1)
  switch (callee.kind) {
    case 'ref':
      return callRef(run, callee.name, passed)
    case 'method':
      return callMethod(run, callee.self, { name: callee.name, passed })
    case 'function':
      return run.enter(callee.fn, callee.scope, passed)
    case 'any':
      return either(callee.options.map((option) => callValue(run, option, passed)))
    case 'object':
      return callObject(run, callee, passed)
    case 'text':
      return callNamed(run, callee.text, passed) ?? plain(run, callee, passed)
    default:
      return plain(run, callee, passed)
  }
}

/** Ruby and Perl ask for an attribute with a call. */
function plain(run: Run, callee: Value, passed: Passed): Value {
  // `$_GET['f']('x')`: the other side says what is called.
  if (callee.kind === 'part' && (callee.taint.bits & (FROM.network | FROM.computed)) !== 0)
    run.acts.dynamic(callee, 'a call', run.profile.language)
  const attribute = passed.args.length === 0 && (run.profile.language === 'ruby' || run.profile.language === 'perl')
  return attribute ? callee : passedOn(run, passed, unknown(taintOf(callee)))
}

/** A function that is called by its name as text: PHP's `$f()`, Perl's `&$f()`. */
function callNamed(run: Run, name: string, passed: Passed): Value | null {
  const { language } = run.profile
  if (language === 'php') return callRef(run, run.profile.canonical(name.toLowerCase()), passed)
  return language === 'perl' ? callRef(run, run.profile.canonical(name), passed) : null
}

function taintOfCall(self: Value | null, { args, named }: Passed): Taint {
  const taint = taintOfAll(args, self === null ? CLEAN : taintOf(self))
  return named.size === 0 ? taint : taintOfAll(named.values(), taint)
}

function callRef(run: Run, name: string, passed: Passed): Value {
  const kind = outputKind(name)
  if (kind === 'shows') run.acts.shown(taintOfCall(null, { ...passed, args: passed.args.map((value) => run.settle(value)) }))
  const value = calledByName(run, name, passed)
  return kind === 'answers' && taintOf(value).bits !== 0 ? unknown(CLEAN) : value
}

function calledByName(run: Run, name: string, passed: Passed): Value {
  const { profile } = run
  const make = passed.make ? profile.functions.get(`new.${name}`) : undefined
  const handler = make ?? profile.functions.get(name)
  if (handler !== undefined) return handled(run, handler, { name, self: null, passed })
  const dot = name.lastIndexOf('.')
  if (dot > 0) {
    const of: Value = run.settle({ kind: 'ref', name: name.slice(0, dot) })
    return callMethod(run, of, { name: name.slice(dot + 1), passed })
  }
  const bare = profile.methods.get(`bare.${name}`)
  if (bare !== undefined) return handled(run, bare, { name, self: null, passed })
  if (profile.inert.has(name)) {
    for (const value of passed.args) run.settle(value)
    return unknown(taintOfCall(null, passed))
  }
  return onClient(run, null, { name, passed })
}

/** A call that no table of the language names: of a client that is followed, or of nothing that is known. */
function onClient(run: Run, self: Value | null, { name, passed }: Named): Value {
  const { clients } = run.profile
  const taint = taintOfCall(self, passed)
  const client = clients?.({
    run,
    name,
    self,
    taint,
    ...passed,
    args: passed.args.map((v) => run.settle(v)),
    named: settledNames(run, passed),
  })
  // A block of Ruby is handed what the call gives.
  const handed = run.profile.language === 'ruby' && client?.kind === 'object' ? client : unknown(taint)
  const value = passedOn(run, passed, handed)
  return client ?? value
}

interface Named {
  readonly name: string
  readonly passed: Passed
}

function handled(run: Run, handler: (call: Call) => Value | undefined, { name, self, passed }: Named & { self: Value | null }): Value {
  const settled: Passed = { ...passed, args: passed.args.map((v) => run.settle(v)), named: settledNames(run, passed) }
  const taint = taintOfCall(self, settled)
  return handler({ run, name, self, taint, ...settled }) ?? unknown(taint)
}

function settledNames(run: Run, { named }: Passed): ReadonlyMap<string, Value> {
  if (named.size === 0) return named
  return new Map([...named].map(([key, value]) => [key, key === 'env' ? value : run.settle(value)]))
}

const REAPPLIES: ReadonlySet<string> = new Set(['call', 'apply', 'bind', '__call__', 'curry'])

/** A method that the object itself has, or its type; null where it has none of that name. */
function callOwn(run: Run, self: Extract<Value, { kind: 'object' }>, { name, passed }: Named): Value | null {
  const own = self.fields.get(name)
  if (own !== undefined && own.kind === 'function') {
    const args = isStatic(self, own.fn) ? passed.args : withSelf(run, self, passed)
    return run.enter(own.fn, around(run, own.scope, self), { ...passed, args })
  }
  if (name === 'new' && self.type === 'class') return callObject(run, self, passed)
  const typed = run.profile.methods.get(`${self.type}.${name}`)
  return typed === undefined ? null : handled(run, typed, { name, self, passed })
}

function callMethod(run: Run, self: Value, { name, passed }: Named): Value {
  if (self.kind === 'any') return either(self.options.map((option) => callMethod(run, option, { name, passed })))
  const { methods } = run.profile
  if (REAPPLIES.has(name)) {
    const again = reapplied(run, self, { name, passed })
    if (again !== null) return again
  }
  if (self.kind === 'object') {
    const typed = callOwn(run, self, { name, passed })
    if (typed !== null) return typed
    // What is written to a machine is no file.
    if (self.type === 'reached' && /^(?:write|send|put)/.test(name)) return onClient(run, self, { name, passed })
  }
  const own = self.kind === 'text' || self.kind === 'part' ? methods.get(`text.${name}`) : undefined
  if (own !== undefined) return handled(run, own, { name, self, passed })
  if (self.kind === 'text') run.weigh(self.text)
  const folded = fold({ run, name, self, ...passed, taint: taintOfCall(self, passed) })
  if (folded !== undefined) return folded
  const known = methods.get(`*.${name}`)
  if (known !== undefined) return handled(run, known, { name, self, passed })
  return onClient(run, self, { name, passed })
}

const SELF: Readonly<Record<string, string>> = { node: 'this', php: '$this', ruby: 'self' }

/** The scope of a method, in which the object has a name. */
function around(run: Run, scope: Environment, self: Value): Environment {
  const name = SELF[run.profile.language]
  if (name === undefined) return scope
  const inner = new Environment(scope)
  inner.set(name, self)
  return inner
}

/** A method of the class itself, unless its first parameter stands for the class. */
function isStatic(self: Value, { params }: FunctionNode): boolean {
  const first = params[0]?.target
  return self.kind === 'object' && self.type === 'class' && !(first?.kind === 'name' && first.name === 'cls')
}

/** Python passes the object as the first argument; elsewhere it has a name. */
function withSelf(run: Run, self: Value, passed: Passed): readonly Value[] {
  return run.profile.language === 'python' ? [self, ...passed.args] : passed.args
}

/** `f.call(null, x)`, `f.apply(null, [x])`, `f.bind(null, x)`: the same function. */
function reapplied(run: Run, self: Value, { name, passed }: Named): Value | null {
  const callable = self.kind === 'function' || self.kind === 'method' || (self.kind === 'ref' && run.profile.functions.has(self.name))
  if (!callable) return null
  if (run.profile.language !== 'node') return callValue(run, self, passed)
  if (name === 'bind')
    return passed.args.length < 2
      ? self
      : object('partial', { fn: self, rest: { kind: 'list', items: passed.args.slice(1), open: false, taint: CLEAN } })
  const rest = passed.args.slice(1)
  const only = rest[0]
  return callValue(run, self, passing(...(name === 'apply' && only?.kind === 'list' ? only.items : rest)))
}

/** An instance of the program's own class, or an object that is called. */
function callObject(run: Run, callee: Extract<Value, { kind: 'object' }>, passed: Passed): Value {
  if (callee.type === 'partial') {
    const { fn, rest } = { fn: callee.fields.get('fn'), rest: callee.fields.get('rest') }
    if (fn !== undefined) return callValue(run, fn, { ...passed, args: [...(rest?.kind === 'list' ? rest.items : []), ...passed.args] })
  }
  if (callee.type !== 'class') {
    const own = run.profile.methods.get(`${callee.type}.()`)
    return own === undefined ? onClient(run, callee, { name: '()', passed }) : handled(run, own, { name: '()', self: callee, passed })
  }
  const instance = object('instance')
  for (const [name, value] of callee.fields) instance.fields.set(name, value)
  for (const name of ['__init__', 'constructor', 'initialize', '__construct']) {
    const init = instance.fields.get(name)
    if (init?.kind === 'function')
      run.enter(init.fn, around(run, init.scope, instance), { ...passed, args: withSelf(run, instance, passed) })
  }
  return instance
}

/** What is not known may call whatever is passed to it, with `first` before anything else. */
function passedOn(run: Run, passed: Passed, first: Value): Value {
  const taint = taintOf(first)
  const before = run.state.certainty
  if (before === 'certain') run.state.certainty = 'likely'
  const results: Value[] = []
  const all = [...passed.args, ...passed.named.values()]
  for (const [i, value] of all.entries()) {
    if (value.kind === 'function') results.push(run.again(value, passing(first, unknown(taint), unknown(taint))))
    else if (value.kind === 'ref' && run.profile.functions.has(value.name)) results.push(callValue(run, value, handedOn(passed, i, taint)))
    else if (value.kind === 'object' && value.type === 'partial') results.push(callValue(run, value, passing()))
    else run.settle(value)
  }
  run.state.certainty = before
  return results.length === 0 ? unknown(taint) : either([unknown(taint), ...results])
}

/** `submit(os.system, 'x')`, `Thread(target=f, args=('x',))`, `map(f, list)`: with what a function is called that was passed on. */
function handedOn(passed: Passed, at: number, taint: Taint): Passed {
  const args = argument(passed, -1, 'args')
  if (args?.kind === 'list') return passing(...args.items)
  const after = passed.args.slice(at + 1)
  return after.length > 0 ? passing(...after.map((v) => (v.kind === 'list' ? either([v, elementOf(v)]) : v))) : passing(unknown(taint))
}

/** The dotted name of a callable, for tables that look at what is passed. */
export function nameOf(value: Value | undefined): string {
  if (value === undefined) return ''
  if (value.kind === 'ref') return value.name
  return value.kind === 'method' ? value.name : (known(value) ?? '')
}
