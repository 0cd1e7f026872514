/** Near-identical asks answered together: every call stands here in full, and only what is ticked is approved (T23). */
import { type Signal, useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useMemo } from 'preact/hooks'
import { post } from '../api/client.ts'
import type { Approval, BatchResult } from '../api/types.ts'
import { Arguments, type Look } from '../parts/arguments.tsx'
import { Countdown, Digest } from '../parts/badges.tsx'
import { Effects } from '../parts/effects.tsx'
import { Empty, Failure, Loading } from '../parts/states.tsx'
import { Line, Raw } from '../parts/text.tsx'
import { alikeSets, inbox, loadInbox } from '../state/inbox.ts'
import { asError } from '../state/resource.ts'
import { href } from '../state/route.ts'
import { mayAs, myName } from '../state/who.ts'
import { rowsOf } from '../view/arguments.ts'
import { argsOf, textOf } from '../view/call.ts'
import { describedEffects } from '../view/effects.ts'
import { type Seen, unseen } from '../view/seen.ts'
import { standingOf } from '../view/standing.ts'

/** The server takes at most this many in one answer. */
const MOST = 50

/** `alike`: what the calls have in common, as the server names it. */
export function BatchPage({ alike }: { readonly alike: string }): JSX.Element {
  if (inbox.value === null) return <Loading />
  const found = alikeSets(inbox.value.approvals).find(([first]) => first?.alike === alike)
  return (
    <article class="page page-batch" aria-label="Calls that are alike">
      <header class="approval-head">
        <a class="back" href={href(['inbox'])}>
          ← Inbox
        </a>
        <h1>{found === undefined ? 'Nothing left here' : `${found.length} calls that are alike`}</h1>
      </header>
      {found === undefined ? (
        <Empty title="All of them are answered">New ones appear in the inbox.</Empty>
      ) : (
        <Batch approvals={found.slice(0, MOST)} />
      )}
    </article>
  )
}

interface State {
  /** Ticked calls. */
  readonly chosen: Signal<ReadonlySet<string>>
  /** How many parts of each call are cut. */
  readonly cut: Signal<ReadonlyMap<string, number>>
  readonly busy: Signal<boolean>
  readonly error: Signal<Error | null>
  readonly comment: Signal<string>
  readonly failed: Signal<readonly BatchResult[]>
}

function Batch({ approvals }: { readonly approvals: readonly Approval[] }): JSX.Element {
  const state: State = {
    chosen: useSignal<ReadonlySet<string>>(new Set()),
    cut: useSignal<ReadonlyMap<string, number>>(new Map()),
    busy: useSignal(false),
    error: useSignal<Error | null>(null),
    comment: useSignal(''),
    failed: useSignal<readonly BatchResult[]>([]),
  }
  return (
    <>
      <p class="muted batch-text">Same effects, same targets, same amounts. Tick each call that you have read; only those are answered.</p>
      <ol class="batch">
        {approvals.map((approval) => (
          <Call key={approval.id} approval={approval} state={state} />
        ))}
      </ol>
      <Answer ids={approvals.map(({ id }) => id).filter((id) => state.chosen.value.has(id))} state={state} />
    </>
  )
}

function Answer({ ids, state }: { readonly ids: readonly string[]; readonly state: State }): JSX.Element {
  const cut = ids.reduce((sum, id) => sum + (state.cut.value.get(id) ?? 0), 0)
  const no = ids.length === 0 || state.busy.value || !mayAs('approver')
  return (
    <section class="answer" aria-label="Your answer">
      {state.error.value !== null && <Failure error={state.error.value} />}
      {state.failed.value.map((result) => (
        <p key={result.id} class="problem">
          <Line text={`${result.id}: ${reasonOf(result)}`} limit={300} />
        </p>
      ))}
      <label class="field field-wide">
        <span class="field-name">Comment</span>
        <input
          id="comment"
          type="text"
          maxLength={2_000}
          autocomplete="off"
          value={state.comment.value}
          onInput={(event) => (state.comment.value = event.currentTarget.value)}
        />
      </label>
      <div class="answer-buttons">
        <button id="deny" type="button" class="button button-deny" disabled={no} onClick={() => void send(state, ids, 'deny')}>
          Deny {ids.length}
        </button>
        <button
          id="approve"
          type="button"
          class="button button-approve"
          disabled={no || cut > 0}
          onClick={() => void send(state, ids, 'approve')}
        >
          Approve {ids.length}, once each
        </button>
        <span class="answer-blocked" role="status">
          {ids.length === 0 ? 'Tick the calls to answer.' : cut > 0 ? `Show the ticked calls whole first: ${cut} parts are cut.` : ''}
        </span>
      </div>
    </section>
  )
}

function Call({ approval, state }: { readonly approval: Approval; readonly state: State }): JSX.Element {
  const look: Look = { seen: useSignal<Seen>(new Map()), allRows: useSignal(false) }
  const { id, sheet, tool } = approval
  const rows = useMemo(() => rowsOf(argsOf(sheet.call)), [sheet])
  const effects = useMemo(() => describedEffects(sheet.effects, textOf(sheet.call, 'cwd')), [sheet])
  const cut = unseen(rows, look.seen.value, look.allRows.value).length
  useEffect(() => {
    state.cut.value = new Map(state.cut.value).set(id, cut)
  }, [cut, id, state.cut])
  const { objection } = standingOf(approval, { name: myName(), canAnswer: mayAs('approver') })
  return (
    <li class="batch-call">
      <label class="batch-head">
        <input
          type="checkbox"
          checked={state.chosen.value.has(id)}
          onChange={(event) => (state.chosen.value = toggled(state.chosen.value, id, event.currentTarget.checked))}
        />
        <strong>
          <Raw text={tool ?? 'no tool'} />
        </strong>
        <Digest of={approval.call_digest} />
        <Countdown until={approval.approve_by} />
        {objection !== null && (
          <span class="muted">
            <Line text={objection} />
          </span>
        )}
      </label>
      <Effects effects={effects} />
      <Arguments rows={rows} effects={effects} look={look} />
    </li>
  )
}

function toggled(set: ReadonlySet<string>, id: string, on: boolean): ReadonlySet<string> {
  return on ? new Set([...set, id]) : new Set([...set].filter((other) => other !== id))
}

function reasonOf({ error }: BatchResult): string {
  if (error === undefined) return 'not taken'
  return typeof error === 'string' ? error : (error.message ?? error.error ?? 'not taken')
}

async function send(state: State, ids: readonly string[], verdict: 'approve' | 'deny'): Promise<void> {
  if (state.busy.value) return
  state.busy.value = true
  state.error.value = null
  try {
    const comment = state.comment.value.trim()
    const { results } = await post<{ results: readonly BatchResult[] }>('/v1/approvals/batch', {
      ids,
      verdict,
      ...(comment === '' ? {} : { comment }),
    })
    state.failed.value = results.filter(({ ok }) => !ok)
    state.chosen.value = new Set()
    await loadInbox()
  } catch (error) {
    state.error.value = asError(error)
  } finally {
    state.busy.value = false
  }
}
