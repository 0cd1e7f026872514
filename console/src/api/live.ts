/** The stream of what happens: one connection for the page, kept up, with its state for everybody to see. */
import { signal } from '@preact/signals'
import { whoami } from './client.ts'

export type Connection = 'connecting' | 'live' | 'lost'

export const connection = signal<Connection>('connecting')
/** Counts approvals that changed; whoever shows some looks again when it moves. */
export const approvalTick = signal(0)
/** The same for decisions. */
export const decisionTick = signal(0)

/** Changes that come within this many milliseconds are one change. */
const SETTLE = 120
/** Milliseconds between two tellings. */
const SPACING = 1_000
/** Milliseconds between two attempts. */
const RETRY = 1_500

let wanted = false
let source: EventSource | null = null
let retry: ReturnType<typeof setTimeout> | undefined

/** Opens the stream; does nothing where it is open. */
export function listen(): void {
  wanted = true
  if (source !== null) return
  clearTimeout(retry)
  const opened = new EventSource('/v1/events')
  source = opened
  opened.onopen = () => {
    const wasLost = connection.value === 'lost'
    connection.value = 'live'
    // What was missed while nobody listened is looked up, whether or not the server repeats it.
    if (wasLost) touch(approvalTick, decisionTick)
  }
  opened.onerror = () => {
    connection.value = 'lost'
    opened.close()
    source = null
    again()
  }
  opened.addEventListener('approval', () => settle(approvalTick))
  opened.addEventListener('decision', () => settle(decisionTick))
}

/**
 * Tries again after a while, unless somebody hung up meanwhile. A stream does not say why it failed; a server that no longer
 * knows this browser says so to this question, and the page asks to sign in.
 */
function again(): void {
  if (!wanted) return
  retry = setTimeout(() => {
    whoami().then(() => {
      if (wanted) listen()
    }, again)
  }, RETRY)
}

export function hangUp(): void {
  wanted = false
  clearTimeout(retry)
  source?.close()
  source = null
  connection.value = 'connecting'
}

interface Settling {
  timer: ReturnType<typeof setTimeout> | undefined
  told: number
}

const settling = new Map<typeof approvalTick, Settling>()

/** Told soon after the first of several, and then at most once a second: a flood of events is no flood of requests. */
function settle(tick: typeof approvalTick): void {
  const state = settling.get(tick) ?? { timer: undefined, told: 0 }
  settling.set(tick, state)
  if (state.timer !== undefined) return
  const wait = Math.max(SETTLE, state.told + SPACING - performance.now())
  state.timer = setTimeout(() => {
    state.timer = undefined
    state.told = performance.now()
    touch(tick)
  }, wait)
}

function touch(...ticks: readonly (typeof approvalTick)[]): void {
  for (const tick of ticks) tick.value++
}
