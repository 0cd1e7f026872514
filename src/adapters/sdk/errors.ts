/** What a program that embeds the gate catches; apart from the gate, so that naming them loads nothing of it. */
import type { Code } from '../../core/codes.ts'
import type { Decision } from '../../core/decision.ts'

/** The gate cannot be used as it was asked to be: a policy with errors, a tool that is not gated, an answer that is not taken. */
export class GateError extends Error {
  override readonly name = 'GateError'
  /** Why an answer was not taken, such as `approval.requester`; null for errors of the program itself. */
  readonly code: Code | null

  constructor(message: string, code: Code | null = null) {
    super(message)
    this.code = code
  }
}

/** The gate did not let a call run. `message` is for the model: it says what to do now, and nothing of the policy. */
export class CallRefused extends Error {
  override readonly name = 'CallRefused'
  /** Why, from `docs/reference/codes.md`. */
  readonly code: Code
  /** The recorded decision. Where people are to be asked, `decision.approval.id` names what they answer. */
  readonly decision: Decision

  constructor(message: string, { code, decision }: { readonly code: Code; readonly decision: Decision }) {
    super(message)
    this.code = code
    this.decision = decision
  }
}
