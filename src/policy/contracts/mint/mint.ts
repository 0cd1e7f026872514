/**
 * Proposes a catalogue of contracts from schemas and recorded calls. Candidates are guessed first and judged after: one that
 * flags a call that was right is dropped, whatever it was guessed from (the seed's false-positive gate), and so is one that too
 * few calls could have violated. What is left is a proposal for a person to read, not a policy.
 */
import type { Json, JsonObject } from '../../../core/json.ts'
import { readCatalogue } from '../catalogue.ts'
import { evaluateContract } from '../evaluate.ts'
import { inputOf } from '../input.ts'
import { neverFails } from '../lint/settled.ts'
import type { Constraint } from '../model.ts'
import { evaluateRelation } from '../relations.ts'
import { type DraftParam, draftParams } from './params.ts'
import { draftConstraints } from './relations.ts'

/** What is known of one tool. */
export interface Evidence {
  readonly tool: string
  readonly description: string | null
  readonly schema: JsonObject | null
  /** Arguments of calls that were right. */
  readonly examples: readonly JsonObject[]
}

export interface Dropped {
  readonly tool: string
  readonly what: string
  readonly why: string
}

export interface Proposal {
  /** In the format of `tool-contracts.json`. */
  readonly catalogue: JsonObject
  readonly dropped: readonly Dropped[]
}

/** Right calls that a relation must have been told of before it is proposed. */
const FEWEST_WITNESSES = 8

/** A proposal for these tools; a tool of which nothing can be said is left out. */
export function mintContracts(tools: readonly Evidence[]): Proposal {
  const dropped: Dropped[] = []
  const catalogue: Record<string, Json> = Object.create(null)
  for (const evidence of tools) {
    const draft = mintTool(evidence, dropped)
    if (draft !== null) catalogue[evidence.tool] = draft
  }
  return { catalogue, dropped }
}

function mintTool(evidence: Evidence, dropped: Dropped[]): JsonObject | null {
  const { tool, examples, schema, description } = evidence
  const drop = (what: string, why: string) => dropped.push({ tool, what, why })
  const params = draftParams(schema, examples).map((param) => gateParam(param, examples, drop))
  const constraints = mintConstraints(evidence, params, drop)
  if (params.length === 0 && constraints.length === 0) return null
  return { ...(description === null || description === '' ? {} : { contract: description }), params, constraints }
}

type Drop = (what: string, why: string) => void

/** The parameter without every rule that flags a right call. */
function gateParam(param: DraftParam, examples: readonly JsonObject[], drop: Drop): DraftParam {
  const kept: Record<string, Json> = { name: param.name as Json }
  for (const [key, value] of Object.entries(param)) {
    if (key === 'name') continue
    const why = wrongRule({ name: param.name as Json, [key]: value }, examples)
    if (why === null) kept[key] = value
    else drop(`\`${key}\` of \`${String(param.name)}\``, why)
  }
  return kept
}

/** Why a parameter with this one rule is not proposed, or null. */
function wrongRule(param: DraftParam, examples: readonly JsonObject[]): string | null {
  const { contracts, errors } = readCatalogue(JSON.stringify({ t: { params: [param] } }), 'draft', 'advisory')
  const [contract] = contracts
  if (contract === undefined || errors.length > 0) return errors[0]?.message ?? 'it cannot be used'
  const flagged = examples.find((args) => evaluateContract(contract, inputOf({ args, contract })).violations.length > 0)
  return flagged === undefined ? null : `it flags ${shown(flagged)}`
}

function mintConstraints({ examples }: Evidence, params: readonly DraftParam[], drop: Drop): readonly JsonObject[] {
  const drafts = draftConstraints(params, examples)
  if (drafts.length === 0) return []
  const [contract] = readCatalogue(JSON.stringify({ t: { params, constraints: drafts } }), 'draft', 'advisory').contracts
  const kept: { readonly draft: JsonObject; readonly constraint: Constraint }[] = []
  for (const [index, constraint] of (contract?.constraints ?? []).entries()) {
    const draft = drafts[index] ?? {}
    const why = contract === undefined ? null : (refuted(constraint, examples) ?? neverFails(constraint.relation, contract.params))
    if (why === null) kept.push({ draft, constraint })
    else drop(JSON.stringify(draft), why)
  }
  return kept.filter(({ constraint }) => !implied(constraint, kept)).map(({ draft }) => draft)
}

/** Why the relation is not proposed, or null. */
function refuted({ relation }: Constraint, examples: readonly JsonObject[]): string | null {
  let witnesses = 0
  let applied = 0
  for (const args of examples) {
    const outcome = evaluateRelation(relation, inputOf({ args, contract: { state: null } }))
    if (outcome.kind === 'violated') return `it flags ${shown(args)}`
    if (outcome.kind === 'holds') witnesses++
    if (relation.kind !== 'requires' || applies(relation, args)) applied++
  }
  if (witnesses < FEWEST_WITNESSES || applied < FEWEST_WITNESSES) return `only ${Math.min(witnesses, applied)} calls could have told`
  return relation.kind === 'requires' && examples.length === applied ? 'it holds whatever the condition is' : null
}

function applies({ when }: Extract<Constraint['relation'], { kind: 'requires' }>, args: JsonObject): boolean {
  return when.test !== 'presence' && 'equals' in when.test && args[when.field.text] === when.test.equals
}

/** `ge 0` beside `ge 1` says nothing. */
function implied({ relation }: Constraint, kept: readonly { readonly constraint: Constraint }[]): boolean {
  if (relation.kind !== 'cmp' || relation.right.kind !== 'literal' || relation.right.value !== 0) return false
  const { left } = relation
  return kept.some(({ constraint: { relation: other } }) => {
    if (other.kind !== 'cmp' || other.right.kind !== 'literal' || other.right.value !== 1) return false
    return other.left.kind === 'field' && left.kind === 'field' && other.left.path.text === left.path.text
  })
}

function shown(args: JsonObject): string {
  const text = JSON.stringify(args)
  return text.length <= 120 ? text : `${text.slice(0, 120)}…`
}
