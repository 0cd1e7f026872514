/**
 * A policy of thousands of rules is thousands of lines like `- { tool: x, user: y, reason: z }`. These are read here, in a tenth of
 * the time that the YAML parser takes; the parser sees a placeholder of the same length in their place. Whatever is not plainly
 * such a line is left to the parser, and so is the whole text where anything does not fit: this never decides what is an error.
 */
import { type Document, isMap, isScalar, isSeq, Pair, Scalar, YAMLMap } from 'yaml'

/** Of fewer lines it is not worth it. */
const LEAST = 64

const PLACEHOLDER = '_'
const KEY = /[a-z][a-z_]*/y
/** Words with one space between them, that no YAML schema takes for anything but text. */
const PLAIN = /[A-Za-z_][A-Za-z0-9_./@-]*(?: [A-Za-z0-9_./@-]+)*/y
const DOUBLE = /"[\x20\x21\x23-\x5b\x5d-\x7e]*"/y
const SINGLE = /'[\x20-\x26\x28-\x7e]*'(?!')/y
const NO_TEXT: ReadonlySet<string> = new Set(['true', 'True', 'TRUE', 'false', 'False', 'FALSE', 'null', 'Null', 'NULL'])

/** Lines that follow each other, as one: its placeholder, and the mappings that were there. */
interface Run {
  readonly start: number
  /** Where the next line of it would begin. */
  next: number
  readonly indent: number
  readonly maps: YAMLMap[]
}

/** The document as `parse` would give it, or null where that has to read it whole. */
export function parseFlowLines(text: string, parse: (text: string) => Document | null): Document | null {
  const runs = runsOf(text)
  if (runs.reduce((sum, { maps }) => sum + maps.length, 0) < LEAST) return null
  const document = parse(skeletonOf(text, runs))
  if (document === null || document.errors.length > 0 || document.warnings.length > 0) return null
  // A placeholder inside of a longer text, or anywhere but in a list, is none: then the line was no line of its own.
  return putBack(document, new Map(runs.map((run) => [run.start, run.maps]))) === runs.length ? document : null
}

function runsOf(text: string): readonly Run[] {
  const runs: Run[] = []
  let run: Run | undefined
  for (let line = 0; line < text.length; ) {
    const found = text.indexOf('\n', line)
    const end = found === -1 ? text.length : found
    const at = spaces(text, line)
    const map = text.startsWith('- {', at) ? readMap(text, at + 2, end) : null
    if (map === null) run = undefined
    else if (run?.next === line && run.indent === at - line) run.maps.push(map)
    else {
      run = { start: at + 2, next: 0, indent: at - line, maps: [map] }
      runs.push(run)
    }
    if (run !== undefined) run.next = end + 1
    line = end + 1
  }
  return runs
}

/** Every character that stays is where it was; a run is one item of a list, however long. */
function skeletonOf(text: string, runs: readonly Run[]): string {
  const pieces: string[] = []
  let copied = 0
  for (const { start, next } of runs) {
    const end = Math.min(next - 1, text.length)
    pieces.push(text.slice(copied, start), PLACEHOLDER.padEnd(end - start))
    copied = end
  }
  return [...pieces, text.slice(copied)].join('')
}

/** The mapping that begins at `start` and ends, but for spaces, at `end`. */
function readMap(text: string, start: number, end: number): YAMLMap | null {
  const map = new YAMLMap()
  map.flow = true
  const names = new Set<string>()
  let at = spaces(text, start + 1)
  for (;;) {
    const key = scalar(text, at, end)
    if (key?.type !== 'PLAIN' || !KEYED.test(key.source ?? '') || names.has(key.source ?? '') || text[key.range[1]] !== ':') return null
    names.add(key.source ?? '')
    const gap = key.range[1] + 1
    if (text[gap] !== ' ') return null
    const value = scalar(text, spaces(text, gap), end)
    if (value === null) return null
    map.items.push(new Pair(key, value))
    at = value.range[2]
    if (text[at] === ',') at = spaces(text, at + 1)
    else break
  }
  const closed = at + 1
  if (text[at] !== '}' || closed > end || spaces(text, closed) !== end) return null
  map.range = [start, closed, Math.min(end + 1, text.length)]
  return map
}

const KEYED = new RegExp(`^${KEY.source}$`)

type Placed = Scalar<string> & { range: [number, number, number] }

/** The text that begins at `at`; its node ends behind the spaces after it. */
function scalar(text: string, at: number, end: number): Placed | null {
  const first = text[at]
  const [pattern, type] =
    first === '"' ? ([DOUBLE, 'QUOTE_DOUBLE'] as const) : first === "'" ? ([SINGLE, 'QUOTE_SINGLE'] as const) : ([PLAIN, 'PLAIN'] as const)
  pattern.lastIndex = at
  const written = pattern.exec(text)?.[0]
  if (written === undefined || at + written.length > end || (type === 'PLAIN' && NO_TEXT.has(written))) return null
  const value = type === 'PLAIN' ? written : written.slice(1, -1)
  const node = new Scalar(value)
  node.type = type
  node.source = value
  node.range = [at, at + written.length, spaces(text, at + written.length)]
  return node as Placed
}

function spaces(text: string, from: number): number {
  let at = from
  while (text[at] === ' ') at++
  return at
}

/** How many placeholders were items of a list. */
function putBack(document: Document, spots: ReadonlyMap<number, readonly YAMLMap[]>): number {
  let count = 0
  const open: unknown[] = [document.contents]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (isMap(node)) open.push(...node.items.map(({ value }) => value ?? null))
    if (!isSeq(node)) continue
    const items: unknown[] = []
    for (const item of node.items) {
      const maps = isScalar(item) && item.value === PLACEHOLDER ? spots.get(item.range?.[0] ?? -1) : undefined
      if (maps === undefined) open.push(item)
      else count++
      for (const each of maps ?? [item]) items.push(each)
    }
    node.items = items
  }
  return count
}
