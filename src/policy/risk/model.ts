/** What the risk of a run leads to. */
export interface RiskSection {
  /** Milliseconds. */
  readonly halfLife: number
  /** Scores from 0 to 1 from which calls that change something are marked, asked about and the session is stopped; null: never. */
  readonly flagAt: number | null
  readonly askAt: number | null
  readonly haltAt: number | null
  /** Who must all agree to what is asked because of the risk, as `human:…`; empty: any approver. */
  readonly approvers: readonly string[]
}
