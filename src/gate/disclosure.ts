/** What the agent is told of a decision, by the level that the policy discloses. Coarse by default: no oracle (D13, T53, AEG-W10). */
import { CODES, type Code } from '../core/codes.ts'
import type { JsonObject } from '../core/json.ts'
import { own } from '../core/json.ts'
import type { DisclosureSection } from '../policy/policy.ts'

export interface Disclosing {
  readonly level: DisclosureSection['toAgent']
  readonly code: Code
  /** A safe next step of the rule itself. */
  readonly advice: string | null
  /** Operator text. */
  readonly reason: string
  /** Of what carries the decision: where a judge speaks, it is in its own words there. */
  readonly evidence: JsonObject | null
}

const MOST_UNITS = 1_000

/** One line. Never the rule that matched, a score or a minimum, unless the policy discloses all of it. */
export function disclosed({ level, code, advice, reason, evidence }: Disclosing): string {
  const text = agentText(code, advice)
  if (level === 'coarse') return text
  if (level === 'full') return `${text} Reason: ${line(reason)}`
  const said = evidence === null || !code.startsWith('judge.') ? undefined : own(evidence, 'said')
  return `${text} Reason: ${typeof said === 'string' && said !== '' ? line(said) : CODES[code].operator}.`
}

/** Coarse text and a safe next step. */
export function agentText(code: Code, advice: string | null): string {
  const text: string = CODES[code].agent
  return advice === null ? text : `${text} ${advice}`
}

/** What a judge wrote is shown as one plain line. */
function line(text: string): string {
  const plain = text.replace(/[\p{Cc}\p{Cf}\p{Z}]+/gu, ' ').trim()
  if (plain.length > MOST_UNITS) return `${plain.slice(0, MOST_UNITS)}…`
  return plain.endsWith('.') ? plain.slice(0, -1) : plain
}
