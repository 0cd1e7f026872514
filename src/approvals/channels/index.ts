/** All channels of a gate: tells them what waits, asks those that are asked, and takes the answers that come back. */
import { eventRecord } from '../../audit/record.ts'
import type { Json } from '../../core/json.ts'
import type { ChannelPolicy } from '../../policy/channels.ts'
import type { Policy } from '../../policy/policy.ts'
import type { ReadTransaction, Store } from '../../store/store.ts'
import { advance, type Refusal } from '../machine.ts'
import { type Keyed, readApproval } from '../store.ts'
import { type Channel, type ChannelAnswer, type ChannelParts, type Incoming, refuse } from './channel.ts'
import { commandChannel } from './command.ts'
import { type DeliverParts, deliver, type Parcel, revive } from './deliver.ts'
import { noticeOf, shownDigest } from './notice.ts'
import {
  allRows,
  changedRows,
  deliveredRows,
  dueRows,
  endedRows,
  type HeadRow,
  headRows,
  type OutboxRow,
  openRows,
  rowFor,
  rowOfId,
} from './outbox.ts'
import { slackChannel } from './slack.ts'
import { type BoundChannel, type Taken, takeAnswer } from './take.ts'
import { webhookChannel } from './webhook.ts'

export interface ChannelsParts extends ChannelParts, DeliverParts {
  readonly store: Pick<Store, 'run' | 'query' | 'append'>
  /** Read anew for each use. */
  readonly keys: () => Keyed
  /** In force for calls from this directory; null where there is none. */
  readonly policy: (cwd: string | null) => Policy | null
  readonly redact: (value: Json) => Json
  /** Milliseconds since the epoch, by which ends of approvals are judged; default the clock of the messages. */
  readonly ends?: () => number
}

/** An answer whose signature held. `take` does the rest, once; `begin` lets it be done while somebody else is told already. */
export type Received =
  | { readonly ok: true; readonly kind: ChannelPolicy['kind']; readonly take: () => Promise<Taken>; readonly begin: () => void }
  | { readonly ok: false; readonly refusal: Refusal }

export interface Channels {
  /** Carries everything that is due, and what becomes due by it. Answers how many messages were tried. Rejects with what the store throws. */
  readonly drain: () => Promise<number>
  /** Does so again and again, until it is stopped. */
  readonly start: () => void
  /** Lets what is under way finish; programs that wait for somebody are ended, and run again with the next gate. */
  readonly stop: () => Promise<void>
  /** Checks where a reply comes from. Never throws. */
  readonly receive: (name: string, incoming: Incoming) => Received
  /** Begins again with a message that was given up. False where there is no such message, or it was not given up. */
  readonly retry: (id: string) => Promise<boolean>
  /** What is or was to be told, newest first. */
  readonly rows: (limit: number) => readonly OutboxRow[]
}

const TICK = 500
const POLL = 2_000
const AT_ONCE = 16
const MAX_ROWS = 64
const MAX_SEEN = 4_096
const MAX_REFUSED = 10
/** Between two records of replies that nobody signed: whoever can reach the port must not fill the log. */
const QUIET = 10_000

export function createChannels(given: ChannelsParts): Channels {
  const stopping = new AbortController()
  const parts: ChannelsParts = { ...given, signal: stopping.signal }
  const maps = { busy: new Map(), asked: new Map(), heard: new Map(), seen: new Map(), behind: new Map() }
  const state: State = { parts, ...maps, since: parts.now(), quietUntil: 0 }
  let timer: NodeJS.Timeout | undefined
  return {
    drain: async () => {
      let tried = 0
      for (let found = await pass(state); found > 0; found = await pass(state)) tried += found
      return tried
    },
    start: () => {
      timer ??= setInterval(() => begin(state), TICK).unref()
    },
    stop: async () => {
      clearInterval(timer)
      timer = undefined
      stopping.abort()
      await Promise.allSettled(state.busy.values())
    },
    receive: (name, incoming) => receive(state, name, incoming),
    retry: async (id) => {
      const row = parts.store.query((tx) => rowOfId(tx, id))
      return row !== null && revive(parcelOf(parts, row), parts)
    },
    rows: (limit) => parts.store.query((tx) => allRows(tx, limit)),
  }
}

interface State {
  readonly parts: ChannelsParts
  /** Under way, by id of the row. */
  readonly busy: Map<string, Promise<void>>
  /** When a channel is asked next, by id of the row; never again: infinity. */
  readonly asked: Map<string, number>
  /** What polled channels said last, by id of the row. */
  readonly heard: Map<string, { readonly last: string | null; readonly refused: number }>
  /** Versions that were looked at already, by id of the row. */
  readonly seen: Map<string, number>
  /** How many calls a message said to wait behind it, by id of the row. */
  readonly behind: Map<string, number>
  /** When this began: what was told before may say any number. */
  readonly since: number
  quietUntil: number
}

async function pass(state: State): Promise<number> {
  const before = state.busy.size
  const started = begin(state)
  await Promise.all(state.busy.values())
  return before + started
}

/** Starts what is due, as far as there is room. Answers how many. */
function begin(state: State): number {
  let rows: readonly OutboxRow[] = []
  try {
    rows = state.parts.store.query((tx) => {
      const at = { now: state.parts.now(), limit: MAX_ROWS }
      return [...dueRows(tx, at), ...endedRows(tx, at), ...changedRows(tx, at).filter((row) => isAmended(state, tx, row))]
    })
  } catch {
    // The store says so to whoever decides; what waits here waits on.
  }
  const free = rows.filter(({ id }) => !state.busy.has(id)).slice(0, AT_ONCE - state.busy.size)
  for (const row of free) occupy(state, row.id, carry(state, row))
  askAll(state)
  countAll(state)
  return free.length
}

/** Messages say how many calls wait behind them, each time that it is another number. */
function countAll(state: State): void {
  const { parts, behind, busy, since } = state
  let heads: readonly HeadRow[] = []
  try {
    heads = parts.store.query((tx) => headRows(tx, { now: parts.now(), limit: MAX_ROWS }))
  } catch {
    return
  }
  for (const id of behind.keys()) if (!heads.some(({ row }) => row.id === id)) behind.delete(id)
  for (const { row, behind: count } of heads) {
    const said = behind.get(row.id) ?? (row.dueAt < since ? null : 0)
    if (busy.has(row.id) || said === count) continue
    behind.set(row.id, count)
    occupy(state, row.id, show(state, row))
  }
}

/** True where somebody changed the arguments since the channel was told; answers change the version, too, and need no new message. */
function isAmended({ parts, seen }: State, tx: ReadTransaction, { id, approval, receipt }: OutboxRow): boolean {
  const found = readApproval(tx, approval, parts.keys().ring)
  if (found === null || seen.get(id) === found.version) return false
  if (receipt?.digest !== shownDigest(found)) return true
  if (seen.size >= MAX_SEEN) seen.clear()
  seen.set(id, found.version)
  return false
}

function occupy(state: State, id: string, work: Promise<void>): void {
  const done = work
    .catch(() => {})
    .finally(() => {
      state.busy.delete(id)
    })
  state.busy.set(id, done)
}

async function carry(state: State, row: OutboxRow): Promise<void> {
  const { parts } = state
  const parcel = parcelOf(parts, row)
  const answer = await deliver(parcel, parts)
  if (answer !== null && parcel.policy !== null) await take(state, answer, boundTo(parcel, parts))
}

function parcelOf(parts: ChannelsParts, row: OutboxRow): Parcel {
  const approval = parts.store.query((tx) => readApproval(tx, row.approval, parts.keys().ring))
  const policy =
    approval === null ? null : (parts.policy(approval.binding.cwd)?.approvals.channels.find(({ name }) => name === row.channel) ?? null)
  return { row, approval, policy, channel: policy === null ? null : channelOf(policy, parts) }
}

function boundTo({ approval, policy }: Parcel, parts: ChannelsParts): BoundChannel {
  if (policy === null) throw new Error('the policy has no such channel')
  return { channel: policy, policy: parts.policy(approval?.binding.cwd ?? null)?.digest ?? '' }
}

function channelOf(policy: ChannelPolicy, parts: ChannelParts): Channel {
  switch (policy.kind) {
    case 'webhook':
      return webhookChannel(policy, parts)
    case 'slack':
      return slackChannel(policy, parts)
    case 'command':
      return commandChannel(policy, parts)
  }
}

/** Asks the channels that were told and cannot answer by themselves. */
function askAll(state: State): void {
  const { parts, asked, busy } = state
  const now = parts.now()
  let rows: readonly OutboxRow[] = []
  try {
    rows = parts.store.query((tx) => deliveredRows(tx, MAX_ROWS))
  } catch {
    return
  }
  for (const known of [asked, state.heard]) for (const id of known.keys()) if (!rows.some((row) => row.id === id)) known.delete(id)
  for (const row of rows) {
    if (busy.has(row.id) || (asked.get(row.id) ?? 0) > now) continue
    const parcel = parcelOf(parts, row)
    const { channel, approval } = parcel
    const pending = approval !== null && advance(approval, { kind: 'look', at: now }).approval.status === 'pending'
    asked.set(row.id, pending && channel?.poll !== undefined ? now + POLL : Number.POSITIVE_INFINITY)
    if (pending && channel?.poll !== undefined) occupy(state, row.id, ask(state, parcel, channel.poll))
  }
}

async function ask(state: State, parcel: Parcel, poll: NonNullable<Channel['poll']>): Promise<void> {
  const { id } = parcel.row
  const answer = await poll(parcel.row.approval, state.parts.now())
  const before = state.heard.get(id) ?? { last: null, refused: 0 }
  if (answer === null || answer.id === before.last) return
  const { refused } = await take(state, answer, boundTo(parcel, state.parts))
  const count = before.refused + (refused === null ? 0 : 1)
  state.heard.set(id, { last: answer.id, refused: count })
  // Each answer that is not taken stands in the log.
  if (count >= MAX_REFUSED) state.asked.set(id, Number.POSITIVE_INFINITY)
}

/** Every policy that has a channel of this name for a call that may still be answered, and the one of no directory. */
function candidates({ parts }: State, name: string, now: number): readonly BoundChannel[] {
  const ring = parts.keys().ring
  const cwds = parts.store.query((tx) =>
    openRows(tx, name, { now, limit: MAX_ROWS }).map(({ approval }) => readApproval(tx, approval, ring)?.binding.cwd ?? null),
  )
  const policies = new Map([null, ...cwds].flatMap((cwd) => pairOf(parts.policy(cwd))))
  return [...policies].flatMap(([policy, { approvals }]) => {
    const channel = approvals.channels.find((each) => each.name === name)
    return channel === undefined ? [] : [{ channel, policy }]
  })
}

function pairOf(policy: Policy | null): readonly (readonly [string, Policy])[] {
  return policy === null ? [] : [[policy.digest, policy]]
}

function receive(state: State, name: string, incoming: Incoming): Received {
  let refusal: Refusal = { code: 'approval.unknown', message: 'there is no such channel' }
  try {
    for (const bound of candidates(state, name, incoming.now)) {
      const reply = read(channelOf(bound.channel, state.parts), incoming)
      if (reply.ok) return taking(state, reply.answer, bound)
      if (refusal.code === 'approval.unknown' || refusal.code === 'approval.signature') refusal = reply.refusal
    }
  } catch {
    refusal = { code: 'infra.internal', message: 'the reply could not be checked' }
  }
  note(state, name, refusal)
  return { ok: false, refusal }
}

function taking(state: State, answer: ChannelAnswer, bound: BoundChannel): Received {
  const work = (): Promise<Taken> => take(state, answer, bound)
  const begin = (): void =>
    occupy(
      state,
      `reply ${answer.id}`,
      work().then(() => {}),
    )
  return { ok: true, kind: bound.channel.kind, take: work, begin }
}

function read(channel: Channel, incoming: Incoming) {
  try {
    return channel.receive?.(incoming) ?? refuse('approval.unknown', 'this channel takes no replies')
  } catch {
    // Its secret cannot be read: then nobody can be told from anybody else.
    return refuse('approval.signature', 'there is no secret to check the reply with')
  }
}

async function take(state: State, answer: ChannelAnswer, bound: BoundChannel): Promise<Taken> {
  const { parts } = state
  const policyOf = (cwd: string | null): string | null => parts.policy(cwd)?.digest ?? null
  const taken = await takeAnswer(answer, bound, { store: parts.store, keys: parts.keys(), policyOf, now: (parts.ends ?? parts.now)() })
  if (taken.approval === null && taken.refused !== null) note(state, bound.channel.name, taken.refused)
  if (taken.refused === null && taken.approval?.status === 'pending') await refresh(state, taken.approval.id, bound)
  return taken
}

/** Shows how far it is, where the message can be changed and more people have to agree. What fails here changes nothing. */
async function refresh(state: State, approval: string, { channel: { name } }: BoundChannel): Promise<void> {
  const row = state.parts.store.query((tx) => rowFor(tx, approval, name))
  if (row?.receipt != null) await show(state, row)
}

async function show({ parts, behind }: State, row: OutboxRow): Promise<void> {
  const { policy, channel, approval: found } = parcelOf(parts, row)
  if (policy === null || channel === null || found === null) return
  const said = { behind: behind.get(row.id) ?? 0, redact: parts.redact }
  const notice = noticeOf(found, { phase: 'requested', channel: policy, now: parts.now(), ...said })
  if (notice !== null) await channel.tell({ id: `${row.id}_changed`, notice, receipt: row.receipt, now: parts.now() }).catch(() => {})
}

/** A reply that was not taken, for the log; those that nobody signed only now and then. */
function note(state: State, name: string, { code, message }: Refusal): void {
  const { parts } = state
  const at = parts.now()
  if (code === 'approval.unknown' || code === 'approval.signature' || code === 'approval.late_reply') {
    if (at < state.quietUntil) return
    state.quietUntil = at + QUIET
  }
  const body = { event: 'reply_refused', channel: name.slice(0, 64), message }
  const record = eventRecord({ kind: 'note', session: null, tenant: null, tool: null, decision: null, code, at, body })
  parts.store.append(record).catch(() => {})
}
