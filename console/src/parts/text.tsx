/** Text of agents and people, as text nodes only: escapes stand out, effects are marked, nothing is interpreted (T24, T63). */
import type { JSX } from 'preact'
import { cutAt, type Mark, type Piece, pieces } from '../view/marks.ts'

/** A text in full, in the order of its characters, with a line break after every line end that it holds. */
export function Raw({ text, marks }: { readonly text: string; readonly marks?: readonly Mark[] }): JSX.Element {
  return <span class="raw">{pieces(text, marks).map(shown)}</span>
}

/** A text on one line; cut after `limit` characters, which the ellipsis says. */
export function Line({ text, limit = 240 }: { readonly text: string; readonly limit?: number }): JSX.Element {
  const end = cutAt(text, limit)
  return (
    <span class="raw raw-line">
      {pieces(text.slice(0, end)).map((piece) => shown({ ...piece, breaks: false }))}
      {end < text.length && <span class="cut"> … {text.length - end} more</span>}
    </span>
  )
}

/** Several texts, told apart by signs that are none of theirs; `none` where there are none. */
export function Names(props: {
  readonly of: readonly (string | null | undefined)[]
  readonly chain?: boolean
  /** Never cut. */
  readonly full?: boolean
  readonly none?: string
}): JSX.Element {
  const names = props.of.filter((name) => typeof name === 'string' && name !== '')
  if (names.length === 0) return <span class="muted">{props.none ?? 'none'}</span>
  return (
    <span class={props.chain === true ? 'names names-chain' : 'names'}>
      {names.map((name, index) => (
        <span key={index}>{props.full === true ? <Raw text={name ?? ''} /> : <Line text={name ?? ''} limit={80} />}</span>
      ))}
    </span>
  )
}

function shown({ kind, text, marks, breaks }: Piece): JSX.Element | string {
  const marked = marks.length === 0 ? '' : ` mark mark-${(marks[0] ?? 0) % 6}`
  if (kind === 'escape')
    return (
      <>
        <span class={`escape${/^⟨LF⟩$/.test(text) ? ' escape-line' : ''}${marked}`} title={meaning(text)}>
          {text}
        </span>
        {breaks && <br />}
      </>
    )
  if (kind === 'foreign')
    return (
      <span class={`foreign${marked}`} title={points(text)}>
        {text}
      </span>
    )
  return marked === '' ? text : <span class={marked.trim()}>{text}</span>
}

const MEANINGS: ReadonlyMap<string, string> = new Map([
  ['LF', 'line end'],
  ['CR', 'carriage return: may overwrite the line on a terminal'],
  ['TAB', 'tab'],
  ['ESC', 'escape: starts a terminal sequence'],
  ['SPACE', 'blanks'],
  ['NBSP', 'a blank that is none to a shell'],
  ['U+200B', 'zero-width space'],
  ['U+200D', 'zero-width joiner'],
  ['U+202E', 'right-to-left override: turns round what follows'],
  ['U+2066', 'left-to-right isolate'],
  ['U+2067', 'right-to-left isolate'],
  ['U+FEFF', 'byte order mark, without width'],
])

function meaning(shown: string): string {
  const name = shown.slice(1, -1).split('×', 1)[0] ?? ''
  return MEANINGS.get(name) ?? `the character ${name}, which would not be seen or would be taken for another`
}

function points(text: string): string {
  return [...text]
    .slice(0, 12)
    .map((char) => `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`)
    .join(' ')
}
