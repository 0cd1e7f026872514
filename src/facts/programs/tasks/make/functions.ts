/** Functions of make that only work on text. A part that is not known stands in it as one character that no pattern matches. */

type TextFunction = (args: readonly string[]) => string

export const wordsOf = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '')

const each =
  (change: (word: string) => string): TextFunction =>
  ([text = '']) =>
    wordsOf(text).map(change).join(' ')

/** The part of a word that `%` stands for; null where the pattern does not fit. */
export function stemOf(pattern: string, word: string): string | null {
  const at = pattern.indexOf('%')
  if (at < 0) return pattern === word ? '' : null
  const [start, end] = [pattern.slice(0, at), pattern.slice(at + 1)]
  const fits = word.length >= start.length + end.length && word.startsWith(start) && word.endsWith(end)
  return fits ? word.slice(start.length, word.length - end.length) : null
}

export function patternReplaced(pattern: string, replacement: string, text: string): string {
  return wordsOf(text)
    .map((word) => {
      const stem = stemOf(pattern, word)
      return stem === null ? word : pattern.includes('%') ? replacement.replace('%', () => stem) : replacement
    })
    .join(' ')
}

/** `$(NAME:a=b)`: endings, or a pattern. */
export function endingReplaced(from: string, to: string, text: string): string {
  return from.includes('%') ? patternReplaced(from, to, text) : patternReplaced(`%${from}`, `%${to}`, text)
}

const filtered =
  (keeps: boolean): TextFunction =>
  ([patterns = '', text = '']) => {
    const all = wordsOf(patterns)
    return wordsOf(text)
      .filter((word) => all.some((pattern) => stemOf(pattern, word) !== null) === keeps)
      .join(' ')
  }

const directory = (word: string): string => (word.includes('/') ? word.slice(0, word.lastIndexOf('/') + 1) : './')
const name = (word: string): string => word.slice(word.lastIndexOf('/') + 1)

function suffix(word: string): string {
  const at = word.lastIndexOf('.')
  return at > word.lastIndexOf('/') ? word.slice(at) : ''
}

function joined([first = '', second = '']: readonly string[]): string {
  const [left, right] = [wordsOf(first), wordsOf(second)]
  return Array.from({ length: Math.max(left.length, right.length) }, (_, at) => (left[at] ?? '') + (right[at] ?? '')).join(' ')
}

const nothing: TextFunction = () => ''
const number = (text: string | undefined): number => Math.min(100_000, Number(/^\s*(\d{1,6})\s*$/.exec(text ?? '')?.[1] ?? 0))

export const TEXT_FUNCTIONS: ReadonlyMap<string, TextFunction> = new Map<string, TextFunction>([
  ['subst', ([from = '', to = '', text = '']) => (from === '' ? text : text.replaceAll(from, () => to))],
  ['patsubst', ([pattern = '', to = '', text = '']) => patternReplaced(pattern.trim(), to, text)],
  ['strip', ([text = '']) => wordsOf(text).join(' ')],
  ['findstring', ([find = '', text = '']) => (text.includes(find) ? find : '')],
  ['filter', filtered(true)],
  ['filter-out', filtered(false)],
  ['sort', ([text = '']) => [...new Set(wordsOf(text))].sort().join(' ')],
  ['word', ([at, text = '']) => wordsOf(text)[number(at) - 1] ?? ''],
  [
    'wordlist',
    ([from, to, text = '']) =>
      wordsOf(text)
        .slice(Math.max(0, number(from) - 1), number(to))
        .join(' '),
  ],
  ['words', ([text = '']) => String(wordsOf(text).length)],
  ['firstword', ([text = '']) => wordsOf(text)[0] ?? ''],
  ['lastword', ([text = '']) => wordsOf(text).at(-1) ?? ''],
  ['dir', each(directory)],
  ['notdir', each(name)],
  [
    'suffix',
    ([text = '']) =>
      wordsOf(text)
        .map(suffix)
        .filter((found) => found !== '')
        .join(' '),
  ],
  ['basename', each((word) => word.slice(0, word.length - suffix(word).length))],
  [
    'addsuffix',
    ([end = '', text = '']) =>
      wordsOf(text)
        .map((word) => word + end)
        .join(' '),
  ],
  [
    'addprefix',
    ([start = '', text = '']) =>
      wordsOf(text)
        .map((word) => start + word)
        .join(' '),
  ],
  ['join', joined],
  // The shell finds the same files.
  ['wildcard', ([text = '']) => wordsOf(text).join(' ')],
  ['realpath', ([text = '']) => wordsOf(text).join(' ')],
  ['abspath', ([text = '']) => wordsOf(text).join(' ')],
  ['origin', () => 'file'],
  ['flavor', () => 'recursive'],
  ['info', nothing],
  ['warning', nothing],
  ['error', nothing],
])
