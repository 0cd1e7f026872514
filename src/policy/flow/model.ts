/** How a policy judges the flow of data. */
import type { ToolPattern } from '../glob.ts'

export interface FlowSection {
  /** Points of doubt from which people are asked; null: nobody is. */
  readonly askAt: number | null
  /** Who is believed for what, first match first. */
  readonly sources: readonly SourcePolicy[]
  /** Values of a source that may go into arguments of tools. */
  readonly declassify: readonly DeclassifyPolicy[]
}

export interface DeclassifyPolicy {
  /** `declassify[0]`: its place in the list. */
  readonly id: string
  readonly from: readonly ToolPattern[]
  /** Lower case; null: every field. */
  readonly fields: ReadonlySet<string> | null
  readonly into: readonly ToolPattern[]
  /** Null: every argument. */
  readonly arguments: ReadonlySet<string> | null
  /** Milliseconds since the epoch, exclusive; null: no end. */
  readonly until: number | null
}

export interface SourcePolicy {
  readonly tools: readonly ToolPattern[]
  /** Lower case; null: every field. */
  readonly fields: ReadonlySet<string> | null
  readonly trust: 'trusted' | 'untrusted'
}
