/** What takes a call back once it ran, who can and for how long; and what of it nothing takes back. */
import type { JSX } from 'preact'
import type { Sheet } from '../api/types.ts'
import { Section } from './states.tsx'
import { Line } from './text.tsx'

export function WaysBack({
  sheet: { undo, no_way_back: none = [] },
}: {
  readonly sheet: Pick<Sheet, 'undo' | 'no_way_back'>
}): JSX.Element | null {
  if (undo === undefined || (undo.length === 0 && none.length === 0)) return null
  return (
    <Section title="The way back">
      {none.length > 0 && (
        <p class="problem">
          No way back: <Line text={none.join(', ')} />
        </p>
      )}
      {undo.map(({ name, how, until, cannot, owner, exercised }) => (
        <p key={name}>
          <strong>
            <Line text={name} />
          </strong>{' '}
          <Line text={`${how}; ${until}; by ${owner}.`} limit={600} />{' '}
          <span class="muted">
            <Line text={`Not taken back: ${cannot}.${exercised ? '' : ' Nobody has tried this way out.'}`} limit={600} />
          </span>
        </p>
      ))}
    </Section>
  )
}
