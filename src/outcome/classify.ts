/** What became of a call that was let through, as far as its result tells. */
import { isJsonObject, type Json, own } from '../core/json.ts'

export type OutcomeState = 'ran' | 'failed' | 'refused' | 'unknown'

export interface CallOutcome {
  /** `refused`: the tool did not begin. `unknown`: it may have acted or not. */
  readonly state: OutcomeState
  /** What says so; null where nothing went wrong. */
  readonly why: string | null
}

export interface ResultOf {
  readonly response: Json
  /** The host or the proxy says that the call failed. */
  readonly failed: boolean
}

/** Of a call with one command, and of one with several: there an error does not tell which of them ran. */
export interface Outcomes {
  readonly one: CallOutcome
  readonly several: CallOutcome
}

/** How much of a result's text is looked at. Errors stand at the beginning or at the end. */
const EDGE = 4_096

export function outcomeOf(result: ResultOf): Outcomes {
  const said = saidBy(result.response)
  if (said.interrupted) return alike({ state: 'unknown', why: 'the call was interrupted' })
  if (result.failed || said.failed) return { one: failureOf(said, false), several: failureOf(said, true) }
  const gateway = match(AT_THE_GATEWAY, said.text)
  return alike(gateway === null ? { state: 'ran', why: null } : { state: 'unknown', why: gateway })
}

function alike(outcome: CallOutcome): Outcomes {
  return { one: outcome, several: outcome }
}

function failureOf({ text, code }: Said, several: boolean): CallOutcome {
  const lost = match(LOST, text) ?? LOST_CODES.get(code ?? 0) ?? null
  if (lost !== null) return { state: 'unknown', why: lost }
  if (several) return { state: 'unknown', why: 'one of its commands failed, and others may have run' }
  const refused = match(NOT_BEGUN, text) ?? match(REFUSED, text) ?? NOT_BEGUN_CODES.get(code ?? 0) ?? null
  if (refused !== null) return { state: 'refused', why: refused }
  return { state: 'failed', why: code === null ? null : `exit code ${code}` }
}

/** Money and other final acts: an error that says neither that nothing was begun nor that it was refused leaves it open. */
export function isSettled({ state }: CallOutcome, verb: string): boolean {
  return state === 'ran' || state === 'refused' || (state === 'failed' && verb !== 'pay')
}

const AT_THE_GATEWAY = /\b(?:502 bad gateway|503 service (?:temporarily )?unavailable|504 gateway time-?out)\b/i
const LOST = new RegExp(
  [
    'timed? ?out|timeout|deadline exceeded|ETIMEDOUT|ECONNRESET|EPIPE|ECONNABORTED|socket hang up|broken pipe|empty reply from server',
    'connection (?:was )?(?:reset|closed|lost|aborted|terminated)|(?:server|network|transport) (?:is |was )?(?:gone|lost|closed|disconnected)',
    'remote end closed|\\b50[0234]\\b|internal server error|bad gateway|service unavailable',
    'interrupted|killed|SIGKILL|SIGTERM|aborted|not known|could not be inspected|no response',
  ].join('|'),
  'i',
)
const NOT_BEGUN =
  /ECONNREFUSED|connection refused|ENOTFOUND|EAI_AGAIN|could not resolve host|no route to host|ENETUNREACH|command not found|before it ran/i
const REFUSED = new RegExp(
  [
    '\\b(?:400|401|402|403|404|405|409|410|412|415|422|429)\\b|-3260[0-2]\\b|unauthori[sz]ed|forbidden|permission denied|not allowed|not permitted',
    'access denied|invalid|validation|malformed|missing (?:required )?(?:argument|parameter|field)|unknown (?:tool|method|option)|insufficient|declined',
    'rejected|does not exist|not found|already exists|rate limit|too many requests',
  ].join('|'),
  'i',
)
/** Exit codes of curl (its manual, EXIT CODES) that leave open whether the server acted, then of shells for signals. */
const LOST_CODES: ReadonlyMap<number, string> = new Map([
  [18, 'the transfer was cut'],
  [28, 'the operation timed out'],
  [52, 'the server sent nothing'],
  [55, 'sending failed'],
  [56, 'receiving failed'],
  [124, 'the command was ended at its time'],
  [130, 'the command was interrupted'],
  [137, 'the command was killed'],
  [143, 'the command was ended'],
])
const NOT_BEGUN_CODES: ReadonlyMap<number, string> = new Map([
  [6, 'the host has no address'],
  [7, 'nothing could be reached there'],
  [126, 'the program cannot be run'],
  [127, 'there is no such program'],
])

interface Said {
  readonly failed: boolean
  readonly interrupted: boolean
  readonly code: number | null
  readonly text: string
}

const CODES = ['exitCode', 'exit_code', 'returnCode', 'returncode', 'return_code', 'code', 'status'] as const

function saidBy(response: Json): Said {
  const text = edgesOf(response)
  if (!isJsonObject(response)) return { failed: false, interrupted: false, code: codeIn(text), text }
  const is = (names: readonly string[]): boolean => names.some((name) => own(response, name) === true)
  const code = CODES.map((name) => own(response, name)).find((value) => typeof value === 'number')
  const error = own(response, 'error') ?? null
  return {
    failed: is(['failed', 'isError', 'is_error']) || own(response, 'success') === false || error !== null || wentWrong(response),
    interrupted: is(['interrupted', 'is_interrupt', 'cancelled', 'timed_out', 'timedOut']),
    code: typeof code === 'number' ? code : codeIn(text),
    text,
  }
}

/** Names that only exit codes have; `code` and `status` may be anything. */
function wentWrong(response: Json): boolean {
  if (!isJsonObject(response)) return false
  return CODES.slice(0, 5).some((name) => {
    const value = own(response, name)
    return typeof value === 'number' && value !== 0
  })
}

function codeIn(text: string): number | null {
  const found = /\bexit(?:ed with)?(?: code| status)?:? (\d{1,3})\b/i.exec(text)?.[1]
  return found === undefined ? null : Number(found)
}

function edgesOf(response: Json): string {
  const text = typeof response === 'string' ? response : JSON.stringify(response)
  return text.length <= 2 * EDGE ? text : `${text.slice(0, EDGE)}\n${text.slice(-EDGE)}`
}

function match(pattern: RegExp, text: string): string | null {
  const found = pattern.exec(text)
  return found === null ? null : `it says \`${found[0]}\``
}
