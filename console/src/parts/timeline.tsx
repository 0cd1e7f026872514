/** A session as it went: its calls in their order, what they touch, the risk after each, and arrows from results to the arguments that hold them. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import type { DecisionRow } from '../api/types.ts'
import { href } from '../state/route.ts'
import { summaryLine } from '../view/call.ts'
import { type Arrow, arrowsIn, edgeText } from '../view/timeline.ts'
import { Ago, Verdict } from './badges.tsx'
import { Line } from './text.tsx'

interface TimelineProps {
  /** As the server lists them, newest first. */
  readonly rows: readonly DecisionRow[]
  /** Id of the call that the page is about. */
  readonly marked?: string | null
}

export function Timeline({ rows, marked = null }: TimelineProps): JSX.Element {
  const ordered = useMemo(() => rows.toReversed(), [rows])
  const arrows = useMemo(() => arrowsIn(ordered), [ordered])
  const list = useRef<HTMLOListElement>(null)
  return (
    <div class={arrows.length === 0 ? 'timeline' : 'timeline timeline-flows'}>
      {arrows.length > 0 && <Arrows of={arrows} list={list} />}
      <ol ref={list} aria-label="Calls of the session, oldest first">
        {ordered.map((row) => (
          <li key={row.id} data-record={row.id} class={row.id === marked ? 'timeline-marked' : ''}>
            <Step row={row} />
            {row.flows.length > 0 && <Flows row={row} arrows={arrows} />}
          </li>
        ))}
      </ol>
    </div>
  )
}

function Step({ row }: { readonly row: DecisionRow }): JSX.Element {
  return (
    <div class="timeline-call">
      <span class="number muted">{row.step ?? ''}</span>
      <Verdict of={row.decision} />
      {row.would !== undefined && <span class="muted">would {row.would}</span>}
      <a href={href(['decisions', row.id])}>
        <Line text={row.tool ?? 'no tool'} limit={40} />
      </a>
      <span class="line-text">
        <Line text={summaryLine(row.summary ?? row.reason ?? '')} limit={160} />
      </span>
      {row.labels.map((label) => (
        <span key={label} class="timeline-label">
          {label}
        </span>
      ))}
      <Risk score={row.risk} />
      <span class="muted nowrap">
        <Ago at={row.at} />
      </span>
    </div>
  )
}

/** In words what the arrows draw, so that nobody needs to see them; also what no arrow leads to. */
function Flows({ row, arrows }: { readonly row: DecisionRow; readonly arrows: readonly Arrow[] }): JSX.Element {
  return (
    <ul class="timeline-edges">
      {row.flows.map((edge, index) => {
        const from = arrows.find((arrow) => arrow.to === row.id && arrow.edge === edge)?.from
        return (
          <li key={index}>
            <Line text={edgeText(edge)} limit={200} />
            {edge.source !== null && ' of '}
            {edge.source !== null &&
              (from === undefined ? `call ${edge.source.step}` : <a href={href(['decisions', from])}>call {edge.source.step}</a>)}
          </li>
        )
      })}
    </ul>
  )
}

function Risk({ score }: { readonly score: number }): JSX.Element {
  const text = score.toFixed(2)
  return (
    <span class="risk" title={`The session's risk with this decision: ${text}`}>
      <meter min={0} max={1} low={0.3} high={0.5} optimum={0} value={score} aria-hidden="true" /> {text}
    </span>
  )
}

interface ArrowsProps {
  readonly of: readonly Arrow[]
  readonly list: { readonly current: HTMLOListElement | null }
}

/** Drawn beside the list, from the middle of one call to the middle of another; drawn again where the list changes its shape. */
function Arrows({ of, list }: ArrowsProps): JSX.Element {
  const paths = useSignal<readonly string[]>([])
  const height = useSignal(0)
  useLayoutEffect(() => {
    const element = list.current
    if (element === null) return
    const draw = (): void => {
      const middle = new Map([...element.children].map((item) => [item.getAttribute('data-record'), middleOf(item)]))
      height.value = element.offsetHeight
      paths.value = of.map(({ from, to }, index) => pathOf(middle.get(from) ?? 0, middle.get(to) ?? 0, index))
    }
    draw()
    const watch = new ResizeObserver(draw)
    watch.observe(element)
    return () => watch.disconnect()
  }, [of, list])
  return (
    <svg class="timeline-arrows" aria-hidden="true" width={GUTTER} height={height.value}>
      {paths.value.map((path, index) => (
        <path key={index} d={path} />
      ))}
    </svg>
  )
}

/** Width of the place for arrows, in pixels. */
const GUTTER = 44

function middleOf(item: Element): number {
  const first = item.firstElementChild
  return first instanceof HTMLElement ? first.offsetTop + first.offsetHeight / 2 : 0
}

/** Arrows that overlap stand beside each other. The head points at the argument's call. */
function pathOf(from: number, to: number, index: number): string {
  const x = GUTTER - 10 - ((index * 7) % (GUTTER - 16))
  return `M${GUTTER - 4} ${from} H${x} V${to} H${GUTTER - 4} m-5 -4 l5 4 l-5 4`
}
