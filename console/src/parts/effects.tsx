/** What a call would do, in words: what weighs most first, each with the colour of the place that it was read from. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { type DescribedEffect, firstEffects, heaviestFirst } from '../view/effects.ts'
import { Raw } from './text.tsx'

export function Effects({ effects }: { readonly effects: readonly DescribedEffect[] }): JSX.Element {
  const all = useSignal(false)
  if (effects.length === 0) return <p class="muted effects-none">Nothing that can be seen.</p>
  const { shown, rest } = all.value ? { shown: heaviestFirst(effects), rest: null } : firstEffects(effects)
  return (
    <>
      <ul class="effects">
        {shown.map((effect) => (
          <OneEffect key={effect.id} effect={effect} />
        ))}
      </ul>
      {rest !== null && (
        <button type="button" class="link effects-rest" onClick={() => (all.value = true)}>
          and {rest}: show each
        </button>
      )}
    </>
  )
}

function OneEffect({ effect: { id, words, parts, weight, span } }: { readonly effect: DescribedEffect }): JSX.Element {
  return (
    <li class={`effect effect-${weight}`}>
      <span class={`effect-sign${span === null ? ' effect-sign-none' : ` mark mark-${id % 6}`}`} aria-hidden="true" />
      <span>{parts === null ? <Raw text={words} /> : <Words parts={parts} />}</span>
    </li>
  )
}

function Words({ parts }: { readonly parts: NonNullable<DescribedEffect['parts']> }): JSX.Element {
  const { act, target, real, action, remarks, certainty, final, reason } = parts
  const notes = [action, ...remarks, reason].filter((note) => note !== null)
  return (
    <>
      <strong class="effect-act">
        <Raw text={act} />
      </strong>{' '}
      {target !== null && (
        <code class="effect-target">
          <Raw text={target === '' ? 'something unknown' : target} />
        </code>
      )}
      {real !== null && (
        <span class="effect-real">
          {' '}
          {real.as}{' '}
          <code class="effect-target">
            <Raw text={real.name} />
          </code>
        </span>
      )}
      {final && <span class="tag tag-grave"> cannot be undone</span>}
      {certainty !== null && <span class="tag"> {certainty}</span>}
      {notes.length > 0 && (
        <span class="effect-notes">
          {notes.map((note, index) => (
            <span key={index}>
              <Raw text={note} />
            </span>
          ))}
        </span>
      )}
    </>
  )
}
