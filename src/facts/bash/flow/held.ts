import { type Effect, hasClass } from '../../effect.ts'
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
  const target = site.scope.remote || file.text === null || file.glob ? null : pathOf(file, site)
  if (target === null || target.real === null || target.scope !== 'workspace' || hasClass(target, 'credential')) return null
  const written = site.analysis.files.written.get(fileKey(file, site) ?? '')
  const source = written === undefined ? unchanged(target.real, site) : (written.same?.real ?? null)
  const text = source === null ? putThere(written) : readWhole(source, site)
  return text === null || text.length > MAX_LISTED || secretSpans(text).length > 0 ? null : text
}

function readWhole(path: string, { analysis }: ExecutionContext): string | null {
  const answer = analysis.view.read(path, MAX_LISTED)
  return answer === null || answer.truncated ? null : answer.text
}

/** What this very call puts into a file, where all of it stands in the call. */
function putThere(written: Written | undefined): string | null {
  return written === undefined || written.decoded || written.from.length > 0 ? null : written.text
}

/** The path, where nothing before in the call may have changed what is there. */
function unchanged(real: string, { analysis }: ExecutionContext): string | null {
  return analysis.effects.some((item) => mayChange(item, real)) ? null : real
}

const LOOKS: ReadonlySet<string> = new Set(['read', 'fetch', 'send'])

/** An effect that perhaps reaches the file: of all but looking, only what is done to one other file does not. */
function mayChange({ verb, target, attributes }: Effect, real: string): boolean {
  if (LOOKS.has(verb)) return false
  const one = (verb === 'write' || verb === 'delete') && target.kind === 'path' && target.real !== null && attributes.glob !== true
  return !one || target.real === real || real.startsWith(`${target.real}/`)
}
