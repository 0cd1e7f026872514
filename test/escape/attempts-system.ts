/** What a hostile command tries with the system around it: devices, terminals, sockets, and too much of everything. */
import { AS_ROOT, type Attempt, added, offline, outside, python, READ_BIND, unfiltered, WORK_BIND, without } from './holes.ts'
import { textOf } from './machine.ts'

export const SYSTEM: readonly Attempt[] = [
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

export const SOCKETS: readonly Attempt[] = [
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
  {
    title: 'a socket in a directory of programs',
    script: connect('os.environ["TOOL_SOCKET"]'),
    hole: (machine) => ({ swaps: [added('--ro-bind', machine.tools, machine.tools)] }),
  },
  {
    title: 'the same through a link of its own',
    script: python(
      'import os,socket',
      'os.symlink(os.path.dirname(os.environ["TOOL_SOCKET"]),"t")',
      's=socket.socket(socket.AF_UNIX)',
      's.settimeout(2)',
      's.connect("t/daemon.sock")',
      'print(s.recv(99))',
    ),
    hole: (machine) => ({ swaps: [added('--ro-bind', machine.tools, machine.tools)] }),
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

export const MUCH: readonly Attempt[] = [
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
