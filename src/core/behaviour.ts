/** What a call looks like to a baseline of its role, and how far it is from it. */

/**
 * tool: which tool · effect: what it does · host, path, command: whom and what it touches · source: where an argument came from ·
 * request: how it was asked for · doubt: how doubtful that makes it · volume: how much · order: the tool after another one, which is weak
 * and never asks alone.
 */
export const UNITS = ['tool', 'effect', 'host', 'path', 'command', 'source', 'request', 'doubt', 'volume', 'order'] as const
export type Unit = (typeof UNITS)[number]

/** One thing that is counted: how often this value was seen in this context. Neither holds a tab. */
export interface Term {
  readonly unit: Unit
  /** What the value is compared within, such as the tool and its argument; the empty string: all calls of the role. */
  readonly context: string
  readonly value: string
  /** The user asked for it by name, so that it is new surprises little. Not kept in the log. */
  readonly asked?: boolean
}

/** Most that what is new in what a call does and touches adds: ordinary tasks do new things, too. */
export const MAX_NEW_BITS = 10

/** What one term adds. */
export interface SurprisePart extends Term {
  /** Bits beyond what terms of its context carry on average. */
  readonly bits: number
  /** Weight of the value, and of all values of its context, in sessions. */
  readonly seen: number
  readonly of: number
}

export interface Surprise {
  /** The more of two: what is new in what it does and touches; and where its values come from, how it was asked for and how doubtful it is. */
  readonly bits: number
  /** The same without the order of tools. */
  readonly withoutOrder: number
  /** One part a unit, most bits first; those without bits are left out. */
  readonly parts: readonly SurprisePart[]
}

/** The baseline of the role that a call belongs to, as of now. */
export interface RoleBaseline {
  /** Null: calls without a role. */
  readonly role: string | null
  /** Sessions that it was learned from. */
  readonly sessions: number
  /** Frozen version that calls are held to; null: the newest state. */
  readonly version: string | null
  /** Tool of the session's last call; null: there is none. */
  readonly previous: string | null
  readonly surprise: (terms: readonly Term[]) => Surprise
}
