import { type Effect, resolvedName } from '../../effect.ts'
import type { Invocation, Word } from '../../host.ts'
import { isDescriptorPath } from '../../resources/acts.ts'
import { sliceWord } from '../../resources/text/word.ts'
import type { ExecutionContext } from '../state/state.ts'
import { fileKey, pathOf } from '../walk/target.ts'
import { type Detected, type Execution, found, NOTHING } from './execution.ts'

/**
 * Settings that say what runs: development tools and servers load plug-ins, hooks and whole programs that their settings name. Where
 * such a file lies in a place that everybody may write, and this call did not write it, it is a program that nobody has seen.
 */

/** What reads its settings as code, or takes from them what it runs. */
const RUNS = /^(?:dev:(?!load)|script:|pkg:|git:|container:(?!build)|infra:|net:serve)/

/** Options whose value is a file of settings. */
const LONG = new RegExp(
  String.raw`^--?(?:[a-z]+[-_])*(?:config(?:uration)?(?:[-_]?(?:file|path))?|conf(?:[-_]file)?|settings(?:[-_]file)?` +
    String.raw`|ini(?:t[-_]?file)?|rc-?file|userconfig|globalconfig|profile|gulpfile|gruntfile|tasks?-?file|build-?file|inventory` +
    String.raw`|options-?file)$`,
  'i',
)
const SHORT = /^-(?:[cCfr]|rc)$/

/** Files that are settings by their names: a short option says less. */
const NAMED = /\.(?:ini|cfg|conf|toml|json[5c]?|ya?ml|xml|properties|[cm]?[jt]s|py|rb|cmake)$|(?:^|[/.])[\w-]*(?:rc|config|conf)$/i

/** Definitions of a build that say what it loads or runs: `-DCMAKE_C_COMPILER=/x/cc`, `-Dmaven.ext.class.path=/x/y.jar`. */
const DEFINED =
  /^(?:[\w.]+[._])?(?:(?:COMPILER|LINKER)(?:_LAUNCHER)?|TOOLCHAIN_FILE|MAKE_PROGRAM|EXECUTABLE|COMMAND|INCLUDE(?:_BEFORE)?|class\.path|javaagent|settings)$/i

/** Directories whose settings package managers and builds read: those of a user. */
const HOMES = /^(?:HOME|USERPROFILE|XDG_CONFIG_HOME|(?:CARGO|GRADLE_USER|MAVEN_USER|BUNDLE_USER|COMPOSER|PNPM|BUN)_HOME)$/

/** Variables that name a file of settings, whose value is read as the option would be. */
const VARIABLE =
  /^(?:GIT_CONFIG_(?:GLOBAL|SYSTEM)|[A-Z]+_CONFIG(?:_FILE)?|NPM_CONFIG_(?:USER|GLOBAL)CONFIG|npm_config_(?:user|global)config)$/

/** Tools whose settings only choose what is checked or how it is written. */
const PLAIN: ReadonlySet<string> = new Set(
  (
    'ruff black isort tsc rustfmt gofmt clang-format clang-tidy shellcheck hadolint yamllint markdownlint taplo biome typos ' +
    'codespell autopep8 yapf pyright cppcheck gcc cc g++ clang clang++ tar node nodejs ruby perl bash sh uglifyjs'
  ).split(' '),
)

/** Told of each command when it has been read: `start` is where its effects begin. */
export function reportSettings({ site, invocation, start }: Execution): readonly Detected[] {
  const words = settingsOf(invocation)
  if (words.length === 0 || PLAIN.has(invocation.name) || site.scope.remote) return NOTHING
  const made = site.analysis.effects.slice(start)
  if (!made.some(({ action }) => action !== null && RUNS.test(action))) return NOTHING
  return words.flatMap((word) => loads(site, word, made))
}

/** A file of settings that is named, or a directory in which they are looked for. */
interface Named {
  readonly word: Word
  readonly isPlace: boolean
}

function loads(site: ExecutionContext, { word, isPlace }: Named, made: readonly Effect[]): readonly Detected[] {
  const target = pathOf(word, site)
  if (target.scope !== 'temporary' && target.scope !== 'device') return NOTHING
  const key = fileKey(word, site)
  // What runs, or what this call put there, has been looked at.
  if (key === null || site.analysis.files.written.has(key)) return NOTHING
  // Nothing stands yet in a directory that is not there.
  if (isPlace && site.analysis.view.realpath(resolvedName(target)).type !== 'directory') return NOTHING
  if (made.some((item) => item.verb === 'execute' && resolvedName(item.target) === resolvedName(target))) return NOTHING
  const how = { action: 'script:unseen', span: word.span, certainty: 'likely', attributes: { settings: true } } as const
  return found({ ...target, kind: 'script' }, { verb: 'execute', ...how })
}

/** Values of options and variables that name files of settings by an absolute path. */
function settingsOf({ args, env }: Invocation): readonly Named[] {
  const found = optionsOf(args).map((word) => ({ word, isPlace: false }))
  for (const [name, word] of env) {
    if (!word.prefix.startsWith('/')) continue
    if (VARIABLE.test(name) || HOMES.test(name)) found.push({ word, isPlace: HOMES.test(name) })
  }
  return found
}

function optionsOf(args: readonly Word[]): readonly Word[] {
  let before = ''
  const found: Word[] = []
  for (const word of args) {
    const known = word.text ?? word.prefix
    const equals = known.startsWith('-') ? known.indexOf('=') : -1
    const option = equals < 0 ? before : known.slice(0, equals)
    const said = /^-D(.+)$/.exec(option)?.[1] ?? (option === '-D' ? known.slice(0, Math.max(0, known.indexOf('='))) : '')
    before = word.text ?? ''
    if (said !== '' && DEFINED.test(said)) {
      const at = known.indexOf('=') + 1
      if (known.startsWith('/', at)) found.push(sliceWord(word, at))
      continue
    }
    if (!known.startsWith('/', equals + 1)) continue
    if (names(option, known.slice(equals + 1))) found.push(equals < 0 ? word : sliceWord(word, equals + 1))
  }
  return found
}

function names(option: string, value: string): boolean {
  if (!option.startsWith('-') || value === '/dev/null' || isDescriptorPath(value)) return false
  return LONG.test(option) || (/^-g?s$/.test(option) && /\.xml$/.test(value)) || (SHORT.test(option) && NAMED.test(value))
}
