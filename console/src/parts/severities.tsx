/** Why a call needs a closer look, one sign each, in words and in colour. */
import type { JSX } from 'preact'
import type { DescribedEffect } from '../view/effects.ts'
import { SEVERITIES } from '../view/severity.ts'

export function Severities({ of }: { readonly of: readonly DescribedEffect[] }): JSX.Element | null {
  const found = SEVERITIES.filter((severity) => of.some(({ severities }) => severities.includes(severity)))
  if (found.length === 0) return null
  return (
    <span class="severities">
      {found.map((severity) => (
        <span key={severity} class={`severity severity-${severity}`}>
          {severity}
        </span>
      ))}
    </span>
  )
}
