/** What a policy says of the graph that is made of the user's request before any result is read. */
export interface AuthorizationSection {
  /** False: nothing lifts a question of the flow of data. */
  readonly words: boolean
  /** The judge that makes a graph of each request; null: none is asked, and only the request's own words count. */
  readonly judge: string | null
  /** Points of doubt from which people are asked about calls that the graph does not cover; 0: from the first; null: as the rules say. */
  readonly uncoveredAt: number | null
}
