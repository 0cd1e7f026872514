/**
 * The words that bubblewrap is called with: a root of its own that holds the system's programs and some directories, all of it
 * read-only and at their own paths, with no network, no capabilities and nothing of the caller's environment. Pure.
 */

/** What a program may see and use. All paths are absolute and canonical. */
export interface Cell {
  /** Directories that are visible, read-only, at their own paths. */
  readonly mounts: readonly string[]
  /** True: programs see throw-away copies of the mounts, which they may write to. */
  readonly copy: boolean
  /** What of the mounts is not to be seen: directories are empty there, and files cannot be read. */
  readonly hidden: readonly Hidden[]
  /** Directories with programs besides the system's: read-only, and looked through first. */
  readonly programs: readonly string[]
  readonly cwd: string
  /** All of the environment besides `PATH`, `HOME`, `TMPDIR` and `LANG`. */
  readonly environment: Readonly<Record<string, string>>
  readonly limits: Limits
  /** Where a directory of programs stands when bubblewrap starts; null: it is part of a bind. Absent: each at its own path. */
  readonly programsAt?: (path: string) => string | null
  /** Where an empty directory stands that is to be the program's own `/tmp`, scratch directory or home. Absent: bubblewrap makes each. */
  readonly ownAt?: (path: string) => string
  /** What stands elsewhere when bubblewrap starts. Absent: nothing. */
  readonly binds?: readonly Bind[]
  /** The descriptor from which bubblewrap reads what calls of the kernel are refused. Absent: the kernel's own rules hold alone. */
  readonly filter?: number
  /** Files of the system besides the usual ones, where they are there. Absent: none. */
  readonly settings?: readonly string[]
  /** Ids that programs see. Default: nobody's. */
  readonly identity?: { readonly uid: number; readonly gid: number }
  /** An empty directory of this name is the home. Default: the scratch directory. */
  readonly home?: string
}

export interface Bind {
  readonly from: string
  readonly to: string
  /** True: it can be written to. */
  readonly writable: boolean
}

export interface Hidden {
  readonly path: string
  readonly directory: boolean
}

export interface Limits {
  readonly timeMs: number
  /** Of data, for each process. */
  readonly memoryBytes: number
  /** Of both outputs together; what is beyond it is left out from their middle. */
  readonly outputBytes: number
  /** Of each place that can be written to. */
  readonly spaceBytes: number
  readonly processes: number
}

/** What this machine's system looks like; `links` are those of the root, such as `/bin`. */
export interface System {
  readonly bwrap: string
  readonly prlimit: string
  /** Top-level directories of programs and libraries, and where a symbolic link among them leads. */
  readonly roots: ReadonlyMap<string, string | null>
  /** True where the sandbox can also keep programs from making user namespaces. */
  readonly closed: boolean
}

const NOBODY = 65_534
/** Ends with the program here, as on any machine. */
export const SCRATCH = '/run/scratch'
/** Directories that are the program's alone, empty where it begins. */
export const ownPlaces = (home: string | undefined): readonly string[] => ['/tmp', SCRATCH, ...(home === undefined ? [] : [home])]
const ORIGINS = '/run/origin'

/** Settings that programs do not run without; none of them is private. */
const SETTINGS = ['/etc/alternatives', '/etc/ld.so.cache', '/etc/ld.so.conf', '/etc/ld.so.conf.d', '/etc/localtime'] as const

/**
 * Switches of the kernel. The kernel lets root's own uid write them whatever capabilities are gone and whatever namespace it is in, so
 * under a gate that runs as root only a read-only mount keeps a program from them.
 */
const KERNEL = ['sys', 'sysrq-trigger', 'irq', 'bus', 'fs', 'scsi', 'acpi', 'driver', 'mtrr'].map((name) => `/proc/${name}`)

/** Program and arguments for the host; the command runs inside. */
export function sandboxed(command: readonly string[], cell: Cell, system: System): readonly string[] {
  return [
    system.bwrap,
    ...walls(cell, system),
    ...rootOf(cell, system),
    ...mountsOf(cell),
    ...(cell.binds ?? []).flatMap(({ from, to, writable }) => [writable ? '--bind' : '--ro-bind', from, to]),
    ...hiddenIn(cell),
    ...['--remount-ro', '/dev', '--remount-ro', '/'],
    '--clearenv',
    ...Object.entries(environmentOf(cell)).flatMap(([name, value]) => ['--setenv', name, value]),
    ...['--chdir', '/', '--'],
    ...limited(cell.limits, system),
    ...placed(command, cell),
  ]
}

function walls({ identity = { uid: NOBODY, gid: NOBODY }, filter }: Cell, { closed }: System): readonly string[] {
  return [
    '--unshare-user',
    ...(closed ? ['--disable-userns'] : []),
    ...['--unshare-ipc', '--unshare-pid', '--unshare-net', '--unshare-uts', '--unshare-cgroup-try'],
    ...['--uid', String(identity.uid), '--gid', String(identity.gid), '--hostname', 'sandbox'],
    ...['--cap-drop', 'ALL', '--die-with-parent', '--new-session'],
    ...(filter === undefined ? [] : ['--seccomp', String(filter)]),
  ]
}

function rootOf({ programs, limits, settings = [], home, ownAt, programsAt = (path) => path }: Cell, { roots }: System): readonly string[] {
  const space = ['--size', String(limits.spaceBytes), '--tmpfs']
  const stands = (path: string): readonly string[] => {
    const at = programsAt(path)
    return at === null ? [] : ['--ro-bind', at, path]
  }
  return [
    ...[...roots].flatMap(([path, link]) => (link === null ? stands(path) : ['--symlink', link, path])),
    ...[...SETTINGS, ...settings].flatMap((path) => ['--ro-bind-try', path, path]),
    ...['--proc', '/proc', '--dev', '/dev'],
    ...KERNEL.flatMap((path) => ['--ro-bind-try', path, path]),
    ...[...space, '/dev/shm'],
    ...ownPlaces(home).flatMap((path) => (ownAt === undefined ? [...space, path] : ['--bind', ownAt(path), path])),
    ...programs.flatMap(stands),
  ]
}

function mountsOf({ mounts, copy, limits }: Cell): readonly string[] {
  if (!copy) return mounts.flatMap((path) => ['--ro-bind', path, path])
  return mounts.flatMap((path, index) => {
    return ['--ro-bind', path, origin(index), '--size', String(limits.spaceBytes), '--tmpfs', path]
  })
}

function origin(index: number): string {
  return `${ORIGINS}/${index}`
}

/** Where copies are made, it is the origins that hold what is to be hidden. */
function hiddenIn({ mounts, copy, hidden }: Cell): readonly string[] {
  return hidden.flatMap(({ path, directory }) => {
    const index = mounts.findIndex((mount) => path.startsWith(`${mount}/`))
    const place = copy && index !== -1 ? origin(index) + path.slice(mounts[index]?.length) : path
    return directory ? ['--tmpfs', place, '--remount-ro', place] : ['--ro-bind', '/dev/null', place]
  })
}

function environmentOf({ programs, environment, home = SCRATCH }: Cell): Readonly<Record<string, string>> {
  const path = [...programs, '/usr/local/bin', '/usr/bin', '/bin', '/usr/sbin', '/sbin'].join(':')
  return { LANG: 'C.UTF-8', ...environment, PATH: path, HOME: home, TMPDIR: SCRATCH }
}

function limited({ timeMs, memoryBytes, spaceBytes, processes }: Limits, { prlimit }: System): readonly string[] {
  return [
    prlimit,
    `--data=${memoryBytes}`,
    `--fsize=${spaceBytes}`,
    `--cpu=${Math.ceil(timeMs / 1_000) + 1}`,
    `--nproc=${processes}`,
    // With a limit of 0 the kernel still starts the machine's own handler of crashes, outside; with 1 it does not.
    ...['--nofile=1024', '--core=1', '--'],
  ]
}

/** Fixed text: every path and every word of the command is an argument to it, and no shell reads any of them. */
const PLACE = `n=$1; shift
while [ "$n" -gt 0 ]; do
  cp -a -- "$1/." "$2" || echo 'sandbox: the copy is not complete' >&2
  shift 2; n=$((n - 1))
done
cd -- "$1" || exit 126
shift
exec "$@"`

function placed(command: readonly string[], { cwd, mounts, copy }: Cell): readonly string[] {
  const copies = copy ? mounts.map((path, index) => [origin(index), path]) : []
  return ['/bin/sh', '-c', PLACE, 'sh', String(copies.length), ...copies.flat(), cwd, ...command]
}
