/**
 * Tools that an agent runs by itself: the editor is only told of them. What is denied ends the agent's turn as soon as the agent says that it
 * runs; what people should have been asked about, once it is done and nobody was.
 */
import { CODES } from '../../core/codes.ts'
import { isJsonObject, type JsonObject, own } from '../../core/json.ts'
import { runs } from '../../core/verdict.ts'
import type { Exchange } from '../mcp/shared.ts'
import type { SessionParts } from '../session-parts.ts'
import { cancelNotice, saidNotice, type Why } from './answers.ts'
import { proposalsOf } from './calls.ts'
import type { CallsOf } from './deciding.ts'
import type { AcpSide } from './parts.ts'
import { keyOf, merged, type Sessions, type Told } from './sessions.ts'

export interface Watch {
  /** What an agent says of its session. Never rejects. */
  readonly updated: (params: JsonObject, exchange: Exchange) => Promise<void>
}

interface WatchParts {
  readonly parts: SessionParts
  readonly side: AcpSide
  readonly sessions: Sessions
  readonly callsOf: CallsOf
}

interface Update {
  readonly session: string
  readonly id: string
  readonly status: unknown
  readonly told: Told
}

export function createWatch(given: WatchParts): Watch {
  const { parts, sessions } = given
  /** One after another: what a message says is known before the next is looked at. */
  let before: Promise<void> = Promise.resolve()
  const look = async (params: JsonObject, exchange: Exchange): Promise<void> => {
    const update = updateOf(params, sessions)
    if (update === null) return
    sessions.keep(update.session, update.id, update.told)
    const running = update.status === 'in_progress' || update.status === 'completed'
    const told = running ? await decided(update, exchange, given) : update.told
    if (update.status !== 'completed' && update.status !== 'failed') return
    if (told.over) return
    sessions.keep(update.session, update.id, { ...told, over: true, owing: false })
    kept(told, update.status === 'failed', given)
    if (told.owing && update.status === 'completed' && !sessions.isCovered(update.session, told.decided ?? ''))
      ended(update.session, { code: 'approval.presence', agentReason: RAN_UNASKED }, { exchange, parts })
  }
  return {
    updated: (params, exchange) => {
      before = before
        .then(() => look(params, exchange))
        .catch((error: unknown) => {
          parts.note(`a tool that the agent runs by itself could not be decided: ${error instanceof Error ? error.message : String(error)}`)
          const session = own(params, 'sessionId')
          if (typeof session === 'string')
            ended(session, { code: 'infra.internal', agentReason: CODES['infra.internal'].agent }, { exchange, parts })
        })
      return before
    },
  }
}

const RAN_UNASKED = 'A tool ran that a person had to be asked about, and the agent asked nobody.'

/** The tool call that the update is about, with all that was told of it; null for any other update. */
function updateOf(params: JsonObject, sessions: Sessions): Update | null {
  const [session, update] = [own(params, 'sessionId'), own(params, 'update')]
  if (typeof session !== 'string' || !isJsonObject(update)) return null
  const kind = own(update, 'sessionUpdate')
  const id = own(update, 'toolCallId')
  if ((kind !== 'tool_call' && kind !== 'tool_call_update') || typeof id !== 'string') return null
  const known = sessions.told(session, id)
  // A call that is announced anew is another call.
  const fresh: Told = kind === 'tool_call' && known.over ? { fields: {}, decided: null, calls: [], owing: false, over: false } : known
  const fields = merged(fresh.fields, update)
  return { session, id, status: own(fields, 'status'), told: { ...fresh, fields } }
}

/** Decides a call that runs, unless exactly this was decided before. */
async function decided({ session, id, told }: Update, exchange: Exchange, given: WatchParts): Promise<Told> {
  const { parts, sessions, callsOf } = given
  const proposals = proposalsOf('tool_call', {}, told.fields)
  if (proposals === null) return told
  const read = callsOf(proposals, session)
  if ('code' in read) {
    parts.uninspected('tool call of the agent', true)
    return told
  }
  const key = keyOf(read.calls)
  if (key === told.decided) return told
  let owing = false
  for (const call of read.calls) {
    const decision = await parts.gate.decide(parts.withWords(call), 0, { attended: true, rewrites: false })
    if (runs(decision.decision)) continue
    if (decision.decision !== 'ask') {
      ended(session, decision, { exchange, parts })
      owing = false
      break
    }
    owing = true
  }
  const after: Told = { ...told, decided: key, calls: read.calls, owing }
  sessions.keep(session, id, after)
  return after
}

function ended(session: string, why: Why, { exchange, parts }: { readonly exchange: Exchange; readonly parts: SessionParts }): void {
  parts.uninspected('tool call of the agent', false)
  exchange.ask(cancelNotice(session))
  exchange.tell(saidNotice(session, `${why.agentReason} (${why.code}) The agent ran it by itself, so its turn was ended.`))
}

function kept({ calls, fields }: Told, failed: boolean, { parts }: WatchParts): void {
  const response = own(fields, 'rawOutput') ?? own(fields, 'content') ?? null
  for (const call of calls) parts.keep(call, response, failed).kept.catch(() => {})
}
