/** What a call belongs to, as named values; first the other page that tells of the same call. */
import type { JSX } from 'preact'
import { href } from '../state/route.ts'
import { Section } from './states.tsx'
import { Line } from './text.tsx'

export interface AboutProps {
  readonly title: string
  /** A page by its name and its id; no row where there is no id. */
  readonly link: { readonly name: string; readonly page: string; readonly id: string | null }
  readonly facts: readonly (readonly [name: string, value: JSX.Element])[]
}

export function About({ title, link: { name, page, id }, facts }: AboutProps): JSX.Element {
  return (
    <Section title={title}>
      <dl class="facts">
        {id !== null && (
          <div>
            <dt>{name}</dt>
            <dd>
              <a href={href([page, id])}>
                <Line text={id} />
              </a>
            </dd>
          </div>
        )}
        {facts.map(([named, value]) => (
          <div key={named}>
            <dt>{named}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Section>
  )
}

type Told = string | null | undefined

/** The parts of a principal in words, without those that nobody named. */
export function whoAsks(principal: Readonly<Partial<Record<'agent' | 'role' | 'user' | 'tenant', Told>>>): readonly Told[] {
  const { agent, role, user, tenant } = principal
  return [agent, role && `role ${role}`, user && `for ${user}`, tenant && `tenant ${tenant}`]
}
