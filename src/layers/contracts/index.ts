/**
 * Role OS's conformance floor: proves violations of a tool's contract or schema, and nothing else. It flags by default, so that
 * the agent hears of it; it never permits, never says that a call conforms, and defers on what it cannot tell (D2).
 */
import type { Finding } from '../../core/finding.ts'
import type { JsonObject } from '../../core/json.ts'
import { ENFORCEMENTS, type Enforcement, enforced } from '../../core/verdict.ts'
import { type Deferred, evaluateContract, type Violation } from '../../policy/contracts/evaluate.ts'
import { inputOf } from '../../policy/contracts/input.ts'
import type { Contract } from '../../policy/contracts/model.ts'
import { ruleInput } from '../../policy/reading/input.ts'
import { finding } from '../finding.ts'
import type { Layer, LayerInput } from '../layer.ts'
import { schemaViolations } from './schemas.ts'

const LAYER = 'contract'
const NOTHING: readonly Finding[] = []
const NONE: readonly string[] = []
const NO_NAMES: ReadonlySet<string> = new Set()

export const contracts: Layer = {
  name: LAYER,
  onError: 'ask',
  evaluate: (input: LayerInput): readonly Finding[] => {
    const { call, policy } = input
    const contracts = policy.contracts.forTool(call.tool.server, call.tool.name)
    const found = contracts.length === 0 ? NOTHING : contracts.flatMap((contract) => judge(contract, input))
    const schema = schemaFinding(input)
    return schema === null ? found : [...found, schema]
  },
}

function judge(contract: Contract, { call, facts, state }: LayerInput): readonly Finding[] {
  const variables = () => ruleInput(call, facts).condition
  const evaluation = evaluateContract(
    contract,
    inputOf({ args: call.args, contract, tables: state.tables, failed: failedOf(state), now: state.now, variables }),
  )
  const { deferred } = evaluation
  const base = { rule: contract.tool, tool: call.tool.name, code: 'contract.violated' } as const
  if (evaluation.violations.length === 0 && deferred.length === 0) return NOTHING
  const violated = ENFORCEMENTS.flatMap((level) => byLevel(level, evaluation.violations, base) ?? [])
  return deferred.length === 0 ? violated : [...violated, ...untold(contract, deferred, state.unanswered)]
}

function failedOf({ unanswered }: LayerInput['state']): ReadonlySet<string> {
  if (unanswered.size === 0) return NO_NAMES
  return new Set([...unanswered].filter(([, { failed }]) => failed).map(([provider]) => provider))
}

function schemaFinding({ call, policy }: LayerInput): Finding | null {
  const { check, enforcement } = policy.contracts.schemas
  const texts = check ? schemaViolations(call, policy) : NONE
  if (texts.length === 0) return null
  const violations = texts.map((text): Violation => ({ rung: 'schema', constraint: null, enforcement, text, note: text }))
  return byLevel(enforcement, violations, { rule: 'schema', tool: call.tool.name, code: 'contract.schema' })
}

interface Naming {
  readonly rule: string
  readonly tool: string
  readonly code: 'contract.violated' | 'contract.schema'
}

/** One finding per level, so that what is only advisory does not become more by standing beside what is not. */
function byLevel(level: Enforcement, violations: readonly Violation[], { rule, tool, code }: Naming): Finding | null {
  const mine = violations.filter((violation) => violation.enforcement === level)
  if (mine.length === 0) return null
  const say = (texts: readonly string[]) => [...new Set(texts)].join('; ')
  const notes = say(mine.map(({ note }) => note)).replace(/\.$/, '')
  const advice = `Tool-call conformance (${level}): the "${tool}" call appears nonconformant: ${notes}.`
  return finding({
    layer: LAYER,
    rule,
    verdict: enforced(level),
    code,
    message: `the \`${tool}\` call appears nonconformant: ${say(mine.map(({ text }) => text))}`,
    advice,
    evidence: { violations: mine.map(evidenceOf) },
  })
}

function evidenceOf({ rung, constraint, text }: Violation): JsonObject {
  return { rung, constraint, text }
}

/**
 * What could not be told. Alone it is a trace that neither raises nor permits; but where a lookup failed, whoever can make it fail
 * would be rid of the contract, so that it counts as violated at its level.
 */
function untold({ tool }: Contract, deferred: readonly Deferred[], unanswered: LayerInput['state']['unanswered']): readonly Finding[] {
  const reasons = [...unanswered].map(([provider, { why }]) => `\`${provider}\`: ${why}`)
  const counts = ({ failed, enforcement }: Deferred): boolean => failed && enforcement !== 'advisory'
  const said = (verdict: Finding['verdict'], which: readonly Deferred[]): readonly Finding[] => {
    if (which.length === 0) return NOTHING
    const ids = which.map(({ constraint }) => constraint)
    const message = [`of the contract of \`${tool}\`, ${ids.map((id) => `\`${id}\``).join(', ')} could not be told`, ...reasons].join('; ')
    const code = verdict === 'abstain' ? 'contract.deferred' : 'infra.lookup'
    return [
      finding({
        layer: LAYER,
        rule: tool,
        verdict,
        code,
        message,
        evidence: { deferred: ids, ...(reasons.length === 0 ? {} : { reasons }) },
      }),
    ]
  }
  const traces = said(
    'abstain',
    deferred.filter((each) => !counts(each)),
  )
  const levels = ENFORCEMENTS.flatMap((level) =>
    said(
      enforced(level),
      deferred.filter((each) => counts(each) && each.enforcement === level),
    ),
  )
  return [...levels, ...traces]
}
