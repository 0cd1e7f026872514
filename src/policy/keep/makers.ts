/** Makes again what was kept as the name of a factory and what it was given. */
import type { JsonObject } from '../../core/json.ts'
import { compileCommandPattern } from '../command-pattern.ts'
import { type Condition, type ConditionResult, compileCondition } from '../condition.ts'
import { indexContracts } from '../contracts/index-contracts.ts'
import type { Contract } from '../contracts/model.ts'
import { compilePattern } from '../contracts/pattern.ts'
import { CONTRACT_VARIABLES } from '../contracts/relation-field.ts'
import { compileToolPattern } from '../glob.ts'
import type { RuleFilters } from '../policy.ts'
import { type IndexedRule, indexRules } from '../rule-index.ts'
import { skips } from '../sections/judges.ts'
import { pathGlob } from '../sections/roles.ts'
import { matcher } from '../sections/rules.ts'
import { builtinAgain, workingAgain } from '../sequences/rule.ts'
import { made, type Recipe, type RecipeName } from './recipes.ts'

/** What was given has the types of the factory: it came from there. */
const MAKERS: Readonly<Record<RecipeName, (...given: never[]) => object>> = {
  'tool-pattern': (text: string, strict: boolean) => compileToolPattern(text, { strict }),
  'command-pattern': (text: string) => compileCommandPattern(text),
  'path-glob': (text: string) => pathGlob(text),
  'text-pattern': (text: string) => again(compilePattern(text)),
  condition: (text: string, schema: JsonObject | null) => conditionOf(compileCondition(text, schema)),
  'contract-condition': (text: string) => made(conditionOf(compileCondition(text, null, CONTRACT_VARIABLES)), 'contract-condition', text),
  'judge-skip': (text: string) => skips(text),
  'rule-filters': (filters: RuleFilters, condition: Condition | null) => matcher(filters, condition),
  'rule-index': (rules: readonly IndexedRule[]) => indexRules(rules),
  'contract-index': (contracts: readonly Contract[]) => indexContracts(contracts),
  sequence: workingAgain,
  'builtin-sequence': builtinAgain,
}

/** Throws where it cannot be made: it was made once, so what was kept is not what it says. */
export function makeAgain({ name, given }: Recipe): object {
  return MAKERS[name](...(given as never[]))
}

function again(compiled: string | ((value: string) => boolean)): object {
  if (typeof compiled === 'string') throw new Error('a pattern that was kept cannot be compiled')
  return compiled
}

function conditionOf(result: ConditionResult): Condition {
  if (!result.ok) throw new Error('a condition that was kept cannot be compiled')
  return result.condition
}
