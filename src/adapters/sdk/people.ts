/** Asks people about a call that waits: a handler inside of the program, or whoever is faster in the console or a channel. */
import { noticeOf } from '../../approvals/channels/notice.ts'
import { type ApprovalHandler, checkedAnswer, type HandlerAnswer, HandlerRefusal, type HandlerRequest } from '../../approvals/handlers.ts'
import type { ApprovalQueue } from '../../approvals/queue.ts'
import type { StoredApproval } from '../../approvals/store.ts'
import { redactJson } from '../../audit/redact.ts'
import type { Code } from '../../core/codes.ts'
import type { Decision } from '../../core/decision.ts'
import { isJsonObject, own } from '../../core/json.ts'

export interface People {
  readonly queue: ApprovalQueue
  readonly handler: ApprovalHandler | null
  readonly timeoutMs: number
}

export type Unanswered = Pick<Decision, 'code' | 'reason' | 'agentReason'>

/** Null once it is approved; else why not. Never rejects: of a store that is gone it is not known what somebody said (P5). */
export function askPeople(id: string, people: People): Promise<Unanswered | null> {
  return answered(id, people).catch((error: unknown) =>
    told('infra.audit_unavailable', error instanceof Error ? error.message : 'the answer could not be kept'),
  )
}

async function answered(id: string, { queue, handler, timeoutMs }: People): Promise<Unanswered | null> {
  const signal = AbortSignal.timeout(timeoutMs)
  for (let looked = -1; ; ) {
    const approval = queue.show(id, { tenant: null })
    if (approval === null) return told('approval.unknown', 'the approval is gone')
    if (approval.status === 'approved') return null
    if (approval.status === 'denied') return told('approval.denied', approval.answers.at(-1)?.reason ?? '')
    if (approval.status !== 'pending') return told('timeout.approval', `the approval is ${approval.status}`)
    // Whoever agreed need not be asked twice; another person has to.
    if (approval.version === looked) return withdrawn(queue, id, { code: 'approval.pending', message: 'not enough people agreed' })
    looked = approval.version
    const fault = await oneAnswer(approval, { queue, handler, signal })
    if (fault !== null) return fault
  }
}

interface Asking {
  readonly queue: ApprovalQueue
  readonly handler: ApprovalHandler | null
  readonly signal: AbortSignal
}

/** One answer, of the handler or of whoever is faster in the console. Null: look at how it stands now. */
async function oneAnswer(approval: StoredApproval, { queue, handler, signal }: Asking): Promise<Unanswered | null> {
  const { id, version } = approval
  const over = new AbortController()
  const both = AbortSignal.any([signal, over.signal])
  try {
    const elsewhere = queue.wait(id, { tenant: null, version, signal: both }).then(() => null)
    const answer = handler === null ? await elsewhere : await Promise.race([asked(approval, handler, both), elsewhere])
    if (answer === null) return signal.aborted ? await late(queue, id) : null
    const { refused } = await queue.answer(id, {
      tenant: null,
      by: answer.by,
      verdict: answer.approved ? 'approve' : 'deny',
      comment: answer.comment ?? '',
      version,
    })
    // Changed while it was looked at: what it is now has to be asked about.
    if (refused?.code === 'approval.changed') return null
    return refused === null ? null : await withdrawn(queue, id, refused)
  } catch (error) {
    if (signal.aborted) return late(queue, id)
    // An error of the handler is no denial of a person, and is not remembered as one (PRO-27).
    const refusal = error instanceof HandlerRefusal ? error : new HandlerRefusal('approval.malformed', 'the handler failed')
    return withdrawn(queue, id, refusal)
  } finally {
    over.abort()
  }
}

async function asked(approval: StoredApproval, handler: ApprovalHandler, signal: AbortSignal): Promise<HandlerAnswer> {
  const request = requestOf(approval)
  // Without a redacted copy there is nothing that could be shown (PRO-W7).
  if (request === null) throw new HandlerRefusal('approval.not_shown', 'the call could not be redacted')
  const stopped = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new HandlerRefusal('timeout.approval', 'nobody answered in time')), { once: true })
  })
  return checkedAnswer(await Promise.race([handler.requestApproval(request, { signal }), stopped]), '')
}

/** Nobody answered: that is a no, and counts as one, so that nobody is asked the same again and again. */
async function late(queue: ApprovalQueue, id: string): Promise<Unanswered> {
  await queue.answer(id, { tenant: null, by: 'gate:timeout', verdict: 'deny', comment: 'nobody answered in time' })
  return told('timeout.approval', 'nobody answered in time')
}

async function withdrawn(
  queue: ApprovalQueue,
  id: string,
  { code, message }: { readonly code: Code; readonly message: string },
): Promise<Unanswered> {
  await queue.cancel(id, { tenant: null, by: 'gate:handler', comment: message })
  return told(code, message)
}

function told(code: Code, reason: string): Unanswered {
  return {
    code,
    reason,
    agentReason: 'Nobody agreed to this call. Do not send it again in another form; go on without it or ask your user.',
  }
}

/** The redacted call, as channels are told it; null where it cannot be redacted. */
function requestOf(approval: StoredApproval): HandlerRequest | null {
  const notice = noticeOf(approval, {
    phase: 'requested',
    channel: IN_PROCESS,
    now: approval.createdAt,
    redact: (value) => redactJson(value).value,
  })
  if (notice === null) return null
  const { data } = notice
  const text = (name: string): string | null => {
    const value = own(data, name)
    return typeof value === 'string' ? value : null
  }
  const requester = own(data, 'requester')
  const who = (name: string): string | null => {
    const value = isJsonObject(requester) ? own(requester, name) : null
    return typeof value === 'string' ? value : null
  }
  return {
    requestId: approval.id,
    digest: notice.digest,
    toolName: text('tool') ?? '',
    server: text('server'),
    arguments: own(data, 'args') ?? null,
    agentId: who('agent'),
    callerUserId: who('user'),
    tenant: text('tenant'),
    session: text('session'),
    code: text('code'),
    reason: text('reason') ?? '',
    effects: own(data, 'effects') ?? [],
    excluded: approval.terms.excluded,
    createdAt: approval.createdAt,
    answerBy: approval.approveBy,
  }
}

const IN_PROCESS = {
  kind: 'command' as const,
  name: 'in-process',
  approvers: new Map<string, string>(),
  show: 'call' as const,
  tenants: null,
  link: null,
  timeoutMs: 0,
  attempts: 1,
  command: [],
  answers: true,
}
