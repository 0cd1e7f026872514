/**
 * The declarative schema: each field says what it expects, reads a YAML node with positions, and describes itself as JSON
 * Schema. One description serves checking, error texts, the printed schema and the canonical key order of the formatter.
 */
import { isMap, isScalar, isSeq, type Node, type Pair, type Scalar } from 'yaml'
import type { JsonObject } from '../../core/json.ts'
import type { PolicyError, PolicyErrorCode } from '../errors.ts'
import { suggestion } from './nearest.ts'
import type { Fault, PolicySource, Range } from './source.ts'

/** Collects what is wrong; reading goes on, so that one run shows every error. */
export class Reader {
  readonly source: PolicySource
  readonly errors: PolicyError[] = []

  constructor(source: PolicySource) {
    this.source = source
  }

  fail(fault: Fault): undefined {
    this.errors.push(this.source.error(fault))
    return undefined
  }
}

export type YamlNode = Node | null | undefined

/** One kind of value. `read` answers undefined after it has reported an error. */
export interface Field<T> {
  /** Completes “needs …”: `a list`, `true or false`. */
  readonly expects: string
  readonly schema: JsonObject
  /** Known keys in canonical order, for the formatter and for suggestions. */
  readonly fields?: ReadonlyMap<string, Field<unknown>>
  /** What every item of a list or every value of a map is. */
  readonly inner?: Field<unknown>
  readonly read: (node: YamlNode, reader: Reader, key: Range) => T | undefined
}

/** A value together with the place it was read from. */
export interface Located<T> {
  readonly value: T
  readonly at: Range
  readonly node: Scalar | null
}

export function rangeOf(node: YamlNode, fallback: Range): Range {
  const range = node?.range
  if (!range) return fallback
  return range[1] > range[0] ? { start: range[0], end: range[1] } : fallback
}

/** The text of a key, as it is written: `1` and `true` are names here, too. */
export function keyText(pair: Pair): string {
  const key = pair.key
  if (!isScalar(key)) return ''
  return typeof key.value === 'string' ? key.value : (key.source ?? String(key.value))
}

/** What a node is, for “needs …, but this is …”. */
function kindOf(node: YamlNode): string {
  if (isMap(node)) return 'a mapping'
  if (isSeq(node)) return 'a list'
  if (!isScalar(node) || node.value === null) return 'nothing'
  if (typeof node.value === 'string') return node.value === '' ? 'empty' : 'text'
  return typeof node.value === 'boolean' ? `\`${node.value}\`` : `the number \`${node.source ?? node.value}\``
}

/** Reports a value of the wrong type. */
export function wrongType(field: { expects: string }, node: YamlNode, { reader, key }: { reader: Reader; key: Range }): undefined {
  const message = `this needs ${field.expects}, but it is ${kindOf(node)}`
  return reader.fail({ code: 'policy.wrong_type', message, at: rangeOf(node, key) })
}

function scalar<T>(parts: { expects: string; schema: JsonObject; take: (value: unknown) => T | undefined }): Field<T> {
  const field: Field<T> = {
    expects: parts.expects,
    schema: parts.schema,
    read: (node, reader, key) => {
      const value = isScalar(node) ? parts.take(node.value) : undefined
      return value === undefined ? wrongType(field, node, { reader, key }) : value
    },
  }
  return field
}

export const flag: Field<boolean> = scalar({
  expects: '`true` or `false`',
  schema: { type: 'boolean' },
  take: (value) => (typeof value === 'boolean' ? value : undefined),
})

/** Text that is not empty. */
export const text: Field<string> = scalar({
  expects: 'text (in quotes, if it looks like something else)',
  schema: { type: 'string', minLength: 1 },
  take: (value) => (typeof value === 'string' && value !== '' ? value : undefined),
})

/** A whole number between the bounds, both included. */
export function whole(min: number, max: number): Field<number> {
  return scalar({
    expects: `a whole number from ${min} to ${max}`,
    schema: { type: 'integer', minimum: min, maximum: max },
    take: (value) => (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max ? value : undefined),
  })
}

/** Text that one of `values` spells exactly. */
export function oneOf<const T extends string>(values: readonly T[], code: PolicyErrorCode = 'policy.wrong_value'): Field<T> {
  const expects = values.length === 1 ? `\`${values[0]}\`` : `one of ${values.map((value) => `\`${value}\``).join(', ')}`
  const field: Field<T> = {
    expects,
    schema: { enum: [...values] },
    read: (node, reader, key) => {
      if (!isScalar(node) || typeof node.value !== 'string') return wrongType(field, node, { reader, key })
      const written = node.value
      const found = values.find((value) => value === written)
      if (found !== undefined) return found
      return reader.fail({
        code,
        message: `\`${written}\` is not known here`,
        help: suggestion(written, values),
        at: rangeOf(node, key),
      })
    },
  }
  return field
}

export function listOf<T>(inner: Field<T>): Field<readonly T[]> {
  const field: Field<readonly T[]> = {
    expects: 'a list',
    schema: { type: 'array', items: inner.schema },
    inner,
    read: (node, reader, key) => {
      if (!isSeq(node)) return wrongType(field, node, { reader, key })
      const values: T[] = []
      for (const item of node.items) {
        const value = inner.read(item as YamlNode, reader, rangeOf(node, key))
        if (value !== undefined) values.push(value)
      }
      return values
    },
  }
  return field
}

/** A mapping from names of the user's own to values of one kind; key order is kept. */
export function mapOf<T>(inner: Field<T>, checkKey?: (name: string) => Omit<Fault, 'at'> | null): Field<ReadonlyMap<string, T>> {
  const field: Field<ReadonlyMap<string, T>> = {
    expects: 'a mapping from names to values',
    schema: { type: 'object', additionalProperties: inner.schema },
    inner,
    read: (node, reader, key) => {
      if (!isMap(node)) return wrongType(field, node, { reader, key })
      const values = new Map<string, T>()
      for (const pair of node.items) {
        const at = rangeOf(pair.key as YamlNode, key)
        const name = keyText(pair)
        const fault = checkKey?.(name) ?? null
        if (fault !== null) reader.fail({ ...fault, at })
        const value = inner.read(pair.value as YamlNode, reader, at)
        if (value !== undefined && fault === null) values.set(name, value)
      }
      return values
    },
  }
  return field
}

/** The value, or null where the file says `null`. */
export function nullable<T>(inner: Field<T>): Field<T | null> {
  return {
    expects: `${inner.expects}, or \`null\``,
    schema: { anyOf: [inner.schema, { type: 'null' }] },
    ...(inner.inner === undefined ? {} : { inner: inner.inner }),
    read: (node, reader, key) => (isScalar(node) && node.value === null ? null : inner.read(node, reader, key)),
  }
}

/** One of two kinds: the first where the node looks like it, else the second. */
export function either<A, B>(choices: { when: (node: YamlNode) => boolean; first: Field<A>; second: Field<B> }): Field<A | B> {
  return {
    expects: `${choices.first.expects} or ${choices.second.expects}`,
    schema: { anyOf: [choices.first.schema, choices.second.schema] },
    read: (node, reader, key) => (choices.when(node) ? choices.first : choices.second).read(node, reader, key),
  }
}

/** The value with its place, for what is compiled later and may fail there. */
export function located<T>(inner: Field<T>): Field<Located<T>> {
  return {
    ...inner,
    read: (node, reader, key) => {
      const value = inner.read(node, reader, key)
      return value === undefined ? undefined : { value, at: rangeOf(node, key), node: isScalar(node) ? node : null }
    },
  }
}

/** The same field with other words for what it expects or with a description for the JSON Schema. */
export function described<T>(inner: Field<T>, description: string): Field<T> {
  return { ...inner, schema: { ...inner.schema, description } }
}
