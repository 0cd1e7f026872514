/** The way in: a link with a one-time code needs nothing here; otherwise a token. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { waysIn } from '../api/client.ts'
import icon from '../icon.svg'
import { Line } from '../parts/text.tsx'
import { useResource } from '../state/resource.ts'
import { arrive, comeBack, refusedLogin, signIn, who } from '../state/who.ts'

export function LoginPage(): JSX.Element {
  const token = useSignal('')
  const box = useRef<HTMLInputElement>(null)
  const ways = useResource('ways in', waysIn)
  useEffect(() => box.current?.focus(), [])
  return (
    <main class="login">
      <form
        class="login-card"
        onSubmit={(event) => {
          event.preventDefault()
          void signIn(token.value.trim())
        }}
      >
        <img src={icon} alt="" width="44" height="44" />
        <h1>Countersign</h1>
        <p class="muted">A second signature for every tool call that an agent proposes.</p>
        <label class="field">
          <span class="field-name">Token</span>
          <input
            ref={box}
            id="token"
            type="password"
            autocomplete="off"
            spellcheck={false}
            value={token.value}
            onInput={(event) => (token.value = event.currentTarget.value)}
          />
        </label>
        <button type="submit" class="button button-main" disabled={token.value.trim() === ''}>
          Sign in
        </button>
        {ways.data?.oidc === true && (
          <a class="button login-provider" href="/v1/login/oidc" onClick={comeBack}>
            Sign in with your organisation
          </a>
        )}
        {refusedLogin.value !== null && (
          <p class="problem" role="alert">
            <Line text={refusedLogin.value} limit={300} />
          </p>
        )}
        {who.value === 'unreachable' && (
          <p class="problem" role="alert">
            The gate cannot be reached.{' '}
            <button type="button" class="button" onClick={() => void arrive()}>
              Try again
            </button>
          </p>
        )}
        <p class="muted login-hint">
          <code>countersign serve</code> prints a link that signs you in once. For other people: <code>countersign tokens add</code>.
        </p>
      </form>
    </main>
  )
}
