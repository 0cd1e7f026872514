/** One contract on one call: every provable violation, at its level. What cannot be told is left out, never counted as right. */
import type { Enforcement } from '../../core/verdict.ts'
import { MAX_VIOLATIONS, type Rung, schemaFloor } from './floor.ts'
import type { Constraint, Contract, Relation } from './model.ts'
import type { ContractInput } from './operand.ts'
import { operandsOf, statesOf } from './operands.ts'
import { attempt, evaluateRelation } from './relations.ts'

export interface Violation {
  readonly rung: Rung
  /** Id of the constraint; null for the schema floor. */
  readonly constraint: string | null
  readonly enforcement: Enforcement
  /** For the operator. */
  readonly text: string
  /** For the agent. */
  readonly note: string
}

export interface Deferred {
  readonly constraint: string
  readonly enforcement: Enforcement
  /** True where it is missing because a lookup failed. */
  readonly failed: boolean
}

export interface Evaluation {
  readonly violations: readonly Violation[]
  /** Constraints that could not be told because something outside of the call is missing. */
  readonly deferred: readonly Deferred[]
}

/** Schema floor first, then every relation. */
export function evaluateContract(contract: Contract, input: ContractInput): Evaluation {
  const violations: Violation[] = schemaFloor(input.args, contract.params, contract.closed).map(({ rung, text, note }) => ({
    rung,
    constraint: null,
    enforcement: contract.enforcement,
    text,
    note: note ?? text,
  }))
  const deferred: Deferred[] = []
  for (const constraint of contract.constraints) {
    const outcome = evaluateConstraint(constraint, input)
    const { reason, advice, id } = constraint
    const enforcement = constraint.enforcement ?? contract.enforcement
    if (outcome.kind === 'defers' && outcome.on === 'state') {
      deferred.push({ constraint: id, enforcement, failed: needsFailed(constraint, input.failed) })
    }
    if (outcome.kind !== 'violated') continue
    violations.push({
      rung: 'L4',
      constraint: id,
      enforcement,
      text: reason === '' ? outcome.text : `${reason}: ${outcome.text}`,
      note: advice ?? (reason === '' ? outcome.note : reason),
    })
  }
  return { violations: violations.slice(0, MAX_VIOLATIONS), deferred }
}

/** What a condition looks at is not told, so that it may be any of them. */
function needsFailed({ guard, relation }: Constraint, failed: ReadonlySet<string>): boolean {
  if (failed.size === 0) return false
  return (
    guard !== null ||
    hasCondition(relation) ||
    operandsOf(relation)
      .flatMap(statesOf)
      .some((key) => failed.has(key))
  )
}

function hasCondition(relation: Relation): boolean {
  return relation.kind === 'cel' || (relation.kind === 'any' && relation.relations.some(hasCondition))
}

/** A guard that does not hold switches the relation off; one that cannot be told defers. */
export function evaluateConstraint({ guard, relation }: Pick<Constraint, 'guard' | 'relation'>, input: ContractInput) {
  if (guard !== null) {
    const applies = attempt(() => guard.test(input.condition() as never))
    if (applies === undefined) return { kind: 'defers', on: 'state' } as const
    if (!applies) return { kind: 'holds' } as const
  }
  return evaluateRelation(relation, input)
}
