/** An MCP client: `callTool` behind the gate, each call under the name of its server. */
import { GateError } from '../errors.ts'
import type { Gate } from '../gate.ts'
import { at, checkDeclared, type FrameworkOptions } from './tool-objects.ts'

interface ToolCaller {
  readonly callTool: (params: never, ...rest: never[]) => Promise<unknown>
}

export interface ClientOptions extends Pick<FrameworkOptions, 'caller'> {
  /** The server's name, as policies know it: `server/tool`. */
  readonly server: string
}

/**
 * The same client, whose `callTool` asks the gate first. A call that does not run is answered as a failed tool (`isError`), with a message
 * for the model; nothing of it reaches the server. A `request` that calls a tool throws: the gate stands before `callTool`.
 * @throws {GateError} where the client has no `callTool`, or the server no name.
 */
export function gateClient<C extends ToolCaller>(gate: Gate, client: C, { server, caller }: ClientOptions): C {
  checkDeclared([[server, client]], { method: 'callTool' })
  if (server === '') throw new GateError('the server needs the name that policies know it by')
  const callTool = async (
    params: { readonly name: string; readonly arguments?: object },
    ...rest: readonly unknown[]
  ): Promise<unknown> => {
    const call = { ...caller?.(), server, tool: params?.name, args: params?.arguments ?? {} }
    const outcome = await gate.run(call, (args) => Reflect.apply(client.callTool, client, [{ ...params, arguments: args }, ...rest]))
    if (outcome.ran) return outcome.result
    return { isError: true, content: [{ type: 'text', text: outcome.message }] }
  }
  return new Proxy(client, {
    get: (target, name) => {
      if (name === 'callTool') return callTool
      const value: unknown = Reflect.get(target, name, target)
      if (name === 'request' && typeof value === 'function')
        return (asked: unknown, ...rest: readonly unknown[]) => {
          if (at(asked, 'method') === 'tools/call') throw new GateError('not gated: a `request` of `tools/call`; call `callTool`')
          return Reflect.apply(value, target, [asked, ...rest])
        }
      // Private fields are the client's, not the proxy's.
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
