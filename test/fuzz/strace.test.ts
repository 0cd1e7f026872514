import { spawnSync } from 'node:child_process'
import { afterAll, describe, expect, test } from 'vitest'
import { analyseShell } from '../../src/facts/bash/index.ts'
import { languages } from '../../src/facts/languages/index.ts'
import { createFixedView } from '../../src/view/fixed.ts'
import { proves } from '../proves.ts'
import { missing } from './cover.ts'
import { everyAtom, harmless } from './grammar.ts'
import { Random } from './random.ts'
import { type Ran, Sandbox } from './sandbox.ts'
import { type Happened, readTraces } from './trace.ts'
import { breaches } from './walls.ts'

/** What the kernel saw of a command against what was said of it before: nothing executed, written or deleted may be missing. */

const COMMANDS = 60
/** At least this share must be understood: what is opaque proves nothing. */
const UNDERSTOOD = 0.85

const opened = await Sandbox.open().then(
  (sandbox) => ({ sandbox, problem: null }),
  (error: unknown) => ({ sandbox: null, problem: String(error) }),
)
afterAll(() => opened.sandbox?.close())

function inside(): Sandbox {
  if (opened.sandbox === null) throw new Error(opened.problem)
  return opened.sandbox
}

/** What a failed run is told as. */
function told(ran: Ran): unknown {
  const effects = ran.facts.effects.map((effect) => `${effect.verb} ${effect.target.real ?? effect.target.value}`)
  return { command: ran.command, missing: ran.missing, effects }
}

/** Two at a time: a command mostly waits. */
async function runAll(commands: readonly string[]): Promise<readonly Ran[]> {
  const ran: Ran[] = []
  const left = [...commands]
  const work = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) ran.push(await inside().run(next))
  }
  await Promise.all([work(), work()])
  return ran
}

function expectAllTold(ran: readonly Ran[]): void {
  expect(ran.filter((item) => item.missing.length > 0).map(told)).toEqual([])
  const checked = ran.filter((item) => item.facts.coverage === 'full')
  expect(checked.length).toBeGreaterThan(ran.length * UNDERSTOOD)
  expect(checked.reduce((sum, item) => sum + item.happened.length, 0)).toBeGreaterThan(ran.length)
}

if (opened.sandbox === null && process.env.CI !== 'true') {
  test.skip(`commands are not run here: ${opened.problem}`, () => {})
} else {
  proves(
    'T08',
    'every kind of command, run under strace, did nothing that its effects do not tell',
    async () => expectAllTold(await runAll(everyAtom(new Random(3)))),
    180_000,
  )

  proves(
    'T08',
    'nor did generated commands, nested and combined',
    async () => {
      const random = new Random(20_261_121)
      expectAllTold(await runAll(Array.from({ length: COMMANDS }, () => harmless(random))))
    },
    180_000,
  )

  describe('the run finds what an analysis leaves out', () => {
    for (const [claimed, command, found] of [
      ['true', 'touch left-out', ['executed touch', 'written left-out']],
      ['rm -f a.txt', 'rm -f a.txt b.txt', ['deleted b.txt']],
      ['cat a.txt', 'cat a.txt > a2.txt', ['written a2.txt']],
      ['bash -c "rm -f a.txt"', 'bash -c "rm -f a.txt; mv b.txt c"', ['executed mv', 'deleted b.txt', 'written c']],
      ['env ls', 'env xargs ls', ['executed xargs']],
      ['(cd dir; touch x)', '(cd dir; touch x); touch x', ['written x']],
      ['eval "$UNKNOWN"', 'touch whatever', []],
      ['touch same', 'touch same', []],
    ] as const) {
      test(`${command} taken for ${claimed}`, async () => {
        const { missing: left } = await inside().run(command, claimed)
        expect(left.map(({ kind, path }) => `${kind} ${path.slice(path.lastIndexOf('/') + 1)}`)).toEqual(found)
      })
    }
  })

  test('nothing of one command is there for the next', async () => {
    await inside().run('rm -rf -- * ~/.x; touch new-file')
    await expect(inside().run('touch new-file; kill -9 -1')).rejects.toThrow('no whole trace')
    const { happened } = await inside().run('test -e new-file || touch gone; test -e a.txt && touch back')
    expect(happened.map(({ path }) => path.slice(path.lastIndexOf('/') + 1)).filter((name) => name !== 'touch')).toEqual(['gone', 'back'])
  })
}

describe('nothing is run without a sandbox that holds', () => {
  test('where there is none', async () => {
    await expect(Sandbox.open([])).rejects.toThrow('nothing is run without a sandbox: bubblewrap is not installed')
  })

  test('its trial sees a shell on the host for what it is', async () => {
    const found = await breaches((script, args) => {
      const { status, stdout } = spawnSync('/bin/sh', ['-c', script, 'sh', ...args], { encoding: 'utf8', env: { PATH: '/usr/bin:/bin' } })
      return Promise.resolve({ status, stdout })
    })
    expect(found.filter((line) => /was written to|is the host's/.test(line))).toHaveLength(process.platform === 'linux' ? 7 : 1)
  })

  test('and takes silence for no sandbox', async () => {
    const found = await breaches(() => Promise.resolve({ status: 1, stdout: '' }))
    expect(found).toHaveLength(8)
  })
})

const at = (call: string): string => `openat(AT_FDCWD</w>, "/etc/ld.so.cache", O_RDONLY|O_CLOEXEC) = 3</etc/ld.so.cache>\n${call}`

describe('a trace is read for what happened', () => {
  for (const [line, expected] of [
    ['execve("/usr/bin/rm", ["rm", "-f"], 0x1 /* 3 vars */) = 0', ['executed /usr/bin/rm']],
    ['execve("/usr/bin/none", ["none"], 0x1 /* 3 vars */) = -1 ENOENT (No such file or directory)', []],
    ['openat(AT_FDCWD</w>, "a", O_WRONLY|O_CREAT|O_TRUNC, 0666) = 3</w/a>', ['written /w/a']],
    ['openat(AT_FDCWD</w>, "a", O_RDONLY) = 3</w/a>', []],
    ['openat(AT_FDCWD</w>, "a", O_RDWR) = -1 EACCES (Permission denied)', []],
    ['openat(4</w/d>, "a", O_RDWR|O_CREAT, 0666) = 3</w/d/a>', ['written /w/d/a']],
    ['creat("a", 0666) = 3</w/a>', ['written /w/a']],
    ['unlinkat(AT_FDCWD</w>, "d/a", 0) = 0', ['deleted /w/d/a']],
    ['unlinkat(4</w/d>, "a", AT_REMOVEDIR) = 0', ['deleted /w/d/a']],
    ['unlink("a") = 0', ['deleted /w/a']],
    ['rmdir("./d/") = 0', ['deleted /w/d']],
    ['mkdir("d/e", 0777) = 0', ['written /w/d/e']],
    ['rename("a", "b") = 0', ['deleted /w/a', 'written /w/b']],
    ['renameat2(AT_FDCWD</w>, "a", 4</w/d>, "b", RENAME_NOREPLACE) = 0', ['deleted /w/a', 'written /w/d/b']],
    ['symlinkat("x", AT_FDCWD</w>, "l") = 0', ['written /w/l']],
    ['symlink("x", "l") = 0', ['written /w/l']],
    ['linkat(AT_FDCWD</w>, "a", AT_FDCWD</w>, "b", 0) = 0', ['written /w/b']],
    ['truncate("a", 0) = 0', ['written /w/a']],
    ['chdir("d") = 0\nunlink("a") = 0', ['deleted /w/d/a']],
    ['fchdir(4</v>) = 0\nunlink("a") = 0', ['deleted /v/a']],
    ['unlink("a\\"b\\n\\303\\251") = 0', ['deleted /w/a"b\né']],
    ['+++ exited with 0 +++', []],
    ['--- SIGCHLD {si_signo=SIGCHLD} ---', []],
    // Of its own making: a temporary file that it takes away or puts in place.
    ['openat(AT_FDCWD</w>, "sedX", O_RDWR|O_CREAT|O_EXCL, 0600) = 4</w/sedX>\nrename("sedX", "a") = 0', ['written /w/a']],
    ['openat(AT_FDCWD</w>, "t", O_RDWR|O_CREAT|O_EXCL, 0600) = 4</w/t>\nunlink("t") = 0', []],
    ['symlink("d/e", "l") = 0\nunlink("l/a") = 0\nunlink("a") = 0', ['written /w/l', 'deleted /w/d/e/a', 'deleted /w/a']],
    ['symlink("/v/u", "l") = 0\nrename("l/../a", "b") = 0', ['written /w/l', 'deleted /v/a', 'written /w/b']],
    ['symlinkat("x", AT_FDCWD</w>, "Cu1") = 0\nrenameat(AT_FDCWD</w>, "Cu1", AT_FDCWD</w>, "l") = 0', ['written /w/l']],
    ['rename("a", "a.bak") = 0\nrename("n", "a") = 0', ['written /w/a.bak', 'deleted /w/n', 'written /w/a']],
  ] as const) {
    test(line.slice(0, 80), () => {
      expect(readTraces([at(line)], '/').map((item) => `${item.kind} ${item.path}`)).toEqual(expected)
    })
  }
})

describe('what is missing is found', () => {
  const view = () => createFixedView({ home: '/h', user: 'u', cwd: '/w', directories: ['/w/d'], files: { '/w/a': 'x', '/w/b': 'y' } })
  const check = (command: string, happened: readonly string[]): readonly string[] => {
    const facts = analyseShell(command, { pointer: '/command', view: view(), languages, cwd: '/w' })
    const items = happened.map((item): Happened => {
      const [kind = '', path = ''] = item.split(' ')
      return { kind: kind as Happened['kind'], path }
    })
    return missing(items, facts, '/w').map((item) => `${item.kind} ${item.path}`)
  }
  for (const [command, happened] of [
    ['rm a', ['executed /usr/bin/rm', 'deleted /w/a']],
    ['rm -r d', ['deleted /w/d', 'deleted /w/d/x']],
    ['rm *', ['deleted /w/a', 'deleted /w/b']],
    ['mv a d', ['deleted /w/a', 'written /w/d/a']],
    ['mkdir -p e/f', ['written /w/e', 'written /w/e/f']],
    ['sudo env rm a', ['executed /usr/bin/sudo', 'executed /usr/bin/env', 'executed /usr/bin/rm', 'deleted /w/a']],
    ['rm "$X"', ['deleted /w/a']],
    ['eval "$X"', ['executed /usr/bin/anything', 'written /w/zzz']],
    ['echo hi > a', ['written /w/a', 'written /dev/null']],
    ['tar -czf a d', ['executed /usr/bin/tar', 'executed /usr/bin/gzip', 'written /w/a']],
    ['cd "$X"; rm -f [ab].c', ['deleted /elsewhere/a.c', 'deleted /w/b.c']],
    ['cd "$X"; rm ../x; touch y', ['deleted /elsewhere/x', 'written /elsewhere/y']],
  ] as const) {
    test(`all told: ${command}`, () => expect(check(command, happened)).toEqual([]))
  }
  for (const [command, happened] of [
    ['rm a', 'deleted /w/b'],
    ['rm a', 'executed /usr/bin/curl'],
    ['rm a', 'written /w/a'],
    ['rm -f a.*', 'deleted /w/b'],
    ['rm d', 'deleted /w/d/x'],
    ['echo hi > a', 'written /w/b'],
    ['echo hi > a', 'deleted /w/a'],
    ['cat a', 'written /w/a'],
    ['cat a', 'written /etc/x'],
    ['mkdir e', 'written /w/f'],
    ['cp a b', 'deleted /w/a'],
    ['ls', 'executed /usr/bin/gzip'],
    ['cd "$X"; rm -f [ab].c', 'deleted /w/c.c'],
    ['cd "$X"; rm ../x', 'deleted /elsewhere/y'],
    ['cd "$X"; touch y', 'written /elsewhere/z'],
  ] as const) {
    test(`missing: ${command}: ${happened}`, () => expect(check(command, [happened])).toEqual([happened]))
  }
})
