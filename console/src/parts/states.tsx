/** What a page shows when it has nothing to show yet, nothing at all, or no answer. */
import type { ComponentChildren, JSX } from 'preact'
import { Refused } from '../api/client.ts'
import type { Resource } from '../state/resource.ts'
import { Line } from './text.tsx'

export function Empty({ title, children }: { readonly title: string; readonly children?: ComponentChildren }): JSX.Element {
  return (
    <div class="empty">
      <svg viewBox="0 0 48 48" aria-hidden="true" class="empty-sign">
        <rect x="7" y="9" width="34" height="30" rx="6" />
        <path d="M15 25l6 6 12-13" />
      </svg>
      <h2>{title}</h2>
      <p class="muted">{children}</p>
    </div>
  )
}

export function Failure({ error, retry }: { readonly error: Error; readonly retry?: () => void }): JSX.Element {
  const code = error instanceof Refused ? error.code : null
  return (
    <div class="failure" role="alert">
      <strong>
        <Line text={error.message} limit={400} />
      </strong>
      {code !== null && (
        <code>
          <Line text={code} />
        </code>
      )}
      {retry !== undefined && (
        <button type="button" class="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  )
}

export function Loading(): JSX.Element {
  return (
    <div class="loading" role="status" aria-label="Loading">
      <span />
      <span />
      <span />
    </div>
  )
}

/** The answer of the server once there is one; a failure stands above the last answer, never in its place. */
export function Shown<T>(props: {
  readonly of: Resource<T> & { readonly reload: () => void }
  readonly children: (data: T) => JSX.Element
}): JSX.Element {
  const { data, error, reload } = props.of
  return (
    <>
      {error !== null && <Failure error={error} retry={reload} />}
      {data !== null ? props.children(data) : error === null && <Loading />}
    </>
  )
}

export function Section(props: {
  readonly title: string
  readonly aside?: ComponentChildren
  readonly children: ComponentChildren
}): JSX.Element {
  return (
    <section class="section">
      <header class="section-head">
        <h2>{props.title}</h2>
        {props.aside !== undefined && <div class="section-aside">{props.aside}</div>}
      </header>
      {props.children}
    </section>
  )
}
