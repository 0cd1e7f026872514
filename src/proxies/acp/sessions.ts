/** What is known of the sessions between one editor and its agent: where each works, and the tool calls that the agent told of. */

import type { ToolCall } from '../../core/call.ts'
import { canonicalJson } from '../../core/canonical.ts'
import { isJsonObject, type Json, type JsonObject, own } from '../../core/json.ts'
import { createMemory } from '../mcp/memory.ts'
import { type Id, idKey, type Request } from '../mcp/message.ts'

/** A tool call of the agent, as far as it was told: later messages name only what is new. */
export interface Told {
  readonly fields: JsonObject
  /** What of it was decided, as `keyOf`; null: nothing yet. */
  readonly decided: string | null
  readonly calls: readonly ToolCall[]
  /** It has to be asked about, and was not. */
  readonly owing: boolean
  /** Its result was kept. */
  readonly over: boolean
}

const NOTHING: Told = { fields: {}, decided: null, calls: [], owing: false, over: false }

export interface Sessions {
  /** A request of the client that opens, loads or resumes a session. */
  readonly opening: (request: Request) => void
  /** Its answer, with the id of the session. */
  readonly opened: (id: Id, result: Json | undefined) => void
  readonly directoryOf: (session: Json | undefined) => string | null
  readonly told: (session: string, toolCallId: string) => Told
  readonly keep: (session: string, toolCallId: string, told: Told) => void
  /** What a person or the policy let through: each covers what is announced with the same words. */
  readonly cover: (session: string, key: string) => void
  readonly isCovered: (session: string, key: string) => boolean
  /** The user said something: what they agreed to before, and the agent did not do, is over. */
  readonly turn: (session: Json | undefined) => void
  /** A yes of the person at the editor: good for one request of the same words, in the same turn. */
  readonly agree: (session: string, key: string) => void
  readonly takeAgreed: (session: string, key: string) => boolean
}

const MAX_SESSIONS = 1_000
const MAX_CALLS = 10_000

const OPENING: ReadonlySet<string> = new Set(['session/new', 'session/load', 'session/resume', 'session/fork'])

export function createSessions(): Sessions {
  const asked = createMemory<string>(MAX_SESSIONS)
  const directories = createMemory<string>(MAX_SESSIONS)
  const calls = createMemory<Told>(MAX_CALLS)
  const covered = createMemory<true>(MAX_CALLS)
  const agreed = createMemory<true>(MAX_CALLS)
  const turn = createMemory<number>(MAX_SESSIONS)
  const name = (session: string, id: string): string => JSON.stringify([session, id])
  const inTurn = (session: string, key: string): string => JSON.stringify([session, turn.get(session), key])
  return {
    opening: ({ id, method, params }) => {
      const cwd = own(params, 'cwd')
      if (!OPENING.has(method) || typeof cwd !== 'string') return
      const session = own(params, 'sessionId')
      if (typeof session === 'string' && method !== 'session/fork') directories.set(session, cwd)
      else asked.set(idKey(id), cwd)
    },
    opened: (id, result) => {
      const cwd = asked.take(idKey(id))
      const session = isJsonObject(result) ? own(result, 'sessionId') : undefined
      if (cwd !== null && typeof session === 'string') directories.set(session, cwd)
    },
    directoryOf: (session) => (typeof session === 'string' ? directories.get(session) : null),
    told: (session, id) => calls.get(name(session, id)) ?? NOTHING,
    keep: (session, id, told) => calls.set(name(session, id), told),
    cover: (session, key) => covered.set(name(session, key), true),
    isCovered: (session, key) => covered.get(name(session, key)) !== null,
    turn: (session) => {
      if (typeof session === 'string') turn.set(session, (turn.get(session) ?? 0) + 1)
    },
    agree: (session, key) => agreed.set(inTurn(session, key), true),
    takeAgreed: (session, key) => agreed.take(inTurn(session, key)) !== null,
  }
}

/** What was decided, to tell it from something else under the same id: the same words in another directory are something else. */
export function keyOf(calls: readonly ToolCall[]): string {
  return canonicalJson(calls.map(({ tool, args, cwd }) => [tool.server, tool.name, args, cwd]))
}

/** The tool call with what this message says of it. */
export function merged(before: JsonObject, said: JsonObject): JsonObject {
  const given = Object.entries(said).filter(([, value]) => value !== null)
  return { ...before, ...Object.fromEntries(given) }
}
