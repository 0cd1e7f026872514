/** What a decision adds to the timeline of its session: its place in it, where its arguments come from, and what it touches. */
import { isJsonObject, type Json, type JsonObject, own } from '../../core/json.ts'
import type { GateStore } from '../../open.ts'
import type { StoredRecord } from '../../store/store.ts'
import { at } from '../log.ts'

/** Decisions of a session up to one of them, which is the number of its call. */
const PLACE = `SELECT count(*) AS place FROM records WHERE session = ? AND tenant IS ? AND kind = 'decision' AND sequence <= ?`

/**
 * Numbers of the calls of one session, from 1, by the ids of their records.
 * @param records all decisions of a part of the session, newest first.
 */
export function placesIn(store: Pick<GateStore, 'query'>, records: readonly StoredRecord[]): ReadonlyMap<string, number> {
  const [newest] = records
  if (newest === undefined) return new Map()
  const { session, tenant, sequence } = newest
  const row = store.query((tx) => tx.get(PLACE, session, tenant, sequence))
  const last = Number(row?.place ?? records.length)
  return new Map(records.filter((record) => record.tenant === tenant).map(({ id }, index) => [id, last - index]))
}

/** Where arguments come from that the user did not name. */
export function flowsOf(record: StoredRecord): readonly Json[] {
  const flows = at(record, 'decision', 'flows')
  return Array.isArray(flows) ? flows.map(withSource) : []
}

function withSource(flow: Json): Json {
  return isJsonObject(flow) ? { ...flow, source: own(flow, 'source') ?? null } : flow
}

/** What an effect says about the data of its call, in the words of the rules over time. */
const LABELS: readonly (readonly [label: string, fits: (effect: JsonObject) => boolean])[] = [
  [
    'secret',
    (effect) => own(effect, 'action') === 'secret:read' || (own(effect, 'verb') === 'read' && classes(effect).includes('credential')),
  ],
  ['untrusted input', (effect) => own(effect, 'verb') === 'fetch' || (own(effect, 'verb') === 'read' && kindOf(effect) === 'resource')],
  ['leaves', (effect) => LEAVING.has(String(own(effect, 'verb')))],
  ['cannot be undone', (effect) => own(effect, 'reversible') === false && CHANGING.has(String(own(effect, 'verb')))],
]
const LEAVING: ReadonlySet<string> = new Set(['send', 'pay', 'publish'])
const CHANGING: ReadonlySet<string> = new Set(['delete', 'change', 'write', 'pay', 'publish', 'send'])

function kindOf(effect: JsonObject): Json | undefined {
  const target = own(effect, 'target')
  return isJsonObject(target) ? own(target, 'kind') : undefined
}

function classes(effect: JsonObject): readonly Json[] {
  const target = own(effect, 'target')
  const found = isJsonObject(target) ? own(target, 'classes') : null
  return Array.isArray(found) ? found : []
}

export function labelsOf(record: StoredRecord): readonly string[] {
  const effects = at(record, 'decision', 'effects')
  const known = Array.isArray(effects) ? effects.filter(isJsonObject) : []
  return LABELS.flatMap(([label, fits]) => (known.some(fits) ? [label] : []))
}
