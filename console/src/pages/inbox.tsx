/** What waits for a person: the list beside the call that is open, near-identical asks together. */
import { useComputed } from '@preact/signals'
import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import type { Approval, ApprovalList } from '../api/types.ts'
import { Countdown } from '../parts/badges.tsx'
import { Severities } from '../parts/severities.tsx'
import { Empty, Failure, Loading } from '../parts/states.tsx'
import { Line, Names } from '../parts/text.tsx'
import {
  alikeSets,
  cursor,
  inbox,
  inboxError,
  lastAnswer,
  listed,
  loadInbox,
  moreOf,
  needle,
  type ShownGroup,
  unfolded,
} from '../state/inbox.ts'
import { href } from '../state/route.ts'
import { headline } from '../view/arguments.ts'
import { argsOf, textOf } from '../view/call.ts'
import { type DescribedEffect, describedEffects, heaviestFirst } from '../view/effects.ts'
import { progress } from '../view/standing.ts'
import { ApprovalPage } from './approval.tsx'

export function InboxPage({ open }: { readonly open: string | null }): JSX.Element {
  return (
    <div class={`split${open !== null ? ' split-open' : inbox.value?.approvals.length === 0 ? ' split-empty' : ''}`}>
      <section class="split-list" aria-label="Waiting for a person">
        <header class="page-head">
          <h1>Inbox</h1>
          <Count />
          <Filter />
        </header>
        <List open={open} />
      </section>
      <div class="split-detail">
        <LastAnswer open={open} />
        {open === null ? <Hint /> : <ApprovalPage key={open} id={open} />}
      </div>
    </div>
  )
}

function Count(): JSX.Element | null {
  const list = inbox.value
  if (list === null) return null
  return <span class="count number">{list.more ? `${list.approvals.length}+` : list.approvals.length} waiting</span>
}

/** What was just answered, above the call that opened after it. */
function LastAnswer({ open }: { readonly open: string | null }): JSX.Element | null {
  const last = lastAnswer.value
  if (last === null || last.id === open) return null
  return (
    <p class="last-answer" role="status">
      {last.verdict === 'approve' ? 'Approved: ' : 'Denied: '}
      <a href={href(['approvals', last.id])}>
        <Line text={last.tool ?? 'no tool'} limit={48} />
      </a>
    </p>
  )
}

function Hint(): JSX.Element | null {
  if (inbox.value === null || inbox.value.approvals.length === 0) return null
  return (
    <div class="hint muted">
      <p>
        Choose a call, or press <kbd>j</kbd> and <kbd>Enter</kbd>.
      </p>
      <p>
        <kbd>?</kbd> shows every key.
      </p>
    </div>
  )
}

function List({ open }: { readonly open: string | null }): JSX.Element {
  const list = inbox.value
  if (list === null) return inboxError.value === null ? <Loading /> : <Failure error={inboxError.value} retry={() => void loadInbox()} />
  return (
    <>
      {inboxError.value !== null && <Failure error={inboxError.value} retry={() => void loadInbox()} />}
      {list.approvals.length === 0 ? (
        <Empty title="Nothing waits for you">Calls that need a person appear here by themselves, the moment they are asked.</Empty>
      ) : (
        <Groups groups={listed(list, needle.value, unfolded.value)} open={open} />
      )}
      {list.more && <More list={list} />}
    </>
  )
}

function More({ list }: { readonly list: ApprovalList }): JSX.Element {
  const more = moreOf(list)
  return (
    <p class="muted list-more">
      These {list.approvals.length} end soonest.{' '}
      {more === null ? (
        'More follow as they are answered.'
      ) : (
        <button type="button" class="link" onClick={more}>
          Show more
        </button>
      )}
    </p>
  )
}

function Groups({ groups, open }: { readonly groups: readonly ShownGroup[]; readonly open: string | null }): JSX.Element {
  if (groups.length === 0) return <p class="muted list-more">No call that waits matches.</p>
  return (
    <>
      {groups.map((group) => (
        <GroupOf key={group.key} group={group} open={open} />
      ))}
    </>
  )
}

/** From so many calls on, one is looked for rather than found. */
const MANY = 9

function Filter(): JSX.Element | null {
  if ((inbox.value?.approvals.length ?? 0) < MANY && needle.value === '') return null
  return (
    <input
      id="search"
      type="search"
      class="inbox-filter"
      aria-label="Look for a call that waits"
      placeholder="Look for a tool, a word, an agent…"
      autocomplete="off"
      spellcheck={false}
      value={needle.value}
      onInput={(event) => (needle.value = event.currentTarget.value)}
    />
  )
}

function GroupOf({ group, open }: { readonly group: ShownGroup; readonly open: string | null }): JSX.Element {
  const items = group.shown.map((approval) => <Item key={approval.id} approval={approval} open={approval.id === open} />)
  const folded = group.approvals.length - group.shown.length
  if (group.text === null) return <ul class="items">{items}</ul>
  return (
    <section class="group">
      <header class="group-head">
        <span class="group-count">{group.approvals.length} alike</span>
        <span class="group-text">
          <Line text={group.text.replace(/^\d+ × /, '')} limit={80} />
        </span>
        <Together approvals={group.approvals} />
      </header>
      <ul class="items">{items}</ul>
      {folded > 0 && (
        <button type="button" class="link group-more" onClick={() => (unfolded.value = new Set([...unfolded.value, group.key]))}>
          {folded} more like these
        </button>
      )}
    </section>
  )
}

/** Links to those that one answer may cover: the same targets and amounts. */
function Together({ approvals }: { readonly approvals: readonly Approval[] }): JSX.Element {
  const sets = alikeSets(approvals).slice(0, FEW_SETS)
  return (
    <>
      {sets.map((set) => (
        <a key={set[0]?.alike} href={href(['batch', set[0]?.alike ?? ''])}>
          {set.length === approvals.length ? 'Answer together' : `${set.length} with the same target`}
        </a>
      ))}
    </>
  )
}

const FEW_SETS = 3

function Item({ approval, open }: { readonly approval: Approval; readonly open: boolean }): JSX.Element {
  const { id, tool, sheet, principal, session } = approval
  const effects = useMemo(() => heaviestFirst(describedEffects(sheet.effects, textOf(sheet.call, 'cwd'))), [sheet])
  const first = effects[0]
  const money = effects.find((effect) => effect.money !== null)?.money ?? null
  // Of two hundred items only two change when the cursor moves.
  const isHere = useComputed(() => cursor.value === id)
  const steps = progress(approval)
  return (
    <li>
      <a
        class={`item${open ? ' item-open' : ''}${isHere.value ? ' item-cursor' : ''}`}
        href={href(['approvals', id])}
        aria-current={open ? 'true' : undefined}
        onClick={() => {
          cursor.value = id
        }}
      >
        <span class="item-top">
          <strong class="item-tool">
            <Line text={money ?? tool ?? 'no tool'} limit={64} />
          </strong>
          {steps !== null && <span class="steps">{steps}</span>}
          <Countdown until={approval.approve_by} roughly />
        </span>
        <span class="item-text">
          <Line
            text={money === null ? headline(argsOf(sheet.call)) : `${tool ?? 'no tool'}: ${headline(argsOf(sheet.call))}`}
            limit={140}
          />
        </span>
        <span class="item-under">
          <Severities of={effects} />
          {first === undefined ? <Line text={approval.reason ?? ''} limit={110} /> : <Does first={first} more={effects.length - 1} />}
        </span>
        <span class="item-under muted">
          <Names of={[principal?.agent, principal?.user, session]} none="nobody said who" />
        </span>
      </a>
    </li>
  )
}

/** The weightiest effect in a few words, and how many there are beside it. */
function Does({ first: { parts, words }, more }: { readonly first: DescribedEffect; readonly more: number }): JSX.Element {
  return (
    <>
      {more > 0 && <span class="item-more muted">+{more}</span>}
      {parts?.final === true && <span class="tag tag-grave item-final">no undo</span>}
      {parts === null || parts.target === null ? (
        <Line text={words} limit={110} />
      ) : (
        <Line text={`${parts.act} ${parts.target}`} limit={110} />
      )}
    </>
  )
}
