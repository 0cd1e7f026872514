/** Contracts for tests: written as in a file, evaluated on arguments and state. */
import type { Json, JsonObject } from '../../core/json.ts'
import { formatPolicyError } from '../errors.ts'
import { readCatalogue } from './catalogue.ts'
import { type Evaluation, evaluateContract } from './evaluate.ts'
import { type InputParts, inputOf } from './input.ts'
import type { Contract } from './model.ts'
import type { StateValue } from './operand.ts'

/** The one contract of a text such as `constraints: [...]`; a text that is wrong fails the test with its errors. */
export function contractOf(text: string): Contract {
  const { contracts, errors } = readCatalogue(`t: { ${text} }`, 'contracts.yaml', 'advisory')
  const [contract] = contracts
  if (errors.length > 0 || contract === undefined) throw new Error(errors.map(formatPolicyError).join('\n'))
  return contract
}

/** The errors of a text such as `constraints: [...]`, as people read them. */
export function contractErrors(text: string): string {
  return readCatalogue(`t: { ${text} }`, 'contracts.yaml', 'advisory').errors.map(formatPolicyError).join('\n')
}

export interface Known {
  readonly state?: Readonly<Record<string, Json | ReadonlyMap<string, Json>>>
  readonly now?: number
}

export function evaluate(text: string, args: JsonObject, { state = {}, now = 0 }: Known = {}): Evaluation {
  const contract = contractOf(text)
  const tables = new Map<string, StateValue>(Object.entries(state))
  const parts: InputParts = { args, contract, tables, now }
  return evaluateContract(contract, inputOf(parts))
}

/** `holds`, `defers` (something outside is missing) or the texts of the violations. */
export function outcome(constraint: string, args: JsonObject, known: Known = {}): string {
  const { violations, deferred } = evaluate(`constraints: [{ ${constraint} }]`, args, known)
  if (violations.length > 0) return violations.map((violation) => violation.text).join('; ')
  return deferred.length > 0 ? 'defers' : 'holds'
}
