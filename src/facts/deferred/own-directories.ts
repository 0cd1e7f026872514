/**
 * Directories that calls of the session made: there was nothing of that name when the call was decided, and once its result came there was a
 * directory, born since then. It is told by its identity, as somebody may make another one of the same name. What is in it came through the
 * session, unless a call moved something in; to delete it loses no work of the user's.
 */
import { ownDirectoryKey } from '../../session/written.ts'
import type { Earlier } from '../bash/state/earlier.ts'
import type { Effect } from '../effect.ts'
import type { WrittenFact } from '../facts.ts'
import type { View } from '../view.ts'

interface OwnDirectories {
  /** Those that delete such a directory, or what is in it, are told so, in place. */
  readonly effects: Effect[]
  readonly view: View
  readonly earlier: Pick<Earlier, 'own'>
}

/** Directories of one call that are made or deleted and looked at; of those that work is moved into none is left out. */
const MAX_DIRECTORIES = 8
const MAX_PARENTS = 12

/** Marks what deletes directories of the session's own, and says which directories the call makes, and which are the session's own no more. */
export function ownDirectories(input: OwnDirectories): readonly WrittenFact[] {
  const { effects, view } = input
  const moves = effects.filter(bringsWork)
  const made = moves.length > 0 ? [] : madeBy(effects, view).filter((path) => ownAbove(path, input).length === 0)
  const deletes = effects.filter(isWhole).slice(0, MAX_DIRECTORIES)
  for (const found of moves.length > 0 ? [] : deletes) {
    const at = effects.indexOf(found)
    if (ownAbove(found.target.real, input).length === 0 && !effects.slice(0, at).some((each) => makes(each, found, view))) continue
    effects[at] = { ...found, attributes: { ...found.attributes, made_in_session: true } }
  }
  const spoiled = moves.flatMap(({ target, directory }) => ownAbove(target.real ?? directory ?? null, input))
  const gone = deletes.flatMap(({ target: { real } }) => ownAbove(real, input).filter((path) => path === real))
  return [
    ...made.map((path) => ({ path: ownDirectoryKey(path), text: null, origin: null, awaited: true })),
    ...[...spoiled, ...gone].map((path) => ({ path: ownDirectoryKey(path), text: null, origin: null })),
  ]
}

/** Writes and changes that bring nothing of anybody's into a directory: what they put there lies elsewhere too, or is new. */
const PLAIN: ReadonlySet<string | null> = new Set([
  null,
  ...['text:edit', 'text:write', 'fs:mkdir', 'fs:copy', 'fs:chmod', 'fs:chown'],
  ...['git:worktree', 'git:clone', 'git:init', 'git:add', 'git:index', 'git:commit', 'git:discard', 'git:read', 'git:fetch'],
])

/** True of what may put there what is nowhere else: a move, a stash taken out, a program that nobody could read. */
const bringsWork = ({ verb, action }: Effect): boolean =>
  verb === 'opaque' || ((verb === 'write' || verb === 'change') && !PLAIN.has(action))

const isWhole = ({ verb, target, attributes }: Effect): boolean =>
  verb === 'delete' && target.kind === 'path' && target.real !== null && attributes.glob !== true

/** The directories of the session's own that a path is, or lies in. */
function ownAbove(path: string | null, { earlier, view }: Pick<OwnDirectories, 'earlier' | 'view'>): readonly string[] {
  const found: string[] = []
  for (let at = path ?? '', count = 0; at.length > 1 && count < MAX_PARENTS; at = at.slice(0, at.lastIndexOf('/')), count++) {
    const known = earlier.own(`dir:${at}`)?.digest ?? null
    if (known !== null && known === view.identity(at)) found.push(at)
  }
  return found
}

/** Acts that only ever make a directory: what fills one that is there already (`rsync --delete`) may delete what it finds. */
const MAKES: ReadonlySet<string | null> = new Set(['fs:mkdir', 'git:worktree', 'git:clone'])

/** True of an effect that makes the very directory which a later one of the same call deletes. */
function makes({ verb, action, target }: Effect, { target: { real } }: Effect, view: View): boolean {
  return verb === 'write' && MAKES.has(action) && target.real === real && real !== null && view.realpath(real).type === 'missing'
}

const makesWhole = ({ verb, action, attributes }: Effect): boolean =>
  verb === 'write' && (action === 'fs:mkdir' || attributes.recursive === true)

/** The highest of the directories that are not there yet, of each path that the call writes: it makes them on the way. */
function madeBy(effects: readonly Effect[], view: View): readonly string[] {
  const found = new Set<string>()
  for (const each of effects) {
    const { kind, real } = each.target
    if (each.verb !== 'write' || kind !== 'path' || real === null || found.size >= MAX_DIRECTORIES) continue
    const top = highestMissing(makesWhole(each) ? real : real.slice(0, real.lastIndexOf('/')), view)
    if (top !== null) found.add(top)
  }
  return [...found]
}

function highestMissing(path: string, view: View): string | null {
  let missing: string | null = null
  for (let at = path, count = 0; at.length > 1 && count < MAX_PARENTS; at = at.slice(0, at.lastIndexOf('/')), count++) {
    if (view.realpath(at).type !== 'missing') return missing
    missing = at
  }
  return null
}
