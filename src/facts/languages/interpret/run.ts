import type { Span } from '../../effect.ts'
import type { CommandContext, Language } from '../../host.ts'
import type { FunctionNode, Node } from '../ast.ts'
import type { Acts } from './acts.ts'
import type { ExecutionState } from './state.ts'
import type { Environment, Taint, Value } from './value.ts'

/** The words that the parts of the interpreter share. */

/** Arguments of a call, evaluated. */
export interface Passed {
  readonly args: readonly Value[]
  readonly named: ReadonlyMap<string, Value>
  /** `new X(…)`. */
  readonly make: boolean
}

/** A call as a table sees it. */
export interface Call extends Passed {
  readonly run: Run
  /** Canonical name of what is called. */
  readonly name: string
  /** The object a method is called on; null for a function. */
  readonly self: Value | null
  /** What all arguments and the object come from. */
  readonly taint: Taint
}

/** What a call does and gives; undefined: an unknown value that comes from the arguments. */
export type Handler = (call: Call) => Value | undefined
export type Table = Readonly<Record<string, Handler>>

/** What is known of one language's functions. */
export interface Profile {
  readonly language: Language
  /** Functions by canonical dotted name. */
  readonly functions: ReadonlyMap<string, Handler>
  /** Methods by `type.name`, and by `*.name` for objects of unknown type. */
  readonly methods: ReadonlyMap<string, Handler>
  /** What names stand for that are read, not called. */
  readonly values: ReadonlyMap<string, (run: Run) => Value>
  /** The one spelling of a dotted name. */
  readonly canonical: (name: string) => string
  /** Functions that only look at what is passed to them. */
  readonly inert: ReadonlySet<string>
  /** What loading a module by this dotted name runs. Absent: modules are loaded by calls. */
  readonly loads?: (module: string, run: Run) => void
  /** What calls on clients of services and programs do; undefined where none is called. */
  readonly clients?: Handler
  /** Modules that come with the language. Absent: what else code reaches by packages that nothing is known of is not followed. */
  readonly standard?: ReadonlySet<string>
}

export interface Run {
  readonly context: CommandContext
  readonly span: Span
  readonly profile: Profile
  readonly acts: Acts
  readonly state: ExecutionState
  evaluate(node: Node, scope: Environment): Value
  assign(target: Node, value: Value, scope: Environment): void
  /** Calls a value, as far as it is known. */
  call(callee: Value, passed: Passed): Value
  /** The value a name stands for where it is more than a name. */
  settle(value: Value): Value
  /** Runs a function of the program itself. */
  enter(fn: FunctionNode, scope: Environment, passed: Passed): Value
  /** The same for one that is passed on, which may be called any number of times: what the first call left, the next one finds. */
  again(fn: Extract<Value, { kind: 'function' }>, passed: Passed): Value
  /** The variables where the call at hand stands. */
  here: Environment
  /** A variable of that name is set, wherever it stands; null: one that is not known. */
  setNamed(name: string | null, value: Value): void
  /** Every name of a module is one of the program's own from now on. */
  opens(module: string): void
  /** A function of a module is another one from now on: `os.getcwd = os.system`. */
  patch(name: string, value: Value): void
  /** What a member of a value is given: `a.b = c`. */
  assignMember(of: Value, name: string, value: Value): void
  /** Remembers a function that nobody may call. */
  define(fn: FunctionNode, scope: Environment): void
  spend(count: number): void
  /** The value of `left op right`, paid for by how many values each side may be. */
  operate(op: string, left: Value, right: Value): Value
  /** Counts a text that is worked on; throws where all of them together are more than is followed. */
  weigh(text: string): void
  /** True while there is room for more following of calls and loops. */
  roomy(): boolean
  /** Whether there is room to follow once more what was followed already; where there is none, that it is left out is said. */
  further(room?: boolean): boolean
}

export const NO_ARGUMENTS: Passed = { args: [], named: new Map(), make: false }

/** Arguments by position. */
export function passing(...args: readonly Value[]): Passed {
  return { args, named: new Map(), make: false }
}

/** The argument at `index`, or under one of `names`. */
export function argument(call: Passed, index: number, ...names: readonly string[]): Value | undefined {
  for (const name of names) {
    const value = call.named.get(name)
    if (value !== undefined) return value
  }
  return index < 0 ? undefined : call.args[index]
}
