/** The policy in force, what lint says of it, and what another text would have done to the calls on record. */
import { type Signal, useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { get, post } from '../api/client.ts'
import type { LintFinding, PolicyView, Replay } from '../api/types.ts'
import { Digest, Verdict } from '../parts/badges.tsx'
import { Failure, Section, Shown } from '../parts/states.tsx'
import { Line, Raw } from '../parts/text.tsx'
import { asError, useResource } from '../state/resource.ts'
import { href } from '../state/route.ts'
import { mayAs } from '../state/who.ts'

export function PolicyPage(): JSX.Element {
  const found = useResource('policy', (signal) => get<PolicyView>('/v1/policy', signal))
  return (
    <article class="page" aria-label="Policy">
      <header class="page-head">
        <h1>Policy</h1>
      </header>
      <Shown of={found}>{(policy) => <OnePolicy policy={policy} />}</Shown>
    </article>
  )
}

function OnePolicy({ policy }: { readonly policy: PolicyView }): JSX.Element {
  const trying = useSignal(false)
  const { path, digest, mode, degraded, text, findings } = policy
  return (
    <>
      <p class="policy-line">
        <code>
          <Line text={path ?? 'built in'} limit={200} />
        </code>
        {mode !== null && <span class={`status status-${mode === 'shadow' ? 'pending' : 'approved'}`}>{mode}</span>}
        <Digest of={digest ?? ''} />
      </p>
      {degraded !== null && (
        <div class="failure" role="alert">
          <strong>The file on disk does not load; the last good policy is in force.</strong>
          <Raw text={degraded} />
        </div>
      )}
      <Section title="What lint says">
        <Findings findings={findings} />
      </Section>
      <Section
        title={trying.value ? 'Try another text' : 'Text'}
        aside={
          <button type="button" class="button button-quiet" onClick={() => (trying.value = !trying.value)}>
            {trying.value ? 'Back to the text in force' : 'Try a change…'}
          </button>
        }
      >
        {trying.value ? <Try text={text ?? ''} /> : <Text text={text ?? ''} findings={findings} />}
      </Section>
    </>
  )
}

function Findings({ findings }: { readonly findings: readonly LintFinding[] }): JSX.Element {
  if (findings.length === 0) return <p class="verify-holds">Nothing to say against it.</p>
  return (
    <ul class="findings">
      {findings.map((finding, index) => (
        <li key={index}>
          <span class={`status status-${finding.level === 'error' ? 'denied' : 'pending'}`}>{finding.level}</span>
          <span class="finding-rule number">{finding.line === null ? '' : `line ${finding.line}`}</span>
          <span>
            <Raw text={finding.message} />{' '}
            {finding.help !== null && (
              <span class="muted">
                <Raw text={finding.help} />
              </span>
            )}
          </span>
        </li>
      ))}
    </ul>
  )
}

function Text({ text, findings }: { readonly text: string; readonly findings: readonly LintFinding[] }): JSX.Element {
  const lines = text.replace(/\n$/, '').split('\n')
  const marked = new Set(findings.map(({ line }) => line))
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard has to reach it
    <section class="policy-text" tabIndex={0} aria-label="Text of the policy">
      <ol>
        {lines.map((line, index) => (
          <li key={index} class={marked.has(index + 1) ? 'policy-marked' : ''}>
            <Raw text={line} />
          </li>
        ))}
      </ol>
    </section>
  )
}

interface Trial {
  readonly text: Signal<string>
  readonly findings: Signal<readonly LintFinding[] | null>
  readonly replay: Signal<Replay | null>
  readonly busy: Signal<boolean>
  readonly error: Signal<Error | null>
}

/** The text stays in this browser: nothing here changes what is in force. */
function Try({ text }: { readonly text: string }): JSX.Element {
  const trial: Trial = {
    text: useSignal(text),
    findings: useSignal<readonly LintFinding[] | null>(null),
    replay: useSignal<Replay | null>(null),
    busy: useSignal(false),
    error: useSignal<Error | null>(null),
  }
  return (
    <div class="try">
      <label class="field">
        <span class="field-name">Nothing here changes what is in force</span>
        <textarea
          id="policy-text"
          rows={18}
          spellcheck={false}
          value={trial.text.value}
          onInput={(event) => (trial.text.value = event.currentTarget.value)}
        />
      </label>
      <div class="answer-buttons">
        <button id="lint" type="button" class="button" disabled={trial.busy.value} onClick={() => void lint(trial)}>
          Lint
        </button>
        <button
          id="replay"
          type="button"
          class="button button-main"
          disabled={trial.busy.value || !mayAs('admin')}
          onClick={() => void replay(trial)}
        >
          What would this have done?
        </button>
        {!mayAs('admin') && <span class="muted">Replay is for admins.</span>}
      </div>
      {trial.error.value !== null && <Failure error={trial.error.value} />}
      {trial.findings.value !== null && <Findings findings={trial.findings.value} />}
      {trial.replay.value !== null && <Replayed of={trial.replay.value} />}
    </div>
  )
}

async function attempt(trial: Trial, act: () => Promise<void>): Promise<void> {
  trial.busy.value = true
  trial.error.value = null
  try {
    await act()
  } catch (error) {
    trial.error.value = asError(error)
  } finally {
    trial.busy.value = false
  }
}

function lint(trial: Trial): Promise<void> {
  return attempt(trial, async () => {
    const { findings } = await post<{ findings: readonly LintFinding[] }>('/v1/policy/lint', { text: trial.text.value })
    trial.findings.value = findings
    trial.replay.value = null
  })
}

function replay(trial: Trial): Promise<void> {
  return attempt(trial, async () => {
    trial.findings.value = null
    trial.replay.value = await post<Replay>('/v1/policy/replay', { text: trial.text.value, limit: 500 })
  })
}

function Replayed({ of: { compared, changed } }: { readonly of: Replay }): JSX.Element {
  return (
    <div class="replayed" role="status">
      <p>
        <strong>{changed.length}</strong> of <strong>{compared}</strong> recorded calls would have been decided otherwise.
      </p>
      {changed.length > 0 && (
        <ul class="lines">
          {changed.map((change) => (
            <li key={change.id}>
              <a href={href(['decisions', change.id])}>
                <Verdict of={change.before} /> <span aria-hidden="true">→</span> <Verdict of={change.after} />
                <span class="line-tool">
                  <Line text={change.tool ?? ''} limit={40} />
                </span>
                <span class="line-text code-cell">
                  <Line text={change.codes.join(', ')} limit={100} />
                </span>
              </a>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
