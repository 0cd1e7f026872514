/** Records of the log as events: what is told is little, and the same for everybody who may see the record. */
import type { StoredRecord } from '../store/store.ts'
import { at } from './log.ts'

/** What is told of a record: little enough to be handed from thread to thread. */
export interface Heard extends Pick<StoredRecord, 'sequence' | 'id' | 'kind' | 'at' | 'session' | 'tenant' | 'tool' | 'decision' | 'code'> {
  /** Ids of approvals that it opened, answered or used. */
  readonly approvals: readonly string[]
}

export function heardOf(record: StoredRecord): Heard {
  const { sequence, id, kind, at: time, session, tenant, tool, decision, code } = record
  return { sequence, id, kind, at: time, session, tenant, tool, decision, code, approvals: approvalsOf(record) }
}

/** An approval's state by its id; null where it is not there for the listener. */
export type Look = (id: string) => { readonly id: string; readonly status: string; readonly version: number } | null

/**
 * The events of one record, as text. Only the last one carries the id: a listener that was cut off in between is told all of them
 * again, never too few.
 */
export function eventsOf(record: Heard, look: Look): readonly string[] {
  const events = [
    ...record.approvals.flatMap((id) => told('approval', stateOf(look(id)))),
    ...(record.kind === 'decision' ? told('decision', decisionOf(record)) : []),
  ]
  return events.map((text, index) => (index === events.length - 1 ? `id: ${record.sequence}\n${text}` : text))
}

function told(event: string, data: object | null): readonly string[] {
  return data === null ? [] : [`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`]
}

function stateOf(found: ReturnType<Look>): object | null {
  return found === null ? null : { id: found.id, status: found.status, version: found.version }
}

function decisionOf({ id, at: time, session, tool, decision, code }: Heard): object {
  return { id, at: new Date(time).toISOString(), session, tool, decision, code }
}

/** Approvals that a record opened, answered or used. */
function approvalsOf(record: StoredRecord): readonly string[] {
  const found = new Set<string>()
  const add = (id: unknown): void => {
    if (typeof id === 'string' && id !== '') found.add(id)
  }
  if (record.kind === 'approval') add(at(record, 'approval'))
  if (record.kind === 'decision') {
    add(at(record, 'decision', 'approval', 'id'))
    const resolutions = at(record, 'decision', 'resolutions')
    for (const each of Array.isArray(resolutions) ? resolutions : []) if (each?.by === 'human') add(each.id)
  }
  return [...found]
}
