/**
 * Tools of agent frameworks behind the gate, known by their shape alone: no framework is imported. What comes back has the types of what
 * was handed in, and runs nothing but through the gate.
 */
import { GateError } from '../errors.ts'
import type { Caller, Gate } from '../gate.ts'

export interface FrameworkOptions {
  /** Who calls, and from where; asked for each call. Default: as the gate knows it. */
  readonly caller?: () => Caller
  /** Names of tools that do not run in this program, such as those of the model's provider or of a browser. Default: none. */
  readonly elsewhere?: readonly string[]
}

/** A list of the same tools that a framework may take as its own: what it asks for is no `readonly` list. */
export type Listed<T extends readonly unknown[]> = { -readonly [K in keyof T]: T[K] }

/** How a framework keeps its tools. */
export interface Form extends FrameworkOptions {
  /** The method that runs a tool: its first argument is the input. */
  readonly method: 'execute' | 'run'
  /** The id of the call, from what the method gets beside the input. */
  readonly callId: (rest: readonly unknown[]) => unknown
}

/** Options of seams that stand before every call, whatever the tool is. */
export interface SeamOptions extends FrameworkOptions {
  /** The tools that the agent is given: one that has nothing to run, which no gate can stand before, stops the start. Default: none is looked at. */
  readonly tools?: readonly object[] | Readonly<Record<string, object>>
}

/**
 * Stops the start where a declared tool does not run in this program.
 * @throws {GateError} where one has no such method and is not named in `elsewhere`.
 */
export function checkDeclared(
  named: readonly (readonly [string, object])[],
  { method, elsewhere = [] }: { readonly method: string; readonly elsewhere?: readonly string[] },
): void {
  const ungated = named.filter(([name, tool]) => !elsewhere.includes(name) && typeof Reflect.get(tool, method) !== 'function')
  if (ungated.length === 0) return
  const names = ungated.map(([name]) => name).join(', ')
  throw new GateError(`declared, but not gated: ${names}, without \`${method}\`; name in \`elsewhere\` what does not run here`)
}

/** Tools by the field that names them, else by their key or their type. */
export function namedTools(tools: NonNullable<SeamOptions['tools']>, field: string): readonly (readonly [string, object])[] {
  return Object.entries(tools).map(([key, tool]) => {
    const name = [at(tool, field), Array.isArray(tools) ? at(tool, 'type') : key].find((each) => typeof each === 'string' && each !== '')
    return [typeof name === 'string' ? name : key, tool]
  })
}

type Run = (input: object, ...rest: readonly unknown[]) => unknown

/**
 * The same tools by the same names; those that run elsewhere as they are.
 * @throws {GateError} where one has nothing to run and is not named in `elsewhere`, or a name stands twice.
 */
export function gateToolObjects(gate: Gate, named: readonly (readonly [string, object])[], form: Form): readonly object[] {
  const { method, elsewhere = [] } = form
  checkDeclared(named, form)
  const twice = named.find(([name], at) => named.findIndex(([other]) => other === name) !== at)
  if (twice !== undefined) throw new GateError(`the tool \`${twice[0]}\` stands twice`)
  return named.map(([name, tool]) => {
    if (elsewhere.includes(name)) return tool
    return withMethods(tool, { [method]: gatedMethod(gate, { name, tool, form }) })
  })
}

function gatedMethod(
  gate: Gate,
  { name, tool, form }: { readonly name: string; readonly tool: object; readonly form: Form },
): (input: object, ...rest: readonly unknown[]) => Promise<unknown> {
  const { method, caller, callId } = form
  const run = (input: object, ...rest: readonly unknown[]) => last((Reflect.get(tool, method) as Run).call(tool, input, ...rest))
  return gate.wrap(run, { name, callId: (...rest) => textOr(callId(rest)), ...(caller === undefined ? {} : { caller }) })
}

function textOr(id: unknown): string | undefined {
  return typeof id === 'string' ? id : undefined
}

/** A property of something that may not be an object. */
export function at(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}

/** The same object with other methods, prototype and all; the one that was handed in is not changed. */
export function withMethods(tool: object, methods: Readonly<Record<string, unknown>>): object {
  const given = Object.entries(methods).map(([name, value]) => [name, { value, enumerable: true, configurable: true, writable: true }])
  // In the place of those that it has, which may be frozen.
  const properties: PropertyDescriptorMap = { ...Object.getOwnPropertyDescriptors(tool), ...Object.fromEntries(given) }
  return Object.create(Object.getPrototypeOf(tool) as object | null, properties) as object
}

/** A tool may give partial results on the way; the last one is its result. */
async function last(result: unknown): Promise<unknown> {
  const given = await result
  if (typeof given !== 'object' || given === null || !(Symbol.asyncIterator in given)) return given
  let value: unknown
  for await (const each of given as AsyncIterable<unknown>) value = each
  return value
}
