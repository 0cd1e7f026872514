/** Text → YAML nodes with positions. JSON is read as the subset of YAML that it is. What hides meaning is refused. */
import { type Document, isAlias, isMap, isScalar, parseAllDocuments, visit, type YAMLParseError } from 'yaml'
import type { PolicyErrorCode } from '../errors.ts'
import { parseFlowLines } from '../explain/flow-lines.ts'
import type { Reader } from './fields.ts'

const MAX_CHARACTERS = 4 * 1024 * 1024
const MAX_DEPTH = 64

/** What the parser's own codes mean here; everything else is `policy.syntax`. */
const YAML_CODES: ReadonlyMap<string, PolicyErrorCode> = new Map([
  ['DUPLICATE_KEY', 'policy.duplicate_key'],
  ['BAD_ALIAS', 'policy.alias'],
])

const HELP: ReadonlyMap<string, string> = new Map([
  ['TAB_AS_INDENT', 'indent with spaces'],
  ['DUPLICATE_KEY', 'keep one of them'],
  ['BAD_INDENT', 'check the indentation of this line and the one above'],
  ['MISSING_CHAR', 'a quote, bracket or colon is missing before this place'],
  ['BLOCK_AS_IMPLICIT_KEY', 'a value that holds `: ` must be quoted'],
])

/** How a document is called in messages. */
interface Wording {
  readonly noun: string
  /** What the smallest one looks like. */
  readonly example: string
}

const POLICY: Wording = {
  noun: 'a policy',
  example: 'the smallest policy is `version: 1`, which registers nothing and so denies every call',
}

/** A policy, or null after the reader was told what is wrong. */
export function parseDocument(reader: Reader): Document | null {
  return documentOf(reader, POLICY)
}

/** The document, or null after the reader was told what is wrong. */
export function documentOf(reader: Reader, wording: Wording): Document | null {
  const { text } = reader.source
  const start = { start: 0, end: 1 }
  if (text.length > MAX_CHARACTERS) {
    reader.fail({
      code: 'policy.too_large',
      message: 'the policy is larger than 4 MiB',
      help: 'replace single rules by patterns',
      at: start,
    })
    return null
  }
  if (nestedTooDeep(text)) {
    const message = `the text is nested deeper than ${MAX_DEPTH} brackets`
    reader.fail({ code: 'policy.syntax', message, help: 'no policy needs as many; look for a bracket that is not closed', at: start })
    return null
  }
  const document = single(reader, wording)
  if (document === null) return null
  for (const problem of [...document.errors, ...document.warnings]) reportProblem(problem as YAMLParseError, reader)
  if (reader.errors.length > 0) return null
  if (document.contents === null || (isScalar(document.contents) && document.contents.value === null)) return empty(reader, wording)
  refuseIndirection(document, reader)
  if (!isMap(document.contents) && reader.errors.length === 0) {
    reader.fail({
      code: 'policy.wrong_type',
      message: `${wording.noun} is a mapping`,
      help: wording === POLICY ? 'start with `version: 1`' : wording.example,
      at: start,
    })
  }
  return reader.errors.length > 0 ? null : document
}

const OPTIONS = { uniqueKeys: true, strict: true, version: '1.2', schema: 'core', prettyErrors: false } as const

function onlyOne(documents: readonly Document[]): Document | null {
  const [document, second] = documents
  return second === undefined ? (document ?? null) : null
}

function single(reader: Reader, wording: Wording): Document | null {
  const { text } = reader.source
  let documents: readonly Document[]
  try {
    const fast = parseFlowLines(text, (skeleton) => onlyOne(parseAllDocuments(skeleton, OPTIONS)))
    documents = fast === null ? parseAllDocuments(text, OPTIONS) : [fast]
  } catch (error) {
    const detail = error instanceof Error ? lowerFirst(error.message) : 'the parser failed'
    reader.fail({ code: 'policy.syntax', message: `the text cannot be parsed: ${detail}`, at: { start: 0, end: 1 } })
    return null
  }
  const [document, second] = documents
  if (document === undefined) return empty(reader, wording)
  if (second !== undefined) {
    const at = second.range?.[0] ?? 0
    const message = 'a second document starts here'
    reader.fail({ code: 'policy.several_documents', message, help: 'keep one policy in one file', at: { start: at, end: at + 1 } })
    return null
  }
  if (document.directives?.yaml.explicit === true) {
    reader.fail({ code: 'policy.syntax', message: 'directives are not read', help: 'take the `%` line out', at: { start: 0, end: 1 } })
    return null
  }
  return document
}

function empty(reader: Reader, { example }: Wording): null {
  reader.fail({ code: 'policy.empty', message: 'the file is empty', help: example, at: { start: 0, end: 1 } })
  return null
}

function reportProblem(problem: YAMLParseError, reader: Reader): void {
  const [start, end] = problem.pos
  const code =
    YAML_CODES.get(problem.code) ?? (problem.code.includes('TAG') || problem.code.includes('ANCHOR') ? 'policy.alias' : 'policy.syntax')
  const message = problem.code === 'DUPLICATE_KEY' ? duplicateText(reader, start) : lowerFirst(problem.message)
  reader.fail({ code, message, help: HELP.get(problem.code) ?? null, at: { start, end } })
}

function duplicateText(reader: Reader, start: number): string {
  const name = /^[^\s:,{}[\]]{1,64}/.exec(reader.source.text.slice(start, start + 64))?.[0]
  return name === undefined ? 'a key occurs twice' : `the key \`${name}\` occurs twice`
}

function lowerFirst(message: string): string {
  return message.charAt(0).toLowerCase() + message.slice(1)
}

/** What an anchor, an alias or a tag begins with, where one could begin. */
const MARK = /(?:^|[\s,:[{\ufeff])[&*!]/

/** Anchors make two places change together, tags make text something else, and both make bombs. */
function refuseIndirection(document: Document, reader: Reader): void {
  if (!MARK.test(reader.source.text)) return
  visit(document, {
    Node: (_key, node) => {
      const [start, end] = node.range ?? [0, 1]
      if (isAlias(node)) {
        const message = `the alias \`*${node.source}\` is not read`
        reader.fail({ code: 'policy.alias', message, help: 'write the value out', at: { start, end } })
      } else if (node.anchor !== undefined || node.tag !== undefined) {
        const mark = node.anchor === undefined ? `tag \`${node.tag}\`` : `anchor \`&${node.anchor}\``
        reader.fail({
          code: 'policy.alias',
          message: `the ${mark} is not read`,
          help: 'write the value out, without it',
          at: { start, end: start + 1 },
        })
      }
    },
  })
}

/** Cheap bound before a recursive parser sees the text; brackets in strings count, which only makes it stricter. */
function nestedTooDeep(text: string): boolean {
  let depth = 0
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i)
    if (char === 0x5b || char === 0x7b) depth++
    else if ((char === 0x5d || char === 0x7d) && depth > 0) depth--
    if (depth > MAX_DEPTH) return true
  }
  return false
}
