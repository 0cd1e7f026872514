/**
 * What a request of the user authorises, as a graph: which tools, on which targets, and from which sources values may flow into which
 * arguments. It is made before any result is read, and holds nothing but the user's words and names of tools, arguments and fields.
 */

/** Where the value of an argument may come from: the user's own words, or the result of a tool. */
export type Origin =
  | { readonly says: string }
  | {
      /** Name of the tool, `server/name` where a server offers it. */
      readonly from: string
      /** Name of the field in its result; null: any. */
      readonly field: string | null
      /** What the call that returned it was aimed at, in the user's words; null: anything. */
      readonly place: string | null
    }

export interface Permit {
  readonly id: string
  /** Name of the tool, `server/name` where a server offers it. */
  readonly tool: string
  /** By name of the argument; one that is not listed may only hold what the user named. */
  readonly arguments: ReadonlyMap<string, readonly Origin[]>
  /** For people. */
  readonly reason: string
}

export interface AuthorizationGraph {
  readonly permits: readonly Permit[]
}

/** A tool as a graph may name it. */
export interface KnownTool {
  /** `server/name` where a server offers it. */
  readonly name: string
  readonly description: string | null
  /** Names of its arguments with what its schema says of each; null: it has none that is known. */
  readonly arguments: ReadonlyMap<string, string> | null
}

export const GRAPH_LIMITS = { permits: 24, arguments: 8, origins: 8, text: 200, units: 4_096 } as const
