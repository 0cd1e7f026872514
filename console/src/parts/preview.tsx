/** What a call was seen to do without being run: the files as they would be changed, and what that cannot show. */
import type { JSX } from 'preact'
import type { FileChange, Preview } from '../api/types.ts'
import { attemptsOf, filesOf, programsOf } from '../view/preview.ts'
import { Digest } from './badges.tsx'
import { Section } from './states.tsx'
import { Raw } from './text.tsx'

export function PreviewOf({ preview }: { readonly preview: Preview | null }): JSX.Element | null {
  if (preview === null) return null
  const files = filesOf(preview)
  const programs = programsOf(preview)
  return (
    <Section title="What would change" aside={<span class="muted">seen without running the call</span>}>
      {typeof preview.note === 'string' && <p class="why">{preview.note}</p>}
      {typeof preview.exit_code === 'number' && <p>It ended with exit code {preview.exit_code}.</p>}
      {attemptsOf(preview).map((line) => (
        <p key={line} class="why">
          {line}
        </p>
      ))}
      {files.map((file) => (
        <OneFile key={file.path} file={file} />
      ))}
      {files.length === 0 && preview.kind === 'sandbox' && <p class="muted">No file would change.</p>}
      {programs.length > 0 && (
        <details class="started">
          <summary>Programs that it started: {programs.length}</summary>
          <ul>
            {programs.map((line) => (
              <li key={line}>
                <code>
                  <Raw text={line} />
                </code>
              </li>
            ))}
          </ul>
        </details>
      )}
      {typeof preview.output === 'string' && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys
        <section class="diff-scroll" tabIndex={0} aria-label="Output">
          <pre class="diff">
            <Raw text={preview.output} />
          </pre>
        </section>
      )}
      {!SHOWN.has(preview.kind ?? '') && files.length === 0 && (
        <pre class="diff">
          <Raw text={JSON.stringify(preview, null, 2)} />
        </pre>
      )}
    </Section>
  )
}

/** Kinds whose fields are shown one by one; what a runner of a host program shows is shown as it is. */
const SHOWN: ReadonlySet<string> = new Set(['sandbox', 'diff', 'tool', 'none'])

function OneFile({ file: { path, change, before, mode, diff, cut } }: { readonly file: FileChange }): JSX.Element {
  return (
    <div class="file-change">
      <p>
        <strong>{change === 'none' ? 'unchanged' : change}</strong>{' '}
        <code>
          <Raw text={path} />
        </code>
        {before !== null && (
          <span class="muted">
            {' '}
            now <Digest of={before} />
          </span>
        )}
        {mode !== null && (
          <span>
            {' '}
            permissions <Raw text={mode} />
          </span>
        )}
      </p>
      {diff !== '' && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys
        <section class="diff-scroll" tabIndex={0} aria-label="Difference">
          <pre class="diff">
            {diff.split('\n').map((line, index) => (
              <span key={index} class={`diff-line ${kindOf(line)}`}>
                <Raw text={line} />
              </span>
            ))}
          </pre>
        </section>
      )}
      {cut && <p class="problem">The difference goes on. It is too large to be shown.</p>}
    </div>
  )
}

function kindOf(line: string): string {
  if (line.startsWith('+')) return 'diff-added'
  if (line.startsWith('-')) return 'diff-removed'
  return line.startsWith('@@') ? 'diff-place' : 'diff-same'
}
