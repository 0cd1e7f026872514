/** Machines on which a sandbox does not stand, or not all of it, made of this one: the kernel's own answers, and what `doctor` says of each. */
import { spawnSync } from 'node:child_process'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { perlHere } from '../../src/sandbox/attributes.ts'
import { AS_NOBODY, bundled, IS_ROOT, type PlainUser, plainUser } from '../support/plain-user.ts'
import { noTrials } from '../support/trials.ts'

let user: PlainUser
let program: string
beforeAll(async () => {
  user = plainUser()
  // Also root without its capabilities writes there.
  chmodSync(user.home, 0o777)
  program = await bundled(new URL('probe.ts', import.meta.url), user)
  writeFileSync(join(user.home, 'perl'), '#!/bin/sh\nexit 1\n')
  chmodSync(join(user.home, 'perl'), 0o755)
})
afterAll(() => user.remove())

/** Refuses new user namespaces, as the usual filter of containers does for those without capabilities. */
const FILTER = `
import ctypes,os,platform,struct,sys
l=ctypes.CDLL(None)
unshare,clone=dict(x86_64=(272,56),aarch64=(97,220))[platform.machine()]
i=lambda c,t,f,k: struct.pack('HBBI',c,t,f,k)
p=[i(32,0,0,0),i(21,0,1,unshare),i(6,0,0,0x50001),i(21,0,1,435),i(6,0,0,0x50026),i(21,0,3,clone),i(32,0,0,16),i(69,0,1,0x10000000),i(6,0,0,0x50001),i(6,0,0,0x7fff0000)]
b=ctypes.create_string_buffer(b''.join(p))
l.prctl(38,1,0,0,0); l.prctl(22,2,ctypes.create_string_buffer(struct.pack('HxxxxxxQ',len(p),ctypes.addressof(b))),0,0)
os.execvp(sys.argv[1],sys.argv[1:])`
/** What containers leave to root. */
const USUAL = 'chown,dac_override,fowner,fsetid,kill,setgid,setuid,setpcap,net_bind_service,net_raw,sys_chroot,mknod,audit_write,setfcap'
const rights = (kept: string): readonly string[] => ['setpriv', `--bounding-set=-all${kept}`, '--inh-caps=-all']
const filtered = ['/usr/bin/python3', '-c', FILTER]
const over = (...words: readonly string[]): readonly string[] => ['bwrap', '--dev-bind', '/', '/', ...words]
const noNamespaces = 'echo 0 > /proc/sys/user/max_user_namespaces; exec "$@"'

interface Case {
  readonly title: string
  readonly before: () => readonly string[]
  /** What is said of a trial; null: it stands. */
  readonly says: RegExp | null
  readonly watches?: boolean
}

const usual = USUAL.split(',')
  .map((name) => `,+${name}`)
  .join('')
const PERL = perlHere() ?? '/usr/bin/perl'
const CASES: readonly Case[] = [
  {
    title: 'another user, whom nothing can give capabilities',
    before: () => [...AS_NOBODY, ...rights(''), '--no-new-privs'].slice(),
    says: null,
  },
  { title: "root with the capabilities of a container's root", before: () => rights(usual), says: null },
  { title: 'root without capabilities', before: () => rights(''), says: /--cap-add SETFCAP`, or run the gate as another user$/ },
  {
    title: 'no user namespaces by a setting of the kernel',
    before: () => [...AS_NOBODY, 'unshare', '--user', '--map-root-user', '/bin/sh', '-c', noNamespaces, 'sh'],
    says: /sysctl -w user\.max_user_namespaces=15000`, and the same line in \/etc\/sysctl\.d$/,
  },
  {
    title: 'a filter that refuses namespaces',
    before: () => [...AS_NOBODY, ...filtered],
    says: /user namespaces\. A filter .*seccomp=unconfined/,
  },
  {
    title: 'the same for root of a container',
    before: () => [...rights(usual), ...filtered],
    says: /namespaces\. A filter .*seccomp=unconfined/,
  },
  {
    title: 'a /proc of which parts are covered',
    before: () => [...over('--tmpfs', '/proc/irq'), ...AS_NOBODY],
    says: /systempaths=unconfined` \(Kubernetes: `procMount: Unmasked`\)$/,
  },
  { title: 'no Perl', before: () => [...over('--ro-bind', '/dev/null', PERL), ...AS_NOBODY], says: null, watches: false },
  {
    title: 'a Perl that may make no namespace, where `unshare` may',
    before: () => [...over('--ro-bind', join(user.home, 'perl'), PERL), ...AS_NOBODY],
    says: null,
    watches: false,
  },
]

describe.runIf(IS_ROOT && noTrials === null)('where something of a sandbox is missing', () => {
  for (const { title, before, says, watches = says === null } of CASES)
    test(title, () => {
      const [, ...node] = user.words([program]).slice(AS_NOBODY.length - 1)
      const [command = '', ...words] = [...before(), ...node]
      const { stdout, stderr } = spawnSync(command, words, { env: user.environment, cwd: '/', encoding: 'utf8', timeout: 120_000 })
      const seen = JSON.parse(stdout === '' ? JSON.stringify(stderr) : stdout) as Readonly<Record<string, unknown>>
      const said = says === null ? null : expect.stringMatching(says)
      expect(seen).toEqual({ trial: said, judges: said, watches: watches && perlHere() !== null, ran: false })
    })
})
