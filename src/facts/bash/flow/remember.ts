import type { Effect } from '../../effect.ts'
import type { Invocation } from '../../host.ts'
import { LIMITS } from '../state/budget.ts'
import type { Written } from '../state/files.ts'
import type { ExecutionContext } from '../state/state.ts'
import { keyOf, linked } from '../walk/target.ts'
import { builtOf } from './built.ts'
import { editedText, editsPlainly } from './edits.ts'
import { type Provenance, passedFile, remoteSource } from './flow.ts'

/** What a command leaves behind: where the content of the files that it wrote by itself came from, and where its links lead. */

function rememberLinks(made: readonly Effect[], writes: readonly Effect[], site: ExecutionContext): void {
  const links = writes.filter((item) => item.action === 'fs:link')
  if (links.length === 0) return
  const reads = made.filter((item) => item.verb === 'read' && item.action === 'fs:link')
  const unknown = reads.some((item) => item.target.real === null)
  for (const link of links) {
    const { attributes } = link
    const { to } = attributes
    const hard = reads.find(({ target }) => target.value === to)?.target.real ?? null
    if (attributes.symbolic !== true) linked(link, hard, site)
    else linked(link, unknown || typeof to !== 'string' ? null : to, site)
  }
}

/** Writes that leave what is in a file, or fill a directory with what nobody can tell. */
const UNCHANGED = /^(?:fs:(?:touch|mkdir|chmod)|archive:|git:|pkg:|dev:|container:|net:)/

const COPIES: ReadonlySet<string> = new Set(['cp', 'mv', 'install', 'ln'])

/** Writes of what stood in another file, as it stood there. */
const COPYING: ReadonlySet<string | null> = new Set(['fs:copy', 'fs:move', 'disk:copy'])

interface Left {
  readonly invocation: Invocation
  /** The first effect of the command. */
  readonly start: number
  readonly input: Provenance
}

/** Remembers where the content of files came from that a command wrote by itself (`curl -o`, `cp`, `tee`). */
export function rememberWrites(site: ExecutionContext, at: Left): void {
  const made = site.analysis.effects.slice(at.start)
  const writes = made.filter((item) => item.verb === 'write' && item.target.kind === 'path')
  if (writes.length === 0) {
    rememberTrees(made, [...at.input.from, ...made.filter(isFileRead)], site)
    return
  }
  rememberLinks(made, writes, site)
  const { files } = site.analysis
  const moved = made.filter((item) => item.verb === 'delete' && item.action === 'fs:move')
  const reads = [...made.filter(isFileRead), ...moved]
  const only = COPIES.has(at.invocation.name) && reads.length === 1 ? reads[0] : undefined
  const copied = only === undefined ? undefined : files.written.get(keyOf(only.target))
  const brought = moved.flatMap((item) => files.written.get(keyOf(item.target))?.from ?? [])
  const from = [...at.input.from, ...brought, ...made.filter(({ verb }) => verb === 'read' || verb === 'fetch' || verb === 'send')]
  rememberTrees(made, from, site)
  const text = at.invocation.name === 'tee' && site.input.kind === 'text' ? site.input.text : (copied?.text ?? null)
  const change: Change = { made, writes, reads, from, text, decoded: copied?.decoded === true || at.input.decoded }
  if (text === null && from.length === 0 && moved.length === 0) forgetWritten(change, site, at)
  else rememberContent(change, site, at)
}

const isFileRead = ({ verb, target }: Effect): boolean => verb === 'read' && target.kind === 'path'

/** What one command read and wrote, and what is known of the content. */
interface Change {
  readonly made: readonly Effect[]
  readonly writes: readonly Effect[]
  readonly reads: readonly Effect[]
  readonly from: readonly Effect[]
  readonly text: string | null
  readonly decoded: boolean
}

/** What stood in a file that something wrote is no longer what is in it. */
function forgetWritten({ made, writes, reads, from }: Change, site: ExecutionContext, { invocation }: Left): void {
  const { written: files } = site.analysis.files
  const unknown = { text: null, decoded: false, from }
  if (!made.some((item) => item.action === 'dev:build')) {
    for (const item of writes) if (!UNCHANGED.test(item.action ?? '')) files.set(keyOf(item.target), unknown)
    return
  }
  const built = builtOf({ made, reads, invocation }, site)
  if (built.own !== true) return
  for (const item of writes) if (!files.has(keyOf(item.target))) files.set(keyOf(item.target), { ...unknown, ...built })
}

function rememberContent({ made, writes, reads, from, text, decoded }: Change, site: ExecutionContext, at: Left): void {
  const { written: files } = site.analysis.files
  const built = builtOf({ made, reads, invocation: at.invocation }, site)
  for (const [index, item] of writes.entries()) {
    if (item.attributes.backup === true) {
      keptOld(item, writes[index + 1], site)
      continue
    }
    const same = text === null ? sourceOf(item, reads, { site, at }) : null
    const edited = item.action === 'text:edit' ? editOf(item, at.invocation, site) : {}
    files.set(keyOf(item.target), { text, decoded, from, ...built, ...edited, ...same })
  }
}

/** What is known of a file that a command edits in place: what it holds then, or that only plain text was put into it. */
function editOf({ target }: Effect, invocation: Invocation, site: ExecutionContext): Pick<Written, 'edited'> & { readonly text?: string } {
  const { files, languages, view } = site.analysis
  const key = keyOf(target)
  if (files.written.has(key)) return {}
  const before = target.real === null || site.scope.remote ? null : view.read(target.real, LIMITS.file)
  const after = before === null || before.truncated ? null : editedText(invocation, before.text, languages)
  if (after !== null) return { text: after.text, ...(after.plain || editsPlainly(invocation, languages) ? { edited: true } : {}) }
  return editsPlainly(invocation, languages) ? { edited: true } : {}
}

/** Writes of packages, builds and images: what these bring in is said of them. Directories and permissions hold nothing by themselves. */
const FILLS_NOTHING = /^(?:pkg|dev|container|fs:(?:mkdir|touch|chmod|link))/

/** Writes whose content is that of another file. */
const UNPACKS = /^(?:archive:|fs:(?:copy|move))/

/** Fetches that leave what they bring where they run, under names that nobody told. */
const LEAVES: ReadonlySet<string | null> = new Set(['vcs:fetch', 'git:submodule'])

/** Changes to the files of the work that somebody else wrote down. */
const PATCHES = /^(?:git:apply|vcs:patch)$/

/** A pull from an address that is written out brings what the repository never had to do with. */
const leaves = ({ verb, action, target }: Effect): boolean =>
  verb === 'fetch' && (LEAVES.has(action) || (action === 'git:pull' && target.kind === 'url'))

/** Remembers which directories a command filled as a whole with what it fetched. Where nothing was fetched, nothing is kept. */
function rememberTrees(made: readonly Effect[], from: readonly Effect[], site: ExecutionContext): void {
  const { trees } = site.analysis.files
  rememberHere(made, from, site)
  let source: Effect | null | undefined
  const certain = made.some(({ verb, certainty }) => verb === 'write' && certainty === 'certain')
  for (const { verb, action, target, certainty } of made) {
    if (verb !== 'write' || target.kind !== 'path' || (certain && certainty !== 'certain')) continue
    const fills = !FILLS_NOTHING.test(action ?? '')
    if (fills && source === undefined) source = filledFrom(from, action ?? '', site)
    if (fills && source) trees.set(keyOf(target), source)
    else if (action === 'pkg:environment') trees.set(keyOf(target), null)
  }
}

/** The working directory, where what was fetched was put into it. */
function rememberHere(made: readonly Effect[], from: readonly Effect[], { scope, analysis }: ExecutionContext): void {
  const patched = from.length > 0 && made.some(({ action }) => action !== null && PATCHES.test(action))
  const fetched = made.find(leaves) ?? (patched ? remoteSource(from, analysis) : null)
  if (fetched !== null && scope.cwd !== null) analysis.files.trees.set(scope.cwd, fetched)
}

/** What was fetched and fills a directory: in this call, or for an archive that an earlier one left. */
function filledFrom(from: readonly Effect[], action: string, { analysis }: ExecutionContext): Effect | null {
  return remoteSource(from, analysis) ?? (UNPACKS.test(action) ? analysis.earlier.source(from) : null)
}

/** The copy that is kept of a file before it is written holds what was in it until then. */
function keptOld(
  { target }: Effect,
  written: Effect | undefined,
  {
    analysis: {
      files: { written: files },
    },
  }: ExecutionContext,
): void {
  if (written === undefined) return
  files.set(keyOf(target), files.get(keyOf(written.target)) ?? { text: null, decoded: false, from: [], same: written.target })
}

/** What a written file is a copy of: content that this call made itself, or a file that stood there before it; null where it is none. */
function sourceOf(
  write: Effect,
  reads: readonly Effect[],
  { site, at }: { readonly site: ExecutionContext; readonly at: Left },
): Pick<Written, 'same'> | Pick<Written, 'text'> | null {
  const { written: files } = site.analysis.files
  const { from: name } = write.attributes
  const named = COPYING.has(write.action) ? (reads.find(({ target }) => target.value === name)?.target ?? null) : null
  const source = at.invocation.name === 'tee' ? passedFile(at.input) : named
  if (source === null || source.real === null) return null
  const earlier = files.get(keyOf(source))
  if (earlier === undefined) return { same: source }
  if (earlier.text !== null) return { text: earlier.text }
  return earlier.same === undefined ? null : { same: earlier.same }
}
