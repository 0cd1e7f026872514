/** The way back of a call that ran: shown first, then taken, each by a press of its own. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useRef } from 'preact/hooks'
import { get, post, query } from '../api/client.ts'
import { decisionTick } from '../api/live.ts'
import type { TakenBack, Undoable, UndoPlan } from '../api/types.ts'
import { asError, useResource } from '../state/resource.ts'
import { href } from '../state/route.ts'
import { mayAs } from '../state/who.ts'
import { Failure, Section } from './states.tsx'
import { Line, Raw } from './text.tsx'

const pathOf = (id: string): string => `/v1/decisions/${encodeURIComponent(id)}/undo`

/** One after the other, each shown again: what the first changed may be what the second would. */
async function takeInTurn(plans: readonly UndoPlan[], tell: (taken: TakenBack) => void): Promise<void> {
  for (const [index, shown] of plans.entries()) {
    const { digest } = index === 0 ? shown : await get<UndoPlan>(pathOf(shown.of))
    const taken = await post<TakenBack>(pathOf(shown.of), { digest })
    tell(taken)
    // What was done before it would be put over what could not be taken back.
    if (taken.problems.length > 0) return
  }
}

/** `ids`: records, in the order in which they are taken back. */
export function TakeBack({ ids, title }: { readonly ids: readonly string[]; readonly title: string }): JSX.Element | null {
  const plans = useSignal<readonly UndoPlan[] | null>(null)
  const done = useSignal<readonly TakenBack[]>([])
  const busy = useSignal(false)
  const error = useSignal<Error | null>(null)
  if (!mayAs('approver')) return null
  const during = async (work: () => Promise<void>): Promise<void> => {
    busy.value = true
    error.value = null
    try {
      await work()
    } catch (failure) {
      plans.value = null
      error.value = asError(failure)
    } finally {
      busy.value = false
    }
  }
  const show = (): Promise<void> =>
    during(async () => {
      done.value = []
      plans.value = await Promise.all(ids.map((id) => get<UndoPlan>(pathOf(id))))
    })
  const take = (): Promise<void> =>
    during(async () => {
      await takeInTurn(plans.value ?? [], (taken) => {
        done.value = [...done.value, taken]
      })
      plans.value = null
    })
  return (
    <Section title={title}>
      {plans.value === null ? (
        <button type="button" class="button" disabled={busy.value || ids.length === 0} onClick={() => void show()}>
          Show what would be taken back
        </button>
      ) : (
        <>
          {plans.value.map((plan) => (
            <Steps key={plan.of} plan={plan} />
          ))}
          {plans.value.some(isToDo) ? (
            <button type="button" class="button" disabled={busy.value} onClick={() => void take()}>
              Take it back
            </button>
          ) : (
            <p class="muted">There is nothing to take back here.</p>
          )}
        </>
      )}
      {done.value.map((taken) => (
        <Outcome key={taken.id ?? ''} taken={taken} />
      ))}
      {error.value !== null && <Failure error={error.value} />}
    </Section>
  )
}

const isToDo = ({ steps }: UndoPlan): boolean => steps.some(({ lines, problem }) => problem === null && lines.length > 0)

function Steps({ plan }: { readonly plan: UndoPlan }): JSX.Element {
  return (
    <>
      {plan.taken_by !== null && (
        <p>
          It was taken back already: <a href={href(['decisions', plan.taken_by])}>the record</a>.
        </p>
      )}
      {plan.steps.map(({ name, lines, more, problem, cannot }, index) => (
        <div key={index}>
          <p>
            <strong>
              <Line text={name} />
            </strong>{' '}
            <span class="muted">
              <Line text={cannot === '' ? '' : `Not taken back: ${cannot}`} limit={600} />
            </span>
          </p>
          {problem !== null && (
            <p class="problem">
              <Raw text={problem} />
            </p>
          )}
          <ul>
            {lines.map((line) => (
              <li key={line}>
                <Line text={line} limit={300} />
              </li>
            ))}
          </ul>
          {more > 0 && <p class="muted">and {more.toLocaleString('en')} more</p>}
          {problem === null && lines.length === 0 && <p class="muted">It is as it was already.</p>}
        </div>
      ))}
    </>
  )
}

function Outcome({ taken: { id, problems, whole } }: { readonly taken: TakenBack }): JSX.Element {
  return (
    <>
      {id !== null && (
        <p role="status">
          {problems.length === 0 && whole ? 'Taken back: ' : 'Not all of it is taken back: '}
          <a href={href(['decisions', id])}>the record</a>.
        </p>
      )}
      {problems.map((problem) => (
        <p key={problem} class="problem">
          <Raw text={problem} />
        </p>
      ))}
    </>
  )
}

/** Everything of a session that can be taken back, from its end. */
export function TakeBackSession({ session }: { readonly session: string }): JSX.Element | null {
  const path = `/v1/undo${query({ session })}`
  const found = useResource(path, (signal) => get<{ calls: readonly Undoable[] }>(path, signal), decisionTick)
  const ids = found.data?.calls.map(({ id }) => id) ?? []
  // What came of it is still told once nothing is left to take back.
  const began = useRef(false)
  if (ids.length > 0) began.current = true
  if (!began.current) return null
  return (
    <TakeBack ids={ids} title={ids.length === 0 ? 'Taken back' : `Take back ${ids.length === 1 ? 'one call' : `${ids.length} calls`}`} />
  )
}
