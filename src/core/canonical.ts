/** One serialisation per value: RFC 8785 canonical JSON, so that equal values have equal digests whatever their key order. */
import canonicalize from 'canonicalize'
import type { Json } from './json.ts'

/**
 * The canonical text of a JSON value: keys sorted by UTF-16 code units, shortest numbers, no white space.
 * @throws {TypeError} for what is no JSON: `undefined`, functions, symbols, non-finite numbers, lone surrogates, cycles.
 * @throws {RangeError} when nested deeper than the stack allows (thousands of levels); ingress refuses such input first.
 */
export function canonicalJson(value: Json): string {
  let text: string | undefined
  try {
    text = canonicalize(value)
  } catch (error) {
    if (error instanceof RangeError) throw error
    throw new TypeError(`the value has no canonical JSON: ${error instanceof Error ? error.message.toLowerCase() : 'unknown reason'}`)
  }
  if (text === undefined) throw new TypeError('the value has no canonical JSON: it is not a JSON value')
  return text
}
