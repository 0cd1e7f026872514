/** The policies that judged a call: which one governs, and which only raise. */
import type { JSX } from 'preact'
import type { Json } from '../../../src/core/json.ts'
import { textOf } from '../view/call.ts'
import { judging } from '../view/policies.ts'
import { Digest } from './badges.tsx'
import { Raw } from './text.tsx'

/** `policy` as the decision has it; nothing is said where one policy alone judged. */
export function Policies({ policy }: { readonly policy: Json | undefined }): JSX.Element {
  const { scopes, unread } = judging(policy)
  if (scopes.length === 0 && unread.length === 0) return <span class="muted">one policy</span>
  return (
    <ul class="policies">
      {scopes.map(({ scope, path, digest, says }, index) => (
        <li key={index}>
          <strong>{scope}</strong> {says} {path !== null && <Raw text={path} />} <Digest of={digest} />
        </li>
      ))}
      {unread.map((text, index) => (
        <li key={`u${index}`} class="problem">
          not read: <Raw text={text} />
        </li>
      ))}
    </ul>
  )
}

/** The policy that a finding comes from; nothing where the decision names none. */
export function From({ scope }: { readonly scope: Json | undefined }): JSX.Element | null {
  const name = textOf(scope, 'name')
  if (name === null) return null
  return (
    <span class="muted">
      {' '}
      from the {name} policy <Raw text={textOf(scope, 'path') ?? ''} />
    </span>
  )
}
