/** What the newest request of a session authorises: what it says itself, and what a judge read in it before any result came. */
import type { JSX } from 'preact'
import { get, query } from '../api/client.ts'
import { decisionTick } from '../api/live.ts'
import type { SessionAuthorization } from '../api/types.ts'
import { useResource } from '../state/resource.ts'
import { Section, Shown } from './states.tsx'
import { Line } from './text.tsx'

export function Authorization({ session }: { readonly session: string }): JSX.Element {
  const path = `/v1/sessions/authorization${query({ session })}`
  const found = useResource(path, (signal) => get<SessionAuthorization>(path, signal), decisionTick)
  return (
    <Section title="What the user asked for">
      <Shown of={found}>
        {({ request, words, graph }) =>
          request === null ? (
            <p class="muted">Nobody vouches for a request of the user, so nothing is covered by one.</p>
          ) : (
            <>
              <p>
                <Line text={request} limit={600} />
              </p>
              <Lines of={words} label="What the request says itself" />
              {graph !== null && (
                <>
                  <h3>
                    Read by <Line text={graph.judge} limit={60} />
                  </h3>
                  {graph.permits === null ? (
                    <p class="muted">
                      It gave no graph, so the rules decide: <Line text={graph.problem ?? ''} limit={300} />
                    </p>
                  ) : (
                    <Lines of={graph.permits} label={`What ${graph.judge} read in it`} />
                  )}
                </>
              )}
            </>
          )
        }
      </Shown>
    </Section>
  )
}

function Lines({ of, label }: { readonly of: readonly string[]; readonly label: string }): JSX.Element {
  if (of.length === 0) return <p class="muted">Nothing.</p>
  return (
    <ul class="lines" aria-label={label}>
      {of.map((line) => (
        <li key={line}>
          <Line text={line} limit={400} />
        </li>
      ))}
    </ul>
  )
}
