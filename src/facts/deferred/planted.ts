/**
 * Files that programs load without being told, and sources that are compiled: whoever wrote one in this session, with a command in it that
 * runs code from the network or hands a shell to others, is asked about it when something builds, tests or runs there. Which file a
 * program loads is known of the common ones only (`programs/projects`), so here any of them may be.
 */
import { plantKey } from '../../session/written.ts'
import { analyseShell } from '../bash/index.ts'
import type { Earlier } from '../bash/state/earlier.ts'
import { type Effect, opaque } from '../effect.ts'
import type { WrittenFact } from '../facts.ts'
import { languages } from '../languages/index.ts'
import { normal } from '../programs/projects/load.ts'
import type { View } from '../view.ts'
import type { PutText } from './texts.ts'

/** Names without which no command does what is looked for here. */
const NAMES = /curl|wget|\/dev\/tcp\/|\bnc\b|\bncat\b|socat|base64|\biwr\b|invoke-webrequest/i
/** Texts for people, data, and files that nothing runs but by their name: those are judged then. */
const NOT_LOADED =
  /\.(?:md|markdown|mdx|rst|adoc|txt|html?|css|csv|tsv|jsonl|log|svg|lock|patch|diff|po|ipynb|sh|bash|zsh|ksh|fish|command|bat|cmd)$/i
const IMAGE_OR_PIPELINE =
  /\/(?:\w+\.)?(?:dockerfile|containerfile)(?:\.[\w-]+)?$|\/\.github\/workflows\/|\/\.gitlab-ci\.ya?ml$|\/Jenkinsfile$|\/\.circleci\//i

/** What is never the idea of an ordinary program. */
const GRAVE: ReadonlySet<string | null> = new Set(['code:remote', 'code:decoded', 'net:reverse-shell', 'net:bind-shell'])

/** Without one of these signs no command hands on what it gets. */
const HANDS_ON = /[|<>`$;&]|\s-\w*[ec]\b/

/** UTF-16 units of a text, and of a command in it, that are looked at; commands: one more is taken for such a command. */
const LONGEST = 1_048_576
const MAX_COMMANDS = 64
const LONGEST_COMMAND = 600
/** Files of a workspace that are remembered, the newest first. */
const MAX_PLANTED = 16

/** The first command in a text that does such a thing; null where there is none. */
function graveIn(text: string, view: View): string | null {
  if (text.length > LONGEST || !NAMES.test(text)) return null
  let seen = 0
  for (const line of text.split('\n')) {
    const at = line.search(NAMES)
    if (at < 0) continue
    const command = commandAt(line, at)
    if (!HANDS_ON.test(command)) continue
    if (++seen > MAX_COMMANDS) return command
    const { effects } = analyseShell(command, { pointer: '', view, languages, cwd: null })
    if (effects.some(({ action }) => GRAVE.has(action))) return command
  }
  return null
}

/** From a name to the end of the text in quotes that it stands in, or of the line. */
function commandAt(line: string, at: number): string {
  const opened = /["'`](?=[^"'`]*$)/.exec(line.slice(Math.max(0, at - LONGEST_COMMAND), at))?.[0]
  const rest = line.slice(at, at + LONGEST_COMMAND)
  const end = opened === undefined ? -1 : rest.indexOf(opened)
  return (end < 0 ? rest : rest.slice(0, end)).replace(/\\$/, '')
}

interface Standing {
  readonly view: View
  readonly earlier: Pick<Earlier, 'planted'>
  readonly cwd: string | null
}

export interface Planted {
  /** What this call writes, by absolute path. */
  readonly own: ReadonlyMap<string, string>
  /** Paths of those with such a command in them, of this call and of earlier ones. */
  readonly paths: readonly string[]
  /** For the calls that come. */
  readonly remembered: readonly WrittenFact[]
}

/** Files with such a command in them: those that the call writes, and those that are remembered. */
export function plantedIn(put: readonly PutText[], { view, earlier, cwd }: Standing): Planted {
  const own = new Map<string, string>()
  // Several edits of one file count all.
  for (const { path, text } of put) own.set(placed(path, cwd), `${own.get(placed(path, cwd)) ?? ''}${text}\n`)
  const paths: string[] = []
  const remembered: WrittenFact[] = []
  for (const root of view.roots) {
    const fresh = [...own].flatMap(([path, text]) => (isPlant(path, text, { root, view }) ? [path] : []))
    const all = [...fresh, ...earlier.planted(root)]
    paths.push(...all)
    if (fresh.length > 0) remembered.push({ path: plantKey(root), text: null, origin: listed(all) })
  }
  return { own, paths, remembered }
}

/** A patch names its files from the directory that it works in. */
const placed = (path: string, cwd: string | null): string => (path.startsWith('/') || cwd === null ? path : normal(`${cwd}/${path}`))

function isPlant(path: string, text: string, { root, view }: { readonly root: string; readonly view: View }): boolean {
  if (!path.startsWith(`${root}/`) || path.includes('\n') || NOT_LOADED.test(path) || IMAGE_OR_PIPELINE.test(path)) return false
  return graveIn(text, view) !== null
}

/** Stands last where there are more of them. */
const MORE = ''

function listed(paths: readonly string[]): string {
  const all = [...new Set(paths)].filter((path) => path !== MORE)
  const kept = all.slice(0, MAX_PLANTED)
  return (kept.length < all.length || paths.includes(MORE) ? [...kept, MORE] : kept).join('\n')
}

/** Says, where the call builds, tests or runs something, that it may run what the session planted in its workspace. */
export function doubtPlanted(effects: readonly Effect[], { own, paths }: Planted, { view }: Standing): readonly Effect[] {
  const runner = effects.find(loads)
  if (runner === undefined) return []
  const may = (what: string): readonly Effect[] => [opaque(`\`${runner.target.value}\` may run ${what}`, runner.span)]
  for (const path of new Set(paths)) {
    const command = graveIn(own.get(path) ?? view.read(path, LONGEST)?.text ?? '', view)
    if (command !== null) return may(`what this session wrote in \`${path}\`: \`${command.slice(0, 120)}\``)
  }
  return paths.includes(MORE) ? may('what this session wrote in more files than are remembered') : []
}

const RUNS: ReadonlySet<string | null> = new Set([
  'program:unknown',
  'script:unseen',
  'script:project',
  'pkg:install',
  'pkg:run',
  'pkg:script',
  'sql:migrate',
])

function loads({ verb, action }: Effect): boolean {
  return RUNS.has(action) || (verb === 'execute' && action?.startsWith('dev:') === true)
}
