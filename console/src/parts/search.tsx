/** A search box that asks when Enter is pressed; `/` brings the keyboard to it. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'

interface Props {
  readonly value: string
  readonly label: string
  readonly hint: string
  readonly onSearch: (text: string) => void
}

export function SearchBox({ value, label, hint, onSearch }: Props): JSX.Element {
  const text = useSignal(value)
  return (
    <search>
      <form
        class="search"
        onSubmit={(event) => {
          event.preventDefault()
          onSearch(text.value.trim())
        }}
      >
        <svg viewBox="0 0 16 16" aria-hidden="true">
          <circle cx="7" cy="7" r="4.5" />
          <path d="M10.5 10.5L14 14" />
        </svg>
        <input
          id="search"
          type="search"
          aria-label={label}
          placeholder={hint}
          autocomplete="off"
          spellcheck={false}
          value={text.value}
          onInput={(event) => (text.value = event.currentTarget.value)}
        />
      </form>
    </search>
  )
}
