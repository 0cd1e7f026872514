/** Every decision, newest first: searched, filtered, and read on page by page. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { get, query } from '../api/client.ts'
import { decisionTick } from '../api/live.ts'
import type { DecisionList, DecisionRow, Outcome } from '../api/types.ts'
import { Ago, Verdict } from '../parts/badges.tsx'
import { SearchBox } from '../parts/search.tsx'
import { Empty, Shown } from '../parts/states.tsx'
import { Line } from '../parts/text.tsx'
import { useResource } from '../state/resource.ts'
import { go, href, route } from '../state/route.ts'
import { summaryLine } from '../view/call.ts'

const OUTCOMES: readonly (Outcome | null)[] = [null, 'allow', 'flag', 'ask', 'deny', 'halt']
const PAGE = 50

export function DecisionsPage(): JSX.Element {
  const { query: asked } = route.value
  const wanted = { q: asked.get('q') ?? '', decision: asked.get('decision') ?? '', before: asked.get('before') ?? '' }
  const path = `/v1/decisions${query({ ...wanted, limit: PAGE })}`
  const found = useResource(path, (signal) => get<DecisionList>(path, signal), wanted.before === '' ? decisionTick : undefined)
  const filter = (more: Readonly<Record<string, string>>) => go(['decisions'], { q: wanted.q, decision: wanted.decision, ...more })
  return (
    <article class="page" aria-label="Decisions">
      <header class="page-head">
        <h1>Decisions</h1>
      </header>
      <div class="tools">
        <SearchBox
          key={wanted.q}
          value={wanted.q}
          label="Search decisions"
          hint="words in the call, its reason or its codes"
          onSearch={(q) => filter({ q })}
        />
        {wanted.q !== '' && (
          <a class="button" href={href(['decisions'], { decision: wanted.decision })}>
            Clear
          </a>
        )}
        <fieldset class="segments">
          <legend class="unseen">Outcome</legend>
          {OUTCOMES.map((outcome) => (
            <button
              key={outcome}
              type="button"
              class="segment"
              aria-pressed={wanted.decision === (outcome ?? '')}
              onClick={() => filter({ decision: outcome ?? '' })}
            >
              {outcome ?? 'all'}
            </button>
          ))}
        </fieldset>
      </div>
      <Shown of={found}>
        {(list) => (
          <Table
            list={list}
            onOlder={(before) => filter({ before: String(before) })}
            first={wanted.before === ''}
            filtered={wanted.q !== '' || wanted.decision !== ''}
          />
        )}
      </Shown>
    </article>
  )
}

function Table({
  list,
  onOlder,
  first,
  filtered,
}: {
  readonly list: DecisionList
  readonly onOlder: (before: number) => void
  readonly first: boolean
  readonly filtered: boolean
}): JSX.Element {
  if (list.decisions.length === 0)
    return <Empty title={filtered ? 'No decision matches' : 'No decisions here'}>{emptyText(first, filtered)}</Empty>
  return (
    <>
      <DecisionTable rows={list.decisions} />
      <nav class="pager" aria-label="Pages">
        {!first && <a href={href(['decisions'])}>Newest</a>}
        {list.before !== null && (
          <button type="button" class="button" onClick={() => list.before !== null && onOlder(list.before)}>
            Older
          </button>
        )}
      </nav>
    </>
  )
}

function emptyText(first: boolean, filtered: boolean): string {
  if (!first) return 'These were the oldest.'
  return filtered ? 'Try other words, or another outcome.' : 'What agents propose appears here as it is decided.'
}

export function DecisionTable({ rows }: { readonly rows: readonly DecisionRow[] }): JSX.Element {
  const chosen = useSignal<string | null>(null)
  return (
    <div class="table-box">
      <table class="table table-cards" aria-label="Decisions, newest first">
        <thead>
          <tr>
            <th>Outcome</th>
            <th>Tool</th>
            <th>What</th>
            <th class="wide-only">Code</th>
            <th class="wide-only">Session</th>
            <th class="right">When</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id} class={chosen.value === row.id ? 'chosen' : ''} onClick={() => go(['decisions', row.id])}>
              <td>
                <Verdict of={row.decision} />
                {row.would !== undefined && <span class="muted"> would {row.would}</span>}
              </td>
              <td class="nowrap">
                <a href={href(['decisions', row.id])} onFocus={() => (chosen.value = row.id)}>
                  <Line text={row.tool ?? 'no tool'} limit={40} />
                </a>
              </td>
              <td class="wide what">
                <Line text={summaryLine(row.summary ?? row.reason ?? '')} limit={160} />
              </td>
              <td class="code-cell wide-only">
                <Line text={row.code ?? ''} limit={60} />
              </td>
              <td class="code-cell wide-only">
                <Line text={row.session ?? ''} limit={24} />
              </td>
              <td class="right nowrap muted when">
                <Ago at={row.at} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
