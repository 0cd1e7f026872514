/** Words of a command as options and operands, by the options that its program is known to have. Pure. */

export interface Grammar {
  /** Options without a value, or with one behind `=`. */
  readonly flags: ReadonlySet<string>
  /** Options with a value: behind `=`, as the next word, or right behind the letter. */
  readonly values: ReadonlySet<string>
  /** As Go's `flag` reads them: `--x` is `-x`, and letters are not put together. */
  readonly go?: true
}

export interface Option {
  /** As the grammar writes it; null: an operand; `--`: all that follows is operands. */
  readonly name: string | null
  readonly words: readonly string[]
}

export function grammarOf(flags: string, values: string, go?: true): Grammar {
  const set = (names: string): ReadonlySet<string> => new Set(names.split(/\s+/).filter((name) => name !== ''))
  return { flags: set(flags), values: set(values), ...(go === undefined ? {} : { go }) }
}

/** Null where a word is no option that is known: then nothing is known of the words behind it either. */
export function optionsIn(args: readonly string[], grammar: Grammar): readonly Option[] | null {
  const found: Option[] = []
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? ''
    if (word === '--') return [...found, { name: '--', words: args.slice(at) }]
    if (!word.startsWith('-') || word === '-') {
      found.push({ name: null, words: [word] })
      continue
    }
    const read = optionAt(word, args[at + 1], grammar)
    if (read === null) return null
    found.push(...read)
    if (read.at(-1)?.words.length === 2) at += 1
  }
  return found
}

function optionAt(word: string, next: string | undefined, grammar: Grammar): readonly Option[] | null {
  const plain = grammar.go === true && word.startsWith('--') ? word.slice(1) : word
  const name = plain.split('=', 1)[0] ?? plain
  if (plain.length > name.length) return grammar.flags.has(name) || grammar.values.has(name) ? [{ name, words: [plain] }] : null
  if (grammar.flags.has(name)) return [{ name, words: [plain] }]
  if (grammar.values.has(name)) return next === undefined ? null : [{ name, words: [plain, next] }]
  return grammar.go === true || plain.startsWith('--') ? null : lettersOf(plain, next, grammar)
}

/** `-Rf a.yaml` is `-R -f a.yaml`, and `-nshop` is `-n shop`. */
function lettersOf(word: string, next: string | undefined, { flags, values }: Grammar): readonly Option[] | null {
  const found: Option[] = []
  for (let at = 1; at < word.length; at += 1) {
    const name = `-${word[at] ?? ''}`
    if (flags.has(name)) found.push({ name, words: [name] })
    else {
      const value = word.slice(at + 1) || next
      return values.has(name) && value !== undefined
        ? [...found, { name, words: word.slice(at + 1) === '' ? [name, value] : [`${name}${value}`] }]
        : null
    }
  }
  return found
}

export const wordsIn = (options: readonly Option[]): readonly string[] => options.flatMap(({ words }) => words)
