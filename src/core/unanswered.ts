/** What became of a lookup that has no answer. */
export interface Unanswered {
  readonly why: string
  /** False where it was asked and there is nothing, which is an answer too. */
  readonly failed: boolean
}
