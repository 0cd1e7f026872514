/** What is legal in a contract and probably not meant: constraints that exclude each other, never hold, never fail, or see nothing. */
import { isJsonObject, type Json, type JsonObject, own } from '../../../core/json.ts'
import type { PolicyWarning, RegistrySection } from '../../policy.ts'
import { nearest } from '../../reading/nearest.ts'
import { evaluateContract } from '../evaluate.ts'
import { inputOf } from '../input.ts'
import type { Constraint, Contract, ContractsSection, Operand } from '../model.ts'
import { operandsOf, partsOf, statesOf } from '../operands.ts'
import { boundsOf, contradictions } from './bounds.ts'
import { neverFails, neverHolds } from './settled.ts'

/** Warnings about every contract, in the order of loading. */
export function lintContracts(section: ContractsSection, registry: RegistrySection | null): readonly PolicyWarning[] {
  const states = new Set([...section.tables.map((table) => table.name), ...section.providers.map((provider) => provider.name)])
  return section.all.flatMap((contract) => [
    ...contract.constraints.flatMap((constraint) => lintConstraint(constraint, contract, states)),
    ...contradictions(boundsOf(contract)).map(({ place, message }) => warning('lint.contract_contradiction', message, place)),
    ...lintExamples(contract, registry?.tools.get(contract.tool)?.inputSchema ?? null),
  ])
}

function warning(code: string, message: string, place: Constraint['place']): PolicyWarning {
  return { code, message, ...(place.path === null ? {} : { path: place.path }), line: place.line, column: place.column }
}

function lintConstraint(constraint: Constraint, contract: Contract, states: ReadonlySet<string>): readonly PolicyWarning[] {
  const { relation, place, guard, id } = constraint
  const warnings: PolicyWarning[] = []
  const name = `\`${id}\` of \`${contract.tool}\``
  const never = guard === null ? neverHolds(relation, contract.params) : null
  if (never !== null) warnings.push(warning('lint.contract_never', `${name} can never hold: ${never}`, place))
  const always = never === null ? neverFails(relation, contract.params) : null
  if (always !== null) warnings.push(warning('lint.contract_always', `${name} can never fail: ${always}`, place))
  const operands = operandsOf(relation)
  for (const field of new Set(operands.flatMap(fieldsOf))) {
    const hint = strangeField(field, contract)
    if (hint !== null) warnings.push(warning('lint.contract_field', `${name} looks at \`${field}\`, which is no parameter${hint}`, place))
  }
  for (const key of new Set(operands.flatMap(statesOf))) {
    if (states.has(key) || (contract.state !== null && Object.hasOwn(contract.state, key))) continue
    const near = nearest(key, states)
    const hint = near === null ? '' : `; did you mean \`${near}\`?`
    warnings.push(warning('lint.contract_state', `${name} looks at the state \`${key}\`, which nothing provides${hint}`, place))
  }
  return warnings
}

/** Null where the field is a parameter, or the contract does not say what its parameters are. */
function strangeField(field: string, { params }: Contract): string | null {
  if (params.length === 0 || params.some((param) => param.name === field)) return null
  const near = nearest(
    field,
    params.map((param) => param.name),
  )
  return near === null ? '' : `; did you mean \`${near}\`?`
}

function fieldsOf(operand: Operand): readonly string[] {
  const [step] = operand.kind === 'field' ? operand.path.steps : []
  const mine = typeof step === 'object' && 'key' in step ? [step.key] : []
  return [...mine, ...partsOf(operand).flatMap(fieldsOf)]
}

/** A constraint that flags what the tool itself gives as an example is wrong about the tool. */
function lintExamples(contract: Contract, schema: JsonObject | null): readonly PolicyWarning[] {
  return examplesOf(schema).flatMap((args) => {
    const { violations } = evaluateContract(contract, inputOf({ args, contract }))
    if (violations.length === 0) return []
    const shown = JSON.stringify(args).slice(0, 80)
    const texts = violations.map((each) => each.text).join('; ')
    return [
      warning(
        'lint.contract_example',
        `the contract of \`${contract.tool}\` flags the example \`${shown}\` of the tool's own schema: ${texts}`,
        contract.place,
      ),
    ]
  })
}

/** Complete argument objects that a schema gives as examples. */
export function examplesOf(schema: JsonObject | null): readonly JsonObject[] {
  const given: Json | undefined = schema === null ? undefined : own(schema, 'examples')
  return Array.isArray(given) ? given.filter((each): each is JsonObject => isJsonObject(each as Json)) : []
}
