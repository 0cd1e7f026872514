/** The time, for what counts down on a page; and times in words. */
import { signal } from '@preact/signals'

/** Milliseconds since the epoch; moves once a second. */
export const now = signal(Date.now())

export function startClock(): void {
  setInterval(() => {
    now.value = Date.now()
  }, 1_000)
}

const UNITS: readonly (readonly [string, number])[] = [
  ['d', 86_400],
  ['h', 3_600],
  ['m', 60],
  ['s', 1],
]

/** `4m 10s`, `2h`, `45s`: at most two units, none below a second. */
export function span(milliseconds: number): string {
  let seconds = Math.max(0, Math.floor(milliseconds / 1_000))
  const parts: string[] = []
  for (const [name, size] of UNITS) {
    const count = Math.floor(seconds / size)
    seconds -= count * size
    if (count > 0) parts.push(`${count}${name}`)
    if (parts.length === 2 || (parts.length === 1 && count === 0)) break
  }
  return parts.length === 0 ? '0s' : parts.join(' ')
}

/** `just now`, `3m ago`, `2d ago`. */
export function ago(at: string, time: number): string {
  const passed = time - Date.parse(at)
  if (Number.isNaN(passed)) return ''
  if (passed < 5_000) return 'just now'
  return `${span(passed).split(' ')[0] ?? ''} ago`
}

/** `2026-01-31 12:00:05`, in the reader's own time zone. */
export function instant(at: string): string {
  const date = new Date(at)
  if (Number.isNaN(date.getTime())) return at
  const two = (value: number) => String(value).padStart(2, '0')
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`
}
