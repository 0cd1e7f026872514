/** The arguments of a call: every member and element on a row of its own, every value in full or visibly cut. */
import { type Signal, useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { JsonObject } from '../../../src/core/json.ts'
import { argumentsText, type Row } from '../view/arguments.ts'
import { type DescribedEffect, marksAt } from '../view/effects.ts'
import { cutAt } from '../view/marks.ts'
import { FIRST_ROWS, type Seen, showMore, shownUnits } from '../view/seen.ts'
import { Raw } from './text.tsx'

export interface Look {
  readonly seen: Signal<Seen>
  readonly allRows: Signal<boolean>
  /** Whether the end of what is shown was on the screen, where it is asked for; null until that is known. */
  readonly ended?: Signal<boolean | null>
}

interface Props {
  readonly rows: readonly Row[]
  readonly effects?: readonly DescribedEffect[]
  readonly look: Look
}

export function Arguments({ rows, effects = [], look }: Props): JSX.Element {
  const shown = look.allRows.value ? rows : rows.slice(0, FIRST_ROWS)
  if (rows.length === 0)
    return (
      <div>
        <p class="muted arguments-none">This call has no arguments.</p>
        {look.ended !== undefined && <End look={look} ended={look.ended} />}
      </div>
    )
  return (
    <div class="arguments">
      {shown.map((row) => (
        <ArgumentRow key={row.pointer} row={row} effects={effects} look={look} />
      ))}
      {shown.length < rows.length && (
        <button
          type="button"
          class="more"
          onClick={() => {
            look.allRows.value = true
          }}
        >
          Show {rows.length - shown.length} more arguments
        </button>
      )}
      {look.ended !== undefined && <End look={look} ended={look.ended} />}
    </div>
  )
}

/** Notices when the reader has come here. What is shown beyond it afterwards has to be read to its end again. */
function End({ look: { seen, allRows }, ended }: { readonly look: Look; readonly ended: Signal<boolean | null> }): JSX.Element {
  const here = useRef<HTMLDivElement>(null)
  useEffect(() => {
    ended.value = null
    if (here.current === null) return
    const covered = document.querySelector<HTMLElement>('.answer')?.offsetHeight ?? 0
    const watch = new IntersectionObserver(
      (entries) => {
        ended.value = ended.peek() === true || entries.some(({ isIntersecting }) => isIntersecting)
      },
      { rootMargin: `0px 0px -${covered}px 0px` },
    )
    watch.observe(here.current)
    return () => watch.disconnect()
  }, [seen.value, allRows.value, ended])
  return <div ref={here} class="arguments-end" />
}

/** Copies the arguments as they are shown, escapes and all: what is pasted elsewhere hides nothing either. */
export function CopyText({ args }: { readonly args: JsonObject }): JSX.Element {
  const copied = useSignal(false)
  return (
    <button
      type="button"
      class="link"
      onClick={async () => {
        await navigator.clipboard.writeText(argumentsText(args))
        copied.value = true
      }}
    >
      {copied.value ? 'Copied' : 'Copy as shown'}
    </button>
  )
}

function ArgumentRow({
  row,
  effects,
  look,
}: {
  readonly row: Row
  readonly effects: readonly DescribedEffect[]
  readonly look: Look
}): JSX.Element {
  const nested = row.kind === 'object' || row.kind === 'array'
  return (
    <div class="argument" style={{ paddingInlineStart: `${Math.min(row.depth, 12) * 18}px` }}>
      <div class="argument-head">
        <span class="argument-key">
          <Raw text={named(row.key)} />
        </span>
        <span class="argument-kind">
          {row.kind}
          {row.size !== null && ` · ${sized(row)}`}
        </span>
      </div>
      {!nested && <Value row={row} effects={effects} look={look} />}
    </div>
  )
}

/** A plain name as it is, any other in quotes: a member called `[0]` is no element. */
function named(key: string | number): string {
  if (typeof key === 'number') return `[${key}]`
  return /^[A-Za-z_][\w-]*$/.test(key) ? key : JSON.stringify(key)
}

function sized({ kind, size }: Row): string {
  const unit = kind === 'string' ? 'character' : kind === 'array' ? 'element' : 'member'
  return `${(size ?? 0).toLocaleString('en')} ${unit}${size === 1 ? '' : 's'}`
}

function Value({
  row,
  effects,
  look,
}: {
  readonly row: Row
  readonly effects: readonly DescribedEffect[]
  readonly look: Look
}): JSX.Element {
  if (row.kind !== 'string') return <div class={`value value-${row.kind}`}>{row.value}</div>
  if (row.value === '') return <div class="value value-empty">empty text</div>
  const limit = shownUnits(row, look.seen.value)
  const end = cutAt(row.value, limit)
  const rest = row.value.length - end
  return (
    <div class={`value${rest > 0 ? ' value-cut' : ''}`}>
      <Raw text={row.value.slice(0, end)} marks={marksAt(row.pointer, row.value, effects)} />
      {rest > 0 && (
        <button
          type="button"
          class="more"
          onClick={() => {
            look.seen.value = showMore(row, look.seen.value)
          }}
        >
          Show {rest.toLocaleString('en')} more characters
        </button>
      )}
    </div>
  )
}
