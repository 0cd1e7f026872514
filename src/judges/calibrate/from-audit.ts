/**
 * What people said to asks, as labels: a yes is a benign call, a no is none, and the judge's figures are in the record of the
 * decision that asked. Only calls that somebody was asked about have such labels, which is not how calls are on average. Pure.
 */
import { isJsonObject, type Json, type JsonObject, own } from '../../core/json.ts'
import type { Sample } from './sample.ts'

/** A record of the log, as far as it matters here. */
export interface Logged {
  readonly kind: string
  readonly session: string | null
  readonly body: JsonObject
}

/** A judge as it is configured: what it said when it was another one, under the same name, is no sample of it. */
export interface Measured {
  readonly name: string
  /** Of `judgeDigest`. */
  readonly config: string
}

/** One sample per ask that people settled and the judge answered, in the order of the log. A later word of people holds. */
export function samplesFromAudit(records: Iterable<Logged>, judge: Measured): readonly Sample[] {
  const asked = new Map<string, Omit<Sample, 'benign'>>()
  const said = new Map<string, boolean>()
  for (const record of records) {
    if (record.kind === 'decision') noteAsk(record, judge, asked)
    else if (record.kind === 'approval') noteWord(record.body, said)
  }
  return [...asked].flatMap(([id, figures]) => {
    const benign = said.get(id)
    return benign === undefined ? [] : [{ ...figures, benign }]
  })
}

function noteAsk({ session, body }: Logged, judge: Measured, asked: Map<string, Omit<Sample, 'benign'>>): void {
  const decision = object(own(body, 'decision'))
  const id = own(object(own(decision, 'approval')), 'id')
  if (typeof id !== 'string' || asked.has(id)) return
  const given = [...list(own(decision, 'findings')), ...list(own(decision, 'resolutions'))].map((each) => own(object(each), 'evidence'))
  const figures = given.map((evidence) => figuresOf(evidence, judge)).find((found) => found !== null)
  if (figures !== undefined && figures !== null) asked.set(id, { ...figures, group: session ?? id })
}

/** Of the judge itself, or of it as a member of a tribunal. */
function figuresOf(evidence: Json | undefined, judge: Measured): { readonly score: number; readonly confidence: number } | null {
  if (!isJsonObject(evidence)) return null
  if (own(evidence, 'judge') === judge.name) {
    if (own(evidence, 'config') !== judge.config) return null
    const score = own(evidence, 'raw_score') ?? own(evidence, 'score')
    const confidence = own(evidence, 'confidence') ?? 1
    return typeof score === 'number' && typeof confidence === 'number' ? { score, confidence } : null
  }
  for (const member of list(own(evidence, 'members'))) {
    const found = figuresOf({ ...object(member), members: [] }, judge)
    if (found !== null) return found
  }
  return null
}

function noteWord(body: JsonObject, said: Map<string, boolean>): void {
  const id = own(body, 'approval')
  const happened = list(own(body, 'happened'))
  if (typeof id !== 'string') return
  if (happened.includes('denied')) said.set(id, false)
  else if (happened.includes('approved')) said.set(id, true)
}

function object(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {}
}

function list(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : []
}
