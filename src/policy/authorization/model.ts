/** What a policy says of the graph that is made of the user's request before any result is read. */
export interface AuthorizationSection {
  /** False: nothing lifts a question of the flow of data. */
  readonly words: boolean
  /** The judge that makes a graph of each request; null: none is asked, and only the request's own words count. */
  readonly judge: string | null
  /** What becomes of calls that change something and that the graph does not cover: as the rules say, or people are asked. */
  readonly uncovered: 'rules' | 'ask'
}
