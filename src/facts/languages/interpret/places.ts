import type { Node } from '../ast.ts'
import { member } from './expression.ts'
import { elementOf, itemsOf, known } from './reading.ts'
import { NO_ARGUMENTS, type Run } from './run.ts'
import type { Environment } from './value.ts'
import { either, list, taintOf, text, UNKNOWN, type Value } from './value.ts'

/** Where values are put: variables, members, items, functions of modules; what was perhaps put there is one of two afterwards. */
export class Places {
  /** Functions of modules that are others by now. */
  readonly patched = new Map<string, Value>()
  /** Names that stand for the same variable. */
  readonly linked: (readonly [string, string])[] = []
  private readonly run: Run

  constructor(run: Run) {
    this.run = run
  }

  private assignName(name: string, value: Value, scope: Environment): void {
    scope.assign(name, value)
    if (this.linked.length > 0) this.assignLinked(name, value, scope)
    if (name !== '$ARGV' && name !== '@ARGV') return
    const given = { ...NO_ARGUMENTS, run: this.run, name, self: null, args: [value], taint: taintOf(value) }
    this.run.profile.functions.get('@ARGV=')?.(given)
  }

  private keyOf(key: Node, scope: Environment): string {
    return key.kind === 'text' ? key.text : (known(this.run.evaluate(key, scope)) ?? '')
  }

  assign(target: Node, value: Value, scope: Environment): void {
    switch (target.kind) {
      case 'name':
        this.assignName(target.name, value, scope)
        break
      case 'list':
      case 'group':
        this.spread(target.items, value, scope)
        break
      case 'dict':
        for (const { key, value: inner } of target.entries) this.assign(inner, member(this.run, value, this.keyOf(key, scope)), scope)
        break
      case 'member': {
        const of = this.run.evaluate(target.of, scope)
        this.assignMember(of, target.name, value)
        break
      }
      case 'index':
        this.assignIndex(target, value, scope)
        break
      case 'assign':
        this.assign(target.target, either([value, this.run.evaluate(target.value, scope)]), scope)
        break
      case 'spread':
        this.assign(target.value, list([value], true), scope)
        break
      case 'unary':
        if (target.op === '$') {
          this.run.here = scope
          this.setNamed(known(this.run.evaluate(target.value, scope)), value)
        } else this.assign(target.value, value, scope)
        break
      default:
        this.run.evaluate(target, scope)
    }
  }

  assignMember(of: Value, name: string, value: Value): void {
    if (of.kind === 'object') of.fields.set(name, this.kept(of.fields.get(name), value))
    if (of.kind === 'dict') of.entries.set(name, this.kept(of.entries.get(name), value))
    if (of.kind === 'ref') this.patch(`${of.name}.${name}`, value)
    const typed = of.kind === 'object' ? `${of.type}.${name}=` : of.kind === 'ref' ? `${of.name}.${name}=` : `*.${name}=`
    const handler = this.run.profile.methods.get(typed) ?? this.run.profile.methods.get('reached.=')
    const call = { run: this.run, name: typed, named: new Map<string, Value>(), make: false, taint: taintOf(value) }
    handler?.({ ...call, self: of, args: [value] })
    // `process.env.NAME = …` is `process.env['NAME'] = …`.
    if (of.kind === 'ref') this.run.profile.functions.get(`${of.name}[]=`)?.({ ...call, self: null, args: [text(name), value] })
  }

  private assignIndex(target: Extract<Node, { kind: 'index' }>, value: Value, scope: Environment): void {
    const of = this.run.evaluate(target.of, scope)
    const key = this.run.evaluate(target.at, scope)
    const name = known(key)
    if (of.kind === 'dict' && name !== null) of.entries.set(name, this.kept(of.entries.get(name), value))
    else if (of.kind === 'dict') for (const [one, old] of of.entries) of.entries.set(one, either([old, value]))
    else if (of.kind === 'list') this.assignItem(of, key, value)
    else if (of.kind === 'object' && name !== null) this.assignMember(of, name, value)
    else if (of.kind === 'method') this.assignMember(of, name ?? 'item', value)
    else if (of.kind === 'ref' && (of.name === '' || of.name === '$GLOBALS')) {
      this.run.here = scope
      this.setNamed(name, value)
    } else if (of.kind === 'ref') {
      if (name !== null) this.patch(`${of.name}.${name}`, value)
      const handler = this.run.profile.functions.get(`${of.name}[]=`)
      handler?.({ run: this.run, name: of.name, self: null, args: [key, value], named: new Map(), make: false, taint: taintOf(value) })
    }
  }

  /** What stands in a place after something was put there: where that perhaps did not happen, either. */
  private kept(old: Value | undefined, value: Value): Value {
    return old === undefined || this.run.state.certainty === 'certain' ? value : either([old, value])
  }

  private assignLinked(name: string, value: Value, scope: Environment): void {
    for (const pair of this.run.acts.first(this.linked, 16)) {
      const [a, b] = pair
      const other = a === name ? b : b === name ? a : null
      const old = other === null ? undefined : scope.get(other)
      if (other !== null) scope.assign(other, old === undefined ? value : either([old, value]))
    }
  }

  private assignItem(of: Extract<Value, { kind: 'list' }>, key: Value, value: Value): void {
    const at = key.kind === 'number' ? (key.value < 0 ? of.items.length + key.value : key.value) : -1
    if (at >= 0 && at < of.items.length) of.items[at] = this.kept(of.items[at], value)
    else if (at === of.items.length && this.run.state.certainty === 'certain') of.items.push(value)
    else {
      for (const [i, old] of of.items.entries()) of.items[i] = either([old, value])
      of.open = true
    }
  }

  private spread(targets: readonly Node[], value: Value, scope: Environment): void {
    const settled = this.run.settle(value)
    const items =
      settled.kind === 'list' ? settled.items : settled.kind === 'object' ? (itemsOf(settled.fields.get('pair') ?? UNKNOWN) ?? null) : null
    for (const [i, target] of targets.entries()) this.assign(target, items?.[i] ?? elementOf(settled), scope)
  }

  setNamed(name: string | null, value: Value): void {
    const { here } = this.run
    if (name === null) {
      here.blur(() => true)
      return
    }
    const variable = this.run.profile.language === 'php' ? `$${name}` : name
    const old = here.get(variable)
    if (old === undefined) here.root().set(variable, value)
    else here.blur((one) => one === variable)
    here.assign(variable, old === undefined ? value : either([old, value]))
  }

  patch(name: string, value: Value): void {
    const callable =
      value.kind === 'function' || value.kind === 'method' || (value.kind === 'ref' && this.run.profile.functions.has(value.name))
    if (callable) this.patched.set(this.run.profile.canonical(name), value)
  }
}
