/**
 * The answer to one approval. Nothing has the focus when a call appears, and no button works within its first half second: a key or
 * a press that was meant for the call before it answers nothing. A yes needs a call that was seen whole.
 */
import { type Signal, useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { post, Refused } from '../api/client.ts'
import type { Approval, Approving, Proposal, Scope } from '../api/types.ts'
import { instant, now } from '../state/clock.ts'
import { lastAnswer, loadInbox, nextAfter } from '../state/inbox.ts'
import { asError } from '../state/resource.ts'
import { go } from '../state/route.ts'
import { mayAs, myName } from '../state/who.ts'
import { scopeWords } from '../view/scope.ts'
import { standingOf } from '../view/standing.ts'
import { Key } from './badges.tsx'
import { Edit } from './edit.tsx'
import { Failure } from './states.tsx'
import { Line, Raw } from './text.tsx'

interface Draft {
  readonly comment: Signal<string>
  /** Index of the proposal; -1: once. */
  readonly scope: Signal<number>
  readonly breaking: Signal<boolean>
  readonly editing: Signal<boolean>
  readonly busy: Signal<boolean>
  readonly error: Signal<Error | null>
}

interface Props {
  readonly approval: Approval
  /** Why the call was not seen whole yet; null where it was. */
  readonly unread: string | null
  readonly onAnswered: () => void
}

export function AnswerBar(props: Props): JSX.Element {
  const draft: Draft = {
    comment: useSignal(''),
    scope: useSignal(-1),
    breaking: useSignal(false),
    editing: useSignal(false),
    busy: useSignal(false),
    error: useSignal<Error | null>(null),
  }
  const { approval, unread } = props
  const settled = useSettled(`${approval.id} ${approval.version}`)
  const standing = standingOf(approval, { name: myName(), canAnswer: mayAs('approver') })
  const objection = draft.breaking.value && standing.mayBreakGlass ? needsReason(draft.comment.value) : standing.objection
  const blocked = objection ?? unread
  const send: Send = (verdict, more = {}) => void submit({ ...props, draft }, verdict, more)
  if (!mayAs('approver'))
    return (
      <section class="answer" aria-label="Your answer">
        <p id="blocked" class="muted">
          You are a viewer here: you may look, but not answer.
        </p>
      </section>
    )
  return (
    <section class="answer" aria-label="Your answer" data-ready={settled && unread === null ? 'yes' : 'no'}>
      {draft.error.value !== null && <Failure error={draft.error.value} />}
      {draft.editing.value ? (
        <Edit
          approval={approval}
          blocked={blocked}
          onSend={(args) => send('approve', { modified_arguments: args })}
          onClose={() => (draft.editing.value = false)}
        />
      ) : (
        <>
          <Options approval={approval} draft={draft} mayBreakGlass={standing.mayBreakGlass} />
          <Buttons approval={approval} draft={draft} blocked={blocked} mayDeny={standing.mayDeny} settled={settled} send={send} />
        </>
      )}
    </section>
  )
}

/** Milliseconds in which a call that just appeared, or changed, cannot be answered. */
const SETTLE_MS = 500

/** False until what `shown` names stood on the page for a moment. */
function useSettled(shown: string): boolean {
  const settled = useSignal<string | null>(null)
  useEffect(() => {
    const timer = setTimeout(() => (settled.value = shown), SETTLE_MS)
    return () => clearTimeout(timer)
  }, [shown, settled])
  return settled.value === shown
}

type Send = (verdict: 'approve' | 'deny', more?: Approving) => void

interface ButtonsProps {
  readonly approval: Approval
  readonly draft: Draft
  readonly blocked: string | null
  readonly mayDeny: boolean
  readonly settled: boolean
  readonly send: Send
}

function Buttons({ approval, draft, blocked, mayDeny, settled, send }: ButtonsProps): JSX.Element {
  const yes = draft.breaking.value ? 'button-break' : 'button-approve'
  const wait = draft.busy.value || !settled
  const no = blocked !== null || wait
  return (
    <div class="answer-buttons">
      <button id="deny" type="button" class="button button-deny" disabled={!mayDeny || wait} onClick={() => send('deny')}>
        Deny <Key name="d" />
      </button>
      <button id="approve" type="button" class={`button ${yes}`} disabled={no} aria-describedby="blocked" onClick={() => send('approve')}>
        {draft.breaking.value ? 'Break the glass' : label(approval, draft.scope.value)} <Key name="a" />
      </button>
      <button id="edit" type="button" class="button button-quiet" disabled={no} onClick={() => (draft.editing.value = true)}>
        Edit… <Key name="e" />
      </button>
      <span id="blocked" class="answer-blocked" role="status">
        {blocked !== null && <Line text={blocked} />}
      </span>
    </div>
  )
}

function needsReason(comment: string): string | null {
  return comment.trim() === '' ? 'Breaking the glass needs a reason; it is recorded and reported.' : null
}

function label({ proposals }: Approval, scope: number): string {
  const chosen = proposals[scope]
  if (chosen === undefined) return 'Approve once'
  if (chosen.kind === 'apply') return 'Apply exactly this'
  return chosen.kind === 'session' ? 'Approve for this session' : 'Approve and grant'
}

function Options({
  approval,
  draft,
  mayBreakGlass,
}: {
  readonly approval: Approval
  readonly draft: Draft
  readonly mayBreakGlass: boolean
}): JSX.Element {
  const breaking = draft.breaking.value
  return (
    <div class="answer-options">
      <input
        id="comment"
        type="text"
        aria-label={breaking ? 'Reason' : 'Comment'}
        maxLength={2_000}
        autocomplete="off"
        placeholder={breaking ? 'Reason: why this cannot wait for the others' : 'Comment (the agent does not see it)'}
        value={draft.comment.value}
        onInput={(event) => (draft.comment.value = event.currentTarget.value)}
      />
      {approval.status === 'pending' && approval.proposals.length > 0 && !breaking && (
        <Scopes proposals={approval.proposals} chosen={draft.scope} />
      )}
      {(approval.withheld ?? []).map(({ action, target, why }) => (
        <p key={`${action} ${target}`} class="muted">
          No grant is offered for {action} of <Raw text={target} />: <Raw text={why} />
        </p>
      ))}
      {mayBreakGlass && (
        <label class="check">
          <input type="checkbox" checked={breaking} onChange={(event) => (draft.breaking.value = event.currentTarget.checked)} />
          Break the glass: approve alone, loudly
        </label>
      )}
    </div>
  )
}

/** What a yes covers, in one line; the wider ones stand behind it, so that they take no room from the call. */
function Scopes({ proposals, chosen }: { readonly proposals: readonly Proposal[]; readonly chosen: Signal<number> }): JSX.Element {
  const proposal = proposals[chosen.value]
  return (
    <details class="scopes">
      <summary>
        <span class="muted">A yes covers</span>{' '}
        <strong>
          <Covered proposal={proposal ?? null} />
        </strong>
        <span class="scopes-change"> (change)</span>
      </summary>
      <fieldset>
        <legend class="unseen">A yes covers</legend>
        {[null, ...proposals].map((each, index) => (
          <label key={index} class={`scope${chosen.value === index - 1 ? ' scope-chosen' : ''}`}>
            <input type="radio" name="scope" checked={chosen.value === index - 1} onChange={() => (chosen.value = index - 1)} />
            <span>
              <Covered proposal={each} />
            </span>
          </label>
        ))}
      </fieldset>
    </details>
  )
}

function Covered({ proposal }: { readonly proposal: Proposal | null }): JSX.Element {
  if (proposal === null) return <span>this call, once</span>
  const { what, bounds } = scopeWords(proposal, now.peek(), (at) => instant(at).slice(11, 16))
  return (
    <>
      <Raw text={what} />
      <span class="muted"> · {bounds}</span>
    </>
  )
}

async function submit(
  { approval, draft, onAnswered }: Props & { readonly draft: Draft },
  verdict: 'approve' | 'deny',
  more: Approving,
): Promise<void> {
  if (draft.busy.value) return
  draft.busy.value = true
  draft.error.value = null
  try {
    await post(
      `/v1/approvals/${encodeURIComponent(approval.id)}/${verdict}`,
      verdict === 'deny' ? said(draft) : { ...yes(approval, draft), ...more },
    )
    draft.editing.value = false
    lastAnswer.value = { id: approval.id, tool: approval.tool, verdict }
    // A change waits, decided anew, for a yes of its own; after any other answer the next call opens.
    const next = more.modified_arguments === undefined ? nextAfter(approval.id) : null
    if (next !== null) go(['approvals', next.id])
    void loadInbox()
  } catch (error) {
    draft.error.value = conflict(asError(error))
  } finally {
    draft.busy.value = false
    onAnswered()
  }
}

function said({ comment }: Draft): Approving {
  return comment.value.trim() === '' ? {} : { comment: comment.value.trim() }
}

function yes(approval: Approval, draft: Draft): Approving {
  const proposal = approval.proposals[draft.scope.value]
  const wide: { scope?: Scope } =
    proposal === undefined ? {} : { scope: proposal.kind === 'grant' ? { grant: proposal.grant } : proposal.kind }
  return { ...said(draft), ...(draft.breaking.value ? { break_glass: true } : wide), version: approval.version }
}

function conflict(error: Error): Error {
  if (!(error instanceof Refused) || error.status !== 409) return error
  return new Refused(409, { code: error.code, message: `Not taken: ${error.message}. What you see now is how it stands.` })
}
