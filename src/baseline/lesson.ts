/** What a record of the log teaches: only a call that was allowed without doubt teaches by itself. Pure. */
import { type Term, UNITS, type Unit } from '../core/behaviour.ts'
import { isJsonObject, type Json, type JsonObject, own } from '../core/json.ts'
import { MAX_TERMS } from './observe.ts'

/** `plain`: counts. `flagged`: nothing but the baseline spoke against it; what is new in it waits for people. */
export interface Lesson {
  readonly kind: 'plain' | 'flagged'
  /** Empty: calls without a role. */
  readonly role: string
  readonly terms: readonly Term[]
}

/** A session whose risk is as high teaches nothing: one denial is enough. */
const RISKY = 0.2

/** As evidence of a finding, which is how a record keeps what was observed. */
export function observationJson(role: string | null, terms: readonly Term[], bits: number): JsonObject {
  return { role, bits, terms: terms.map(({ unit, context, value }) => [unit, context, value]) }
}

/** @param body of a record of kind `decision`. Null: it teaches nothing. */
export function lessonOf(body: JsonObject): Lesson | null {
  const decision = own(body, 'decision')
  // What shadow mode let run was not allowed without doubt.
  if (!isJsonObject(decision) || own(decision, 'would') !== undefined) return null
  const findings = listOf(own(decision, 'findings'))
  const kind = kindOf(decision, findings)
  const evidence = findings.find((finding) => own(finding, 'code') === 'baseline.observed')?.evidence
  if (kind === null || !isJsonObject(evidence)) return null
  const [role, terms] = [own(evidence, 'role') ?? null, own(evidence, 'terms')]
  if ((role !== null && typeof role !== 'string') || !Array.isArray(terms)) return null
  return { kind, role: role ?? '', terms: terms.slice(0, MAX_TERMS).flatMap((each: Json) => termOf(each) ?? []) }
}

function kindOf(decision: JsonObject, findings: readonly JsonObject[]): Lesson['kind'] | null {
  const risk = own(decision, 'risk')
  const score = isJsonObject(risk) ? own(risk, 'score') : null
  if (typeof score !== 'number' || score >= RISKY) return null
  const doubts = findings.filter((finding) => !QUIET.has(String(own(finding, 'verdict'))) && own(finding, 'code') !== 'baseline.cold')
  const outcome = own(decision, 'decision')
  if (doubts.some((finding) => own(finding, 'layer') !== 'baseline')) return null
  const answers = listOf(own(decision, 'resolutions'))
  if (answers.some((answer) => own(answer, 'by') !== 'human')) return null
  if ((outcome !== 'allow' && outcome !== 'flag') || (outcome === 'flag' && answers.length > 0)) return null
  return doubts.length === 0 && answers.length === 0 ? 'plain' : 'flagged'
}

const QUIET: ReadonlySet<string> = new Set(['abstain', 'allow'])

function listOf(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}

const KNOWN: ReadonlySet<string> = new Set(UNITS)

function termOf(value: Json): Term | null {
  if (!Array.isArray(value)) return null
  const [unit, context, name] = value as readonly Json[]
  if (typeof unit !== 'string' || !KNOWN.has(unit) || typeof context !== 'string' || typeof name !== 'string') return null
  return /[\t\n]/.test(context + name) ? null : { unit: unit as Unit, context, value: name }
}
