/**
 * Texts as provenance compares them: folded, so that case, spacing, look-alike widths and invisible characters make no difference, and
 * taken apart into the things that a call can be aimed at (addresses, URLs, hosts, paths, identifiers, names) and into words.
 */

/** Invisible, or a soft break: nothing that a reader would see. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu
const PLAIN = /^[\x20-\x7e]*$/

/** Case, width, compatibility forms and invisible characters folded; runs of white space are one space; trimmed. */
export function fold(text: string): string {
  const plain = PLAIN.test(text) ? text : text.normalize('NFKC').replace(INVISIBLE, '')
  return plain.toLowerCase().replace(/\s+/g, ' ').trim()
}

/** Only letters and digits: `DE89 3704-0044` and `de8937040044` are one. */
export function compact(folded: string): string {
  return folded.replace(/[^\p{L}\p{N}]+/gu, '')
}

export type EntityKind = 'address' | 'url' | 'host' | 'path' | 'id' | 'name'

/** A thing in a text that a call can be aimed at, folded. */
export interface Entity {
  readonly kind: EntityKind
  readonly text: string
}

/** Longest thing that is looked at as one. */
const MAX_ENTITY = 300

/** True for a folded mail address and nothing else. */
export function isAddress(folded: string): boolean {
  return folded.length <= MAX_ENTITY && ADDRESS.test(folded)
}

const ADDRESS = /^[^\s@<>()[\],;:"']{1,64}@(?:[\p{L}\p{N}-]+\.)+[\p{L}\p{N}-]{2,}$/u
const HOST = /^(?:[\p{L}\p{N}_-]+\.)+\p{L}{2,}(?::\d+)?$/u
const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//
const FILE = /^[\p{L}\p{N}_.-]+\.(?:[a-z]{1,4}\d?|[a-z]\d[a-z]|jsonl|xhtml|ipynb)$/u
/** Signs around a thing that are no part of it. */
const AROUND: ReadonlySet<string> = new Set(' \t\r\n.,;:!?\'"`*_~()[]{}<>|=')

/** What separates things in a text. `/`, `@`, `.`, `:` and `-` hold them together. */
const BREAKS = /[\s<>"'`()[\]{}|,;]+/
/** `href=https://…`: a name and its value. */
const NAMED = /^[\p{L}_-]+=(?=.)/u

/** Two-letter to long endings that are files far more often than hosts. */
const FILE_ENDINGS: ReadonlySet<string> = new Set(
  (
    'txt md doc docx pdf csv tsv xls xlsx ppt pptx json yaml yml xml html htm js ts jsx tsx py rb go rs c h cpp java kt sh bash zsh ps1 sql ' +
    'log cfg ini toml lock png jpg jpeg gif svg zip tar gz tgz exe dll so bin bak tmp env'
  ).split(' '),
)

/** The things in a text, in order; a URL also gives its host, an address its domain is not given. At most `limit`. */
export function entitiesOf(text: string, limit: number): Entity[] {
  const found: Entity[] = []
  // The words of a long text are few: each is taken apart once.
  const known = new Map<string, readonly Entity[]>()
  for (const piece of text.split(BREAKS)) {
    if (piece.length < 2 || piece.length > MAX_ENTITY || isPlainWord(piece)) continue
    let entities = known.get(piece)
    if (entities === undefined) {
      entities = entitiesIn(trimmedBy(fold(piece.replace(NAMED, '')), AROUND))
      if (known.size < MAX_WORDS) known.set(piece, entities)
    }
    for (const entity of entities) found.push(entity)
    if (found.length >= limit) break
  }
  return found
}

/** Letters of English and nothing else: most words of most texts, and no address, host, path or number. */
function isPlainWord(piece: string): boolean {
  for (let i = 0; i < piece.length; i += 1) {
    const code = piece.charCodeAt(i) | 0x20
    if (code < 0x61 || code > 0x7a) return false
  }
  return true
}

const MAX_WORDS = 16_384
const NO_ENTITY: readonly Entity[] = []

function entitiesIn(text: string): readonly Entity[] {
  if (text.length < 2) return NO_ENTITY
  if (text.includes('@')) {
    const bare = text.startsWith('mailto:') ? text.slice(7) : text
    if (ADDRESS.test(bare)) return [{ kind: 'address', text: bare }]
  }
  const host = hostOf(text)
  if (host !== null) {
    const url = urlText(text)
    const named: Entity = { kind: 'host', text: host }
    return url === host ? [named] : [{ kind: 'url', text: url }, named]
  }
  if (isPath(text)) return [{ kind: 'path', text: pathText(text) }]
  return isIdentifier(text) ? [{ kind: 'id', text: compact(text) }] : NO_ENTITY
}

/** The host of what looks like a URL, without `www.`, port and user; null where it looks like none. */
export function hostOf(folded: string): string | null {
  const named = SCHEME.test(folded)
  if (!named && (folded.startsWith('/') || folded.startsWith('.') || folded.includes('@'))) return null
  const rest = named ? folded.slice(folded.indexOf('://') + 3) : folded
  const end = rest.search(/[/?#\\]/)
  const authority = end < 0 ? rest : rest.slice(0, end)
  const bare = authority
    .slice(authority.lastIndexOf('@') + 1)
    .replace(/:\d*$/, '')
    .replace(/\.$/, '')
  if (named) return bare === '' || folded.startsWith('file:') ? null : bare.replace(/^www\./, '')
  if (!HOST.test(authority)) return null
  if (!bare.startsWith('www.') && FILE_ENDINGS.has(bare.slice(bare.lastIndexOf('.') + 1))) return null
  return bare.replace(/^www\./, '')
}

/** A URL as it is compared: no scheme, no `www.`, no fragment, no slash at the end, percent-encoding read. */
export function urlText(folded: string): string {
  const bare = folded.replace(SCHEME, '').replace(/^www\./, '')
  const fragment = bare.indexOf('#')
  const text = trimmedEnd(fragment < 0 ? bare : bare.slice(0, fragment), '/')
  return text.includes('%') ? percentDecoded(text) : text
}

/** Without the given sign at its end. */
export function trimmedEnd(text: string, sign: string): string {
  let end = text.length
  while (end > 0 && text[end - 1] === sign) end -= 1
  return text.slice(0, end)
}

function trimmedBy(text: string, signs: ReadonlySet<string>): string {
  let start = 0
  let end = text.length
  while (start < end && signs.has(text[start] ?? '')) start += 1
  while (end > start && signs.has(text[end - 1] ?? '')) end -= 1
  return text.slice(start, end)
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text).toLowerCase()
  } catch {
    return text
  }
}

function isPath(text: string): boolean {
  // `/p` is what is left of a tag more often than a path.
  if (/^(?:~?\/\S{3}|\.{1,2}\/\S|[a-z]:[\\/]\S)/.test(text)) return true
  return FILE.test(text) || (/^[\p{L}\p{N}_.-]+(?:\/[\p{L}\p{N}_.-]+)+$/u.test(text) && !/^\d+(?:\/\d+)+$/.test(text))
}

/** `./a//b/` and `a/b` are one; a leading slash counts. */
export function pathText(folded: string): string {
  return folded
    .replaceAll('\\', '/')
    .replace(/\/+/g, '/')
    .replace(/^(?:\.\/)+/, '')
    .replace(/(?<=.)\/$/, '')
}

/** Digits among letters, or many digits: a number that names something. Dates and times name nothing. */
function isIdentifier(text: string): boolean {
  const digits = countDigits(text)
  if (digits === 0) return false
  if (/^\d{1,4}[-/.:]\d{1,2}(?:[-/.:]\d{1,4})?$|^\d{1,2}:\d{2}(?::\d{2})?$/.test(text)) return false
  const size = compact(text).length
  return size >= 4 && (digits >= 4 || digits < size)
}

function countDigits(text: string): number {
  let digits = 0
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i)
    if (code >= 48 && code <= 57) digits += 1
  }
  return digits
}

/** Runs of letters and digits, folded, in order. */
export function wordsIn(text: string, limit: number): string[] {
  const words: string[] = []
  for (const [word] of fold(text).matchAll(/[\p{L}\p{N}]+/gu)) {
    words.push(word)
    if (words.length >= limit) break
  }
  return words
}

/** Names: runs of up to five words that begin with capitals, joined by single spaces, with each end of such a run; folded. */
export function namesIn(text: string, limit: number): string[] {
  const names: string[] = []
  for (const [run] of text.matchAll(/\p{Lu}[\p{L}\p{N}'’.-]*(?:[ _](?:\p{Lu}[\p{L}\p{N}'’.-]*|de|la|le|du|of|the|and|&)){0,4}/gu)) {
    // `Book the Riverside View Hotel`: a sentence begins with a capital, too.
    for (const { index: start } of run.matchAll(/(?<=^|[ _])\p{Lu}/gu)) {
      const name = trimmedBy(fold(run.slice(start)), AROUND)
      if (name.length >= 2) names.push(name)
    }
    if (names.length >= limit) break
  }
  return names
}

const QUOTES: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["'", "'"],
  ['“', '”'],
  ['`', '`'],
])
const MAX_QUOTED = 80

/** What stands in quotes or backticks, folded: a title, a message, a name that is spelt out. */
export function quotedIn(text: string, limit: number): string[] {
  const found: string[] = []
  for (let at = 0; at < text.length && found.length < limit; at += 1) {
    const close = QUOTES.get(text[at] ?? '')
    // An apostrophe inside of a word opens nothing.
    if (close === undefined || (close === "'" && EDGE.test(text[at - 1] ?? ''))) continue
    const end = closingOf(text, at + 1, close)
    if (end < 0) continue
    found.push(fold(text.slice(at + 1, end)))
    at = end
  }
  return found
}

const EDGE = /[\p{L}\p{N}]/u

function closingOf(text: string, from: number, close: string): number {
  const last = Math.min(text.length, from + MAX_QUOTED)
  for (let i = from; i < last; i += 1) {
    if (text[i] === '\n') return -1
    if (text[i] === close && i >= from + 2 && !(close === "'" && EDGE.test(text[i + 1] ?? ''))) return i
  }
  return -1
}

/** What stands behind a label on a line of its own, folded: `Username: alice`. */
export function labelledIn(text: string, limit: number): string[] {
  const values: string[] = []
  for (const [, value] of text.matchAll(/^[ \t>*-]*\p{L}[\p{L}\p{N} _/-]{0,40}: +(\S[^\n]{0,120})$/gmu)) {
    values.push(fold(value ?? ''))
    if (values.length >= limit) break
  }
  return values
}

/** The forms under which a folded value is looked for and remembered: as it is, without signs, as a URL, as a path. */
export function comparedForms(folded: string): readonly string[] {
  const short = compact(folded)
  const forms = [folded, short.length >= 6 ? short : folded, urlText(folded), pathText(folded)]
  return [...new Set(forms)].filter((form) => form !== '')
}
