import { describe, expect, test } from 'vitest'
import { analyseShell } from '../../src/facts/shell/index.ts'
import { createFixedView } from '../../src/view/fixed.ts'
import { proves } from '../proves.ts'
import { missing } from './cover.ts'
import { everyAtom, harmless } from './grammar.ts'
import { Random } from './random.ts'
import { type Ran, Sandbox, untraceable } from './sandbox.ts'
import { type Happened, readTraces } from './trace.ts'

/** What the kernel saw of a command against what was said of it before: nothing executed, written or deleted may be missing. */

const COMMANDS = 60
const problem = untraceable()

/** What a failed run is told as. */
function told(ran: Ran): unknown {
  const effects = ran.facts.effects.map((effect) => `${effect.verb} ${effect.target.real ?? effect.target.value}`)
  return { command: ran.command, missing: ran.missing, effects }
}

function runAll(commands: readonly string[]): { readonly failed: readonly unknown[]; readonly checked: number; readonly events: number } {
  const sandbox = new Sandbox()
  const ran = commands.map((command) => sandbox.run(command))
  const checked = ran.filter((item) => item.facts.coverage === 'full')
  return {
    failed: ran.filter((item) => item.missing.length > 0).map(told),
    checked: checked.length,
    events: checked.reduce((sum, item) => sum + item.happened.length, 0),
  }
}

if (problem !== null && process.env.CI !== 'true') {
  test.skip(`commands are not run here: ${problem}`, () => {})
} else {
  proves(
    'T08',
    'every kind of command, run under strace, did nothing that its effects do not tell',
    () => {
      expect(problem).toBeNull()
      const commands = everyAtom(new Random(3))
      const { failed, checked, events } = runAll(commands)
      expect(failed).toEqual([])
      // What is opaque proves nothing: most must be understood, and something must really have happened.
      expect(checked).toBeGreaterThan(commands.length * 0.8)
      expect(events).toBeGreaterThan(commands.length)
    },
    180_000,
  )

  proves(
    'T08',
    'nor did generated commands, nested and combined',
    () => {
      expect(problem).toBeNull()
      const random = new Random(20_261_121)
      const { failed, checked, events } = runAll(Array.from({ length: COMMANDS }, () => harmless(random)))
      expect(failed).toEqual([])
      expect(checked).toBeGreaterThan(COMMANDS * 0.8)
      expect(events).toBeGreaterThan(COMMANDS)
    },
    180_000,
  )
}

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
    ['unlink("a\\"b\\n\\303\\251") = 0', ['deleted /w/a"b\nÃ©']],
    ['+++ exited with 0 +++', []],
    ['--- SIGCHLD {si_signo=SIGCHLD} ---', []],
    // Of its own making: a temporary file that it takes away or puts in place.
    ['openat(AT_FDCWD</w>, "sedX", O_RDWR|O_CREAT|O_EXCL, 0600) = 4</w/sedX>\nrename("sedX", "a") = 0', ['written /w/a']],
    ['openat(AT_FDCWD</w>, "t", O_RDWR|O_CREAT|O_EXCL, 0600) = 4</w/t>\nunlink("t") = 0', []],
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
    const facts = analyseShell(command, { pointer: '/command', view: view(), cwd: '/w' })
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
  ] as const) {
    test(`missing: ${command}: ${happened}`, () => expect(check(command, [happened])).toEqual([happened]))
  }
})
