/** What a person vouched for in a session: no text of a value, only keyed hashes. */
export interface Declassified {
  /** Hashes of the forms of one value; null: every value of the source. */
  readonly values: readonly number[] | null
  /** Null: wherever the value comes from. */
  readonly from: { readonly tool: string; readonly field: string | null } | null
  /** Into which tool, `server/name` where a server offers it; null: any. */
  readonly tool: string | null
  /** Into which argument; null: any. */
  readonly argument: string | null
  /** Milliseconds since the epoch, exclusive. */
  readonly until: number
  /** Who vouches, such as `human:alice`. */
  readonly by: string
}
