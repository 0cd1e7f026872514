import type { Effect, Target } from '../../effect.ts'
import type { Input, Word } from '../../host.ts'
import { secretSpans } from '../../resources/secret/find.ts'
import type { Written } from '../state/files.ts'
import type { ExecutionContext } from '../state/state.ts'
import { fileKey, pathOf } from '../walk/target.ts'

/** Names that stand in a small file of the workspace: what `$(cat list)`, `xargs rm < list` and `while read -r name` are given. */

/** Most UTF-16 units of a file whose lines are taken for words. */
const MAX_LISTED = 4_096

/** What is a name, a pattern, an address, a number or a version. Code and sentences are no words: whoever runs them reads them. */
const NAME = /^[\w.@%+,~:*?[\]/-]{1,255}$/

/** The names in one file, line by line; null where it may hold something else by the time the command comes to it. */
export function namesIn(file: Word, site: ExecutionContext): readonly string[] | null {
  return namesOf(heldIn(file, site))
}

/** The names that arrive from a file, by a redirection or a pipe, or that `ls` prints; null where it is something else, or not sure. */
export function namesFrom(input: Input, site: ExecutionContext): readonly string[] | null {
  if (input.kind === 'file') return namesIn(input.word, site)
  return input.kind === 'pipe' && input.decoded !== true ? namesOf(input.told ?? null) : null
}

function namesOf(text: string | null): readonly string[] | null {
  const lines = text?.split('\n').filter((line) => line !== '') ?? []
  return lines.length > 0 && lines.every((line) => NAME.test(line)) ? lines : null
}

/** The text of the file as it is when the call comes to it; null where it is none of the workspace, is long or secret, or may have changed. */
function heldIn(file: Word, site: ExecutionContext): string | null {
  if (site.scope.remote || file.text === null || file.glob) return null
  const written = site.analysis.files.written.get(fileKey(file, site) ?? '')
  // A copy holds what the file holds that it is of.
  const source = written === undefined ? pathOf(file, site) : written.same
  const text = source === undefined ? textPut(written) : readWhole(source, site)
  return text === null || text.length > MAX_LISTED || secretSpans(text).length > 0 ? null : text
}

/** What this very call puts into a file, where all of it stands in the call. */
function textPut(written: Written | undefined): string | null {
  return written === undefined || written.decoded || written.from.length > 0 ? null : written.text
}

/** What a file of the workspace holds, where nothing before in the call may have changed it. */
function readWhole({ real, scope, classes }: Target, { analysis }: ExecutionContext): string | null {
  if (real === null || scope !== 'workspace' || classes.includes('credential')) return null
  if (analysis.effects.some((item) => mayChange(item, real))) return null
  const answer = analysis.view.read(real, MAX_LISTED)
  return answer === null || answer.truncated ? null : answer.text
}

const LOOKS: ReadonlySet<string> = new Set(['read', 'fetch', 'send'])

/** An effect that perhaps reaches the file: of all but looking, only what is done to one other file does not. */
function mayChange({ verb, target, attributes }: Effect, real: string): boolean {
  if (LOOKS.has(verb)) return false
  const one = (verb === 'write' || verb === 'delete') && target.kind === 'path' && target.real !== null && attributes.glob !== true
  return !one || target.real === real || real.startsWith(`${target.real}/`)
}
