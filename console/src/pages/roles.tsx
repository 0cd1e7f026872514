/** Roles: what each usually does, what is new and waits for people, what changed since it was reviewed. */
import type { JSX } from 'preact'
import { get, query } from '../api/client.ts'
import type { RoleBaseline, RoleDrift } from '../api/types.ts'
import { Empty, Shown } from '../parts/states.tsx'
import { Line } from '../parts/text.tsx'
import { useResource } from '../state/resource.ts'
import { go, href } from '../state/route.ts'

const PATH = '/v1/baselines'
/** Stands for calls without a role in addresses. */
const NOBODY = '-'

interface Roles {
  readonly learns: boolean
  readonly broken: boolean
  readonly roles: readonly RoleBaseline[]
}

export function RolesPage(): JSX.Element {
  const found = useResource('roles', (signal) => get<Roles>(PATH, signal))
  return (
    <article class="page" aria-label="Roles">
      <header class="page-head">
        <h1>Roles</h1>
      </header>
      <Shown of={found}>
        {({ learns, broken, roles }) => (
          <>
            {broken && (
              <p class="banner" role="alert">
                What was learned is not signed by this gate or cannot be read. <code>countersign baseline learn --rebuild</code> learns it
                again.
              </p>
            )}
            {roles.length === 0 ? (
              <Empty title="No role is known yet">
                {learns
                  ? 'Roles appear here once countersign baseline learn has read the log.'
                  : 'The policy has no baseline, so nothing is learned of what roles usually do.'}
              </Empty>
            ) : (
              <RoleTable roles={roles} />
            )}
          </>
        )}
      </Shown>
    </article>
  )
}

function RoleTable({ roles }: { readonly roles: readonly RoleBaseline[] }): JSX.Element {
  return (
    <div class="table-box">
      <table class="table table-cards" aria-label="Roles">
        <thead>
          <tr>
            <th>Role</th>
            <th>Known</th>
            <th class="right">Sessions</th>
            <th class="right">New, waiting</th>
            <th class="right">Flagged</th>
          </tr>
        </thead>
        <tbody>
          {roles.map((row) => {
            const name = row.role ?? NOBODY
            const of = { tenant: row.tenant }
            return (
              <tr key={`${row.tenant ?? ''}\n${row.role ?? ''}`} onClick={() => go(['roles', name], of)}>
                <td class="code-cell">
                  <a href={href(['roles', name], of)}>
                    <Line text={row.role ?? 'no role'} limit={48} />
                  </a>
                  {row.tenant !== null && <Line text={` ${row.tenant}`} limit={48} />}
                </td>
                <td>{knownText(row)}</td>
                <td class="right number">{row.sessions.toLocaleString('en')}</td>
                <td class="right number">{row.waiting}</td>
                <td class="right number">{row.flagged}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

function knownText({ known, held, needed }: RoleBaseline): string {
  const cold = known ? 'known' : `cold start, needs ${needed} sessions`
  return held === null ? cold : `${cold}, held to ${held}`
}

export function RolePage({ role, tenant }: { readonly role: string; readonly tenant: string | null }): JSX.Element {
  const path = `${PATH}/drift${query({ role: role === NOBODY ? undefined : role, tenant: tenant ?? undefined })}`
  const found = useResource(path, (signal) => get<RoleDrift>(path, signal))
  return (
    <article class="page" aria-label="One role">
      <header class="page-head">
        <a class="back" href={href(['roles'])}>
          ← Roles
        </a>
        <h1 class="mono">
          <Line text={role === NOBODY ? 'no role' : role} limit={120} />
        </h1>
      </header>
      <Shown of={found}>
        {({ role: row, waiting, since, changes, usual }) => (
          <>
            <p class="muted">
              {row.sessions.toLocaleString('en')} sessions on {row.days} days; {knownText(row)}
            </p>
            <Terms
              title="New, and not counted until accepted or old enough"
              rows={waiting.map((each) => ({
                name: each.text,
                value: `${each.sessions} sessions since ${each.first}${each.flagged ? ', flagged' : ''}`,
              }))}
            />
            {since !== null && (
              <Terms
                title={`Changed since ${since}`}
                rows={changes.map((each) => ({ name: each.text, value: `${percent(each.before)} → ${percent(each.after)}` }))}
              />
            )}
            <Terms title="Usual" rows={usual.map((each) => ({ name: each.text, value: percent(each.share) }))} />
          </>
        )}
      </Shown>
    </article>
  )
}

interface TermRow {
  readonly name: string
  readonly value: string
}

function Terms({ title, rows }: { readonly title: string; readonly rows: readonly TermRow[] }): JSX.Element {
  return (
    <section>
      <h2>{title}</h2>
      {rows.length === 0 ? (
        <p class="muted">Nothing.</p>
      ) : (
        <div class="table-box">
          <table class="table" aria-label={title}>
            <tbody>
              {rows.map(({ name, value }) => (
                <tr key={name}>
                  <td class="wide">
                    <Line text={name} />
                  </td>
                  <td class="right nowrap">{value}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`
}
