/** What a page shows of the server: asked anew when what it is about changes, never an old answer over a newer one. */
import { type ReadonlySignal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'

export interface Resource<T> {
  /** The last answer; null until there is one. It stays while the next is under way. */
  readonly data: T | null
  /** Why there is no newer one. */
  readonly error: Error | null
  readonly loading: boolean
}

/** `key` says what is asked; `tick` asks it again. A null key asks nothing. */
export function useResource<T>(
  key: string | null,
  ask: (signal: AbortSignal) => Promise<T>,
  tick?: ReadonlySignal<number>,
): Resource<T> & { readonly reload: () => void } {
  const state = useSignal<Resource<T> & { readonly key: string | null }>({ data: null, error: null, loading: true, key: null })
  const again = useSignal(0)
  const moved = tick?.value ?? 0
  const asked = again.value
  useEffect(() => {
    if (key === null) return
    const abort = new AbortController()
    const kept = state.peek().key === key ? state.peek().data : null
    state.value = { data: kept, error: null, loading: true, key }
    ask(abort.signal).then(
      (data) => {
        if (!abort.signal.aborted) state.value = { data, error: null, loading: false, key }
      },
      (error: unknown) => {
        if (!abort.signal.aborted) state.value = { data: kept, error: asError(error), loading: false, key }
      },
    )
    return () => abort.abort()
  }, [key, moved, asked])
  const shown = state.value.key === key ? state.value : { data: null, error: null, loading: true }
  return { data: shown.data, error: shown.error, loading: shown.loading, reload: () => again.value++ }
}

export function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
