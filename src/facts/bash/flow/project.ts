import { type Effect, resolvedName, type Target } from '../../effect.ts'
import type { Word } from '../../host.ts'
import { isSharp } from '../../resources/text/sharp.ts'
import { knownWord } from '../../resources/text/word.ts'
import { LIMITS } from '../state/budget.ts'
import type { ExecutionContext } from '../state/state.ts'
import { fetchedAbove } from '../state/trees.ts'
import { keyOf, pathOf } from '../walk/target.ts'

/**
 * Code that stands in the workspace or is installed on the machine, and that neither this call nor an earlier one brought. Whoever runs it
 * trusts it as people trust their own build: what it does by what is read is judged as any other code, what cannot be told of it is marked.
 */

/** Where package managers of the machine put programs. */
const INSTALLED = /^\/(?:usr\/(?:bin|sbin|lib\d{0,2}|libexec|share|local\/lib\/node_modules)|bin|sbin|lib\d{0,2}|nix\/store|snap)\//

/** True where the file was there before the session, as far as is known. */
export function isOfProject(file: Target, { analysis, scope }: ExecutionContext): boolean {
  const { real } = file
  if (real === null || scope.remote || !(file.scope === 'workspace' || INSTALLED.test(real))) return false
  const { earlier, files } = analysis
  const own = files.written.get(keyOf(file))
  if ((own !== undefined && own.edited !== true) || files.links.has(real) || fetchedAbove(real, analysis) !== null) return false
  return earlier.file(real) === undefined && earlier.above(real) === null
}

/** What the code of the project is given by the call counts as the call's: contents of files that are not the project's. */
export function givesUnknown(words: Iterable<Word>, site: ExecutionContext): boolean {
  for (const { text, from } of words) if (text === null && from?.some((item) => isForeign(item, site)) === true) return true
  return false
}

function isForeign({ verb, target }: Effect, { analysis }: ExecutionContext): boolean {
  if (verb === 'fetch') return true
  if (verb !== 'read' || target.kind !== 'path') return false
  return (
    target.scope !== 'workspace' ||
    analysis.files.written.has(resolvedName(target)) ||
    analysis.earlier.file(resolvedName(target)) !== undefined
  )
}

/** What a program that is started is given: its words, and variables that are handed on. */
export function* givenTo(words: readonly Word[], { scope }: ExecutionContext): Iterable<Word> {
  yield* words
  for (const { word, exported } of scope.variables.values()) if (exported === true) yield word
}

/** How a file is walked, and its parts where that is too much. */
export interface Walking {
  readonly walk: () => void
  readonly parts?: () => void
}

/** Walks what stands in a file; `project` is the file where it is one of the project's. */
export function walkFrom(site: ExecutionContext, project: string | null, { walk, parts }: Walking): void {
  const { scope, analysis } = site
  const before = [scope.project, analysis.project] as const
  scope.project = project
  analysis.project = project
  try {
    if (project === null) walk()
    else analysis.budget.file(walk, parts && (() => walkFrom(site, project, { walk: parts })))
  } finally {
    ;[scope.project, analysis.project] = before
  }
}

/** The first of the files where all of them are the project's, and a call with these words gives them nothing that is not. */
export function projectOf(files: readonly string[], words: readonly Word[], site: ExecutionContext): string | null {
  const [first = null] = files
  const span = { pointer: '', start: 0, end: 0 }
  const own = files.every((file) => isOfProject(pathOf(knownWord(file, span), site), site))
  return own && !givesUnknown(givenTo(words, site), site) ? first : null
}

/** A module that a program of the project loads, and that does no hazard by its words. */
export function isHarmlessModule(path: Word, site: ExecutionContext): boolean {
  const file = pathOf(path, site)
  if (site.scope.attributes?.loaded === undefined || file.real === null || !isOfProject(file, site)) return false
  const answer = site.analysis.view.read(file.real, LIMITS.file)
  return answer === null || answer.truncated || !isSharp(answer.text)
}
