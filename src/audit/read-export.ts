/** Exported lines back into entries for the verifier. Pure; every line that an export cannot have written is malformed. */

import { isJsonObject, parseJson } from '../core/json.ts'
import { VERDICTS } from '../core/verdict.ts'
import { type Anchor, parseAnchor } from '../store/chain.ts'
import { type Fields, parseRecord } from '../store/parse.ts'
import type { StoredRecord } from '../store/store.ts'
import { anchorLine, exportLine } from './export.ts'
import type { Warning } from './report.ts'
import type { Entry } from './verify.ts'

export interface ExportFile {
  readonly name: string
  /** Bytes where they are at hand: only then is ill-formed UTF-8 seen. */
  readonly content: string | Uint8Array
}

export interface ReadExport {
  readonly entries: readonly Entry[]
  readonly warnings: readonly Warning[]
  /** The closing line, unchecked as to its signature; null where the export has none. */
  readonly anchor: Anchor | null
}

const LINE_FEED = 0x0a
const DECISIONS: ReadonlySet<string> = new Set(VERDICTS.filter((verdict) => verdict !== 'abstain'))

/** Reads the files in the order given, as one log. A half-written last line is a warning: the anchor tells if it counted. */
export function readExport(files: readonly ExportFile[]): ReadExport {
  const entries: Entry[] = []
  const warnings: Warning[] = []
  let anchor: Anchor | null = null
  for (const { name, content } of files) {
    const lines = linesOf(content)
    for (const [number, line] of lines.entries()) {
      if (line === '') continue
      const closing = readAnchorLine(line)
      if (closing !== null) {
        if (anchor === null || closing.size > anchor.size) anchor = closing
        continue
      }
      const where = `${name}:${number + 1}`
      const entry = readLine(line, where)
      const torn = number === lines.length - 1 && 'problem' in entry && entry.kind === 'malformed'
      if (torn) warnings.push({ kind: 'crash_fragment', index: entries.length, detail: `${where}: the last line is incomplete` })
      else entries.push(entry)
    }
  }
  return { entries, warnings, anchor }
}

/** A record that holds by itself: also checks what only the kind of a record can tell. */
export function entryOf(fields: Fields, where?: string): Entry {
  const place = where === undefined ? {} : { where }
  if (!Object.hasOwn(fields, 'hash')) return { kind: 'unsigned', problem: located('the record has no hash', where), ...place }
  if (!Object.hasOwn(fields, 'key')) return { kind: 'missing_key', problem: located('the record names no key', where), ...place }
  const parsed = parseRecord(fields)
  if ('problem' in parsed) return { kind: 'malformed', problem: located(parsed.problem, where), ...place }
  if (!isDecided(parsed.record)) return { kind: 'malformed', problem: located('`decision` is unknown', where), ...place }
  return { record: parsed.record, ...place }
}

function isDecided(record: StoredRecord): boolean {
  return record.kind !== 'decision' || (record.decision !== null && DECISIONS.has(record.decision))
}

function readLine(line: string | null, where: string): Entry {
  const malformed = (problem: string): Entry => ({ kind: 'malformed', problem: located(problem, where), where })
  if (line === null) return malformed('the line is not well-formed UTF-8')
  const value = parseJson(line)
  if (value === undefined) return malformed('the line is not JSON')
  if (!isJsonObject(value)) return malformed('the line is no record')
  const entry = entryOf(value, where)
  return 'record' in entry && !isAsWritten(entry.record, line) ? malformed('the line is not written as an export writes it') : entry
}

function readAnchorLine(line: string | null): Anchor | null {
  if (line?.startsWith('{"anchor":') !== true) return null
  const anchor = parseAnchor(line.slice('{"anchor":'.length, -1))
  return anchor !== null && anchorLine(anchor) === line ? anchor : null
}

/** Byte for byte: a repeated key or a field of its own would show a reader what no hash covers. */
function isAsWritten(record: StoredRecord, line: string): boolean {
  try {
    return ascii(exportLine(record)) === ascii(line)
  } catch {
    return false
  }
}

/** Which characters an export escapes depends on the Unicode version of the Node that wrote it; this form does not. */
function ascii(line: string): string {
  return line.replace(/[^\0-~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Lines without their ends (LF or CRLF) and without a byte order mark; null for a line that is not UTF-8. The last one is what follows the last line end. */
function linesOf(content: string | Uint8Array): (string | null)[] {
  const lines = typeof content === 'string' ? content.split('\n') : decodeLines(content)
  const first = lines[0]
  if (typeof first === 'string' && first.startsWith('\ufeff')) lines[0] = first.slice(1)
  return lines.map((line) => (line?.endsWith('\r') ? line.slice(0, -1) : line))
}

function decodeLines(bytes: Uint8Array): (string | null)[] {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  const lines: (string | null)[] = []
  for (let start = 0; start <= bytes.length; ) {
    const found = bytes.indexOf(LINE_FEED, start)
    const end = found === -1 ? bytes.length : found
    lines.push(decode(decoder, bytes.subarray(start, end)))
    start = end + 1
  }
  return lines
}

function decode(decoder: InstanceType<typeof TextDecoder>, bytes: Uint8Array): string | null {
  try {
    return decoder.decode(bytes)
  } catch {
    return null
  }
}

function located(problem: string, where: string | undefined): string {
  return where === undefined ? problem : `${where}: ${problem}`
}
