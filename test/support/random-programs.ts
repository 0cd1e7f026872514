/** Random programs over a small tree of files, run on a copy and tried out over an overlay: both must leave the same. */
import { execFileSync } from 'node:child_process'
import { chmodSync, linkSync, lstatSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { release } from 'node:os'
import { join } from 'node:path'
import { attributesNow } from '../../src/sandbox/attributes.ts'
import { type Entry, openedEntry } from '../../src/sandbox/changes.ts'
import type { Trials } from '../../src/sandbox/overlay.ts'
import { LIMITS } from './trial-limits.ts'

/** Deterministic numbers below `n`. */
function numbers(seed: number): (n: number) => number {
  let state = (seed * 2_654_435_761 + 1) >>> 0
  return (n) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * n)
  }
}

/** Since Linux 6.6 the layer that is written to has room for extended attributes of users. */
export const ATTRIBUTES = (([major = 0, minor = 0]) => major > 6 || (major === 6 && minor >= 6))(release().split('.').map(Number))
const [SET, REMOVE] = process.arch === 'arm64' ? [5, 14] : [188, 197]
/** The machine's own tool for it is not everywhere. */
export const SET_ATTRIBUTE = `attribute() { perl -e '$ARGV[0] eq "set" ? syscall(${SET},$ARGV[1],$ARGV[2],$ARGV[3],length $ARGV[3],0) : syscall(${REMOVE},$ARGV[1],$ARGV[2])' "$@"; }`

const NAMES = ['a', 'b', 'c', 'dir', 'dir/a', 'dir/b', 'dir/in', 'dir/in/a', 'dir/in/b', 'new', 'new/a', '-x', 'with space', 'dir/link']

export function programOf(seed: number): string {
  const below = numbers(seed)
  const name = (): string => `'./${NAMES[below(NAMES.length)]}'`
  const acts: readonly (() => string)[] = [
    () => `echo ${below(9)} > ${name()}`,
    () => `echo ${below(9)} >> ${name()}`,
    () => `rm -rf ${name()}`,
    () => `mkdir -p ${name()}`,
    () => `mv -T ${name()} ${name()}`,
    () => `mv ${name()} ${name()}`,
    () => {
      const [from, to] = [name(), name()]
      // What a copy of a directory into itself leaves depends on the order in which its names are read.
      return `${to.slice(0, -1)}/`.startsWith(`${from.slice(0, -1)}/`) ? ':' : `cp -r ${from} ${to}`
    },
    () => `ln ${name()} ${name()}`,
    () => `ln -sfn ${below(2) === 0 ? 'a' : '/nonexistent/file'} ${name()}`,
    () => `chmod ${below(2) === 0 ? '600' : '755'} ${name()}`,
    () => {
      const at = name()
      return `rm -rf ${at}; mkdir ${at} && echo again > ${at}/a`
    },
    () => `truncate -s ${below(3)} ${name()}`,
    () => `rmdir ${name()}`,
    ...(ATTRIBUTES
      ? [
          () => `attribute set ${name()} user.${'ab'[below(2)]} ${below(3)}`,
          () => `attribute set ${name()} user.${'ab'[below(2)]} ${below(3)}`,
          () => `attribute remove ${name()} user.${'ab'[below(2)]}`,
          () => `cp -P --preserve=xattr ${name()} ${name()}`,
        ]
      : []),
  ]
  const lines = Array.from({ length: 1 + below(7) }, () => acts[below(acts.length)]?.() ?? ':')
  return [...(ATTRIBUTES ? [SET_ATTRIBUTE] : []), ...lines.map((line) => `{ ${line}; } 2>/dev/null`)].join('\n')
}

/** The tree that every program starts from. */
export function plant(root: string): void {
  rmSync(root, { recursive: true, force: true })
  mkdirSync(join(root, 'dir', 'in'), { recursive: true })
  for (const [index, name] of ['a', 'b', 'dir/a', 'dir/in/a', 'dir/in/b', '-x', 'with space'].entries())
    writeFileSync(join(root, name), `text ${index}\n`)
  writeFileSync(join(root, 'c'), Buffer.from([0, 1, 2, 255]))
  chmodSync(join(root, 'dir/in/b'), 0o700)
  symlinkSync('../a', join(root, 'dir/link'))
}

/** Extended attributes in that tree, set as any program would. */
export function plantAttributes(
  root: string,
  script = 'attribute set a user.a old; attribute set dir user.b old; attribute set dir/in user.a old',
): void {
  if (ATTRIBUTES) execFileSync('/bin/bash', ['-c', `${SET_ATTRIBUTE}; ${script}`], { cwd: root })
}

/** Names with hard links, beside the tree: what is written to one of them in place changes both. */
export function plantLinks(root: string): void {
  writeFileSync(join(root, 'one'), 'shared\n')
  linkSync(join(root, 'one'), join(root, 'two'))
}

/** A sandbox has no capabilities: where the tests run as root, the copied run has none either, so that permissions hold for both. */
const WITHOUT_RIGHTS = process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-all', '--inh-caps=-all'] : []

/** What differs between the two, as lines; empty where they left the same. */
export async function compareProgram(seed: number, root: string, trials: Trials): Promise<readonly string[]> {
  const [origin, copy] = [join(root, 'origin'), join(root, 'copy')]
  plant(origin)
  plantAttributes(origin)
  discard(copy)
  execFileSync('cp', ['-a', '--', origin, copy])
  const program = programOf(seed)
  try {
    const [run = '', ...words] = [...WITHOUT_RIGHTS, '/bin/bash', '-c', program]
    execFileSync(run, words, { cwd: copy, stdio: 'ignore' })
  } catch {
    // The last act of a program may fail, here and there.
  }
  const before = listed(origin)
  const identity = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }
  const cell = { hidden: [], programs: [], cwd: origin, environment: {}, identity, limits: LIMITS }
  const { changes, ended } = await trials.run(['/bin/bash', '-c', program], { places: [origin], reads: [], cell })
  const seen = new Map(before)
  for (const { path, after } of changes) {
    const name = path.slice(origin.length)
    if (after === null) seen.delete(name)
    else seen.set(name, lineOf(after))
  }
  const expected = listed(copy)
  const wrong = [...new Set([...expected.keys(), ...seen.keys()])].filter((name) => expected.get(name) !== seen.get(name))
  const now = listed(origin)
  const touched = [...before].filter(([name, line]) => now.get(name) !== line).map(([name]) => `origin changed: ${name}`)
  return [
    ...touched,
    ...(ended === null ? [] : [`ended: ${ended}`]),
    ...wrong.map((name) => `${name}: ${expected.get(name)} / ${seen.get(name)}\n${program}`),
  ]
}

/** Also what its own user could not look into. */
export function discard(root: string): void {
  try {
    execFileSync('chmod', ['-R', 'u+rwx', '--', root], { stdio: 'ignore' })
  } catch {
    // It is not there, or is a link.
  }
  rmSync(root, { recursive: true, force: true })
}

/** Opens what its user cannot look into, and tells the permissions that it had. */
export function listed(root: string): Map<string, string> {
  const found = new Map<string, string>()
  const entries: [name: string, entry: Entry][] = []
  const walk = (path: string): void => {
    for (const name of readdirSync(root + path)) {
      const entry = openedEntry(`${root}${path}/${name}`, { digestBytes: 1 << 20, textBytes: 0 })
      if (entry === null) continue
      entries.push([`${path}/${name}`, entry])
      if (lstatSync(`${root}${path}/${name}`).isDirectory()) walk(`${path}/${name}`)
    }
  }
  walk('')
  const attributes = attributesNow(entries.map(([name]) => root + name))
  for (const [index, [name, entry]] of entries.entries()) found.set(name, lineOf({ ...entry, attributes: attributes?.[index] ?? [] }))
  return found
}

function lineOf({ digest, mode, attributes = [] }: Entry): string {
  return `${digest.slice(0, 24)} ${[mode.toString(8), ...attributes].join(' ')}`
}
