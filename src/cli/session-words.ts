/** What the host tells of a session for judges and approvers: what the user asked for, and the calls before this one. */
import { eventRecord } from '../audit/record.ts'
import { bareCall, type CallContext, type ToolCall } from '../core/call.ts'
import { canonicalJson } from '../core/canonical.ts'
import { isJsonObject, type Json, own } from '../core/json.ts'
import type { PromptEvent } from '../hosts/adapter.ts'
import type { OpenedGate } from '../open.ts'
import { type Landed, landResult } from '../open-results.ts'
import { HANDED_ON } from '../session/memory/names.ts'
import { createKept, type Kept } from '../store/kept.ts'
import { SESSION_RECORDS, type StoredRecord } from '../store/store.ts'

type Opened = Pick<OpenedGate, 'store'>
type Hearing = Opened & Landed & Pick<OpenedGate, 'isHanded'>

/** UTF-16 code units of a prompt that are kept. */
const LONGEST_TASK = 4_000
/** Calls that are told, and code units of the arguments of each. */
const MAX_RECENT = 10
const LONGEST_ARGS = 500

/**
 * Keeps what the user asked for, redacted as everything in the log. A prompt that an agent wrote after it had read what somebody else may have
 * written is what this session reads of that agent, and none of the user's words.
 */
export async function recordPrompt(opened: Hearing, { session, text }: PromptEvent): Promise<void> {
  if (session === null) return
  const { store } = opened
  if (opened.isHanded(text)) {
    await landResult(opened, { call: bareCall(HANDED_ON, {}, { session }), response: text }).kept
    return
  }
  const task = text.length <= LONGEST_TASK ? text : `${text.slice(0, LONGEST_TASK)} …`
  const columns = { kind: 'session', session, tenant: null, tool: null, decision: null, code: null } as const
  await store.append(eventRecord({ ...columns, at: Date.now(), body: { event: 'prompt', task } }))
}

/** The call with the user's own words and, where judges are asked, with what was decided before it. */
export function withWords({ store }: Opened, call: ToolCall, judged: boolean): ToolCall {
  if (call.session === null) return call
  const newest = { session: call.session, newestFirst: true } as const
  const task = taskOf(store, call.session)
  const recent = judged
    ? list(store.read({ ...newest, kind: 'decision', limit: MAX_RECENT }))
        .map(callIn)
        .toReversed()
    : []
  const context: CallContext = task === null ? { ...call.context, recent } : { task, vouched: true, recent }
  return { ...call, context }
}

/** What users asked for in sessions, as each store has it. */
const TASKS = new WeakMap<Opened['store'], Kept<string | null>>()

/** Read again only where somebody wrote, in this process what hosts tell of sessions, in another one anything. */
function taskOf(store: Opened['store'], session: string): string | null {
  const kept = TASKS.get(store) ?? createKept<string | null>(SESSION_RECORDS)
  TASKS.set(store, kept)
  const newest = { session, newestFirst: true, kind: 'session', limit: 5 } as const
  const read = (): string | null =>
    list(store.read(newest))
      .map(taskIn)
      .find((each) => each !== null) ?? null
  return store.query((tx) => kept(tx, session, read))
}

function list(records: ReturnType<Opened['store']['read']>): readonly StoredRecord[] {
  return Symbol.iterator in records ? [...records] : []
}

function taskIn({ body }: StoredRecord): string | null {
  const task = own(body, 'event') === 'prompt' ? own(body, 'task') : null
  return typeof task === 'string' ? task : null
}

function callIn({ body, decision }: StoredRecord): Json {
  const call = own(body, 'call')
  if (!isJsonObject(call)) return { tool: null, args: null, decision }
  const args = canonicalJson(own(call, 'args') ?? null)
  return {
    tool: own(call, 'tool') ?? null,
    args: args.length <= LONGEST_ARGS ? (own(call, 'args') ?? null) : `${args.slice(0, LONGEST_ARGS)} …`,
    decision,
  }
}
