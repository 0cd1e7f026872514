/** What servers answer: results of calls are told to the session and looked through, lists are learnt, everything else goes on. */
import { isJsonObject, type Json, type JsonObject, own } from '../../core/json.ts'
import type { Observation } from '../../open.ts'
import { errorAnswer, failedResult, INTERNAL_ERROR, withNotes } from './answers.ts'
import type { Calls } from './calls.ts'
import { encode, idKey, type Response, type Unreadable } from './message.ts'
import type { JudgedCall, OpenRequest, Outgoing, Shared } from './shared.ts'
import { shownList } from './shown.ts'

export interface Results {
  /** At once for everything but lists of tools. */
  readonly answer: (message: Response, scope: string) => Outgoing
  readonly unreadable: (message: Unreadable, scope: string) => readonly Uint8Array[]
  /** The answer to a request whose server is gone. */
  readonly lost: (request: OpenRequest, why: string) => Uint8Array
}

export function createResults(shared: Shared, calls: Calls): Results {
  const { parts, catalog, open } = shared
  const keep: Answering['keep'] = ({ call, quiet }, response, failed) => {
    const { seen, kept } = parts.keep({ call, response, failed, quiet })
    if (quiet) kept.catch(() => {})
    else calls.after(kept)
    return seen
  }
  const close = (id: Response['id'], scope: string): OpenRequest | null => {
    const key = id === null ? null : scope + idKey(id)
    const request = key === null ? undefined : open.get(key)
    if (key !== null) open.delete(key)
    return request ?? null
  }
  return {
    answer: (message, scope) => {
      const request = close(message.id, scope)
      switch (request?.kind) {
        case 'call':
          return [answerOf(message, request.judged, { keep, calls, shared })]
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
      if (request?.kind === 'call') keep(request.judged, { failed: true, error: 'the response could not be inspected' }, true)
      if (passes) return [message.bytes]
      if (request?.kind === 'call') return [failedResult(request.judged.request, HELD_UNREAD, {})]
      return message.id === null ? [] : [errorAnswer(message.id, INTERNAL_ERROR, 'the response of the server can be read in two ways')]
    },
    lost: (open, why) => {
      if (open.kind !== 'call') return errorAnswer(open.request.id, INTERNAL_ERROR, why)
      keep(open.judged, { failed: true, error: why }, true)
      return errorAnswer(open.judged.request.id, INTERNAL_ERROR, `${why}; whether the call ran is not known`)
    },
  }
}

const HELD_UNREAD = 'Countersign: The tool ran, but its result could not be inspected, so it was held back. Tell your user.'

interface Answering {
  readonly keep: (judged: JudgedCall, response: Json, failed: boolean) => Observation | null
  readonly calls: Calls
  readonly shared: Shared
}

function answerOf(message: Response, judged: JudgedCall, { keep, calls, shared }: Answering): Uint8Array {
  const { result } = message
  if (result === undefined) {
    keep(judged, { failed: true, error: own(message.value, 'error') ?? null }, true)
    return message.bytes
  }
  if (isJsonObject(result)) {
    if (own(result, 'resultType') === 'input_required') {
      calls.willContinue(own(result, 'requestState'), judged)
      return message.bytes
    }
    const task = taskIn(result)
    if (task !== null) {
      calls.taskBegan(task, judged)
      return message.bytes
    }
  }
  const failed = isJsonObject(result) && own(result, 'isError') === true
  const seen = keep(judged, result, failed)
  const withheld = seen?.findings.filter(({ rule }) => isWithheld(rule, shared.parts)) ?? []
  if (withheld.length > 0) return heldBack(judged, withheld.map(({ note }) => note).join(' '))
  const notes = [...judged.notes, ...(seen === null ? [] : [seen.note])]
  const noted = notes.length === 0 ? null : withNotes(message.value, notes)
  return noted === null ? message.bytes : encode(noted)
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

function heldBack({ request }: JudgedCall, note: string): Uint8Array {
  return failedResult(request, `Countersign: The tool ran, but its result was held back. ${note}`, {})
}

/** A task that is not over: its result comes later. */
function taskIn(result: JsonObject): string | null {
  const task = own(result, 'task')
  const stateless = own(result, 'resultType') === 'task' ? result : null
  const holder = isJsonObject(task) ? task : stateless
  const id = holder === null ? null : own(holder, 'taskId')
  return typeof id === 'string' ? id : null
}

/** An answer that nobody is known to wait for. One that looks like a result of a tool was inspected by nobody. */
function strayAnswer(message: Response, { parts }: Shared): readonly Uint8Array[] {
  const { result } = message
  if (!isJsonObject(result) || !Array.isArray(own(result, 'content'))) return [message.bytes]
  const passes = letsPass(parts)
  parts.uninspected('unexpected result', passes)
  return passes ? [message.bytes] : []
}
