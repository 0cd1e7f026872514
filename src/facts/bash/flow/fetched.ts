import type { Certainty, Effect, Span, Target } from '../../effect.ts'
import type { Input, Invocation, Word } from '../../host.ts'
import { isDescriptorPath } from '../../resources/acts.ts'
import { knownWord, sliceWord } from '../../resources/text/word.ts'
import { urlTarget } from '../../resources/url/index.ts'
import { WORK } from '../state/budget.ts'
import { type ExecutionContext, emitAt } from '../state/state.ts'
import { fetchedAbove } from '../state/trees.ts'
import { fileKey, keyOf } from '../walk/target.ts'
import { inputProvenance, remoteSource, runRemote } from './flow.ts'

/**
 * Code that came from the network, whoever runs it. No program is known here: asked are the effects that say that a file runs or that
 * instructions are followed, and words that say by their option that they are code.
 */

const ADDRESS = /^(?:git\+|git::)?(?:https?|ftps?|sftp|ssh|s3|gs|git|oci):\/\//i

/** True where a word that names code is an address. */
export function isAddress(text: string): boolean {
  return ADDRESS.test(text)
}

export interface Runs {
  readonly span: Span
  readonly by: string
  readonly certainty?: Certainty
}

/** Says of a file or an address whose content runs that it comes from the network; false where that is not known of it. */
export function ranFetched(site: ExecutionContext, path: Target, runs: Runs): boolean {
  if (path.value.includes('://') && isAddress(path.value)) {
    runRemote(site, urlTarget(path.value), runs)
    return true
  }
  const { analysis } = site
  if (analysis.files.written.size + analysis.files.trees.size === 0 || site.scope.remote) return false
  const key = isDescriptorPath(path.value) ? path.value : keyOf(path)
  const written = analysis.files.written.get(key)
  const source = written === undefined ? fetchedAbove(key, analysis) : remoteSource(written.from, analysis)
  if (source === null) return false
  runRemote(site, source.target, { ...runs, staged: !isDescriptorPath(path.value) })
  return true
}

export interface Given {
  readonly by: string
  readonly input: Input
  readonly certainty?: Certainty
}

/** Says of a word that names code what `ranFetched` says: a file, an address, a descriptor, `-` for standard input. */
export function wordFetched(site: ExecutionContext, { text, span, prefix, from = [] }: Word, { input, ...given }: Given): boolean {
  const runs = { ...given, span }
  if (text === '-' || text === '/dev/stdin' || text === '/dev/fd/0') return inputFetched(site, input, runs)
  const source = remoteSource(from, site.analysis)
  if (source !== null) runRemote(site, source.target, runs)
  else if (text === null) return ADDRESS.test(prefix) && ranFetched(site, urlTarget(prefix), runs)
  else return ranFetched(site, ADDRESS.test(text) ? urlTarget(text) : fileOf(text, site), runs)
  return true
}

function fileOf(text: string, site: ExecutionContext): Target {
  return { ...urlTarget(''), kind: 'path', value: text, real: fileKey(knownWord(text, { pointer: '', start: 0, end: 0 }), site) }
}

function inputFetched(site: ExecutionContext, input: Input, runs: Runs): boolean {
  const source = remoteSource(inputProvenance(input).from, site.analysis)
  if (source !== null) runRemote(site, source.target, runs)
  return source !== null
}

/** Programs that follow instructions which they are given: builds, tasks, images, packages. What `cargo run` is given is data. */
const FOLLOWS = /^(?:dev:(?:build|make|task|test|load|vm)|pkg:(?:install|script)|container:(?:build|compose)|infra:)/
/** Of these, what a substitution or standard input holds is followed; a compiler takes its source so, and a test its data. */
const TAKES = /^(?:dev:(?:make|task|load|vm)|pkg:|container:|infra:)/
/** Of these, what is named is what runs. */
const PERFORMS = /^dev:(?:test|task)/
/** How these name the file that they follow. */
const FILE_OPTION = /^(?:-[fFtIP]|--(?:[a-z]+-)?(?:file|makefile|justfile|taskfile|rakefile|buildfile|init-script|playbook|config))$/

/** Options whose value is code in any program that has them. */
const CODE_OPTION = new RegExp(
  String.raw`^--?(?:(?:init|user|load)?-?script(?:-?file)?|playbook|recipe|plugin|preload|require|import|loader|eval(?:uate)?` +
    String.raw`|exec(?:ute)?|rcfile|init-file|javaagent|hook|makefile|buildfile|taskfile|justfile|macro)$`,
  'i',
)

/** Where the address of a file names a language that only runs. */
const PROGRAM_FILE = /\.(?:sh|bash|zsh|fish|py|pl|rb|ps1|bat|cmd|jar|groovy|kts?|lua|exs?|[cm]?[jt]s|php|jl|r|wasm|run|bin)$/i
const RUNS = /^(?:r|run|exec|execute|eval|source|load|start|bootstrap|play)$/i
/** Names and first words of programs that look at a file of code, or only bring it here. */
const ONLY_LOOKS = /lint|fmt|format|check|view|show|diff|hash|sum|scan|doc|cloc|count|stat|highl|bat$|get|fetch|down|hint|metrics|tree|dep/i

/** What a command is given to follow, seen at its end: substitutions, standard input, and words behind options that name code. */
export function reportInstructions(
  site: ExecutionContext,
  { start, invocation }: { readonly start: number; readonly invocation: Invocation },
): void {
  const { args, input, name } = invocation
  const fed = input.kind === 'pipe' && input.from.length > 0
  // What is fed alone is only code where it is asked for.
  if (!mayBeRemote(args, site) && !(fed && (args.length === 0 || args.some(namesInput)))) return
  if (!site.analysis.spend(WORK.part * args.length + site.analysis.effects.length - start, invocation.span)) return
  const made = site.analysis.effects.slice(start)
  if (made.some(({ verb, action }) => verb === 'execute' && action?.startsWith('code:') === true)) return
  const doing = made.flatMap(({ verb, action }) => (verb === 'execute' && action !== null ? [action] : []))
  if (doing.includes('dev:build')) reportBuilt(site, { made, invocation })
  const seen = seenIn(doing, invocation)
  if (followsWord(site, invocation, seen)) return
  if (seen.takes && fed && args.length === 0) inputFetched(site, input, { by: name, span: invocation.span })
}

/** Whether one of the words is code that was fetched; the first of them is told. */
function followsWord(site: ExecutionContext, { args, input, name }: Invocation, seen: Seen): boolean {
  // What the name of an option, or of a subcommand, says alone is asked about, not forbidden.
  const certainty = seen.takes || seen.follows ? {} : ({ certainty: 'possible' } as const)
  return args.some((word, at) => {
    const part = instruction(word, args[at - 1], seen)
    return part !== null && wordFetched(site, part, { by: name, input, ...certainty })
  })
}

/** Whatever a compiler leaves of a source that was downloaded, under whichever name, is that download. */
function reportBuilt(
  site: ExecutionContext,
  { made, invocation }: { readonly made: readonly Effect[]; readonly invocation: Invocation },
): void {
  const { cwd } = site.scope
  if (cwd === null) return
  const { written: files, trees } = site.analysis.files
  const reads = made.filter(({ verb, target }) => verb === 'read' && target.kind === 'path' && target.value !== '.')
  const streams = invocation.args.flatMap(({ text }) => (isDescriptorPath(text) ? (files.get(text)?.from ?? []) : []))
  const source = remoteSource([...reads, ...streams, ...inputProvenance(invocation.input).from], site.analysis)
  if (source !== null) trees.set(cwd, source)
}

function namesInput({ text }: Word): boolean {
  return text !== null && (text === '-' || text.endsWith('=-') || text.includes('/dev/'))
}

function mayBeRemote(args: readonly Word[], { analysis }: ExecutionContext): boolean {
  return analysis.files.written.size > 0 || args.some(({ text, from, prefix }) => from !== undefined || (text ?? prefix).includes('://'))
}

interface Seen {
  readonly follows: boolean
  readonly takes: boolean
  readonly performs: boolean
  /** A program of the workspace, or a file that is named first. */
  readonly starts: boolean
  /** No table knows the program, and nothing says that it only looks at what it is given. */
  readonly unknown: boolean
}

function seenIn(doing: readonly string[], { name, args }: Invocation): Seen {
  const some = (pattern: RegExp): boolean => doing.some((action) => pattern.test(action))
  return {
    follows: some(FOLLOWS),
    takes: some(TAKES),
    performs: some(PERFORMS),
    starts: doing.includes('dev:run'),
    unknown: doing.includes('program:unknown') && !ONLY_LOOKS.test(name) && !ONLY_LOOKS.test(args[0]?.text ?? ''),
  }
}

/** The part of a word that is code by where it stands; null where it may as well be data. */
function instruction(word: Word, before: Word | undefined, seen: Seen): Word | null {
  const known = word.text ?? word.prefix
  const previous = before?.text ?? ''
  const equals = known.startsWith('-') ? known.indexOf('=') : -1
  const option = equals < 0 ? previous : known.slice(0, equals)
  const part = equals < 0 ? word : sliceWord(word, equals + 1)
  const value = part.text ?? part.prefix
  const codes = CODE_OPTION.test(option) || (seen.follows && FILE_OPTION.test(option))
  if (codes || isRunNamed(value, previous, seen)) return part
  return !known.startsWith('-') && runsFile(value, previous, seen) ? part : null
}

/** `-` and descriptors where the program takes code; those, and addresses, behind `run`. */
function isRunNamed(value: string, previous: string, seen: Seen): boolean {
  if (seen.takes && (isDescriptorPath(value) || value === '-' || value === '/dev/stdin')) return true
  return RUNS.test(previous) && seen.starts && (isDescriptorPath(value) || ADDRESS.test(value))
}

/** Whether a file of a program, named at this place, is run; by what is known, an address only behind a word that says so. */
function runsFile(value: string, previous: string, { performs, unknown }: Seen): boolean {
  if (!PROGRAM_FILE.test(value.split(/[?#]/, 1)[0] ?? '')) return false
  if (ADDRESS.test(value)) return unknown || (performs && RUNS.test(previous))
  return unknown || (performs && !previous.startsWith('-'))
}

/** Files that a build, a test run or a task follows because of their names, where they lie. */
const PROJECT_FILE = new RegExp(
  String.raw`^(?:(?:gnu)?makefile|cmakelists\.txt|package\.json|conftest\.py|setup\.(?:py|cfg)|pyproject\.toml|noxfile\.py|tox\.ini` +
    String.raw`|dodo\.py|tasks\.py|fabfile\.py|sconstruct|wscript|meson\.build|configure|rakefile|gemfile|guardfile|vagrantfile` +
    String.raw`|jenkinsfile|dockerfile|containerfile|(?:docker-)?compose\.ya?ml|justfile|taskfile\.ya?ml|gulpfile\.[cm]?[jt]s` +
    String.raw`|gruntfile\.js|[\w.-]+\.config\.[cm]?[jt]s|\.?[\w-]+rc\.[cm]?js|build\.(?:rs|xml|sbt|zig|gradle|gradle\.kts)` +
    String.raw`|settings\.gradle(?:\.kts)?|pom\.xml|cargo\.toml|package\.swift|mix\.exs|rebar\.config|dune|build\.ninja|workspace` +
    String.raw`|build(?:\.bazel)?|default\.nix|shell\.nix|flake\.nix|\.pre-commit-config\.yaml)$`,
  'i',
)

/** What follows the files of the project it is started in. */
const BUILDS = /^(?:dev:(?!load|load-)|pkg:script|container:(?:build|compose))/

/** What is installed is the project itself, or what a file of it names; not a package by its name. */
const LOCAL = /^\.{0,2}(?:\/|$)|^\.{1,2}\[|\.(?:json|txt|toml|lock|ya?ml|cfg)$|^(?:Gemfile|Pipfile)$/

/**
 * Told of everything that an effect says is run: a file or an address that comes from the network; a build, a test or a task that follows
 * a file which was downloaded into its place, or which stands in what was fetched as a whole.
 */
export function noteExecuted(site: ExecutionContext, item: Effect, by: string): void {
  const { action, target, span } = item
  if (span === null || action?.startsWith('code:') === true) return
  if (target.kind === 'path' || target.kind === 'script') {
    if (ranFetched(site, target, { span, by })) return
  }
  const isPath = ITSELF.test(target.value) || item.attributes.source === 'path'
  if (action === 'pkg:install' && isPath && installedFetched(site, target.value, { span, by })) return
  const builds = action !== null && (BUILDS.test(action) || (action === 'pkg:install' && LOCAL.test(target.value)))
  if (builds) reportProject(site, { span, by })
}

/** The project itself: `.`, `./clone`, `.[dev]`. */
const ITSELF = /^\.{0,2}\/|^\.{1,2}(?:\[|$)/

/** What is installed into the environment is run as code, and comes from the network where its directory does: by path or from inside of it. */
function installedFetched(site: ExecutionContext, value: string, runs: Runs): boolean {
  const { real } = fileOf(value.split('[')[0] ?? value, site)
  if (real === null || real === undefined) return false
  const source = fetchedAbove(`${real}/.`, site.analysis)?.target ?? null
  const origin = source === null ? site.analysis.earlier.origin(`${real}/.`) : null
  if (source === null && origin === null) return false
  runRemote(site, source ?? urlTarget(origin ?? ''), { ...runs, staged: true })
  return true
}

/** Where a project file came from that this call wrote at the directory or above it. */
function writtenProject(cwd: string, { analysis }: ExecutionContext): Effect | null {
  for (const [path, { from }] of analysis.files.written) {
    const slash = path.lastIndexOf('/')
    const above = path.slice(0, slash)
    if (from.length === 0 || !PROJECT_FILE.test(path.slice(slash + 1)) || !(above === cwd || cwd.startsWith(`${above}/`))) continue
    const source = remoteSource(from, analysis)
    if (source !== null) return source
  }
  return null
}

function reportProject(site: ExecutionContext, { span, by }: Runs): void {
  const { analysis, scope } = site
  const { cwd } = scope
  if (cwd === null || analysis.projects.has(`${cwd} ${span.start}`) || !analysis.spend(analysis.files.written.size, span)) return
  analysis.projects.add(`${cwd} ${span.start}`)
  const written = writtenProject(cwd, site)
  if (written !== null) {
    runRemote(site, written.target, { span, by, staged: true })
    return
  }
  const source = fetchedAbove(`${cwd}/.`, analysis)
  const origin = source === null ? analysis.earlier.origin(`${cwd}/.`) : null
  if (source === null && origin === null) return
  emitAt(site, source?.target ?? urlTarget(origin ?? ''), {
    verb: 'execute',
    action: 'code:fetched-project',
    span,
    certainty: 'likely',
    reason: `\`${by}\` follows the files of a project that was fetched by ${source === null ? 'an earlier call of the session' : 'this call'}`,
    attributes: { by },
  })
}
