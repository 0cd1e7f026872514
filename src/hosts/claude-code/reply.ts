/**
 * Claude Code's answer: one JSON object, nothing before it (a log line before the JSON opens the gate). The gate answers
 * `allow` only to a call that people approved with other arguments: it would suppress the user's own prompts. No opinion is
 * the event name alone.
 */
import type { Decision } from '../../core/decision.ts'
import type { JsonObject } from '../../core/json.ts'
import { runs } from '../../core/verdict.ts'
import type { ResultEvent } from '../adapter.ts'
import { cut, flagLine, questionText, refusalText, stopText } from '../said.ts'

const EVENT = { hookEventName: 'PreToolUse' } as const

/** Nothing to object to: the host's own permissions go on. */
export const NO_OPINION: JsonObject = { hookSpecificOutput: EVENT }

/**
 * The reply to a PreToolUse. An `ask` becomes the client's own prompt where a person sits there, else a denial: an
 * unanswered prompt must not hang, and the model must learn how to go on (D6, D13).
 */
export function replyTo(decision: Decision, headless: boolean): JsonObject {
  if (decision.modified && runs(decision.decision)) return rewritten(decision, decision.modified.arguments)
  switch (decision.decision) {
    case 'allow':
      return NO_OPINION
    case 'flag':
      return flagged(decision)
    case 'ask':
      return headless ? denied(decision) : permission('ask', questionText(decision))
    case 'deny':
      return denied(decision)
    case 'halt':
      return { continue: false, stopReason: stopText(decision), ...denied(decision) }
  }
}

const QUIET: JsonObject = { suppressOutput: true }

/** The answer to a result: a note for the agent, or nothing. */
export function noted(note: string | null, event?: ResultEvent): JsonObject {
  if (note === null) return QUIET
  const hookEventName = event?.failed === true ? 'PostToolUseFailure' : 'PostToolUse'
  return { ...QUIET, hookSpecificOutput: { hookEventName, additionalContext: note } }
}

/** The denial for everything that went wrong before there was a decision. */
export function denial(reason: string): JsonObject {
  return permission('deny', cut(reason))
}

function denied(decision: Decision): JsonObject {
  return permission('deny', refusalText(decision))
}

/**
 * People agreed to exactly these arguments. `updatedInput` takes the place of the whole input and comes with an `allow`: with no
 * opinion beside it a client that leaves it out would run what nobody approved.
 */
function rewritten({ agentReason }: Decision, updatedInput: JsonObject): JsonObject {
  const told = cut(`Countersign: ${agentReason}`)
  return {
    hookSpecificOutput: { ...EVENT, permissionDecision: 'allow', permissionDecisionReason: told, updatedInput, additionalContext: told },
  }
}

/**
 * One line, for the person, who is not asked, or for the model where a rule has something for it to do. What a hazard advises is another
 * way to the same end, and this call runs: told of it, a model would do it twice.
 */
function flagged(decision: Decision): JsonObject {
  const notes = decision.findings
    .filter((finding) => finding.verdict === 'flag' && finding.layer !== 'hazard' && finding.advice !== null)
    .map((finding) => finding.advice)
  if (decision.would === decision.decision && notes.length > 0)
    return { hookSpecificOutput: { ...EVENT, additionalContext: cut(`Countersign: ${[...new Set(notes)].join(' ')}`) } }
  const line = flagLine(decision)
  return line === null ? NO_OPINION : { systemMessage: line, ...NO_OPINION }
}

function permission(permissionDecision: 'ask' | 'deny', permissionDecisionReason: string): JsonObject {
  return { hookSpecificOutput: { ...EVENT, permissionDecision, permissionDecisionReason } }
}
