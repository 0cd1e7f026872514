/**
 * Holds a sandbox to a number of processes where the kernel's limit for a user does not: root's own uid is exempt from it
 * (`RLIMIT_NPROC`), in every namespace, so a program that only starts itself twice would take the whole machine. Linux only.
 */
import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** One sandbox's group of processes. */
export interface Group {
  /** What a process writes `0` to before it becomes the program: then it and all that it starts belong to the group. Null: there is none. */
  readonly entry: string | null
  /** What starts `command` inside of the group, or not at all. */
  readonly started: (command: readonly string[]) => readonly string[]
  /** Takes the group away, once all of its processes have ended. */
  readonly end: () => void
}

/** Where the kernel's own limit holds. */
const NONE: Group = { entry: null, started: (command) => command, end: () => {} }

/** Version 1 has a hierarchy of its own for this; version 2 has one for all. */
const ROOTS = ['/sys/fs/cgroup/pids', '/sys/fs/cgroup'] as const
/** Begins as bubblewrap's own complaints do: the command was not run. */
export const NOT_JOINED = 'bwrap: its group of processes cannot be joined'
/** The shell puts itself into the group and becomes the program. */
const JOIN = `{ echo 0 > "$0"; } 2>/dev/null || { echo '${NOT_JOINED}' >&2; exit 1; }
exec "$@"`
const NAME = /^countersign-(\d+)-\d+$/
/** Ended processes leave their group a moment later. */
const EMPTY_MS = 50
const EMPTY_TRIES = 40

/** Where groups are made. */
export interface Groups {
  /**
   * A group of at most `processes` (threads count), or why there can be none. Without root's uid the kernel's limit holds, and no group is
   * made. INVARIANT: where it answers a reason, nothing is run: nothing else would bound a program that starts itself over and over.
   */
  readonly of: (processes: number) => Group | string
}

/** With what would help. */
export const UNBOUND =
  'the gate runs as root, and no cgroup that limits processes (`pids.max`) can be made, so nothing would bound a program that starts itself ' +
  'over and over. Run the gate as another user, or let it write its cgroup (systemd: `Delegate=pids`; a container: a writable /sys/fs/cgroup)'

/** @param roots hierarchies that are tried in turn; default this machine's. */
export function createGroups(roots: readonly string[] = ROOTS): Groups {
  let place: string | null = null
  return {
    of: (processes) => {
      if (process.getuid?.() !== 0) return NONE
      place ??= placeOf(processes, roots)
      if (place === null) return UNBOUND
      const group = nextIn(place)
      if (!tried(group, processes)) return UNBOUND
      const entry = join(group, 'cgroup.procs')
      return { entry, started: (command) => ['/bin/sh', '-c', JOIN, entry, ...command], end: () => remove(group) }
    },
  }
}

/** Of this machine. */
export const GROUPS: Groups = createGroups()

/** Why nothing bounds the processes of a sandbox here; null where something does. */
export function groupProblem(groups: Groups): string | null {
  const group = groups.of(1)
  if (typeof group === 'string') return group
  group.end()
  return null
}

let made = 0

/** The nearest group above this process in which one with a limit can be made. */
function placeOf(processes: number, roots: readonly string[]): string | null {
  for (const root of roots) {
    for (let at = ownGroup(root); at.startsWith(root); at = dirname(at)) {
      const group = nextIn(at)
      if (!tried(group, processes)) continue
      remove(group)
      clear(at)
      return at
    }
  }
  return null
}

const nextIn = (at: string): string => join(at, `countersign-${process.pid}-${made++}`)

/** `/proc/self/cgroup` has `hierarchy:controllers:path` on each line; version 2's has neither number nor names. */
function ownGroup(root: string): string {
  const controller = root.endsWith('/pids') ? 'pids' : ''
  try {
    const lines = readFileSync('/proc/self/cgroup', 'utf8').split('\n')
    const own = lines.map((line) => line.split(':')).find(([, controllers]) => controllers?.split(',').includes(controller))
    return join(root, own?.[2] ?? '/')
  } catch {
    return root
  }
}

function tried(group: string, processes: number): boolean {
  try {
    mkdirSync(group)
  } catch {
    return false
  }
  try {
    writeFileSync(join(group, 'pids.max'), String(processes), { flag: 'r+' })
    return true
  } catch {
    remove(group)
    return false
  }
}

/** Groups of gates that were killed. */
function clear(at: string): void {
  for (const name of namesIn(at)) {
    const pid = NAME.exec(name)?.[1]
    if (pid !== undefined && !alive(Number(pid))) remove(join(at, name))
  }
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory)
  } catch {
    return []
  }
}

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function remove(group: string, tries = EMPTY_TRIES): void {
  try {
    rmdirSync(group)
  } catch (error) {
    const busy = (error as NodeJS.ErrnoException).code === 'EBUSY'
    if (busy && tries > 0) setTimeout(remove, EMPTY_MS, group, tries - 1).unref()
  }
}
