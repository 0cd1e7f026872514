import type { DoubleQuotedChild, Word as SyntaxWord, WordPart } from 'unbash'
import type { Span } from '../../effect.ts'
import type { Word } from '../../host.ts'
import { cutAtMarks, withoutMarks } from '../../resources/text/template.ts'
import { withoutTrailing } from '../../resources/text/trim.ts'
import { knownWord, unknownWord } from '../../resources/text/word.ts'
import { LIMITS, WORK } from '../state/budget.ts'
import { type ExecutionContext, opaqueAt, spanOf } from '../state/state.ts'
import { directories, entryOf } from '../walk/directories.ts'
import { matchesOf } from '../walk/target.ts'
import { arithmeticWord, parsed } from './arithmetic.ts'
import { expandBraces } from './brace.ts'
import { Fields } from './fields.ts'
import { eitherCase } from './glob.ts'
import { expandParameter, simpleParameter } from './parameter.ts'

/** Expands syntax words as bash does, as far as it is statically known: what stays unknown says so and where it comes from. */

const DEFAULT_IFS = ' \t\n'

/** Expands words with splitting and braces, in order; at most `LIMITS.words` of them. */
export function expandWords(words: readonly SyntaxWord[], site: ExecutionContext): Word[] {
  const result: Word[] = []
  const { analysis } = site
  for (const word of words) {
    const before = result.length
    expandInto(result, word, site)
    const going = analysis.spend(WORK.word * (1 + result.length - before), spanOf(word, site.frame))
    if (!going || result.length > LIMITS.words) {
      result.length = Math.min(result.length, LIMITS.words)
      if (going) opaqueAt(site, 'the command has more words than can be analysed', spanOf(word, site.frame))
      result.push(unknownWord(spanOf(word, site.frame), [], true))
      break
    }
  }
  return result
}

function expandInto(result: Word[], word: SyntaxWord, site: ExecutionContext): void {
  const { parts } = word
  if (parts === undefined) {
    result.push(literalWord(word, site))
    return
  }
  if (parts.some((part) => part.type === 'BraceExpansion')) {
    const span = spanOf(word, site.frame)
    const alternatives = expandBraces(word.text)
    const fixed: ExecutionContext = { ...site, frame: { pointer: site.frame.pointer, fixed: span } }
    if (alternatives !== null) {
      site.analysis.spend(
        alternatives.reduce((sum, alternative) => sum + 2 * alternative.text.length, 0),
        span,
      )
      for (const alternative of alternatives) result.push(...expandFields(alternative, fixed, true))
      return
    }
    opaqueAt(site, 'the braces stand for more words than can be analysed', span)
  }
  result.push(...expandFields(word, site, true))
}

/** Expands to exactly one word, without splitting and braces: assignments, redirections, `case` words. */
export function expandSingle(word: SyntaxWord, site: ExecutionContext): Word {
  if (word.parts === undefined) return literalWord(word, site)
  return expandFields(word, site, false)[0] ?? knownWord('', spanOf(word, site.frame))
}

/** The default of an unquoted `${x:-…}`: split where it is unquoted itself. */
export function expandOperand(word: SyntaxWord, site: ExecutionContext): readonly Word[] {
  const span = spanOf(word, site.frame)
  const fields = new Fields(span, word.text)
  const to: Adding = { fields, site, quoted: false, ifs: ifsOf(site) }
  for (const [index, part] of (word.parts ?? [{ type: 'Literal' as const, value: word.value, text: word.text }]).entries()) {
    if (part.type === 'Literal' && !part.text.includes('\\')) addOperandText(part.value, index === 0, to)
    else if (part.type === 'Literal') fields.literal(part.value)
    else addPart(part, to)
  }
  finished(fields, site)
  // Each default around this one takes all of the words over.
  if (!site.analysis.spend(WORK.word * fields.words.length, span)) return [unknownWord(span, [], true)]
  return fields.words.map((field) => ({ ...field, whole: true }))
}

function addOperandText(text: string, first: boolean, { fields, site, ifs }: Adding): void {
  const span = { pointer: site.frame.pointer, start: 0, end: 0 }
  const end = first && text.startsWith('~') ? text.search(/\s|$/) : 0
  const home = end === 0 ? '' : tilde(text.slice(0, end), site)
  if (home === null) fields.value(unknownWord(span), true, ifs)
  else if (home !== '') fields.literal(home)
  fields.value(knownWord(text.slice(end), span), false, ifs)
}

function literalWord(word: SyntaxWord, site: ExecutionContext): Word {
  const span = spanOf(word, site.frame)
  if (word.text.startsWith('~')) {
    const expanded = tilde(word.value, site)
    return expanded === null ? { ...unknownWord(span), raw: word.text } : knownOrMarked(expanded, span, word.text)
  }
  return knownOrMarked(word.value, span, word.text)
}

/** A literal; unknown from the first mark on that stands for what was found. */
function knownOrMarked(text: string, span: Span, raw: string): Word {
  if (cutAtMarks(text) === null) return { text, prefix: text, glob: false, dynamic: false, span, raw }
  const fields = new Fields(span, raw)
  fields.literal(text)
  fields.flush()
  return fields.words[0] ?? knownWord('', span)
}

/** `~`, `~/x`, `~name/x`; null where the home is not known. */
function tilde(value: string, site: ExecutionContext): string | null {
  const slash = value.indexOf('/')
  const name = slash < 0 ? value.slice(1) : value.slice(1, slash)
  const rest = slash < 0 ? '' : value.slice(slash)
  const { view } = site.analysis
  if (name === '') return ownHome(rest, site)
  if (name === view.user) return view.home + rest
  if (name === '+') return site.scope.cwd === null ? null : site.scope.cwd + rest
  if (name === 'root') return `/root${rest}`
  if (/^[A-Za-z_][\w.-]*$/.test(name)) return `/home/${name}${rest}`
  if (name === '-') return joined(site.scope.variables.get('OLDPWD')?.word.text, rest)
  const stack = directories(site.scope)
  if (stack === null) return /^[+-]?\d+$/.test(name) ? null : value
  const at = entryOf(name, stack.length)
  return at === null ? value : joined(stack[at], rest)
}

/** Where `HOME` was set before, it says where `~` is. */
function ownHome(rest: string, { scope, analysis }: ExecutionContext): string | null {
  const home = scope.variables.get('HOME')
  if (home === undefined || home.unset === true) return analysis.view.home + rest
  return home.word.text === null || home.word.glob ? null : home.word.text + rest
}

function joined(directory: string | null | undefined, rest: string): string | null {
  return directory === undefined || directory === null ? null : directory + rest
}

function ifsOf(site: ExecutionContext): string {
  const variable = site.scope.variables.get('IFS')
  return variable === undefined || variable.unset === true ? DEFAULT_IFS : (variable.word.text ?? DEFAULT_IFS)
}

function expandFields(word: SyntaxWord, site: ExecutionContext, split: boolean): Word[] {
  const parts = word.parts ?? []
  if (word.parts === undefined) return [literalWord(word, site)]
  const span = spanOf(word, site.frame)
  if (!site.analysis.spend(WORK.part * parts.length, span)) return [unknownWord(span, [], true)]
  const quoted = quotedText(parts)
  if (quoted !== null) {
    site.analysis.spend(quoted.length >> 2, span)
    return [{ text: quoted, prefix: quoted, glob: false, dynamic: false, span, raw: withoutMarks(word.text) }]
  }
  const fields = new Fields(span, word.text)
  const ifs = split ? ifsOf(site) : ''
  for (const [index, part] of parts.entries()) {
    if (index === 0 && part.type === 'Literal' && part.text.startsWith('~')) {
      const expanded = part.value.includes('/') ? tilde(part.value, site) : part.value
      if (expanded === null) fields.value(unknownWord(spanOf(part, site.frame)), true, ifs)
      else fields.literal(expanded)
    } else addPart(part, { fields, site, quoted: !split, ifs })
    if (fields.words.length > LIMITS.words) {
      opaqueAt(site, 'the word stands for more words than can be analysed', span)
      break
    }
  }
  finished(fields, site)
  return site.scope.nocaseglob ? fields.words.map(eitherCase) : fields.words
}

/** The text of parts that are known as they stand; null where one of them is not, or is the name of a home. Most words are such. */
function quotedText(parts: readonly WordPart[]): string | null {
  let text = ''
  for (const part of parts) {
    if (part.type === 'DoubleQuoted') {
      for (const child of part.parts) {
        if (child.type !== 'Literal') return null
        text += child.value
      }
    } else if (part.type === 'SingleQuoted' || (part.type === 'Literal' && !part.text.startsWith('~'))) text += part.value
    else return null
  }
  return text.length > LIMITS.text || cutAtMarks(text) !== null ? null : text
}

/** The last word ends; what became too long is said, and what all of it cost is counted. */
function finished(fields: Fields, site: ExecutionContext): void {
  fields.flush()
  if (fields.overlong) opaqueAt(site, 'a word is longer than what can be analysed', fields.span)
  site.analysis.spend(fields.size >> 2, fields.span)
}

interface Adding {
  readonly fields: Fields
  readonly site: ExecutionContext
  readonly quoted: boolean
  readonly ifs: string
}

function addPart(part: WordPart, to: Adding): void {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      to.fields.literal(part.value)
      return
    case 'Glob':
      addGlob(part.text, part.parts ?? [], to)
      return
    case 'ExtendedGlob':
      addGlob(part.text, part.parts ?? [], to)
      return
    case 'DoubleQuoted':
    case 'LocaleString':
      to.fields.start()
      for (const child of part.parts) addExpansion(child, { ...to, quoted: true })
      return
    case 'BraceExpansion':
      // Too many alternatives to write out: unknown, but what runs inside still runs.
      for (const inner of part.parts ?? []) addPart(inner, { ...to, fields: new Fields(spanOf(part, to.site.frame), part.text) })
      to.fields.value({ ...unknownWord(spanOf(part, to.site.frame), [], true), glob: true }, true, '')
      return
    default:
      addExpansion(part, to)
  }
}

function addGlob(text: string, inner: readonly WordPart[], to: Adding): void {
  for (const part of inner) if (part.type !== 'Literal') addPart(part, { ...to, fields: new Fields(spanOf(part, to.site.frame), text) })
  to.fields.pattern(text)
}

type Expansion = Exclude<DoubleQuotedChild, { type: 'Literal' }> | Extract<WordPart, { type: 'ProcessSubstitution' }>

function addExpansion(part: DoubleQuotedChild | Expansion, to: Adding): void {
  const { fields, site, quoted, ifs } = to
  const span = spanOf(part, site.frame)
  switch (part.type) {
    case 'Literal':
      fields.literal(part.value)
      return
    case 'SimpleExpansion':
      addValues(simpleParameter(part.text.slice(1), site, span), part.text.endsWith('@'), to)
      return
    case 'ParameterExpansion':
      addValues(expandParameter(part, site, quoted), part.index?.text === '@' || part.parameter === '@', to)
      return
    case 'CommandExpansion': {
      const output = site.walker.substitute(part.script, site, span)
      const text = output.text === null ? null : withoutTrailing(output.text, '\n')
      const from = output.from.length > 0 ? { from: output.from } : {}
      const decoded = output.decoded ? { decoded: true } : {}
      const word = { text, prefix: output.prefix, glob: false, dynamic: text === null, span, ...from, ...decoded }
      fields.value(unsplit(word, to), quoted, ifs)
      return
    }
    case 'ArithmeticExpansion':
      fields.value(arithmeticWord(parsed(part, site, span), site, span), quoted, ifs)
      return
    case 'ProcessSubstitution':
      fields.literal(processSubstitution(part, site, span))
      return
  }
}

/** Where it is not known what separates words, a text that something in it may separate is any number of them. */
function unsplit(word: Word, { site, quoted, ifs }: Adding): Word {
  // A name that a pattern stood for is cut where it has a blank.
  if (!quoted && word.glob && word.text !== null && matchesOf(word.text, site).some((path) => [...ifs].some((one) => path.includes(one))))
    return { ...unknownWord(word.span, word.from, word.dynamic), many: true }
  const variable = quoted || word.text === null ? undefined : site.scope.variables.get('IFS')
  if (variable === undefined || variable.unset === true || variable.word.text !== null || word.text === null) return word
  const perhaps = ifs + (variable.word.candidates ?? ['']).join('')
  const plain = variable.word.candidates === undefined ? /^\w*$/.test(word.text) : ![...perhaps].some((one) => word.text?.includes(one))
  return plain ? word : { ...unknownWord(word.span, word.from, word.dynamic), many: true }
}

/** Several values (`$@`, arrays): separate fields where unquoted or where `"$@"` keeps them apart, else joined. */
function addValues(values: readonly Word[], apart: boolean, to: Adding): void {
  for (const [index, value] of values.entries()) {
    if (index > 0) {
      if (apart || !to.quoted) to.fields.flush()
      else to.fields.literal(ifsOf(to.site).slice(0, 1))
    }
    to.fields.value(unsplit(value, to), to.quoted, to.ifs)
    if (to.quoted && apart) to.fields.start()
  }
}

/** A descriptor path that stands for the output of the script, or feeds it. */
function processSubstitution(part: Extract<WordPart, { type: 'ProcessSubstitution' }>, site: ExecutionContext, span: Span): string {
  const name = `/dev/fd/${63 + site.analysis.descriptors++}`
  if (part.operator === '>') {
    if (part.script !== undefined) site.pending.push({ script: part.script, span, frame: site.frame })
    site.analysis.files.written.set(name, { text: null, decoded: false, from: [] })
    return name
  }
  const output = site.walker.substitute(part.script, site, span)
  site.analysis.files.written.set(name, { text: output.text, decoded: output.decoded, from: output.from })
  return name
}

/** The body of a here-document: expanded like a double-quoted string, unless its delimiter is quoted. */
export function expandBody(
  parts: readonly WordPart[] | undefined,
  text: string,
  at: { readonly site: ExecutionContext; readonly span: Span },
): Word {
  if (parts === undefined) return knownOrMarked(unescapeBody(text), at.span, text)
  const fields = new Fields(at.span, text)
  fields.start()
  for (const part of parts) addPart(part, { fields, site: at.site, quoted: true, ifs: '' })
  finished(fields, at.site)
  return fields.words[0] ?? knownWord('', at.span)
}

function unescapeBody(text: string): string {
  return text.includes('\\') ? text.replace(/\\([\\$`])/g, '$1').replaceAll('\\\n', '') : text
}
