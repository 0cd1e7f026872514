import { known } from '../interpret/reading.ts'
import type { Handler } from '../interpret/run.ts'
import { object, type Value } from '../interpret/value.ts'
import { flattened } from './lists.ts'

/** Acts on processes that languages spell alike. */

/**
 * `kill SIGNAL, pids`: `otherwise` is killed where no process is named. Signal 0 only asks whether a process is there.
 */
export function kills(otherwise: readonly Value[]): Handler {
  return (call) => {
    const [signal, ...rest] = flattened(call.args).items
    if (known(signal) === '0') return undefined
    for (const pid of rest.length === 0 ? otherwise : call.run.acts.first(rest, 16)) {
      const number = pid.kind === 'number' ? pid.value : null
      call.run.acts.emit('change', call.run.context.thing('process', number === null ? '' : String(number)), {
        action: 'proc:kill',
        reversible: false,
        ...(number !== null && number <= 1 ? { attributes: { mass: true } } : {}),
      })
    }
    return undefined
  }
}

/** A call into code that no table knows. */
export const native: Handler = (call) => {
  call.run.acts.once('execute', call.run.context.thing('program', known(call.args[0]) ?? call.name), {
    action: 'code:native',
    reason: 'calls into native code',
  })
  return object('native')
}
