/** The process that keeps the stage of trials, and what it says of the programs that a command starts. */
import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect } from 'vitest'
import { LIMITS } from '../../test/support/trial-limits.ts'
import { trials, triedOut } from '../../test/support/trials.ts'
import { attributesIn, perlHere } from './attributes.ts'
import { GROUPS } from './cgroup.ts'
import { createTrials, type Trials, type Tried } from './overlay.ts'
import { NoSandbox, PLACES } from './sandbox.ts'

const work = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-kept-')))
afterAll(() => rmSync(work, { recursive: true }))
const identity = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }
const sh = (script: string, by: Trials = trials): Promise<Tried> =>
  by.run(['/bin/bash', '-c', script], {
    places: [work],
    reads: [],
    cell: { hidden: [], programs: [], cwd: work, environment: {}, identity, limits: LIMITS },
  })
const KEEPS = perlHere() !== null

/** Processes by their words, as the machine sees them. */
const named = (mark: string): readonly number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && wordsOf(name).startsWith(mark))
    .map(Number)

function wordsOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1')
  } catch {
    return ''
  }
}

function kept(): readonly number[] {
  const children = readdirSync('/proc/self/task').flatMap((task) => readFileSync(`/proc/self/task/${task}/children`, 'latin1').split(' '))
  return children.filter((pid) => wordsOf(pid).includes('perl')).map(Number)
}

async function until(holds: () => boolean): Promise<boolean> {
  for (let tries = 0; tries < 200 && !holds(); tries++) await wait(25)
  return holds()
}

describe('what keeps the stage', () => {
  triedOut('stands for one trial after another, and for several at once', async () => {
    if (!KEEPS) return
    await sh('true')
    await wait(100)
    const before = kept()
    for (let run = 0; run < 3; run++) {
      expect((await sh('echo 1 > new; cat new')).stdout).toBe('1\n')
      await wait(100)
    }
    expect(kept()).toEqual(before)
    const ran = await Promise.all(['a', 'b', 'c', 'd'].map((name) => sh(`sleep 0.2; echo ${name} > ${name}; ls`)))
    expect(ran.map(({ stdout }) => stdout)).toEqual(['a\n', 'b\n', 'c\n', 'd\n'])
  })

  triedOut('that is killed ends its trial and what runs in it, and the next trial starts another', async () => {
    if (!KEEPS) return
    const mark = `countersign-kept-${process.pid}-killed`
    const running = sh(`exec -a ${mark} sleep 60`)
    const refused = expect(running).rejects.toThrow(NoSandbox)
    expect(await until(() => named(mark).length > 0)).toBe(true)
    for (const pid of kept()) process.kill(pid, 'SIGKILL')
    await refused
    expect(await until(() => named(mark).length === 0)).toBe(true)
    // Also where it ended while it was idle, and nobody knows of it yet.
    for (const word of ['again', 'and again']) {
      expect((await sh(`echo ${word}`)).stdout).toBe(`${word}\n`)
      await wait(100)
      for (const pid of kept()) process.kill(pid, 'SIGKILL')
    }
  })

  triedOut('ends with the gate, however that ends', async () => {
    const mark = `countersign-kept-${process.pid}-gate`
    const program = fileURLToPath(new URL('../../test/escape/inheriting.ts', import.meta.url))
    const gate = spawn(process.execPath, ['--import', 'tsx', program, work, `exec -a ${mark} sleep 60`], { stdio: 'ignore' })
    expect(await until(() => named(mark).length > 0)).toBe(true)
    gate.kill('SIGKILL')
    expect(await until(() => named(mark).length === 0)).toBe(true)
  })
})

describe('attributes', () => {
  const CASES: readonly (readonly [said: string, count: number, read: unknown])[] = [
    ['end 1\n', 1, [[]]],
    ['0 757365722e61 31\nend 2\n', 2, [['user.a=31'], []]],
    ['', 1, null],
    ['end 1\n', 2, null],
    ['0 757365722e61 31\n', 1, null],
    ['0 757365722e61 31\nend 11\n', 1, null],
    ['0 757365722e61 31\nfriend 1\n', 1, null],
  ]
  triedOut('of which an answer is short, or is one to another question, are not known', async () => {
    for (const [said, count, read] of CASES) expect([said, attributesIn(said, count)]).toEqual([said, read])
  })
})

const PYTHON = (...lines: readonly string[]): string => `/usr/bin/python3 -I -S - <<'P'\n${lines.join('\n')}\nP`
const LIBRARY = 'import ctypes,os; l=ctypes.CDLL(None,use_errno=True)'

describe('programs that a command starts', () => {
  /** The last path of the list, and how often it stands there; labels were written before the first run. */
  const HOSTILE: readonly (readonly [title: string, script: string, path: RegExp])[] = [
    ['one', 'date', /^\/usr\/bin\/date$/],
    ['that becomes the command', 'exec date', /^\/usr\/bin\/date$/],
    ['under another name', 'exec -a ls date', /^\/usr\/bin\/date$/],
    ['a copy', 'cp /usr/bin/date ./ls; ./ls', /\/ls$/],
    ['in the background, in a session of its own', 'setsid -f date; sleep 0.2', /^\/usr\/bin\/(?:date|sleep)$/],
    ['by a script', 'printf "#!/bin/sh\\nexec date\\n" > s; chmod +x s; ./s', /^\/usr\/bin\/date$/],
    [
      'from memory',
      PYTHON(
        'import os,shutil',
        'f=os.memfd_create("m",0)',
        'os.write(f,open("/usr/bin/date","rb").read())',
        'os.execv("/proc/self/fd/%d"%f,["date"])',
      ),
      /memfd:m/,
    ],
    [
      'by a thread',
      PYTHON('import threading,os', 't=threading.Thread(target=lambda: os.execv("/usr/bin/date",["date"]))', 't.start(); t.join()'),
      /^\/usr\/bin\/date$/,
    ],
    ['by posix_spawn', PYTHON('import os', 'os.waitpid(os.posix_spawn("/usr/bin/date",["date"],{}),0)'), /^\/usr\/bin\/date$/],
    [
      'asked not to be watched (refused)',
      PYTHON(
        LIBRARY,
        'p=l.syscall(56 if os.uname().machine=="x86_64" else 220,0x800000|17,0,0,0,0)',
        'if p==0: os.execv("/usr/bin/date",["date"])',
        'os.wait() if p>0 else os.execv("/usr/bin/printf",["printf","refused"])',
      ),
      /printf$/,
    ],
    ['that hides itself from others', PYTHON(LIBRARY, 'l.prctl(4,0)', 'os.execv("/usr/bin/date",["date"])'), /^\/usr\/bin\/date$/],
    ['after it was stopped and went on', '(sleep 0.2; kill -CONT $$) & kill -STOP $$; date', /^\/usr\/bin\/date$/],
  ]
  triedOut('are listed with their path as the kernel knows it, and none is missing', async () => {
    if (!KEEPS) return
    for (const [title, script, path] of HOSTILE) {
      const { programs, stdout, stderr, ended } = await sh(script)
      expect(
        programs?.listed.some((each) => path.test(each.path)),
        `${title}: ${JSON.stringify(programs)} ${stdout} ${stderr} ${ended}`,
      ).toBe(true)
    }
  })

  triedOut('are counted also beyond the list, and a path that is new to it stays on it', async () => {
    if (!KEEPS) return
    const { programs } = await sh('for i in $(seq 300); do /bin/true $i; done; date; for i in 1 2 3; do /bin/false; done')
    expect([programs?.starts, programs?.listed.length]).toEqual([305, 102])
    expect(programs?.listed.slice(-2)).toEqual([
      { path: '/usr/bin/date', words: 'date', times: 1 },
      { path: '/usr/bin/false', words: '/bin/false', times: 3 },
    ])
    expect((await sh('true')).programs).toEqual({ starts: 0, listed: [] })
  })

  triedOut('are not told where nothing can watch: that is never an empty list', async () => {
    const { programs, stdout } = await sh('date +%s', createTrials(PLACES, GROUPS, 'shell'))
    expect([programs, /^\d+\n$/.test(stdout)]).toEqual([null, true])
  })
})
