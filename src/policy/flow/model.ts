/** How a policy judges the flow of data. */
import type { ToolPattern } from '../glob.ts'

export interface FlowSection {
  /** Points of doubt from which people are asked; null: nobody is. */
  readonly askAt: number | null
  /** Who is believed for what, first match first. */
  readonly sources: readonly SourcePolicy[]
}

export interface SourcePolicy {
  readonly tools: readonly ToolPattern[]
  /** Lower case; null: every field. */
  readonly fields: ReadonlySet<string> | null
  readonly trust: 'trusted' | 'untrusted'
}
