/**
 * Settings in JSON with comments, as some hosts read them: what they say, and how they are changed with every other byte kept. What was
 * changed is read again, so that a mistake here stops the installation and never writes settings that say something else.
 */
import { canonicalJson } from '../core/canonical.ts'
import { isJsonObject, type Json, type JsonObject, own } from '../core/json.ts'

/** What a host takes besides JSON: nothing, comments, or comments and a comma after the last of a list. */
export type Notation = 'json' | 'comments' | 'commas'

/** The same text in plain JSON, each comment and each comma too many as spaces, so that all else stands where it stood. */
export function plainJson(text: string, notation: Notation): string {
  if (notation === 'json') return text
  const pieces: string[] = []
  /** Where a comma stands after a value and nothing came yet, among the pieces. */
  let comma: number | null = null
  let last = '['
  for (let at = 0; at < text.length; ) {
    const end = endOfPiece(text, at)
    const piece = text.slice(at, end)
    const isComment = piece.length > 1 && piece.startsWith('/')
    if (notation === 'commas' && comma !== null && (piece === '}' || piece === ']')) pieces[comma] = ' '
    if (!isComment && piece.trim() !== '') {
      comma = piece === ',' && !'[{,'.includes(last) ? pieces.length : null
      last = piece
    }
    pieces.push(isComment ? piece.replace(/[^\n]/g, ' ') : piece)
    at = end
  }
  return pieces.join('')
}

/** A string, a comment, or one letter; to the end of the text where it is not closed. */
function endOfPiece(text: string, start: number): number {
  if (text[start] === '"') return endOfString(text, start)
  if (text.startsWith('//', start)) return indexOr(text.indexOf('\n', start), text.length)
  if (text.startsWith('/*', start)) return indexOr(text.indexOf('*/', start + 2), text.length - 2) + 2
  return start + 1
}

function endOfString(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return Math.min(at + 1, text.length)
}

function indexOr(found: number, otherwise: number): number {
  return found === -1 ? otherwise : found
}

/** The comments of a text, in their order. */
export function commentsOf(text: string): string {
  const plain = plainJson(text, 'comments')
  return text
    .split('')
    .filter((letter, at) => letter !== plain[at])
    .join('')
}

interface Node {
  readonly start: number
  readonly end: number
  /** Of an object or a list: what stands in it, each from its name on. */
  readonly parts: readonly Part[]
}

interface Part {
  readonly name: string
  readonly start: number
  readonly value: Node
}

interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

interface Texts {
  readonly text: string
  /** The same in plain JSON. */
  readonly plain: string
}

/** Changes that one text may need. */
const MAX_EDITS = 1_000

/** `text` made to say `to`; as far as it gets where it cannot. One change at a time, so that none has to know of another. */
export function edited(text: string, to: JsonObject, notation: Notation): string {
  let now = text
  for (let count = 0; count < MAX_EDITS; count++) {
    const plain = plainJson(now, notation)
    const [edit] = changes({ texts: { text: now, plain }, node: nodeAt(plain, next(plain, 0)), depth: 0 }, JSON.parse(plain) as Json, to)
    if (edit === undefined) return now
    now = now.slice(0, edit.start) + edit.text + now.slice(edit.end)
  }
  return now
}

interface Place {
  readonly texts: Texts
  readonly node: Node
  readonly depth: number
}

function changes(place: Place, from: Json, to: Json): readonly Edit[] {
  if (canonicalJson(from) === canonicalJson(to)) return []
  if (isJsonObject(from) && isJsonObject(to)) return objectChanges(place, from, to)
  if (Array.isArray(from) && Array.isArray(to)) return listChanges(place, from, to)
  return [{ start: place.node.start, end: place.node.end, text: shown(to, place.depth) }]
}

function objectChanges({ texts, node, depth }: Place, from: JsonObject, to: JsonObject): readonly Edit[] {
  const kept = node.parts.flatMap((part, at): readonly Edit[] => {
    const [before, after] = [own(from, part.name) ?? null, own(to, part.name)]
    if (after === undefined) return [removal(texts, node, at)]
    return changes({ texts, node: part.value, depth: depth + 1 }, before, after)
  })
  const added = Object.entries(to).filter(([name]) => own(from, name) === undefined)
  const lines = added.map(([name, value]) => `${JSON.stringify(name)}: ${shown(value, depth + 1)}`)
  return [...kept, ...additions({ node, depth }, lines)]
}

function listChanges({ texts, node, depth }: Place, from: readonly Json[], to: readonly Json[]): readonly Edit[] {
  const [before, after] = [from.map((each) => canonicalJson(each)), to.map((each) => canonicalJson(each))]
  const more = after.length - before.length
  const lines = (items: readonly Json[]) => items.map((each) => shown(each, depth + 1))
  if (more > 0 && before.every((each, at) => each === after[at])) return additions({ node, depth }, lines(to.slice(before.length)))
  const [first] = node.parts
  if (more > 0 && first !== undefined && before.every((each, at) => each === after[at + more]))
    return [
      {
        start: first.start,
        end: first.start,
        text: lines(to.slice(0, more))
          .map((line) => `${line},${breakAt(depth + 1)}`)
          .join(''),
      },
    ]
  const left = [...after]
  const gone = before.flatMap((each, at) => {
    if (each !== left[0]) return [at]
    left.shift()
    return []
  })
  if (left.length === 0) return gone.map((at) => removal(texts, node, at))
  return [{ start: node.start, end: node.end, text: shown(to, depth) }]
}

/** After what stands there already. */
function additions({ node, depth }: Omit<Place, 'texts'>, lines: readonly string[]): readonly Edit[] {
  if (lines.length === 0) return []
  const last = node.parts.at(-1)
  const text = lines.map((line) => `${breakAt(depth + 1)}${line}`).join(',')
  if (last !== undefined) return [{ start: last.value.end, end: last.value.end, text: `,${text}` }]
  return [{ start: node.start + 1, end: node.start + 1, text: `${text}${breakAt(depth)}` }]
}

/** A part, and the comma that parts it from its neighbour; no comment beside it. */
function removal({ text, plain }: Texts, { parts }: Node, at: number): Edit {
  const [part, before, after] = [parts[at], parts[at - 1], parts[at + 1]]
  const { start, end } = { start: part?.start ?? 0, end: part?.value.end ?? 0 }
  if (before !== undefined && isBare(text.slice(before.value.end, start))) return { start: before.value.end, end, text: '' }
  if (after !== undefined && isBare(text.slice(end, after.start))) return { start, end: after.start, text: '' }
  // A comment stands between: it stays, and the comma beside it goes.
  if (after !== undefined) {
    const comma = plain.indexOf(',', end)
    return { start, end: comma + 1, text: text.slice(end, comma) }
  }
  // With a comma behind the last of a list, where the host takes one.
  if (before === undefined) return { start, end: text[next(text, end)] === ',' ? next(text, end) + 1 : end, text: '' }
  const comma = plain.indexOf(',', before.value.end)
  return { start: comma, end, text: text.slice(comma + 1, start) }
}

function isBare(between: string): boolean {
  return /^\s*,\s*$/.test(between)
}

function shown(value: Json, depth: number): string {
  return JSON.stringify(value, null, 2).replaceAll('\n', breakAt(depth))
}

function breakAt(depth: number): string {
  return `\n${'  '.repeat(depth)}`
}

/** The value at a place of JSON that was read already, so that it holds no mistake. */
function nodeAt(plain: string, start: number): Node {
  const opened = plain[start]
  if (opened !== '{' && opened !== '[') return { start, end: endOfWord(plain, start), parts: [] }
  const parts: Part[] = []
  let at = next(plain, start + 1)
  while (plain[at] !== '}' && plain[at] !== ']') {
    const from = at
    const name = opened === '{' ? plain.slice(from, endOfWord(plain, from)) : ''
    if (opened === '{') at = next(plain, next(plain, from + name.length) + 1)
    const value = nodeAt(plain, at)
    parts.push({ name: name === '' ? '' : (JSON.parse(name) as string), start: from, value })
    at = next(plain, value.end)
    if (plain[at] === ',') at = next(plain, at + 1)
  }
  return { start, end: at + 1, parts }
}

function next(plain: string, from: number): number {
  let at = from
  while (/\s/.test(plain[at] ?? '')) at++
  return at
}

function endOfWord(plain: string, start: number): number {
  if (plain[start] === '"') return endOfString(plain, start)
  let at = start
  while (/[\w.+-]/.test(plain[at] ?? '')) at++
  return at
}
