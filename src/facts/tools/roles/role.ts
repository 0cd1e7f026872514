/** What an argument is for: the one thing that decides how much it matters where its value came from. */

export const ARGUMENT_ROLES = ['target', 'content', 'selector', 'amount', 'credential', 'handle', 'option', 'code'] as const
/**
 * target: whom or what the call touches · content: what is written, sent or kept · selector: what is looked for · amount: how much ·
 * credential: what proves who somebody is · handle: an opaque id of the host's own (tab, cursor, request), never judged by where it came
 * from · option: how it is done, times included · code: what is read as effects of its own.
 */
export type ArgumentRole = (typeof ARGUMENT_ROLES)[number]

/** What a target is: somebody, a place where others read or write, or a thing of one's own. */
export type TargetSort = 'party' | 'place' | 'thing'

export interface RoleOf {
  readonly role: ArgumentRole
  /** Of a target; null for any other role. */
  readonly sort: TargetSort | null
  /** What says so: the policy, a table of known tools, the schema, the name, the value. */
  readonly by: 'policy' | 'table' | 'schema' | 'name' | 'value'
}

/** One string or number among the arguments of a call. */
export interface ArgumentOf extends RoleOf {
  /** JSON pointer into the arguments. */
  readonly pointer: string
  /** Names on the way, joined by dots, `*` for a position: `edits.*.path`. */
  readonly name: string
  readonly text: string
}
