import { describe, expect, test } from 'vitest'
import { proves } from '../../../test/proves.ts'
import { CERTAINTIES, PATH_CLASSES, SCOPES, TARGET_KINDS, VERBS } from '../../core/effect.ts'
import { compileCondition } from '../condition.ts'
import { type Shape, shapeOfSchema, VARIABLES } from './shape.ts'

/** A shape in one line. */
function text(shape: Shape): string {
  if (shape.type === 'list') return `[${text(shape.of)}]`
  if (shape.type === 'string') return shape.words === undefined ? 'string' : shape.words.join('|')
  if (shape.type !== 'record') return shape.type
  const fields = [...shape.fields].map(([name, field]) => `${name}: ${text(field)}`)
  return `{${[...fields, ...(shape.open ? ['…'] : [])].join(', ')}}`
}

describe('the shape of arguments', () => {
  for (const [schema, expected] of [
    [undefined, '{…}'],
    [null, '{…}'],
    [true, '{…}'],
    [{}, '{…}'],
    [{ type: 'object' }, '{…}'],
    [{ properties: { a: { type: 'string' } } }, '{a: string}'],
    [{ properties: { a: { type: 'integer' }, b: { type: 'number' }, c: { type: 'boolean' } } }, '{a: number, b: number, c: bool}'],
    [{ properties: { a: { type: ['string', 'null'] }, b: { anyOf: [] }, c: true } }, '{a: dyn, b: dyn, c: dyn}'],
    [{ properties: { a: { type: 'string', enum: ['x', 'y'] }, b: { type: 'string', enum: [1] } } }, '{a: x|y, b: string}'],
    [{ properties: { a: { type: 'array', items: { type: 'string' } }, b: { type: 'array' } } }, '{a: [string], b: [dyn]}'],
    [{ properties: { a: { type: 'object', properties: { b: { type: 'string' } } } } }, '{a: {b: string}}'],
    [{ properties: { a: {} }, additionalProperties: false }, '{a: dyn}'],
    [{ properties: { a: {} }, additionalProperties: {} }, '{a: dyn, …}'],
    [{ properties: { a: {} }, allOf: [] }, '{a: dyn, …}'],
    [{ properties: { a: {} }, $ref: '#' }, '{a: dyn, …}'],
    [{ properties: { constructor: { type: 'string' } } }, '{constructor: string}'],
  ] as const) {
    test(JSON.stringify(schema) ?? 'none', () => expect(text(shapeOfSchema(schema as never))).toBe(expected))
  }

  test('a schema without end stops', () => {
    let schema: Record<string, unknown> = { type: 'string' }
    for (let i = 0; i < 100; i++) schema = { type: 'object', properties: { a: schema } }
    expect(text(shapeOfSchema(schema as never)).length).toBeLessThan(100)
  })
})

proves('T42', 'every word of every vocabulary may be compared with, and none besides', () => {
  for (const [field, words] of [
    ['e.verb', VERBS],
    ['e.target.kind', TARGET_KINDS],
    ['e.target.scope', SCOPES],
    ['e.certainty', CERTAINTIES],
  ] as const) {
    for (const word of words) expect(compileCondition(`effects.exists(e, ${field} == "${word}")`).ok).toBe(true)
    expect(compileCondition(`effects.exists(e, ${field} == "no-such-word")`).ok).toBe(false)
  }
  for (const word of PATH_CLASSES) expect(compileCondition(`effects.exists(e, "${word}" in e.target.classes)`).ok).toBe(true)
})

test('every variable can be read', () => {
  for (const name of VARIABLES.keys()) expect(compileCondition(`dyn(${name}) != null`).ok).toBe(true)
})
