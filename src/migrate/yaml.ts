/** YAML and JSON as located values; every document of a file by itself. */
import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseAllDocuments } from 'yaml'
import type { Json } from '../core/json.ts'
import { type SourceFile, UnreadableSource, type Value } from './source.ts'

/** Every document of the file. @throws {UnreadableSource} where one is no YAML, or has the same key twice. */
export function readYaml({ path, text }: SourceFile): readonly Value[] {
  const lines = new LineCounter()
  const documents = parseAllDocuments(text, { lineCounter: lines, uniqueKeys: true, prettyErrors: false, version: '1.2' })
  if (!Array.isArray(documents)) return []
  return documents.flatMap((document) => {
    const [error] = document.errors
    if (error !== undefined) throw new UnreadableSource({ path, line: lines.linePos(error.pos[0]).line }, error.message)
    return document.contents === null ? [] : [locate(document.contents, { path, lines, depth: 0 })]
  })
}

interface Reading {
  readonly path: string
  readonly lines: LineCounter
  readonly depth: number
}

const DEEPEST = 64

function locate(node: unknown, reading: Reading): Value {
  const { path, lines, depth } = reading
  const start = (node as Node | null)?.range?.[0] ?? 0
  const place = { path, line: lines.linePos(start).line }
  if (depth > DEEPEST) throw new UnreadableSource(place, `nested deeper than ${DEEPEST} levels`)
  const below = { ...reading, depth: depth + 1 }
  if (isMap(node)) {
    const entries = node.items.map((pair) => {
      const key = isScalar(pair.key) ? String(pair.key.value) : ''
      const at = (pair.key as Node | null)?.range?.[0] ?? start
      return { key, place: { path, line: lines.linePos(at).line }, value: locate(pair.value, below) }
    })
    return { kind: 'map', entries, place }
  }
  if (isSeq(node)) return { kind: 'list', items: node.items.map((item) => locate(item, below)), place }
  if (isAlias(node)) return { kind: 'code', text: `*${node.source}`, place }
  const value: unknown = isScalar(node) ? node.value : null
  const scalar = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null
  return { kind: 'scalar', scalar, place }
}

/** The plain value; what is no data (an alias) is null. */
export function jsonOf(value: Value | undefined): Json {
  if (value === undefined) return null
  if (value.kind === 'scalar') return value.scalar
  if (value.kind === 'list') return value.items.map(jsonOf)
  if (value.kind === 'map') return Object.fromEntries(value.entries.map(({ key, value: inner }) => [key, jsonOf(inner)]))
  return null
}
