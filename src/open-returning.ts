/** What a gate on this machine does with the result of a call: what is looked for, and what the session knows of it afterwards. */
import type { ToolCall } from './core/call.ts'
import type { Code } from './core/codes.ts'
import type { Json } from './core/json.ts'
import type { Ended, OutcomeParts } from './gate/outcome/attempts.ts'
import type { MemoryParts } from './gate/session-memory.ts'
import type { SessionTables } from './gate/tables/tables.ts'
import type { WrittenParts } from './gate/written.ts'
import type { PolicyState } from './gate.ts'
import type { ResultFinding } from './layers/integrity/result.ts'
import { maxResponse } from './layers/roles/response.ts'
import { findingsIn, type Looked, type Looking, lookThrough } from './open-looking.ts'
import type { Policy } from './policy/policy.ts'
import { judgingPolicies } from './policy/scopes/model.ts'
import type { Transaction } from './store/store.ts'

/** What the log and the agent are told of a result. The tool has run: it can only be reported. */
export interface Observation {
  /** Of the gravest finding. */
  readonly code: Code
  readonly note: string
  readonly findings: readonly ResultFinding[]
}

export interface Landing {
  /** What is wrong with the result; null: nothing. */
  readonly seen: Observation | null
  readonly land: (tx: Transaction) => Ended
}

interface ReturningParts {
  readonly tables: Pick<SessionTables, 'observe'>
  readonly memory: Pick<MemoryParts, 'flight' | 'result'>
  readonly written: Pick<WrittenParts, 'landing'>
  readonly outcomes: Pick<OutcomeParts, 'land'>
  readonly now: () => number
}

interface Returning {
  readonly findings: (call: ToolCall, response: Json) => readonly ResultFinding[]
  readonly observe: (call: ToolCall, result: Json) => Observation | null
  readonly looking: (call: ToolCall) => Looking
  readonly landing: (call: ToolCall, looked: Looked) => Landing
}

export function returning(
  { policy }: { readonly policy: (cwd: string | null) => PolicyState },
  { tables, memory, written, outcomes, now }: ReturningParts,
): Returning {
  const looking: Returning['looking'] = (call) => {
    const { policy: loaded } = policy(call.cwd)
    return {
      call: { ...call, approval: null, definition: null },
      at: now(),
      ...soughtBy(loaded, call),
      flight: memory.flight(call),
      whole: loaded !== null && call.session !== null && judgingPolicies(loaded).some(({ contracts }) => contracts.tables.length > 0),
    }
  }
  const learn = (call: ToolCall, { response, event, record }: Looked): ((tx: Transaction) => void) => {
    const { policy: loaded } = policy(call.cwd)
    const judging = loaded === null || response === undefined ? [] : judgingPolicies(loaded)
    const landings = judging.map((each) => tables.observe(call, response ?? null, each))
    const remember = event === null ? null : memory.result(call, event)
    return (tx) => {
      for (const land of landings) land(tx, record.at)
      remember?.(tx)
    }
  }
  return {
    looking,
    findings: (call, response) => findingsIn(soughtBy(policy(call.cwd).policy, call), response),
    observe: (call, response) => {
      const looked = lookThrough(looking(call), { response, failed: false })
      learn(call, looked)
      return observationOf(looked)
    },
    landing: (call, looked) => {
      const remember = learn(call, looked)
      const read = written.landing(call, now())
      return {
        seen: observationOf(looked),
        land: (tx) => {
          remember(tx)
          read(tx)
          return outcomes.land(tx, { call, outcome: looked.outcome })
        },
      }
    },
  }
}

function soughtBy(policy: Policy | null, call: ToolCall): Pick<Looking, 'guards' | 'maxSize'> {
  return policy === null ? { guards: null, maxSize: Infinity } : { guards: guardsOf(policy), maxSize: maxResponse(policy, call) }
}

/** What can be copied to a thread of what is looked for. */
function guardsOf({ guards: { canary, unicode, results } }: Policy): Looking['guards'] {
  return { canary, unicode, results }
}

/** Null: nothing is wrong. */
export function observationOf({ findings }: Pick<Looked, 'findings'>): Observation | null {
  const [first] = findings
  return first === undefined ? null : { code: first.code, note: findings.map(({ note }) => note).join(' '), findings }
}
