import { isJsonObject, own, parseJson } from '../../../core/json.ts'
import type { CommandContext, Invocation, Word } from '../../host.ts'
import { doubtPlace } from '../../resources/doubt.ts'
import { knownWord, sliceWord } from '../../resources/text/word.ts'
import { loadsProject } from '../projects/index.ts'
import { quote } from '../running/words.ts'
import { list } from '../tool.ts'
import { type Found, type Looking, nearest, ran } from './nearest.ts'

/** What package managers run of the nearest `package.json`: the script that is named, and those that stand around a subcommand. */

/** Runs the script of the nearest `package.json`; called besides the table of the package manager. */
export function packageScript(invocation: Invocation, context: CommandContext): void {
  const { args } = invocation
  const shell = args.findIndex(({ prefix }) => /^--script-shell(?:=|$)/.test(prefix))
  const named = args[shell]?.text === '--script-shell' ? args[shell + 1] : args[shell] && sliceWord(args[shell], '--script-shell='.length)
  if (named !== undefined) context.command([named], invocation.name)
  const { words, directory } = operandsOf(invocation)
  if (directory === null) runScript(words, { invocation, context })
  else context.within({ attributes: {}, remote: false, directory }, (inner) => runScript(words, { invocation, context: inner }))
}

interface Running {
  readonly invocation: Invocation
  readonly context: CommandContext
}

function runScript([verb, named]: readonly Word[], { invocation, context }: Running): void {
  runLifecycle(verb, named, { invocation, context })
  const yarnLike = invocation.name !== 'npm'
  const script = scriptNamed(verb, named, yarnLike)
  if (script?.text === undefined || script.text === null) return
  if (context.cwd === null) {
    // Of other subcommands than `run`, any word may be a program that is installed.
    if (script === named || SHORT.has(script.text))
      doubtPlace(`\`${invocation.name}\` looks for the script`, { span: script.span, context })
    return
  }
  const at = invocation.args.indexOf(script)
  const extra = invocation.args.slice(at + 1).filter((word) => word.text !== '--')
  const found = manifestOf({ context, span: script.span })
  const binary = BINARIES.has(script.text) || loadsProject(script.text)
  if (yarnLike && binary && found?.script(script.text) == null) context.command([script, ...extra], invocation.name)
  if (found === null) return
  const own = script.text
  const scripts = [`pre${own}`, own, `post${own}`].flatMap((name) => {
    const text = found.script(name)
    return text === null ? [] : [name === own ? withWords(text, extra) : text]
  })
  if (scripts.length > 0) ran(found, context)
  for (const text of scripts) {
    beside(found, context, (inner) => inner.shell(text, script.span, invocation.name))
  }
}

/** `npm run x`, `npm test`; of yarn and its kin any word that is no subcommand. */
function scriptNamed(verb: Word | undefined, named: Word | undefined, yarnLike: boolean): Word | undefined {
  const text = verb?.text ?? ''
  if (RUN.has(text)) return named
  return SHORT.has(text) || (yarnLike && !OWN.has(text)) ? verb : undefined
}

/** A script with the words behind it, as the shell gets them. */
function withWords(script: string, words: readonly Word[]): string {
  const suffix = words.map(({ text }) => (text === null ? '"$UNKNOWN"' : quote(text))).join(' ')
  return suffix === '' ? script : `${script} ${suffix}`
}

/** Scripts run where their package lies. */
function beside({ path }: Found, context: CommandContext, body: (context: CommandContext) => void): void {
  const directory = knownWord(path.slice(0, path.lastIndexOf('/')) || '/', { pointer: '', start: 0, end: 0 })
  context.within({ attributes: {}, remote: false, directory, files: [path] }, body)
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
    'changeset lerna semantic-release np release-it standard-version auto publish-please gh-pages wrangler vercel netlify ' +
      'firebase surge serverless sls cdk pulumi sst amplify eas expo nx turbo ionic supabase hasura prisma drizzle-kit kysely ' +
      'mikro-orm knex sequelize sequelize-cli typeorm typeorm-ts-node-commonjs typeorm-ts-node-esm orchid node-pg-migrate ' +
      'db-migrate umzug postgrator migrate-mongo rimraf del-cli shx cross-env dotenv tsx ts-node vsce ovsx electron-builder',
  ),
)

const RUN: ReadonlySet<string> = new Set(['run', 'run-script', 'rum', 'urn'])
const SHORT: ReadonlySet<string> = new Set(['test', 't', 'tst', 'start', 'stop', 'restart'])
/** Subcommands of yarn, pnpm and bun, which no script of that name stands in for without `run`. */
const OWN: ReadonlySet<string> = new Set(
  list(
    'install i add remove rm ci publish exec x dlx create init up update upgrade link pack audit config cache why list ls ' +
      'info view outdated login logout whoami version workspaces workspace import node patch prune rebuild store set global',
  ),
)

interface Manifest extends Found {
  /** The script of that name; null where there is none. */
  readonly script: (name: string) => string | null
}

/** The nearest manifest; null where there is none or none can be read, which is then said. */
function manifestOf(looking: Looking): Manifest | null {
  const found = nearest('package.json', looking)
  if (found === null) return null
  const manifest = parseJson(found.text.replace(/^\ufeff/, ''))
  if (manifest === undefined) {
    ran(found, looking.context)
    looking.context.opaque(`\`${found.path}\`, which says what runs, cannot be read as JSON`, looking.span)
    return null
  }
  const scripts = isJsonObject(manifest) ? own(manifest, 'scripts') : undefined
  const script = (name: string): string | null => {
    const text = isJsonObject(scripts) ? own(scripts, name) : undefined
    return typeof text === 'string' ? text : null
  }
  return { ...found, script }
}

/** What runs around installing: where no package is named. */
const INSTALLING = list('preinstall install postinstall prepublish preprepare prepare postprepare')
const PACKING = list('prepack prepare postpack')

/** Scripts that a subcommand runs of itself, in their order. */
const LIFECYCLES: ReadonlyMap<string, readonly string[]> = new Map([
  ...list('install i in ins inst insta instal isnt isnta isntal isntall ci clean-install ic install-clean isntall-clean link ln').map(
    (verb) => [verb, INSTALLING] as const,
  ),
  ...list('rebuild rb').map((verb) => [verb, list('preinstall install postinstall prepare')] as const),
  ['publish', list('prepublish prepublishOnly prepack prepare postpack publish postpublish')],
  ['pack', PACKING],
  ['version', list('preversion version postversion')],
])

const INSTALLS: ReadonlySet<readonly string[]> = new Set([INSTALLING])

/** A directory by its spelling, or one that holds a package; all else names one that is fetched. */
function isDirectoryOf(word: Word, context: CommandContext): boolean {
  return /^(?:\.{0,2}$|\.{0,2}\/|~)/.test(word.prefix) || (word.text !== null && isPackage(word, context))
}

/** `npm install`, `npm publish`: the scripts of the package at hand that run by the way. */
function runLifecycle(verb: Word | undefined, named: Word | undefined, { invocation, context }: Running): void {
  const bare = verb === undefined && invocation.name === 'yarn' ? 'install' : (verb?.text ?? '')
  const names = LIFECYCLES.get(bare)
  if (names === undefined || context.cwd === null) return
  if (invocation.args.some(({ text }) => NOTHING_RUNS.has(text ?? ''))) return
  // A package that is named is put beside this one, whose own scripts stay where they are.
  if (INSTALLS.has(names) ? named !== undefined : bare === 'version' && named === undefined) return
  const directory = bare === 'publish' || bare === 'pack' ? named : undefined
  if (directory === undefined) runAll(names, { invocation, context })
  else if (isDirectoryOf(directory, context))
    context.within({ attributes: {}, remote: false, directory }, (inner) => runAll(names, { invocation, context: inner }))
}

function isPackage(word: Word, { cwd, view }: CommandContext): boolean {
  return cwd !== null && view.realpath(`${cwd}/${word.text}/package.json`).type === 'file'
}

const NOTHING_RUNS: ReadonlySet<string> = new Set(list('--ignore-scripts --ignore-scripts=true -g --global --location=global --help -h'))

function runAll(names: readonly string[], { invocation, context }: Running): void {
  const found = manifestOf({ context, span: invocation.span })
  const texts = names.flatMap((name) => found?.script(name) ?? [])
  if (found === null || texts.length === 0) return
  ran(found, context)
  beside(found, context, (inner) => {
    for (const text of texts) inner.shell(text, invocation.span, invocation.name)
  })
}
