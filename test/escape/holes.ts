/** What an attempt to leave a trial consists of, and the holes that are opened in its walls. */
import type { Limits } from '../../src/sandbox/cell.ts'
import type { Ended } from '../../src/sandbox/overlay.ts'
import type { Machine } from './machine.ts'
import type { Opening, Swap } from './openings.ts'

export interface Attempt {
  readonly title: string
  readonly script: string
  /** What is there before, also where the sandbox holds. */
  readonly planted?: Opening
  /** The hole. */
  readonly hole: (machine: Machine) => Opening
  readonly environment?: Readonly<Record<string, string>>
  readonly limits?: Partial<Limits>
  /** Why it is ended. Absent: it ends itself. */
  readonly ends?: Ended
  /** In the hole: what a policy without the limit would have. */
  readonly holeLimits?: Partial<Limits>
  /** Environment where the hole is open: smaller numbers, so that nothing of the machine suffers. */
  readonly holeEnvironment?: Readonly<Record<string, string>>
  /** False where another wall of this machine stands behind the hole, so that it cannot be seen here. */
  readonly seen?: boolean
}

export const AS_ROOT = process.getuid?.() === 0
export const python = (...lines: readonly string[]): string => `/usr/bin/python3 - <<'P'\n${lines.join('\n')}\nP`
/** Calls of the kernel by their numbers on this processor. */
export const CALLS = [
  'import ctypes,os,platform',
  'l=ctypes.CDLL(None,use_errno=True)',
  'n=dict(x86_64=dict(key=250,ring=425,fault=323,bpf=321,perf=298),aarch64=dict(key=219,ring=425,fault=282,bpf=280,perf=241))[platform.machine()]',
]

export const MERGED = '/run/layers/0/merged'
export const WORK_BIND = (machine: Machine): readonly string[] => ['--bind', MERGED, machine.work]
export const READ_BIND = (machine: Machine): readonly string[] => ['--ro-bind', '/run/layers/1/merged', machine.reads]
/** Stands before what is put into the root. */
export const above = (machine: Machine, words: readonly string[]): Swap => [READ_BIND(machine), [...words, ...READ_BIND(machine)]]
export const SEALED = ['--remount-ro', '/dev', '--remount-ro', '/'] as const
export const added = (...words: readonly string[]): Swap => [SEALED, [...words, ...SEALED]]
export const without = (...words: readonly string[]): Swap => [words, []]

export const outside = (machine: Machine): Opening => ({ swaps: [above(machine, ['--bind', machine.root, machine.root])] })
export const unfiltered = (): Opening => ({ swaps: [without('--seccomp', '7')] })
export const PROCESSES: readonly Swap[] = [
  without('--unshare-pid'),
  [
    ['--proc', '/proc'],
    ['--bind', '/proc', '/proc'],
  ],
]
const IDENTITY = ['--uid', String(process.getuid?.()), '--gid', String(process.getgid?.())] as const
/** The sandbox's user is the one of the stage, which sees the whole machine. */
export const sameUser = (): Opening => ({
  swaps: [...PROCESSES, without('--unshare-user', '--disable-userns'), without(...IDENTITY), without('--cap-drop', 'ALL')],
})
export const capable = (): Opening => ({
  swaps: [
    // The mounts belong to the user namespace of the stage, whose only user is root.
    [IDENTITY, ['--uid', '0', '--gid', '0']],
    [
      ['--cap-drop', 'ALL'],
      ['--cap-add', 'ALL'],
    ],
    without('--disable-userns'),
  ],
})
export const unhidden = ({ work }: Machine): Opening => ({
  swaps: [
    without('--ro-bind', '/dev/null', `${work}/.env`),
    without('--tmpfs', `${work}/.countersign`, '--remount-ro', `${work}/.countersign`),
  ],
})
export const offline = (): Opening => ({ swaps: [without('--unshare-net')] })
