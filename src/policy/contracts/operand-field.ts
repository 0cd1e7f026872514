/** Readers of operands: a node of the file with its place → where a value comes from. What is misspelt is an error. */
import { isMap, isScalar, isSeq, type Pair, type YAMLMap } from 'yaml'
import { type Field, keyText, type Reader, rangeOf, wrongType, type YamlNode } from '../reading/fields.ts'
import { json } from '../reading/json-field.ts'
import { suggestion } from '../reading/nearest.ts'
import type { Range } from '../reading/source.ts'
import { readDuration } from './dates.ts'
import type { Fold, Operand } from './model.ts'
import { keyPath, type Path, parsePath } from './path.ts'

/** Names of parameters that look like paths and are none, because the contract declares them as they stand. */
export interface Scope {
  readonly exact: ReadonlySet<string>
}

export const NO_SCOPE: Scope = { exact: new Set() }

const FOLDS: readonly Fold[] = ['len', 'chars', 'sum', 'count', 'min', 'max', 'keys', 'values', 'date']
const FORMS = ['value', 'field', 'state', 'enum', ...FOLDS, 'duration', 'now', 'add', 'sub', 'mul', 'money']

/** A field of the call: its exact name, or a path where the name has dots or brackets. */
export function pathField(scope: Scope): Field<Path> {
  const field: Field<Path> = {
    expects: 'the name of an argument, or a path such as `items[*].price`',
    schema: { type: 'string', minLength: 1 },
    read: (node, reader, key) => {
      const name: unknown = isScalar(node) ? node.value : null
      if (typeof name !== 'string' || name === '') return wrongType(field, node, { reader, key })
      if (scope.exact.has(name) || !/[.[*]/.test(name)) return keyPath(name)
      return parsed(name, reader, rangeOf(node, key))
    },
  }
  return field
}

/** A path where dots always separate. */
export const plainPath: Field<Path> = {
  expects: 'a path such as `result.items`',
  schema: { type: 'string', minLength: 1 },
  read: (node, reader, key) => {
    const name: unknown = isScalar(node) ? node.value : null
    if (typeof name !== 'string' || name === '') return wrongType(plainPath, node, { reader, key })
    return parsed(name, reader, rangeOf(node, key))
  },
}

function parsed(name: string, reader: Reader, at: Range): Path | undefined {
  try {
    return parsePath(name)
  } catch (error) {
    const message = error instanceof Error ? error.message : 'the path cannot be read'
    return reader.fail({
      code: 'policy.contract_path',
      message,
      help: 'write `a.b`, `a[0]`, `a[*].b`, or `["a.b"]` for a name with dots',
      at,
    })
  }
}

/** An operand; a bare text is always a reference to an argument. */
export function operandField(scope: Scope): Field<Operand> {
  const field: Field<Operand> = {
    expects: 'an operand: the name of an argument, a number, a list, or one of `{value: …}`, `{field: …}`, `{state: …}`, `{len: …}`',
    schema: {},
    read: (node, reader, key) => readOperand(node, { field, scope, reader, key }),
  }
  return field
}

interface Reading {
  readonly field: Field<Operand>
  readonly scope: Scope
  readonly reader: Reader
  readonly key: Range
}

function readOperand(node: YamlNode, reading: Reading): Operand | undefined {
  const { reader, key } = reading
  if (isScalar(node) && typeof node.value === 'string') return fieldOf(node, reading)
  if (isScalar(node) || isSeq(node)) {
    const value = json.read(node, reader, key)
    return value === undefined ? undefined : { kind: 'literal', value }
  }
  if (!isMap(node)) return wrongType(reading.field, node, { reader, key })
  const forms = node.items.filter((pair) => FORMS.includes(keyText(pair)))
  const [form] = forms
  if (form === undefined || forms.length > 1) return unclear(node, forms.length, reading)
  const kind = keyText(form)
  for (const pair of node.items) {
    if (pair === form || (kind === 'state' && /^(?:of|path)$/.test(keyText(pair)))) continue
    reader.fail({
      code: 'policy.unknown_field',
      message: `unknown field \`${keyText(pair)}\` beside \`${kind}\``,
      help: kind === 'state' ? 'valid beside `state`: `of`, `path`' : 'an operand has one field',
      at: rangeOf(pair.key as YamlNode, key),
    })
  }
  return readForm(kind, form, { ...reading, node })
}

function unclear(node: YAMLMap, forms: number, { reader, key }: Reading): undefined {
  const at = rangeOf(node, key)
  const [first] = node.items
  if (forms > 1) return reader.fail({ code: 'policy.wrong_value', message: 'an operand is one thing, but this is several', at })
  const name = first === undefined ? '' : keyText(first)
  const help = suggestion(name, FORMS)
  return reader.fail({
    code: 'policy.unknown_field',
    message: `no operand is called \`${name}\``,
    help,
    at: first === undefined ? at : rangeOf(first.key as YamlNode, key),
  })
}

function fieldOf(node: YamlNode, { scope, reader, key }: Reading): Operand | undefined {
  const path = pathField(scope).read(node, reader, key)
  return path === undefined ? undefined : { kind: 'field', path }
}

function readForm(kind: string, form: Pair, reading: Reading & { readonly node: YAMLMap }): Operand | undefined {
  const { reader, field } = reading
  const node = form.value as YamlNode
  const at = rangeOf(form.key as YamlNode, reading.key)
  switch (kind) {
    case 'value':
    case 'enum': {
      const value = json.read(node, reader, at)
      return value === undefined ? undefined : { kind: 'literal', value }
    }
    case 'field':
      return fieldOf(node, { ...reading, key: at })
    case 'state':
      return readState(node, { ...reading, key: at })
    case 'now':
      return { kind: 'now' }
    case 'duration':
      return readLength(node, { ...reading, key: at })
    case 'money':
      return readMoneyOf(node, { ...reading, key: at })
    case 'add':
    case 'sub':
    case 'mul': {
      const of = readSeveral(node, { ...reading, key: at })
      return of === undefined ? undefined : { kind, of }
    }
    default: {
      const of = field.read(node, reader, at)
      return of === undefined ? undefined : { kind: kind as Fold, of }
    }
  }
}

function readState(node: YamlNode, reading: Reading & { readonly node: YAMLMap }): Operand | undefined {
  const { reader, key, field } = reading
  const name: unknown = isScalar(node) ? node.value : null
  if (typeof name !== 'string' || name === '') return wrongType({ expects: 'the name of a state' }, node, { reader, key })
  const at = (wanted: string): YamlNode => reading.node.items.find((pair) => keyText(pair) === wanted)?.value as YamlNode
  const of = at('of') === undefined ? null : field.read(at('of'), reader, key)
  const path = at('path') === undefined ? null : plainPath.read(at('path'), reader, key)
  return of === undefined || path === undefined ? undefined : { kind: 'state', key: name, of, path }
}

function readLength(node: YamlNode, { reader, key }: Reading): Operand | undefined {
  const value = isScalar(node) && typeof node.value === 'string' ? readDuration(node.value) : undefined
  if (value !== undefined) return { kind: 'literal', value }
  return wrongType({ expects: 'a duration such as `30d`, `12h`, `15m`, `90s`' }, node, { reader, key })
}

function readMoneyOf(node: YamlNode, { reader, key, field }: Reading): Operand | undefined {
  if (!isMap(node)) return wrongType({ expects: '`{amount: …, currency: …}`' }, node, { reader, key })
  const part = (name: string): Operand | undefined => {
    const pair = node.items.find((each) => keyText(each) === name)
    if (pair !== undefined) return field.read(pair.value as YamlNode, reader, rangeOf(pair.key as YamlNode, key))
    return reader.fail({ code: 'policy.missing_field', message: `the field \`${name}\` is missing`, at: rangeOf(node, key) })
  }
  for (const pair of node.items) {
    if (/^(?:amount|currency)$/.test(keyText(pair))) continue
    const at = rangeOf(pair.key as YamlNode, key)
    reader.fail({
      code: 'policy.unknown_field',
      message: `unknown field \`${keyText(pair)}\``,
      help: suggestion(keyText(pair), ['amount', 'currency']),
      at,
    })
  }
  const amount = part('amount')
  const currency = part('currency')
  return amount === undefined || currency === undefined ? undefined : { kind: 'money', amount, currency }
}

function readSeveral(node: YamlNode, { reader, key, field }: Reading): readonly Operand[] | undefined {
  if (!isSeq(node) || node.items.length < 2) return wrongType({ expects: 'a list of two or more operands' }, node, { reader, key })
  const operands = node.items.map((item) => field.read(item as YamlNode, reader, key))
  return operands.includes(undefined) ? undefined : (operands as readonly Operand[])
}
