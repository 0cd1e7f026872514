/** One decision in a list of them, as the API and the command line tell it. */
import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts'
import type { StoredRecord } from '../../store/store.ts'
import { at } from '../log.ts'
import { flowsOf, labelsOf } from './timeline.ts'

const TEXT_IN_SUMMARY = 100
const SUMMARY = 240

/** @param step number of the call in its session, where that is known. */
export function rowOf(record: StoredRecord, step: number | undefined): JsonObject {
  const { id, session, tool, decision, code } = record
  const reason = at(record, 'decision', 'reason')
  const would = at(record, 'decision', 'would')
  return {
    id,
    at: new Date(record.at).toISOString(),
    session,
    tool,
    decision,
    ...(typeof would === 'string' ? { would } : {}),
    code,
    reason: typeof reason === 'string' ? reason : null,
    summary: summaryOf(at(record, 'call', 'args')),
    risk: Number(at(record, 'decision', 'risk', 'score') ?? 0),
    ...(step === undefined ? {} : { step }),
    flows: [...flowsOf(record)],
    labels: [...labelsOf(record)],
  }
}

/** Where it is too long, each text in it is cut first: one of them must not hide the others. Never ends inside of a pair of surrogates. */
function summaryOf(args: Json): string {
  if (!isJsonObject(args)) return ''
  const whole = JSON.stringify(args)
  if (whole.length <= SUMMARY) return whole
  const text = JSON.stringify(Object.fromEntries(Object.entries(args).map(([name, value]) => [name, shortened(value)])))
  return text.length <= SUMMARY ? text : `${[...text.slice(0, SUMMARY)].slice(0, -1).join('')}…`
}

function shortened(value: Json): Json {
  return typeof value === 'string' && value.length > TEXT_IN_SUMMARY
    ? `${[...value.slice(0, TEXT_IN_SUMMARY)].slice(0, -1).join('')}…`
    : value
}
