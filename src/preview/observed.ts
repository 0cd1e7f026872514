/** What a trial changed, as people are shown it, as a digest is over it, and as effects that rules judge. Pure over a View. */
import type { Effect } from '../core/effect.ts'
import type { Json, JsonObject } from '../core/json.ts'
import type { PreviewSize } from '../core/preview.ts'
import { pathTarget } from '../facts/resources/path/index.ts'
import type { View } from '../facts/view.ts'
import { attributeText } from '../sandbox/attributes.ts'
import type { Change, Entry } from '../sandbox/changes.ts'
import { linesIn, patchOf } from './patch.ts'
import { nameWithoutTimes, withoutTimes } from './stable.ts'

export interface Observed {
  /** `{ path, change, before, after, diff, cut, mode? }`, digests or null. */
  readonly files: readonly JsonObject[]
  /** Files of git's own that are counted and not shown. */
  readonly internals: number
  /** Files that are left out of `files`. */
  readonly left: number
  readonly size: PreviewSize
  readonly effects: readonly Effect[]
  /** What a digest is over: the same whenever the same is seen. */
  readonly stable: Json
  /** Files that have other names, which change with them where they are written in place. */
  readonly linked: readonly string[]
}

export interface ObservedParts {
  readonly view: View
  readonly sha256: (text: string) => string
  /** Milliseconds since the epoch. */
  readonly now: number
}

const MAX_FILES = 500
const MAX_EFFECTS = 500
const MAX_DIFF_UNITS = 120_000

/** Written anew by every run of git, with its times in them; what they stand for shows in `refs`. */
const INTERNAL = /\/\.git\/(?:objects\/|logs\/|index$|index\.lock$|ORIG_HEAD$|FETCH_HEAD$|COMMIT_EDITMSG$|gc\.)/
/** A ref names a commit, and a commit holds the time at which it was made. */
const REF = /\/\.git\/(?:refs\/|packed-refs$)/
/** Where git runs or reads what somebody put there. */
const LIVE = /\/\.git\/(?:hooks\/|config|info\/attributes)/

export function observe(changes: readonly Change[], { view, sha256, now }: ObservedParts): Observed {
  const told = changes.filter((change) => !isParent(change, changes))
  const plain = told.filter(({ path }) => !INTERNAL.test(path))
  const shown: JsonObject[] = []
  let [lines, units] = [0, 0]
  for (const change of plain) {
    const file = shownFile(change, Math.max(0, MAX_DIFF_UNITS - units))
    lines += file.lines
    units += file.json.diff.length
    if (shown.length < MAX_FILES) shown.push(file.json)
  }
  return {
    files: shown,
    internals: told.length - plain.length,
    left: plain.length - shown.length,
    size: { files: plain.length, deleted: plain.filter(({ change }) => change === 'deleted').length, lines, rows: 0 },
    effects: plain.filter(isJudged).slice(0, MAX_EFFECTS).map(effectOf(view)),
    stable: plain.map((change) => stableOf(change, { sha256, now })),
    linked: plain.filter(({ before, after }) => before?.type === 'file' && before.names > 1 && after !== null).map(({ path }) => path),
  }
}

/** A directory whose own entries are told says nothing more, unless its permissions changed. */
function isParent({ path, change, before, after }: Change, all: readonly Change[]): boolean {
  const entry = after ?? before
  if (entry?.type !== 'directory' || change === 'changed' || after?.attributes !== undefined) return false
  return hasBelow(path, all)
}

/** Changes are sorted, so the first name below a directory follows it, or follows names that only begin like it. */
function hasBelow(path: string, all: readonly Change[]): boolean {
  let [low, high] = [0, all.length]
  const below = `${path}/`
  while (low < high) {
    const middle = (low + high) >> 1
    if ((all[middle]?.path ?? '') < below) low = middle + 1
    else high = middle
  }
  return all[low]?.path.startsWith(below) === true
}

interface ShownFile extends JsonObject {
  readonly diff: string
}

function shownFile({ path, change, before, after }: Change, most: number): { readonly json: ShownFile; readonly lines: number } {
  const [old, fresh] = [textOf(before), textOf(after)]
  const compared = old === null || fresh === null ? null : patchOf(old, fresh, Math.min(most, 40_000))
  const moded = before !== null && after !== null && before.mode !== after.mode && before.type === after.type
  return {
    lines: compared?.lines ?? linesIn(old ?? '') + linesIn(fresh ?? ''),
    json: {
      path,
      change,
      before: before?.digest ?? null,
      after: after?.digest ?? null,
      diff: [compared?.diff ?? '', linkDiff(before, after), attributesDiff(before, after)].filter((part) => part !== '').join('\n'),
      cut: compared?.cut ?? false,
      ...(moded ? { mode: `${octal(before)} → ${octal(after)}` } : {}),
    },
  }
}

/** Where a link leads, as one more hunk. Empty where there is none, neither before nor after. */
function linkDiff(before: Entry | null, after: Entry | null): string {
  const [was, is] = [before, after].map((entry) => (entry?.type === 'link' ? oneLine(entry.digest.slice('link:'.length)) : null))
  if (was === is) return ''
  const lines = [...(was == null ? [] : [`-${was}`]), ...(is == null ? [] : [`+${is}`])]
  return ['@@ leads to @@', ...lines].join('\n')
}

const oneLine = (text: string): string => text.slice(0, 1_000).replaceAll('\n', '⏎')

/** As one more hunk. Empty where no extended attribute changed. */
function attributesDiff(before: Entry | null, after: Entry | null): string {
  if (after === null) return ''
  const [was, is] = [before?.attributes ?? [], after.attributes ?? []]
  const lines = [
    ...was.filter((each) => !is.includes(each)).map((each) => `-${attributeText(each)}`),
    ...is.filter((each) => !was.includes(each)).map((each) => `+${attributeText(each)}`),
  ]
  return lines.length === 0 ? '' : ['@@ extended attributes @@', ...lines.slice(0, MAX_ATTRIBUTES)].join('\n')
}

const MAX_ATTRIBUTES = 100

/** The empty text where there is no file; null where there is one that is no text. */
function textOf(entry: Entry | null): string | null {
  return entry === null || entry.type === 'directory' || entry.type === 'link' ? '' : entry.text
}

function octal({ mode }: Entry): string {
  return mode.toString(8).padStart(4, '0')
}

function stableOf({ path, change, before, after }: Change, { sha256, now }: Pick<ObservedParts, 'sha256' | 'now'>): Json {
  const fresh = after?.text === null || after === null ? (after?.digest ?? null) : sha256(withoutTimes(after.text, now))
  const attributes = [before?.attributes, after?.attributes].some((each) => each !== undefined)
  return [
    ...[
      change === 'created' ? nameWithoutTimes(path, now) : path,
      change,
      before?.digest ?? null,
      REF.test(path) ? null : fresh,
      after?.mode ?? null,
    ],
    ...(attributes ? [[...(before?.attributes ?? [])], [...(after?.attributes ?? [])]] : []),
  ]
}

function isJudged({ path, after, before }: Change): boolean {
  return (after ?? before)?.type !== 'directory' && (!path.includes('/.git/') || LIVE.test(path))
}

function effectOf(view: View): (change: Change) => Effect {
  return ({ path, change }) => ({
    verb: change === 'deleted' ? 'delete' : 'write',
    action: null,
    target: pathTarget(path, view.cwd, view),
    reversible: change === 'created',
    certainty: 'likely',
    span: null,
    reason: 'seen when the command was tried out',
    attributes: { observed: true },
  })
}
