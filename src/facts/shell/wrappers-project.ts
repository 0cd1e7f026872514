import type { FileAnswer } from '../view.ts'
import { sourceOf } from './commands/packages.ts'
import { each, list, literal, takes } from './commands/tool.ts'
import type { CommandContext, CommandSpec, CommandTable, Invocation, ParsedCommand, Word } from './spec.ts'
import { prefix, quote } from './wrappers-words.ts'

/** Programs that run what a project file says, or a package fetched for the purpose: `npm run`, `npx`, `uvx`. */

/** Bytes read of a project file. */
const LONGEST = 262_144

/** A package is fetched where it is not installed, and its program runs. */
function runPackage(parsed: ParsedCommand, context: CommandContext): void {
  const { operands, invocation } = parsed
  // `-c` and `-p` of uvx are constraints and a version of Python.
  const python = invocation.name === 'uvx' || invocation.name === 'pipx'
  const call = python ? null : parsed.value('-c', '--call')
  if (call !== null) {
    context.shell(call.text, call.span, invocation.name)
    return
  }
  const [first, ...rest] = operands
  const named = (python ? parsed.value('--from', '--spec') : parsed.value('-p', '--package')) ?? first
  if (first === undefined || named === undefined) return
  for (const word of new Set([named, first]))
    if (knownProgram(word) === null) context.opaque(`which package \`${invocation.name}\` runs is not known before it runs`, word.span)
  const name = named.text ?? named.prefix
  const local =
    context.cwd !== null && /^[\w.-]+$/.test(name) && context.view.realpath(`${context.cwd}/node_modules/.bin/${name}`).type !== 'missing'
  context.emit('execute', context.thing('package', name), {
    action: 'pkg:run',
    span: named.span,
    certainty: local ? 'certain' : 'likely',
    attributes: { manager: invocation.name, source: local ? 'local' : sourceOf(named) },
  })
  const program = knownProgram(first)
  if (program === null) return
  context.command([{ ...first, text: program, prefix: program }, ...rest], invocation.name)
}

/** Null where it cannot be told; of `pkg@$VERSION` only the version is open. */
function knownProgram({ text, prefix }: Word): string | null {
  const told = text ?? (prefix.lastIndexOf('@') > 0 ? prefix : null)
  return told === null ? null : unversioned(told)
}

/** `pkg` of `pkg@1.2`, `cli` of `@scope/cli`. */
function unversioned(text: string): string {
  const base = text.slice(text.lastIndexOf('/') + 1)
  const at = base.indexOf('@')
  return at > 0 ? base.slice(0, at) : base
}

const npx: CommandSpec = {
  flags: list(
    '-y -q --yes --no --no-install --quiet --ignore-existing --prefer-offline --offline --bun --silent --workspaces -ws --include-workspace-root',
  ),
  options: takes(
    '-p --package -c --call -n --node-arg --node-options --cache --globalconfig --loglevel --npm --prefix --registry --script-shell --shell --tag --userconfig -w --workspace',
  ),
  optionalValues: ['--shell-auto-fallback'],
  inert: ['--help', '--version', '-h', '-v'],
  inertFirst: true,
  stopAtOperand: true,
  operands: [],
  refine: runPackage,
}

const uvx: CommandSpec = {
  flags: list(
    '-q -v -n -U --isolated --offline --no-cache --refresh --reinstall --upgrade --native-tls --managed-python --no-managed-python --no-python-downloads --no-config --no-index --no-build --no-binary --no-build-isolation --no-env-file --no-progress --no-sources --compile-bytecode --lfs --quiet --verbose',
  ),
  options: takes(
    '--from -w --with --with-editable --with-executables-from --with-requirements -c --constraint --constraints -b --build-constraint --build-constraints --overrides --override -p --python --python-preference --python-fetch --python-platform --index --default-index -i --index-url --extra-index-url -f --find-links --index-strategy --keyring-provider --allow-insecure-host -P --upgrade-package --reinstall-package --refresh-package --no-build-package --no-binary-package --no-build-isolation-package --no-sources-package --exclude-newer --exclude-newer-package --resolution --prerelease --fork-strategy --link-mode -C --config-setting --config-settings --config-settings-package --torch-backend --color --cache-dir --config-file --directory --project --env-file',
  ),
  inert: ['--help', '--version', '-h', '-V'],
  inertFirst: true,
  stopAtOperand: true,
  operands: [],
  refine: runPackage,
}

/** Runs the script of the nearest `package.json`; called besides the table of the package manager. */
export function packageScript(invocation: Invocation, context: CommandContext): void {
  const { words, directory } = operandsOf(invocation)
  if (directory === null) runScript(words, { invocation, context })
  else context.within({ attributes: {}, remote: false, directory }, (inner) => runScript(words, { invocation, context: inner }))
}

interface Running {
  readonly invocation: Invocation
  readonly context: CommandContext
}

function runScript([verb, named]: readonly Word[], { invocation, context }: Running): void {
  const yarnLike = invocation.name !== 'npm'
  const script = RUN.has(verb?.text ?? '')
    ? named
    : SHORT.has(verb?.text ?? '') || (yarnLike && !OWN.has(verb?.text ?? ''))
      ? verb
      : undefined
  if (script?.text === undefined || script.text === null || context.cwd === null) return
  const at = invocation.args.indexOf(script)
  const extra = invocation.args.slice(at + 1).filter((word) => word.text !== '--')
  const found = nearest('package.json', context)
  const answer = found === null || found.file.truncated ? '' : found.file.text
  if (yarnLike && BINARIES.has(script.text) && scriptOf(answer, script.text) === null) context.command([script, ...extra], invocation.name)
  if (found === null || answer === '') return
  if ([`pre${script.text}`, script.text, `post${script.text}`].some((name) => scriptOf(answer, name) !== null))
    context.ran(found.path, found.file)
  for (const name of [`pre${script.text}`, script.text, `post${script.text}`]) {
    const text = scriptOf(answer, name)
    if (text === null) continue
    const own = name === script.text
    const suffix = own ? extra.map((word) => (word.text === null ? '"$UNKNOWN"' : quote(word.text))).join(' ') : ''
    context.shell(suffix === '' ? text : `${text} ${suffix}`, script.span, invocation.name)
  }
}

/** Options of package managers that take a word, and those that name where they run. */
const VALUED: ReadonlySet<string> = new Set(
  list('--prefix -C --cwd --dir -w --workspace -F --filter --reporter --loglevel --registry --userconfig --cache --config'),
)
const PLACES: ReadonlySet<string> = new Set(list('--prefix -C --cwd --dir'))

/** The words that are no option and no value of one, and the directory that an option names. */
function operandsOf({ args }: Invocation): { readonly words: readonly Word[]; readonly directory: Word | null } {
  const words: Word[] = []
  let directory: Word | null = null
  for (let at = 0; at < args.length; at++) {
    const word = args[at]
    if (word === undefined) continue
    const { text } = word
    if (text === null || !text.startsWith('-')) {
      words.push(word)
      continue
    }
    const equals = text.indexOf('=')
    const name = equals < 0 ? text : text.slice(0, equals)
    if (!VALUED.has(name)) continue
    const value = equals < 0 ? args[++at] : { ...word, text: text.slice(equals + 1), prefix: text.slice(equals + 1) }
    if (PLACES.has(name)) directory = value ?? null
  }
  return { words, directory }
}

/** Programs of packages that yarn, pnpm and bun run by their name alone, where no script is called so. */
const BINARIES: ReadonlySet<string> = new Set(
  list(
    'changeset lerna semantic-release np release-it standard-version auto publish-please gh-pages wrangler vercel netlify firebase surge serverless sls cdk pulumi sst amplify eas expo nx turbo ionic supabase hasura prisma drizzle-kit kysely mikro-orm knex sequelize sequelize-cli typeorm typeorm-ts-node-commonjs typeorm-ts-node-esm orchid node-pg-migrate db-migrate umzug postgrator migrate-mongo rimraf del-cli shx cross-env dotenv tsx ts-node vsce ovsx electron-builder',
  ),
)

const RUN: ReadonlySet<string> = new Set(['run', 'run-script', 'rum', 'urn'])
const SHORT: ReadonlySet<string> = new Set(['test', 't', 'tst', 'start', 'stop', 'restart'])
/** Subcommands of yarn, pnpm and bun, which no script of that name stands in for without `run`. */
const OWN: ReadonlySet<string> = new Set(
  list(
    'install i add remove rm ci publish exec x dlx create init up update upgrade link pack audit config cache why list ls info view outdated login logout whoami version workspaces workspace import node patch prune rebuild store set global',
  ),
)

function scriptOf(text: string, name: string): string | null {
  try {
    const parsed: unknown = JSON.parse(text)
    if (typeof parsed !== 'object' || parsed === null || !('scripts' in parsed)) return null
    const { scripts } = parsed
    if (typeof scripts !== 'object' || scripts === null) return null
    const entry = Object.entries(scripts).find(([key]) => key === name)?.[1]
    return typeof entry === 'string' ? entry : null
  } catch {
    return null
  }
}

interface Found {
  readonly path: string
  readonly file: FileAnswer
}

/** The file in the directory or the nearest one above it, at most eight up. */
function nearest(name: string, context: CommandContext): Found | null {
  let directory = context.cwd ?? ''
  for (let step = 0; step < 8 && directory !== ''; step++) {
    const answer = context.view.read(`${directory}/${name}`, LONGEST)
    if (answer !== null) return { path: `${directory}/${name}`, file: answer }
    directory = directory.slice(0, directory.lastIndexOf('/'))
  }
  return null
}

/** `direnv exec dir command`. */
const direnv: CommandSpec = {
  operands: [],
  refine: ({ invocation }, context) => {
    const [verb, , ...rest] = invocation.args
    if (verb?.text === 'exec') context.command(rest, 'direnv')
    else if (verb?.text === 'allow') {
      const word: Word = invocation.args[1] ?? literal('.envrc', invocation.span)
      context.emit('persist', context.path(word), { action: 'env:allow', span: word.span })
    }
  },
}

/** Task runners whose recipes are not read: they run something of the project. */
const runner: CommandSpec = {
  inert: ['--help', '--version', '-h', '--list', '-l'],
  operands: [],
  refine: ({ operands, rest, invocation }, context) => {
    const name = operands[0]?.text ?? 'default'
    if (name === 'exec' && rest.length > 0) {
      context.command(rest, invocation.name)
      return
    }
    context.emit('execute', context.thing('script', `${invocation.name} ${name}`), { action: 'dev:task', certainty: 'likely' })
  },
}

export const projectWrappers: CommandTable = {
  ...each('npx bunx pnpx', npx),
  ...each('uvx', uvx),
  direnv,
  ...each('just task invoke inv tox nox rake-task', runner),
  dotenvx: prefix('-q --overload', '-f -e -fk'),
}
