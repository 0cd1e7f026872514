/** The way back for a session that was stopped: a person says why, and the log says who. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { post } from '../api/client.ts'
import type { SessionRow } from '../api/types.ts'
import { asError } from '../state/resource.ts'
import { mayAs } from '../state/who.ts'
import { Failure } from './states.tsx'

export function Stopped({ row, onUnlocked }: { readonly row: SessionRow; readonly onUnlocked: () => void }): JSX.Element {
  const reason = useSignal('')
  const busy = useSignal(false)
  const error = useSignal<Error | null>(null)
  const unlock = async (): Promise<void> => {
    busy.value = true
    error.value = null
    try {
      await post('/v1/sessions/unlock', { session: row.session, tenant: row.tenant, reason: reason.value })
      onUnlocked()
    } catch (failure) {
      error.value = asError(failure)
    } finally {
      busy.value = false
    }
  }
  return (
    <section class="stopped" aria-label="Stopped">
      <p>
        <strong>This session is stopped.</strong> Its agent kept trying what was denied, so the gate stops every further call. Unlock it and
        it starts anew: what it was denied is forgotten.
      </p>
      {mayAs('approver') && (
        <form
          class="stopped-form"
          onSubmit={(event) => {
            event.preventDefault()
            void unlock()
          }}
        >
          <label>
            Why
            <input
              type="text"
              required
              maxLength={1000}
              value={reason.value}
              onInput={({ currentTarget }) => {
                reason.value = currentTarget.value
              }}
            />
          </label>
          <button type="submit" class="button" disabled={busy.value || reason.value.trim() === ''}>
            Unlock session
          </button>
        </form>
      )}
      {error.value !== null && <Failure error={error.value} />}
    </section>
  )
}
