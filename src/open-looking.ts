/**
 * Looks a result through: what is wrong with it, what the session remembers of it, and the record of it. All that takes long with a large
 * result is here, and needs nothing but what is handed to it, so that a thread can do it. Pure.
 */
import { resultRecord } from './audit/record.ts'
import type { ToolCall } from './core/call.ts'
import type { Json } from './core/json.ts'
import { secretSpans } from './facts/resources/secret/find.ts'
import { taskOf } from './flow/analyse.ts'
import type { Flight } from './gate/session-memory.ts'
import { type ResultFinding, resultFindings } from './layers/integrity/result.ts'
import { oversize } from './layers/roles/response.ts'
import { type Outcomes, outcomeOf } from './outcome/classify.ts'
import type { GuardsSection } from './policy/policy.ts'
import { readResult } from './provenance/result.ts'
import type { ResultEvent } from './session/memory/events.ts'
import { observe } from './session/memory/observe.ts'
import type { RecordInput } from './store/store.ts'

/** What the gate knows of a call whose result came. Only what can be copied to a thread. */
export interface Looking {
  /** With its user's words. */
  readonly call: ToolCall
  readonly at: number
  /** What of the response is looked for; null: no policy is in force, so nobody asks. */
  readonly guards: Pick<GuardsSection, 'canary' | 'unicode' | 'results'> | null
  /** Bytes that the response may have; infinite: any number. */
  readonly maxSize: number
  /** How the session knows the call; null: it names no session. */
  readonly flight: Flight | null
  /** The state of contracts reads the response itself. */
  readonly whole: boolean
}

/** What was seen in a result. Only what can be copied from a thread. */
export interface Looked {
  readonly findings: readonly ResultFinding[]
  /** What the session remembers; null: there is no session. */
  readonly event: ResultEvent | null
  readonly record: RecordInput
  /** What became of the call. */
  readonly outcome: Outcomes
  /** The response, where `Looking.whole` asks for it. */
  readonly response?: Json
}

export interface Response {
  readonly response: Json
  /** Whoever ran the call says that it failed. */
  readonly failed: boolean
  /** What is wrong with it, where that was looked for already. */
  readonly findings?: readonly ResultFinding[]
}

/** What is wrong with a response. */
export function findingsIn({ guards, maxSize }: Pick<Looking, 'guards' | 'maxSize'>, response: Json): readonly ResultFinding[] {
  if (guards === null) return []
  const large = oversize(maxSize, response)
  const findings = resultFindings(guards, response)
  return large === null ? findings : [...findings, large]
}

export function lookThrough(looking: Looking, { response, failed, findings }: Response): Looked {
  const { call, at, flight, whole } = looking
  return {
    findings: findings ?? findingsIn(looking, response),
    event: flight === null ? null : observe({ call, at, result: response, task: taskOf(call), secrets: secretsIn(response), ...flight }),
    record: resultRecord(call, response, at),
    outcome: outcomeOf({ response, failed }),
    ...(whole ? { response } : {}),
  }
}

const MAX_SECRETS = 8

function secretsIn(result: Json): readonly string[] {
  const texts = readResult(result).leaves.map(({ value }) => value)
  return texts.flatMap((text) => secretSpans(text).map(({ start, end }) => text.slice(start, end))).slice(0, MAX_SECRETS)
}
