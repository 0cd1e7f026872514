import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { insideSandbox } from '../../test/support/sandboxed.ts'
import type { Cell } from './cell.ts'
import { createGroups, GROUPS, groupProblem } from './cgroup.ts'
import { createTrials } from './overlay.ts'
import { createSandbox, NoSandbox, PLACES } from './sandbox.ts'

const sandbox = createSandbox()
let root: string
let work: string

beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-cell-')))
  work = join(root, 'work')
  mkdirSync(join(work, 'keys'), { recursive: true })
  writeFileSync(join(work, 'a.txt'), 'one\n')
  writeFileSync(join(work, 'keys', 'k'), 'secret-key')
  writeFileSync(join(work, '.env'), 'TOKEN=secret-env')
  writeFileSync(join(root, 'outside.txt'), 'secret-outside')
  symlinkSync(join(root, 'outside.txt'), join(work, 'link'))
  for (const path of [root, work]) chmodSync(path, 0o755)
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

function cell(more: Partial<Cell> = {}): Cell {
  return {
    mounts: [work],
    copy: false,
    hidden: [
      { path: join(work, 'keys'), directory: true },
      { path: join(work, '.env'), directory: false },
    ],
    programs: [],
    cwd: work,
    environment: { MARK: 'here' },
    limits: { timeMs: 10_000, memoryBytes: 1 << 30, outputBytes: 8_192, spaceBytes: 1 << 24, processes: 256 },
    ...more,
  }
}

const sh = (script: string, more: Partial<Cell> = {}) => sandbox.run(['/bin/sh', '-c', script], cell(more))

describe('the sandbox', () => {
  insideSandbox(
    'shows the mounts and nothing else, and lets nothing be changed',
    async () => {
      const cases: readonly (readonly [string, string | RegExp])[] = [
        ['cat a.txt; pwd', `one\n${work}\n`],
        [`ls ${root}`, 'work\n'],
        ['cat link 2>/dev/null || echo none', 'none\n'],
        ['ls keys; cat .env', ''],
        ['cat /etc/passwd /etc/shadow /root/.bashrc 2>/dev/null; echo', '\n'],
        ['touch a.txt b.txt /x /dev/x /run/x /usr/x 2>/dev/null || echo none', 'none\n'],
        ['mv a.txt c.txt 2>/dev/null || rm -f a.txt 2>/dev/null || echo none', 'none\n'],
        ['echo x > /tmp/x && echo y > "$TMPDIR/y" && cat /tmp/x "$HOME/y"', 'x\ny\n'],
        ['id -u; hostname', '65534\nsandbox\n'],
        ['echo "$MARK $HOME $PATH"', 'here /run/scratch /usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin\n'],
        ['env | cut -d= -f1 | sort | tr "\\n" " "', /^HOME LANG MARK (?:OLDPWD )?PATH PWD (?:SHLVL )?TMPDIR (?:_ )?$/],
        ['ls /proc | grep -c "^[0-9]"', /^[1-9]\n$/],
        ['mount -t tmpfs none /tmp 2>/dev/null || echo none', 'none\n'],
        ['command -v unshare >/dev/null && unshare -Ur true 2>/dev/null || echo none', 'none\n'],
        ['chmod 777 a.txt 2>/dev/null || echo none', 'none\n'],
        ['mknod /tmp/m c 1 3 2>/dev/null || echo none', 'none\n'],
      ]
      for (const [script, expected] of cases) {
        const { stdout } = await sh(script)
        if (typeof expected === 'string') expect([script, stdout]).toEqual([script, expected])
        else expect(stdout, script).toMatch(expected)
      }
      expect(readFileSync(join(work, 'a.txt'), 'utf8')).toBe('one\n')
    },
    180_000,
  )

  insideSandbox(
    'works on a copy that is thrown away, without what is private',
    async () => {
      const script = 'echo two >> a.txt; cat a.txt; ls -A keys; ls /run/origin/0/keys; cat .env 2>/dev/null; test -e keys && echo kept'
      expect((await sh(script, { copy: true })).stdout).toBe('one\ntwo\nkept\n')
      expect(readFileSync(join(work, 'a.txt'), 'utf8')).toBe('one\n')
    },
    180_000,
  )

  insideSandbox(
    'has no network, not even that of this machine',
    async () => {
      const server = createServer((socket) => socket.end('reached'))
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const address = server.address()
      const port = typeof address === 'object' && address !== null ? address.port : 0
      const reach = `const s=require('net').connect(${port},'127.0.0.1');s.on('data',d=>console.log(String(d))).on('error',()=>console.log('none'))`
      const ran = await sandbox.run(['node', '-e', reach], cell({ programs: [join(process.execPath, '..')] }))
      await new Promise((resolve) => server.close(resolve))
      expect(ran.stdout).toBe('none\n')
    },
    180_000,
  )

  insideSandbox(
    'reaches no socket in a mount, and no key of the session',
    async () => {
      let calls = 0
      const server = createServer((socket) => socket.end(String(++calls)))
      await new Promise<void>((resolve) => server.listen(join(work, 'daemon.sock'), resolve))
      chmodSync(join(work, 'daemon.sock'), 0o777)
      const reach = `require('net').connect('daemon.sock').on('data',()=>console.log('reached')).on('error',(e)=>console.log(e.code))`
      const ran = await sandbox.run(['node', '-e', reach], cell({ programs: [join(process.execPath, '..')] }))
      const filtered = await sh('grep Seccomp: /proc/self/status')
      await new Promise((resolve) => server.close(resolve))
      expect([ran.stdout, calls, filtered.stdout]).toEqual(['EAFNOSUPPORT\n', 0, 'Seccomp:\t2\n'])
    },
    180_000,
  )

  insideSandbox(
    'ends what takes too long, is too large, or says too much',
    async () => {
      const { limits } = cell()
      const slow = await sh('echo begun; sleep 600 & sleep 600', { limits: { ...limits, timeMs: 700 } })
      expect([slow.late, slow.status, slow.stdout]).toEqual([true, null, 'begun\n'])
      const loud = await sh('head -c 300000 /dev/zero | tr "\\0" a', { limits: { ...limits, outputBytes: 400 } })
      expect([loud.cut, loud.stdout.length < 300, loud.status]).toEqual([true, true, 0])
      const hungry = 'const a=[];for(;;)a.push(Buffer.alloc(1e7,1))'
      const large = await sandbox.run(
        ['node', '-e', hungry],
        cell({ programs: [join(process.execPath, '..')], limits: { ...limits, memoryBytes: 4e8 } }),
      )
      expect(large.status).not.toBe(0)
      expect((await sh('head -c 40000000 /dev/zero > /tmp/x && echo fits')).stdout).toBe('')
      expect((await sh('ulimit -c; ulimit -n')).stdout).toBe('0\n1024\n')
      const stopped = new AbortController()
      setTimeout(() => stopped.abort(), 300)
      expect((await sandbox.run(['/bin/sleep', '600'], cell(), stopped.signal)).late).toBe(true)
      const already = AbortSignal.abort()
      expect((await sandbox.run(['/bin/sleep', '600'], cell(), already)).late).toBe(true)
    },
    180_000,
  )

  insideSandbox(
    'holds a program to a number of processes, also where the gate runs as root, and takes its group away',
    async () => {
      const { limits } = cell()
      const script = 'i=0; while [ $i -lt 60 ]; do sleep 5 & i=$((i+1)); echo $i; done'
      const begun = Number((await sh(script, { limits: { ...limits, processes: 20 } })).stdout.trim().split('\n').at(-1))
      expect(begun).toBeLessThan(20)
      const group = GROUPS.of(5)
      if (typeof group === 'string') throw new Error(group)
      const joined = group.started(['/bin/true']).find((word) => word.endsWith('/cgroup.procs'))
      if (joined === undefined) return
      expect(readFileSync(joined.replace('cgroup.procs', 'pids.max'), 'utf8')).toBe('5\n')
      group.end()
      expect(existsSync(joined)).toBe(false)
    },
    180_000,
  )

  insideSandbox(
    'tells what a command ended with, and what could not be put up',
    async () => {
      expect([(await sh('exit 7')).status, (await sandbox.run(['/nonexistent'], cell())).status]).toEqual([7, 127])
      await expect(sandbox.run(['/bin/true'], cell({ mounts: ['/nonexistent/place'] }))).rejects.toThrow(NoSandbox)
      expect((await sandbox.run(['/bin/true'], cell({ cwd: '/nonexistent' }))).status).toBe(126)
    },
    180_000,
  )
})

describe('where nothing bounds the number of processes', () => {
  const root = process.getuid?.() === 0
  const ran = (): string => join(work, 'ran')
  const trial = () => ({ places: [work], reads: [], cell: { ...cell(), cwd: work } })

  test.runIf(root)('nothing runs under root, neither programs nor trials, and what to do is said', async () => {
    const none = createGroups([mkdtempSync(join(tmpdir(), 'countersign-none-'))])
    const [programs, trials] = [createSandbox(PLACES, none), createTrials(PLACES, none)]
    for (const problem of [programs.problem(), await trials.problem()])
      expect(problem).toMatch(/not installed|no cgroup that limits processes .*\. Run the gate as another user/)
    await expect(programs.run(['/bin/touch', ran()], cell())).rejects.toThrow(NoSandbox)
    await expect(trials.run(['/bin/touch', ran()], trial())).rejects.toThrow(NoSandbox)
  })

  const grouped = root && groupProblem(GROUPS) === null && createSandbox().problem() === null
  test.runIf(grouped)('nothing more runs once groups cannot be made any more', async () => {
    const at = mkdtempSync(join(tmpdir(), 'countersign-groups-'))
    const pids = join(at, 'pids')
    symlinkSync('/sys/fs/cgroup/pids', pids)
    const groups = createGroups([pids])
    // Version 2 has no such hierarchy.
    if (groupProblem(groups) !== null) return
    const [programs, trials] = [createSandbox(PLACES, groups), createTrials(PLACES, groups)]
    expect([(await programs.run(['/bin/true'], cell())).status, (await trials.run(['/bin/true'], trial())).status]).toEqual([0, 0])
    rmSync(pids)
    mkdirSync(pids)
    await expect(programs.run(['/bin/true'], cell())).rejects.toThrow(NoSandbox)
    await expect(trials.run(['/bin/true'], trial())).rejects.toThrow(NoSandbox)
    rmSync(at, { recursive: true })
  })
})

describe('without bubblewrap', () => {
  test('nothing runs at all', async () => {
    const empty = mkdtempSync(join(tmpdir(), 'countersign-none-'))
    const none = createSandbox([empty])
    expect(none.problem()).toMatch(/needs Linux|bubblewrap is not installed/)
    await expect(none.run(['/bin/sh', '-c', `touch ${empty}/ran`], cell())).rejects.toThrow(NoSandbox)
    rmSync(empty, { recursive: true })
  })

  test('a program that only has its name is not believed', () => {
    const fake = mkdtempSync(join(tmpdir(), 'countersign-fake-'))
    writeFileSync(join(fake, 'bwrap'), '#!/bin/sh\nwhile [ "$1" != -- ]; do shift; done\nshift\nexec "$@"\n', { mode: 0o755 })
    writeFileSync(join(fake, 'prlimit'), '#!/bin/sh\nwhile [ "$1" != -- ]; do shift; done\nshift\nexec "$@"\n', { mode: 0o755 })
    expect(createSandbox([fake]).problem()).toMatch(/needs Linux|bubblewrap does not work here/)
    rmSync(fake, { recursive: true })
  })
})
