import type { Json } from '../../../core/json.ts'
import type { Effect } from '../../effect.ts'
import type { CommandContext, Input, Invocation, Word } from '../../host.ts'
import { readPath, wordOf } from '../../resources/acts.ts'
import { textOf } from '../../resources/file-text.ts'
import { withoutTrailing } from '../../resources/text/trim.ts'
import { changedWord, knownWord } from '../../resources/text/word.ts'

/** Names of files that a program is not given as words: they come from a pipe, or stand in a file. */

/** Most names that are told one by one; the rest is one that is not known. */
export const MOST = 32

/** Programs whose lines are names below what they were given. */
const LISTING: ReadonlySet<string> = new Set(['find', 'fd', 'fdfind', 'gfind', 'locate', 'plocate', 'mlocate', 'mdfind'])
const FILTERS: ReadonlySet<string> = new Set(['grep', 'egrep', 'fgrep', 'rg', 'head', 'tail', 'sort', 'uniq', 'tac', 'shuf', 'cat'])

/** What arrives on standard input, as words: known ones, or one that stands for all. */
export function arriving(
  { input, span }: Pick<Invocation, 'input' | 'span'>,
  separator: string | RegExp,
  context: Pick<CommandContext, 'names'> = NOBODY,
): readonly Word[] {
  if (input.kind === 'text' && input.text !== null) {
    const decoded = input.decoded === true ? { decoded: true } : {}
    return told(input.text.split(separator), { ...knownWord('', span), ...decoded })
  }
  const from = input.kind === 'pipe' || input.kind === 'file' ? (input.from ?? []) : []
  const names = context.names(input)
  if (names !== null) return told(names, { ...knownWord('', span), from })
  const unknown: Word = { text: null, prefix: '', glob: false, dynamic: true, span, from }
  return input.kind === 'pipe' ? listed(input, unknown) : [unknown]
}

/** Nobody reads files. */
const NOBODY = { names: () => null }

/** Names one by one, like a word: past the most of them, one that is not known. */
function told(names: readonly string[], like: Word): readonly Word[] {
  const items = names.filter((item) => item !== '')
  const words = items.slice(0, MOST).map((item): Word => ({ ...like, text: item, prefix: item }))
  return items.length > MOST ? [...words, { ...like, text: null, dynamic: true }] : words
}

/** The names that `ls` or `find` prints, whatever filters stand behind it. */
function listed(input: Extract<Input, { kind: 'pipe' }>, unknown: Word): readonly Word[] {
  const { span } = unknown
  const [first, ...others] = input.producers
  const filtered = others.every((name) => FILTERS.has(name))
  if (first === 'ls' && filtered && input.from.length > 0 && input.from.every(showsPattern))
    return input.from.slice(0, MOST).map(({ target }) => shown(target.value, unknown))
  const reads = input.from.filter((item) => item.verb === 'read' && item.target.kind === 'path')
  const [only] = reads
  const names = first !== undefined && LISTING.has(first) && filtered
  if (!names || only === undefined || reads.length > 1) return [unknown]
  const root = only.target.value
  return [
    others.length === 0 && only.attributes.everything === true
      ? everything(knownWord(root, span))
      : found(root, span, namedIn(only.attributes.named)),
  ]
}

const WILD = /[*?[]/

/** `ls *.ts` tells names that match; a filter that reads a file of its own tells what is in it. */
function showsPattern({ verb, action, target }: Effect): boolean {
  return verb === 'read' && action === 'fs:list' && WILD.test(target.value)
}

/** A name that `ls` shows for a pattern: it stands below the directory that the pattern has. */
function shown(pattern: string, unknown: Word): Word {
  const directory = pattern.slice(0, pattern.lastIndexOf('/', pattern.search(WILD)) + 1)
  return { ...unknown, prefix: directory, glob: true, dynamic: false, raw: `${directory}…` }
}

/** The patterns that whoever listed the names told of them. */
function namedIn(named: Json | undefined): readonly string[] {
  return Array.isArray(named) ? named.filter((item) => typeof item === 'string') : []
}

/** All that lies below a known directory. */
export function everything(root: Word): Word {
  return { ...wordOf(`${withoutTrailing(root.text ?? root.prefix, '/')}/*`, root), glob: true }
}

/** A name somewhere below a directory: nobody chose it, but it lies there. */
export function found(root: string, span: Word['span'], named: readonly string[] = []): Word {
  const prefix = root.endsWith('/') ? root : `${root}/`
  const word: Word = { text: null, prefix, glob: true, dynamic: false, span, raw: `${prefix}…` }
  return named.length === 0 ? word : { ...word, named }
}

/** Most bytes of a file with names. */
const LONGEST = 65_536

export interface Listed {
  /** The file that names stand in; null or `-`: they arrive on standard input. */
  readonly from?: Word | null
  /** The directory that they lie below, whatever they begin with. */
  readonly below?: Word | null
}

/** Reads what a list names, and gives the names. */
export function readListed(context: CommandContext, invocation: Invocation, { from = null, below = null }: Listed = {}): readonly Word[] {
  const names = from === null || from.text === '-' ? arriving(invocation, SEPARATOR, context) : standing(context, from)
  const words = below === null ? names : names.map((name) => joined(below, name))
  for (const word of words) readPath(context, word)
  return words
}

const SEPARATOR = /[\n\0]/

function joined(below: Word, name: Word): Word {
  const root = below.text === '/' ? '' : withoutTrailing(below.prefix, '/')
  if (below.text === null) return { ...name, text: null, prefix: below.prefix, dynamic: true }
  return changedWord(name, (text) => (text.startsWith('/') ? `${root}${text}` : `${root}/${text}`))
}

function standing(context: CommandContext, from: Word): readonly Word[] {
  readPath(context, from)
  const text = textOf(from, context, LONGEST)
  if (text === null) return [{ ...knownWord('', from.span), text: null, dynamic: true }]
  return told(text.split(SEPARATOR), knownWord('', from.span))
}
