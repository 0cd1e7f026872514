/**
 * Edits that only this session made: a file was committed before the session's first edit, and each later edit found what the one before it
 * had left. Throwing such edits away loses no work of the user's; neither does taking a file from the index that holds just what it holds.
 */
import type { JsonObject } from '../../core/json.ts'
import { ownKey } from '../../session/written.ts'
import type { Earlier } from '../bash/state/earlier.ts'
import type { Effect } from '../effect.ts'
import type { WrittenFact } from '../facts.ts'
import type { CommittedAnswer, View } from '../view.ts'
import { edited } from './settings.ts'

export interface OwnEdits {
  readonly args: JsonObject
  /** Those that throw edits away are told what they lose, in place. */
  readonly effects: Effect[]
  readonly written: readonly WrittenFact[]
  readonly view: View
  readonly earlier: Pick<Earlier, 'own'>
}

/** Files of one call that are looked at: each look reads the file and the index of its repository. */
const MAX_FILES = 16

/** Marks what throws away only edits of this session, and says what is to be remembered of the files that the call writes. */
export function ownEdits(input: OwnEdits): readonly WrittenFact[] {
  markDiscards(input)
  const { written, earlier } = input
  const last = new Map(written.filter(({ path }) => path.startsWith('/')).map((fact) => [fact.path, fact]))
  return [...last.values()].flatMap((fact, at) => {
    const left = at < MAX_FILES ? leftBy(fact, last.size === 1, input) : null
    if (left === null && earlier.own(fact.path) === undefined) return []
    return [{ path: ownKey(fact.path), text: null, origin: null, ...left }]
  })
}

type Left = Pick<WrittenFact, 'text' | 'digest' | 'awaited'>

/** What the call leaves in a file that is the session's own until then, or that this is read once its result comes; null where it is not. */
function leftBy({ path, text }: WrittenFact, alone: boolean, { args, view, earlier }: OwnEdits): Left | null {
  if (view.git(path) === null) return null
  const before = view.committed(path, text === null && alone ? (text) => edited(args, text) : undefined)
  if (before === null || !isOwn(path, before, earlier)) return null
  if (text !== null) return { text }
  return before.edited === null ? { text, awaited: true } : { text, digest: before.edited }
}

/** True of a file that is committed as it stands, or as the last edit of the session left it after it was. */
function isOwn(path: string, { committed, digest }: CommittedAnswer, earlier: OwnEdits['earlier']): boolean {
  return committed || earlier.own(path)?.digest === digest
}

function markDiscards({ effects, view, earlier }: OwnEdits): void {
  const discards = effects.filter(isSingle)
  if (discards.length === 0 || discards.length > MAX_FILES || !effects.every((each, at) => staysClear(each, at, effects))) return
  for (const [at, found] of effects.entries()) {
    const { real } = found.target
    if (!isSingle(found) || real === null) continue
    const now = view.committed(real)
    const loses = now === null ? null : lostOf(found, now, { earlier, effects })
    if (loses !== null) effects[at] = { ...found, attributes: { ...found.attributes, loses } }
  }
}

/** Null: work that may be somebody else's, and lies nowhere else. */
function lostOf(
  { target: { real }, attributes }: Effect,
  now: CommittedAnswer,
  { earlier, effects }: Pick<OwnEdits, 'earlier' | 'effects'>,
): string | null {
  const same = now.committed || (now.staged && attributes.from_index === true && effects.every(leavesIndex))
  if (same && !effects.some(({ verb, target }) => verb === 'write' && target.real === real)) return 'nothing'
  return same || isOwn(real ?? '', now, earlier) ? 'edits of this session' : null
}

/** In a loop it may come before what takes a file from the index. */
const leavesIndex = ({ action }: Effect): boolean =>
  action?.startsWith('git:') !== true || action === 'git:discard' || action === 'git:read'

const isSingle = ({ verb, action, attributes }: Effect): boolean =>
  verb === 'change' && action === 'git:discard' && attributes.single_file === true

/** Acts of git that put nothing of anybody's into a file. */
const CLEAR_OF_FILES: ReadonlySet<string | null> = new Set(['git:discard', 'git:read', 'git:index', 'git:commit'])

/** Writes that bring into a file nothing that lies nowhere else. */
const EDITS: ReadonlySet<string | null> = new Set([null, 'text:edit', 'text:write'])

/**
 * True of an effect with which what the call throws away is what stands in the files now, or what the call itself writes there: before a discard
 * nothing but reads and writes, and nowhere in the call anything that moves work into a file (`git stash pop`, `mv`): in a loop it may come first.
 */
function staysClear({ verb, action, target: { real } }: Effect, at: number, effects: readonly Effect[]): boolean {
  if (verb === 'read' || action === 'git:discard') return true
  if (verb === 'opaque' || action === 'fs:move' || action === 'fs:link') return false
  if (action?.startsWith('git:') === true && !CLEAR_OF_FILES.has(action)) return false
  return (verb === 'write' && EDITS.has(action) && real !== null) || !effects.slice(at + 1).some(isSingle)
}
