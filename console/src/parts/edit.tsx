/** Arguments edited by a person: the changed call is decided again from the start, so the difference is shown before it is sent. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { isJsonObject, type JsonObject } from '../../../src/core/json.ts'
import { readJson } from '../../../src/ingress/json.ts'
import type { Approval } from '../api/types.ts'
import type { Row } from '../view/arguments.ts'
import { argsOf } from '../view/call.ts'
import { type Change, changes, editable } from '../view/diff.ts'
import { Line, Raw } from './text.tsx'

interface Props {
  readonly approval: Approval
  readonly blocked: string | null
  readonly onSend: (args: JsonObject) => void
  readonly onClose: () => void
}

export function Edit({ approval, blocked, onSend, onClose }: Props): JSX.Element {
  const original = argsOf(approval.sheet.call)
  const text = useSignal(editable(original))
  const area = useRef<HTMLTextAreaElement>(null)
  useEffect(() => area.current?.focus(), [])
  const read = readArguments(text.value)
  const found = read.args === null ? [] : changes(original, read.args)
  const gone = read.args === null ? [] : Object.keys(original).filter((name) => !Object.hasOwn(read.args ?? {}, name))
  const problem = read.problem ?? (gone.length > 0 ? `an argument can be changed, but not taken away: ${gone.join(', ')}` : null)
  const { args } = read
  return (
    <div class="edit">
      <label class="field">
        <span class="field-name">Arguments as JSON; hidden characters stand as \u escapes</span>
        <textarea
          ref={area}
          id="edited"
          rows={Math.min(14, text.value.split('\n').length + 1)}
          spellcheck={false}
          value={text.value}
          onInput={(event) => (text.value = event.currentTarget.value)}
        />
      </label>
      {problem !== null && (
        <p class="problem">
          <Line text={problem} limit={400} />
        </p>
      )}
      <Changes found={found} />
      <div class="answer-buttons">
        <button type="button" class="button" onClick={onClose}>
          Back
        </button>
        <button
          id="decide"
          type="button"
          class="button button-approve"
          disabled={args === null || problem !== null || found.length === 0 || blocked !== null}
          onClick={() => args !== null && onSend(args)}
        >
          Decide the changed call
        </button>
        <span class="answer-blocked">
          {found.length === 0 ? 'Nothing is changed yet.' : 'It is decided again from the start, and waits for your yes as it then is.'}
        </span>
      </div>
    </div>
  )
}

/** The rows that an edit changes, before and after. */
export function Changes({ found }: { readonly found: readonly Change[] }): JSX.Element | null {
  if (found.length === 0) return null
  return (
    <section class="changes" aria-label="What the edit changes">
      {found.map(({ pointer, before, after }) => (
        <div key={pointer} class="change">
          <code class="change-pointer">
            <Line text={pointer} />
          </code>
          <Side row={before} sign="−" />
          <Side row={after} sign="+" />
        </div>
      ))}
    </section>
  )
}

function Side({ row, sign }: { readonly row: Row | null; readonly sign: '−' | '+' }): JSX.Element | null {
  if (row === null) return null
  const text = row.kind === 'object' || row.kind === 'array' ? `${row.kind} of ${row.size}` : row.value
  return (
    <div class={`change-side change-${sign === '+' ? 'after' : 'before'}`}>
      <span class="change-sign">{sign}</span>
      <span class="argument-kind">{row.kind}</span>
      <Raw text={text} />
    </div>
  )
}

/** Read as strictly as the gate reads: no duplicate names, no number that would become another. */
function readArguments(text: string): { readonly args: JsonObject | null; readonly problem: string | null } {
  const read = readJson(text)
  if (!read.ok) return { args: null, problem: read.refusal.message }
  return isJsonObject(read.value) ? { args: read.value, problem: null } : { args: null, problem: 'arguments are a JSON object' }
}
