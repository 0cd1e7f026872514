/** Shapes that no API of ours knows: they pass, unless there could be a tool in them. */
import { isJsonObject, type Json, type JsonObject, own } from '../../core/json.ts'

/** Keys that hold calls on one wire or another. */
const CALLING: ReadonlySet<string> = new Set([
  'tool_calls',
  'tool_call',
  'toolCall',
  'toolCalls',
  'tool_use',
  'toolUse',
  'function_call',
  'function_calls',
  'functionCall',
  'functionCalls',
  'partial_json',
  'partialArgs',
  'input_json',
])

const ARGUMENTS = ['input', 'arguments', 'args', 'parameters', 'command', 'commands', 'operation', 'action', 'actions'] as const
const TYPES = /tool|function|call|computer|shell|patch|exec|command|action|approval/i
const MAX_DEPTH = 64

/** True where the value holds what some client could take for a call. */
export function holdsCall(value: Json, depth = 0): boolean {
  if (depth > MAX_DEPTH) return true
  if (Array.isArray(value)) return value.some((item: Json) => holdsCall(item, depth + 1))
  if (!isJsonObject(value)) return false
  return isCall(value) || Object.values(value).some((each) => holdsCall(each, depth + 1))
}

function isCall(value: JsonObject): boolean {
  const type = own(value, 'type')
  if (typeof type === 'string' && TYPES.test(type)) return true
  if (Object.keys(value).some((key) => CALLING.has(key) && !isEmpty(value[key]))) return true
  return typeof own(value, 'name') === 'string' && ARGUMENTS.some((key) => Object.hasOwn(value, key))
}

function isEmpty(value: Json | undefined): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0)
}
