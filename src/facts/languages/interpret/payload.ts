import type { JsonObject } from '../../../core/json.ts'
import { hasClass } from '../../effect.ts'
import { FROM, taintOf, type Value } from './value.ts'

/** What leaves with a value that is sent. */

/** What leaves, at its worst; null where nothing local is in it. */
export function payloadOf(value: Value): 'credential' | 'environment' | 'file' | 'command-output' | null {
  const { bits, from } = taintOf(value)
  if (from.some((e) => e.verb === 'read' && hasClass(e.target, 'credential'))) return 'credential'
  if ((bits & FROM.environment) !== 0) return 'environment'
  if ((bits & FROM.file) !== 0) return 'file'
  return (bits & FROM.process) !== 0 ? 'command-output' : null
}

/** What leaves with a value, and the file it is from, as attributes of the effect that sends it. */
export function carried(payload: Value): JsonObject {
  const carries = payloadOf(payload)
  return carries === null ? {} : { carries, ...carriedFrom(payload, payload) }
}

export function carriedFrom(payload: Value | undefined, address: Value): { readonly from?: string } {
  const reads = [payload, address].flatMap((v) => (v === undefined ? [] : taintOf(v).from)).filter((e) => e.verb === 'read')
  const worst = reads.find((e) => hasClass(e.target, 'credential')) ?? reads[0]
  return worst === undefined ? {} : { from: worst.target.value }
}
