/**
 * Patterns on commands, matched word by word against the parsed command: `git push *` finds `cd x && git -C y push` as well.
 * Words of options (`-f`, `--force`) may stand anywhere; `*` as the last word is any rest, inside of a word any characters.
 */
import type { CommandFact } from '../facts/facts.ts'
import { matches } from '../grants/grant.ts'
import { made } from './keep/recipes.ts'

export interface CommandPattern {
  readonly text: string
  /** True where the command may be what is meant: a word that is not known may be any word. For denials. */
  readonly mayMatch: (command: CommandFact) => boolean
  /** True where the command surely is what is meant: nothing unknown, no option besides those named unless it ends in `*`. */
  readonly surelyMatches: (command: CommandFact) => boolean
}

const MAX_WORDS = 64

/** @throws {SyntaxError} for an empty pattern or one of more than 64 words. */
export function compileCommandPattern(text: string): CommandPattern {
  const { plain, options, open } = parsePattern(text)
  const compiled: CommandPattern = {
    text,
    mayMatch: (command) => {
      const { names, given } = shapeOf(command)
      return wordsMatch(plain, names, { open, unknown: true }) && options.every((option) => given.some((word) => has(word, option, true)))
    },
    surelyMatches: (command) => {
      const { names, given } = shapeOf(command)
      if (!wordsMatch(plain, names, { open, unknown: false })) return false
      if (!options.every((option) => given.some((word) => has(word, option, false)))) return false
      return open || given.every((word) => word !== null && (!isOption(word) || options.some((option) => has(word, option, false))))
    },
  }
  return made(compiled, 'command-pattern', text)
}

interface Parsed {
  readonly plain: readonly string[]
  readonly options: readonly string[]
  /** True where any rest may follow. */
  readonly open: boolean
}

function parsePattern(text: string): Parsed {
  // Claude Code writes `git push:*` for what stands here as `git push *`.
  const words = text
    .replace(/:\*$/, ' *')
    .split(' ')
    .filter((word) => word !== '')
  if (words.length === 0) throw new SyntaxError('the pattern is empty')
  if (words.length > MAX_WORDS) throw new SyntaxError(`the pattern has more than ${MAX_WORDS} words`)
  const open = words.at(-1) === '*'
  const body = open ? words.slice(0, -1) : words
  return { plain: body.filter((word) => !isOption(word)), options: body.filter(isOption), open }
}

/** True where every command that `narrow` stands for is one that `wide` stands for; false where that cannot be told. */
export function coversCommand(wide: string, narrow: string): boolean {
  const [outer, inner] = [parsePattern(wide), parsePattern(narrow)]
  if (!outer.options.every((option) => inner.options.includes(option))) return false
  if (!outer.open && (inner.open || outer.plain.length !== inner.plain.length)) return false
  // A star of the narrow pattern stands as a character that only a star of the wide one matches.
  const names = inner.plain.map((word) => word.replaceAll('*', '\u{10ffff}'))
  return wordsMatch(outer.plain, names, { open: outer.open, unknown: false })
}

interface Shape {
  /** Program, subcommands, operands. */
  readonly names: readonly (string | null)[]
  /** Every word after the program. */
  readonly given: readonly (string | null)[]
}

/** Where no table read the command, its options cannot be told from their values, so every word counts. */
function shapeOf({ program, argv, read }: CommandFact): Shape {
  const given = argv.slice(1)
  const names = read === undefined ? given.filter((word) => word === null || !isOption(word)) : [...read.path, ...read.operands]
  return { names: [program, ...names], given }
}

interface Reading {
  readonly open: boolean
  /** What a word that is not known counts as. */
  readonly unknown: boolean
}

function wordsMatch(pattern: readonly string[], names: readonly (string | null)[], { open, unknown }: Reading): boolean {
  if (pattern.length > names.length || (!open && pattern.length < names.length)) return false
  return pattern.every((word, index) => {
    const name = names[index]
    return name == null ? unknown : matches(word, name)
  })
}

/** `--force` is in `--force=x`, and `-f` is in `-rf`. */
function has(word: string | null, option: string, unknown: boolean): boolean {
  if (word === null) return unknown
  if (matches(option, word) || word.startsWith(`${option}=`)) return true
  return /^-[A-Za-z]$/.test(option) && /^-[A-Za-z]+$/.test(word) && word.includes(option.charAt(1))
}

function isOption(word: string): boolean {
  return word.startsWith('-') && word !== '-'
}
