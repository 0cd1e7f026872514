/**
 * Users do not run agents as root, and these tests do: trials, the sandbox of judges, captures and the command line as a user without root's rights,
 * in a home of its own, over a workspace in which names of root stand.
 */
import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { perlHere } from '../../src/sandbox/attributes.ts'
import { CLI } from '../hosts/harness.ts'
import { CLOSED } from '../support/closed-names.ts'
import { bundled, IS_ROOT, type PlainUser, plainUser } from '../support/plain-user.ts'
import { ATTRIBUTES } from '../support/random-programs.ts'
import { noTrials } from '../support/trials.ts'

interface Answers {
  readonly kernel: Readonly<Record<string, unknown>>
  readonly closedNames: readonly unknown[]
  readonly ofOthers: readonly (readonly [script: string, well: boolean, stdout: string, told: readonly string[]])[]
  readonly judges: unknown
  readonly escapes: { readonly tried: number; readonly out: readonly unknown[] }
  readonly capture: unknown
}

let user: PlainUser
let work: string
let answers: Answers

/** Those of the user; whatever is made here later belongs to root. */
function plantOwn(): void {
  const [directories, files] = [
    ['', 'tree', 'fixed'],
    ['mine.txt', 'tree/a', 'fixed/in'],
  ]
  for (const name of directories) mkdirSync(join(work, name), { recursive: true })
  for (const name of files) writeFileSync(join(work, name), `${name}\n`)
  if (IS_ROOT) for (const name of [...directories, ...files]) chownSync(join(work, name), user.uid, user.uid)
  chmodSync(join(work, 'fixed'), 0o500)
}

function plantOthers(): void {
  writeFileSync(join(work, 'secret'), 'secret\n', { mode: 0o600 })
  writeFileSync(join(work, 'readable'), 'readable\n', { mode: 0o644 })
  for (const [name, mode] of [
    ['theirs', 0o755],
    ['locked', 0o700],
  ] as const) {
    mkdirSync(join(work, name))
    writeFileSync(join(work, name, 'in'), 'in\n')
    chmodSync(join(work, name), mode)
  }
}

beforeAll(async () => {
  if (noTrials !== null) return
  user = plainUser()
  work = join(user.home, 'work')
  plantOwn()
  if (IS_ROOT) plantOthers()
  answers = JSON.parse(user.run(await bundled(new URL('program.ts', import.meta.url), user), [work])) as Answers
})
afterAll(() => user?.remove())

const here = noTrials === null

describe.runIf(here)('without the rights of root', () => {
  test('namespaces, overlays, counters, programs, attributes and a bound for processes are there, and no group is made', () => {
    const perl = perlHere() !== null
    expect(answers.kernel).toEqual({
      ...{ problem: null, copying: null, group: null, network: [true, ''], bomb: 'processes' },
      ids: `${user.uid}\n1\ndeny\n`,
      programs: perl
        ? [
            ['date', 'date +%s'],
            ['id', 'ls'],
          ]
        : undefined,
      attributes: [['z', ATTRIBUTES ? ['user.x=31'] : []]],
    })
  })

  test('what a command closes to its own user is told all the same, or it is said that it could not be read', () => {
    expect(answers.closedNames).toEqual(CLOSED.map(({ title, closed = [], expected }) => [title, closed, expected]))
  })

  test('the sandbox of judges holds, and bounds processes', () => {
    expect(answers.judges).toEqual({ problem: null, reads: `65534\nmine.txt\nclosed\n`, bounded: true })
  })

  test('no cheap way leads out', () => {
    expect([answers.escapes.out, answers.escapes.tried > 10]).toEqual([[], true])
  })
})

describe.runIf(here && IS_ROOT)('names of another owner', () => {
  const CASES: readonly (readonly [script: string, well: boolean, stdout: string, told: readonly string[]])[] = [
    ['cat secret', false, '', []],
    ['echo x > secret', false, '', []],
    ['cat readable', true, 'readable\n', []],
    ['echo x >> readable', false, '', []],
    ['chmod 777 readable', false, '', []],
    ['echo x > theirs/new', false, '', []],
    ['rm theirs/in', false, '', []],
    ['rm -f readable', true, '', ['deleted readable']],
    ['rm -f secret', true, '', ['deleted secret']],
    ['cp readable mine && echo more >> mine', true, '', ['created mine readable\nmore']],
    ['ls locked', false, '', []],
    ['rm -rf locked', false, '', []],
  ]
  test('do in a trial what they would do: they are read, written and deleted as far as their permissions say', () => {
    expect(answers.ofOthers).toEqual(CASES)
  })

  test('are kept before a call as far as they can be read, and are not touched when it is taken back', () => {
    expect(answers.capture).toEqual({
      left: ['./locked cannot be read', './secret cannot be read'],
      failed: [`./readable: it belonged to user 0 and group 0, and belongs to user ${user.uid} and group ${user.uid} now`],
      ...{ changed: true, same: true },
    })
  })
})

describe.runIf(here && existsSync(CLI))('the command line', () => {
  const command = (args: readonly string[], input = '') => {
    const [program = '', ...words] = user.words([CLI, ...args])
    const env = { ...user.environment, NO_COLOR: '1', COUNTERSIGN_HOME: join(user.home, '.countersign'), COUNTERSIGN_DAEMON: 'off' }
    return spawnSync(program, words, { input, env, cwd: work, encoding: 'utf8' })
  }

  test('says what a command would do, and that it can', () => {
    // Where only root can read the project, another user has no command line of it.
    if (command(['--version']).status !== 0) return
    const policy = join(user.home, '.countersign/policy.yaml')
    expect(existsSync(policy)).toBe(false)
    const call = JSON.stringify({ tool: 'Bash', args: { command: 'echo more >> mine.txt; rm tree/a' }, cwd: work })
    const { stdout, stderr } = command(['preview', '--json'], call)
    expect([
      stderr,
      (JSON.parse(stdout) as { files: { path: string; change: string }[] }).files.map(({ path, change }) => [path, change]),
    ]).toEqual([
      '',
      [
        [join(work, 'mine.txt'), 'changed'],
        [join(work, 'tree/a'), 'deleted'],
      ],
    ])
  })
})
