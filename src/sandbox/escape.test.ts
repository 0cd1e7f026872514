/** What a hostile command tries from inside of a trial. Each attempt is labelled before it is run; none may reach anything of the machine. */
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { LIMITS, trials, triedOut } from '../../test/support/trials.ts'
import { hiddenIn } from './private.ts'

let root: string
let work: string
let socket: string
let open: number
let calls = 0
const server = createServer((connection) => {
  calls++
  connection.end('reached')
})

beforeAll(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-escape-')))
  work = join(root, 'work')
  mkdirSync(join(work, '.countersign'), { recursive: true })
  writeFileSync(join(root, 'outside.txt'), 'SECRET-outside')
  writeFileSync(join(work, '.env'), 'SECRET-env')
  writeFileSync(join(work, '.countersign', 'key'), 'SECRET-key')
  writeFileSync(join(work, 'a.txt'), 'a\n')
  symlinkSync(join(root, 'outside.txt'), join(work, 'link'))
  symlinkSync(root, join(work, 'up'))
  socket = join(work, 'daemon.sock')
  await new Promise<void>((resolve) => server.listen(socket, resolve))
  chmodSync(socket, 0o777)
  open = openSync(join(root, 'outside.txt'), 'r+')
})
afterAll(async () => {
  closeSync(open)
  await new Promise((resolve) => server.close(resolve))
  rmSync(root, { recursive: true, force: true })
})

const PYTHON = (text: string): string => `python3 - <<'P'\n${text}\nP`

/** The title says what it tries; `$OUT` is a file beside the workspace. */
const ATTEMPTS: readonly (readonly [title: string, script: string])[] = [
  ['a file outside, by its path', 'cat "$OUT"; echo x > "$OUT"; rm -f "$OUT"'],
  ['through a link of the workspace', 'cat link; echo x > link; cat up/outside.txt; echo x > up/outside.txt; rm -rf up/'],
  ['through a link of its own', 'ln -s "$OUT" mine; cat mine; echo x > mine'],
  ['a farm of links', 'for i in $(seq 40); do ln -s .. l$i; done; cat l1/outside.txt l2/../outside.txt'],
  ['through the root of every process', 'for p in /proc/[0-9]*; do cat $p/root"$OUT"; echo x > $p/root"$OUT"; done'],
  ['through the directory of every process', 'for p in /proc/[0-9]*; do cat $p/cwd/../outside.txt; done'],
  [
    'inherited descriptors, read',
    'for f in /proc/[0-9]*/fd/*; do case $(readlink $f) in pipe*|socket*|/run/*|/dev/null) ;; *) timeout 1 head -c 100 $f;; esac; done',
  ],
  ['inherited descriptors, written', 'for i in $(seq 3 60); do eval "echo x >&$i"; done'],
  [
    'the layers of the overlay itself',
    'ls /run/layers /run/layers/0/lower; echo x > /run/layers/0/lower/a.txt; echo x > /proc/1/root/run/layers/0/lower/a.txt',
  ],
  ['a unix socket of the workspace', PYTHON('import socket\ns=socket.socket(socket.AF_UNIX); s.connect("daemon.sock"); print(s.recv(99))')],
  [
    'an abstract unix socket',
    PYTHON(
      'import socket\nfor n in open("/proc/net/unix").read().split("@")[1:]:\n  s=socket.socket(socket.AF_UNIX); s.connect("\\0"+n.split()[0]); print("SECRET-abstract")',
    ),
  ],
  ['keys of the workspace', 'cat .env .countersign/key; cp .env copy; mv .env moved; cat moved copy; ls .countersign'],
  [
    'another user namespace, and mounts in it',
    'unshare -Urm sh -c "umount -l .env; umount .countersign; cat .env .countersign/key; mount --bind / /mnt"',
  ],
  ['unmounting what hides', 'umount .env; umount -l .countersign; cat .env .countersign/key; mount -o remount,rw /'],
  [
    'a device of its own',
    'mknod disk b 254 0 && cat disk | head -c 100; mknod mem c 1 1; cat mem; ls /dev/vda /dev/sda /dev/mem /dev/kmsg && echo SECRET-device',
  ],
  // Only asked, never written: where it does not hold, the test must not be what breaks the machine.
  [
    'the switches of the kernel',
    "find /proc/sys /proc/irq /proc/bus /proc/fs /proc/sysrq-trigger /proc/mtrr -type f -writable -printf 'SECRET-%f\\n' 2>/dev/null",
  ],
  [
    'what the kernel tells of the machine',
    'ls /sys/class/net && echo SECRET-sys; head -c 10 /proc/kcore && echo SECRET-kcore; head -c 10 /proc/kmsg && echo SECRET-kmsg',
  ],
  ['processes outside', 'kill -9 -1; kill -9 $PPID; ls /proc | grep -c "^[0-9]"'],
  ['tracing', PYTHON('import ctypes\nl=ctypes.CDLL(None)\nfor p in range(1,400): l.ptrace(0x4206,p,0,0)\nprint("traced")')],
  ['io_uring', PYTHON('import ctypes\nl=ctypes.CDLL(None)\nb=ctypes.create_string_buffer(512)\nfd=l.syscall(425,4,b)\nprint("ring", fd)')],
  [
    'a terminal of the caller',
    PYTHON(
      'import fcntl,termios\nfor n in (0,1,2):\n  try: fcntl.ioctl(n,termios.TIOCSTI,b"x"); print("SECRET-tty")\n  except OSError: pass\ntry: open("/dev/tty"); print("SECRET-tty")\nexcept OSError: pass',
    ),
  ],
  ['the home and its keys', 'cat ~/.ssh/* ~/.aws/* ~/.netrc ~/.bash_history /root/.bashrc /home/*/.ssh/*; ls -A ~'],
  ['the environment of the gate', 'env; cat /proc/*/environ | tr "\\0" "\\n"'],
  [
    'a file handle of the file system',
    PYTHON('import ctypes\nl=ctypes.CDLL(None,use_errno=True)\nb=ctypes.create_string_buffer(136)\nprint(l.open_by_handle_at(-100,b,0))'),
  ],
  [
    'privileges by a file',
    'cp /bin/sh rooted; chmod 6755 rooted; ./rooted -c "cat /etc/shadow; cat $OUT"; su -c id </dev/null; sudo -n id',
  ],
  ['leaving something behind', 'nohup setsid sh -c "sleep 1; echo x > $OUT; echo x > a.txt" >/dev/null 2>&1 & disown; true'],
]

describe('a trial cannot be left', () => {
  triedOut('nothing outside is read, changed or reached', async () => {
    process.env.COUNTERSIGN_TEST_SECRET = 'SECRET-environment'
    const cell = {
      hidden: hiddenIn([{ real: work }], [join(work, '.countersign')]),
      programs: [],
      cwd: work,
      environment: { OUT: join(root, 'outside.txt') },
      identity: { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 },
      home: '/root',
      limits: { ...LIMITS, timeMs: 15_000 },
    }
    for (const [title, script] of ATTEMPTS) {
      const ran = await trials.run(['/bin/bash', '-c', script], { places: [work], reads: [], cell })
      const leaks = `${ran.stdout}${ran.stderr}${ran.changes.map(({ after }) => after?.text ?? '').join('')}`
      expect([title, leaks.match(/SECRET-\w+|reached/g)]).toEqual([title, null])
      expect([title, readFileSync(join(root, 'outside.txt'), 'utf8'), readFileSync(join(work, 'a.txt'), 'utf8')]).toEqual([
        title,
        'SECRET-outside',
        'a\n',
      ])
      expect([title, existsSync(socket), readFileSync(join(work, '.env'), 'utf8'), calls]).toEqual([title, true, 'SECRET-env', 0])
    }
    delete process.env.COUNTERSIGN_TEST_SECRET
  })
})
