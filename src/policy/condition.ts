/**
 * Conditions: CEL, parsed and type-checked by @marcbachmann/cel-js when the policy is loaded, evaluated by condition/evaluate.ts.
 * What cannot hold, does not type or is misspelt is an error of the policy; what cannot be told of a call throws (T13, PIT-1).
 */
import { type ASTNode, TypeError as CelTypeError, Environment, ParseError } from '@marcbachmann/cel-js'
import type { JsonObject } from '../core/json.ts'
import { type Checked, type ConditionFault, checkCondition } from './condition/check.ts'
import { compileNode } from './condition/evaluate.ts'
import { fold } from './condition/fold.ts'
import { ConditionError, FUNCTIONS } from './condition/functions.ts'
import { unguarded } from './condition/guard.ts'
import { type RecordShape, type Shape, shapeOfSchema, VARIABLES } from './condition/shape.ts'
import { made } from './keep/recipes.ts'
import type { ConditionInput } from './policy.ts'

export type { ConditionFault } from './condition/check.ts'
export { ConditionError } from './condition/functions.ts'

export interface Condition {
  /** True where it holds. @throws {ConditionError} where it cannot be evaluated on this input. */
  readonly test: (input: ConditionInput) => boolean
  readonly checked: Checked
  /** True where it holds for every call. */
  readonly always: boolean
}

export type ConditionResult =
  | { readonly ok: true; readonly condition: Condition }
  | { readonly ok: false; readonly faults: readonly ConditionFault[] }

/** Units of work one evaluation may take: about 20 ms at worst, a thousand times what an ordinary condition needs. */
const BUDGET = 200_000
const LIMITS = { maxAstNodes: 2_000, maxDepth: 64, maxListElements: 1_000, maxMapEntries: 100, maxCallArguments: 8 }

/** A checked expression of any type. */
export interface Expression {
  readonly type: string
  readonly checked: Checked
  readonly ast: ASTNode
  /** @throws {ConditionError} where it cannot be evaluated on this input. */
  readonly evaluate: (input: ConditionInput) => unknown
}

export type ExpressionResult =
  | { readonly ok: true; readonly expression: Expression }
  | { readonly ok: false; readonly faults: readonly ConditionFault[] }

/** Compiles an expression that may be anything: a text, a number, true or false. Parameters as for `compileCondition`. */
export function compileExpression(text: string, inputSchema: JsonObject | null = null, further: Further = NOTHING): ExpressionResult {
  const args = inputSchema === null ? undefined : shapeOfSchema(inputSchema)
  const seen = args === undefined ? VARIABLES : new Map(VARIABLES).set('args', args)
  const variables = further.size === 0 ? seen : new Map([...seen, ...further])
  const environment = args === undefined ? base(further) : declared(new Declarations(), variables).environment
  let parsed: ReturnType<Environment['parse']>
  try {
    parsed = environment.parse(text)
  } catch (error) {
    return { ok: false, faults: [fault(error, text)] }
  }
  const checked = checkCondition(parsed.ast, variables)
  const faults = [...checked.faults, ...unguarded(parsed.ast, checked.optional)]
  if (faults.length > 0) return { ok: false, faults }
  const verdict = parsed.check()
  if (!verdict.valid) return { ok: false, faults: [fault(verdict.error, text)] }
  const evaluate = compileNode(parsed.ast, { scope: [], optional: checked.optional })
  return {
    ok: true,
    expression: {
      type: verdict.type ?? 'something else',
      checked,
      ast: parsed.ast,
      evaluate: (input) => evaluate({ variables: input as unknown as Readonly<Record<string, unknown>>, locals: [], budget: BUDGET }),
    },
  }
}

/**
 * Compiles one condition.
 * @param inputSchema of the one tool the rule is for; `args` is then typed against it.
 * @param further variables that this kind of condition sees besides.
 */
export function compileCondition(text: string, inputSchema: JsonObject | null = null, further: Further = NOTHING): ConditionResult {
  const compiled = compileExpression(text, inputSchema, further)
  if (!compiled.ok) return compiled
  const { type, checked, ast, evaluate } = compiled.expression
  const whole = { start: 0, end: text.length }
  if (type !== 'bool') {
    const message = `a condition is true or false, but this is ${type}`
    return { ok: false, faults: [{ code: 'policy.condition_type', message, help: 'compare it with something', at: whole }] }
  }
  const constant = fold(ast)
  if (constant === false) {
    const message = 'this can never hold, so the rule can never match'
    return {
      ok: false,
      faults: [{ code: 'policy.condition_never', message, help: 'take the rule out or correct the condition', at: whole }],
    }
  }
  const test = (input: ConditionInput): boolean => {
    const result = evaluate(input)
    if (typeof result !== 'boolean') throw new ConditionError('a condition must be true or false')
    return result
  }
  const condition: Condition = { test, checked, always: constant === true }
  return { ok: true, condition: further.size === 0 ? made(condition, 'condition', text, inputSchema) : condition }
}

type Further = ReadonlyMap<string, Shape>
const NOTHING: Further = new Map()
const shared = new WeakMap<Further, Environment>()

/** The environment with untyped arguments, made once: building one costs more than a hundred conditions. */
function base(further: Further): Environment {
  const known = shared.get(further)
  if (known !== undefined) return known
  plain ??= declared(new Declarations(), VARIABLES)
  const made = further.size === 0 ? plain : declared(new Declarations(plain), further)
  shared.set(further, made.environment)
  return made.environment
}

let plain: Declarations | null = null

function declared(declarations: Declarations, variables: ReadonlyMap<string, Shape>): Declarations {
  for (const [name, shape] of variables) declarations.environment.registerVariable(name, declarations.typeOf(shape))
  return declarations
}

const ARITHMETIC = ['+', '-', '*', '/'] as const

/** Registers shapes as types of the checker. Handlers are never run: the checker's environment does not evaluate. */
class Declarations {
  readonly environment: Environment
  readonly #names: Map<RecordShape, string>

  /** @param from what is declared already. */
  constructor(from: Declarations | null = null) {
    this.environment = from?.environment.clone() ?? new Environment({ limits: LIMITS, homogeneousAggregateLiterals: false })
    this.#names = new Map(from === null ? [] : from.#names)
    if (from !== null) return
    const never = (): never => {
      throw new ConditionError('the checker does not evaluate')
    }
    // JSON has one kind of number, CEL two: every mix of them is a number.
    for (const operator of ARITHMETIC) {
      this.environment.registerOperator(`int ${operator} double: double`, never)
      this.environment.registerOperator(`double ${operator} int: double`, never)
    }
    for (const [left, right] of [
      ['int', 'double'],
      ['double', 'int'],
      ['double', 'double'],
    ]) {
      this.environment.registerOperator(`${left} % ${right}: double`, never)
    }
    this.environment.registerOperator('int == double', never)
    this.environment.registerOperator('double in list<int>: bool', never)
    this.environment.registerOperator('int in list<double>: bool', never)
    for (const { signature } of FUNCTIONS.values()) if (signature !== undefined) this.environment.registerFunction(signature, never)
  }

  typeOf(shape: Shape): string {
    if (shape.type === 'list') return `list<${this.typeOf(shape.of)}>`
    if (shape.type === 'number') return 'double'
    if (shape.type !== 'record') return shape.type
    return shape.open ? 'map' : this.#record(shape)
  }

  #record(shape: RecordShape): string {
    const known = this.#names.get(shape)
    if (known !== undefined) return known
    const plain = shape.name.replace(/[^A-Za-z0-9_]/g, '_')
    const name = [...this.#names.values()].includes(plain) ? `${plain}${this.#names.size}` : plain
    this.#names.set(shape, name)
    const fields: Record<string, string> = Object.create(null)
    for (const [key, value] of shape.fields) fields[key] = this.typeOf(value)
    this.environment.registerType(name, { fields: { ...fields } })
    return name
  }
}

/** An error of the library as a fault of ours. */
function fault(error: unknown, text: string): ConditionFault {
  const whole = { start: 0, end: text.length }
  if (!(error instanceof ParseError || error instanceof CelTypeError)) {
    const detail = error instanceof Error ? error.message : 'unknown reason'
    return { code: 'policy.condition_syntax', message: `the condition cannot be parsed: ${detail}`, help: null, at: whole }
  }
  const code = error instanceof ParseError ? 'policy.condition_syntax' : 'policy.condition_type'
  const message = reworded(error.summary)
  return { code, message, help: HELP.get(error.code) ?? null, at: error.range ?? whole }
}

function reworded(summary: string): string {
  if (summary.endsWith('Unexpected token: EOF')) return 'the condition ends too early'
  const plain = summary.charAt(0).toLowerCase() + summary.slice(1)
  return plain.replace(/^no such overload: /, 'these types do not go together: ')
}

const HELP: ReadonlyMap<string, string> = new Map([
  ['no_such_overload', 'compare text with text and numbers with numbers; `double(x)` and `string(x)` convert'],
  ['no_matching_overload', 'the function does not take these arguments'],
  ['unexpected_token', 'check quotes, brackets and operators before this place'],
])
