/** What a contract says of a call, for the judge that is asked about it (Role OS's consult): its words, parameters and state. Pure. */
import type { Json, JsonObject } from '../core/json.ts'
import type { Contract, Param, ValueRule } from '../policy/contracts/model.ts'

/** By name of the state: a value, or a table by key. */
export type Tables = ReadonlyMap<string, Json | ReadonlyMap<string, Json>>

/** More entries of one table than a judge reads; `more` says how many are left out. */
const MAX_ENTRIES = 50

/** Each contract of the tool, with the state that its relations refer to, as far as it is known. */
export function shownContracts(contracts: readonly Contract[], tables: Tables): readonly JsonObject[] {
  return contracts.map((contract) => {
    const state = stateOf(contract, tables)
    return {
      tool: contract.tool,
      contract: contract.words,
      params: contract.params.map(shownParam),
      closed: contract.closed,
      ...(Object.keys(state).length === 0 ? {} : { state }),
    }
  })
}

function stateOf(contract: Contract, tables: Tables): JsonObject {
  const named = stateNames(contract.constraints)
  const known = [...named].flatMap((name) => {
    const value = tables.get(name)
    return value === undefined ? [] : [[name, shownTable(value)] as const]
  })
  return { ...contract.state, ...Object.fromEntries(known) }
}

function shownTable(value: Json | ReadonlyMap<string, Json>): Json {
  if (!(value instanceof Map)) return value as Json
  const entries = [...(value as ReadonlyMap<string, Json>)]
  const shown = Object.fromEntries(entries.slice(0, MAX_ENTRIES))
  return entries.length <= MAX_ENTRIES ? shown : { ...shown, more: entries.length - MAX_ENTRIES }
}

/** Names of the state that operands refer to, wherever they stand in a relation. */
function stateNames(constraints: readonly unknown[]): ReadonlySet<string> {
  const names = new Set<string>()
  const open: unknown[] = [...constraints]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (Array.isArray(next)) open.push(...next)
    else if (typeof next === 'object' && next !== null) {
      const { kind, key } = next as { readonly kind?: unknown; readonly key?: unknown }
      if (kind === 'state' && typeof key === 'string') names.add(key)
      open.push(...Object.values(next))
    }
  }
  return names
}

function shownParam({ name, required, ...rule }: Param): JsonObject {
  return { name, required, ...shownRule(rule) }
}

/** Only what the contract says; a pattern by its text. */
function shownRule({ types, pattern, fields, items, ...rest }: ValueRule): JsonObject {
  const said = Object.entries(rest).filter(([, value]) => value !== null)
  return {
    ...(types.length === 0 ? {} : { type: types.length === 1 ? (types[0] ?? null) : types }),
    ...(Object.fromEntries(said) as JsonObject),
    ...(pattern === null ? {} : { pattern: pattern.text }),
    ...(fields.length === 0 ? {} : { fields: fields.map(shownParam) }),
    ...(items === null ? {} : { items: shownRule(items) }),
  }
}
