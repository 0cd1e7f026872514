/** Decisions over time as stacked bars, in the colours of the outcomes; the same numbers stand in a table for who cannot see it. */
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import uPlot from 'uplot'
import type { Bucket } from '../api/types.ts'
import { instant } from '../state/clock.ts'
import { OUTCOMES, stacked } from '../view/stack.ts'
import 'uplot/dist/uPlot.min.css'

const HEIGHT = 240

export function Chart({ series }: { readonly series: readonly Bucket[] }): JSX.Element {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => (box.current === null ? undefined : draw(box.current, series)), [series])
  return (
    <div class="chart">
      <ul class="legend" aria-hidden="true">
        {OUTCOMES.map((outcome) => (
          <li key={outcome} class={`legend-${outcome}`}>
            {outcome}
          </li>
        ))}
      </ul>
      <div ref={box} class="chart-box" aria-hidden="true" />
      <table class="unseen">
        <caption>Decisions over time</caption>
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
function draw(box: HTMLElement, series: readonly Bucket[]): () => void {
  const dark = matchMedia('(prefers-color-scheme: dark)')
  let plot = make(box, series)
  const resize = new ResizeObserver(() => plot.setSize({ width: Math.max(200, box.clientWidth), height: HEIGHT }))
  const redraw = () => {
    plot.destroy()
    plot = make(box, series)
  }
  resize.observe(box)
  dark.addEventListener('change', redraw)
  return () => {
    resize.disconnect()
    dark.removeEventListener('change', redraw)
    plot.destroy()
  }
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

function make(box: HTMLElement, series: readonly Bucket[]): uPlot {
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
    cursor: { points: { size: 6 }, y: false },
    scales: {
      x: { range: (_plot, low, high) => padded(low, high, series.length) },
      y: { range: (_plot, _low, high) => [0, Math.max(4, high * 1.1)] },
    },
    axes: [
      { ...axis, values: (_plot, splits) => splits.map((seconds) => clock(seconds, series)) },
      { ...axis, size: 44 },
    ],
    series: [{}, ...layers.toReversed()],
  }
  return new uPlot(options, stacked(series), box)
}
