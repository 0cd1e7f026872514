/** What a session did before: its last decisions, newest first. */
import type { JSX } from 'preact'
import { get, query } from '../api/client.ts'
import { decisionTick } from '../api/live.ts'
import type { DecisionList, DecisionRow } from '../api/types.ts'
import { useResource } from '../state/resource.ts'
import { href } from '../state/route.ts'
import { summaryLine } from '../view/call.ts'
import { Ago, Verdict } from './badges.tsx'
import { Section, Shown } from './states.tsx'
import { Line } from './text.tsx'

export function History({ session, except }: { readonly session: string; readonly except: string | null }): JSX.Element {
  const found = useResource(
    `history ${session}`,
    (signal) => get<DecisionList>(`/v1/decisions${query({ session, limit: 12 })}`, signal),
    decisionTick,
  )
  return (
    <Section title="The session so far" aside={<a href={href(['sessions', session])}>All of it</a>}>
      <Shown of={found}>{({ decisions }) => <DecisionLines decisions={decisions.filter(({ id }) => id !== except)} />}</Shown>
    </Section>
  )
}

/** Decisions as short lines, each a link to the whole record. */
export function DecisionLines({ decisions }: { readonly decisions: readonly DecisionRow[] }): JSX.Element {
  if (decisions.length === 0) return <p class="muted">Nothing before this call.</p>
  return (
    <ul class="lines">
      {decisions.map((row) => (
        <li key={row.id}>
          <a href={href(['decisions', row.id])}>
            <Verdict of={row.decision} />
            {row.would !== undefined && <span class="muted"> would {row.would}</span>}
            <span class="line-tool">
              <Line text={row.tool ?? 'no tool'} limit={40} />
            </span>
            <span class="line-text">
              <Line text={summaryLine(row.summary ?? row.reason ?? '')} limit={160} />
            </span>
            <span class="muted line-time">
              <Ago at={row.at} />
            </span>
          </a>
        </li>
      ))}
    </ul>
  )
}
