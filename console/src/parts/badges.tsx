/** Small signs that mean the same on every page: outcomes, states of approvals, digests, times. */
import type { JSX } from 'preact'
import { ago, instant, now, span } from '../state/clock.ts'
import { Line } from './text.tsx'

/** An outcome of the lattice; anything else is shown as it stands. */
export function Verdict({ of }: { readonly of: string | null }): JSX.Element {
  return <span class={`verdict verdict-${of !== null && OUTCOMES.has(of) ? of : 'none'}`}>{of ?? 'none'}</span>
}

const OUTCOMES = new Set(['allow', 'flag', 'ask', 'deny', 'halt'])

export function Status({ of }: { readonly of: string }): JSX.Element {
  return <span class={`status status-${STATUSES.has(of) ? of : 'none'}`}>{of === 'consumed' ? 'used' : of}</span>
}

const STATUSES = new Set(['pending', 'approved', 'denied', 'expired', 'cancelled', 'consumed'])

/** The first and last digits; the whole stands in the title and is what is copied. */
export function Digest({ of, full }: { readonly of: string | null; readonly full?: boolean }): JSX.Element {
  if (of === null) return <span class="muted">none, because a secret was taken out of the call</span>
  const hex = of.replace(/^sha256:/, '')
  return (
    <code class="digest" title={of}>
      {full === true || hex.length <= 20 ? <Line text={of} /> : <Short text={hex} />}
    </code>
  )
}

function Short({ text }: { readonly text: string }): JSX.Element {
  return (
    <>
      <Line text={text.slice(0, 12)} />…<Line text={text.slice(-6)} />
    </>
  )
}

export function Ago({ at }: { readonly at: string }): JSX.Element {
  return (
    <time dateTime={at} title={instant(at)}>
      {ago(at, now.value)}
    </time>
  )
}

export function Instant({ at }: { readonly at: string }): JSX.Element {
  return (
    <time class="number" dateTime={at} title={at}>
      {instant(at)}
    </time>
  )
}

/** How long there is to answer; urgent below a minute. `roughly`: in whole minutes while there are several, for a list. */
export function Countdown({ until, roughly = false }: { readonly until: string; readonly roughly?: boolean }): JSX.Element {
  const left = Date.parse(until) - now.value
  if (left <= 0) return <span class="countdown countdown-over">time is over</span>
  return (
    <span class={`countdown number${left < 60_000 ? ' countdown-soon' : ''}`} title={`until ${instant(until)}`}>
      {span(roughly && left >= 120_000 ? Math.floor(left / 60_000) * 60_000 : left)} left
    </span>
  )
}

export function Key({ name }: { readonly name: string }): JSX.Element {
  return (
    <span class="key" aria-hidden="true">
      {name}
    </span>
  )
}
