import { describe, expect, test } from 'vitest'
import type { Json } from '../../../core/json.ts'
import { encode } from '../message.ts'
import { declarationFault, withoutOddTools } from './declared.ts'

const schema = (properties: Record<string, Json>): Json => ({ type: 'object', properties })
const header = (type: string, name: Json): Json => ({ type, 'x-mcp-header': name })

describe('headers that a schema declares', () => {
  test.each<[string, Json]>([
    ['none', schema({ region: { type: 'string' } })],
    ['text, a whole number and a boolean', schema({ a: header('string', 'A'), b: header('integer', 'B'), c: header('boolean', 'C') })],
    ['below another argument', schema({ at: schema({ region: header('string', 'Region') }) })],
    ['an argument that is called like the keyword', schema({ 'x-mcp-header': { type: 'string' } })],
    ['the keyword in a value', schema({ a: { type: 'object', default: { 'x-mcp-header': '' } } })],
  ])('%s: nothing is wrong', (_what, given) => {
    expect(declarationFault(given)).toBeNull()
  })

  test.each<[string, Json]>([
    ['an empty name', schema({ a: header('string', '') })],
    ['a space', schema({ a: header('string', 'My Region') })],
    ['a colon', schema({ a: header('string', 'Region:Primary') })],
    ['a control character', schema({ a: header('string', 'Region\t1') })],
    ['letters beyond ASCII', schema({ a: header('string', 'Région') })],
    ['no text', schema({ a: header('string', 7) })],
    ['a number with a fraction', schema({ a: header('number', 'A') })],
    ['a list', schema({ a: header('array', 'A') })],
    ['an object', schema({ a: header('object', 'A') })],
    ['null', schema({ a: header('null', 'A') })],
    ['no type', schema({ a: { 'x-mcp-header': 'A' } })],
    ['one name twice', schema({ a: header('string', 'A'), b: header('string', 'A') })],
    ['one name twice but for its case', schema({ a: header('string', 'My'), b: schema({ c: header('string', 'mY') }) })],
    ['below a list of schemas', { anyOf: [schema({ a: header('string', '') })] }],
  ])('%s: the tool is left out', (_what, given) => {
    expect(declarationFault(given)).toEqual(expect.any(String))
  })

  test('a list goes on as it came where every tool is in order, and without the others where one is not', () => {
    const good = { name: 'good', inputSchema: schema({ a: header('string', 'A') }) }
    const odd = { name: 'odd', inputSchema: schema({ a: header('string', '') }) }
    const answer = (tools: Json): Uint8Array => encode({ jsonrpc: '2.0', id: 1, result: { tools, nextCursor: 'x' } })
    const whole = answer([good])
    expect(withoutOddTools(whole)).toEqual({ bytes: whole, left: [] })
    expect(withoutOddTools(whole).bytes).toBe(whole)
    const { bytes, left } = withoutOddTools(answer([odd, good]))
    expect([bytes, left.map(({ name }) => name)]).toEqual([answer([good]), ['odd']])
    const error = encode({ jsonrpc: '2.0', id: 1, error: { code: 1, message: 'no' } })
    expect(withoutOddTools(error).bytes).toBe(error)
  })
})
