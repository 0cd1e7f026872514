import type { Handler } from '../interpret/run.ts'
import { CLEAN, FROM, type Taint, taintOf, UNKNOWN, unknown } from '../interpret/value.ts'
import { type At, at } from './act.ts'

/** Data that names code which runs when it is read. */

/** True where data comes from files of the workspace, and from nowhere else. */
function ownFile({ bits, from }: Taint): boolean {
  return bits === FROM.file && from.length > 0 && from.every((e) => e.target.scope === 'workspace')
}

/** Data that runs code when it is read (`pickle`, `Marshal`, `unserialize`). */
export function deserializes(where: At): Handler {
  return (call) => {
    const data = at(call, where)
    const taint = data === undefined ? CLEAN : taintOf(data)
    const { acts } = call.run
    const remote = call.run.context.downloaded(taint.from)
    if ((taint.bits & (FROM.network | FROM.socket)) !== 0) acts.dynamic(data ?? UNKNOWN, call.name, 'data')
    else if (remote !== null)
      acts.once('execute', remote.target, {
        action: 'code:downloaded',
        certainty: 'likely',
        reversible: false,
        reason: `\`${call.name}\` runs code that downloaded data names`,
        attributes: { language: 'data', by: call.name, deserialize: true },
      })
    else
      acts.once('execute', call.run.context.thing('code', call.name), {
        // A file of the workspace is trusted as far as its scripts are.
        action: ownFile(taint) ? 'code:deserialize' : 'code:dynamic',
        certainty: 'likely',
        reason: `\`${call.name}\` runs code that serialized data names`,
        attributes: { language: 'data', by: call.name, deserialize: true },
      })
    return unknown(taint)
  }
}

/** The same, out of the file at a path. */
export function deserializesFile(where: At): Handler {
  return (call) => {
    const path = at(call, where)
    if (path === undefined) return undefined
    const data = unknown(call.run.acts.read(path))
    return deserializes(0)({ ...call, args: [data] })
  }
}
