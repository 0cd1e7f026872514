import type { Word as SyntaxWord } from 'unbash'
import { type Span, target } from '../../effect.ts'
import type { Word } from '../../host.ts'
import { remoteSource, runUnknown, wordProvenance } from '../flow/flow.ts'
import { type ExecutionContext, emitAt, spanOf } from '../state/state.ts'

/**
 * Quoted text that the shell evaluates all the same: a variable's name such as `a[$(code)]`, and a value that arithmetic
 * meets. Its subscript is expanded once more, so what stands in it runs. Of unknown values those out of the network are asked about.
 */

/** How many variables one value is followed through. */
const MAX_NAMES = 32
const NAME = /[A-Za-z_]\w*/g

/** Runs what the subscript of a name would run: `printf -v`, `read`, `unset`, `test -v`, `declare`. */
export function runName(word: Word, site: ExecutionContext): void {
  // What a command printed is expanded once more as part of the name.
  if (/^\w+\[/.test(word.prefix) && !SUBSTITUTION.test(word.text ?? '') && SUBSTITUTION.test(word.raw ?? '')) hidden(site, word.span)
  if (word.text !== null) runSubscript(word.text, site, word.span)
}

const SUBSTITUTION = /\$\((?!\()|`/

/** Says that a command stands where only a name or a number is looked for. */
function hidden(site: ExecutionContext, span: Span): void {
  const reason = 'a command is hidden in the index of an array'
  emitAt(site, target('program', ''), { verb: 'execute', action: 'code:disguised', span, reason })
}

/** The subscript of an assignment, as it is written: one that does more than look something up hides what it does. */
export function runIndex(index: SyntaxWord, site: ExecutionContext): void {
  const { effects } = site.analysis
  const start = effects.length
  const span = spanOf(index, site.frame)
  const word = site.walker.word(index, site)
  const { text } = word
  if (text !== null && index.text.includes("'")) runTemplate(text, site, span)
  // The index of an array is arithmetic; that of a map is text.
  if (text === null) runFetched(word, site, span)
  else if (/^\w+$/.test(text)) runValue(text, site, span)
  if (effects.slice(start).some(({ verb, action }) => !LOOKING.has(verb) && action !== 'code:disguised')) hidden(site, span)
}

const LOOKING: ReadonlySet<string> = new Set(['read', 'opaque'])

/** Runs what arithmetic would run in this text, also through the variables that it names. */
export function runValue(text: string | null, site: ExecutionContext, span: Span): void {
  if (text === null) return
  const open = [text]
  const seen = new Set<string>()
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (!site.analysis.spend(2 * value.length, span)) return
    runSubscript(value, site, span)
    for (const [name] of value.matchAll(NAME)) {
      if (seen.has(name) || seen.size >= MAX_NAMES) continue
      seen.add(name)
      const word = site.scope.variables.get(name)?.word
      if (typeof word?.text === 'string') open.push(word.text)
      else if (word?.candidates !== undefined) open.push(...word.candidates)
      else if (word !== undefined) runFetched(word, site, span)
    }
  }
}

/** A value out of the network, of which nobody knows that it is a number: its subscripts run. */
export function runFetched(word: Word, site: ExecutionContext, span: Span): void {
  if (word.text === null && remoteSource(word.from ?? [], site.analysis) !== null)
    runUnknown(site, wordProvenance([word]), { language: 'shell', span, by: '$((…))' })
}

function runSubscript(text: string, site: ExecutionContext, span: Span): void {
  const at = text.indexOf('[')
  if (at < 0) return
  if (SUBSTITUTION.test(text.slice(at))) hidden(site, span)
  runTemplate(text.slice(at), site, span)
}

/** Text that is expanded once more, as a here-document is: substitutions run, quotes are nothing special. */
export function runTemplate(text: string, site: ExecutionContext, span: Span): void {
  if (!/\$\(|\$\{|`/.test(text)) return
  let end = 'END'
  while (text.includes(end)) end += '_'
  const scope = site.scope.clone()
  scope.depth++
  site.walker.text(`: <<${end}\n${text}\n${end}`, { ...site, scope, frame: { pointer: span.pointer, fixed: span } })
}
