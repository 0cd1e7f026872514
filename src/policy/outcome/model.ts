/** The compiled `outcome` section. */
import type { ToolPattern } from '../glob.ts'

export interface OutcomeSection {
  /** What a repetition gets while it is not known whether the first one happened. */
  readonly onUnknown: 'ask' | 'deny' | 'pass'
  /** How long a call without a known result is remembered, in milliseconds. */
  readonly rememberMs: number
  /** Tools that may be called again without doing more. */
  readonly idempotent: readonly ToolPattern[]
  /** Arguments by which these tools tell a repetition from a new act. */
  readonly keys: readonly { readonly tool: ToolPattern; readonly argument: string }[]
}
