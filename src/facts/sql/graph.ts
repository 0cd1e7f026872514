/**
 * Query languages of graphs: Cypher, the updates of SPARQL, and Gremlin. Their statements are told from SQL by how they begin, and are read
 * for what they change: what is deleted, and whether a condition limits it.
 */
import type { Report } from './report.ts'

/** Where a node begins: `(n)`, `(:Order {`. */
const NODE = String.raw`\(\s*[\w${'`'}]{0,60}\s*[:{)]`
const NAMED = String.raw`(?:[\w${'`'}]{1,60}\s*=\s*)?`
const CYPHER = new RegExp(
  String.raw`(?:^|;)\s*(?:(?:explain|profile)\s+)?(?:(?:optional\s+)?match\s*${NAMED}(?:\w{1,30}\s*)?${NODE}|unwind\s` +
    String.raw`|(?:create|merge)\s*${NAMED}${NODE}|detach\s+delete\b|foreach\s*\(|load\s+csv\b|return\s` +
    String.raw`|call\s+(?:apoc|db|dbms|gds)\s*\.)`,
  'i',
)
const SPARQL = new RegExp(
  String.raw`(?:^|;)\s*(?:(?:prefix\s+[\w.-]{0,60}:|base)\s*<>\s*)*(?:with\s*<>\s*)?(?:(?:insert|delete)\s+data\s*\{|(?:insert|delete)\s*(?:where\s*)?\{` +
    String.raw`|(?:clear|drop)\s+(?:silent\s+)?(?:(?:all|default|named)\s*(?:;|$)|graph\s*(?:<>|[\w-]{0,40}:))` +
    String.raw`|load\s+(?:silent\s+)?<>|(?:copy|move|add)\s+(?:silent\s+)?(?:graph\s*)?(?:<>|default\s)\s*to\b)`,
  'i',
)
const GREMLIN = /(?:^|[\s;=({])g\s{0,4}\.\s{0,4}(?:V|E|addV|addE|inject|with[A-Z]\w{0,30}|tx|io)\s{0,4}\(/

/** UTF-16 units of a text that is looked at for which language it is of. */
const MAX_LOOK = 65_536

type Language = 'cypher' | 'sparql' | 'gremlin'

function languageOf(bare: string): Language | null {
  if (SPARQL.test(bare)) return 'sparql'
  if (CYPHER.test(bare)) return 'cypher'
  return GREMLIN.test(bare) ? 'gremlin' : null
}

/** Words of such a language in what may be one: without them nobody need look. */
const MAY_BE =
  /\b(?:match|unwind|merge|detach|foreach|clear|drop|load|return|call|create|insert|delete|copy|move|add)\b|\bg\s{0,4}\.\s{0,4}\w/i

/** Whether a text is a statement of such a language that changes something. */
export function changesGraph(text: string): boolean {
  if (text.length > MAX_LOOK || !MAY_BE.test(text)) return false
  const bare = withoutTexts(text)
  const language = languageOf(bare)
  return language !== null && statements(bare).some((statement) => actsOf(language, statement).some(({ verb }) => verb !== 'read'))
}

/** Reports a text of such a language; false where it is none. */
export function reportGraph(text: string, report: Report): boolean {
  if (text.length > MAX_LOOK || !MAY_BE.test(text)) return false
  const bare = withoutTexts(text)
  const language = languageOf(bare)
  if (language === null) return false
  for (const [, from = ''] of text.matchAll(/\bload\s{1,9}csv\s{1,9}(?:with\s{1,9}headers\s{1,9})?from\s{1,9}["']([^"'\n]{1,1000})["']/gi))
    report.file('read', from.replace(/^file:\/\//, ''), 'sql:read-file')
  for (const [, from = ''] of language === 'sparql' ? text.matchAll(/\bload\s{1,9}(?:silent\s{1,9})?<([^>\s]{1,1000})>/gi) : [])
    report.url('fetch', from, 'sql:read-file')
  for (const statement of statements(bare)) {
    for (const { verb, action, where } of actsOf(language, statement))
      report.database(verb, action, {
        ...(verb === 'delete' ? { reversible: false } : {}),
        ...(where === undefined ? {} : { attributes: { where } }),
      })
    const called = language === 'cypher' ? CALLS_OUT.exec(statement)?.[0] : undefined
    if (called !== undefined) report.opaque(`\`${called.slice(0, 60)}\` runs, loads or sends what only the server knows`)
  }
  return true
}

/** Procedures that run texts, reach other machines or files, or administer the server. */
const CALLS_OUT =
  /\bapoc\s*\.\s*(?:cypher|load|export|import|periodic|systemdb|trigger|custom|util\.sleep)\b[\w.]*|\bdbms\s*\.\s*(?!components|info|queryJmx)\w[\w.]*/i

interface GraphAct {
  readonly verb: 'read' | 'write' | 'delete' | 'change'
  readonly action: string
  readonly where?: boolean
}

function actsOf(language: Language, statement: string): readonly GraphAct[] {
  const acts = ACTS[language](statement)
  return acts.length > 0 ? acts : [{ verb: 'read', action: 'sql:select' }]
}

const when = (fits: boolean, act: GraphAct): readonly GraphAct[] => (fits ? [act] : [])

/** A label alone names all of a kind, as a table does. */
function cypher(text: string): readonly GraphAct[] {
  const where = /\bwhere\b/i.test(text) || /\([^()]{0,200}\{[^{}]{0,400}\}\s*\)/.test(text)
  const drops = /(?:^|;)\s*drop\s+(?:composite\s+)?(?:database|alias|user|role)\b/i.test(text)
  return [
    ...when(/\bdelete\b/i.test(text), { verb: 'delete', action: 'sql:delete', where }),
    ...when(drops, { verb: 'delete', action: 'sql:drop' }),
    ...when(/\b(?:set|remove)\s+[\w`(]/i.test(text), { verb: 'write', action: 'sql:update' }),
    ...when(/\b(?:create|merge)\s*(?:[\w`]{1,60}\s*=\s*)?\(|\bload\s+csv\b/i.test(text), { verb: 'write', action: 'sql:insert' }),
    ...when(/\b(?:grant|deny|revoke)\s|\b(?:create|alter)\s+(?:user|role)\b/i.test(text), { verb: 'change', action: 'access:grant' }),
  ]
}

/** A pattern of nothing but variables fits everything. */
function sparql(text: string): readonly GraphAct[] {
  const pattern = /\bwhere\s*\{([^{}]*)/i.exec(text)?.[1] ?? /\bdelete\s*\{([^{}]*)/i.exec(text)?.[1] ?? ''
  const where = !/^\s*(?:\?\w{1,60}\s+){2}\?\w{1,60}[\s.]*$/.test(pattern)
  const data = /\bdelete\s+data\b/i.test(text)
  return [
    ...when(/\b(?:clear|drop|move)\s/i.test(text), { verb: 'delete', action: 'sql:drop' }),
    ...when(/\bdelete\b/i.test(text), { verb: 'delete', action: 'sql:delete', where: data || where }),
    ...when(/\b(?:insert|load|copy|add)\b/i.test(text), { verb: 'write', action: 'sql:insert' }),
  ]
}

function gremlin(text: string): readonly GraphAct[] {
  const where = /\.\s{0,4}(?:has|hasId|hasKey|where|is|filter)\s{0,4}\(|\bg\s{0,4}\.\s{0,4}[VE]\s{0,4}\(\s{0,4}[^\s)]/.test(text)
  return [
    ...when(/\.\s{0,4}drop\s{0,4}\(/.test(text), { verb: 'delete', action: 'sql:delete', where }),
    ...when(/\.\s{0,4}(?:addV|addE|property|mergeV|mergeE)\s{0,4}\(/.test(text), { verb: 'write', action: 'sql:insert' }),
  ]
}

const ACTS: Readonly<Record<Language, (statement: string) => readonly GraphAct[]>> = { cypher, sparql, gremlin }

const statements = (bare: string): readonly string[] => bare.split(';').filter((part) => part.trim() !== '')

/** What stands in quotes, in pointed brackets and in comments is no word of the language; where a quote or an address stands, its marks are left. */
function withoutTexts(text: string): string {
  let bare = ''
  for (let at = 0; at < text.length; ) {
    const end = endOfText(text, at)
    if (end === null) {
      // What is escaped outside of a text begins none.
      const width = text[at] === '\\' ? 2 : 1
      bare += text.slice(at, at + width)
      at += width
    } else {
      const mark = text[at] ?? ''
      bare += mark === '<' ? '<>' : mark === '"' || mark === "'" ? '""' : ' '
      at = end
    }
  }
  return bare
}

const ADDRESS = /<[a-z][a-z0-9+.-]{0,20}:[^<>\s]{0,2000}>/iy

/** Where the text, the address or the comment ends that begins here; null where none does. */
function endOfText(text: string, at: number): number | null {
  const mark = text[at]
  if (mark === '"' || mark === "'") return endOfQuote(text, at)
  if (mark === '<') {
    ADDRESS.lastIndex = at
    return ADDRESS.test(text) ? ADDRESS.lastIndex : null
  }
  if (text.startsWith('/*', at)) return past(text, '*/', at)
  const begins = at === 0 || text[at - 1] === '\n'
  return text.startsWith('//', at) || (begins && (mark === '#' || mark === ':')) ? past(text, '\n', at) : null
}

function past(text: string, end: string, from: number): number {
  const found = text.indexOf(end, from + 2)
  return found < 0 ? text.length : found + end.length
}

/** Behind the quote that closes it; a quote that nothing closes is a sign of its own. */
function endOfQuote(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === text[from]) return at + 1
  }
  return from + 1
}
