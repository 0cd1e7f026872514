/** The Anthropic SDK's tool runner: tools in a list, each with `name` and `run(input, { toolUse })`. */
import type { Gate } from '../gate.ts'
import { at, type FrameworkOptions, gateToolObjects, type Listed } from './tool-objects.ts'

/** With `name` and `run(input, …)`: what `betaTool` and `betaZodTool` make. */
export type RunnableTools = readonly { readonly name: string }[]

/**
 * The tools for `client.beta.messages.toolRunner`, each gated. One that does not run throws `CallRefused`, which the runner hands to the
 * model as an error of the tool.
 * @throws {GateError} where one has no `run` and is not named in `elsewhere`, or stands twice.
 */
export function gateTools<const T extends RunnableTools>(gate: Gate, tools: T, options: FrameworkOptions = {}): Listed<T> {
  const named = tools.map((tool) => [tool.name, tool] as const)
  const callId = ([context]: readonly unknown[]) => at(at(context, 'toolUse'), 'id')
  return gateToolObjects(gate, named, { ...options, method: 'run', callId }) as unknown as Listed<T>
}
