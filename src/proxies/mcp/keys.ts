/** Names of members that some readers take for the names of the protocol: those of Go match whatever the case of the letters is. */
import { isJsonObject, type JsonObject, own } from '../../core/json.ts'

const ENVELOPE = ['jsonrpc', 'id', 'method', 'params', 'result', 'error'] as const
const CALL = ['name', 'arguments', '_meta', 'task', 'inputResponses', 'requestState'] as const

/** Why a message can be read in two ways; null where it cannot. Null also for members that no protocol knows. */
export function ambiguousKey(message: JsonObject): string | null {
  const odd = oddKey(message, ENVELOPE)
  if (odd !== null || own(message, 'method') !== 'tools/call') return odd
  const params = own(message, 'params')
  if (!isJsonObject(params)) return null
  const inside = oddKey(params, CALL)
  if (inside !== null) return inside
  const args = own(params, 'arguments')
  return isJsonObject(args) ? twice(args) : null
}

function oddKey(object: JsonObject, names: readonly string[]): string | null {
  for (const key of Object.keys(object)) {
    if (names.includes(key)) continue
    const folded = fold(key)
    const name = names.find((each) => fold(each) === folded)
    if (name !== undefined) return `a member is called \`${name}\` but for its letters' case`
  }
  return null
}

function twice(object: JsonObject): string | null {
  const seen = new Set<string>()
  for (const key of Object.keys(object)) {
    const folded = fold(key)
    if (seen.has(folded)) return 'two arguments have the same name but for the case of their letters'
    seen.add(folded)
  }
  return null
}

/** As Unicode folds: the long s is an s, the Kelvin sign a k. */
function fold(key: string): string {
  return key.toUpperCase().toLowerCase()
}
