import type { Certainty, Span } from '../../effect.ts'
import type { CommandContext } from '../../host.ts'
import type { FunctionNode, Loop, Node } from '../ast.ts'
import { CodeLimit, LIMITS } from '../limits.ts'
import { Acts } from './acts.ts'
import { bindImports, bindParameters } from './binding.ts'
import { callValue } from './call.ts'
import { expression } from './expression.ts'
import { countersOf, inspect, runsAway } from './inspect.ts'
import { effortOf, operate } from './operators.ts'
import { Places } from './places.ts'
import { elementOf, itemsOf } from './reading.ts'
import { type Entered, recursion } from './recursion.ts'
import { NO_ARGUMENTS, type Passed, type Profile, type Run } from './run.ts'
import { type ExecutionState, nothingDone } from './state.ts'
import { unvisited } from './unvisited.ts'
import { Environment, either, list, NONE, number, taintOf, text, UNKNOWN, unknown, type Value } from './value.ts'

/** The most rounds of a loop of unknown length that are followed, where each finds what the one before it left. */
const ROUNDS = 3

/** What a step costs, in tenths of a microsecond, and after how many steps it is counted. */
const UNITS_PER_STEP = 4
const PAID_AT_ONCE = 256

/** Follows a program once, in order: variables, branches, loops, functions. Nothing is run; every step is counted. */
export class Machine implements Run {
  readonly span: Span
  readonly profile: Profile
  readonly acts: Acts
  readonly state: ExecutionState = nothingDone()
  private readonly imported: boolean
  private steps = 0
  private unpaid = 0
  private inlined = 0
  private inside = 0
  private folded = 0
  private returned: Value[] = []
  private readonly active: Entered[] = []
  private readonly visited = new Set<FunctionNode>()
  private readonly called = new Set<Node>()
  private readonly pending: { fn: FunctionNode; scope: Environment }[] = []
  here = new Environment()
  private readonly places: Places
  /** Modules whose every name is imported. */
  private readonly stars: string[] = []

  constructor(context: CommandContext, span: Span, profile: Profile) {
    this.imported = context.imported
    this.span = span
    this.profile = profile
    this.acts = new Acts(context, span, this.state)
    this.places = new Places(this)
  }

  get context(): CommandContext {
    return this.acts.context
  }

  /** Follows the whole program, then the functions that nothing called: of a loaded module only some are called. */
  program(root: Node): void {
    const uncalled = this.imported ? 'possible' : 'likely'
    this.evaluate(root, new Environment())
    this.callDefined(uncalled)
    for (const node of unvisited(root, this.called, this.imported)) this.within('possible', () => this.evaluate(node, new Environment()))
    this.callDefined(uncalled)
    this.pay()
  }

  private callDefined(uncalled: Certainty): void {
    for (let next = this.pending.shift(); next !== undefined; next = this.pending.shift()) {
      if (this.visited.has(next.fn)) continue
      this.within(uncalled, () => this.body(next.fn, new Environment(next.scope, 'function'), NO_ARGUMENTS))
    }
  }

  spend(count: number): void {
    this.unpaid += count
    if (this.unpaid >= PAID_AT_ONCE) this.pay()
    if (this.inside > 0) this.inlined += count
    else this.steps += count
    if (this.steps > LIMITS.steps || this.inlined > LIMITS.inlined * 2)
      throw new CodeLimit('following the code takes more steps than are taken')
  }

  /** Counts what was done against what the whole call may cost. */
  private pay(): void {
    const units = this.unpaid * UNITS_PER_STEP
    this.unpaid = 0
    if (!this.context.spend(units)) throw new CodeLimit('following the code takes more steps than are taken')
  }

  roomy(): boolean {
    return this.inlined < LIMITS.inlined && this.steps < LIMITS.steps / 2
  }

  further(room = true): boolean {
    if (room && this.roomy()) return true
    this.acts.opaque('the code repeats more than is followed')
    return false
  }

  settle(value: Value): Value {
    if (value.kind !== 'ref') return value
    const found = this.profile.values.get(value.name)
    if (found !== undefined) return found(this)
    for (const module of this.stars) {
      const name = this.profile.canonical(`${module}.${value.name}`)
      if (this.profile.values.has(name)) return this.settle({ kind: 'ref', name })
    }
    return value
  }

  call(callee: Value, passed: Passed): Value {
    const patched = callee.kind === 'ref' && this.places.patched.size > 0 ? this.places.patched.get(callee.name) : undefined
    const named = this.starred(callee)
    return callValue(this, patched === undefined ? named : either([named, patched]), passed)
  }

  /** `from os import *; system(…)`. */
  private starred(callee: Value): Value {
    if (callee.kind !== 'ref' || this.stars.length === 0 || this.profile.functions.has(callee.name)) return callee
    for (const module of this.stars) {
      const name = this.profile.canonical(`${module}.${callee.name}`)
      if (this.profile.functions.has(name)) return { kind: 'ref', name }
    }
    return callee
  }

  setNamed(name: string | null, value: Value): void {
    this.places.setNamed(name, value)
  }

  patch(name: string, value: Value): void {
    this.places.patch(name, value)
  }

  assign(target: Node, value: Value, scope: Environment): void {
    this.places.assign(target, value, scope)
  }

  assignMember(of: Value, name: string, value: Value): void {
    this.places.assignMember(of, name, value)
  }

  opens(module: string): void {
    this.stars.push(module)
  }

  define(fn: FunctionNode, scope: Environment): void {
    this.pending.push({ fn, scope })
  }

  /** Evaluates one after the other; the value of the last. */
  private evaluateAll(nodes: readonly Node[], scope: Environment): Value {
    let last: Value = UNKNOWN
    for (const node of nodes) last = this.evaluate(node, scope)
    return last
  }

  evaluate(node: Node, scope: Environment): Value {
    this.spend(1)
    switch (node.kind) {
      case 'block':
        return this.block(node, scope)
      case 'group': {
        const last = this.evaluateAll(node.items, scope)
        return node.last ? last : UNKNOWN
      }
      case 'assign':
        return this.assignment(node, scope)
      case 'function':
        this.define(node.fn, scope)
        return { kind: 'function', fn: node.fn, scope }
      case 'branch':
        return this.branch(node, scope)
      case 'loop':
        return this.loop(node, scope)
      case 'class':
        return this.classOf(node, scope)
      case 'import':
        this.stars.push(...bindImports(this, node, scope))
        return UNKNOWN
      case 'return': {
        const value = node.value === null ? NONE : this.evaluate(node.value, scope)
        this.returned.push(value)
        return value
      }
      case 'unread':
        this.acts.opaque('part of the code is written in a way that is not read')
        return UNKNOWN
      case 'stop':
        return node.value === null ? UNKNOWN : this.evaluate(node.value, scope)
      default:
        return this.weighed(node, this.expression(node, scope))
    }
  }

  /** What a module does only where it is the program is left out where it is imported. */
  private block({ main, body }: Extract<Node, { kind: 'block' }>, scope: Environment): Value {
    if (main !== true || !this.imported) this.evaluateAll(body, scope)
    return UNKNOWN
  }

  private expression(node: Node, scope: Environment): Value {
    if (node.kind === 'call' || node.kind === 'command') this.called.add(node)
    return expression(this, node, scope)
  }

  /** Long texts that are made again and again are work, too. */
  private weighed(node: Node, value: Value): Value {
    if (value.kind === 'text' && node.kind !== 'text' && node.kind !== 'name') this.weigh(value.text)
    return value
  }

  weigh(text: string): void {
    if (text.length < 256) return
    this.folded += text.length
    if (this.folded > LIMITS.foldedInAll) throw new CodeLimit('the code puts together more text than is followed')
  }

  private assignment(node: Extract<Node, { kind: 'assign' }>, scope: Environment): Value {
    const right = this.evaluate(node.value, scope)
    const { target, value: source } = node
    // PHP: two names of one variable.
    if (source.kind === 'unary' && source.op === '&' && source.value.kind === 'name' && target.kind === 'name')
      this.places.linked.push([target.name, source.value.name])
    if (node.op === '=' || node.op === ':=' || node.op === '||=' || node.op === '??=') {
      this.assign(node.target, right, scope)
      return right
    }
    const left = this.settle(this.evaluate(node.target, scope))
    const value = this.operate(node.op, left, this.settle(right))
    if (this.state.endless && left.kind !== 'number') this.exhausts('grows without end')
    this.assign(node.target, value, scope)
    return value
  }

  operate(op: string, left: Value, right: Value): Value {
    this.spend(effortOf(left, right))
    const value = operate(op, left, right)
    // In a chain each text is put together anew for what follows it.
    if (value.kind === 'text') this.weigh(value.text)
    return value
  }

  private exhausts(how: string): void {
    this.acts.once('execute', this.context.thing('resource', 'memory'), {
      action: 'resource:exhaust',
      reversible: false,
      reason: `a loop ${how}`,
    })
  }

  private branch(node: Extract<Node, { kind: 'branch' }>, scope: Environment): Value {
    for (const test of node.tests) this.evaluate(test, scope)
    const branches = node.blocks.map((block) => {
      const inner = new Environment(scope, 'branch')
      this.within('possible', () => this.evaluate(block, inner))
      return inner
    })
    scope.merge(branches, node.blocks.length <= Math.max(node.tests.length, 1))
    return UNKNOWN
  }

  private within<T>(certainty: Certainty, act: () => T): T {
    const before = this.state.certainty
    if (before !== 'possible') this.state.certainty = certainty
    const result = act()
    this.state.certainty = before
    return result
  }

  private loop(node: Loop, scope: Environment): Value {
    const source = node.source === null ? null : this.iterated(node, this.settle(this.evaluate(node.source, scope)))
    if (node.test !== null) this.evaluate(node.test, scope)
    const items = source === null ? null : itemsOf(source)
    const before = this.state.endless
    const away = (node.forever || (source?.kind === 'object' && source.type === 'endless')) && runsAway(node.body)
    this.state.endless = before || away
    if (items !== null && items.length <= LIMITS.unrolled && this.roomy()) this.unroll(node, items, scope)
    else this.once(node, source, scope)
    this.state.endless = before
    return UNKNOWN
  }

  /** PHP goes over values, or over keys and values; elsewhere keys stand for a dictionary. */
  private iterated(node: Loop, source: Value): Value {
    if (this.profile.language !== 'php') return source
    const pairs = node.target?.kind === 'list' && node.target.items.length === 2
    if (source.kind === 'dict') {
      const items = [...source.entries].map(([key, value]) => (pairs ? list([text(key), value]) : value))
      return list(items, source.open, source.taint)
    }
    if (!pairs) return source
    if (source.kind === 'list') return { ...source, items: source.items.map((item, i) => list([number(i), item])) }
    return list([list([unknown(taintOf(source)), unknown(taintOf(source))])], true, taintOf(source))
  }

  private unroll(node: Loop, items: readonly Value[], scope: Environment): void {
    for (const [i, item] of items.entries()) {
      if (i > 0) this.inside += 1
      if (node.target !== null) this.assign(node.target, item, scope)
      if (i === 0 || this.further()) this.evaluate(node.body, scope)
      if (i > 0) this.inside -= 1
    }
  }

  /** Follows the body once for any item; what it counts up is unknown from the start. */
  private once(node: Loop, source: Value | null, scope: Environment): void {
    this.widen(node.body, scope)
    // What a round leaves, the next one finds; where they still change it, its texts may be anything in the last.
    for (let round = 1; ; round++) {
      const inner = new Environment(scope, 'branch')
      if (node.target !== null) this.assign(node.target, source === null ? UNKNOWN : elementOf(source), inner)
      const { changes } = scope.root()
      this.within('likely', () => this.evaluate(node.body, inner))
      const more = inner.differs() || scope.root().changes !== changes
      scope.merge([inner], !node.forever || more)
      if (!more || round >= ROUNDS || !this.further(this.steps <= LIMITS.rounds)) return
      if (round === ROUNDS - 1) inner.loosen()
    }
  }

  private widen(body: Node, scope: Environment): void {
    for (const name of countersOf(body)) {
      const value = scope.get(name)
      if (value !== undefined && (value.kind === 'number' || value.kind === 'text')) scope.set(name, unknown(taintOf(value)))
    }
  }

  private classOf(node: Extract<Node, { kind: 'class' }>, scope: Environment): Value {
    for (const base of node.bases) this.evaluate(base, scope)
    const inner = new Environment(scope, 'branch')
    this.evaluate(node.body, inner)
    const fields = new Map(inner.names().map((name) => [name, inner.get(name) ?? UNKNOWN]))
    const value: Value = { kind: 'object', type: 'class', fields, taint: taintOf(UNKNOWN) }
    if (node.name !== '') scope.set(node.name, value)
    if (node.name !== '' && this.profile.language === 'php') scope.set(node.name.toLowerCase(), value)
    const reduce = fields.get('__reduce__')
    if (reduce?.kind === 'function') this.reduced(this.enter(reduce.fn, reduce.scope, { ...NO_ARGUMENTS, args: [value] }))
    return value
  }

  /** What `__reduce__` gives is called when the object is unpickled. */
  private reduced(value: Value): void {
    const [callee, args] = value.kind === 'list' ? value.items : []
    if (callee !== undefined && args?.kind === 'list') this.within('likely', () => this.call(callee, { ...NO_ARGUMENTS, args: args.items }))
  }

  enter(fn: FunctionNode, scope: Environment, passed: Passed): Value {
    const first = !this.visited.has(fn)
    const within = this.active.filter((one) => one.fn === fn)
    if (within.length > 0 && inspect(fn.body).calls.has('fork')) this.forks()
    const given = within.length === 0 ? passed : recursion(within, passed, scope.root().changes)
    if (given === null) return UNKNOWN
    if (!first && !this.further(this.active.length < LIMITS.calls)) return unknown(taintOf(passed.args[0] ?? UNKNOWN))
    if (this.active.length >= LIMITS.calls) return unknown(taintOf(passed.args[0] ?? UNKNOWN))
    if (!first) this.inside += 1
    const result = this.within('likely', () => this.body(fn, new Environment(scope, 'function'), given))
    if (!first) this.inside -= 1
    return result
  }

  again({ fn, scope }: Extract<Value, { kind: 'function' }>, passed: Passed): Value {
    const root = scope.root()
    const { changes } = root
    const result = this.enter(fn, scope, passed)
    return root.changes === changes || !this.further() ? result : either([result, this.enter(fn, scope, passed)])
  }

  forks(): void {
    const reason = 'processes start processes without end'
    this.acts.once('execute', this.context.thing('process', 'fork'), { action: 'proc:fork-bomb', reversible: false, reason })
  }

  private body(fn: FunctionNode, scope: Environment, passed: Passed): Value {
    this.visited.add(fn)
    this.active.push({ fn, passed, changes: scope.root().changes })
    const before = this.returned
    this.returned = []
    bindParameters(this, fn.params, { scope, passed })
    if (this.profile.language === 'perl') scope.set('$_', list(passed.args, passed.args.length === 0))
    const last = this.evaluate(fn.body, scope)
    const result = this.returned.length > 0 ? either(this.returned) : last
    this.returned = before
    this.active.pop()
    return result
  }
}
