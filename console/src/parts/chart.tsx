/** Decisions over time as stacked bars, in the colours of the outcomes; the same numbers stand in a table for who cannot see it. */
import { type Signal, useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import uPlot from 'uplot'
import type { Bucket } from '../api/types.ts'
import { instant } from '../state/clock.ts'
import { OUTCOMES, stacked } from '../view/stack.ts'
import 'uplot/dist/uPlot.min.css'

const HEIGHT = 220

export function Chart({ series }: { readonly series: readonly Bucket[] }): JSX.Element {
  const box = useRef<HTMLDivElement>(null)
  /** The bar under the pointer. */
  const pointed = useSignal<number | null>(null)
  const empty = series.every((bucket) => OUTCOMES.every((outcome) => bucket[outcome] === 0))
  useEffect(() => (box.current === null || empty ? undefined : draw(box.current, series, pointed)), [series, empty])
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
      <div ref={box} class="chart-box" aria-hidden="true" />
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

/** Draws, follows the width of its box and the colour scheme, and answers how to take it away. */
function draw(box: HTMLElement, series: readonly Bucket[], pointed: Signal<number | null>): () => void {
  const dark = matchMedia('(prefers-color-scheme: dark)')
  let plot = make(box, series, pointed)
  const resize = new ResizeObserver(() => plot.setSize({ width: Math.max(200, box.clientWidth), height: HEIGHT }))
  const redraw = () => {
    plot.destroy()
    plot = make(box, series, pointed)
  }
  resize.observe(box)
  dark.addEventListener('change', redraw)
  return () => {
    resize.disconnect()
    dark.removeEventListener('change', redraw)
    plot.destroy()
  }
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
function clock(seconds: number, series: readonly Bucket[]): string {
  const [first, last] = [series.at(0), series.at(-1)]
  const days = first === undefined || last === undefined ? 0 : (Date.parse(last.at) - Date.parse(first.at)) / 86_400_000
  const at = instant(new Date(seconds * 1_000).toISOString())
  return days > 2 ? at.slice(5, 10) : at.slice(11, 16)
}

/** Half a bar of room at both ends. */
function padded(low: number, high: number, count: number): [number, number] {
  const half = count < 2 ? 1_800 : (high - low) / (count - 1) / 2
  return [low - half, high + half]
}

function make(box: HTMLElement, series: readonly Bucket[], pointed: Signal<number | null>): uPlot {
  const style = getComputedStyle(box)
  const colour = (name: string) => style.getPropertyValue(name).trim()
  const axis: uPlot.Axis = {
    stroke: colour('--muted'),
    font: `11px ${colour('--sans')}`,
    grid: { stroke: colour('--line-soft'), width: 1 },
    ticks: { show: false },
  }
  const layers = OUTCOMES.map((outcome) => ({
    label: outcome,
    stroke: colour(`--${outcome}`),
    fill: colour(`--${outcome}`),
    width: 0,
    points: { show: false },
    ...(uPlot.paths.bars === undefined ? {} : { paths: uPlot.paths.bars({ size: [0.7, 48], radius: 0.12 }) }),
  }))
  const options: uPlot.Options = {
    width: Math.max(200, box.clientWidth),
    height: HEIGHT,
    legend: { show: false },
    cursor: { points: { show: false }, y: false, drag: { x: false, y: false } },
    hooks: {
      setCursor: [
        ({ cursor }) => {
          pointed.value = cursor.idx ?? null
        },
      ],
    },
    scales: {
      x: { range: (_plot, low, high) => padded(low, high, series.length) },
      y: { range: (_plot, _low, high) => [0, Math.max(4, high * 1.1)] },
    },
    axes: [
      { ...axis, size: 28, values: (_plot, splits) => splits.map((seconds) => clock(seconds, series)) },
      { ...axis, size: 44 },
    ],
    series: [{}, ...layers.toReversed()],
  }
  return new uPlot(options, stacked(series), box)
}
