import type { Function as FunctionNode } from 'unbash'
import type { JsonObject } from '../../core/json.ts'
import type { Certainty, Effect, Span } from '../effect.ts'
import type { Input, Word } from './spec.ts'

/** The state of one shell: variables, functions, aliases, descriptors, directories, and how its loops and functions are left. */

/** A variable: its word, and its elements where it is an array. */
export interface Variable {
  readonly word: Word
  readonly elements: readonly Word[] | null
  /** Its elements were given with their indexes: which one has which is not looked at. */
  readonly keyed?: true
  /** The script took it away: `${x-default}` gives the default. */
  readonly unset?: true
  /** What it is given is arithmetic. */
  readonly integer?: true
  /** Letters of what it is given become these. */
  readonly folds?: 'lower' | 'upper'
  /** Programs that are started have it, too. */
  readonly exported?: true
  /** Another name for this variable: what it is given, that one is given. Null: for one that is not known. */
  readonly refers?: string | null
}

export interface ShellFunction {
  readonly node: FunctionNode
  readonly frame: Frame
  readonly exported?: true
  /** What the name stands for on other ways to here; null: it may be no function at all. */
  readonly or?: readonly (ShellFunction | null)[]
}

/** How node positions become spans of the call: directly, or as one fixed span for text that was made up on the way. */
export interface Frame {
  readonly pointer: string
  readonly fixed: Span | null
  /** Length of the text that positions are in; a parser that looks for a missing end may point past it. */
  readonly length?: number
}

const NO_NAMES: ReadonlyMap<string, never> = new Map<string, never>()
const NO_NUMBERS: ReadonlyMap<number, never> = new Map<number, never>()

/** A map with one entry more, or less where the value is null. */
export function changed<K, V>(map: ReadonlyMap<K, V>, key: K, value: V | null): ReadonlyMap<K, V> {
  if (value === null && !map.has(key)) return map
  const copy = new Map(map)
  if (value === null) copy.delete(key)
  else copy.set(key, value)
  return copy
}

/** The state of one shell process. A subshell works on a copy. */
export class Scope {
  // The maps are shared between copies and never changed: who sets something makes a map of its own.
  variables: ReadonlyMap<string, Variable> = NO_NAMES
  functions: ReadonlyMap<string, ShellFunction> = NO_NAMES
  aliases: ReadonlyMap<string, string> = NO_NAMES
  /** Descriptors that lead to the network or to a file, by number. */
  descriptors: ReadonlyMap<number, readonly Effect[]> = NO_NUMBERS
  /** What `exec < …` made of standard input, for the commands that would have had `over`. */
  opened: { readonly over: Input; readonly input: Input } | null = null
  /** The variables, where no other copy holds them: they may be changed in place. */
  private own: Map<string, Variable> | null = null
  cwd: string | null
  /** Other directories that it may be in instead; null where there are none. */
  also: readonly string[] | null = null
  /** `$0`, `$1` …; null where not known. */
  positional: readonly Word[] | null = null
  certainty: Certainty = 'certain'
  wrappers: readonly string[] = []
  /** Functions that are being called, with `&` where a copy of the shell calls the next one. */
  calls: readonly string[] = []
  attributes: JsonObject | null = null
  remote = false
  /** Inside a loop: an input is read more than once. */
  looping = false
  /** Directories below the current one on the stack of `pushd`; null where it is not known. */
  stack: readonly (string | null)[] | null = []
  /** Whatever is set from now on is exported: `set -a`. */
  exporting = false
  /** The last command of a pipeline runs in this very shell; null where only some ways to here said so. */
  lastpipe: boolean | null = false
  /** Patterns match names in either case. */
  nocaseglob = false
  /** States in which `break` and `continue` left the loops around, the innermost first; each copy adds to the same lists. */
  loops: readonly Scope[][] = []
  /** States in which `return` left the function or the sourced script. */
  returns: Scope[] | null = null
  /** What the local variables of the function were outside of it. */
  locals: Map<string, Variable | undefined> | null = null
  /** Every value that variables were given since a trap was set, which may run at any time. */
  given: Map<string, Set<string | null>> | null = null
  depth = 0

  constructor(cwd: string | null) {
    this.cwd = cwd
  }

  /** A copy for a subshell or a branch. */
  clone(): Scope {
    const copy = new Scope(this.cwd)
    this.own = null
    copy.variables = this.variables
    copy.functions = this.functions
    copy.aliases = this.aliases
    copy.descriptors = this.descriptors
    copy.also = this.also
    copy.opened = this.opened
    copy.positional = this.positional
    copy.certainty = this.certainty
    copy.wrappers = this.wrappers
    copy.calls = this.calls
    copy.attributes = this.attributes
    copy.remote = this.remote
    copy.looping = this.looping
    copy.depth = this.depth
    copy.stack = this.stack
    copy.exporting = this.exporting
    copy.lastpipe = this.lastpipe
    copy.nocaseglob = this.nocaseglob
    copy.loops = this.loops
    copy.returns = this.returns
    copy.locals = this.locals
    copy.given = this.given
    return copy
  }

  set(name: string, value: Variable): void {
    const refers = value.refers === undefined ? this.variables.get(name)?.refers : undefined
    if (refers !== undefined) this.setThrough(name, refers, value)
    else this.give(name, value)
  }

  private give(name: string, value: Variable): void {
    if (this.given !== null) {
      const values = this.given.get(name) ?? new Set()
      this.given.set(name, values.add(value.word.text))
    }
    const exported = this.exporting || this.variables.get(name)?.exported === true
    this.mine().set(name, exported && value.exported !== true ? { ...value, exported: true } : value)
  }

  /** Names that refer to each other in a circle, or to nobody knows what, may have set any variable. */
  private setThrough(name: string, refers: string | null, value: Variable): void {
    const seen = new Set([name])
    let last = refers
    for (let next = refers; next !== null; next = this.variables.get(next)?.refers ?? null) {
      last = seen.has(next) ? null : next
      if (last === null) break
      seen.add(next)
    }
    const { span } = value.word
    if (last !== null && this.variables.get(last)?.refers !== null) this.give(last, value)
    else
      for (const [each, { refers: reference }] of this.variables)
        if (reference === undefined) this.set(each, { word: { text: null, prefix: '', glob: false, dynamic: true, span }, elements: null })
  }

  /** Sets the variable to what it was, which may be nothing at all. */
  restore(name: string, value: Variable | undefined): void {
    this.mine().delete(name)
    if (value !== undefined) this.set(name, value)
  }

  /**
   * The state of a shell that is started: it has what is exported. Of the rest it is not known whether something of that name
   * was exported before.
   */
  started(inherits: (name: string) => boolean): Scope {
    const copy = this.clone()
    const variables = [...this.variables].map(([name, value]): [string, Variable] => {
      const { word, exported } = value
      const has = !this.remote && (exported === true || inherits(name))
      return [name, has ? value : { word: { text: null, prefix: '', glob: false, dynamic: word.dynamic, span: word.span }, elements: null }]
    })
    copy.variables = new Map(variables)
    copy.functions = new Map([...this.functions].filter(([, { exported }]) => exported === true && !this.remote))
    copy.aliases = NO_NAMES
    if (copy.functions.size === 0) copy.calls = []
    copy.opened = null
    copy.loops = []
    copy.returns = null
    copy.locals = null
    copy.lastpipe = false
    copy.nocaseglob = false
    copy.exporting = false
    return copy
  }

  /** The variables as a map of its own. */
  private mine(): Map<string, Variable> {
    if (this.own === null || this.own !== this.variables) {
      this.own = new Map(this.variables)
      this.variables = this.own
    }
    return this.own
  }
}

export function setVariable(scope: Scope, name: string, value: Variable): void {
  scope.set(name, value)
}
