import type { Assignment, Word as SyntaxWord } from 'unbash'
import type { Span } from '../../effect.ts'
import type { Word } from '../../host.ts'
import { changedWord, knownWord, unknownWord } from '../../resources/text/word.ts'
import { anyOf, isCounted } from '../expand/array.ts'
import { expandSingle, expandWords } from '../expand/expand.ts'
import { runIndex, runValue } from '../expand/subscript.ts'
import { merged } from '../state/origins.ts'
import { changed, type ExecutionContext, opaqueAt, setVariable, spanOf, type Variable } from '../state/state.ts'
import type { Declared } from './builtin.ts'
import { setEnvironment } from './environment.ts'

/** Assignments, as statements, before a command, and as arguments of `export` and its kin. */

/** `[k]=` in front of an element. */
const KEY = /^\[[^\]]*\]\+?=/

/** Expands an assignment; `x+=y` and `x[i]=y` are joined with what is known of `x`. */
export function expandAssignment(node: Assignment, site: ExecutionContext): Declared {
  const { name, value } = node
  if (node.index !== undefined) runIndex(node.index, site)
  const before = site.scope.variables.get(name)
  const span = spanOf(node, site.frame)
  if (value.type === 'ArrayValue') return expandArray(value.elements, site, { name, span, append: node.append === true, before })
  const word = expandSingle(value, site)
  if (node.index !== undefined) {
    if (name === 'BASH_ALIASES') nameAlias(site.walker.word(node.index, site).text, word, site)
    return { name, word: unknownWord(span, word.from, word.dynamic), elements: null }
  }
  if (node.append !== true) return { name, word, elements: null }
  const old = before?.word ?? unknownWord(span)
  if (old.text === null || word.text === null) return { name, word: unknownWord(span, merged(old.from, word.from), true), elements: null }
  return { name, word: { ...word, text: old.text + word.text, prefix: old.text + word.prefix }, elements: null }
}

interface ArrayPlace {
  readonly name: string
  readonly span: Span
  readonly append: boolean
  readonly before: Variable | undefined
}

/** `x=(a b)`, `x+=(c)`, `x=([k]=v)`. */
function expandArray(words: readonly SyntaxWord[], site: ExecutionContext, { name, span, append, before }: ArrayPlace): Declared {
  const expanded = expandWords(words, site)
  const ordered = append ? null : inOrder(expanded)
  const kept = append && (before?.keyed === true || before?.sparse === true)
  const added = ordered ?? expanded.map(withoutKey)
  const old = before === undefined || before.unset === true ? [] : (before.elements ?? [before.word])
  const elements = append ? [...old, ...added] : added
  if (!kept && !words.some(({ text }) => KEY.test(text))) return { name, word: elements[0] ?? knownWord('', span), elements }
  const shape = ordered === null ? { keyed: true as const } : { sparse: true as const }
  return { name, word: anyOf(elements, span), elements, ...shape }
}

/** Elements in the order of their indexes; null where these are no plain numbers, or where one word may be several. */
function inOrder(words: readonly Word[]): readonly Word[] | null {
  if (!isCounted(words)) return null
  const placed = new Map<number, Word>()
  let next = 0
  for (const word of words) {
    const key = KEY.exec(word.prefix)?.[0]
    const index = key === undefined ? next : Number(/^\[(\d{1,6})\]=$/.exec(key)?.[1] ?? Number.NaN)
    if (Number.isNaN(index)) return null
    placed.set(index, withoutKey(word))
    next = index + 1
  }
  return [...placed].sort(([a], [b]) => a - b).map(([, word]) => word)
}

function withoutKey(word: Word): Word {
  const key = KEY.exec(word.prefix)?.[0] ?? ''
  if (key === '') return word
  const prefix = word.prefix.slice(key.length)
  return { ...word, text: word.text?.slice(key.length) ?? null, prefix, glob: false }
}

/** `BASH_ALIASES[name]=body` is `alias name=body`. */
function nameAlias(name: string | null, { text, span }: Word, site: ExecutionContext): void {
  if (name === null || text === null) opaqueAt(site, 'an alias is not known before it runs', span)
  else {
    site.analysis.takesOver(name)
    site.scope.aliases = changed(site.scope.aliases, name, text)
  }
}

/** `name=value` among plain words (quoted as a whole, or out of an expansion). */
export function declaring(args: readonly Word[]): readonly Declared[] {
  return args.flatMap((arg) => {
    const known = arg.text ?? arg.prefix
    const at = known.indexOf('=')
    const name = at < 1 ? '' : known.slice(0, at)
    if (!/^[A-Za-z_][\w.:-]*$/.test(name)) return []
    const text = arg.text === null ? null : arg.text.slice(at + 1)
    return [{ name, word: { ...arg, text, prefix: arg.prefix.slice(at + 1) }, elements: null }]
  })
}

/** Sets the variable, and says what that means for commands that follow. */
export function assignWord(
  item: Declared,
  at: { readonly site: ExecutionContext; readonly exported: boolean; readonly refers?: string | null },
): void {
  const refers = at.refers === undefined ? {} : { refers: at.refers }
  const { integer, folds } = at.site.scope.variables.get(item.name) ?? {}
  const word = folds === undefined ? item.word : folded(item.word, folds)
  if (integer === true) runValue(item.word.text, at.site, item.word.span)
  setVariable(at.site.scope, item.name, {
    word,
    elements: item.elements,
    ...(item.keyed === true ? { keyed: true } : {}),
    ...(item.sparse === true ? { sparse: true } : {}),
    ...(integer === true ? { integer } : {}),
    ...(folds === undefined ? {} : { folds }),
    ...refers,
  })
  if (at.exported) setEnvironment(item.name, word, { site: at.site, span: item.word.span })
}

function folded(word: Word, folds: 'lower' | 'upper' | 'either'): Word {
  if (folds === 'either') return unknownWord(word.span, word.from, true)
  return changedWord(word, (text) => (folds === 'lower' ? text.toLowerCase() : text.toUpperCase()))
}

/** `NAME=value` words before a program (`sudo X=1 make`). */
export function splitEnvironment(words: readonly Word[]): readonly [readonly Declared[], readonly Word[]] {
  const end = words.findIndex((word) => !/^[A-Za-z_]\w*(?:%%)?=/.test(word.prefix))
  if (end === 0) return [[], words]
  return [declaring(words.slice(0, end < 0 ? undefined : end)), end < 0 ? [] : words.slice(end)]
}
