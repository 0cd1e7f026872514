/** Readers of `contracts.state`: which results of which tools fill which table. */
import { isMap, type YAMLMap } from 'yaml'
import type { Json } from '../../core/json.ts'
import { described, type Field, type Located, listOf, located, mapOf, text } from '../reading/fields.ts'
import { json } from '../reading/json-field.ts'
import { record } from '../reading/record.ts'
import type { Range } from '../reading/source.ts'
import type { CompileContext } from '../section.ts'
import type { Table, TableSource } from './model.ts'
import { plainPath } from './operand-field.ts'
import { keyPath, type Path } from './path.ts'
import { compilePattern } from './pattern.ts'

type Kept = Path | { readonly literal: Json }

/** A path into the result, or `{value: …}` for what stands here. */
const keptField: Field<Kept> = {
  expects: 'a path such as `result.status`, or `{value: …}`',
  schema: { anyOf: [plainPath.schema, { type: 'object', properties: { value: {} }, required: ['value'] }] },
  read: (node, reader, key): Kept | undefined => {
    if (!isMap(node)) return plainPath.read(node, reader, key)
    const literal = record({ value: json }, { required: ['value'] }).read(node as YAMLMap, reader, key)?.value
    return literal === undefined ? undefined : { literal }
  },
}

const sourceField = record(
  {
    tools: described(listOf(text), 'The tools whose results count: exact names, or `server/name`.'),
    each: described(plainPath, 'A list inside the result of which every item is an entry, such as `result.items`.'),
    key: described(plainPath, 'Where the key of the entry stands: `args.…`, `result.…`, `item.…`; without it the table is one value.'),
    value: described(keptField, 'What is kept; default the whole result.'),
    matches: described(located(text), 'RE2 pattern; only text that matches is kept.'),
  },
  { required: ['tools'] },
)

export const tablesField = described(
  mapOf(located(listOf(sourceField))),
  'State of the session, filled from results of earlier calls: relations refer to it by `{state: name}`.',
)

type RawTables = NonNullable<ReturnType<(typeof tablesField)['read']>>
type RawSource = NonNullable<ReturnType<(typeof sourceField)['read']>>

const MAX_TABLES = 64

/** The tables; faults go to the reader. */
export function compileTables(raw: RawTables, context: CompileContext): readonly Table[] {
  const tables = [...raw].map(([name, written]) => compileTable(name, written, context))
  const [first] = [...raw.values()]
  if (tables.length > MAX_TABLES && first !== undefined) {
    const message = `there are more than ${MAX_TABLES} tables`
    context.reader.fail({ code: 'policy.contract_state', message, help: 'keep those that relations look at', at: first.at })
  }
  return tables
}

function compileTable(name: string, { value, at }: Located<readonly RawSource[]>, context: CompileContext): Table {
  const fail = (message: string, help: string, where: Range = at) =>
    context.reader.fail({ code: 'policy.contract_state', message, help, at: where })
  const keyed = value.some((source) => source.key !== undefined)
  if (value.length === 0) fail(`nothing fills the table \`${name}\``, 'name the tools whose results fill it')
  if (keyed && value.some((source) => source.key === undefined)) {
    fail(`\`${name}\` is a table by key and a single value at once`, 'give every source a `key`, or none of them')
  }
  for (const source of value) {
    if (source.each !== undefined && source.key === undefined)
      fail('`each` fills a table, which needs a `key`', 'add `key: item.…`', source.at)
    checkRoots(source, fail)
  }
  return { name, keyed, sources: value.map((source) => compileSource(source, context)) }
}

type Fail = (message: string, help: string, where?: Range) => undefined

function checkRoots({ each, key, value, at }: RawSource, fail: Fail): void {
  const known = each === undefined ? ['args', 'result'] : ['args', 'result', 'item']
  const paths = [each, key, value !== undefined && 'steps' in value ? value : undefined]
  for (const path of paths) {
    const step = path?.steps[0]
    if (path === undefined || (typeof step === 'object' && 'key' in step && known.includes(step.key))) continue
    const help =
      each === undefined && path.text.startsWith('item')
        ? '`item` needs `each`'
        : `start with ${known.map((root) => `\`${root}\``).join(', ')}`
    fail(`the path \`${path.text}\` starts nowhere`, help, at)
  }
}

function compileSource(source: RawSource, { reader }: CompileContext): TableSource {
  const test = source.matches === undefined ? null : compilePattern(source.matches.value)
  if (typeof test === 'string' && source.matches !== undefined) {
    reader.fail({ code: 'policy.pattern', message: `this pattern cannot be compiled: ${test}`, at: source.matches.at })
  }
  return {
    tools: new Set(source.tools ?? []),
    each: source.each ?? null,
    key: source.key ?? null,
    value: source.value ?? keyPath(source.each === undefined ? 'result' : 'item'),
    matches: typeof test === 'function' ? test : null,
  }
}
