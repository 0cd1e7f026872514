/** What waits for people: asked once for all pages, and again whenever an approval changes. */
import { effect, signal } from '@preact/signals'
import { get, query } from '../api/client.ts'
import { approvalTick } from '../api/live.ts'
import type { Approval, ApprovalList } from '../api/types.ts'
import { asError } from './resource.ts'
import { who } from './who.ts'

export const inbox = signal<ApprovalList | null>(null)
export const inboxError = signal<Error | null>(null)
/** The approval under the keyboard's cursor. */
export const cursor = signal<string | null>(null)

/** What this person answered last, to be told on the page that opened after it. */
export const lastAnswer = signal<{ readonly id: string; readonly tool: string | null; readonly verdict: 'approve' | 'deny' } | null>(null)

/** What the reader looks for among the calls that wait. */
export const needle = signal('')
/** Keys of groups that are shown with all of their calls. */
export const unfolded = signal<ReadonlySet<string>>(new Set())

/** How many are asked for at once; one press on "more" adds as many again, up to what the server lists. */
const AT_ONCE = 200
const MOST = 1_000
let wanted = AT_ONCE

/** Lists more of those that wait. Null where the server lists no more in one answer. */
export function moreOf(list: ApprovalList): (() => void) | null {
  if (!list.more || wanted >= MOST) return null
  return () => {
    wanted = Math.min(MOST, wanted + AT_ONCE)
    void loadInbox()
  }
}

let asked = 0

/** Asks anew; an answer that a later one overtook is dropped. */
export async function loadInbox(): Promise<void> {
  const turn = ++asked
  try {
    const list = await get<ApprovalList>(`/v1/approvals${query({ status: 'pending', limit: wanted })}`)
    if (turn !== asked) return
    inbox.value = list
    inboxError.value = null
  } catch (error) {
    if (turn === asked) inboxError.value = asError(error)
  }
}

/** Keeps the list in step with the server for as long as somebody is signed in. */
export function followInbox(): void {
  effect(() => {
    approvalTick.value
    if (typeof who.value === 'string') inbox.value = null
    else void loadInbox()
  })
}

export interface Group {
  readonly key: string
  /** What they have in common; null for one that stands alone. */
  readonly text: string | null
  readonly approvals: readonly Approval[]
}

/** Near-identical asks stand together, at the place of the first of them. */
export function grouped({ approvals, groups }: ApprovalList): readonly Group[] {
  const texts = new Map(groups.map(({ group, text }) => [group, text]))
  const members = new Map<string, Approval[]>()
  for (const approval of approvals) {
    const key = approval.group ?? approval.id
    members.set(key, [...(members.get(key) ?? []), approval])
  }
  return [...members].map(([key, list]) => ({
    key,
    text: list.length > 1 ? (texts.get(key) ?? 'nearly the same call') : null,
    approvals: list,
  }))
}

/** Of a group with more members than this, a few stand for all: what is asked fifty times must not hide what is asked once. */
const FOLDED_FROM = 5
const FEW = 3

export interface ShownGroup extends Group {
  readonly shown: readonly Approval[]
}

/** The groups as the list shows them: only what matches, large ones folded. */
export function listed(list: ApprovalList, looking: string, open: ReadonlySet<string>): readonly ShownGroup[] {
  const wanted = looking.trim().toLowerCase()
  const approvals = wanted === '' ? list.approvals : list.approvals.filter((approval) => textOf(approval).includes(wanted))
  return grouped({ ...list, approvals }).map((group) => {
    const whole = group.approvals.length < FOLDED_FROM || open.has(group.key)
    return { ...group, shown: whole ? group.approvals : group.approvals.slice(0, FEW) }
  })
}

/** All of a call that a reader may look for: what, by whom, where. */
function textOf({ tool, server, session, principal, sheet }: Approval): string {
  const { agent = null, user = null, role = null } = principal ?? {}
  return [tool, server, session, agent, user, role, JSON.stringify(sheet.call)].join('\n').toLowerCase()
}

/** Members that one yes may cover, for each such set of at least two, the largest first. */
export function alikeSets(approvals: readonly Approval[]): readonly (readonly Approval[])[] {
  const sets = new Map<string, Approval[]>()
  for (const approval of approvals) {
    const key = approval.alike ?? approval.id
    sets.set(key, [...(sets.get(key) ?? []), approval])
  }
  return [...sets.values()].filter((set) => set.length > 1).toSorted((a, b) => b.length - a.length)
}

/** The call that the list shows behind this one, else before it; null where no other waits. */
export function nextAfter(id: string): Approval | null {
  const order = shownOrder()
  const at = order.findIndex((approval) => approval.id === id)
  const others = [...order.slice(at + 1), ...order.slice(0, Math.max(0, at)).toReversed()].filter((approval) => approval.id !== id)
  const next = others[0] ?? null
  cursor.value = next?.id ?? null
  return next
}

function shownOrder(): readonly Approval[] {
  return inbox.value === null ? [] : listed(inbox.value, needle.value, unfolded.value).flatMap(({ shown }) => shown)
}

/** Moves the cursor through what the list shows; stops at both ends. */
export function step(by: 1 | -1): Approval | null {
  const order = shownOrder()
  const at = order.findIndex(({ id }) => id === cursor.value)
  const next = at === -1 ? order[by === 1 ? 0 : order.length - 1] : order[Math.min(order.length - 1, Math.max(0, at + by))]
  cursor.value = next?.id ?? null
  return next ?? null
}
