/** The compiled `preview` section. */
import type { ToolPattern } from '../glob.ts'

export interface PreviewSection {
  readonly run: 'asked' | 'always'
  /** Null: every tool. */
  readonly onlyForTools: readonly ToolPattern[] | null
  /** What a call gets that cannot be tried out; null: nothing. */
  readonly onUnsupported: 'ask' | 'deny' | null
  readonly onFailure: 'ask' | 'deny'
  readonly onExit: 'ask' | 'pass'
  /** Null: no size is too large. */
  readonly askAbove: Readonly<Record<'files' | 'deleted' | 'lines' | 'rows', number | null>>
  readonly limits: {
    readonly timeMs: number
    readonly memoryBytes: number
    readonly outputBytes: number
    readonly spaceBytes: number
    readonly processes: number
  }
}
