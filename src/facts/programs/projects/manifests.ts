import { isJsonObject, type Json, own, parseJson } from '../../../core/json.ts'
import { knownWord } from '../../resources/text/word.ts'
import { type Follow, type Follower, optionsOf } from './follow.ts'

/** Manifests that this session wrote, which point dependencies elsewhere than at a registry; and packages that lie in a directory. */

const INSTALLS = /^(?:install|i|in|ins|add|ci|update|up|upgrade|sync|lock|build|b|check|test|t|run|r)?$/
const MAX_DEPENDENCIES = 64

/** Says of dependencies from elsewhere, where the manifest is none of the project's. */
function points({ loader, context, invocation }: Follow, file: string, found: readonly (readonly [name: string, source: string])[]): void {
  const path = loader.path(file)
  if (path === null || context.ofProject(path)) return
  for (const [name, source] of found.slice(0, MAX_DEPENDENCIES))
    context.emit('execute', context.thing('package', name), {
      action: 'pkg:install',
      span: invocation.span,
      attributes: { manager: invocation.name, name, source: /^git|github|\.git\b/.test(source) ? 'git' : 'url' },
      reason: `\`${file}\` names \`${source.slice(0, 200)}\``,
    })
}

const ELSEWHERE = /^(?:https?:|git(?:\+|:|@)|github:|gitlab:|bitbucket:|ssh:)|^[\w.-]+\/[\w.-]+(?:#|$)/

/** `dependencies` of `package.json` that are addresses, and packages that are installed from a directory. */
export const npm: Follower = (follow) => {
  const { loader, words, operands } = follow
  const [verb = '', ...named] = words.filter((word) => !word.startsWith('-'))
  if (!/^(?:install|i|in|ins|add|ci|update|up|upgrade|link|ln)?$/.test(verb)) return
  const manifest = loader.isThere('package.json') ? (parseJson(loader.text('package.json') ?? '') ?? null) : null
  points(follow, 'package.json', addressesIn(manifest))
  const places = new Set(
    [...named, ...operands].filter((word) => /^(?:file:|\.{0,2}\/)|\.t(?:ar\.)?gz$/.test(word) && !word.includes('://')),
  )
  for (const place of [...places].slice(0, 4)) local(follow, place.replace(/^file:/, ''))
}

function addressesIn(manifest: Json): readonly (readonly [string, string])[] {
  return ['dependencies', 'devDependencies', 'optionalDependencies', 'overrides', 'resolutions'].flatMap((key) => {
    const all = isJsonObject(manifest) ? own(manifest, key) : undefined
    return isJsonObject(all)
      ? Object.entries(all).flatMap(([name, from]) => (typeof from === 'string' && ELSEWHERE.test(from) ? [[name, from] as const] : []))
      : []
  })
}

const LIFECYCLE = ['preinstall', 'install', 'postinstall', 'prepare']

/** A package that lies in a directory or in an archive: its own scripts run. */
function local({ loader, context, invocation }: Follow, directory: string): void {
  const isArchive = /\.t(?:ar\.)?gz$/.test(directory)
  const file = loader.path(isArchive ? directory : `${directory}/package.json`)
  if (file === null) return
  if (isArchive || !loader.isThere(file)) {
    unread(file, { context, invocation })
    return
  }
  const manifest = parseJson(loader.text(file) ?? '')
  const scripts = isJsonObject(manifest) ? own(manifest, 'scripts') : undefined
  const lines = LIFECYCLE.flatMap((name) => {
    const line = isJsonObject(scripts) ? own(scripts, name) : undefined
    return typeof line === 'string' ? [line] : []
  })
  if (lines.length > 0) unread(file, { context, invocation })
  loader.at(directory, (inner) => inner.lines('package.json', lines))
}

/** A file of the workspace that is none of the project's, and that runs or says what runs. */
function unread(path: string, { context, invocation: { span } }: Pick<Follow, 'context' | 'invocation'>): void {
  const target = context.path(knownWord(path, span))
  if (target.scope === 'workspace' && !context.ofProject(path))
    context.emit('execute', { ...target, kind: 'script' }, { action: 'script:unseen', span, certainty: 'likely' })
}

/** `pip install -r requirements.txt`, `pip install ./tool.tar.gz`. */
export const pip: Follower = (follow) => {
  const { loader, words, operands } = follow
  for (const file of optionsOf(words, '-r', '--requirement', '-c', '--constraint'))
    points(follow, file, requirementsIn(loader.text(file) ?? ''))
  if (loader.isThere('pyproject.toml') && operands.includes('.'))
    points(follow, 'pyproject.toml', requirementsIn((loader.text('pyproject.toml') ?? '').replaceAll(/["',]/g, '\n')))
  for (const word of [...operands, ...optionsOf(words, '-e', '--editable')]) {
    // The project where it stands is built, and said so, like that of any other manager.
    const path = /^(?:\.{1,2}\/.+|\.\.|\/.*|.*\.(?:whl|tar\.gz|zip|tgz))$/.test(word) ? loader.path(word) : null
    if (path === null) continue
    const file = [path, `${path}/setup.py`, `${path}/pyproject.toml`].find((each) => loader.isThere(each))
    unread(file ?? (/\.(?:whl|gz|zip|tgz)$/.test(path) ? path : `${path}/setup.py`), follow)
  }
}

/** `name @ https://…`, `git+https://…`, `--index-url https://…`. */
function requirementsIn(text: string): readonly (readonly [string, string])[] {
  return text.split('\n').flatMap((line) => {
    const words = line.trim().split(/[\s=]+/)
    const address = words.find((word) => /^(?:git\+)?(?:https?|ssh):\/\//.test(word))
    return address === undefined || line.trim().startsWith('#')
      ? []
      : [[words[0] === address ? address : (words[0] ?? address), address] as const]
  })
}

/** `git = "…"` of a dependency in `Cargo.toml`. */
export const cargo: Follower = (follow) => {
  const { loader, operands } = follow
  if (!INSTALLS.test(operands[0] ?? '') || !loader.isThere('Cargo.toml')) return
  const found = (loader.text('Cargo.toml') ?? '').split('\n').flatMap((line) => {
    const source = /\bgit\s{0,8}=\s{0,8}"([^"]{1,500})"/.exec(line)?.[1]
    return source === undefined ? [] : [[/^[\w-]{1,100}/.exec(line)?.[0] ?? source, source] as const]
  })
  points(follow, 'Cargo.toml', found)
}

/** `location:` of a repository and archives in `cabal.project`, the same in `stack.yaml`. */
export const haskell: Follower = (follow) => {
  const { loader, words } = follow
  if (words.some((word) => /^(?:--?version|--help|list|path)$/.test(word))) return
  for (const file of ['cabal.project', 'cabal.project.local', 'stack.yaml']) {
    if (!loader.isThere(file)) continue
    const lines = (loader.text(file) ?? '').split('\n').filter((line) => !/^\s{0,40}(?:--|#)/.test(line))
    const found = lines.flatMap((line) => line.split(/[\s,]+/).filter((word) => /^(?:https?|ssh|git):\/\/|^git@/.test(word)))
    points(
      follow,
      file,
      found.map((source) => [source, source] as const),
    )
  }
}
