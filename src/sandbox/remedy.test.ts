/** What `doctor` says of each cause for which no command can be tried out: the cause, and the exact way out. */
import { describe, expect, test } from 'vitest'
import { previewChecks } from '../cli/preview/doctor.ts'
import { policy } from '../policy/testing/compiled.ts'
import { UNBOUND } from './cgroup.ts'
import { type Answers, unwatchedBecause, withRemedy } from './remedy.ts'

const ALL = (1n << 41n) - 1n
function answers(settings: Readonly<Record<string, string>> = {}, more: Partial<Answers> = {}): Answers {
  const usual = { platform: 'linux', uid: 1_000, filtered: false, capabilities: 0n, filesystems: 'nodev\toverlay\n' }
  return { ...usual, setting: (path) => settings[path] ?? null, ...more }
}

const bwrap = (said: string): string => `bubblewrap does not work here: bwrap: ${said}`
const NO_NAMESPACE = bwrap(
  'No permissions to create new namespace, likely because the kernel does not allow non-privileged user namespaces. See <https://deb.li/bubblewrap> or <file:///usr/share/doc/bubblewrap/README.Debian.gz>.',
)
const [APPARMOR, CLONE, MOST] = [
  'kernel/apparmor_restrict_unprivileged_userns',
  'kernel/unprivileged_userns_clone',
  'user/max_user_namespaces',
]
const PROFILE = 'give `bwrap` and `unshare` a profile with `userns,`, as docs/guide/preview.md shows'

const CASES: readonly (readonly [cause: string, problem: string, system: Answers, fix: string])[] = [
  [
    'no bubblewrap',
    'bubblewrap is not installed: there is no `bwrap` in /usr/bin',
    answers(),
    "Install it: `apt install bubblewrap` or your system's package",
  ],
  [
    'no util-linux',
    '`unshare` of util-linux is not in /usr/bin',
    answers(),
    "Install it: `apt install util-linux` or your system's package",
  ],
  ['macOS', 'the sandbox needs Linux', answers({}, { platform: 'darwin', uid: 501 }), 'Run the gate in a Linux virtual machine'],
  ['Windows', 'the sandbox needs Linux', answers({}, { platform: 'win32', uid: null }), 'Run the gate in a Linux virtual machine'],
  [
    'another processor',
    'the sandbox does not know the calls of the kernel on this type of processor (riscv64)',
    answers(),
    'Run the gate on an x86-64 or a 64-bit ARM processor',
  ],
  [
    'no user namespaces at all',
    bwrap('Creating new namespace failed: nesting depth or /proc/sys/user/max_*_namespaces exceeded (ENOSPC)'),
    answers({ [MOST]: '0' }),
    '`sysctl -w user.max_user_namespaces=15000`, and the same line in /etc/sysctl.d',
  ],
  [
    'none for users, as Debian had it',
    NO_NAMESPACE,
    answers({ [CLONE]: '0' }),
    '`sysctl -w kernel.unprivileged_userns_clone=1`, and the same line in /etc/sysctl.d',
  ],
  [
    "AppArmor's restriction, as Ubuntu 24.04 has it",
    bwrap('setting up uid map: Permission denied'),
    answers({ [APPARMOR]: '1', [CLONE]: '1', [MOST]: '96365' }),
    PROFILE,
  ],
  ['the same, seen by the mounts', 'mounts cannot be made private: Permission denied', answers({ [APPARMOR]: '1' }), PROFILE],
  [
    'a container: seccomp refuses unshare',
    NO_NAMESPACE,
    answers({ [MOST]: '96365' }, { filtered: true }),
    '`--security-opt seccomp=unconfined`',
  ],
  [
    'the same, where it is the stage that is refused',
    'unshare failed: Operation not permitted',
    answers({}, { uid: 0, filtered: true }),
    '`--security-opt seccomp=unconfined`',
  ],
  [
    'a container: root without capabilities',
    bwrap('setting up uid map: Operation not permitted'),
    answers({}, { uid: 0 }),
    '`--cap-add SETFCAP`, or run the gate as another user',
  ],
  [
    'a container: covered parts of /proc',
    bwrap("Can't mount proc on /newroot/proc: Operation not permitted"),
    answers({}, { filtered: true }),
    '`--security-opt systempaths=unconfined` (Kubernetes: `procMount: Unmasked`)',
  ],
  [
    'a container: a security module refuses mounts',
    'no private memory can be mounted',
    answers({}, { uid: 0, capabilities: ALL }),
    '`--security-opt apparmor=unconfined`',
  ],
  [
    'no overlay in the kernel',
    'no overlay can be mounted over `/w`, so its 12 files are copied each time',
    answers({}, { filesystems: 'nodev\ttmpfs\n' }),
    '`modprobe overlay`',
  ],
  [
    'an overlay over another one',
    'no overlay can be mounted over `/w`, so its 12 files are copied each time',
    answers(),
    'Put the workspace on a file system of the disk',
  ],
  ['something else', bwrap('it is odd'), answers(), 'In a container, allow user namespaces and mounts in them'],
]

describe('doctor', () => {
  const checks = async (problem: string | null, more: { readonly copying?: string | null; readonly watches?: boolean } = {}) => {
    const { copying = null, watches = true } = more
    const found = await previewChecks(policy('version: 1\ndefault: ask\npreview: {}\n'), {
      problem: async () => problem,
      copying: async () => copying,
      watches: async () => watches,
    })
    return found.map(({ state, detail }) => `${state} ${detail}`)
  }

  for (const [cause, problem, system, fix] of CASES)
    test(`says the way out: ${cause}`, async () => {
      const [said = ''] = await checks(withRemedy(problem, system))
      const [, end = ''] = said.split('(people are asked without one): ')
      expect(said).toMatch(/^warn commands cannot be tried out/)
      expect([end.startsWith(problem.split(' See <')[0]?.replace(/\.$/, '') ?? ''), end.includes(fix), end.endsWith('.')]).toEqual([
        true,
        true,
        false,
      ])
      expect(end).not.toContain('deb.li')
    })

  test('says it once where there is no cgroup for root, with its own way out', async () => {
    expect((await checks(UNBOUND))[0]).toMatch(/Run the gate as another user, or let it write its cgroup .*\)$/)
  })

  test('says why started programs are not recorded', async () => {
    const reasons = [
      [null, {}, 'Install Perl'],
      ['/usr/bin/perl', { 'kernel/yama/ptrace_scope': '3' }, '`kernel.yama.ptrace_scope` to 2'],
      ['/usr/bin/perl', { [APPARMOR]: '1' }, 'AppArmor keeps Perl'],
      ['/usr/bin/perl', { 'kernel/yama/ptrace_scope': '1' }, '--cap-add SYS_PTRACE'],
    ] as const
    for (const [perl, settings, said] of reasons) expect(unwatchedBecause(perl, answers(settings))).toContain(said)
    expect((await checks(null, { watches: false }))[0]).toMatch(
      /^warn commands are tried out, but which programs a command starts is not recorded/,
    )
    expect((await checks(null, { copying: 'no overlay can be mounted over `/w`, so its 1 files are copied each time' }))[0]).toMatch(
      /2000 files alone: .*\. [A-Z]/,
    )
    expect(await checks(null)).toEqual(['ok commands are tried out in a sandbox over copies'])
  })
})
