/** JSON as clients write it, comments and last commas included; where each server stands in it. */
import { type Expression, type ObjectExpression, type Property, parseExpressionAt } from 'acorn'
import type { Format, ServerSpan } from './places.ts'

export const jsonFormat: Format = {
  read: (text, at) => {
    const root = parsed(text)
    if (root === null || jsonOf(root, text) === undefined) return null
    let object: Expression = root
    for (const key of at) {
      const found: Property | undefined = propertiesOf(object, text)?.get(key)
      if (found === undefined) return new Map()
      object = found.value
    }
    const servers = propertiesOf(object, text)
    if (servers === null) return null
    const spans = new Map<string, ServerSpan>()
    for (const [name, { value }] of servers) {
      const entry = jsonOf(value, text)
      if (isRecord(entry)) spans.set(name, { entry, start: value.start, end: value.end })
    }
    return spans
  },
  replace: (text, at, { name, entry }) => {
    const span = jsonFormat.read(text, at)?.get(name)
    if (span === undefined) return null
    const line = text.slice(text.lastIndexOf('\n', span.start) + 1, span.start)
    const indent = /^[ \t]*/.exec(line)?.[0] ?? ''
    const unit = indent.includes('\t') ? '\t' : ' '.repeat(Math.max(2, Math.round(indent.length / (at.length + 1))))
    const isOneLine = !text.slice(span.start, span.end).includes('\n')
    const written = isOneLine ? oneLine(entry) : JSON.stringify(entry, null, unit).replaceAll('\n', `\n${indent}`)
    return text.slice(0, span.start) + written + text.slice(span.end)
  },
}

/** `{ "command": "node", "args": ["a", "b"] }`. */
function oneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(oneLine).join(', ')}]`
  if (!isRecord(value)) return JSON.stringify(value)
  const fields = Object.entries(value).map(([key, each]) => `${JSON.stringify(key)}: ${oneLine(each)}`)
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`
}

/** The whole text as one object; null where it is none. */
function parsed(text: string): ObjectExpression | null {
  try {
    // A mark of the byte order counts as white space.
    const root = parseExpressionAt(text, 0, { ecmaVersion: 'latest' })
    const rest = text
      .slice(root.end)
      .replace(/\/\*[^*]*\*\//g, '')
      .replace(/\/\/[^\n]*/g, '')
    return rest.trim() === '' && root.type === 'ObjectExpression' ? root : null
  } catch {
    return null
  }
}

/** Null where it is no object, or a name stands twice in it. */
function propertiesOf(node: Expression, text: string): ReadonlyMap<string, Property> | null {
  if (node.type !== 'ObjectExpression') return null
  const found = new Map<string, Property>()
  for (const property of node.properties) {
    if (property.type !== 'Property' || property.computed || property.shorthand || property.method || property.kind !== 'init') return null
    const name = property.key.type === 'Literal' ? literal(text.slice(property.key.start, property.key.end)) : undefined
    if (typeof name !== 'string' || found.has(name)) return null
    found.set(name, property)
  }
  return found
}

/** Undefined: JavaScript, but no JSON. */
function jsonOf(node: Expression, text: string): unknown {
  if (node.type === 'ArrayExpression') {
    const items = node.elements.map((each) => (each === null || each.type === 'SpreadElement' ? undefined : jsonOf(each, text)))
    return items.includes(undefined) ? undefined : items
  }
  if (node.type === 'ObjectExpression') {
    const entries = [...(propertiesOf(node, text) ?? [['', null]])].map(
      ([name, property]) => [name, property === null ? undefined : jsonOf(property.value, text)] as const,
    )
    return entries.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(entries)
  }
  return literal(text.slice(node.start, node.end))
}

/** A text, a number, `true`, `false` or `null` of JSON. */
function literal(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
