/** Decisions over time as stacked bars, in the colours of the outcomes; the same numbers stand in a table for who cannot see it. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import type { Bucket } from '../api/types.ts'
import { instant } from '../state/clock.ts'
import { OUTCOMES, stacked, top } from '../view/stack.ts'

export function Chart({ series }: { readonly series: readonly Bucket[] }): JSX.Element {
  /** The bar under the pointer. */
  const pointed = useSignal<number | null>(null)
  const empty = series.every((bucket) => OUTCOMES.every((outcome) => bucket[outcome] === 0))
  if (empty) return <p class="chart chart-empty muted">No decisions in this time.</p>
  const bucket = pointed.value === null ? undefined : series[pointed.value]
  return (
    <div class="chart">
      <p class="chart-head" aria-hidden="true">
        <span class="muted">{bucket === undefined ? 'Decisions an hour' : `${hour(bucket.at)}: ${total(bucket)}`}</span>
        {OUTCOMES.map((outcome) => (
          <span key={outcome} class={`legend legend-${outcome}`}>
            {outcome}
            {bucket !== undefined && <strong class="number"> {bucket[outcome]}</strong>}
          </span>
        ))}
      </p>
      <Bars series={series} onPoint={(index) => (pointed.value = index)} />
      <table class="unseen">
        <caption>Decisions an hour, in your time zone</caption>
        <tbody>
          {series.map((bucket) => (
            <tr key={bucket.at}>
              <th scope="row">{instant(bucket.at)}</th>
              {OUTCOMES.map((outcome) => (
                <td key={outcome}>
                  {bucket[outcome]} {outcome}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function total(bucket: Bucket): string {
  const sum = OUTCOMES.reduce((whole, outcome) => whole + bucket[outcome], 0)
  return `${sum.toLocaleString('en')} ${sum === 1 ? 'decision' : 'decisions'}`
}

/** `2026-01-31 12:00 to 13:00`. */
function hour(at: string): string {
  const end = new Date(Date.parse(at) + 3_600_000).toISOString()
  return `${instant(at).slice(0, 16)} to ${instant(end).slice(11, 16)}`
}

/** Hours within two days, days beyond. */
function clock(at: string, series: readonly Bucket[]): string {
  const [first, last] = [series.at(0), series.at(-1)]
  const days = first === undefined || last === undefined ? 0 : (Date.parse(last.at) - Date.parse(first.at)) / 86_400_000
  return days > 2 ? instant(at).slice(5, 10) : instant(at).slice(11, 16)
}

interface BarsProps {
  readonly series: readonly Bucket[]
  readonly onPoint: (index: number | null) => void
}

/** One unit of width a bucket, 100 of height; the page stretches it. Layers are painted from the highest down, so each stays visible. */
function Bars({ series, onPoint }: BarsProps): JSX.Element {
  const most = top(series)
  const layers = stacked(series)
  return (
    <div class="chart-box" aria-hidden="true">
      <span class="chart-most number">{most}</span>
      {/* biome-ignore lint/a11y/noSvgWithoutTitle: hidden from readers, who get the table */}
      <svg viewBox={`0 0 ${series.length} 100`} preserveAspectRatio="none" onPointerLeave={() => onPoint(null)}>
        {layers.map(({ outcome, counts }) =>
          counts.map((count, index) => (
            <rect
              key={`${outcome} ${index}`}
              class={`bar-${outcome}`}
              x={index + 0.15}
              width={0.7}
              y={100 - (100 * count) / most}
              height={(100 * count) / most}
            />
          )),
        )}
        {series.map(({ at }, index) => (
          <rect key={at} class="bar-room" x={index} width={1} y={0} height={100} onPointerEnter={() => onPoint(index)} />
        ))}
      </svg>
      <p class="chart-times number">
        {marked(series).map(({ at }) => (
          <span key={at}>{clock(at, series)}</span>
        ))}
      </p>
    </div>
  )
}

/** The first, the last, and some between them. */
function marked(series: readonly Bucket[]): readonly Bucket[] {
  const step = Math.max(1, (series.length - 1) / 6)
  const places = Array.from({ length: Math.min(7, series.length) }, (_, index) => Math.round(index * step))
  return [...new Set(places)].flatMap((place) => series[place] ?? [])
}
