/** Where the reader is: the part of the address after `#`, as a path and a query. */
import { signal } from '@preact/signals'

export interface Route {
  /** Decoded segments: `['approvals', 'apr_…']`; empty for the start. */
  readonly path: readonly string[]
  readonly query: ReadonlyMap<string, string>
}

/** Reads `#/sessions/a%2Fb?q=x`. What cannot be decoded is taken as it stands. */
export function parseRoute(hash: string): Route {
  const [path = '', search = ''] = hash.replace(/^#\/?/, '').split('?', 2)
  const segments = path.split('/').filter((segment) => segment !== '')
  return { path: segments.map(decoded), query: new Map(new URLSearchParams(search)) }
}

/** An address for a link; every segment is encoded. */
export function href(path: readonly string[], query: Readonly<Record<string, string | null>> = {}): string {
  const set = Object.entries(query).flatMap(([name, value]) => (value === null || value === '' ? [] : [[name, value] as [string, string]]))
  const search = set.length === 0 ? '' : `?${new URLSearchParams(set).toString()}`
  return `#/${path.map(encodeURIComponent).join('/')}${search}`
}

/** The text behind percent signs; as it stands where it cannot be decoded. */
export function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

export const route = signal<Route>(parseRoute(globalThis.location?.hash ?? ''))

/** Keeps `route` in step with the address. */
export function followAddress(): void {
  window.addEventListener('hashchange', () => {
    route.value = parseRoute(location.hash)
  })
}

export function go(path: readonly string[], query: Readonly<Record<string, string | null>> = {}): void {
  location.hash = href(path, query)
}
