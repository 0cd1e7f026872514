import { known } from '../../interpret/reading.ts'
import type { Value } from '../../interpret/value.ts'

const FIELDS = ['url', 'uri', 'connectionString', 'host', 'hostname'] as const

/** The address of a service among what a client is made with: text that is one, or fields that say one; null where none does. */
export function addressIn(given: Value | ReadonlyMap<string, Value> | undefined): string | null {
  if (given === undefined) return null
  if (!('kind' in given)) return fromFields(given)
  if (given.kind === 'dict') return fromFields(given.entries)
  const text = known(given)
  return text?.includes('://') === true ? text : null
}

function fromFields(fields: ReadonlyMap<string, Value>): string | null {
  for (const name of FIELDS) {
    const text = known(fields.get(name))
    if (text !== null && text !== '') return text.includes('://') ? text : `service://${text}/`
  }
  const socket = fields.get('socket')
  return socket === undefined || socket.kind !== 'dict' ? null : fromFields(socket.entries)
}
