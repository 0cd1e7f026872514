import { describe, expect, test } from 'vitest'
import { lines } from '../harness.ts'

/** Variables by which a program runs something first: what stands there is read, not only that there is something. */

const WORLD = {
  files: {
    '/repo/first.sh': 'touch /tmp/first\n',
    '/repo/first.py': "open('/tmp/first', 'w')\n",
    '/repo/first.js': "require('fs').writeFileSync('/tmp/first', '')\n",
    '/repo/first.rb': "File.write('/tmp/first', '')\n",
    '/repo/first.lua': 'os.execute("touch /tmp/first")\n',
    '/repo/plain.sh': 'echo hello\n',
  },
}

const RUNS: readonly string[] = [
  'BASH_ENV=./first.sh bash -c true',
  'BASH_ENV=first.sh ./tool',
  'export BASH_ENV=first.sh; bash -c true',
  'export BASH_ENV="$PWD/first.sh"',
  'env BASH_ENV=first.sh bash plain.sh',
  'ENV=./first.sh sh -i',
  'PYTHONSTARTUP=first.py python3',
  "NODE_OPTIONS='--require ./first.js' npm test",
  "NODE_OPTIONS='-r ./first.js' node x.js",
  'export NODE_OPTIONS=--import=./first.js',
  "RUBYOPT='-r./first' ruby x.rb",
  "RUBYOPT='-W0 -r ./first.rb' ruby x.rb",
  'ruby -r./first -e 1',
  'LUA_INIT=@first.lua lua x.lua',
  `LUA_INIT='os.execute("touch /tmp/first")' lua x.lua`,
  "VIMINIT='!touch /tmp/first' vim",
]

const NOTHING: readonly string[] = [
  'BASH_ENV=plain.sh bash -c true',
  'BASH_ENV=/dev/null bash -c true',
  'ENV=production npm test',
  "NODE_OPTIONS='--max-old-space-size=4096' node x.js",
  "RUBYOPT='-W0' ruby x.rb",
  "PERL5OPT='-MList::Util' perl x.pl",
  'echo BASH_ENV=./first.sh',
  'grep BASH_ENV first.sh',
]

describe('what a variable makes run first', () => {
  for (const command of RUNS)
    test(command, () =>
      expect(lines(command, WORLD).some((line) => /^(?:possible )?write (?:fs:touch )?\/tmp\/first$/.test(line))).toBe(true),
    )
  for (const command of NOTHING) test(command, () => expect(lines(command, WORLD).some((line) => line.includes('/tmp/first'))).toBe(false))

  test('it is said that the variable stands behind it', () => {
    expect(lines('ENV=./first.sh true', WORLD)).toEqual([
      'change env:inject ENV',
      'execute script:run /repo/first.sh',
      'write fs:touch /tmp/first',
    ])
  })

  test('a script that sets its own variable ends', () => {
    expect(lines('export BASH_ENV=a', { files: { '/repo/a': 'export BASH_ENV=a\n' } }).length).toBeLessThan(5)
  })
})
