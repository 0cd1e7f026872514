/**
 * What a channel is told of an approval: the redacted call, why it is asked and what it would do, in coarse words: no
 * evidence of findings, no task, no earlier calls. Redacted once more on the way out; what cannot be redacted is not sent.
 */
import { hash } from 'node:crypto'
import { canonicalJson } from '../../core/canonical.ts'
import { CODES, isCode } from '../../core/codes.ts'
import { isJsonObject, type Json, type JsonObject, own } from '../../core/json.ts'
import type { ChannelPolicy } from '../../policy/channels.ts'
import { advance, approvals, currentApprover } from '../machine.ts'
import type { StoredApproval } from '../store.ts'
import type { Phase } from './outbox.ts'

export interface Notice {
  readonly phase: Phase
  readonly approval: string
  /** Keyed digest of the call. An answer has to name it: it is for this call and no other. */
  readonly digest: string
  /** The whole call is in `data`: only then can it be approved from there (T24). */
  readonly complete: boolean
  readonly createdAt: number
  /** As it goes out, in wire form. */
  readonly data: JsonObject
}

export interface NoticeParts {
  readonly phase: Phase
  readonly channel: ChannelPolicy
  /** Milliseconds since the epoch: what ended by then is shown as ended. */
  readonly now: number
  /** A copy without secrets; whatever it cannot read is not in it. */
  readonly redact: (value: Json) => Json
  /** Calls that are alike and are not shown before this one is answered. Default none. */
  readonly behind?: number
}

/** UTF-16 units of the arguments' JSON up to which a channel is shown them. */
const MAX_UNITS = 65_536

/** The notice; null where it could not be redacted: then nothing is to be sent (PRO-W7). */
export function noticeOf(approval: StoredApproval, { phase, channel, now, redact, behind = 0 }: NoticeParts): Notice | null {
  const seen = { ...approval, ...advance(approval, { kind: 'look', at: now }).approval }
  const shown = channel.show === 'call' ? shownCall(seen.sheet) : null
  const more = behind === 0 ? {} : { behind }
  const data = clean(
    { ...headOf(seen), ...more, ...judged(seen.sheet, channel.show), ...(shown ?? {}), link: linkTo(channel, seen.id) },
    redact,
  )
  if (data === null) return null
  const complete = shown !== null && 'args' in shown
  const [id, digest] = [seen.id, shownDigest(seen)]
  return { phase, approval: id, digest, complete, createdAt: seen.createdAt, data: { approval: id, digest, complete, ...data } }
}

/** What was shown, keyed: another one as soon as somebody changed the arguments, so that no answer is for what nobody saw (T01). */
export function shownDigest({ binding: { call, edit } }: Pick<StoredApproval, 'binding'>): string {
  return edit === null ? call : hash('sha256', canonicalJson(['countersign/shown/v1', call, edit]))
}

function clean(value: JsonObject, redact: NoticeParts['redact']): JsonObject | null {
  try {
    const redacted = redact(value)
    return isJsonObject(redacted) ? redacted : null
  } catch {
    return null
  }
}

function headOf(approval: StoredApproval): JsonObject {
  const { status, session, tenant, createdAt, approveBy, terms, answers } = approval
  return {
    status,
    session: session === '' ? null : session,
    tenant: tenant === '' ? null : tenant,
    created_at: new Date(createdAt).toISOString(),
    approve_by: new Date(approveBy).toISOString(),
    quorum: terms.quorum,
    yes: approvals(approval),
    current_approver: currentApprover(approval),
    answers: answers.map(({ by, verdict }) => ({ by, verdict })),
  }
}

/** Why it is asked and what it would do; in a summary, without anything that the arguments say. */
function judged(sheet: JsonObject, show: ChannelPolicy['show']): JsonObject {
  const code = own(sheet, 'code') ?? null
  const general = typeof code === 'string' && isCode(code) ? CODES[code].operator : null
  const call = callOf(sheet)
  return {
    tool: own(sheet, 'tool') ?? null,
    server: own(call, 'server') ?? null,
    requester: own(call, 'principal') ?? null,
    code,
    reason: show === 'call' ? (own(sheet, 'reason') ?? general) : general,
    asks: own(sheet, 'asks') ?? [],
    effects: listOf(own(sheet, 'effects')).map((effect) => coarse(effect, show)),
    ...waysBack(sheet),
    ...tried(own(sheet, 'preview'), show),
  }
}

/** Names of files that a channel is shown of a preview; its counts are of all that the preview lists. */
const MAX_FILES = 20

/** What a preview saw: how much, and in which files. Not their contents, nor what the call printed. */
function tried(preview: Json | undefined, show: ChannelPolicy['show']): JsonObject {
  if (!isJsonObject(preview)) return {}
  const files = listOf(own(preview, 'files')).flatMap((file) => (isJsonObject(file) ? [file] : []))
  const of = (change: string): number => files.filter((file) => own(file, 'change') === change).length
  const changed = files.filter((file) => own(file, 'change') !== 'none')
  const names = changed.slice(0, MAX_FILES).map((file) => ({ path: own(file, 'path') ?? null, change: own(file, 'change') ?? null }))
  return {
    preview: {
      kind: own(preview, 'kind') ?? null,
      exit_code: own(preview, 'exit_code') ?? null,
      created: of('created'),
      changed: of('changed'),
      deleted: of('deleted'),
      rows: own(preview, 'rows') ?? null,
      network: listOf(own(preview, 'network')).length > 0,
      ...(show === 'call' ? { files: names, more_files: changed.length - names.length, note: own(preview, 'note') ?? null } : {}),
    },
  }
}

/** What takes the call back, by name, and which acts nothing does; neither says anything of the arguments. Absent where nothing is kept. */
function waysBack(sheet: JsonObject): JsonObject {
  if (!Object.hasOwn(sheet, 'undo')) return {}
  const ways = listOf(own(sheet, 'undo')).flatMap((way) => (isJsonObject(way) ? [way] : []))
  const undo = ways.map((way) => ({
    name: own(way, 'name') ?? null,
    how: own(way, 'how') ?? null,
    until: own(way, 'until') ?? null,
    cannot: own(way, 'cannot') ?? null,
    exercised: own(way, 'exercised') ?? null,
  }))
  return { undo, no_way_back: own(sheet, 'no_way_back') ?? [] }
}

function coarse(effect: Json, show: ChannelPolicy['show']): Json {
  if (!isJsonObject(effect)) return null
  const target = own(effect, 'target')
  const where = isJsonObject(target) ? target : {}
  return {
    verb: own(effect, 'verb') ?? null,
    action: own(effect, 'action') ?? null,
    target: {
      kind: own(where, 'kind') ?? null,
      ...(show === 'call' ? { value: own(where, 'value') ?? null } : {}),
      scope: own(where, 'scope') ?? null,
    },
    reversible: own(effect, 'reversible') ?? null,
    certainty: own(effect, 'certainty') ?? null,
  }
}

/** The arguments, or that they are too long to be shown here. */
function shownCall(sheet: JsonObject): JsonObject {
  const call = callOf(sheet)
  const args = own(call, 'args') ?? null
  const units = JSON.stringify(args).length
  const place = { cwd: own(call, 'cwd') ?? null, args_units: units }
  return units <= MAX_UNITS ? { ...place, args } : place
}

function callOf(sheet: JsonObject): JsonObject {
  const call = own(sheet, 'call')
  return isJsonObject(call) ? call : {}
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : []
}

function linkTo({ link }: ChannelPolicy, id: string): string | null {
  return link === null ? null : `${link}/#/approvals/${id}`
}
