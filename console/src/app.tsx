/** The frame around every page: who and where you are, whether what you see is live, and the keys. */
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { get } from './api/client.ts'
import { connection } from './api/live.ts'
import icon from './icon.svg'
import { AuditPage } from './pages/audit.tsx'
import { BatchPage } from './pages/batch.tsx'
import { DecisionPage } from './pages/decision.tsx'
import { DecisionsPage } from './pages/decisions.tsx'
import { InboxPage } from './pages/inbox.tsx'
import { LoginPage } from './pages/login.tsx'
import { OverviewPage } from './pages/overview.tsx'
import { PolicyPage } from './pages/policy.tsx'
import { RolePage, RolesPage } from './pages/roles.tsx'
import { SessionPage, SessionsPage } from './pages/sessions.tsx'
import { Loading } from './parts/states.tsx'
import { Line } from './parts/text.tsx'
import { inbox } from './state/inbox.ts'
import { HELP, PAGES_BY_KEY, SHORTCUTS, showHelp } from './state/keys.ts'
import { useResource } from './state/resource.ts'
import { href, route } from './state/route.ts'
import { signOut, who } from './state/who.ts'

export function App(): JSX.Element {
  const person = who.value
  if (person === 'asking') return <Loading />
  if (typeof person === 'string') return <LoginPage />
  return (
    <div class="frame">
      <button type="button" class="skip" onClick={() => document.getElementById('main')?.focus()}>
        Skip to the page
      </button>
      <Side name={person.name} role={person.role} />
      <main id="main" class="main" tabIndex={-1}>
        {connection.value === 'lost' && (
          <p class="banner" role="alert">
            The connection to the gate is lost. What you see may be old; trying again.
          </p>
        )}
        <OpenLoopback />
        <Page />
      </main>
      <Help />
    </div>
  )
}

/** What the operator chose when the server was started weakens it: whoever looks here should know. */
function OpenLoopback(): JSX.Element | null {
  const { data } = useResource('healthz', (signal) => get<{ readonly open_loopback: boolean }>('/healthz', signal))
  if (data?.open_loopback !== true) return null
  return (
    <p class="banner" role="note">
      Loopback is open: every user of this machine can ask this gate for decisions without a token. Start the server without
      <code> --open-loopback</code> to close it.
    </p>
  )
}

function Page(): JSX.Element {
  const [page = 'inbox', id] = route.value.path
  switch (page) {
    case 'approvals':
      return <InboxPage open={id ?? null} />
    case 'batch':
      return <BatchPage alike={id ?? ''} />
    case 'decisions':
      return id === undefined ? <DecisionsPage /> : <DecisionPage key={id} id={id} />
    case 'sessions':
      return id === undefined ? <SessionsPage /> : <SessionPage key={id} session={id} />
    case 'roles':
      return id === undefined ? <RolesPage /> : <RolePage key={id} role={id} tenant={route.value.query.get('tenant') ?? null} />
    case 'audit':
      return <AuditPage />
    case 'policy':
      return <PolicyPage />
    case 'overview':
      return <OverviewPage />
    default:
      return <InboxPage open={null} />
  }
}

const LINKS: readonly { readonly page: string; readonly name: string; readonly icon: string; readonly also?: readonly string[] }[] = [
  { page: 'inbox', name: 'Inbox', icon: 'M2.5 9.5h3l1 2h3l1-2h3M2.5 9.5l2-6h7l2 6v3.5h-11z', also: ['approvals', 'batch'] },
  { page: 'decisions', name: 'Decisions', icon: 'M3 4h10M3 8h10M3 12h6' },
  { page: 'sessions', name: 'Sessions', icon: 'M8 8a2.5 2.5 0 100-5 2.5 2.5 0 000 5zM3 13.5c.6-2.6 2.6-4 5-4s4.400 1.400 5 4' },
  {
    page: 'audit',
    name: 'Audit',
    icon: 'M6.500 9.500l3-3M5 7L3.500 8.500a2.475 2.475 0 003.500 3.500L8.500 10.500M7.500 5.500L9 4a2.475 2.475 0 013.500 3.500L11 9',
  },
  { page: 'roles', name: 'Roles', icon: 'M2.500 12.500c2-7 4-9 5.500-9s3.500 2 5.500 9M2.500 12.500h11' },
  { page: 'policy', name: 'Policy', icon: 'M8 2l5 2v4c0 3-2.100 5-5 6-2.900-1-5-3-5-6V4z' },
  { page: 'overview', name: 'Overview', icon: 'M3 13V8.500M8 13V3M13 13V6' },
]

function Side({ name, role }: { readonly name: string; readonly role: string }): JSX.Element {
  const here = route.value.path[0] ?? 'inbox'
  const waiting = inbox.value?.approvals.length ?? 0
  useEffect(() => {
    document.title = waiting === 0 ? 'Countersign' : `(${inbox.value?.more === true ? `${waiting}+` : waiting}) Countersign`
  }, [waiting])
  return (
    <header class="side">
      <a class="brand" href={href(['inbox'])}>
        <img src={icon} alt="" width="22" height="22" />
        Countersign
      </a>
      <nav class="nav" aria-label="Pages">
        {LINKS.map(({ page, name: label, icon, also = [] }) => (
          <a key={page} href={href([page])} aria-current={page === here || also.includes(here) ? 'page' : undefined}>
            <svg viewBox="0 0 16 16" aria-hidden="true">
              <path d={icon} />
            </svg>
            <span>{label}</span>
            {page === 'inbox' && waiting > 0 && (
              <span class="nav-count number">{inbox.value?.more === true ? `${waiting}+` : waiting}</span>
            )}
          </a>
        ))}
      </nav>
      <div class="side-foot">
        <span class={`live live-${connection.value}`} role="status">
          {connection.value === 'live' ? 'Live' : connection.value === 'lost' ? 'Not connected' : 'Connecting'}
        </span>
        <span class="me" title={name}>
          <Line text={name} limit={32} />
          <span class="muted">{role}</span>
        </span>
        <span class="side-buttons">
          <button type="button" class="button button-quiet" onClick={() => void signOut()}>
            Sign out
          </button>
          <button type="button" class="button button-quiet side-keys" aria-label="Keys" onClick={showHelp}>
            <kbd>?</kbd> Keys
          </button>
        </span>
      </div>
    </header>
  )
}

function Help(): JSX.Element {
  return (
    <dialog id={HELP} class="help" aria-label="Keys">
      <h2>Keys</h2>
      <dl>
        {SHORTCUTS.map(({ keys, does }) => (
          <div key={does}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{NAMES.get(key) ?? key}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
        {PAGES_BY_KEY.map(([key, page]) => (
          <div key={key}>
            <dt>
              <kbd>g</kbd> <kbd>{key}</kbd>
            </dt>
            <dd>go to {page}</dd>
          </div>
        ))}
      </dl>
      <form method="dialog">
        <button type="submit" class="button button-main">
          Close
        </button>
      </form>
    </dialog>
  )
}

const NAMES = new Map([
  ['ArrowDown', '↓'],
  ['ArrowUp', '↑'],
  ['Escape', 'Esc'],
])
