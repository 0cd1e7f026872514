/** What an operator can do where no sandbox can be put up: a sentence for each cause, from what the system answered. Pure but for `answersHere`. */
import { readFileSync } from 'node:fs'

/** What this system says of itself, as far as sandboxes depend on it. */
export interface Answers {
  readonly platform: string
  /** Null where there are no users with numbers. */
  readonly uid: number | null
  /** A setting of the kernel, by its path below `/proc/sys`; null where this kernel has none. */
  readonly setting: (path: string) => string | null
  /** True where a filter of system calls (seccomp) holds the gate. */
  readonly filtered: boolean
  /** Capabilities that the gate has. */
  readonly capabilities: bigint
  /** The kernel's list of file systems. */
  readonly filesystems: string
}

const [SYS_ADMIN, SETFCAP] = [1n << 21n, 1n << 31n]

interface Cause {
  readonly holds: (problem: string, answers: Answers) => boolean
  readonly fix: string
}

const CAUSES: readonly Cause[] = [
  {
    holds: (_, { platform }) => platform !== 'linux',
    fix: 'Run the gate in a Linux virtual machine to have previews of commands, and judges with tools',
  },
  {
    holds: (problem) => problem.includes('bubblewrap is not installed'),
    fix: "Install it: `apt install bubblewrap` or your system's package",
  },
  { holds: (problem) => problem.includes('of util-linux is not in'), fix: "Install it: `apt install util-linux` or your system's package" },
  { holds: (problem) => problem.includes('type of processor'), fix: 'Run the gate on an x86-64 or a 64-bit ARM processor' },
  {
    holds: (_, { setting }) => setting('user/max_user_namespaces') === '0',
    fix: 'This system allows no user namespaces: `sysctl -w user.max_user_namespaces=15000`, and the same line in /etc/sysctl.d',
  },
  {
    holds: (_, { setting, capabilities }) => setting('kernel/unprivileged_userns_clone') === '0' && (capabilities & SYS_ADMIN) === 0n,
    fix: 'User namespaces are turned off for users: `sysctl -w kernel.unprivileged_userns_clone=1`, and the same line in /etc/sysctl.d',
  },
  {
    holds: (_, { setting, capabilities }) =>
      setting('kernel/apparmor_restrict_unprivileged_userns') === '1' && (capabilities & SYS_ADMIN) === 0n,
    fix: 'AppArmor keeps programs from making user namespaces: give `bwrap` and `unshare` a profile with `userns,`, as docs/guide/preview.md shows',
  },
  {
    holds: (problem, { uid, capabilities }) =>
      uid === 0 && (capabilities & SETFCAP) === 0n && /uid map|ids cannot be mapped|write to uid_map/i.test(problem),
    fix: 'Root without CAP_SETFCAP makes no user namespace: start the container with `--cap-add SETFCAP`, or run the gate as another user',
  },
  {
    holds: (problem) => /mount proc/i.test(problem),
    fix: 'The container covers parts of /proc: start it with `--security-opt systempaths=unconfined` (Kubernetes: `procMount: Unmasked`)',
  },
  {
    holds: (problem, { filtered }) => filtered && /namespace|unshare/i.test(problem),
    fix:
      'A filter of system calls (seccomp) refuses user namespaces: start the container with `--security-opt seccomp=unconfined`, or with a profile ' +
      'that allows `clone`, `unshare`, `mount`, `umount2` and `pivot_root` (Kubernetes: `seccompProfile: { type: Unconfined }`)',
  },
  {
    holds: (problem, { filesystems }) => problem.includes('overlay') && !/\boverlay\b/.test(filesystems),
    fix: 'This kernel has no overlay file system: `modprobe overlay`',
  },
  {
    holds: (problem) => problem.includes('overlay'),
    fix: 'Put the workspace on a file system of the disk (not on an overlay over another one), with Linux 5.11 or later',
  },
  {
    holds: (problem) => /mount|private memory|uid map|ids cannot be mapped/i.test(problem),
    fix: 'A security module refuses mounts in user namespaces: start the container with `--security-opt apparmor=unconfined`, or run the gate outside of it',
  },
]

const ELSE = 'In a container, allow user namespaces and mounts in them (`--security-opt seccomp=unconfined`), or run the gate outside of it'

/** The problem and, as a sentence of its own, what would help. */
export function withRemedy(problem: string, answers: Answers = answersHere()): string {
  const cause = CAUSES.find(({ holds }) => holds(problem, answers))
  return `${withoutReference(problem)}. ${cause?.fix ?? ELSE}`
}

/** bubblewrap of some systems ends with where to read on, in files of that system. */
function withoutReference(problem: string): string {
  const at = problem.indexOf(' See <')
  return (at === -1 ? problem : problem.slice(0, at)).replace(/\.$/, '')
}

/** Of this system, now. */
export function answersHere(): Answers {
  const status = textAt('/proc/self/status') ?? ''
  return {
    platform: process.platform,
    uid: process.getuid?.() ?? null,
    setting: (path) => textAt(`/proc/sys/${path}`)?.trim() ?? null,
    filtered: /^Seccomp:\t2$/m.test(status),
    capabilities: BigInt(`0x${/^CapEff:\t([0-9a-f]+)$/m.exec(status)?.[1] ?? '0'}`),
    filesystems: textAt('/proc/filesystems') ?? '',
  }
}

function textAt(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}

/** Why no list of started programs is kept here, with what would help. */
export function unwatchedBecause(perl: string | null, { setting }: Pick<Answers, 'setting'> = answersHere()): string {
  const problem = 'which programs a command starts is not recorded'
  if (perl === null) return `${problem}. Install Perl: \`apt install perl-base\` or your system's package`
  if (setting('kernel/apparmor_restrict_unprivileged_userns') === '1')
    return `${problem}: AppArmor keeps Perl from making user namespaces. Files and network are seen all the same`
  if (setting('kernel/yama/ptrace_scope') === '3')
    return `${problem}: this kernel lets nothing be traced. Set \`kernel.yama.ptrace_scope\` to 2 at most`
  return `${problem}. In a container, allow \`ptrace\` (\`--cap-add SYS_PTRACE\`)`
}
