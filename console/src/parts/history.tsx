/** What a session did before the call that waits: its last calls, with what they brought into this one. */
import type { JSX } from 'preact'
import { get, query } from '../api/client.ts'
import { decisionTick } from '../api/live.ts'
import type { DecisionList } from '../api/types.ts'
import { useResource } from '../state/resource.ts'
import { href } from '../state/route.ts'
import { Section, Shown } from './states.tsx'
import { Timeline } from './timeline.tsx'

/** @param of id of the decision that waits; null: it is in no list. */
export function History({ session, of }: { readonly session: string; readonly of: string | null }): JSX.Element {
  const found = useResource(
    `history ${session}`,
    (signal) => get<DecisionList>(`/v1/decisions${query({ session, limit: 12 })}`, signal),
    decisionTick,
  )
  return (
    <Section title="The session so far" aside={<a href={href(['sessions', session])}>All of it</a>}>
      <Shown of={found}>
        {({ decisions }) =>
          decisions.every(({ id }) => id === of) ? (
            <p class="muted">Nothing before this call.</p>
          ) : (
            <Timeline rows={decisions} marked={of} />
          )
        }
      </Shown>
    </Section>
  )
}
