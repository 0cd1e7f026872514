/** What a decision says to the model and to the person at the host: the same words whatever form the host gives them. */
import type { Decision } from '../core/decision.ts'
import { visibleText } from '../facts/resources/text/visible.ts'

/** Hosts cut texts at 10,000 characters, or keep the rest in a file that nobody reads. */
const LONGEST = 9_000

/** The longest line that a flag costs the person at the terminal. */
const LONGEST_LINE = 160

export function cut(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)} …`
}

/** For the model: what it may know of a refusal, how to go on, and where the record is. */
export function refusalText(decision: Decision): string {
  const record = decision.auditEntryId === null ? '' : ` [${decision.auditEntryId}]`
  return cut(`Countersign: ${decision.agentReason} (${decision.code})${record}`)
}

/** For the person who is asked by the host's own prompt. */
export function questionText(decision: Decision): string {
  return cut(`Countersign: ${decision.reason} (${decision.code})`)
}

export function stopText(decision: Decision): string {
  return cut(`Countersign stopped the session: ${decision.agentReason}`)
}

/** One line for the person about a call that runs and is marked, or that shadow mode lets run; null: there is none. */
export function flagLine(decision: Decision): string | null {
  if (decision.would !== decision.decision) return shadowLine(decision)
  // That a policy lets unknown tools run is no news at each of their calls.
  const told = decision.findings.find(({ verdict, layer }) => verdict === 'flag' && layer !== 'registry')
  return told === undefined ? null : oneLine(`Countersign marked this call for review: ${told.message}`, told.code)
}

const WOULD: Readonly<Record<Decision['would'], string>> = {
  allow: 'allowed this call',
  flag: 'marked this call for review',
  ask: 'asked a person about this call',
  deny: 'denied this call',
  halt: 'denied this call and stopped the session',
}

/** For the person alone: the model is not told of a refusal, since there was none. */
function shadowLine({ would, reason, code }: Decision): string {
  return oneLine(`Countersign (shadow) would have ${WOULD[would]}: ${reason}`, code)
}

function oneLine(text: string, code: string): string {
  const line = visibleText(text).replace(/\s+/g, ' ')
  return `${line.length <= LONGEST_LINE ? line : `${line.slice(0, LONGEST_LINE)}…`} (${code})`
}
