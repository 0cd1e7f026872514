import type { CommandContext } from '../../host.ts'
import { directoryOf, type Follow, type Follower, optionOf } from './follow.ts'
import { generatedBy } from './lines.ts'
import type { Loader } from './load.ts'
import { textsOf, tomlOf } from './toml.ts'
import { filesBelow } from './walk.ts'

/** Rust and Go: build scripts, tests, settings of cargo that name programs, and what `go generate` runs. */

/** Subcommands of cargo that compile what is there. */
const COMPILES: ReadonlySet<string> = new Set(
  'build b test t run r check c clippy bench doc d install nextest fix package publish rustc tarpaulin llvm-cov expand miri watch'.split(
    ' ',
  ),
)
const TESTS: ReadonlySet<string> = new Set('test t nextest bench tarpaulin llvm-cov miri'.split(' '))
const RUNS: ReadonlySet<string> = new Set(['run', 'r', ...TESTS])

export const cargo: Follower = (follow) => {
  const { loader, words, context } = follow
  const verb = words.find((word) => !/^[-+]/.test(word)) ?? ''
  const settings = settingsOf(loader)
  const aliased = textsOf(settings.get('alias')?.get(verb)).flatMap((text) => text.split(/\s+/))
  const meant = aliased[0] ?? verb
  if (!COMPILES.has(meant)) return
  programsOf(loader, settings, RUNS.has(meant))
  for (const member of membersOf(follow, optionOf(words, '-p', '--package'))) {
    const manifest = tomlOf(loader.text(`${member}/Cargo.toml`) ?? '')
    loader.load(`${member}/${textsOf(manifest.get('package')?.get('build'))[0] ?? 'build.rs'}`, 'rust')
    if (!TESTS.has(meant)) continue
    const path = loader.path(`${member}/tests`)
    if (path !== null) for (const file of filesBelow(path, context, (name) => name.endsWith('.rs'))) loader.load(file, 'rust')
  }
}

/** Those of the directory and of the ones around it. */
function settingsOf(loader: Loader): ReturnType<typeof tomlOf> {
  for (const name of ['.cargo/config.toml', '.cargo/config', '../.cargo/config.toml'])
    if (loader.isThere(name)) return tomlOf(loader.text(name) ?? '')
  return new Map()
}

/** `[build] rustc-wrapper`, `[target.x] runner` and `linker`: a path is from the directory that holds `.cargo`. */
function programsOf(loader: Loader, settings: ReturnType<typeof tomlOf>, runs: boolean): void {
  for (const [section, values] of settings) {
    if (section !== 'build' && section !== 'host' && !section.startsWith('target')) continue
    for (const key of ['rustc', 'rustc-wrapper', 'rustc-workspace-wrapper', 'linker', ...(runs ? ['runner'] : [])]) {
      const said = values.get(key)
      const line = Array.isArray(said) ? textsOf(said).map(quoted).join(' ') : textsOf(said)[0]
      if (line !== undefined && line !== '') loader.lines('.cargo/config.toml', [line])
    }
  }
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

const MAX_MEMBERS = 48

/** The package at hand and the members of its workspace, or the one that is named. */
function membersOf({ loader, context }: Follow, named: string | null): readonly string[] {
  const given = tomlOf(loader.text('Cargo.toml') ?? '').get('workspace')
  const members = textsOf(given?.get('members')).flatMap((pattern) => placesOf(pattern, loader, context))
  const all = ['.', ...members].slice(0, MAX_MEMBERS)
  const own =
    named === null
      ? []
      : all.filter(
          (member) =>
            textsOf(
              tomlOf(loader.text(`${member}/Cargo.toml`) ?? '')
                .get('package')
                ?.get('name'),
            )[0] === named,
        )
  return own.length > 0 ? own : all
}

/** `crates/*` as the directories that are there. */
function placesOf(pattern: string, loader: Loader, { view }: CommandContext): readonly string[] {
  if (!pattern.endsWith('/*')) return pattern.includes('*') ? [] : [pattern]
  const base = pattern.slice(0, -2)
  return (view.list(loader.path(base) ?? '', MAX_MEMBERS) ?? [])
    .filter((name) => loader.isThere(`${base}/${name}/Cargo.toml`))
    .map((name) => `${base}/${name}`)
}

/** Places of packages: `./...`, `./cmd/x`, `.`. */
const packagesOf = (operands: readonly string[]): readonly string[] => {
  const named = operands.filter((word) => /^\.{1,2}(?:\/|$)/.test(word)).map((word) => word.replace(/\/?\.\.\.$/, '') || '.')
  return named.length > 0 ? named : ['.']
}

/** `go test`: tests of the packages; `go generate`: what their sources say. */
export const go: Follower = ({ loader, context, operands, invocation }) => {
  const [verb, ...rest] = invocation.name === 'go' ? operands : ['test', ...operands]
  const deep = rest.some((word) => word.endsWith('...'))
  for (const place of verb === 'test' || verb === 'generate' ? packagesOf(rest) : []) {
    const path = loader.path(place)
    if (path === null) continue
    const wanted = verb === 'test' ? /_test\.go$/ : /\.go$/
    for (const file of filesBelow(
      path,
      context,
      (name, inner) => wanted.test(name) && (deep || verb === 'generate' || !inner.includes('/')),
    )) {
      if (verb === 'test') loader.load(file, 'go')
      else if (deep || directoryOf(file) === path) loader.lines(file, generatedBy(loader.text(file) ?? ''))
    }
  }
  if (verb === 'run') ran(rest, loader, context)
}

function ran(words: readonly string[], loader: Loader, context: CommandContext): void {
  for (const word of words.filter((each) => each.endsWith('.go'))) loader.load(word, 'go')
  const [place] = packagesOf(words.slice(0, 1))
  const path = words[0]?.endsWith('.go') === true || place === undefined ? null : loader.path(place)
  if (path === null) return
  // What the project's own program does is its matter; what this session put into it is not.
  for (const file of filesBelow(path, context, (name, inner) => /(?<!_test)\.go$/.test(name) && !inner.includes('/')))
    if (!context.ofProject(file)) loader.load(file, 'go')
}
