export interface HooksSection {
  /** Milliseconds within which a hook's call is decided; null: as long as the agent's own time allows. */
  readonly deadlineMs: number | null
}
