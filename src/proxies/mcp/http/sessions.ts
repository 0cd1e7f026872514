/** Whose traffic a request belongs to: that of its session, or, where the protocol has none, that of its caller. */
import { hash } from 'node:crypto'
import type { Principal } from '../../../core/call.ts'
import { sessionName } from '../../../core/session-name.ts'
import type { ClientFacts } from '../shared.ts'
import type { Traffic } from '../traffic.ts'

/** Who sends a request. */
export interface HttpCaller {
  readonly principal: Principal
  /** Names the caller's sessions; null: the gate's own user. */
  readonly owner: string | null
  /** As the caller names the session, where it does. */
  readonly session: string | null
}

export interface SessionParts {
  /** New traffic under this name of a session. */
  readonly create: (principal: Principal, session: string, facts?: ClientFacts) => Traffic
  /** The session of all calls, where the operator names one. */
  readonly session: string | null
}

export interface Sessions {
  /** The caller's traffic outside of any session. */
  readonly shared: (caller: HttpCaller) => Traffic
  /** Null: the session is somebody else's. */
  readonly of: (id: string, caller: HttpCaller) => Traffic | null
  readonly begin: (id: string, caller: HttpCaller, facts: ClientFacts) => Traffic
  readonly end: (id: string) => void
  readonly size: () => number
}

interface Entry {
  readonly owner: string
  readonly traffic: Traffic
}

/** Sessions and callers that are remembered; those that were not heard of for the longest time are forgotten first. */
const MAX_SESSIONS = 100_000

export function createSessions({ create, session: fixed }: SessionParts): Sessions {
  const sessions = new Map<string, Entry>()
  const callers = new Map<string, Traffic>()
  const run = crypto.randomUUID()
  const named = (caller: HttpCaller, name: string): string => fixed ?? sessionName({ name: caller.session ?? name, owner: caller.owner })
  const touch = <T>(map: Map<string, T>, key: string, value: T): T => {
    map.delete(key)
    map.set(key, value)
    const [oldest] = map.keys()
    if (map.size > MAX_SESSIONS && oldest !== undefined) map.delete(oldest)
    return value
  }
  const begin: Sessions['begin'] = (id, caller, facts) => {
    // Who knows the id can act in the session: the log must not hold it.
    const name = `mcp-${hash('sha256', `countersign/mcp-session/v1\n${id}`).slice(0, 24)}`
    const traffic = create(caller.principal, named(caller, name), facts)
    touch(sessions, id, { owner: ownerOf(caller), traffic })
    return traffic
  }
  return {
    begin,
    shared: (caller) => {
      const key = JSON.stringify([ownerOf(caller), caller.session, caller.principal])
      return touch(callers, key, callers.get(key) ?? create(caller.principal, named(caller, `mcp-${run}`)))
    },
    of: (id, caller) => {
      const known = sessions.get(id)
      // Not ours: the server knows it from before, or does not and will say so.
      if (known === undefined) return begin(id, caller, { name: null, capabilities: {} })
      if (known.owner !== ownerOf(caller)) return null
      return touch(sessions, id, known).traffic
    },
    end: (id) => sessions.delete(id),
    size: () => sessions.size,
  }
}

function ownerOf({ owner, principal: { user, tenant } }: HttpCaller): string {
  return JSON.stringify([owner, user, tenant])
}
