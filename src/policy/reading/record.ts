/** Mappings with known keys: unknown ones are errors, missing ones that have no default are reported. */
import { isMap, type YAMLMap } from 'yaml'
import type { JsonObject } from '../../core/json.ts'
import { type Field, keyText, type Reader, rangeOf, wrongType, type YamlNode } from './fields.ts'
import { suggestion } from './nearest.ts'
import type { Range } from './source.ts'

export type Fields = Readonly<Record<string, Field<unknown>>>

/** What a record reads as: every key may be absent unless it is required. */
export type Values<F extends Fields> = { readonly [K in keyof F]?: F[K] extends Field<infer T> ? T | undefined : never }

export interface RecordOptions {
  readonly required?: readonly string[]
  readonly expects?: string
}

export type Recorded<F extends Fields> = Values<F> & { readonly at: Range }

/** A mapping with exactly these keys; the order of `fields` is the canonical order. */
export function record<F extends Fields>(fields: F, options: RecordOptions = {}): Field<Recorded<F>> {
  const known = new Map(Object.entries(fields))
  const field: Field<Recorded<F>> = {
    expects: options.expects ?? 'a mapping',
    schema: recordSchema(known, options.required ?? []),
    fields: known,
    read: (node, reader, key) => {
      if (!isMap(node)) return wrongType(field, node, { reader, key })
      const values = readPairs(node, { known, reader, key })
      const at = rangeOf(node, key)
      for (const name of options.required ?? []) {
        if (node.items.some((pair) => keyText(pair) === name)) continue
        reader.fail({
          code: 'policy.missing_field',
          message: `the field \`${name}\` is missing`,
          at: { start: at.start, end: at.start + 1 },
        })
      }
      return { ...(Object.fromEntries(values) as Values<F>), at } as Recorded<F>
    },
  }
  return field
}

interface PairContext {
  readonly known: ReadonlyMap<string, Field<unknown>>
  readonly reader: Reader
  readonly key: Range
}

function readPairs(node: YAMLMap, context: PairContext): Map<string, unknown> {
  const values = new Map<string, unknown>()
  for (const pair of node.items) {
    const name = keyText(pair)
    const at = rangeOf(pair.key as YamlNode, context.key)
    const field = context.known.get(name)
    if (field === undefined) reportUnknown(name, at, context)
    else values.set(name, field.read(pair.value as YamlNode, context.reader, at))
  }
  return values
}

function reportUnknown(name: string, at: Range, { known, reader }: PairContext): void {
  reader.fail({ code: 'policy.unknown_field', message: `unknown field \`${name}\``, help: suggestion(name, [...known.keys()]), at })
}

function recordSchema(known: ReadonlyMap<string, Field<unknown>>, required: readonly string[]): JsonObject {
  const properties: Record<string, JsonObject> = {}
  for (const [name, field] of known) properties[name] = field.schema
  return { type: 'object', properties, additionalProperties: false, ...(required.length === 0 ? {} : { required: [...required] }) }
}
