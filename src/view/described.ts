/**
 * A world that somebody wrote down for a recorded call or a test of a policy. Strict: a field that would be ignored would make
 * a case say something else than it shows. Paths may begin with `~/`, or be relative to `cwd`.
 */
import { isJsonObject, type Json, type JsonObject, own } from '../core/json.ts'
import type { GitAnswer } from '../facts/view.ts'
import type { World } from './fixed.ts'

/** A description that cannot be read. */
export class WorldFault extends Error {
  override readonly name = 'WorldFault'
}

const FIELDS = ['home', 'user', 'cwd', 'roots', 'temporary', 'env', 'files', 'directories', 'links', 'git', 'hosts', 'processes']

/** What the description says, over `base`. Files, directories and links are added to those of the base. @throws {WorldFault} */
export function describedWorld(value: Json, base: World): World {
  const written = objectOf(value, 'a world')
  const unknown = Object.keys(written).find((key) => !FIELDS.includes(key))
  if (unknown !== undefined) throw new WorldFault(`a world has no \`${unknown}\`; valid: ${FIELDS.join(', ')}`)
  const home = textOf(written, 'home') ?? base.home
  const moved = home === base.home ? (base.cwd ?? null) : `${home}/project`
  const at = (path: string): string => absolute(path, { home, cwd: moved ?? home })
  const cwd = mapped(textOf(written, 'cwd'), at) ?? moved
  const place = (path: string): string => absolute(path, { home, cwd: cwd ?? home })
  const roots = mapped(textsOf(written, 'roots'), (all) => all.map(place))
  const temporary = mapped(textsOf(written, 'temporary'), (all) => all.map(place))
  const entries = entriesOf(written, base, place)
  const { roots: _roots, ...rest } = base
  return {
    ...rest,
    home,
    cwd,
    // A workspace that was guessed holds for the directory that it was guessed for.
    ...(roots === null ? (cwd === base.cwd && base.roots !== undefined ? { roots: base.roots } : {}) : { roots }),
    ...(temporary === null ? {} : { temporary }),
    ...(home === base.home ? {} : { gate: [`${home}/.countersign`] }),
    ...present('user', textOf(written, 'user')),
    ...present(
      'env',
      mapped(textMap(written, 'env'), (own) => ({ ...base.env, ...own })),
    ),
    ...present('hosts', hostsOf(written)),
    ...present('processes', processesIn(written, place)),
    ...entries,
    ...gitOf(own(written, 'git'), { base, cwd, place, files: entries.files ?? {} }),
  }
}

const CHANGES = ['files', 'directories', 'links', 'git', 'env']

/** What a call that ran left behind: a file whose text is null is gone. @throws {WorldFault} */
export function changedWorld(value: Json, world: World): World {
  const written = objectOf(value, '`after`')
  const unknown = Object.keys(written).find((key) => !CHANGES.includes(key))
  if (unknown !== undefined) throw new WorldFault(`\`after\` has no \`${unknown}\`; valid: ${CHANGES.join(', ')}`)
  return describedWorld(written, world)
}

interface Base {
  readonly home: string
  readonly cwd: string
}

function absolute(path: string, { home, cwd }: Base): string {
  const whole = path === '~' || path.startsWith('~/') ? `${home}${path.slice(1)}` : path.startsWith('/') ? path : `${cwd}/${path}`
  const parts: string[] = []
  for (const part of whole.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return `/${parts.join('/')}`
}

type Place = (path: string) => string

function entriesOf(written: JsonObject, base: World, place: Place): Pick<World, 'files' | 'directories' | 'links'> {
  const files: Record<string, string> = Object.assign(Object.create(null), base.files)
  const directories = new Set(base.directories)
  for (const [path, text] of Object.entries(optional(written, 'files'))) {
    if (text !== null && typeof text !== 'string')
      throw new WorldFault(`\`files\`: the content of \`${path}\` is text, or null where it is gone`)
    if (path.endsWith('/')) directories.add(place(path))
    else if (text === null) delete files[place(path)]
    else files[place(path)] = text
  }
  for (const path of textsOf(written, 'directories') ?? []) directories.add(place(path))
  const links: Record<string, string> = Object.assign(Object.create(null), base.links)
  for (const [path, to] of Object.entries(textMap(written, 'links') ?? {})) links[place(path)] = to.startsWith('~') ? place(to) : to
  return { files, directories: [...directories], links }
}

const GIT = ['branch', 'remotes', 'aliases', 'clean']

interface Around {
  readonly base: World
  readonly cwd: string | null
  readonly place: Place
  readonly files: NonNullable<World['files']>
}

/** By the top directory; or one answer, which is that of the repository around `cwd`. */
function gitOf(value: Json | undefined, { base, cwd, place, files }: Around): Pick<World, 'git' | 'committed'> {
  if (value === undefined || value === null) return {}
  const written = objectOf(value, '`git`')
  const keys = Object.keys(written)
  const byTop = keys.length > 0 && keys.every((key) => /^[/~.]/.test(key))
  const tops = byTop
    ? Object.entries(written).map(([top, answer]) => [place(top), answer] as const)
    : [[cwd ?? base.home, written] as const]
  const git = { ...base.git, ...Object.fromEntries(tops.map(([top, answer]) => [top, gitAnswer(top, answer)])) }
  // What the files of a clean repository hold now is what it has committed, whatever becomes of them later.
  const clean = tops.filter(([, answer]) => isClean(answer)).map(([top]) => `${top}/`)
  const committed = Object.entries(files).filter(([path]) => clean.some((top) => path.startsWith(top)))
  return { git, ...(committed.length === 0 ? {} : { committed: { ...base.committed, ...Object.fromEntries(committed) } }) }
}

function isClean(answer: Json): boolean {
  const value = own(objectOf(answer, '`git`'), 'clean') ?? false
  if (typeof value === 'boolean') return value
  throw new WorldFault('`clean` is true or false')
}

function gitAnswer(top: string, value: Json): GitAnswer {
  const written = objectOf(value, '`git`')
  const unknown = Object.keys(written).find((key) => !GIT.includes(key))
  if (unknown !== undefined) throw new WorldFault(`\`git\` has no \`${unknown}\`; valid: ${GIT.join(', ')}, or top directories`)
  return { top, branch: textOf(written, 'branch'), remotes: textMap(written, 'remotes') ?? {}, aliases: textMap(written, 'aliases') ?? {} }
}

function hostsOf(written: JsonObject): NonNullable<World['hosts']> | null {
  if (own(written, 'hosts') === undefined) return null
  const hosts = optional(written, 'hosts')
  return Object.fromEntries(Object.keys(hosts).map((name) => [name, textsOf(hosts, name) ?? []]))
}

/** `[{command: "node server.js", cwd: ".", terminal: true}]`; the name is the program's. */
function processesIn(written: JsonObject, place: Place): NonNullable<World['processes']> | null {
  const listed = own(written, 'processes')
  if (listed === undefined) return null
  if (!Array.isArray(listed)) throw new WorldFault('`processes` is a list')
  return listed.map((value) => {
    const one = objectOf(value, 'a process')
    const unknown = Object.keys(one).find((key) => !PROCESS.includes(key))
    if (unknown !== undefined) throw new WorldFault(`a process has no \`${unknown}\`; valid: ${PROCESS.join(', ')}`)
    const command = textOf(one, 'command') ?? ''
    const name = textOf(one, 'name') ?? command.split(' ', 1)[0]?.split('/').at(-1) ?? ''
    return { name: name.slice(0, 15), command, cwd: mapped(textOf(one, 'cwd'), place), isAnothers: own(one, 'terminal') === true }
  })
}

const PROCESS = ['command', 'name', 'cwd', 'terminal']

function objectOf(value: Json, what: string): JsonObject {
  if (isJsonObject(value)) return value
  throw new WorldFault(`${what} is a mapping`)
}

function optional(object: JsonObject, key: string): JsonObject {
  const value = own(object, key)
  return value === undefined || value === null ? {} : objectOf(value, `\`${key}\``)
}

function textOf(object: JsonObject, key: string): string | null {
  const value = own(object, key)
  if (value === undefined || value === null || typeof value === 'string') return value ?? null
  throw new WorldFault(`\`${key}\` is text`)
}

function textsOf(object: JsonObject, key: string): readonly string[] | null {
  const value = own(object, key)
  if (value === undefined || value === null) return null
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value
  throw new WorldFault(`\`${key}\` is a list of texts`)
}

function textMap(object: JsonObject, key: string): Readonly<Record<string, string>> | null {
  const value = own(object, key)
  if (value === undefined || value === null) return null
  const entries = Object.entries(objectOf(value, `\`${key}\``))
  const texts = entries.flatMap(([name, text]) => (typeof text === 'string' ? [[name, text] as const] : []))
  if (texts.length < entries.length) throw new WorldFault(`\`${key}\` maps names to texts`)
  return Object.fromEntries(texts)
}

function mapped<T, U>(value: T | null, map: (value: T) => U): U | null {
  return value === null ? null : map(value)
}

function present<K extends string, T>(key: K, value: T | null): Partial<Record<K, T>> {
  return (value === null ? {} : { [key]: value }) as Partial<Record<K, T>>
}
