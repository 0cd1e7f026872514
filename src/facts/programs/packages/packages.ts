import { isJsonObject, type Json, type JsonObject, own, parseJson } from '../../../core/json.ts'
import type { CommandContext, CommandSpec, ParsedCommand, Word } from '../../host.ts'
import { isOwnRegistry } from '../../resources/environment/endpoints.ts'
import { knownWord } from '../../resources/text/word.ts'
import { ranUnread } from '../loads.ts'
import { does, known, list, nameOf, refined } from '../tool.ts'
import { leadAway } from './settings.ts'

/** What package tools of every language have in common: where a package comes from, installing, removing, publishing. */

export type Source = 'registry' | 'url' | 'git' | 'path' | 'index' | 'manifest' | 'unknown'

/** One package of a registry, by the first operand, or `value` where there is none: what managers of versions install. */
export const installsNamed = (manager: string, value: string): CommandSpec =>
  does({ verb: 'execute', action: 'pkg:install', kind: 'package', at: 0, value, attributes: { source: 'registry', manager } })

const GIT_PREFIXES = list('git+ git: git@ ssh: github: gitlab: bitbucket: gist: hg+ svn+ bzr+')
const ARCHIVES = list('.tgz .tar.gz .whl .zip .gem .crate .nupkg .tar.bz2 .conda')

/** Where a package argument comes from by its spelling. `slashIsGit`: npm reads `owner/name` as a hosted repository. */
export function sourceOf(word: Word, slashIsGit = false): Source {
  const text = word.text ?? word.prefix
  if (text === '') return 'unknown'
  const spec = specOf(text, slashIsGit)
  const spelt = spelling(spec)
  if (spelt !== null) return spelt
  if (word.text === null && !spec.includes('=') && !spec.slice(1).includes('@')) return 'unknown'
  return slashIsGit && /^(?!@|npm:).*\//s.test(spec) ? 'git' : 'registry'
}

/** What stands behind a name: `name @ https://…`, and of npm `name@git+ssh://…`. */
function specOf(text: string, slashIsGit: boolean): string {
  const at = text.indexOf('@ ')
  const place = (at > 0 ? text.slice(at + 2) : text).trim()
  const alias = slashIsGit && !place.startsWith('@') ? place.indexOf('@') : -1
  return alias > 0 && /^(?:https?:|git|file:|ssh:)/.test(place.slice(alias + 1)) ? place.slice(alias + 1) : place
}

function spelling(spec: string): Source | null {
  if (/^jsr:/.test(spec)) return 'registry'
  if (GIT_PREFIXES.some((prefix) => spec.startsWith(prefix)) || (spec.includes('://') && /\.git(?:[#@]|$)/.test(spec))) return 'git'
  if (/^(?:https?|ftp):\/\//.test(spec)) return 'url'
  if (/^(?:\.|\/|~|file:|link:|workspace:|[A-Za-z]:\\)/.test(spec) || ARCHIVES.some((end) => spec.endsWith(end))) return 'path'
  return null
}

/** `lodash` of `lodash@4`, `@scope/x` of `@scope/x@1`, `requests` of `requests[socks]>=2`. */
export function packageName(word: Word): string {
  const text = nameOf(word)
  const end = text.slice(1).search(/[@=<>!~;[ ]/)
  return end < 0 ? text : text.slice(0, end + 1)
}

export interface InstallOptions {
  readonly manager: string
  /** File that names the packages where the command does not. */
  readonly manifest: string
  /** Options that install for the whole machine or user. */
  readonly global?: readonly string[]
  /** Options that name another index or registry. */
  readonly index?: readonly string[]
  /** Environment variables that do. */
  readonly indexVariables?: readonly string[]
  readonly slashIsGit?: boolean
  readonly verb?: 'install' | 'upgrade' | 'download'
  /** Packages that come by options (`cargo install --git`, `pip install -e`). */
  readonly also?: (parsed: ParsedCommand) => readonly { readonly word: Word; readonly source: Source }[]
  readonly attributes?: (parsed: ParsedCommand) => Readonly<Record<string, Json>>
}

function indexOf(parsed: ParsedCommand, options: InstallOptions): Word | null {
  const named = parsed.value(...(options.index ?? []))
  if (named !== null) return named
  for (const name of options.indexVariables ?? []) {
    const word = parsed.invocation.env.get(name)
    if (word !== undefined) return word
  }
  return null
}

/** What holds for all packages of one command. */
function sharedBy(parsed: ParsedCommand, { manager, global = [], attributes }: InstallOptions, index: Word | null): JsonObject {
  return {
    manager,
    ...(parsed.flag(...global) ? { global: true } : {}),
    ...(index === null ? {} : { index: known(index) }),
    ...attributes?.(parsed),
  }
}

function packagesOf(parsed: ParsedCommand, options: InstallOptions): readonly { readonly word: Word; readonly source: Source }[] {
  const named = [
    ...parsed.operands.map((word) => ({ word, source: sourceOf(word, options.slashIsGit) })),
    ...(options.also?.(parsed) ?? []),
  ]
  return named.length > 0 ? named : [{ word: knownWord(options.manifest, parsed.invocation.span), source: 'manifest' }]
}

function ofIndex(index: Word): Source {
  if (sourceOf(index) === 'path') return 'path'
  return isOwnRegistry(index.text ?? '') ? 'registry' : 'index'
}

/** Installs the operands, or what the manifest names; packages run code of their own when they are installed. */
export function install(parsed: ParsedCommand, context: CommandContext, options: InstallOptions): void {
  const index = indexOf(parsed, options)
  const shared = sharedBy(parsed, options, index)
  const all = packagesOf(parsed, options)
  const action = `pkg:${options.verb ?? 'install'}`
  const downloads = options.verb === 'download'
  for (const { word, source } of all) {
    const from = source === 'registry' && index !== null ? ofIndex(index) : source
    const name = source === 'registry' ? packageName(word) : nameOf(word)
    context.emit(downloads ? 'fetch' : 'execute', context.thing('package', name), {
      action,
      span: word.span,
      ...(word.text === null && source === 'unknown' ? { reason: 'the package is not known before it runs' } : {}),
      attributes: { ...shared, source: from, spec: known(word) },
    })
    if (source === 'url' || source === 'git') context.emit('fetch', context.url(word), { action: 'pkg:fetch', span: word.span })
    if (source === 'path' && !downloads) packed(word, context)
  }
  if (all.every(({ source }) => source === 'manifest')) leadAway(parsed, context, options)
  if (index?.prefix.includes('://') === true) context.emit('fetch', context.url(index), { action: 'pkg:fetch', span: index.span })
}

/** A package as a file, where everybody may write: what it runs when it is installed has nobody seen. */
function packed(word: Word, context: CommandContext): void {
  if (!ARCHIVES.some((end) => word.text?.endsWith(end) === true) || context.written(word) !== null) return
  const { scope } = context.path(word)
  if (scope === 'temporary' || scope === 'device') ranUnread(word, context)
}

/** `--with a,b` of what runs Python: packages that are fetched and come along. */
export function alongside(parsed: ParsedCommand, context: CommandContext): void {
  const { name } = parsed.invocation
  for (const word of parsed.values('--with', '-w')) {
    if (word.text === null) context.opaque(`which packages \`${name}\` brings along is not known before it runs`, word.span)
    for (const one of (word.text ?? '').split(',').filter((text) => text !== '')) {
      const attributes = { manager: name, source: sourceOf({ ...word, text: one, prefix: one }) }
      context.emit('execute', context.thing('package', one), { action: 'pkg:run', span: word.span, certainty: 'likely', attributes })
    }
  }
}

/** A subcommand that installs. */
export function installs(options: InstallOptions, spec: CommandSpec = {}): CommandSpec {
  return refined((parsed, context) => install(parsed, context, options), {
    ...spec,
    flags: [...(spec.flags ?? []), ...(options.global ?? [])],
    options: { ...Object.fromEntries((options.index ?? []).map((name) => [name, 'data' as const])), ...spec.options },
  })
}

/** A subcommand that removes packages. */
export function removes(manager: string, spec: CommandSpec = {}, global: readonly string[] = []): CommandSpec {
  return does(
    { verb: 'change', action: 'pkg:remove', kind: 'package', from: 0, value: 'all', flags: { global }, attributes: { manager } },
    spec,
  )
}

/** A subcommand that looks something up in a registry. */
export const LOOKS_UP: CommandSpec = does({ verb: 'fetch', action: 'pkg:read', kind: 'package', from: 0, value: 'registry' })

/** A subcommand that looks at what is installed. */
export const LISTS: CommandSpec = does({ verb: 'read', action: 'pkg:read', kind: 'package', value: 'installed' })

/** A subcommand that builds or packs in the workspace; scripts of the package run. */
export const BUILDS: CommandSpec = does({ verb: 'execute', action: 'dev:build', kind: 'package', value: '.' })

/** A subcommand that runs a script of the package by name. */
export const SCRIPT: CommandSpec = does({ verb: 'execute', action: 'pkg:script', kind: 'script', at: 0 }, { stopAtOperand: true })

/** A subcommand that runs the rest in the environment of the project: `poetry run pytest`. */
export const RUNS: CommandSpec = {
  stopAtOperand: true,
  operands: [],
  refine: (parsed, context) => {
    const [first, ...rest] = parsed.operands
    if (first === undefined) return
    if (first.text?.endsWith('.py') === true) context.script('python', first, rest)
    else context.command(parsed.operands, parsed.invocation.name)
  },
}

/** A subcommand that is another program's by name: `npm exec …` is `npx …`. */
export function sameAs(program: string): CommandSpec {
  return {
    stopAtOperand: true,
    operands: [],
    refine: ({ invocation, path }, context) => {
      const exact = invocation.args.findIndex((word) => word.text === path.at(-1))
      const at = exact >= 0 ? exact : invocation.args.findIndex((word) => ALIASES.has(word.text ?? ''))
      context.command([knownWord(program, invocation.span), ...invocation.args.slice(at + 1)], invocation.name)
    },
  }
}

/** Spellings under which such subcommands stand on the command line. */
const ALIASES: ReadonlySet<string> = new Set(['x', 'exec', 'dlx'])

export const CONFIGURES: CommandSpec = does({ verb: 'change', action: 'pkg:config', kind: 'variable', at: 0, value: 'configuration' })

/** Chooses among what is installed: `pyenv local 3.12`. Where packages come from stays as it is. */
export const SELECTS: CommandSpec = does({ verb: 'change', action: 'pkg:select', kind: 'package', at: 0, value: 'version' })

export interface PublishOptions {
  readonly action: string
  readonly dryRun?: readonly string[]
  readonly flags?: Readonly<Record<string, readonly string[]>>
  readonly values?: Readonly<Record<string, readonly string[]>>
  /** Each operand is a file to publish; otherwise the first one is the package. */
  readonly files?: boolean
  readonly read?: boolean
  /** The file beside the package that names it. */
  readonly manifest?: 'package.json' | 'Cargo.toml'
}

/** A subcommand that publishes a package; its dry run still runs the scripts of the package. */
export function publishes(options: PublishOptions, spec: CommandSpec = {}): CommandSpec {
  const dryRun = options.dryRun ?? ['--dry-run']
  const common = { kind: 'package', value: '.', ...(options.files === true ? { from: 0 } : { at: 0 }) } as const
  const values = options.values ?? {}
  const published = does(
    [
      { ...common, verb: 'publish', action: options.action, flags: options.flags ?? {}, values, when: (parsed) => !parsed.flag(...dryRun) },
      { ...common, verb: 'execute', action: 'pkg:publish-dry-run', when: (parsed) => dryRun.length > 0 && parsed.flag(...dryRun) },
    ],
    { ...spec, flags: [...(spec.flags ?? []), ...dryRun] },
  )
  const { manifest } = options
  if (manifest === undefined) return published
  return {
    ...published,
    refine: (parsed, context) => {
      const attributes = named(manifest, parsed, context)
      if (attributes === null) published.refine?.(parsed, context)
      else context.within({ attributes, remote: false }, (inner) => published.refine?.(parsed, inner))
    },
  }
}

/** Options that choose packages elsewhere than where the command runs. */
const CHOOSES = /^(?:-w|--workspaces?|-ws|--prefix|-C|--cwd|--dir|-r|--recursive|-F|--filter|--manifest-path|-p|--package)(?:=|$)/
const NAME = /^@?[\w.~-]+(?:\/[\w.~-]+)?$/
const MANIFEST_BYTES = 262_144

/** What the package that would be published calls itself: null where its manifest does not say so. No attributes where it is named otherwise. */
function named(
  manifest: 'package.json' | 'Cargo.toml',
  { invocation, operands }: ParsedCommand,
  { cwd, view }: CommandContext,
): JsonObject | null {
  if (manifest === 'Cargo.toml' && invocation.args.some((word) => CHOOSES.test(word.prefix))) return null
  const [folder] = operands
  const there = folder === undefined ? '' : `/${folder.text ?? ''}`
  const chosen =
    invocation.args.some((word) => CHOOSES.test(word.prefix)) ||
    (folder !== undefined && (folder.text === null || /^[~/]/.test(folder.text)))
  if (cwd === null || chosen) return { package: null }
  const { real } = view.realpath(`${cwd}${there}/${manifest}`)
  const file = view.read(real, MANIFEST_BYTES)
  if (file === null || file.truncated) return { package: null }
  return { package: manifest === 'package.json' ? nameInJson(file.text) : nameInToml(file.text), manifest: real }
}

function nameInJson(text: string): string | null {
  const manifest = parseJson(text)
  const name = isJsonObject(manifest) ? own(manifest, 'name') : null
  return typeof name === 'string' && NAME.test(name) ? name : null
}

/** The one `name` under `[package]`. */
function nameInToml(text: string): string | null {
  const start = text.search(/^\[package\]/m)
  if (start < 0) return null
  const rest = text.slice(start + '[package]'.length)
  const end = rest.search(/^\[/m)
  const [, name] = /^name[ \t]*=[ \t]*["']([^"'\n]*)["']/m.exec(end < 0 ? rest : rest.slice(0, end)) ?? []
  return name !== undefined && NAME.test(name) ? name : null
}
