/**
 * Tools of agent frameworks behind the gate, known by their shape alone: no framework is imported. What comes back has the types of what
 * was handed in, and runs nothing but through the gate.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Code } from '../../core/codes.ts'
import type { Decision } from '../../core/decision.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import { type Caller, createToolGate, type ToolGate, ToolGateError, type ToolGateOptions } from './tool-gate.ts'

/** By name, each with `execute(input, …)`: the tools of the AI SDK (`tool`) and of Mastra (`createTool`). */
export type ToolSet = Readonly<Record<string, object>>

/** With `name` and `run(input, …)`: the tools of the Anthropic SDK's tool runner (`betaTool`, `betaZodTool`). */
export type RunnableTools = readonly { readonly name: string }[]

export interface FrameworkOptions extends Omit<ToolGateOptions, 'tools' | 'declared'> {
  /** Who calls, and from where; asked for each call. Default: nobody that is known, in a session of this process. */
  readonly caller?: () => Caller
  /** Names of tools that do not run in this program, such as those of the model's provider or of a browser. Default: none. */
  readonly elsewhere?: readonly string[]
}

export interface Gated<T> {
  /** The same tools, in the same form. */
  readonly tools: T
  readonly gate: ToolGate
}

/** The gate did not let a call run. Its message is for the model; frameworks hand it on as the result of the tool. */
export class CallRefused extends Error {
  override readonly name = 'CallRefused'
  readonly code: Code
  readonly decision: Decision

  constructor(message: string, { code, decision }: { readonly code: Code; readonly decision: Decision }) {
    super(message)
    this.code = code
    this.decision = decision
  }
}

/**
 * Tools by name, each gated.
 * @throws {ToolGateError} where one has no `execute` and is not named in `elsewhere`, or nobody could be asked.
 */
export function gateToolSet<const T extends ToolSet>(tools: T, options: FrameworkOptions): Gated<T> {
  const { gate, through } = behind(Object.entries(tools), { ...options, method: 'execute' })
  return { gate, tools: Object.fromEntries(Object.entries(tools).map(([name, tool]) => [name, through(name, tool)])) as T }
}

/**
 * Tools in a list, each gated.
 * @throws {ToolGateError} where one has no `run` and is not named in `elsewhere`, stands twice, or nobody could be asked.
 */
export function gateRunnableTools<const T extends RunnableTools>(tools: T, options: FrameworkOptions): Gated<T> {
  const named = tools.map((tool) => [tool.name, tool] as const)
  const { gate, through } = behind(named, { ...options, method: 'run' })
  return { gate, tools: named.map(([name, tool]) => through(name, tool)) as unknown as T }
}

interface Method extends FrameworkOptions {
  readonly method: 'execute' | 'run'
}

/** What a framework hands a tool besides its input, and what the tool returned as it was: neither need be JSON. */
interface Running {
  readonly rest: readonly unknown[]
  result?: unknown
}

type Run = (input: unknown, ...rest: readonly unknown[]) => unknown

function behind(named: readonly (readonly [string, object])[], { method, caller, elsewhere = [], ...options }: Method) {
  const own = named.filter(([name]) => !elsewhere.includes(name))
  const ungated = own.filter(([, tool]) => typeof Reflect.get(tool, method) !== 'function').map(([name]) => name)
  if (ungated.length > 0)
    throw new ToolGateError(
      `declared, but not gated: ${ungated.join(', ')}, without \`${method}\`; name in \`elsewhere\` what does not run here`,
    )
  const running = new AsyncLocalStorage<Running>()
  const gate = createToolGate({
    ...options,
    tools: own.map(([name, tool]) => ({
      name,
      run: async (args) => {
        const at = running.getStore() ?? { rest: [] }
        at.result = await last((Reflect.get(tool, method) as Run).call(tool, args, ...at.rest))
        return asJson(at.result)
      },
    })),
  })
  const gated = (name: string): Run => {
    return async (input, ...rest) => {
      const at: Running = { rest }
      // What is no object of JSON is nothing that could be judged; the gate refuses and records it.
      const outcome = await running.run(at, () => gate.call(name, input as JsonObject, caller?.()))
      if (outcome.ran) return at.result
      throw new CallRefused(outcome.message, outcome)
    }
  }
  const through = (name: string, tool: object): object => {
    if (elsewhere.includes(name)) return tool
    const copy = Object.create(Object.getPrototypeOf(tool) as object | null, Object.getOwnPropertyDescriptors(tool)) as object
    return Object.defineProperty(copy, method, { value: gated(name), enumerable: true, configurable: true, writable: true })
  }
  return { gate, through }
}

/** A tool may give partial results on the way; the last one is its result. */
async function last(result: unknown): Promise<unknown> {
  const given = await result
  if (typeof given !== 'object' || given === null || !(Symbol.asyncIterator in given)) return given
  let value: unknown
  for await (const each of given as AsyncIterable<unknown>) value = each
  return value
}

/** As the session is told of it; what JSON cannot say is left out. */
function asJson(value: unknown): Json {
  try {
    const text = JSON.stringify(value) as string | undefined
    return text === undefined ? null : (JSON.parse(text) as Json)
  } catch {
    return null
  }
}
