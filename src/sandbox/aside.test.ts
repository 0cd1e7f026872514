/** What a program leaves in its own home and its own `/tmp`: nothing of the machine's is seen there, so it is told by its name. */
import { existsSync, mkdirSync, mkdtempSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished } from 'vitest'
import { discard } from '../../test/support/random-programs.ts'
import { LIMITS } from '../../test/support/trial-limits.ts'
import { trials, triedOut } from '../../test/support/trials.ts'
import { GROUPS } from './cgroup.ts'
import { createTrials, type Trials } from './overlay.ts'
import { PLACES } from './sandbox.ts'

const HOME = '/home/of-a-trial'
const identity = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }

/** `~work` in a name stands for the workspace, which lies below `/tmp`. */
const CASES: readonly (readonly [title: string, script: string, left: readonly string[]])[] = [
  ['nothing', 'echo 1 > a; cat a', []],
  ['a file in the home', 'echo 1 > "$HOME/x"', [`${HOME}/x`]],
  [
    'files in directories that it makes',
    'mkdir -p ~/.config/a ~/.cache/b; echo 1 > ~/.config/a/f',
    [`${HOME}/.cache/b`, `${HOME}/.config/a/f`],
  ],
  [
    'a link, a pipe and a name with a line in it',
    `ln -s / ~/link; mkfifo ~/pipe; touch ~/$'a\nb'`,
    [`${HOME}/a\nb`, `${HOME}/link`, `${HOME}/pipe`],
  ],
  ['a file in /tmp, beside the workspace that lies there', 'echo 1 > /tmp/y; echo 1 > a', ['/tmp/y']],
  ['a file beside the workspace', 'echo 1 > ../beside', ['~work/../beside']],
  ['what is gone again', 'echo 1 > ~/x; rm ~/x; mkdir /tmp/z; rmdir /tmp/z', []],
  ['files that are temporary by their name', 'mktemp; echo 1 > "$TMPDIR/z"', []],
]

async function leftBy(script: string, running: Trials): Promise<{ readonly aside: readonly string[]; readonly work: string }> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-aside-')))
  onTestFinished(() => discard(root))
  const work = join(root, 'in', 'work')
  mkdirSync(work, { recursive: true })
  const cell = { hidden: [], programs: [], cwd: work, environment: {}, identity, home: HOME, limits: LIMITS }
  const { aside, status } = await running.run(['/bin/bash', '-c', script], { places: [work], reads: [], cell })
  expect([status, existsSync(join(root, 'in', 'beside')), existsSync(HOME)]).toEqual([0, false, false])
  return { aside, work }
}

describe('is told', () => {
  const shell = createTrials(PLACES, GROUPS, 'shell')
  for (const [stage, running] of [
    ['kept', trials],
    ['shell', shell],
  ] as const)
    for (const [title, script, left] of CASES)
      triedOut(`${title}, on a stage that is ${stage}`, async () => {
        const { aside, work } = await leftBy(script, running)
        expect(aside).toEqual(left.map((name) => name.replace('~work/..', dirname(work))))
      })

  triedOut('of very many, a few', async () => {
    const { aside } = await leftBy('for n in $(seq 3000); do echo 1 > ~/$n; done', trials)
    expect(aside.length).toBe(20)
  })
})
