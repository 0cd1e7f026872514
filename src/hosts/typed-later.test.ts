import { describe, expect, test } from 'vitest'
import { waitsForInput } from './typed-later.ts'

/** What waits for somebody to type, and what only looks like it. */
describe('commands that wait for input', () => {
  for (const line of [
    'bash',
    'sh',
    '/bin/bash -i',
    'exec bash',
    'cd /tmp && bash',
    'a || zsh',
    'env X=1 python3',
    'python -i a.py',
    'node',
    'psql',
    'ssh host',
    'FOO=1 bash --norc',
    'sudo su',
  ])
    test(line, () => expect(waitsForInput(line)).toBe(true))
  for (const line of [
    'bash -c ls',
    'bash a.sh',
    'echo ls | bash',
    'python3 -c "x"',
    'python3 a.py',
    'node -e 1',
    'perl -i -pe s/a/b/ f',
    'bash < a.sh',
    'ls',
    'psql -c "select 1" db',
    'ssh host uptime',
    'python3 --version',
    'git status && npm test',
    'bash -lc "x"',
    'python3 - <<E\nE',
    '',
  ])
    test(`not ${JSON.stringify(line)}`, () => expect(waitsForInput(line)).toBe(false))
})
