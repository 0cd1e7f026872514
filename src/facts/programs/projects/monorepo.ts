import { isJsonObject, type Json, own, parseJson } from '../../../core/json.ts'
import { matchGlob } from '../../resources/path/index.ts'
import { remembering } from '../../resources/text/memo.ts'
import { type Follow, type Follower, optionsOf } from './follow.ts'
import type { Loader } from './load.ts'

/** Runners of monorepos: the scripts of the packages that their filters mean. */

interface Package {
  readonly directory: string
  readonly name: string
  readonly scripts: Readonly<Record<string, Json>>
}

const MAX_PACKAGES = 64

const readJson = remembering((text): Json => parseJson(text.replace(/^\ufeff/, '')) ?? null)

function jsonOf(loader: Loader, file: string): Json {
  return loader.isThere(file) ? readJson(loader.text(file) ?? '') : null
}

const at = (value: Json, name: string): Json => (isJsonObject(value) ? (own(value, name) ?? null) : null)
const textsIn = (value: Json): readonly string[] => (Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [])

/** The packages of the workspace, by its manifest, `pnpm-workspace.yaml` or `lerna.json`. */
function packagesOf({ loader, context }: Follow): readonly Package[] {
  const manifest = jsonOf(loader, 'package.json')
  const said = at(manifest, 'workspaces')
  const pnpm = loader.isThere('pnpm-workspace.yaml') ? (loader.text('pnpm-workspace.yaml') ?? '') : ''
  const patterns = [
    ...textsIn(said),
    ...textsIn(at(said, 'packages')),
    ...textsIn(at(jsonOf(loader, 'lerna.json'), 'packages')),
    ...pnpm.split('\n').flatMap(itemOf),
  ]
  const all = (patterns.length > 0 ? patterns : ['packages/*', 'apps/*']).flatMap((pattern) => directoriesOf(pattern, loader, context.view))
  return [...new Set(all)].slice(0, MAX_PACKAGES).flatMap((directory): Package[] => {
    const own = jsonOf(loader, `${directory}/package.json`)
    const scripts = at(own, 'scripts')
    return own === null ? [] : [{ directory, name: String(at(own, 'name') ?? directory), scripts: isJsonObject(scripts) ? scripts : {} }]
  })
}

/** `packages/*` and `packages/**` as the directories that are there. */
function directoriesOf(pattern: string, loader: Loader, view: Follow['context']['view']): readonly string[] {
  const [base = '', ...rest] = pattern.replace(/^\.\//, '').replace(/\/$/, '').split('/*')
  if (rest.length === 0) return [base]
  return (view.list(loader.path(base) ?? '', MAX_PACKAGES) ?? []).map((name) => `${base}/${name}`)
}

/** `- packages/*` of a list in YAML. */
function itemOf(line: string): readonly string[] {
  const text = line.trim()
  return text.startsWith('-') && text.length < 200
    ? [text.slice(1).trim().replaceAll(/["']/g, '')].filter((item) => item !== '' && !item.startsWith('!'))
    : []
}

/** Without the dots and carets for what depends on it, a range of commits, and brackets. */
function bareFilter(filter: string): string {
  const range = filter.indexOf('[')
  const named = range < 0 ? filter : filter.slice(0, range)
  const from = /^(?:\.\.\.)?\^?/.exec(named)?.[0].length ?? 0
  const rest = named.slice(from)
  const plain = rest.endsWith('...') ? rest.slice(0, -3) : rest
  return (plain.endsWith('^') ? plain.slice(0, -1) : plain).replaceAll(/[{}]/g, '')
}

/** What a filter of pnpm, turbo, lerna or bun means: a name, a pattern of names, or a directory; with dots for what it depends on. */
function isMeant({ name, directory }: Package, filters: readonly string[]): boolean {
  const wanted = filters.map(bareFilter).filter((filter) => filter !== '' && !filter.startsWith('!'))
  if (wanted.length === 0) return true
  return wanted.some((filter) => {
    const path = filter.replace(/^\.\//, '').replace(/\/\*{1,2}$/, '')
    return (
      filter === name ||
      matchGlob(filter, name) ||
      name.endsWith(`/${filter}`) ||
      directory === path ||
      (/^\.|\/\*/.test(filter) && directory.startsWith(`${path}/`))
    )
  })
}

function runAll(follow: Follow, script: string, filters: readonly string[]): void {
  for (const { directory, scripts, ...rest } of packagesOf(follow)) {
    if (!isMeant({ directory, scripts, ...rest }, filters)) continue
    const lines = [`pre${script}`, script, `post${script}`].flatMap((name) =>
      typeof scripts[name] === 'string' ? [String(scripts[name])] : [],
    )
    if (lines.length > 0) follow.loader.at(directory, (loader) => loader.lines('package.json', lines))
  }
}

const FILTERS = ['--filter', '-F', '--scope', '--workspace', '-w', '--from', '--projects', '-p', '--include', '--exclude-none']

/** Options of package managers with a value. */
const VALUED = /^(?:--filter|-F|--workspace|-w|-C|--dir|--prefix|--cwd)$/
const EVERYWHERE = /^(?:-r|--recursive|--workspaces|-ws|-W)$/

/** `pnpm -r build`, `npm run build -w a`, `bun run --filter x build`. */
export const workspaces: Follower = (follow) => {
  const { words, invocation } = follow
  const named = words.filter((word, index) => !word.startsWith('-') && !VALUED.test(words[index - 1] ?? ''))
  const filters = optionsOf(words, '--filter', '-F', '--workspace', '-w')
  if (invocation.name === 'yarn' && /^workspaces?$/.test(named[0] ?? '')) ofYarn(follow, named)
  else if (words.some((word) => EVERYWHERE.test(word)) || filters.length > 0)
    runAll(follow, named.find((word) => !/^run(?:-script)?$/.test(word)) ?? '', filters)
}

/** `yarn workspace a build`, `yarn workspaces foreach -A run build`. */
function ofYarn(follow: Follow, [first, ...rest]: readonly string[]): void {
  const script = (words: readonly string[]): string => words.find((word) => !/^(?:run|foreach)$/.test(word)) ?? ''
  if (first === 'workspace') runAll(follow, script(rest.slice(1)), rest.slice(0, 1))
  else runAll(follow, script(rest), optionsOf(follow.words, '--include', '--from'))
}

/** `turbo run build --filter=x`, `lerna run build --scope=x`. */
export const runner: Follower = (follow) => {
  const { operands, words } = follow
  const tasks = operands.filter((word) => !/^(?:run|exec|watch)$/.test(word))
  for (const task of tasks.slice(0, 8)) runAll(follow, task, optionsOf(words, ...FILTERS))
}

/** `nx build web`, `nx run web:build`, `nx run-many -t build`. */
export const nx: Follower = (follow) => {
  const [verb = '', named = ''] = follow.operands
  const many = /^(?:run-many|affected)$/.test(verb)
  const [project = '', target = ''] = verb === 'run' ? named.split(':') : [named, verb]
  const targets = many ? optionsOf(follow.words, '-t', '--target', '--targets').flatMap((text) => text.split(',')) : [target]
  targetsOf(follow, targets, many ? '' : project)
  for (const name of targets) runAll(follow, name, many || project === '' ? [] : [project])
}

/** Commands of `project.json`, of all projects where none is named. */
function targetsOf({ loader, context }: Follow, targets: readonly string[], project: string): void {
  const places = ['.', ...['apps', 'libs', 'packages'].flatMap((base) => directoriesOf(`${base}/*`, loader, context.view))]
  for (const directory of places.slice(0, MAX_PACKAGES)) {
    const settings = jsonOf(loader, `${directory}/project.json`)
    if (settings === null || !(project === '' || at(settings, 'name') === project || directory.endsWith(`/${project}`))) continue
    for (const name of targets) loader.lines(`${directory}/project.json`, commandsIn(at(at(at(settings, 'targets'), name), 'options')))
  }
}

/** `command` and `commands` of the options of a target. */
function commandsIn(options: Json): readonly string[] {
  const several = at(options, 'commands')
  const all = [at(options, 'command'), ...(Array.isArray(several) ? several : [])]
  return all.flatMap((line) => textOf(line) ?? textOf(at(line, 'command')) ?? [])
}

const textOf = (value: Json): string | null => (typeof value === 'string' ? value : null)
