/** One call in full, what decides first: why it is asked, the task, what it would do and change, its arguments, the calls before; then what it is bound to. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { alsoNamedTexts } from '../../../src/core/also-named.ts'
import { get } from '../api/client.ts'
import { approvalTick } from '../api/live.ts'
import type { Approval } from '../api/types.ts'
import { About, whoAsks } from '../parts/about.tsx'
import { AnswerBar } from '../parts/answer.tsx'
import { Arguments, CopyText, type Look } from '../parts/arguments.tsx'
import { Ago, Countdown, Digest, Instant, Status, Verdict } from '../parts/badges.tsx'
import { Changes } from '../parts/edit.tsx'
import { Effects } from '../parts/effects.tsx'
import { History } from '../parts/history.tsx'
import { From, Policies } from '../parts/policies.tsx'
import { PreviewOf } from '../parts/preview.tsx'
import { Severities } from '../parts/severities.tsx'
import { Section, Shown } from '../parts/states.tsx'
import { Line, Names, Raw } from '../parts/text.tsx'
import { WaysBack } from '../parts/ways-back.tsx'
import { useResource } from '../state/resource.ts'
import { href } from '../state/route.ts'
import { rowsOf } from '../view/arguments.ts'
import { argsOf, objectOf, textOf } from '../view/call.ts'
import { changes } from '../view/diff.ts'
import { type DescribedEffect, describedEffects, heaviestFirst } from '../view/effects.ts'
import { gravestFirst, isSaidBy } from '../view/findings.ts'
import { type Seen, unread, unseen } from '../view/seen.ts'
import { progress } from '../view/standing.ts'

export function ApprovalPage({ id }: { readonly id: string }): JSX.Element {
  const found = useResource(`approval ${id}`, (signal) => get<Approval>(`/v1/approvals/${encodeURIComponent(id)}`, signal), approvalTick)
  return (
    <article class="page page-approval" aria-label="One call in full">
      <Shown of={found}>{(approval) => <OneApproval key={approval.id} approval={approval} reload={found.reload} />}</Shown>
    </article>
  )
}

function OneApproval({ approval, reload }: { readonly approval: Approval; readonly reload: () => void }): JSX.Element {
  const ended = useSignal<boolean | null>(null)
  const look: Look = { seen: useSignal<Seen>(new Map()), allRows: useSignal(false), ended }
  const { sheet, status } = approval
  const rows = useMemo(() => rowsOf(argsOf(sheet.call)), [sheet])
  const effects = useMemo(() => describedEffects(sheet.effects, textOf(sheet.call, 'cwd')), [sheet])
  const cut = unseen(rows, look.seen.value, look.allRows.value).length
  const open = status === 'pending' || status === 'approved'
  return (
    <>
      <Head approval={approval} effects={effects} />
      <div class="approval-body">
        <Why approval={approval} />
        <Task approval={approval} />
        <Said approval={approval} />
        <Section
          title="What it would do"
          aside={sheet.dryrun_supported == null ? undefined : <DryRun supported={sheet.dryrun_supported} />}
        >
          <Effects effects={effects} />
        </Section>
        <PreviewOf preview={sheet.preview ?? null} />
        <WaysBack sheet={sheet} />
        <Changed approval={approval} />
        <Section title="Arguments" aside={<CopyText args={argsOf(sheet.call)} />}>
          <Arguments rows={rows} effects={effects} look={look} />
        </Section>
        {approval.session !== null && <History session={approval.session} of={approval.decision_id} />}
        <Bound approval={approval} />
      </div>
      {open && <AnswerBar approval={approval} unread={unread(cut, ended.value)} onAnswered={reload} />}
    </>
  )
}

/** In the user's words where the host vouches for them; else as what the agent says. */
function Task({ approval: { sheet } }: { readonly approval: Approval }): JSX.Element | null {
  const context = objectOf(sheet.call, 'context')
  const task = textOf(context ?? undefined, 'task')
  if (task === null) return null
  const vouched = context?.task_vouched === true
  return (
    <Section title={vouched ? 'The user’s task' : 'The task, as the agent says'}>
      <p class="task">
        <Raw text={task} />
      </p>
    </Section>
  )
}

function DryRun({ supported }: { readonly supported: boolean }): JSX.Element {
  return <span class="muted">{supported ? 'The tool has a dry run.' : 'The tool has no dry run.'}</span>
}

function Head({ approval, effects }: { readonly approval: Approval; readonly effects: readonly DescribedEffect[] }): JSX.Element {
  const { tool, server, status, sheet, session, created_at } = approval
  const title = useRef<HTMLHeadingElement>(null)
  // The reader starts at the top of the call, and no key that was meant for the call before finds a button.
  useEffect(() => title.current?.focus({ preventScroll: true }), [])
  const money = heaviestFirst(effects).find((effect) => effect.money !== null)?.money ?? null
  const steps = progress(approval)
  const cwd = textOf(sheet.call, 'cwd')
  return (
    <header class="approval-head">
      <div class="approval-title">
        <a class="back" href={href(['inbox'])}>
          ← Inbox
        </a>
        <h1 ref={title} tabIndex={-1}>
          <Raw text={money ?? tool ?? 'no tool'} />
          {money !== null && (
            <span class="muted approval-server">
              by <Raw text={tool ?? 'no tool'} />
            </span>
          )}
          {server !== null && (
            <span class="muted approval-server">
              on <Raw text={server} />
            </span>
          )}
        </h1>
        <Status of={status} />
        <Severities of={effects} />
        {steps !== null && <span class="steps">{steps} agreed</span>}
        <span class="approval-left">
          {status === 'pending' && <Countdown until={approval.approve_by} />}
          {status === 'approved' && approval.use_by !== null && <Countdown until={approval.use_by} />}
        </span>
      </div>
      <p class="approval-meta">
        <Asker approval={approval} />
        <span>
          asked <Ago at={created_at} />
        </span>
        {cwd !== null && (
          <span>
            in{' '}
            <code>
              <Line text={cwd} limit={80} />
            </code>
          </span>
        )}
        {session !== null && (
          <span>
            session{' '}
            <a href={href(['sessions', session])}>
              <Line text={session} limit={48} />
            </a>
          </span>
        )}
      </p>
    </header>
  )
}

function Asker({ approval: { principal } }: { readonly approval: Approval }): JSX.Element {
  const { agent = null, user = null } = principal ?? {}
  return (
    <span>
      <strong>
        <Line text={agent ?? user ?? 'somebody unnamed'} limit={60} />
      </strong>
      {agent !== null && user !== null && (
        <>
          {' '}
          for{' '}
          <strong>
            <Line text={user} limit={60} />
          </strong>
        </>
      )}
    </span>
  )
}

/** What each layer said, the gravest first; the reason in one text only where it says more than they do. */
function Why({ approval: { code, reason, sheet } }: { readonly approval: Approval }): JSX.Element {
  const findings = gravestFirst(sheet.findings ?? [])
  const alone = findings.length === 0 || !isSaidBy(reason, findings)
  return (
    <Section
      title="Why it asks"
      aside={
        <code>
          <Line text={code ?? ''} />
        </code>
      }
    >
      {alone && (
        <p class="why">
          <Raw text={reason ?? 'No reason is recorded.'} />
        </p>
      )}
      <ul class="findings">
        {findings.map(({ verdict, layer, rule, message, scope }, index) => (
          <li key={index} class={verdict === 'ask' || verdict === 'deny' || verdict === 'halt' ? '' : 'finding-mild'}>
            <Verdict of={verdict === 'abstain' ? 'noted' : verdict} />
            <span>
              <Raw text={message} />{' '}
              <span class="finding-rule">
                <Line text={`${layer} / ${rule}`} />
                <From scope={scope} />
              </span>
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** What a person changed, and what was decided of it; the sheet beside it is of the changed call. */
function Changed({ approval: { edit, sheet } }: { readonly approval: Approval }): JSX.Element | null {
  if (edit === undefined || edit === null) return null
  const found = edit.before === null ? [] : changes(argsOf(edit.before.call), argsOf(sheet.call))
  return (
    <Section title="Changed by a person" aside={<Instant at={edit.at} />}>
      <p class="why">
        <strong>
          <Line text={edit.by} />
        </strong>{' '}
        changed these arguments. The changed call was decided again, and a yes is about it; the agent is told what was changed.{' '}
        {edit.decision !== null && <Verdict of={edit.decision} />}
      </p>
      <Changes found={found} />
    </Section>
  )
}

function Said({ approval: { answers } }: { readonly approval: Approval }): JSX.Element | null {
  if (answers.length === 0) return null
  return (
    <Section title="Answers so far">
      <ul class="answers">
        {answers.map((said, index) => (
          <li key={index}>
            <Verdict of={said.verdict === 'approve' ? 'allow' : 'deny'} />
            <strong>
              <Line text={said.by} />
            </strong>
            {said.in_the_stead_of != null && (
              <span class="muted">
                for <Line text={said.in_the_stead_of} />
              </span>
            )}
            {said.break_glass && <span class="status status-broken">broke the glass</span>}
            {said.scope !== undefined && said.scope !== 'once' && <span class="status">{said.scope}</span>}
            {said.fast === true && <span class="status status-pending">in under two seconds</span>}
            <span class="muted">
              <Instant at={said.at} />
            </span>
            {said.reason !== '' && <Raw text={said.reason} />}
          </li>
        ))}
      </ul>
    </Section>
  )
}

function Bound({ approval }: { readonly approval: Approval }): JSX.Element {
  const { principal, sheet, terms } = approval
  const names = alsoNamedTexts(sheet.call)
  const facts: readonly (readonly [string, JSX.Element])[] = [
    ...(names.length === 0 ? [] : [['Also named', <Names key="v" full of={names} />] as const]),
    ['Who asks', <Names key="v" full of={whoAsks(principal ?? {})} none="nobody said who" />],
    ['Delegation', <Names key="v" full of={principal?.chain ?? []} chain />],
    [
      'Session',
      approval.session === null ? (
        <span key="v">none</span>
      ) : (
        <a key="v" href={href(['sessions', approval.session])}>
          <Line text={approval.session} />
        </a>
      ),
    ],
    ['Directory', <Raw key="v" text={textOf(sheet.call, 'cwd') ?? 'none'} />],
    [
      'Approvers',
      <Names
        key="v"
        of={terms.chain.length > 0 ? terms.chain : (terms.approvers ?? [])}
        chain={terms.chain.length > 0}
        none="any approver"
      />,
    ],
    ['Not by', <Names key="v" full of={terms.excluded} none="nobody is excluded" />],
    ['Call digest', <Digest key="v" of={approval.call_digest} full />],
    ['Policies', <Policies key="v" policy={sheet.policy} />],
    ['Policy digest', <Digest key="v" of={approval.policy_digest} full />],
  ]
  return <About title="Bound to" link={{ name: 'Decision', page: 'decisions', id: approval.decision_id }} facts={facts} />
}
