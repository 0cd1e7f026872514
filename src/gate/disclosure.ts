/** What the agent is told of a decision, by the level that the policy discloses. Coarse by default: no oracle (D13, T53, AEG-W10). */
import { ASK_A_PERSON, CODES, type Code, NOT_ALLOWED } from '../core/codes.ts'
import type { JsonObject } from '../core/json.ts'
import { own } from '../core/json.ts'
import { type Outcome, runs } from '../core/verdict.ts'
import type { DisclosureSection } from '../policy/policy.ts'

export interface Disclosing {
  readonly level: DisclosureSection['toAgent']
  readonly code: Code
  readonly verdict: Outcome
  /** A safe next step of the rule itself. */
  readonly advice: string | null
  /** Operator text. */
  readonly reason: string
  /** Of what carries the decision: where a judge speaks, it is in its own words there. */
  readonly evidence: JsonObject | null
}

const MAX_UNITS = 1_000

/** One line. Never the rule that matched, a score or a minimum, unless the policy discloses all of it. */
export function disclosed({ level, code, verdict, advice, reason, evidence }: Disclosing): string {
  const text = agentText(code, advice, verdict)
  if (level === 'coarse') return text
  if (level === 'full') return `${text} Reason: ${line(reason)}`
  const said = evidence === null || !code.startsWith('judge.') ? undefined : own(evidence, 'said')
  return `${text} Reason: ${typeof said === 'string' && said !== '' ? line(said) : CODES[code].operator}.`
}

/** The agent is not told of a refusal that did not happen: it would look for another way to what it just did. */
export const RUNS = 'This call may run.'

/** What happens, and what to do: never that a call is refused where it waits, nor that people are asked where it is refused. */
export function agentText(code: Code, advice: string | null, verdict: Outcome = 'deny'): string {
  const text: string = CODES[code].agent
  if (text !== ASK_A_PERSON && text !== NOT_ALLOWED) return advice === null || isSaid(text, advice) ? text : `${text} ${advice}`
  if (runs(verdict)) return RUNS
  const whole = verdict === 'ask' ? ASK_A_PERSON : NOT_ALLOWED
  return advice === null ? whole : joined(whole.slice(0, whole.indexOf(':')), advice)
}

/** One sentence; what stands behind the colon begins small. */
export function joined(what: string, advice: string): string {
  const begins = /^[A-Z][a-z ]/.test(advice) ? advice.charAt(0).toLowerCase() + advice.slice(1) : advice
  return `${what}: ${/[.!?]$/.test(begins) ? begins : `${begins}.`}`
}

function isSaid(text: string, advice: string): boolean {
  return text.startsWith(advice.replace(/\.$/, ''))
}

/** What a judge wrote is shown as one plain line. */
function line(text: string): string {
  const plain = text.replace(/[\p{Cc}\p{Cf}\p{Z}]+/gu, ' ').trim()
  if (plain.length > MAX_UNITS) return `${plain.slice(0, MAX_UNITS)}…`
  return plain.endsWith('.') ? plain.slice(0, -1) : plain
}
