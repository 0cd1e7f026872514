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
import type { View } from '../view.ts'
import type { PutText } from './texts.ts'

/** Names without which no command does what is looked for here. */
const NAMES = /curl|wget|\/dev\/tcp\/|\bnc\b|\bncat\b|socat|base64|\biwr\b|invoke-webrequest/i
/** Texts for people, data, and files that nothing runs but by their name: those are judged then. */
const NOT_LOADED =
  /\.(?:md|markdown|mdx|rst|adoc|txt|html?|css|csv|tsv|jsonl|log|svg|lock|patch|diff|po|ipynb|sh|bash|zsh|ksh|fish|command|bat|cmd)$/i
const IMAGE_OR_PIPELINE = /(?:^|\/)(?:\w+\.)?(?:dockerfile|containerfile)|\/\.github\/|\.gitlab-ci|Jenkinsfile|\.circleci\//i

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
  readonly earlier: Earlier
}

function plantedIn(put: readonly PutText[], root: string, view: View): readonly string[] {
  return put.flatMap(({ path, text }) =>
    !path.startsWith(`${root}/`) ||
    path.includes('\n') ||
    NOT_LOADED.test(path) ||
    IMAGE_OR_PIPELINE.test(path) ||
    graveIn(text, view) === null
      ? []
      : [path],
  )
}

/** What is remembered of the files that a call writes: those with such a command in them, beside those of earlier calls. */
export function plantedBy(put: readonly PutText[], { view, earlier }: Standing): readonly WrittenFact[] {
  if (put.length === 0) return []
  return view.roots.flatMap((root) => {
    const paths = plantedIn(put, root, view)
    if (paths.length === 0) return []
    const all = [...new Set([...paths, ...earlier.planted(root)])].slice(0, MAX_PLANTED)
    return [{ path: plantKey(root), text: null, origin: all.join('\n') }]
  })
}

/** Says, where the call builds, tests or runs something, that it may run what the session planted in its workspace. */
export function doubtPlanted(
  effects: readonly Effect[],
  { put, view, earlier }: Standing & { readonly put: readonly PutText[] },
): readonly Effect[] {
  const runner = effects.find(loads)
  if (runner === undefined) return []
  const own = new Map(put.map(({ path, text }) => [path, text]))
  const paths = view.roots.flatMap((root) => [...plantedIn(put, root, view), ...earlier.planted(root)])
  for (const path of new Set(paths)) {
    const command = graveIn(own.get(path) ?? view.read(path, LONGEST)?.text ?? '', view)
    if (command !== null)
      return [
        opaque(`\`${runner.target.value}\` may run what this session wrote in \`${path}\`: \`${command.slice(0, 120)}\``, runner.span),
      ]
  }
  return []
}

const RUNS: ReadonlySet<string | null> = new Set([
  'program:unknown',
  'script:unseen',
  'script:project',
  'pkg:install',
  'pkg:run',
  'sql:migrate',
])

function loads({ verb, action }: Effect): boolean {
  return RUNS.has(action) || (verb === 'execute' && action?.startsWith('dev:') === true)
}
