/** What servers answer: results of calls are told to the session and looked through, lists are learnt, everything else goes on. */
import { isJsonObject, type Json, own } from '../../core/json.ts'
import type { Observation } from '../../open.ts'
import { type ResultOfCall, UNREAD } from '../../open-results.ts'
import { errorAnswer, failedResult, INTERNAL_ERROR, withNotes } from './answers.ts'
import { LARGE_FRAME, type LookedAnswer, notesOf, seemingId, taskIn } from './apart.ts'
import type { Calls } from './calls.ts'
import { encode, idKey, isResultFor, type Response, type Unreadable } from './message.ts'
import type { JudgedCall, OpenRequest, Outgoing, Shared } from './shared.ts'
import { shownList } from './shown.ts'

export interface Results {
  /**
   * A large frame that seems to answer a call is read and looked through apart; null: it is no such frame. `again` reads it here, where it
   * turns out to be something else.
   */
  readonly apart: (bytes: Uint8Array, scope: string, again: () => Outgoing) => Outgoing | null
  /** At once for everything but lists of tools, and for results where others judge calls of the session. */
  readonly answer: (message: Response, scope: string) => Outgoing
  readonly unreadable: (message: Unreadable, scope: string) => Outgoing
  /** The answer to a request whose server is gone. */
  readonly lost: (request: OpenRequest, why: string) => Uint8Array
  /** Tells the session of what went on already. It is told by itself before anything else happens that was not under way. */
  readonly settle: () => void
}

export function createResults(shared: Shared, calls: Calls): Results {
  const { parts, catalog, open } = shared
  const { keep, later, settle } = createKeeping(shared, calls)
  const close = (id: Response['id'], scope: string): OpenRequest | null => {
    const key = id === null ? null : scope + idKey(id)
    const request = key === null ? undefined : open.get(key)
    if (key !== null) open.delete(key)
    return request ?? null
  }
  const answering: Answering = { keep, later, calls, shared }
  const lookApart = createLookApart(answering)
  return {
    apart: (bytes, scope, again) => {
      const key = parts.lookApart === null || bytes.length <= LARGE_FRAME ? null : seemingId(bytes)
      const request = key === null ? undefined : open.get(scope + key)
      if (key === null || request?.kind !== 'call') return null
      open.delete(scope + key)
      return lookApart(request.judged, { bytes, key }, () => {
        open.set(scope + key, request)
        return again()
      })
    },
    answer: (message, scope) => {
      const request = close(message.id, scope)
      switch (request?.kind) {
        case 'call':
          return answerOf(message, request.judged, answering)
        case 'list':
          if (message.result === undefined) return [message.bytes]
          catalog.learn(message.result, own(request.request.params, 'cursor') === undefined)
          return shownList(message, request.request, shared).then((bytes) => [bytes])
        case 'other':
          return [message.bytes]
        default:
          return strayAnswer(message, shared)
      }
    },
    unreadable: (message, scope) => {
      const request = close(message.id, scope)
      const passes = letsPass(parts)
      parts.uninspected('server message', passes)
      const told = request?.kind === 'call' ? keep(request.judged, UNREAD, true) : null
      if (request?.kind === 'call')
        return onceTold(told, passes ? message.bytes : failedResult(request.judged.request, HELD_UNREAD, {}), request.judged)
      if (passes) return [message.bytes]
      return message.id === null ? [] : [errorAnswer(message.id, INTERNAL_ERROR, 'the response of the server can be read in two ways')]
    },
    lost: (open, why) => {
      if (open.kind !== 'call') return errorAnswer(open.request.id, INTERNAL_ERROR, why)
      keep(open.judged, { failed: true, error: why }, true)
      return errorAnswer(open.judged.request.id, INTERNAL_ERROR, `${why}; whether the call ran is not known`)
    },
    settle,
  }
}

/** Another process judges calls of the session, too. */
function isShared({ shares }: Shared['parts']): boolean {
  return shares?.() ?? false
}

/** What other processes are judged by is in the log first. */
function onceTold(told: Promise<unknown> | null, bytes: Uint8Array, { request }: JudgedCall): Outgoing {
  if (told === null) return [bytes]
  return told.then(
    () => [bytes],
    () => [failedResult(request, HELD_UNKEPT, {})],
  )
}

const HELD_UNKEPT = 'Countersign: The tool ran, but its result could not be recorded, so it was held back. Tell your user.'
const HELD_UNREAD = 'Countersign: The tool ran, but its result could not be inspected, so it was held back. Tell your user.'

interface Keeping {
  /** The session knows it when this returns. Null: whatever goes on may do so at once; else once it resolves. */
  readonly keep: (judged: JudgedCall, response: Json, failed: boolean) => Promise<unknown> | null
  /** The session knows it once the answer is on its way, and before any message that comes then is looked at. The same. */
  readonly later: (judged: JudgedCall, returned: Returned) => Promise<unknown> | null
  readonly settle: () => void
}

type Returned = Pick<ResultOfCall, 'response' | 'failed' | 'findings'>

/** What is told later cannot be held back any more: where it fails, nothing else is judged in its session. */
function createKeeping({ parts }: Shared, calls: Calls): Keeping {
  let waiting: (() => void)[] = []
  const untold = (error: unknown): void => {
    calls.lose()
    parts.uninspected('result', true)
    parts.note(`a result could not be kept: ${error instanceof Error ? error.message : 'unknown'}`)
  }
  const tell = (judged: JudgedCall, returned: Returned, shared: boolean): Promise<unknown> | null => {
    const quiet = judged.quiet && !shared
    const { kept, apart = false } = parts.keep({ call: judged.call, quiet, ...returned })
    if (quiet && !apart) kept.catch(() => {})
    else calls.after(kept)
    if (apart) kept.catch(untold)
    return shared ? kept : null
  }
  const toldFirst = async (judged: JudgedCall, returned: Returned): Promise<void> => {
    try {
      await tell(judged, returned, true)
    } catch (error) {
      untold(error)
      throw error
    }
  }
  const settle = (): void => {
    const due = waiting
    waiting = []
    for (const act of due) act()
  }
  const keep: Keeping['keep'] = (judged, response, failed) => {
    settle()
    return tell(judged, { response, failed }, isShared(parts))
  }
  return {
    keep,
    settle,
    later: (judged, returned) => {
      if (isShared(parts)) return toldFirst(judged, returned)
      const act = (): void => {
        try {
          tell(judged, returned, false)
        } catch (error) {
          untold(error)
        }
      }
      if (waiting.push(act) === 1) queueMicrotask(settle)
      return null
    },
  }
}

interface Answering extends Pick<Keeping, 'keep' | 'later'> {
  readonly calls: Calls
  readonly shared: Shared
}

function answerOf(message: Response, judged: JudgedCall, { keep, later, calls, shared }: Answering): Outgoing {
  const { result } = message
  if (result === undefined) {
    const told = keep(judged, { failed: true, error: own(message.value, 'error') ?? null }, true)
    return onceTold(told, message.bytes, judged)
  }
  if (isJsonObject(result)) {
    if (own(result, 'resultType') === 'input_required') {
      calls.willContinue(own(result, 'requestState'), judged)
      return [message.bytes]
    }
    const task = taskIn(result)
    if (task !== null) {
      calls.taskBegan(task, judged)
      return [message.bytes]
    }
  }
  const failed = isJsonObject(result) && own(result, 'isError') === true
  const findings = shared.parts.findings(judged.call, result)
  const told = later(judged, { response: result, failed, findings })
  const held = heldBack(judged, findings, shared.parts)
  if (held !== null) return onceTold(told, held, judged)
  const notes = notesOf(judged.notes, findings)
  const noted = notes.length === 0 ? null : withNotes(message.value, notes)
  return onceTold(told, noted === null ? message.bytes : encode(noted), judged)
}

/** Shadow mode holds nothing back. */
function isWithheld(rule: string, { policy }: Shared['parts']): boolean {
  const now = policy()
  return now === null || (now.mode === 'enforce' && now.mcpProxy.withhold.has(rule))
}

function letsPass({ policy }: Shared['parts']): boolean {
  const now = policy()
  return now !== null && (now.mode === 'shadow' || now.mcpProxy.uninspected === 'pass')
}

/** Null where the result goes on. */
function heldBack({ request }: JudgedCall, findings: Observation['findings'], parts: Shared['parts']): Uint8Array | null {
  const withheld = findings.filter(({ rule }) => isWithheld(rule, parts))
  if (withheld.length === 0) return null
  const note = withheld.map((each) => each.note).join(' ')
  return failedResult(request, `Countersign: The tool ran, but its result was held back. ${note}`, {})
}

interface LargeFrame {
  readonly bytes: Uint8Array
  readonly key: string
}

type LookApart = (judged: JudgedCall, frame: LargeFrame, again: () => Outgoing) => Promise<readonly Uint8Array[]>

/** Never rejects: what cannot be looked through takes the policy's fail mode. */
function createLookApart({ keep, calls, shared: { parts } }: Answering): LookApart {
  const toldUnread = (judged: JudgedCall): Promise<unknown> | null => {
    try {
      return keep(judged, UNREAD, true)
    } catch (error) {
      // The store says so at the next decision, but not to other processes.
      return isShared(parts) ? Promise.reject(error) : null
    }
  }
  const unseen = (judged: JudgedCall, bytes: Uint8Array, why: string): Outgoing => {
    const passes = letsPass(parts)
    parts.uninspected('result', passes)
    parts.note(`a result of ${bytes.length} bytes could not be looked through: ${why}`)
    return onceTold(toldUnread(judged), passes ? bytes : failedResult(judged.request, HELD_UNREAD, {}), judged)
  }
  return async (judged, { bytes, key }, again) => {
    const { call, notes } = judged
    const shared = isShared(parts)
    const quiet = judged.quiet && !shared
    let found: LookedAnswer | null = null
    let seen: Observation | null = null
    try {
      found = (await parts.lookApart?.({ bytes, key, notes }, call)) ?? null
      if (found !== null) {
        const landed = parts.land({ call, looked: found.looked, quiet })
        if (quiet) landed.kept.catch(() => {})
        else calls.after(landed.kept)
        if (shared) await landed.kept
        seen = landed.seen
      }
    } catch (error) {
      return unseen(judged, bytes, error instanceof Error ? error.message : 'unknown')
    }
    if (found === null) return again()
    return [heldBack(judged, seen?.findings ?? [], parts) ?? isResultFor(found.noted ?? bytes, judged.request.id)]
  }
}

/** An answer that nobody is known to wait for. One that looks like a result of a tool was inspected by nobody. */
function strayAnswer(message: Response, { parts }: Shared): readonly Uint8Array[] {
  const { result } = message
  if (!isJsonObject(result) || !Array.isArray(own(result, 'content'))) return [message.bytes]
  const passes = letsPass(parts)
  parts.uninspected('unexpected result', passes)
  return passes ? [message.bytes] : []
}
