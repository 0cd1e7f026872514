/**
 * Files that programs load without being told, and sources that are compiled: whoever wrote one in this session, with a command in it that
 * does what no ordinary build does (`grave.ts`), is asked about it when something builds, tests or runs there. Which file a
 * program loads is known of the common ones only (`programs/projects`), so here any of them may be.
 */
import { plantKey } from '../../session/written.ts'
import type { Earlier } from '../bash/state/earlier.ts'
import { type Effect, opaque, resolvedName } from '../effect.ts'
import type { WrittenFact } from '../facts.ts'
import { normal } from '../programs/projects/load.ts'
import type { View } from '../view.ts'
import { graveIn, newSpent, type Spent } from './grave.ts'
import type { PutText } from './texts.ts'

/** Texts for people, data, and files that nothing runs but by their name: those are judged then. */
const NOT_LOADED =
  /\.(?:md|markdown|mdx|rst|adoc|txt|html?|css|csv|tsv|jsonl|log|svg|lock|patch|diff|po|ipynb|sh|bash|zsh|ksh|fish|command|bat|cmd)$/i
const IMAGE_OR_PIPELINE =
  /\/(?:\w+\.)?(?:dockerfile|containerfile)(?:\.[\w-]+)?$|\/\.github\/workflows\/|\/\.gitlab-ci\.ya?ml$|\/Jenkinsfile$|\/\.circleci\//i

/** Files of a workspace that are remembered, the newest first. */
const MAX_PLANTED = 16

interface Standing {
  readonly view: View
  readonly earlier: Pick<Earlier, 'planted' | 'file'>
  readonly cwd: string | null
  readonly effects: readonly Effect[]
}

export interface Planted {
  /** What this call writes, by absolute path. */
  readonly own: ReadonlyMap<string, string>
  /** Paths of those with such a command in them, of this call and of earlier ones. */
  readonly paths: readonly string[]
  /** For the calls that come. */
  readonly remembered: readonly WrittenFact[]
}

/** Files with such a command in them: those that the call writes, those that it makes of such files, and those that are remembered. */
export function plantedIn(put: readonly PutText[], { view, earlier, cwd, effects }: Standing): Planted {
  // Most calls neither write nor run anything: then nobody asks where the workspace is.
  if (put.length === 0 && !effects.some((found) => loads(found) || writesFile(found))) return NOTHING_PLANTED
  const own = new Map<string, string>()
  // Several edits of one file count all.
  for (const { path, text } of put) own.set(placed(path, cwd), `${own.get(placed(path, cwd)) ?? ''}${text}\n`)
  const looking: Looking = { view, spent: newSpent(), own }
  const paths: string[] = []
  const remembered: WrittenFact[] = []
  for (const root of view.roots) {
    const known = earlier.planted(root)
    const fresh = [
      ...[...own].flatMap(([path, text]) => (isPlant(path, text, { root, looking }) ? [path] : [])),
      ...carriedOver({ root, known, effects, earlier }, looking),
    ]
    const all = [...fresh, ...known]
    paths.push(...all)
    if (fresh.length > 0) remembered.push({ path: plantKey(root), text: null, origin: listed(all) })
  }
  return { own, paths, remembered }
}

const NOTHING_PLANTED: Planted = { own: new Map(), paths: [], remembered: [] }

const writesFile = ({ verb, target }: Effect): boolean => verb === 'write' && target.kind === 'path'

interface Looking {
  readonly view: View
  readonly spent: Spent
  /** What the call writes, and what it makes of other files. */
  readonly own: Map<string, string>
}

/** Files that the call reads, moves or makes longer and that are looked at for what they bring along. */
const MAX_BROUGHT = 16

interface Brought {
  readonly root: string
  readonly known: readonly string[]
  readonly effects: readonly Effect[]
  readonly earlier: Standing['earlier']
}

/** What is copied, moved or put together out of files of this session with such a command: where it goes holds the command then. */
function carriedOver({ root, known, effects, earlier }: Brought, looking: Looking): readonly string[] {
  const { view, own } = looking
  const into = pathsOf(effects, ({ verb }) => verb === 'write').filter((path) => isLoaded(path, root))
  if (into.length === 0) return []
  const from = pathsOf(effects, ({ verb, attributes }) => verb !== 'write' || attributes.append === true).slice(0, MAX_BROUGHT)
  const below = known.flatMap((path) =>
    from.flatMap((source) => (path.startsWith(`${source}/`) ? into.map((to) => to + path.slice(source.length)) : [])),
  )
  const texts = from.flatMap((path) => (earlier.file(path) === undefined ? [] : [view.read(path, MAX_FILE)?.text ?? '']))
  const others = from.map((path) => own.get(path) ?? '')
  // What each of them holds a part of is whole in the file that they become.
  const together = [...texts, ...others].join('')
  const [first = ''] = into
  if (together === '' || graveIn(first, together, looking) === null) return below
  for (const path of into) if (!own.has(path) || from.includes(path)) own.set(path, together)
  return [...below, ...into]
}

function pathsOf(effects: readonly Effect[], fits: (effect: Effect) => boolean): readonly string[] {
  return [...new Set(effects.flatMap((each) => (each.target.kind === 'path' && fits(each) ? [resolvedName(each.target)] : [])))]
}

/** Bytes of a file that are read. */
const MAX_FILE = 1_048_576

/** A patch names its files from the directory that it works in. */
const placed = (path: string, cwd: string | null): string => (path.startsWith('/') || cwd === null ? path : normal(`${cwd}/${path}`))

function isLoaded(path: string, root: string): boolean {
  return path.startsWith(`${root}/`) && !path.includes('\n') && !NOT_LOADED.test(path) && !IMAGE_OR_PIPELINE.test(path)
}

function isPlant(path: string, text: string, { root, looking }: { readonly root: string; readonly looking: Looking }): boolean {
  return isLoaded(path, root) && graveIn(path, text, looking) !== null
}

/** Stands last where there are more of them. */
const MORE = ''

function listed(paths: readonly string[]): string {
  const all = [...new Set(paths)].filter((path) => path !== MORE)
  const kept = all.slice(0, MAX_PLANTED)
  return (kept.length < all.length || paths.includes(MORE) ? [...kept, MORE] : kept).join('\n')
}

/** Says, where the call builds, tests or runs something, that it may run what the session planted in its workspace. */
export function doubtPlanted({ own, paths }: Planted, { view, effects }: Standing): readonly Effect[] {
  const runner = effects.find(loads)
  if (runner === undefined) return []
  const may = (what: string): readonly Effect[] => [opaque(`\`${runner.target.value}\` may run ${what}`, runner.span)]
  const looking = { view, spent: newSpent() }
  for (const path of new Set(paths)) {
    const command = graveIn(path, own.get(path) ?? view.read(path, MAX_FILE)?.text ?? '', looking)
    if (command !== null) return may(`what this session wrote in \`${path}\`: \`${command.slice(0, 120)}\``)
  }
  return paths.includes(MORE) ? may('what this session wrote in more files than are remembered') : []
}

const RUNS: ReadonlySet<string | null> = new Set(
  'program:unknown script:unseen script:project pkg:install pkg:run pkg:script sql:migrate'.split(' '),
)

function loads({ verb, action }: Effect): boolean {
  return RUNS.has(action) || (verb === 'execute' && action?.startsWith('dev:') === true)
}
