/** The arguments of one call with their roles: what the policy says, then tables, then the schema, then names, then shapes of values. */
import type { ToolCall, ToolDefinition } from '../../../core/call.ts'
import { childPointer, isJsonObject, type Json, own } from '../../../core/json.ts'
import { hostOf, isAddress } from '../../../provenance/text.ts'
import { draftRoles } from './draft.ts'
import { roleByName } from './names.ts'
import type { ArgumentOf, RoleOf, TargetSort } from './role.ts'

/** What a policy says of arguments, by dotted name: a role, or `target:party`. */
export type RoleOverrides = ReadonlyMap<string, RoleOf>

const MAX_VALUES = 500
/** Longest value that is looked at as an address. */
const MAX_WORD = 2048

/** Every string and number of the arguments; `complete` is false where there are more than are looked at. */
export function argumentsOf(
  call: Pick<ToolCall, 'args' | 'definition'>,
  overrides: RoleOverrides,
): { readonly list: readonly ArgumentOf[]; readonly complete: boolean } {
  const drafted = draftOf(call.definition)
  const list: ArgumentOf[] = []
  const open: Open[] = [{ value: call.args, pointer: '', name: '', key: '' }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (list.length >= MAX_VALUES) return { list, complete: false }
    const { value, pointer, name, key } = next
    if (Array.isArray(value) || isJsonObject(value)) open.push(...below(next))
    else if ((typeof value === 'string' && value !== '') || typeof value === 'number') {
      const role = overrides.get(name) ?? overrides.get(name.replace(/\.\*$/, '')) ?? drafted.get(name) ?? roleOfValue(key, value)
      list.push({ ...role, pointer, name, text: String(value) })
    }
  }
  return { list, complete: true }
}

/** The parts of a value, last first. */
function below({ value, pointer, name, key }: Open): readonly Open[] {
  if (Array.isArray(value)) {
    return value.map((item: Json, at) => ({ value: item, pointer: childPointer(pointer, at), name: `${name}.*`, key })).reverse()
  }
  if (!isJsonObject(value)) return []
  const open = Object.keys(value).map((child) => {
    const called = name === '' ? child : `${name}.${child}`
    return { value: own(value, child) ?? null, pointer: childPointer(pointer, child), name: called, key: child }
  })
  return open.reverse()
}

interface Open {
  readonly value: Json
  readonly pointer: string
  readonly name: string
  readonly key: string
}

const NO_ROLES: ReadonlyMap<string, RoleOf> = new Map()
const drafts = new WeakMap<ToolDefinition, ReadonlyMap<string, RoleOf>>()

function draftOf(definition: ToolDefinition | null): ReadonlyMap<string, RoleOf> {
  if (definition === null) return NO_ROLES
  const known = drafts.get(definition)
  if (known !== undefined) return known
  const drafted = draftRoles(definition)
  drafts.set(definition, drafted)
  return drafted
}

/** Without a schema, by the nearest name and by what the value looks like. */
export function roleOfValue(key: string, value: string | number): RoleOf {
  const named = roleByName(key)
  if (named !== null) return { ...named, by: 'name' }
  if (typeof value === 'number') return option
  if (isAddress(value.toLowerCase())) return target('party')
  const word = value.length <= MAX_WORD && !/\s/.test(value)
  if (word && hostOf(value.toLowerCase()) !== null) return target('place')
  if (value.length > 80 || value.includes('\n') || value.split(' ', 7).length > 6) return { role: 'content', sort: null, by: 'value' }
  return target('thing')
}

const option: RoleOf = { role: 'option', sort: null, by: 'value' }

function target(sort: TargetSort): RoleOf {
  return { role: 'target', sort, by: 'value' }
}
