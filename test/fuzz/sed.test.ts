import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { readSed } from '../../src/facts/languages/sed/script.ts'
import { proves } from '../proves.ts'

/**
 * Our reading of sed scripts against the parser of GNU sed itself. In `--sandbox` mode sed refuses, before it runs anything,
 * every script that reads, writes or executes: whatever it refuses for that reason must have shown itself to us.
 */
const PIECES: readonly string[] = [
  ...'s////ab.*[]^$\\epgd;{}!,15~+yctqlnN&=z0Qv#IMFi',
  '\n',
  '\n',
  ' ',
  '\t',
  '\\/',
  '\\n',
  '\\\\',
  'i\\',
  'a\\',
  ':x',
  's/a/b/',
  's|x|y|',
  '/x/',
  '$!',
  'w f',
  'r f',
  'W f',
  'R f',
  'e id',
  '[:alpha:]',
  '[/]',
]

/** A small generator with a long period: the same scripts in every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

/** Asks sed about all scripts from one process: a start from here takes longer the more the tests have loaded. Those that the sandbox refuses. */
function refused(scripts: readonly string[]): ReadonlySet<string> {
  const ask = `while IFS= read -r -d '' script; do
    case $(sed --sandbox -n -e "$script" /dev/null 2>&1 >/dev/null) in *sandbox*) printf '%s\\0' "$script" ;; esac
  done`
  const input = scripts.map((script) => `${script}\0`).join('')
  const { stdout, status } = spawnSync('bash', ['-c', ask], { input, encoding: 'utf8', timeout: 120_000 })
  expect(status).toBe(0)
  return new Set(stdout.split('\0').slice(0, -1))
}

function shows(script: string): boolean {
  try {
    return readSed(script).length > 0
  } catch {
    return true
  }
}

const real = spawnSync('sed', ['--version'], { encoding: 'utf8' }).stdout?.includes('GNU sed') === true

if (!real) test.skip('GNU sed is not installed: its parser cannot be asked', () => {})
else
  proves(
    'T08',
    'what GNU sed would read, write or execute never stays unseen',
    () => {
      const next = numbers(20)
      const scripts = Array.from({ length: 600 }, () =>
        Array.from({ length: 1 + next(9) }, () => PIECES[next(PIECES.length)] ?? '').join(''),
      )
      let acting = 0
      for (const script of refused(scripts)) {
        // A file command without a name is an error to sed, but it meets the sandbox first.
        if (/[rRwW][ \t]*(?:\n|$)/.test(script)) continue
        acting += 1
        expect([script, shows(script)]).toEqual([script, true])
      }
      expect(acting).toBeGreaterThan(10)
    },
    180_000,
  )
