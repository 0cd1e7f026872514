/** Counters and how they went over time. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { get, query } from '../api/client.ts'
import { decisionTick } from '../api/live.ts'
import type { Stats } from '../api/types.ts'
import { Chart } from '../parts/chart.tsx'
import { Rules } from '../parts/rules.tsx'
import { Section, Shown } from '../parts/states.tsx'
import { Line } from '../parts/text.tsx'
import { useResource } from '../state/resource.ts'
import { href } from '../state/route.ts'

const WINDOWS: readonly (readonly [string, number])[] = [
  ['this hour', 1],
  ['24 h', 24],
  ['7 d', 168],
  ['30 d', 720],
]
const OUTCOMES = ['allow', 'flag', 'ask', 'deny', 'halt'] as const

export function OverviewPage(): JSX.Element {
  const hours = useSignal(24)
  const path = `/v1/stats${query({ hours: hours.value })}`
  const found = useResource(path, (signal) => get<Stats>(path, signal), decisionTick)
  return (
    <article class="page" aria-label="Overview">
      <header class="page-head">
        <h1>Overview</h1>
        <fieldset class="segments">
          <legend class="unseen">Window</legend>
          {WINDOWS.map(([name, size]) => (
            <button key={size} type="button" class="segment" aria-pressed={hours.value === size} onClick={() => (hours.value = size)}>
              {name}
            </button>
          ))}
        </fieldset>
      </header>
      <Shown of={found}>{(stats) => <Numbers stats={stats} />}</Shown>
      <Rules hours={hours.value} />
    </article>
  )
}

function Numbers({ stats }: { readonly stats: Stats }): JSX.Element {
  const { counters, series, approvals } = stats
  const total = OUTCOMES.reduce((sum, outcome) => sum + (counters.by_decision[outcome] ?? 0), 0)
  return (
    <>
      <div class="tiles">
        <Tile name="decisions" value={total} to={null} />
        {OUTCOMES.map((outcome) => (
          <Tile key={outcome} name={outcome} value={counters.by_decision[outcome] ?? 0} to={outcome} />
        ))}
      </div>
      <Section title="Decisions over time">
        <Chart series={series} />
      </Section>
      <div class="columns">
        <Section title="What people were asked">
          <Bars of={named(approvals)} none="Nobody was asked in this time." />
        </Section>
        <Section title="By layer">
          <Bars of={counters.by_layer} none="No decisions in this time." />
        </Section>
        <Section title="By reason">
          <Bars of={counters.by_code} none="No decisions in this time." to={(code) => ({ q: code })} />
        </Section>
        {Object.keys(counters.by_would ?? {}).length > 0 && (
          <Section title="Shadow mode would have">
            <Bars of={counters.by_would ?? {}} none="Nothing." />
          </Section>
        )}
      </div>
    </>
  )
}

/** How the server names the states of approvals, in words. */
const STATES: ReadonlyMap<string, string> = new Map([
  ['pending', 'waiting now'],
  ['approved', 'approved'],
  ['denied', 'denied'],
  ['expired', 'not answered in time'],
  ['fast', 'approved in under two seconds'],
])

function named(approvals: Readonly<Record<string, number>>): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(approvals).map(([state, count]) => [STATES.get(state) ?? state, count]))
}

function Tile({ name, value, to }: { readonly name: string; readonly value: number; readonly to: string | null }): JSX.Element {
  return (
    <a class={`tile tile-${name}`} href={href(['decisions'], { decision: to })}>
      <span class="tile-value number">{value.toLocaleString('en')}</span>
      <span class="tile-name">{name}</span>
    </a>
  )
}

const MAX_BARS = 10

interface BarsProps {
  readonly of: Readonly<Record<string, number>>
  readonly none: string
  /** What to look for among the decisions. */
  readonly to?: (name: string) => Readonly<Record<string, string>>
}

function Bars({ of, none, to }: BarsProps): JSX.Element {
  const rows = Object.entries(of)
    .filter(([, value]) => value > 0)
    .sort((a, b) => b[1] - a[1])
    .slice(0, MAX_BARS)
  const most = rows[0]?.[1] ?? 1
  if (rows.length === 0) return <p class="muted">{none}</p>
  return (
    <ul class="bars">
      {rows.map(([name, value]) => (
        <li key={name}>
          <span class="bar-name">
            {to === undefined ? (
              <Line text={name} limit={48} />
            ) : (
              <a href={href(['decisions'], to(name))}>
                <Line text={name} limit={48} />
              </a>
            )}
          </span>
          <span class="bar-value number">{value.toLocaleString('en')}</span>
          <span class="bar" aria-hidden="true">
            <span style={{ inlineSize: `${Math.max(1, (value / most) * 100)}%` }} />
          </span>
        </li>
      ))}
    </ul>
  )
}
