/** Sessions of agents: who works, how much, and what came of it; and one session in the order of its calls. */
import type { JSX } from 'preact'
import { get, query } from '../api/client.ts'
import { decisionTick } from '../api/live.ts'
import type { DecisionList, Outcome, SessionRow } from '../api/types.ts'
import { Authorization } from '../parts/authorization.tsx'
import { Ago } from '../parts/badges.tsx'
import { Empty, Shown } from '../parts/states.tsx'
import { TakeBackSession } from '../parts/take-back.tsx'
import { Line, Names } from '../parts/text.tsx'
import { Timeline } from '../parts/timeline.tsx'
import { Stopped } from '../parts/unlock.tsx'
import { useResource } from '../state/resource.ts'
import { go, href } from '../state/route.ts'

const PATH = `/v1/sessions${query({ limit: 100 })}`
const ORDER: readonly Outcome[] = ['allow', 'flag', 'ask', 'deny', 'halt']

export function SessionsPage(): JSX.Element {
  const found = useResource('sessions', (signal) => get<{ sessions: readonly SessionRow[] }>(PATH, signal), decisionTick)
  return (
    <article class="page" aria-label="Sessions">
      <header class="page-head">
        <h1>Sessions</h1>
      </header>
      <Shown of={found}>
        {({ sessions }) =>
          sessions.length === 0 ? (
            <Empty title="No sessions yet">An agent's session appears here with its first call.</Empty>
          ) : (
            <div class="table-box">
              <table class="table table-cards" aria-label="Sessions, newest first">
                <thead>
                  <tr>
                    <th>Session</th>
                    <th>Agent</th>
                    <th>Outcomes</th>
                    <th class="right">Calls</th>
                    <th class="right">Last call</th>
                  </tr>
                </thead>
                <tbody>
                  {sessions.map((row) => (
                    <SessionLine key={row.session} row={row} />
                  ))}
                </tbody>
              </table>
            </div>
          )
        }
      </Shown>
    </article>
  )
}

function SessionLine({ row }: { readonly row: SessionRow }): JSX.Element {
  return (
    <tr onClick={() => go(['sessions', row.session])}>
      <td class="code-cell">
        <a href={href(['sessions', row.session])}>
          <Line text={row.session} limit={48} />
        </a>
      </td>
      <td class="nowrap agent">
        <Names of={[row.agent, row.role, row.user]} />
        {row.locked && <strong class="stopped-mark">stopped</strong>}
      </td>
      <td class="wide">
        <Mix of={row.by_decision} />
      </td>
      <td class="right number calls">{row.calls.toLocaleString('en')}</td>
      <td class="right nowrap muted when">
        <Ago at={row.last_at} />
      </td>
    </tr>
  )
}

/** Shares of the outcomes as one bar, with the numbers in its label. */
function Mix({ of }: { readonly of: SessionRow['by_decision'] }): JSX.Element {
  const label = ORDER.flatMap((outcome) => (of[outcome] === undefined || of[outcome] === 0 ? [] : [`${of[outcome]} ${outcome}`])).join(', ')
  return (
    <span class="mix" role="img" aria-label={label} title={label}>
      {ORDER.map((outcome) => (of[outcome] ? <span key={outcome} class={`mix-${outcome}`} style={{ flexGrow: of[outcome] }} /> : null))}
    </span>
  )
}

export function SessionPage({ session }: { readonly session: string }): JSX.Element {
  const path = `/v1/decisions${query({ session, limit: 200 })}`
  const found = useResource(path, (signal) => get<DecisionList>(path, signal), decisionTick)
  const all = useResource('sessions', (signal) => get<{ sessions: readonly SessionRow[] }>(PATH, signal), decisionTick)
  const stopped = all.data?.sessions.filter((row) => row.session === session && row.locked) ?? []
  return (
    <article class="page" aria-label="One session">
      <header class="page-head">
        <a class="back" href={href(['sessions'])}>
          ← Sessions
        </a>
        <h1 class="mono">
          <Line text={session} limit={120} />
        </h1>
      </header>
      {stopped.map((row) => (
        <Stopped key={row.tenant ?? ''} row={row} onUnlocked={all.reload} />
      ))}
      <TakeBackSession session={session} />
      <Authorization session={session} />
      <Shown of={found}>
        {({ decisions, before }) => (
          <>
            {decisions.length === 0 ? <Empty title="Nothing was decided in this session" /> : <Timeline rows={decisions} />}
            {before !== null && <p class="muted list-more">Older calls of this session are in the audit log.</p>}
          </>
        )}
      </Shown>
    </article>
  )
}
