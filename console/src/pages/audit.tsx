/** The log itself: searched like `countersign audit search`, and verified. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { get, query } from '../api/client.ts'
import type { Entry, RecordList, VerifyReport } from '../api/types.ts'
import { Arguments, type Look } from '../parts/arguments.tsx'
import { Instant, Verdict } from '../parts/badges.tsx'
import { SearchBox } from '../parts/search.tsx'
import { Empty, Failure, Shown } from '../parts/states.tsx'
import { Line } from '../parts/text.tsx'
import { asError, useResource } from '../state/resource.ts'
import { go, href, route } from '../state/route.ts'
import { rowsOf } from '../view/arguments.ts'
import { textOf } from '../view/call.ts'
import { recordLine } from '../view/record.ts'
import type { Seen } from '../view/seen.ts'

const PAGE = 50

export function AuditPage(): JSX.Element {
  const asked = route.value.query
  const q = asked.get('q') ?? ''
  const before = asked.get('before') ?? ''
  const path = `/v1/audit/search${query({ q, before, limit: PAGE })}`
  const found = useResource(path, (signal) => get<RecordList>(path, signal))
  return (
    <article class="page" aria-label="Audit log">
      <header class="page-head">
        <h1>Audit log</h1>
      </header>
      <Verify />
      <div class="tools">
        <SearchBox
          key={q}
          value={q}
          label="Search the log"
          hint='decision:deny tool:Bash since:24h "rm -rf"'
          onSearch={(text) => go(['audit'], { q: text })}
        />
        {q !== '' && (
          <a class="button" href={href(['audit'])}>
            Clear
          </a>
        )}
      </div>
      <Shown of={found}>{(answer) => <Entries answer={answer} q={q} />}</Shown>
    </article>
  )
}

function Entries({ answer, q }: { readonly answer: RecordList; readonly q: string }): JSX.Element {
  const { records: entries, before } = answer
  if (entries.length === 0)
    return (
      <Empty title="No records match">
        Fields: kind, session, tenant, tool, decision, code, since, until. Other words must occur in the record.
      </Empty>
    )
  return (
    <>
      <ul class="records">
        {entries.map((entry, index) => (
          <RecordLine key={textOf(entry, 'id') ?? index} entry={entry} />
        ))}
      </ul>
      {before !== null && (
        <nav class="pager" aria-label="Pages">
          <a class="button" href={href(['audit'], { q, before: String(before) })}>
            Older
          </a>
        </nav>
      )}
    </>
  )
}

function RecordLine({ entry }: { readonly entry: Entry }): JSX.Element {
  const open = useSignal(false)
  const look: Look = { seen: useSignal<Seen>(new Map()), allRows: useSignal(false) }
  const decision = textOf(entry, 'decision')
  const at = textOf(entry, 'at')
  return (
    <li>
      <details onToggle={(event) => (open.value = event.currentTarget.open)}>
        <summary>
          <span class="record-kind">
            <Line text={textOf(entry, 'kind') ?? 'record'} limit={24} />
          </span>
          {decision !== null && <Verdict of={decision} />}
          <span class="line-tool">
            <Line text={textOf(entry, 'tool') ?? ''} limit={40} />
          </span>
          <span class="line-text">
            <Line text={recordLine(entry)} limit={160} />
          </span>
          <span class="code-cell wide-only">
            <Line text={textOf(entry, 'code') ?? ''} limit={60} />
          </span>
          <span class="muted line-time">{at !== null && <Instant at={at} />}</span>
        </summary>
        {open.value && <Arguments rows={rowsOf(entry)} look={look} />}
      </details>
    </li>
  )
}

function Verify(): JSX.Element {
  const report = useSignal<VerifyReport | null>(null)
  const error = useSignal<Error | null>(null)
  const busy = useSignal(false)
  const run = async () => {
    busy.value = true
    error.value = null
    try {
      report.value = await get<VerifyReport>('/v1/audit/verify')
    } catch (caught) {
      error.value = asError(caught)
    } finally {
      busy.value = false
    }
  }
  return (
    <section class="verify" aria-label="Verification">
      <button type="button" class="button" disabled={busy.value} onClick={() => void run()}>
        {busy.value ? 'Verifying…' : 'Verify the chain'}
      </button>
      <div role="status">
        {report.value === null ? (
          <span class="muted">Checks every record against its neighbours, its key and the anchors.</span>
        ) : (
          <Verified report={report.value} />
        )}
      </div>
      {error.value !== null && <Failure error={error.value} />}
    </section>
  )
}

function Verified({ report: { ok, total, breaks, warnings } }: { readonly report: VerifyReport }): JSX.Element {
  if (ok)
    return (
      <>
        <span class="verify-holds">
          Holds: {total.toLocaleString('en')} records, each as it was written.{warnings.length > 0 && ' To know of:'}
        </span>
        <Places of={warnings} />
      </>
    )
  return (
    <div class="verify-broken">
      <strong>
        Broken in {breaks.length} {breaks.length === 1 ? 'place' : 'places'}
      </strong>
      <Places of={breaks} />
    </div>
  )
}

const MAX_PLACES = 20

function Places({ of }: { readonly of: readonly { readonly kind: string; readonly detail: string }[] }): JSX.Element | null {
  if (of.length === 0) return null
  return (
    <ul>
      {of.slice(0, MAX_PLACES).map((found, index) => (
        <li key={index}>
          <code>
            <Line text={found.kind} />
          </code>{' '}
          <Line text={found.detail} limit={300} />
        </li>
      ))}
      {of.length > MAX_PLACES && <li class="muted">and {of.length - MAX_PLACES} more</li>}
    </ul>
  )
}
