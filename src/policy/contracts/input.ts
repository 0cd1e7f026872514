/** What a contract sees of one call: the arguments, and state from the session first, from the contract's own file second. */
import { isJsonObject, type Json, type JsonObject, own } from '../../core/json.ts'
import type { Contract } from './model.ts'
import { type ContractInput, type StateValue, whole } from './operand.ts'

export interface InputParts {
  readonly args: JsonObject
  readonly contract: Pick<Contract, 'state'>
  /** Tables and values of the session; default none. */
  readonly tables?: ReadonlyMap<string, StateValue>
  /** Names of state whose lookup failed; default none. */
  readonly failed?: ReadonlySet<string>
  /** Milliseconds since the epoch; default 0. */
  readonly now?: number
  /** Variables of conditions besides `args`, `state` and `now`; made only if asked for. */
  readonly variables?: () => object
}

const NO_TABLES: ReadonlyMap<string, StateValue> = new Map()
const NONE: ReadonlySet<string> = new Set()

/** The input of one contract for one call. */
export function inputOf({ args, contract, tables = NO_TABLES, failed = NONE, now = 0, variables }: InputParts): ContractInput {
  let made: Readonly<Record<string, unknown>> | null = null
  return {
    args,
    now,
    failed,
    state: (key) => tables.get(key) ?? (contract.state === null ? undefined : own(contract.state, key)),
    condition: () => {
      made ??= { ...variables?.(), args, now, state: stateObject(contract.state, tables) }
      return made
    },
  }
}

function stateObject(file: JsonObject | null, tables: ReadonlyMap<string, StateValue>): JsonObject {
  const state: Record<string, Json> = Object.create(null)
  if (isJsonObject(file ?? undefined)) for (const [key, value] of Object.entries(file as JsonObject)) state[key] = value
  // A condition reads one table or two; the others are not copied for it.
  for (const [key, value] of tables) lazily(state, key, value)
  return state
}

function lazily(state: object, key: string, value: StateValue): void {
  let made: Json | undefined
  const get = (): Json => {
    made ??= whole(value)
    return made
  }
  Object.defineProperty(state, key, { enumerable: true, configurable: true, get })
}
