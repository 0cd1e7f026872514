/**
 * What a hostile command tries from inside of a trial, each with the wall that holds it and the hole in that wall which must let it through. Scripts
 * say `SECRET-…` where they got out; what they change outside is looked at there.
 */
import type { Limits } from '../../src/sandbox/cell.ts'
import type { Ended } from '../../src/sandbox/overlay.ts'
import type { Machine } from './machine.ts'
import { textOf } from './machine.ts'
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

const AS_ROOT = process.getuid?.() === 0
const python = (...lines: readonly string[]): string => `/usr/bin/python3 - <<'P'\n${lines.join('\n')}\nP`
/** Calls of the kernel by their numbers on this processor. */
const CALLS = [
  'import ctypes,os,platform',
  'l=ctypes.CDLL(None,use_errno=True)',
  'n=dict(x86_64=dict(key=250,ring=425,fault=323,bpf=321,perf=298),aarch64=dict(key=219,ring=425,fault=282,bpf=280,perf=241))[platform.machine()]',
]

const MERGED = '/run/layers/0/merged'
const WORK_BIND = (machine: Machine): readonly string[] => ['--bind', MERGED, machine.work]
const READ_BIND = (machine: Machine): readonly string[] => ['--ro-bind', '/run/layers/1/merged', machine.reads]
/** Stands before what is put into the root. */
const above = (machine: Machine, words: readonly string[]): Swap => [READ_BIND(machine), [...words, ...READ_BIND(machine)]]
const SEALED = ['--remount-ro', '/dev', '--remount-ro', '/'] as const
const added = (...words: readonly string[]): Swap => [SEALED, [...words, ...SEALED]]
const without = (...words: readonly string[]): Swap => [words, []]

const outside = (machine: Machine): Opening => ({ swaps: [above(machine, ['--bind', machine.root, machine.root])] })
const unfiltered = (): Opening => ({ swaps: [without('--seccomp', '7')] })
const PROCESSES: readonly Swap[] = [
  without('--unshare-pid'),
  [
    ['--proc', '/proc'],
    ['--bind', '/proc', '/proc'],
  ],
]
/** The sandbox's user is the one of the stage, which sees the whole machine. */
const sameUser = (): Opening => ({
  swaps: [
    ...PROCESSES,
    without('--unshare-user', '--disable-userns'),
    without('--uid', String(process.getuid?.()), '--gid', String(process.getgid?.())),
    without('--cap-drop', 'ALL'),
  ],
})
const capable = (): Opening => ({
  swaps: [
    [
      ['--cap-drop', 'ALL'],
      ['--cap-add', 'ALL'],
    ],
    without('--disable-userns'),
  ],
})
const unhidden = ({ work }: Machine): Opening => ({
  swaps: [
    without('--ro-bind', '/dev/null', `${work}/.env`),
    without('--tmpfs', `${work}/.countersign`, '--remount-ro', `${work}/.countersign`),
  ],
})
const offline = (): Opening => ({ swaps: [without('--unshare-net')] })

const FILES: readonly Attempt[] = [
  { title: 'a file outside, by its path', script: 'cat "$OUT"; echo x > "$OUT"; rm -f "$OUT"', hole: outside },
  {
    title: 'through a link of the workspace',
    script: 'cat link; echo x > link; cat up/outside.txt; echo x > up/outside.txt; rm -f up/outside.txt',
    hole: outside,
  },
  { title: 'through a link of its own', script: 'ln -s "$OUT" mine; cat mine; echo x > mine', hole: outside },
  {
    title: 'a farm of links',
    script: 'for i in $(seq 40); do ln -s .. l$i; done; cat l1/outside.txt l2/../outside.txt l40/work/l39/outside.txt',
    hole: outside,
  },
  {
    title: 'another name (hard link) for a file outside',
    script: 'for f in "$OUT" "$READ"; do ln "$f" mine && echo x > mine; rm -f mine; done',
    hole: (machine) => ({ swaps: [...(outside(machine).swaps ?? []), [WORK_BIND(machine), []]] }),
  },
  {
    title: 'permissions, times and owners of files outside',
    script: 'for f in "$READ" "$OUT" link; do chmod 777 "$f"; touch -d @0 "$f"; chown 1 "$f"; done',
    hole: (machine) => ({ swaps: [[READ_BIND(machine), ['--bind', machine.reads, machine.reads]]] }),
  },
  {
    title: 'writing through what may only be read',
    script: 'echo x > "$READ"; mv "$READ" "$READ.moved"; rm -f "$READ"; mount -o remount,rw "${READ%/*}"; echo x > "$READ"',
    hole: (machine) => ({ swaps: [[READ_BIND(machine), ['--bind', machine.reads, machine.reads]]] }),
  },
  {
    title: 'the layers of the overlay, and its work directory',
    script:
      'for at in /run/layers /proc/1/root/run/layers; do ls $at/0/lower; echo x > $at/0/lower/a.txt; ls -d $at/0/work && echo SECRET-work; done',
    hole: () => ({ swaps: [added('--bind', '/run/layers', '/run/layers')] }),
  },
  {
    title: 'keys of the workspace',
    script: 'cat .env; cp .env copy; mv .env moved; cat moved copy; ln .env twin; cat twin',
    hole: unhidden,
  },
  {
    title: 'what the gate keeps, in the workspace',
    script:
      'ls -A .countersign | grep . && echo SECRET-store; cat .countersign/key; mv .countersign seen && cat seen/key; echo x > .countersign/key',
    hole: unhidden,
  },
  { title: 'the home and its keys', script: 'cat ~/.ssh/*; ls -A ~ | grep . && echo SECRET-listing', hole: outside },
  {
    title: 'what the gate keeps, elsewhere',
    script: 'ls "${OUT%/*}/home/.ssh" && echo SECRET-store; echo x > "${OUT%/*}/a"',
    hole: outside,
  },
]

const KERNEL: readonly Attempt[] = [
  {
    title: 'the root of every process',
    script: 'for p in /proc/[0-9]*; do cat $p/root"$OUT"; echo x > $p/root"$OUT"; done',
    hole: sameUser,
  },
  {
    title: 'the directory of every process',
    script: 'for p in /proc/[0-9]*; do cat $p/cwd"$OUT" $p/cwd/../outside.txt; done',
    hole: sameUser,
  },
  {
    title: 'tracing a process outside',
    script: python(
      'import ctypes,glob,os',
      'l=ctypes.CDLL(None)',
      'l.ptrace(0x4206,int(os.environ["PROCESS"]),0,0)==0 and print("SECRET-traced")',
      'for at in glob.glob("/proc/[0-9]*"):',
      '  try: stage=b"lower"+b"dir=$at" in open(at+"/cmdline","rb").read()',
      '  except OSError: continue',
      '  if stage and l.ptrace(0x4206,int(at[6:]),0,0)==0: print("SECRET-traced")',
    ),
    hole: sameUser,
  },
  {
    title: 'signals to a process outside',
    script: 'kill -TERM $PROCESS; kill -KILL $PROCESS; kill -KILL -- -$PROCESS',
    hole: () => ({ swaps: PROCESSES }),
  },
  {
    title: 'a process that outlives the command',
    script: `setsid -f bash -c 'exec -a "$MARK-left" sleep 30' >/dev/null 2>&1 </dev/null; sleep 0.1`,
    hole: () => ({ swaps: [...PROCESSES, without('--die-with-parent')] }),
  },
  {
    title: 'descriptors that were open, read',
    script:
      'for f in /proc/[0-9]*/fd/*; do case $(readlink $f) in pipe*|socket*|/run/*|/dev/null) ;; *) timeout 1 head -c 100 $f;; esac; done',
    hole: (machine) => ({ before: [`exec 9<"${machine.root}/outside.txt"`] }),
  },
  {
    title: 'descriptors that were open, written',
    script: 'for i in $(seq 3 60); do eval "echo x >&$i"; done',
    hole: (machine) => ({ before: [`exec 9>>"${machine.root}/outside.txt"`] }),
  },
  {
    title: 'the environment of the gate',
    script: 'env; cat /proc/*/environ | tr "\\0" "\\n"',
    hole: () => ({ before: ['export SECRET_TEST=SECRET-environment'], swaps: [without('--clearenv')] }),
  },
  {
    title: 'keys of the session (keyrings)',
    script: python(
      ...CALLS,
      'b=ctypes.create_string_buffer(64)',
      'k=l.syscall(n["key"],10,-3,b"user",b"countersign-escape",0)',
      'for ring in (k,-3,-4,-5):',
      '  if l.syscall(n["key"],11,ring,b,64)>0: print("SECRET-keyring", b.value)',
    ),
    planted: {
      around: [
        '/usr/bin/python3',
        '-c',
        [
          ...CALLS,
          'l.syscall(n["key"],1,None)',
          'l.syscall(n["key"]-2,b"user",b"countersign-escape",b"key",3,-3)',
          'import sys; os.execv(sys.argv[1],sys.argv[1:])',
        ].join('\n'),
      ],
    },
    hole: unfiltered,
  },
  {
    title: 'io_uring',
    script: python(...CALLS, 'print("SECRET-ring") if l.syscall(n["ring"],4,ctypes.create_string_buffer(512))>=0 else print("none")'),
    hole: unfiltered,
    seen: ['', '0'].includes(textOf('/proc/sys/kernel/io_uring_disabled').trim()),
  },
  {
    title: 'userfaultfd, bpf, performance events, file handles',
    script: python(
      ...CALLS,
      'b=ctypes.create_string_buffer(136)',
      'e=ctypes.create_string_buffer(b"\\x01\\0\\0\\0\\x78\\0\\0\\0"+bytes(32)+b"\\x61\\0\\0\\0",120)',
      'l.syscall(n["fault"],1)>=0 and print("SECRET-userfaultfd")',
      'l.syscall(n["bpf"],0,ctypes.create_string_buffer(bytes([1,0,0,0,4,0,0,0,4,0,0,0,1]),64),64)>=0 and print("SECRET-bpf")',
      'l.syscall(n["perf"],e,0,-1,-1,0)>=0 and print("SECRET-perf")',
      'l.open_by_handle_at(-100,b,0)>=0 and print("SECRET-handle")',
    ),
    hole: unfiltered,
  },
  {
    title: 'user namespaces in the sandbox, and mounts in them',
    script:
      'unshare -U true && echo SECRET-namespace; unshare -Urm sh -c "umount -l .env; umount .countersign; cat .env .countersign/key; mount --bind / /mnt"',
    hole: () => ({ swaps: [without('--disable-userns'), without('--seccomp', '7')] }),
  },
  {
    title: 'unmounting what hides',
    script: 'umount .env; umount -l .countersign; cat .env .countersign/key; mount -o remount,rw /',
    hole: capable,
  },
  {
    title: 'mounts of its own: /proc, a tmpfs, a control group, a directory elsewhere',
    script:
      'mkdir m; for t in proc tmpfs cgroup cgroup2 sysfs devpts mqueue overlay; do mount -t $t none m && echo SECRET-mount; done; mount --bind / m && echo SECRET-bind',
    hole: capable,
  },
  {
    title: 'privileges by a file (setuid)',
    script:
      'grep -q "NoNewPrivs:.0" /proc/self/status && echo SECRET-privileges; cp /bin/sh rooted; chmod 6755 rooted; ./rooted -c "cat $OUT"',
    hole: () => ({ none: true }),
  },
  {
    title: 'capabilities',
    script: 'grep -E "Cap(Prm|Eff|Bnd|Inh|Amb):" /proc/self/status | grep -qv "0000000000000000" && echo SECRET-capability',
    hole: capable,
  },
]

const SYSTEM: readonly Attempt[] = [
  // Only asked, never written: where it does not hold, the test must not be what breaks the machine.
  {
    title: 'the switches of the kernel',
    script:
      "find /proc/sys /proc/irq /proc/bus /proc/fs /proc/sysrq-trigger /proc/mtrr -type f -writable -printf 'SECRET-%f\\n' 2>/dev/null | head -3",
    hole: () => ({
      swaps: ['sys', 'sysrq-trigger', 'irq', 'bus', 'fs', 'mtrr'].map((name) => without('--ro-bind-try', `/proc/${name}`, `/proc/${name}`)),
    }),
    seen: AS_ROOT,
  },
  {
    title: 'what the kernel tells of the machine',
    script: 'ls /sys/class/net && echo SECRET-sys; head -c 10 /proc/kcore && echo SECRET-kcore; head -c 10 /proc/kmsg && echo SECRET-kmsg',
    hole: () => ({ swaps: [added('--ro-bind', '/sys', '/sys')] }),
  },
  {
    title: 'devices',
    script:
      'mknod disk b 254 0 && head -c 10 disk && echo SECRET-disk; mknod mem c 1 1 && head -c 10 mem && echo SECRET-memory; ls /dev/vda /dev/sda /dev/mem /dev/kmsg && echo SECRET-device; ls /dev/kmsg && echo SECRET-kmsg',
    hole: () => ({
      swaps: [
        [
          ['--dev', '/dev'],
          ['--dev-bind', '/dev', '/dev'],
        ],
      ],
    }),
  },
  {
    title: 'control groups',
    script: 'for f in /sys/fs/cgroup/cgroup.procs /sys/fs/cgroup/*/cgroup.procs; do echo 0 > $f && echo SECRET-cgroup; done',
    hole: () => ({ swaps: [added('--bind', '/sys/fs/cgroup', '/sys/fs/cgroup')] }),
    seen: AS_ROOT,
  },
  {
    title: 'the terminal of the gate',
    script: python('try: open("/dev/tty"); print("SECRET-terminal")', 'except OSError: print("none")'),
    planted: {
      around: [
        '/usr/bin/python3',
        '-c',
        'import os,sys,fcntl,termios\nos.setsid()\nm,s=os.openpty()\nfcntl.ioctl(s,termios.TIOCSCTTY,0)\nos.set_inheritable(m,True)\nos.execv(sys.argv[1],sys.argv[1:])',
      ],
    },
    hole: () => ({ swaps: [without('--new-session')] }),
  },
  {
    title: 'input for a terminal (TIOCSTI)',
    script: python(
      'import os,fcntl,termios',
      'os.fork() and os._exit(os.WEXITSTATUS(os.wait()[1]))',
      'os.setsid()',
      'm,s=os.openpty()',
      'fcntl.ioctl(s,termios.TIOCSCTTY,0)',
      'try: fcntl.ioctl(s,termios.TIOCSTI,b"x"); print("SECRET-input")',
      'except OSError as e: print(e)',
    ),
    hole: unfiltered,
    seen: ['', '1'].includes(textOf('/proc/sys/dev/tty/legacy_tiocsti').trim()),
  },
  {
    title: 'files in /dev/shm',
    script: 'echo x > "/dev/shm/$MARK"',
    hole: () => ({ swaps: [added('--bind', '/dev/shm', '/dev/shm')] }),
  },
  {
    title: 'shared memory of the system',
    script: python('import ctypes,os', 'print(ctypes.CDLL(None).shmget(int(os.environ["SHARED"]),64,0o1600))'),
    hole: () => ({ swaps: [without('--unshare-ipc')] }),
  },
  {
    title: 'the memory of a program that crashed',
    script: "ulimit -c unlimited; sh -c 'ulimit -c unlimited; kill -SEGV $$'; ls core* && echo SECRET-core",
    hole: () => ({ swaps: [[['--core=1'], ['--core=unlimited']]] }),
    // Elsewhere the machine's own handler takes it, which writes nothing here.
    seen: /^core/.test(textOf('/proc/sys/kernel/core_pattern')),
  },
]

const connect = (address: string): string =>
  python('import os,socket', 's=socket.socket(socket.AF_UNIX)', 's.settimeout(2)', `s.connect(${address})`, 'print(s.recv(99))')

const SOCKETS: readonly Attempt[] = [
  {
    title: "a socket of the workspace (the daemon's, D-Bus)",
    script: connect('"daemon.sock"'),
    hole: (machine) => ({ swaps: [[WORK_BIND(machine), ['--bind', machine.work, machine.work]]] }),
  },
  {
    title: 'a socket in a directory that may only be read',
    script: connect('os.environ["READ_SOCKET"]'),
    hole: (machine) => ({ swaps: [[READ_BIND(machine), ['--ro-bind', machine.reads, machine.reads]]] }),
  },
  { title: 'a socket outside', script: connect('os.environ["OUT_SOCKET"]'), hole: outside },
  {
    title: 'an abstract socket',
    // Node fills the name up with zeros, or not: by its version.
    script: python(
      'import os,socket',
      'for size in (0,108):',
      '  s=socket.socket(socket.AF_UNIX)',
      '  s.settimeout(2)',
      '  try: s.connect(("\\0"+os.environ["ABSTRACT"]).ljust(size,"\\0")); print(s.recv(99))',
      '  except OSError as e: print(e)',
    ),
    hole: offline,
  },
  { title: 'a server of this machine', script: 'exec 5<>/dev/tcp/127.0.0.1/$PORT; head -c 20 <&5', hole: offline },
  {
    title: 'sockets that no namespace holds (of a hypervisor, of the kernel)',
    script: python(
      'import socket',
      'for family in (*range(3,10),*range(11,16),*range(17,50)):',
      '  for kind in (1,2,3,5):',
      '    try: socket.socket(family,kind); print("SECRET-family-%d"%family)',
      '    except OSError: pass',
    ),
    hole: unfiltered,
  },
]

const MUCH: readonly Attempt[] = [
  {
    title: 'a fork bomb',
    // 2^DEPTH leaves, were they all to start: enough to be seen, too few to hurt.
    script:
      'b() { [ $1 -eq 0 ] && { sleep 1; echo leaf; return; }; b $(($1-1)) & b $(($1-1)) & wait; }; [ $(b $DEPTH | wc -l) -eq $((1<<DEPTH)) ] && echo SECRET-bomb',
    environment: { DEPTH: '12' },
    limits: { processes: 64 },
    ends: 'processes',
    hole: () => ({}),
    holeLimits: { processes: 4_000 },
    holeEnvironment: { DEPTH: '7' },
  },
  {
    title: '10 GB of output',
    script: 'yes | head -c $BYTES; echo SECRET-whole >&2',
    environment: { BYTES: '10737418240' },
    ends: 'output',
    hole: () => ({}),
    holeLimits: { outputBytes: 1 << 20 },
    holeEnvironment: { BYTES: '8388608' },
  },
  {
    title: 'a file of 10 GB',
    script: 'head -c $BYTES /dev/zero > big; [ "$(stat -c %s big)" = "$BYTES" ] && echo SECRET-whole',
    environment: { BYTES: '10737418240' },
    limits: { spaceBytes: 1 << 22 },
    hole: () => ({}),
    holeLimits: { spaceBytes: 1 << 26 },
    holeEnvironment: { BYTES: '8388608' },
  },
]

export const ATTEMPTS: readonly Attempt[] = [...FILES, ...KERNEL, ...SYSTEM, ...SOCKETS, ...MUCH]
