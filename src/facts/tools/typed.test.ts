import { describe, expect, test } from 'vitest'
import { proves } from '../../../test/proves.ts'
import { linesOf } from './tool-harness.ts'

/** What is typed into a program that runs is a shell's, a database client's or an interpreter's: nobody says whose. */

const SESSION = 'execute proc:stdin process running session'

const CASES: readonly (readonly [text: string, among: readonly string[]])[] = [
  ['rm a', ['delete path /repo/a !']],
  ['DROP TABLE users;', ['likely delete sql:drop database database !']],
  ['delete from users', ['likely delete sql:delete database database !']],
  ['\\! rm a', ['likely delete path a !']],
  ['.shell rm a', ['likely delete path a !']],
  ['!rm a', ['likely delete path /repo/a !']],
  [':!rm a', ['likely delete path /repo/a !']],
  ['shell rm a', ['likely delete path /repo/a !']],
  ['import os; os.remove("a")', ['possible delete path /repo/a !']],
  ['require("fs").unlinkSync("a")', ['possible delete path /repo/a !']],
]

describe('typed into a running session', () => {
  for (const [text, among] of CASES) {
    proves('T08', `write_stdin ${JSON.stringify(text)}`, () => {
      expect(linesOf('write_stdin', { session_id: 1, chars: `${text}\n` })).toEqual(expect.arrayContaining([SESSION, ...among]))
    })
  }

  for (const text of ['', 'y', 'q', '\u0003', 'echo $(date)', 'f() { echo hi; }', 'git status', 'SELECT 1;', 'update the docs', 'set -e']) {
    test(`nothing is changed by ${JSON.stringify(text)}`, () => {
      const changes = linesOf('write_stdin', { chars: text }).filter((line) => /\b(?:write|delete|send|opaque|publish)\b/.test(line))
      expect(changes).toEqual([])
    })
  }

  test('keys by name and other hosts are read alike', () => {
    expect(linesOf('write_bash', { sessionId: 's', input: 'DROP TABLE t;{enter}' })).toContain('likely delete sql:drop database database !')
    const local = linesOf('interact_with_process', { pid: 7, input: 'DROP TABLE t;' }, { server: 'desktop-commander' })
    expect(local).toContain('likely delete sql:drop database database !')
  })
})
