/** An authorisation graph as a session remembers it: no text of a value, only keyed hashes. Pure. */
import type { AuthorizationGraph, Origin } from '../../authorization/graph/model.ts'
import { placeText } from '../../authorization/task.ts'
import { type HashKey, keyedHash } from '../../provenance/keyed-hash.ts'
import { comparedForms, fold } from '../../provenance/text.ts'
import { MAX_NAME } from './names.ts'

export type KeptOrigin =
  | { readonly says: readonly number[] }
  | { readonly from: string; readonly field: string | null; readonly place: number | null }

export interface KeptPermit {
  readonly id: string
  readonly tool: string
  readonly arguments: readonly (readonly [name: string, origins: readonly KeptOrigin[]])[]
}

export interface KeptGraph {
  /** Hash of the request that it was made of. */
  readonly task: number
  /** Name of the judge that made it. */
  readonly by: string
  /** Null: the judge was asked and gave none. */
  readonly permits: readonly KeptPermit[] | null
}

export function keptPermits({ permits }: AuthorizationGraph, key: HashKey): readonly KeptPermit[] {
  return permits.map(({ id, tool, arguments: args }) => ({
    id,
    tool,
    arguments: [...args].map(([name, origins]) => [name, origins.map((origin) => keptOrigin(origin, key))] as const),
  }))
}

function keptOrigin(origin: Origin, key: HashKey): KeptOrigin {
  if ('says' in origin) return { says: comparedForms(fold(origin.says)).map((form) => keyedHash(key, form)) }
  const { from, field, place } = origin
  // Names of sources are remembered cut.
  return { from: from.slice(0, MAX_NAME), field, place: place === null ? null : keyedHash(key, placeText(place)) }
}
