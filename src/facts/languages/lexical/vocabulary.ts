import type { Shape } from './lex.ts'
/** How the tables of words are written. */

export type WordLanguage = 'r' | 'julia' | 'elixir' | 'erlang' | 'tcl' | 'octave' | 'lisp' | 'haskell' | 'jvm' | 'swift' | 'raku'

/** What a call does to the argument at `at`, counted among those without a name or with one of `keys`. */
export interface Act {
  readonly how:
    | 'shell'
    | 'command'
    | 'read'
    | 'write'
    | 'delete'
    | 'move'
    | 'fetch'
    | 'send'
    | 'package'
    | 'environment'
    /** The rest of the statement is a command line. */
    | 'statement'
    /** Runs text, loads code, or does what no other act says. */
    | 'opaque'
  readonly at?: number
  readonly keys?: readonly string[]
  readonly tree?: true
}

export interface Knowledge {
  /** Its name, for people. */
  readonly title: string
  readonly shape: Shape
  /** Names that only compute, print or hold data; keywords among them. */
  readonly harmless: ReadonlySet<string>
  readonly acts: ReadonlyMap<string, Act>
  /** Harmless functions that call what they are handed, by name too. */
  readonly higher: ReadonlySet<string>
  /** Functions that make texts. */
  readonly builders: ReadonlySet<string>
  /** Signs that give a name a value. */
  readonly assigns: readonly string[]
  /** A name that is not known makes the code opaque even where it is not called. */
  readonly strict?: true
  /** `f(x) = …` defines a function. */
  readonly equations?: true
  /** Calls need no brackets. */
  readonly bare?: true
  /** `key: value`. */
  readonly keys?: true
  /** `'module':function` names a module by a text. */
  readonly colons?: true
  /** `\(x)` begins a function. */
  readonly lambda?: true
  /** `$name` is a variable; what stands at the beginning of a statement is run. */
  readonly variables?: true
  /** Signs before the name of a part of a value. */
  readonly members?: readonly string[]
  /** What may stand before a name and says where it is from. */
  readonly namespace?: RegExp
  /** `local.name` is a part of a value where it is not called. */
  readonly fields?: true
  /** `local(…)` takes an item of a value. */
  readonly indexes?: true
  /** Lines that are for the interpreter and no code. */
  readonly commands?: RegExp
  /** Names that are values of their own. */
  readonly atoms?: RegExp
}

export function words(...lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(' ')))
}

/** Several names for the same act. */
export function acting(how: Act['how'], names: string, more: Omit<Act, 'how'> = {}): readonly (readonly [string, Act])[] {
  return names.split(' ').map((name) => [name, { how, ...more }])
}

export const NONE: ReadonlySet<string> = new Set()
