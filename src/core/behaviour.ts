/** What a call looks like to a baseline of its role, and how far it is from it. */

/**
 * tool: which tool · effect: what it does · host, path, command: whom and what it touches · source: where an argument came from ·
 * request: how it was asked for · volume: how much · order: the tool after another one, which is weak and never asks alone.
 */
export const UNITS = ['tool', 'effect', 'host', 'path', 'command', 'source', 'request', 'volume', 'order'] as const
export type Unit = (typeof UNITS)[number]

/** One thing that is counted: how often this value was seen in this context. Neither holds a tab. */
export interface Term {
  readonly unit: Unit
  /** What the value is compared within, such as the tool and its argument; the empty string: all calls of the role. */
  readonly context: string
  readonly value: string
}

/** What one term adds. */
export interface SurprisePart extends Term {
  /** Bits beyond what terms of its context carry on average. */
  readonly bits: number
  /** Weight of the value, and of all values of its context, in sessions. */
  readonly seen: number
  readonly of: number
}

export interface Surprise {
  /** The strangest of what it does and touches, of where its values come from, and of how it was asked for; one more is half as likely. */
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
