/**
 * The words that put up a sandbox over copies that cost nothing: in a user namespace of its own, each directory is the lower layer of
 * an overlay, bubblewrap is given the merged directory, and what is written lands in a layer above, which ends with the process. Pure.
 */
import { type Cell, ownPlaces, type System, sandboxed } from './cell.ts'
import { type Group, NOT_JOINED } from './cgroup.ts'
import { isInside } from './private.ts'

/** What a program sees and may write to. All paths are absolute and canonical. */
export interface Trial {
  /** Directories that stand at their own paths, as copies that can be written to. None lies in another. */
  readonly places: readonly string[]
  /** Directories that it may only read. */
  readonly reads: readonly string[]
  readonly cell: Omit<Cell, 'mounts' | 'copy' | 'binds'>
}

export interface StageSystem extends System {
  /** `unshare` of util-linux. */
  readonly unshare: string
}

/** What a sandbox stands on: the machine's programs, and the group that holds its processes. */
export interface Ground {
  readonly system: StageSystem
  readonly group: Pick<Group, 'entry'>
}

/** Descriptors of the stage besides the three usual ones. */
export const CONTROL = 3
/** bubblewrap starts nothing before it read something here. */
export const BLOCK = 4
/** The stage ends when this one is closed. */
export const HOLD = 5
/** bubblewrap says which process the sandbox is. */
export const INFO = 6
/** bubblewrap reads what calls of the kernel are refused. */
export const FILTER = 7

/** Where the layers stand, seen from the stage. */
export const LAYERS = '/run/layers'

/** Where the program's own directories stand, seen from the stage: each by its number. */
export const OWN = '/run/own'
export const MOST_OWN = 3

/** The kernel refuses more than this beyond the limit: what stays between two looks, with bubblewrap's own. */
export const PROCESSES_BEYOND = 64

/** Names that are copied where no overlay can be mounted, of all places together. */
export const MAX_COPIED = 2_000

/** Part of a shell's text: copies a lower layer, of whose overlay `said` says why it cannot be mounted. `left` counts down. */
export const COPY = `copy() {
  count=$(find "$1/lower" -mindepth 1 | head -n $((left + 1)) | wc -l)
  [ "$count" -le "$left" ] || { say "problem $said; only up to ${MAX_COPIED} files are copied instead, and there are more"; return 1; }
  wrong=$(cp -dR --preserve=mode,timestamps,links,xattr -- "$1/lower/." "$1/merged" 2>&1) ||
    { say "problem $said; copying it instead failed: $wrong"; return 1; }
  rmdir "$1/upper" && ln -s merged "$1/upper" || { say "problem $said"; return 1; }
  left=$((left - count)); copied=$((${MAX_COPIED} - left))
}`

/** Names below `OWN`. */
const numbered = (count: number): string => Array.from({ length: count }, (_, index) => `${OWN}/${index}`).join(' ')

/**
 * Fixed text: every path and every word of the command is an argument, and no shell reads any of them. Lower layers are bound to names of
 * our own first, since overlay options have a syntax. `userxattr` is what lets a directory be deleted and made again. The process that becomes
 * bubblewrap joins its group while the layers are mounted, as the kernel takes some ten milliseconds for it; it starts nothing before both are done.
 * Where no overlay can be mounted, such as over two others, a small directory is copied; the copy stands for the upper layer, too.
 */
const STAGE = `copied=; left=${MAX_COPIED}
say() { printf '%s\\n' "$*" >&${CONTROL}; }
${COPY}
space=$1; entry=$2; n=$3; needed=$4; sockets=open; shift 4
mount -t tmpfs -o "size=$space,mode=700" none /run 2>/dev/null || { say "problem no private memory can be mounted"; exit 0; }
mkdir ${OWN} && mount -t tmpfs -o "size=$space,mode=700" none ${OWN} 2>/dev/null && mkdir -m 755 ${numbered(MOST_OWN)} ||
  { say "problem no private memory can be mounted"; exit 0; }
mkfifo /run/go /run/out /run/err
{
  shift "$n"
  joined=; [ -z "$entry" ] || { echo 0 >"$entry"; } 2>/dev/null || joined=no
  read -r _ </run/go
  exec >/run/out 2>/run/err </dev/null ${CONTROL}>&- ${HOLD}<&-
  [ -z "$joined" ] || { echo '${NOT_JOINED}' >&2; exit 1; }
  exec "$@"
} & command=$!
names=; i=0
while [ "$i" -lt "$n" ]; do
  for name in lower upper work merged; do names="$names ${LAYERS}/$i/$name"; done
  i=$((i + 1))
done
mkdir -p ${LAYERS} $names
i=0
while [ "$i" -lt "$n" ]; do
  at=${LAYERS}/$i
  said=$( { mount --bind -- "$1" "$at/lower" || mount --rbind -- "$1" "$at/lower"; } 2>&1 ) || { say "problem $said"; exit 0; }
  chmod --reference="$at/lower" "$at/upper"
  said=$(mount -t overlay overlay -o "lowerdir=$at/lower,upperdir=$at/upper,workdir=$at/work,userxattr" "$at/merged" 2>&1) ||
    if [ "$i" -lt "$needed" ]; then copy "$at" || exit 0
    else
      sockets=closed
      said=$( { mount --bind -- "$at/lower" "$at/merged" || mount --rbind -- "$at/lower" "$at/merged"; } 2>&1) || { say "problem $said"; exit 0; }
    fi
  shift; i=$((i + 1))
done
[ -z "$copied" ] || say "copied $copied"
say "sockets $sockets"
cat /run/out & out=$!
cat /run/err >&2 & err=$!
echo go >/run/go
wait "$command"
code=$?
wait "$out" "$err"
say "done $code"
exec ${INFO}>&-
read -r _ <&${HOLD}
exit 0`

/** Directories of which a stage makes layers, in this order. */
export interface Layered {
  /** Each an overlay, or a copy where there can be none. */
  readonly needed: readonly string[]
  /** Directories of programs: each an overlay, or as it is. INVARIANT: where one is as it is, the command may use no socket that has a name. */
  readonly programs: readonly string[]
}

export function layered({ places, reads, cell }: Trial, { roots }: System): Layered {
  const programs = [...roots].filter(([, link]) => link === null).map(([path]) => path)
  const all = [...programs, ...cell.programs.filter((path) => !places.some((place) => isInside(path, place)))]
  return { needed: [...places, ...reads], programs: all.filter((path) => !all.some((other) => other !== path && isInside(path, other))) }
}

/** What bubblewrap is started with, by either stage. */
export function behindStage(command: readonly string[], trial: Trial, system: System): readonly string[] {
  const { places, reads, cell } = trial
  const { needed, programs } = layered(trial, system)
  // Also what is only read stands on a copy: a socket in a directory that is bound would be that of the machine, however read-only the directory is.
  const copies = [...places, ...reads].map((to, index) => ({ from: mergedAt(index), to, writable: index < places.length }))
  const binds = [...copies.slice(places.length), ...copies.slice(0, places.length)]
  const programsAt = (path: string): string | null => {
    const index = programs.findIndex((each) => isInside(path, each))
    return index === -1 ? null : mergedAt(needed.length + index) + path.slice(programs[index]?.length)
  }
  const own = ownPlaces(cell.home)
  const ownAt = (path: string): string => `${OWN}/${own.indexOf(path)}`
  const limits = { ...cell.limits, processes: cell.limits.processes + PROCESSES_BEYOND }
  const [bwrap = '', ...words] = sandboxed(
    command,
    { ...cell, limits, mounts: [], copy: false, binds, programsAt, ownAt, filter: FILTER },
    system,
  )
  return [bwrap, '--info-fd', String(INFO), '--block-fd', String(BLOCK), ...words]
}

const mergedAt = (index: number): string => `${LAYERS}/${index}/merged`

/** Program and arguments of a shell that is the stage. */
export function staged(command: readonly string[], trial: Trial, { system, group }: Ground): readonly string[] {
  const { needed, programs } = layered(trial, system)
  const all = [...needed, ...programs]
  return [
    system.unshare,
    ...['--user', '--map-root-user', '--mount', '--propagation', 'private', '--'],
    ...[
      '/bin/sh',
      '-c',
      STAGE,
      'sh',
      String(trial.cell.limits.spaceBytes),
      group.entry ?? '',
      String(all.length),
      String(needed.length),
      ...all,
    ],
    ...behindStage(command, trial, system),
  ]
}
