/** The keyboard: one list of keys for all pages, which the help shows. */
import { step } from './inbox.ts'
import { go, route } from './route.ts'

/** Id of the dialog that tells the keys. Whether it is open, the page itself knows: a copy of that would be late. */
export const HELP = 'keys'

export function showHelp(): void {
  const dialog = document.getElementById(HELP)
  if (dialog instanceof HTMLDialogElement && !dialog.open) dialog.showModal()
}

interface Shortcut {
  readonly keys: readonly string[]
  readonly does: string
  /** Null: what has the focus does it by itself. */
  readonly act: (() => void) | null
}

const PAGES = new Map([
  ['i', 'inbox'],
  ['d', 'decisions'],
  ['s', 'sessions'],
  ['l', 'audit'],
  ['p', 'policy'],
  ['o', 'overview'],
])

/** The second keys after `g`, as the help tells them. */
export const PAGES_BY_KEY: readonly (readonly [string, string])[] = [...PAGES].map(([key, page]) => [
  key,
  page === 'audit' ? 'the audit log' : page,
])

export const SHORTCUTS: readonly Shortcut[] = [
  { keys: ['j', 'ArrowDown'], does: 'next call', act: () => move(1) },
  { keys: ['k', 'ArrowUp'], does: 'previous call', act: () => move(-1) },
  { keys: ['Enter'], does: 'do what has the focus: open the call, or answer', act: null },
  { keys: ['d'], does: 'read on, then go to Deny; Enter denies', act: () => goToAnswer('deny') },
  { keys: ['a'], does: 'read on, then go to Approve; Enter approves', act: () => goToAnswer('approve') },
  { keys: ['e'], does: 'edit the arguments', act: () => document.getElementById('edit')?.click() },
  { keys: ['c'], does: 'write a comment', act: () => focus('comment') },
  { keys: ['/'], does: 'search', act: () => focus('search') },
  { keys: ['Escape'], does: 'back to the list', act: back },
  { keys: ['?'], does: 'show these keys', act: showHelp },
]

/** Keys are the page's only while nobody types and no dialog is open. */
export function followKeys(): void {
  let leader = 0
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]') !== null) return
    if (isTyping(event.target)) {
      if (event.key === 'Escape') (event.target as HTMLElement).blur()
      return
    }
    const page = event.timeStamp - leader < 1_200 ? PAGES.get(event.key) : undefined
    leader = event.key === 'g' ? event.timeStamp : 0
    if (page !== undefined) {
      event.preventDefault()
      go([page])
      return
    }
    const found = SHORTCUTS.find(({ keys }) => keys.includes(event.key))
    if (found === undefined || found.act === null || isScrolling(event)) return
    event.preventDefault()
    found.act()
  })
}

function isTyping(target: EventTarget | null): boolean {
  if (target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return true
  return target instanceof HTMLInputElement && !['checkbox', 'radio', 'button'].includes(target.type)
}

/** Arrows scroll and choose everywhere but in the inbox's list. */
function isScrolling(event: KeyboardEvent): boolean {
  if (!event.key.startsWith('Arrow')) return false
  return event.target instanceof HTMLInputElement || (route.value.path[0] ?? 'inbox') !== 'inbox'
}

/** To the next call that the list shows. It takes the focus, so that Enter opens what the reader sees and nothing else. */
function move(by: 1 | -1): void {
  const here = route.value.path[0] ?? 'inbox'
  if (here !== 'inbox' && here !== 'approvals') return
  const next = step(by)
  if (next === null) return
  if (here === 'approvals') go(['approvals', next.id])
  requestAnimationFrame(() => {
    const item = document.querySelector('.item-cursor')
    item?.scrollIntoView({ block: 'nearest' })
    if (item instanceof HTMLElement) item.focus({ preventScroll: true })
  })
}

function back(): void {
  const [page, id] = route.value.path
  if (id === undefined || page === undefined) return
  go([page === 'approvals' || page === 'batch' ? 'inbox' : page])
}

/** No answer by a key before the call was seen to its end and stood there for a moment: until then the key reads on. */
function goToAnswer(id: 'deny' | 'approve'): void {
  const bar = document.querySelector('.answer')
  if (bar === null) return
  const button = document.getElementById(id)
  const ready = bar.getAttribute('data-ready') === 'yes' && button instanceof HTMLButtonElement && !button.disabled
  if (ready) focus(id)
  else window.scrollBy({ top: innerHeight / 2 })
}

function focus(id: string): void {
  const element = document.getElementById(id)
  element?.scrollIntoView({ block: 'nearest' })
  element?.focus()
}
