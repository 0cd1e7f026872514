/** What is learned of the behaviour of roles, and what being far from it leads to. */
import type { RiskSection } from '../risk/model.ts'

export interface BaselineSection {
  /** Whether anything is learned; false: frozen, calls are held to what is known. */
  readonly learns: boolean
  /** Roles whose calls are learned and compared; null: all, calls without a role included. */
  readonly roles: ReadonlySet<string> | null
  /** Bits of surprise from which a call is flagged, and asked about; null: never. */
  readonly flagAt: number | null
  readonly askAt: number | null
  /** Sessions after which a role is known. */
  readonly warmUp: number
  /** Days after which something new counts that nobody flagged. */
  readonly quarantineDays: number
}

/** What is made of what a role and a session did before. */
export interface BehaviourSections {
  /** Null: nothing is learned, and nothing is compared. */
  readonly baseline: BaselineSection | null
  readonly risk: RiskSection
}

/** Where no policy says otherwise. */
export const LEARNING = { warmUp: 20, quarantineDays: 14 } as const
