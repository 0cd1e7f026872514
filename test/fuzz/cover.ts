/** Whether effects tell of what really happened. */
import type { Effect } from '../../src/core/effect.ts'
import type { ShellFacts } from '../../src/facts/bash/index.ts'
import type { Happened } from './trace.ts'

/** Programs that are parts of another one: who runs `tar -z` runs `gzip`; `system(…)` of an interpreter goes through `sh`. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  tar: ['gzip', 'bzip2', 'xz', 'zstd', 'sh'],
  gunzip: ['gzip', 'sh'],
  zcat: ['gzip', 'sh'],
  bzip2: ['sh'],
  gcc: ['cc1', 'as', 'collect2', 'ld', 'x86_64-linux-gnu-as', 'x86_64-linux-gnu-ld'],
  cc: ['cc1', 'as', 'collect2', 'ld', 'x86_64-linux-gnu-as', 'x86_64-linux-gnu-ld'],
  git: [
    'git',
    'sh',
    'git-upload-pack',
    'git-receive-pack',
    'git-bisect',
    'basename',
    'sed',
    'gettext',
    'envsubst',
    'uname',
    'pager',
    'less',
  ],
  npm: ['node', 'sh'],
  zip: ['sh', 'unzip'],
  zgrep: ['grep', 'sed', 'gzip', 'zcat', 'sh', 'bash'],
  ...Object.fromEntries(
    ['make', 'awk', 'perl', 'python3', 'sed', 'ed', 'ex', 'vim', 'flock', 'split', 'node', 'script', 'sqlite3', 'less', 'tclsh'].map(
      (name) => [name, ['sh']],
    ),
  ),
}

/** What the kernel or `env` puts in front of a script by its first line. */
const INTERPRETERS: ReadonlySet<string> = new Set(['sh', 'bash', 'env', 'python3', 'perl'])

/** What happened and is in no effect. Nothing where the analysis said that it could not tell. */
export function missing(happened: readonly Happened[], facts: ShellFacts, root: string): readonly Happened[] {
  if (facts.coverage === 'partial' || unseen(facts)) return []
  return happened.filter((item) => !told(item, facts, root))
}

/** That a script runs which is not read was said: what it does is not known, and this is how that is told. */
export function unseen(facts: ShellFacts): boolean {
  return facts.effects.some(({ action }) => action === 'script:unseen')
}

function told(item: Happened, facts: ShellFacts, root: string): boolean {
  if (item.kind === 'executed') return executed(item.path, facts)
  // A file of its own making that has no name any more is nobody's.
  if (!item.path.startsWith(`${root}/`) && /^\/(?:dev|proc)\/|^\/tmp(?:\/tmpf\w{6})?$/.test(item.path)) return true
  if (cached(item.path, facts.commands)) return true
  return facts.effects.some((effect) => verbFits(effect, item.kind) && (covers(effect, item.path) || implies(effect, item, facts)))
}

/** What goes with an effect and has no name of its own: directories on the way to a file, a repository's own files, a journal. */
function implies({ target, action }: Effect, { path, directory }: Happened, { commands }: ShellFacts): boolean {
  if (target.kind === 'package' && path.endsWith(`/${target.value}`)) return true
  if (target.kind === 'database' && BESIDE.some((end) => path.endsWith(`/${target.value}${end}`))) return true
  if (target.real === null) {
    if (directory === true && target.kind === 'path' && onTheWay(target.value, path)) return true
    return target.kind === 'repository' && own(path, commands)
  }
  if (directory === true && target.real.startsWith(`${path}/`)) return true
  if (BESIDE.some((end) => path === target.real + end)) return true
  return (action?.startsWith('git:') === true || target.real.endsWith('.git')) && own(path, commands)
}

/** What python and npm keep for themselves, beside modules and at home, and the manifest that a package is. */
function cached(path: string, commands: ShellFacts['commands']): boolean {
  const runs = (name: string): boolean => commands.some(({ program }) => program === name)
  if (/\/__pycache__(?:$|\/[\w.-]+\.pyc)/.test(path)) return runs('python3')
  return /\/home\/\.npm(?:$|\/)/.test(path) && runs('npm')
}

/** A directory that must be there for a name whose place is not known: `m1` for `m1/m2`. */
function onTheWay(value: string, path: string): boolean {
  const names = named(value).split('/')
  return names.some((_, index) => index > 0 && path.endsWith(`/${names.slice(0, index).join('/')}`))
}

/** A name from a place that is not known, without the way up from there. */
const named = (value: string): string => value.replace(/^(?:\.{0,2}\/)+/, '')

/** What databases keep while they write, and patch of what it cannot apply. */
const BESIDE: readonly string[] = ['-journal', '-wal', '-shm', '.rej', '.orig']

/** Hooks are left out: they are programs. */
function own(path: string, commands: ShellFacts['commands']): boolean {
  return /\/\.git(?:\/(?!hooks\/[\w-]+$)|$)/.test(path) && commands.some(({ program }) => program === 'git')
}

function executed(path: string, facts: ShellFacts): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const known = facts.commands.flatMap((fact) => [
    fact.program,
    ...fact.wrappers.map((wrapper) => wrapper.slice(wrapper.lastIndexOf('/') + 1)),
  ])
  if (known.includes(name)) return true
  if (known.some((program) => program !== null && Object.hasOwn(PARTS, program) && PARTS[program]?.includes(name) === true)) return true
  const scripts = facts.effects.some(({ verb, target: { kind } }) => verb === 'execute' && (kind === 'path' || kind === 'script'))
  if (scripts && INTERPRETERS.has(name)) return true
  return facts.effects.some((effect) => effect.verb === 'execute' && (effect.target.real === path || effect.target.value.endsWith(name)))
}

function verbFits(effect: Effect, kind: Happened['kind']): boolean {
  // A database is opened for writing whatever is asked of it.
  if (effect.target.kind === 'database') return true
  if (kind === 'deleted') return effect.verb === 'delete' || effect.action === 'archive:compress'
  return effect.verb === 'write' || effect.verb === 'persist' || effect.verb === 'change'
}

/** The target is the path, a directory above it that is meant as a whole, a pattern it matches, or not known. */
function covers(effect: Effect, path: string): boolean {
  const { target, attributes } = effect
  if (target.kind !== 'path' && target.kind !== 'script' && target.kind !== 'database') return false
  const { real } = target
  if (real === null) {
    // The directory or the name is not known, and the effect says so by having no place.
    const name = named(target.value)
    if (path.endsWith(`/${name}`) || attributes.unresolved === true || /[*$]|…$/.test(name)) return true
    return /[?[]/.test(name) && matches(`**/${name}`, path.slice(1))
  }
  if (real === path) return true
  if (/[*?[]/.test(real) && matches(real, path)) return true
  // A template of `mktemp`.
  if (effect.action === 'fs:touch' && /X{3,}/.test(real) && matches(real.replaceAll('X', '?'), path)) return true
  // Into a directory: under which name is not always known.
  if (/^fs:(?:copy|move|link)$/.test(effect.action ?? '') && path.slice(0, path.lastIndexOf('/')) === real) return true
  const whole =
    attributes.recursive === true ||
    attributes.mass === true ||
    effect.action?.startsWith('archive:') === true ||
    effect.action === 'git:clone'
  return (whole && path.startsWith(`${real}/`)) || effect.action === 'fs:mkdir'
    ? real.startsWith(`${path}/`) || path.startsWith(`${real}/`)
    : false
}

/** `*` and `?` within names; a pattern for a directory covers what is below. */
function matches(pattern: string, path: string): boolean {
  const source = pattern
    .replace(/[.+^$(){}|\\]/g, '\\$&')
    .replace(/\[!(?!:)/g, '[^')
    .replaceAll('[:alpha:]', 'a-zA-Z')
    .replaceAll('**/', '\u0001')
    .replaceAll('*', '[^/]*')
    .replaceAll('?', '[^/]')
    .replaceAll('\u0001', '(?:.*/)?')
  return new RegExp(`^${source}(?:/.*)?$`).test(path)
}
