/**
 * What a command leaves so that not even its owner can read it. Without root's rights a gate could not look into it, and a preview that leaves it out
 * would hide what is in it. Labels were written before the first run.
 */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { discard, plant } from './random-programs.ts'

export interface ClosedCase {
  readonly title: string
  readonly script: string
  /** `change path`, and the text of files that are there afterwards. */
  readonly expected: readonly string[]
  /** Names whose content cannot be read without root's rights. */
  readonly closed?: readonly string[]
  /** What is told instead where the gate reads with root's rights. */
  readonly asRoot?: readonly string[]
}

export const CLOSED: readonly ClosedCase[] = [
  { title: 'a new directory', script: 'mkdir d; echo evil > d/x; chmod 0 d', expected: ['created d', 'created d/x evil'] },
  {
    title: 'that can be listed and not entered',
    script: 'mkdir d; echo evil > d/x; chmod 600 d',
    expected: ['created d', 'created d/x evil'],
  },
  {
    title: 'that can be entered and not listed',
    script: 'mkdir d; echo evil > d/x; chmod 100 d',
    expected: ['created d', 'created d/x evil'],
  },
  {
    title: 'one in the other',
    script: 'mkdir -p d/e; echo evil > d/e/x; chmod 0 d/e d',
    expected: ['created d', 'created d/e', 'created d/e/x evil'],
  },
  { title: 'a new file', script: 'echo evil > x; chmod 0 x', expected: ['created x evil'] },
  { title: 'a file that was there', script: 'echo evil > a; chmod 0 a', expected: ['changed a evil'] },
  { title: 'a directory that was there', script: 'echo evil > dir/x; chmod 0 dir', expected: ['changed dir', 'created dir/x evil'] },
  {
    title: 'a directory that was made anew',
    script: 'rm -rf dir; mkdir dir; echo evil > dir/x; chmod 0 dir',
    expected: ['changed dir', ...['a', 'in', 'in/a', 'in/b', 'link'].map((name) => `deleted dir/${name}`), 'created dir/x evil'],
  },
  { title: 'the place itself', script: 'echo evil > x; chmod 0 .', expected: ['changed .', 'created x evil'] },
  { title: 'the place itself, opened to everybody', script: 'chmod 777 .', expected: ['changed .'] },
  {
    title: 'a closed file, written and closed again',
    script: 'chmod 600 shut; echo evil > shut; chmod 0 shut',
    expected: ['changed shut evil'],
    closed: ['shut'],
  },
  {
    title: 'a closed directory, emptied and closed again',
    script: 'chmod 700 closed; rm closed/in; chmod 0 closed',
    expected: [],
    closed: ['closed'],
    asRoot: ['deleted closed/in'],
  },
  {
    title: 'a closed directory, deleted',
    script: 'chmod 700 closed; rm -r closed',
    expected: ['deleted closed'],
    closed: ['closed'],
    asRoot: ['deleted closed', 'deleted closed/in'],
  },
  { title: 'nothing', script: 'ls -lR; cat shut; ls closed', expected: [] },
]

/** The tree of random programs, with names that are closed already. */
export function plantClosed(root: string): void {
  discard(root)
  plant(root)
  mkdirSync(join(root, 'closed'))
  writeFileSync(join(root, 'closed', 'in'), 'in\n')
  chmodSync(join(root, 'closed'), 0)
  writeFileSync(join(root, 'shut'), 'shut\n')
  chmodSync(join(root, 'shut'), 0)
}
