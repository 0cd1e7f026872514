/**
 * What a tool returned, taken apart: leaves with the names of their fields. JSON, YAML and the printed objects of other languages are
 * read as what they are; text that is none of these is one leaf without a field. Pure, bounded, never throws.
 */
import { parse } from 'yaml'
import { isJsonObject, type Json, type JsonObject, own } from '../core/json.ts'

/** One value of a result. */
export interface Leaf {
  /** Names on the way to it, joined by dots, without positions: `messages.sender`. Empty for a text without fields. */
  readonly field: string
  readonly value: string
  /** Number of the innermost object that it belongs to: values with one number are told of one thing. */
  readonly record: number
  /** Written by or for people: a sentence or more. */
  readonly prose: boolean
  /** The name of the field is itself data, as in `{"Hotel A": "4.2"}`. */
  readonly keyed?: true
}

interface ReadLimits {
  /** UTF-16 units of text that are looked at. */
  readonly maxUnits: number
  readonly maxLeaves: number
}

const READ_LIMITS: ReadLimits = { maxUnits: 256 * 1024, maxLeaves: 4000 }

/** Longest text that is read as YAML: the reader takes a millisecond for half a kilobyte. */
const MAX_YAML = 16 * 1024
const MAX_DEPTH = 12

interface ReadResult {
  readonly leaves: readonly Leaf[]
  readonly complete: boolean
}

/** The leaves of a result, in order; `complete` is false where something was left out. */
export function readResult(result: Json, limits: ReadLimits = READ_LIMITS): ReadResult {
  const reader: Reader = { limits, leaves: [], units: 0, records: 0, complete: true }
  visit(reader, unwrapped(result), { field: '', record: 0, depth: 0 })
  return { leaves: reader.leaves, complete: reader.complete }
}

interface Reader {
  readonly limits: ReadLimits
  readonly leaves: Leaf[]
  units: number
  records: number
  complete: boolean
}

interface At {
  readonly field: string
  readonly record: number
  readonly depth: number
  readonly keyed?: true
}

/** MCP and hosts wrap the text of a result: `{content: [{type: "text", text}]}`, `{stdout, stderr}`, `{result}`. */
function unwrapped(result: Json): Json {
  if (!isJsonObject(result)) return result
  const structured = own(result, 'structuredContent')
  if (isJsonObject(structured)) return structured
  const content = own(result, 'content')
  const keys = Object.keys(result)
  if (Array.isArray(content) && keys.every((key) => MCP_KEYS.has(key))) {
    const texts = (content as readonly Json[]).map(textOf)
    return texts.length === 1 ? (texts[0] ?? null) : texts
  }
  return result
}

const MCP_KEYS: ReadonlySet<string> = new Set(['content', 'isError', '_meta', 'structuredContent'])

function textOf(part: Json): Json {
  if (!isJsonObject(part)) return part
  const text = own(part, 'text')
  if (typeof text === 'string') return text
  const resource = own(part, 'resource')
  return isJsonObject(resource) ? (own(resource, 'text') ?? null) : null
}

function visit(reader: Reader, value: Json, at: At): void {
  if (reader.leaves.length >= reader.limits.maxLeaves || reader.units >= reader.limits.maxUnits || at.depth > MAX_DEPTH) {
    reader.complete = false
    return
  }
  if (typeof value === 'number') add(reader, String(value), at)
  else if (typeof value === 'string') visitText(reader, value, at)
  else if (Array.isArray(value)) visitList(reader, value, at)
  else if (isJsonObject(value)) visitObject(reader, value, at)
}

function visitList(reader: Reader, list: readonly Json[], at: At): void {
  for (const item of list) {
    const own = isJsonObject(item) ? nextRecord(reader) : at.record
    visit(reader, item, { ...at, record: own, depth: at.depth + 1 })
  }
}

function nextRecord(reader: Reader): number {
  reader.records += 1
  return reader.records
}

/** Field names are words; what is none (`Le Marais Boutique`, `2024-05-01`) is data, and one record of its own. */
const FIELD_NAME = /^[A-Za-z_][A-Za-z0-9_.$-]{0,60}$/

function visitObject(reader: Reader, object: JsonObject, at: At): void {
  const keys = Object.keys(object)
  const table = keys.length > 0 && keys.every((key) => !FIELD_NAME.test(key)) && !looksLikeLabels(keys)
  for (const key of keys) {
    const value = own(object, key) ?? null
    if (table) {
      const record = nextRecord(reader)
      add(reader, key, { ...at, record, keyed: true })
      visit(reader, value, { ...at, record, depth: at.depth + 1 })
    } else visit(reader, value, { ...at, field: joined(at.field, key), depth: at.depth + 1 })
  }
}

/** `First Name`, `ID Number`: labels in words, as forms have them. */
function looksLikeLabels(keys: readonly string[]): boolean {
  return keys.some((key) => LABELS.test(key))
}

const LABELS = /(?:^| )(?:name|number|id|address|email|e-mail|phone|date|time|type|status|price|rating|password|title|city|country)$/i

function joined(field: string, key: string): string {
  const name = key.length > 60 ? key.slice(0, 60) : key
  return field === '' ? name : `${field}.${name}`
}

function visitText(reader: Reader, text: string, at: At): void {
  const inner = unframed(text)
  const structured = structuredText(inner, at.depth)
  if (structured === null) add(reader, inner, at)
  else visit(reader, structured, { ...at, depth: at.depth + 1 })
}

/** Signs in which programs that stand between tools and models put a result, so that a model can tell it from its instructions. */
const FRAMES: readonly (readonly [open: string, close: string])[] = [
  ['<<', '>>'],
  ['```', '```'],
  ['"""', '"""'],
]
const TAGGED = /^<([A-Za-z][\w-]{0,40})>/

/**
 * What stands in a frame that is around all of the text. Whoever could write the frame could as well have written the text without it, so
 * that reading it gives nobody more than they had.
 */
function unframed(text: string): string {
  const whole = text.trim()
  const tag = TAGGED.exec(whole.slice(0, MAX_TAG))?.[1]
  const frames = tag === undefined ? FRAMES : [...FRAMES, [`<${tag}>`, `</${tag}>`] as const]
  const [open, close] = frames.find(([first, last]) => whole.startsWith(first) && whole.endsWith(last)) ?? ['', '']
  if (open === '' || whole.length < open.length + close.length) return text
  const inner = whole.slice(open.length, whole.length - close.length)
  // A block of code may say its language.
  return open === '```' ? inner.replace(/^[a-z]{0,12}\n/, '') : inner
}

const MAX_TAG = 60

/** A text that is an object or a list in one of the ways that tools print them; null where it is none. */
function structuredText(text: string, depth: number): Json | null {
  const start = text.trimStart().slice(0, 200)
  if (start === '' || depth > 3) return null
  if (start.startsWith('{') || start.startsWith('[')) return parsedJson(text) ?? (text.length <= MAX_YAML ? parsedYaml(python(text)) : null)
  const listed = /^- \S/.test(start)
  if (!listed && !/^[A-Za-z_][\w-]{0,40}:(?:[ \n]|$)/.test(start)) return null
  return text.length <= MAX_YAML ? parsedYaml(text) : listed ? itemsOf(text) : null
}

/** A long list is read item by item, as far as it goes: an item begins where a line begins with a dash. */
function itemsOf(text: string): Json | null {
  const items: Json[] = []
  let units = 0
  for (const item of text.split(/\n(?=- )/)) {
    units += item.length
    const parsed = units <= 4 * MAX_YAML && item.length <= MAX_YAML ? parsedYaml(item) : null
    items.push(Array.isArray(parsed) && parsed.length === 1 ? (parsed[0] ?? null) : item)
  }
  return items
}

function parsedJson(text: string): Json | null {
  try {
    const value = JSON.parse(text) as Json
    return typeof value === 'object' ? value : null
  } catch {
    return null
  }
}

/** Scalars stay text; aliases, tags and broken documents are no structure. */
function parsedYaml(text: string): Json | null {
  try {
    const value = parse(text, { schema: 'failsafe', maxAliasCount: 0, uniqueKeys: false, logLevel: 'error' }) as Json
    return typeof value === 'object' ? value : null
  } catch {
    return null
  }
}

/** The printed objects of Python, as far as YAML does not read them by itself. */
function python(text: string): string {
  return text.replace(/\b(?:datetime\.\w+|Decimal|OrderedDict|UUID)\(([^()]*)\)/g, '[$1]')
}

const PROSE_WORDS = 8
const PROSE_FIELDS = new Set(
  (
    'body text content contents message messages review reviews description comment comments note notes summary snippet transcript answer bio ' +
    'abstract readme markdown html error errors detail details hint warning warnings stderr'
  ).split(' '),
)

function add(reader: Reader, value: string, { field, record, keyed }: At): void {
  const room = reader.limits.maxUnits - reader.units
  const kept = value.length > room ? value.slice(0, room) : value
  if (kept.length < value.length) reader.complete = false
  reader.units += kept.length + 1
  if (kept.trim() === '') return
  const leaf = { field, value: kept, record, prose: isProse(field, kept) }
  reader.leaves.push(keyed ? { ...leaf, keyed } : leaf)
}

function isProse(field: string, value: string): boolean {
  if (value.length > 400 || value.trim().includes('\n')) return true
  let words = 1
  for (let i = 0; i < value.length; i += 1) if (value.charCodeAt(i) === 32) words += 1
  return words >= PROSE_WORDS || (words >= 2 && PROSE_FIELDS.has(lastWord(field)))
}

function lastWord(field: string): string {
  return field.slice(Math.max(field.lastIndexOf('.'), field.lastIndexOf('_')) + 1).toLowerCase()
}

/** Every text and number in a value. */
export function textsWithin(value: Json): readonly string[] {
  if (typeof value === 'string' || typeof value === 'number') return [String(value)]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsWithin) : []
}
