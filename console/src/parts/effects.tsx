/** What a call would do, in words; each effect has the colour of the place that it was read from. */
import type { JSX } from 'preact'
import type { ToldEffect } from '../view/effects.ts'
import { Raw } from './text.tsx'

export function Effects({ effects }: { readonly effects: readonly ToldEffect[] }): JSX.Element {
  if (effects.length === 0) return <p class="muted effects-none">Nothing that can be seen.</p>
  return (
    <ul class="effects">
      {effects.map((effect) => (
        <li key={effect.id} class={`effect effect-${GRAVE.has(effect.verb) || effect.irreversible ? 'grave' : 'mild'}`}>
          <span class={`effect-sign${effect.span === null ? '' : ` mark mark-${effect.id % 6}`}`} aria-hidden="true" />
          <Raw text={effect.words} />
        </li>
      ))}
    </ul>
  )
}

const GRAVE = new Set(['delete', 'publish', 'pay', 'send', 'opaque', 'persist'])
