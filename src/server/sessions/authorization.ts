/** What the newest request of a session authorises, for people: by its own words, and by the graph that a judge made of it. */
import { linesOfWords } from '../../authorization/graph/words.ts'
import { readTask } from '../../authorization/task.ts'
import { isJsonObject, type Json, type JsonObject, own } from '../../core/json.ts'
import type { GateStore } from '../../open.ts'
import { at, pageOf } from '../log.ts'

export interface SessionAuthorization extends JsonObject {
  /** As the log has it, with what was erased; null: nobody vouches for one. */
  readonly request: string | null
  readonly words: readonly string[]
  /** Null: no judge read this request. */
  readonly graph: {
    readonly judge: string
    readonly at: string
    /** Null: the judge gave none. */
    readonly permits: readonly string[] | null
    /** Why there is none; null where there is one. */
    readonly problem: string | null
  } | null
}

const NOTHING: SessionAuthorization = { request: null, words: [], graph: null }
/** Events of the session that are looked through for its graph. */
const NEWEST = 50

export async function authorizationOf(
  store: Pick<GateStore, 'query' | 'read'>,
  { session, tenant }: { readonly session: string; readonly tenant: string | null },
): Promise<SessionAuthorization> {
  const mine = tenant === null ? {} : { tenant }
  const { records } = await pageOf(store, { kind: 'decision', session, limit: 1, ...mine })
  const [newest] = records
  const context = newest === undefined ? null : at(newest, 'call', 'context')
  const request = isJsonObject(context) && own(context, 'task_vouched') === true ? own(context, 'task') : null
  if (typeof request !== 'string') return NOTHING
  const events = await pageOf(store, { kind: 'session', session, limit: NEWEST, ...mine })
  const made = events.records.find((record) => at(record, 'event') === 'authorization_graph' && at(record, 'request') === request)
  return {
    request,
    words: linesOfWords(readTask(request)),
    graph:
      made === undefined
        ? null
        : {
            judge: textOf(at(made, 'judge', 'judge')) ?? '',
            at: new Date(made.at).toISOString(),
            permits: textsOf(at(made, 'permits')),
            problem: made.code === null ? null : (textOf(at(made, 'judge', 'reasoning')) ?? made.code),
          },
  }
}

/** As lines for a terminal. */
export function authorizationLines({ words, graph }: SessionAuthorization): readonly string[] {
  const told = words.map((line) => `  request ${line}`)
  if (graph === null) return told
  const permits = graph.permits ?? [`no graph: ${graph.problem ?? 'for no reason that is known'}`]
  return [...told, ...(permits.length === 0 ? ['it authorises nothing'] : permits).map((line) => `  ${graph.judge}  ${line}`)]
}

function textOf(value: Json | undefined): string | null {
  return typeof value === 'string' ? value : null
}

function textsOf(value: Json | undefined): readonly string[] | null {
  return Array.isArray(value) ? value.filter((each: Json): each is string => typeof each === 'string') : null
}
