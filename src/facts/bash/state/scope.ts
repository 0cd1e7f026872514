import type { JsonObject } from '../../../core/json.ts'
import type { Certainty, Effect, Span } from '../../effect.ts'
import type { Input, Word } from '../../host.ts'
import type { Given, Locals, ShellFunction, Turn, Variable } from './values.ts'

export type { Arrival, Frame, Locals, Place, Presence, ShellFunction, Turn, Variable } from './values.ts'

/** The state of one shell: variables, functions, aliases, descriptors, directories, and how its loops and functions are left. */

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
  /**
   * How surely a client of a service runs in `cwd`: `given` where a wrapper was told so, `unknown` in one of several places, in another
   * language, and below a wrapper that may run it elsewhere.
   */
  whereabouts: 'known' | 'given' | 'unknown' = 'known'
  /** Where the command at hand was told to work (`git -C`); null: nobody knows where. Absent: where it runs. */
  worksIn: string | null | undefined = undefined
  /** What the last command did to the place, as long as nobody has asked how it ended; see `settle`. */
  turn: Turn | null = null
  /** `cd` goes where links lead: `set -P`. */
  physical = false
  /** How many of the moves of the call it has followed. */
  moves = 0
  /** A command that fails ends the shell: `set -e`. */
  errexit = false
  /** Somebody looks how it ends: then `errexit` ends nothing. */
  tested = false
  /** `$0`, `$1` …; null where not known. */
  positional: readonly Word[] | null = null
  certainty: Certainty = 'certain'
  wrappers: readonly string[] = []
  /** Functions that are being called, with `&` where a copy of the shell calls the next one. */
  calls: readonly string[] = []
  attributes: JsonObject | null = null
  /** The file of the project that what is walked stands in; see flow/project.ts. Null: the call's own, or anybody's. */
  project: string | null = null
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
  /** Patterns that match nothing are no words. */
  nullglob = false
  /** States in which `break` and `continue` left the loops around, the innermost first; each copy adds to the same lists. */
  loops: readonly Scope[][] = []
  /** States in which `return` left the function or the sourced script. */
  returns: Scope[] | null = null
  locals: Locals | null = null
  /** Null until a trap is set. */
  given: Given | null = null
  /** Variables of names that are not known were set. */
  scattered = false
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
    copy.whereabouts = this.whereabouts
    copy.worksIn = this.worksIn
    copy.turn = this.turn
    copy.moves = this.moves
    copy.physical = this.physical
    copy.errexit = this.errexit
    copy.tested = this.tested
    copy.opened = this.opened
    copy.positional = this.positional
    copy.certainty = this.certainty
    copy.wrappers = this.wrappers
    copy.calls = this.calls
    copy.attributes = this.attributes
    copy.project = this.project
    copy.remote = this.remote
    copy.looping = this.looping
    copy.depth = this.depth
    copy.stack = this.stack
    copy.exporting = this.exporting
    copy.lastpipe = this.lastpipe
    copy.nocaseglob = this.nocaseglob
    copy.nullglob = this.nullglob
    copy.scattered = this.scattered
    copy.loops = this.loops
    copy.returns = this.returns
    copy.locals = this.locals
    copy.given = this.given
    return copy
  }

  set(name: string, value: Variable): void {
    const refers = value.refers === undefined ? this.variables.get(name)?.refers : undefined
    if (refers === '') this.give(name, { ...value, refers: nameIn(value.word) })
    else if (refers !== undefined) this.setThrough(name, refers, value)
    else this.give(name, value)
  }

  private give(name: string, value: Variable): void {
    const before = this.variables.get(name)
    if (before?.fixed === 'always') return
    if (this.given !== null) {
      const values = this.given.values.get(name) ?? new Set()
      this.given.values.set(name, values.add(value.word.text))
    }
    const exported = this.exporting || before?.exported === true
    const kept =
      before?.fixed === 'perhaps' ? { ...value, word: either(before.word, value.word), elements: null, fixed: before.fixed } : value
    this.mine().set(name, exported && kept.exported !== true ? { ...kept, exported: true } : kept)
  }

  /** From now on the variable is read only. */
  fix(name: string, span: Span): void {
    const before = this.variables.get(name) ?? {
      word: { text: '', prefix: '', glob: false, dynamic: false, span },
      elements: null,
      unset: true,
    }
    this.mine().set(name, { ...before, fixed: 'always' })
  }

  /** Something of which only the beginning of the name is known was set: each variable of such a name may be it. */
  scatter(prefix: string, span: Span): void {
    this.scattered = true
    for (const [name, { word, refers }] of this.variables) {
      if (!name.startsWith(prefix) || refers !== undefined) continue
      const unknown: Word = { text: null, prefix: '', glob: false, dynamic: true, span }
      this.set(name, { word: either(word, unknown), elements: null })
    }
  }

  /** Makes the name stand for another variable, whatever it stood for before. */
  refer(name: string, word: Word): void {
    const unknown: Word = { text: null, prefix: '', glob: false, dynamic: true, span: word.span }
    this.mine().set(name, { word: unknown, elements: null, refers: nameIn(word) })
  }

  /** Defines a function, or takes it away; one that is read only stays. */
  define(name: string, value: ShellFunction | null): void {
    const before = this.functions.get(name)
    const stays = before?.fixed === true || before?.or?.some((way) => way?.fixed === true) === true
    if (stays && before?.or === undefined) return
    if (value !== null && this.given !== null) {
      const ways = this.given.functions.get(name) ?? new Set()
      this.given.functions.set(name, ways.add(value))
    }
    this.functions = changed(this.functions, name, stays && before !== undefined ? { ...(value ?? before), or: [before] } : value)
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
      // Names for others, and what is said of a variable beside its value, are not handed on.
      if (has && value.refers === undefined)
        return [name, (value.fixed ?? value.folds ?? value.integer) ? { word, elements: value.elements, exported: true } : value]
      return [name, { word: { text: null, prefix: '', glob: false, dynamic: word.dynamic, span: word.span }, elements: null }]
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
    copy.nullglob = false
    copy.exporting = false
    copy.turn = null
    copy.errexit = false
    copy.physical = false
    copy.tested = false
    return copy
  }

  private mine(): Map<string, Variable> {
    if (this.own === null || this.own !== this.variables) {
      this.own = new Map(this.variables)
      this.variables = this.own
    }
    return this.own
  }
}

/** The name that a reference is given; null where it is not known. */
function nameIn({ text }: Word): string | null {
  return /^[A-Za-z_]\w*/.exec(text ?? '')?.[0] ?? null
}

/** What is one of two, nobody knows which. */
function either(one: Word, other: Word): Word {
  const ways = [one, other].flatMap(({ text, candidates = [] }) => (text === null ? candidates : [text]))
  const from = [...(one.from ?? []), ...(other.from ?? [])]
  const word: Word = { text: null, prefix: '', glob: false, dynamic: one.dynamic || other.dynamic, span: other.span }
  return {
    ...word,
    ...(ways.length === 0 ? {} : { candidates: ways.slice(0, 4) }),
    ...(from.length === 0 ? {} : { from: from.slice(0, 64) }),
  }
}

export function setVariable(scope: Scope, name: string, value: Variable): void {
  scope.set(name, value)
}

export interface Trap {
  /** The shell it was set in; it goes on changing. */
  readonly scope: Scope
  /** What that shell was when the trap was set. */
  readonly start: Scope
  /** Where it was set, if a signal may run it between any two commands; null where it runs at the end. */
  readonly anywhere: Span | null
  /** What it does was told once already, as possible. */
  ran: boolean
  /** Walks the code of the trap in a state. */
  run(scope: Scope): void
}
