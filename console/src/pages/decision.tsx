/** One recorded decision in full, with everything that it carries as its own proof. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { alsoNamedTexts } from '../../../src/core/also-named.ts'
import { isJsonObject, type Json, type JsonObject, own } from '../../../src/core/json.ts'
import { get } from '../api/client.ts'
import type { Entry } from '../api/types.ts'
import { About, whoAsks } from '../parts/about.tsx'
import { Arguments, type Look } from '../parts/arguments.tsx'
import { Digest, Instant, Verdict } from '../parts/badges.tsx'
import { Effects } from '../parts/effects.tsx'
import { From, Policies } from '../parts/policies.tsx'
import { Section, Shown } from '../parts/states.tsx'
import { TakeBack } from '../parts/take-back.tsx'
import { Line, Names, Raw } from '../parts/text.tsx'
import { useResource } from '../state/resource.ts'
import { href } from '../state/route.ts'
import { rowsOf } from '../view/arguments.ts'
import { argsOf, listOf, objectOf, textOf } from '../view/call.ts'
import { describedEffects } from '../view/effects.ts'
import type { Seen } from '../view/seen.ts'

export function DecisionPage({ id }: { readonly id: string }): JSX.Element {
  const found = useResource(`decision ${id}`, (signal) => get<Entry>(`/v1/decisions/${encodeURIComponent(id)}`, signal))
  return (
    <article class="page page-approval" aria-label="One decision in full">
      <Shown of={found}>{(entry) => <OneDecision key={id} entry={entry} />}</Shown>
    </article>
  )
}

function OneDecision({ entry }: { readonly entry: Entry }): JSX.Element {
  const look: Look = { seen: useSignal<Seen>(new Map()), allRows: useSignal(false) }
  const body = objectOf(entry, 'body') ?? entry
  const call = objectOf(body, 'call') ?? {}
  const decision = objectOf(body, 'decision') ?? {}
  const rows = useMemo(() => rowsOf(argsOf(call)), [call])
  const effects = useMemo(() => describedEffects(listOf(decision, 'effects'), textOf(call, 'cwd')), [decision, call])
  return (
    <>
      <Head entry={entry} call={call} decision={decision} />
      <div class="approval-body">
        <Section
          title="Why"
          aside={
            <code>
              <Line text={textOf(decision, 'code') ?? ''} />
            </code>
          }
        >
          <p class="why">
            <Raw text={textOf(decision, 'reason') ?? 'No reason is recorded.'} />
          </p>
          <Findings found={listOf(decision, 'findings')} />
        </Section>
        <Section title="What it would do">
          <Effects effects={effects} />
        </Section>
        <Section title="Arguments">
          <Arguments rows={rows} effects={effects} look={look} />
        </Section>
        <WayBack entry={entry} undo={objectOf(decision, 'undo') ?? objectOf(body, 'undo')} />
        <Belonging entry={entry} call={call} decision={decision} />
        <Section title="The whole record">
          <WholeRecord entry={entry} />
        </Section>
      </div>
    </>
  )
}

/** Taking back has a way back, too: its record names the call that it took back. */
function WayBack({ entry, undo }: { readonly entry: Entry; readonly undo: JsonObject | null }): JSX.Element | null {
  if (undo === null || textOf(undo, 'id') === null) return null
  const [id, of] = [textOf(entry, 'id'), textOf(undo, 'of')]
  return (
    <>
      {of !== null && (
        <Section title="It took back">
          <a href={href(['decisions', of])}>
            <Line text={of} />
          </a>
        </Section>
      )}
      {id !== null && <TakeBack ids={[id]} title="The way back" />}
    </>
  )
}

function Head({ entry, call, decision }: { readonly entry: Entry; readonly call: JsonObject; readonly decision: JsonObject }): JSX.Element {
  const at = textOf(entry, 'at') ?? textOf(entry, 'time')
  const session = textOf(call, 'session')
  return (
    <header class="approval-head">
      <a class="back" href={href(['decisions'])}>
        ← Decisions
      </a>
      <h1>
        <Line text={textOf(call, 'tool') ?? textOf(entry, 'kind') ?? 'Record'} />
      </h1>
      <Verdict of={textOf(decision, 'decision')} />
      <span class="approval-meta">
        {session !== null && (
          <a href={href(['sessions', session])}>
            <Line text={session} limit={48} />
          </a>
        )}
        {at !== null && <Instant at={at} />}
      </span>
    </header>
  )
}

/** Who asked, where, and what the decision is bound to. */
function Belonging({
  entry,
  call,
  decision,
}: {
  readonly entry: Entry
  readonly call: JsonObject
  readonly decision: JsonObject
}): JSX.Element {
  const principal = objectOf(call, 'principal') ?? {}
  const chain = listOf(principal, 'chain').filter((name): name is string => typeof name === 'string')
  const waiting = textOf(objectOf(decision, 'approval') ?? {}, 'id')
  const who = whoAsks(Object.fromEntries(['agent', 'role', 'user', 'tenant'].map((name) => [name, textOf(principal, name)])))
  const names = alsoNamedTexts(call)
  const facts: readonly (readonly [string, JSX.Element])[] = [
    ['Outcome', <Raw key="v" text={outcomeText(objectOf(entry, 'outcome'))} />],
    ...(names.length === 0 ? [] : [['Also named', <Names key="v" full of={names} />] as const]),
    ['Who asked', <Names key="v" full of={who} none="nobody said who" />],
    ['Delegation', <Names key="v" full of={chain} chain />],
    ['Directory', <Raw key="v" text={textOf(call, 'cwd') ?? 'none'} />],
    ['Policies', <Policies key="v" policy={own(decision, 'policy')} />],
    ['Policy digest', <Digest key="v" of={textOf(decision, 'policy_digest') ?? ''} full />],
    ['Call digest', <Digest key="v" of={textOf(decision, 'call_digest')} full />],
    ['Record hash', <Digest key="v" of={textOf(entry, 'hash') ?? ''} full />],
  ]
  return <About title="About it" link={{ name: 'Approval', page: 'approvals', id: waiting }} facts={facts} />
}

/** What became of the call, in a line. */
function outcomeText(outcome: JsonObject | null | undefined): string {
  if (outcome === null || outcome === undefined) return 'it was not let through'
  const why = textOf(outcome, 'why')
  return `${textOf(outcome, 'state') ?? 'unknown'}${why === null ? '' : `: ${why}`}`
}

function Findings({ found }: { readonly found: readonly Json[] }): JSX.Element {
  return (
    <ul class="findings">
      {found.filter(isJsonObject).map((finding, index) => (
        <li key={index}>
          <Verdict of={verdictOf(finding)} />
          <span>
            <Raw text={textOf(finding, 'message') ?? ''} />{' '}
            <span class="finding-rule">
              <Line text={`${textOf(finding, 'layer') ?? ''} / ${textOf(finding, 'rule') ?? ''}`} />
              <From scope={own(finding, 'scope')} />
            </span>
          </span>
        </li>
      ))}
    </ul>
  )
}

function verdictOf(finding: JsonObject): string | null {
  const verdict = textOf(finding, 'verdict')
  return verdict === 'abstain' ? 'noted' : verdict
}

/** The entry as rows of its own: a record is shown as carefully as a call. */
function WholeRecord({ entry }: { readonly entry: Entry }): JSX.Element {
  const open = useSignal(false)
  const look: Look = { seen: useSignal<Seen>(new Map()), allRows: useSignal(false) }
  return (
    <details onToggle={(event) => (open.value = event.currentTarget.open)}>
      <summary>Every field</summary>
      {open.value && <Arguments rows={rowsOf(entry)} look={look} />}
    </details>
  )
}
