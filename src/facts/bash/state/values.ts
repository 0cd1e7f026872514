import type { Function as FunctionNode } from 'unbash'
import type { Span } from '../../effect.ts'
import type { Word } from '../../host.ts'

/** What a shell holds: variables, functions, what these hide, and where in the text they stand. */

/** A variable: its word, and its elements where it is an array. */
export interface Variable {
  readonly word: Word
  readonly elements: readonly Word[] | null
  /** Its elements were given with their indexes: which one has which is not looked at. */
  readonly keyed?: true
  /** The elements stand in their order, at indexes that are not looked at. */
  readonly sparse?: true
  /** The script took it away: `${x-default}` gives the default. */
  readonly unset?: true
  /** What it is given is arithmetic. */
  readonly integer?: true
  /** Letters of what it is given become these; `either` where only some ways to here said so. */
  readonly folds?: 'lower' | 'upper' | 'either'
  /** It is read only: what it is given is not kept; on some ways to here, or on all of them. */
  readonly fixed?: 'perhaps' | 'always'
  /** Programs that are started have it, too. */
  readonly exported?: true
  /** Another name for this variable: what it is given, that one is given. Null: for one that is not known; empty: for none yet. */
  readonly refers?: string | null
}

export interface ShellFunction {
  readonly node: FunctionNode
  readonly frame: Frame
  /** The file of the project that it stands in. */
  readonly project?: string | null
  readonly exported?: true
  /** What the name stands for on other ways to here; null: it may be no function at all. */
  readonly or?: readonly (ShellFunction | null)[]
  /** There are more ways than are followed. */
  readonly more?: true
  /** It is read only: no other can be defined. */
  readonly fixed?: true
  /** It is no function but a program that `hash -p` named: `command` and `exec` run it, too. */
  readonly hashed?: true
}

/** What a function that is being called keeps from the variables around it: the values that its own ones hide. */
export interface Locals {
  readonly own: Map<string, Variable | undefined>
  /** Those of the function that called it. */
  readonly outer: Locals | null
}

/** What happened since a trap was set, which may run at any time. */
export interface Given {
  /** Every value that variables were given. */
  readonly values: Map<string, Set<string | null>>
  /** Every way in which functions were defined. */
  readonly functions: Map<string, Set<ShellFunction>>
  /** The parameters were set. */
  shifted: boolean
}

/** How node positions become spans of the call: directly, or as one fixed span for text that was made up on the way. */
export interface Frame {
  readonly pointer: string
  readonly fixed: Span | null
  /** Length of the text that positions are in; a parser that looks for a missing end may point past it. */
  readonly length?: number
}

/** Whether something is there, or went well. */
export type Presence = 'yes' | 'no' | 'maybe'

/**
 * Of a place of which nothing is known it is presumed that it is there: the shell is then nowhere else, but what runs where it is not
 * there is a way that the call may take.
 */
export type Arrival = Presence | 'presumed'

/** Where a shell is. */
export interface Place {
  readonly cwd: string | null
  readonly also: readonly string[] | null
  readonly stack: readonly (string | null)[] | null
  /** `OLDPWD`, where `cd -` leads. */
  readonly old: Variable | undefined
}

/** A command that moved the shell if it went well, and where the shell is otherwise. */
export interface Turn {
  readonly otherwise: Place
  readonly wentWell: () => Arrival
  /** `!` stood before it: then `set -e` ends nothing, however it ends. */
  readonly negated?: boolean
}
