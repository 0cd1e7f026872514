/**
 * What a hostile command tries from inside of a trial, each with the wall that holds it and the hole in that wall which must let it through. Scripts
 * say `SECRET-…` where they got out; what they change outside is looked at there.
 */

import { MUCH, SOCKETS, SYSTEM } from './attempts-system.ts'
import {
  type Attempt,
  added,
  CALLS,
  capable,
  outside,
  PROCESSES,
  python,
  READ_BIND,
  sameUser,
  unfiltered,
  unhidden,
  WORK_BIND,
  without,
} from './holes.ts'
import { textOf } from './machine.ts'

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
    script: 'kill -TERM $PROCESS; kill -KILL $PROCESS; kill -KILL -- -$PROCESS; sleep 0.2',
    hole: () => ({ swaps: PROCESSES }),
  },
  {
    title: 'a process that outlives the command',
    script: `setsid -f bash -c 'exec -a "$MARK-left" sleep 30' >/dev/null 2>&1 </dev/null; sleep 0.1`,
    hole: () => ({ swaps: [...PROCESSES, without('--die-with-parent')], stage: 'shell' }),
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

export const ATTEMPTS: readonly Attempt[] = [...FILES, ...KERNEL, ...SYSTEM, ...SOCKETS, ...MUCH]
