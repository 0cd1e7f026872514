import type { Target } from '../../effect.ts'
import type { Place, Word } from '../../host.ts'
import type { Scope } from './scope.ts'

/** In which directory a client of a service works: what is kept before an act is asked of the same client, in the same place. */

const FAMILIES = /^(?:git|gh|k8s|npm|pypi|tf|pages):/

/** True of acts that a client does which finds what it acts on by its directory. */
export function isOfClient(action: string | null | undefined, { kind }: Target): boolean {
  return kind === 'database' || (typeof action === 'string' && FAMILIES.test(action))
}

/** Variables by which a client acts on something else than what its directory and the user's settings say. */
const LEADS_AWAY =
  'GIT_DIR GIT_COMMON_DIR GIT_WORK_TREE GIT_NAMESPACE GIT_INDEX_FILE GIT_OBJECT_DIRECTORY GIT_CEILING_DIRECTORIES GIT_CONFIG ' +
  'GIT_CONFIG_COUNT GIT_CONFIG_PARAMETERS GIT_CONFIG_GLOBAL GIT_CONFIG_SYSTEM GH_HOST GH_REPO GH_CONFIG_DIR HOME XDG_CONFIG_HOME ' +
  'npm_config_registry NPM_CONFIG_REGISTRY npm_config_userconfig NPM_CONFIG_USERCONFIG TF_DATA_DIR TF_WORKSPACE TF_CLI_CONFIG_FILE ' +
  'TF_CLI_ARGS TF_CLI_ARGS_state TF_CLI_ARGS_workspace TERRAGRUNT_WORKING_DIR TG_WORKING_DIR TERRAGRUNT_CONFIG TG_CONFIG TERRAGRUNT_SOURCE TG_SOURCE ' +
  'TERRAGRUNT_TFPATH TG_TF_PATH'
const LEADING: readonly string[] = LEADS_AWAY.split(' ')

/** Null where it is not known. */
export function directoryOf({ cwd, also, whereabouts, worksIn, variables, remote }: Scope): string | null {
  if (remote || also !== null || whereabouts === 'unknown') return null
  if (LEADING.some((name) => variables.get(name) !== undefined)) return null
  return worksIn === undefined ? cwd : worksIn
}

/** Programs that run a command where they were started. */
const STAYS: ReadonlySet<string> = new Set(
  (
    'sh bash dash ash ksh mksh zsh busybox env sudo doas nohup time timeout nice ionice chrt taskset setsid stdbuf unbuffer exec command ' +
    'builtin eval xargs flock watch caffeinate chronic ifne strace ltrace make gmake npm pnpm yarn bun'
  ).split(' '),
)

/** Programs that do so as well, unless an option says otherwise. */
const STARTERS: ReadonlySet<string> = new Set(['npx', 'bunx', 'pnpx', 'python', 'python3', 'poetry', 'uv', 'pipenv'])
/** Options of theirs that say nothing of a place. */
const PLACELESS: ReadonlySet<string> = new Set(['-y', '--yes', '--no', '--no-install', '-m', '--'])

function startsHere(name: string, args: readonly { readonly prefix: string }[]): boolean {
  if (!STARTERS.has(name)) return false
  const [first, ...more] = args.map(({ prefix }) => prefix)
  const options = first === 'run' ? more : [first ?? '', ...more]
  const program = options.findIndex((word) => !word.startsWith('-'))
  return options.slice(0, program === -1 ? options.length : program).every((word) => PLACELESS.has(word))
}

/** Options with which a program that raises rights begins as its user's login does: at home. */
const isLoginOption = (text: string): boolean => text === '--login' || (/^-\w/.test(text) && text.includes('i'))

/** What is known of the place of a command that a wrapper starts. */
export function whereaboutsBelow(
  { whereabouts }: Pick<Scope, 'whereabouts'>,
  wrapper: string,
  args: readonly { readonly prefix: string }[],
): Scope['whereabouts'] {
  if (whereabouts === 'unknown') return 'unknown'
  const name = wrapper.slice(wrapper.lastIndexOf('/') + 1)
  const isLogin = (name === 'sudo' || name === 'doas') && args.some(({ prefix }) => isLoginOption(prefix))
  if (isLogin) return 'unknown'
  // `-execdir` runs it where each file lies that is found.
  if (name === 'find') return whereabouts === 'given' ? 'unknown' : 'known'
  return whereabouts === 'given' || STAYS.has(name) || startsHere(name, args) ? 'known' : 'unknown'
}

/** What a place changes of where a command runs, and of where its client works. */
export function enterPlace(scope: Scope, { remote, directory, worksIn }: Place, path: (word: Word) => Target): void {
  if (remote || directory !== undefined) scope.also = null
  if (remote) {
    scope.remote = true
    scope.cwd = null
  } else if (directory !== undefined) {
    scope.cwd = directory.glob ? null : path(directory).real
    if (scope.whereabouts === 'known') scope.whereabouts = 'given'
    scope.worksIn = undefined
  }
  if (worksIn !== undefined) scope.worksIn = worksIn === null || worksIn.text === null || worksIn.glob ? null : path(worksIn).real
}
