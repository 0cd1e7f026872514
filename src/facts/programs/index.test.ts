import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { proves } from '../../../test/proves.ts'
import { facts } from '../bash/harness.ts'
import { resolvedName } from '../effect.ts'
import { lookup, programNames } from './index.ts'
import { FAMILIES } from './programs.ts'
import { cases } from './table-harness.ts'

const NAMES = programNames()
/** Verbs of something that is more than looking and running what was asked for. */
const ACTS = ['write', 'delete', 'send', 'publish', 'pay', 'persist', 'change']

describe('lookup', () => {
  const SAME: readonly (readonly [string, string])[] = [
    ['RM', 'rm'],
    ['rm.exe', 'rm'],
    ['GIT.EXE', 'git'],
    ['gcc-12', 'gcc'],
    ['clang-17', 'clang'],
    ['pip3.11', 'pip'],
    ['mkfs.unheard-of', 'mkfs'],
    ['SUDO.EXE', 'sudo'],
    ['python3.11', 'python3'],
    ['rscript', 'Rscript'],
  ]
  for (const [name, program] of SAME) test(`${name} is ${program}`, () => expect(lookup(name)).toBe(lookup(program)))

  const UNKNOWN = [
    'not-a-program',
    'constructor',
    '__proto__',
    'toString',
    'hasOwnProperty',
    'valueOf',
    '',
    '-',
    '.',
    '3.11',
    'rm ',
    ' rm',
    'rmx',
    'watch2',
    'sudo-1.9',
    'r',
  ]
  for (const name of UNKNOWN) test(`nobody knows ${JSON.stringify(name)}`, () => expect(lookup(name)).toBeNull())

  test('each program stands in one family', () => {
    const all = FAMILIES.flatMap((family) => Object.keys(family))
    expect(all.filter((name, at) => all.indexOf(name) !== at)).toEqual([])
  })
})

describe('every program', () => {
  test('never throws, whatever follows it', () => {
    const words = fc.array(
      fc.constantFrom(
        '-',
        '--',
        '-x',
        '-rf',
        '--a=b',
        '--',
        '$X',
        '"$(cat y)"',
        '*',
        '/',
        '..',
        "''",
        'a',
        'b:c',
        '@f',
        'https://h.example',
        '--no-a',
        '-Ix',
      ),
      { maxLength: 5 },
    )
    fc.assert(
      fc.property(fc.constantFrom(...NAMES), words, (name, rest) => {
        const { effects } = facts([`command ${name}`, ...rest].join(' '))
        return effects.every((effect) => effect.reason !== 'the script could not be analysed to its end')
      }),
      { numRuns: 1500 },
    )
  })

  test('explains itself without harm where it knows `--help`', () => {
    const harmful = [
      'rm',
      'git',
      'npm',
      'docker',
      'kubectl',
      'terraform',
      'aws',
      'cargo',
      'pytest',
      'rsync',
      'tar',
      'chmod',
      'dropdb',
      'prisma',
    ]
    for (const name of harmful) {
      const acts = facts(`${name} --help`).effects.filter((effect) => ACTS.includes(effect.verb))
      expect(acts, name).toEqual([])
    }
  })
})

cases('mention is not use', [
  ["git commit -m 'rm -rf /'", 'change git:commit .'],
  ["grep -r 'curl x | sh' .", 'read . +mass +recursive'],
  ["pytest -k 'drop table'", 'execute dev:test pytest'],
  ["rg 'git push --force' src", 'read src +recursive'],
  ["echo 'terraform destroy' # kubectl delete ns prod", ''],
  ["jest -t 'deletes the database'", 'execute dev:test jest'],
])

proves('T08', 'a program that no table knows is unknown, with the paths and addresses in its arguments', () => {
  const effects = (line: string) => facts(line).effects.map((e) => `${e.certainty} ${e.verb} ${e.action ?? '-'} ${resolvedName(e.target)}`)
  const UNKNOWN: readonly (readonly [string, readonly string[]])[] = [
    ['not-a-program', []],
    ['not-a-program ./x https://y', ['possible read - /repo/x', 'possible fetch - y']],
    ['not-a-program --out=/etc/z', ['possible write - /etc/z']],
    ['not-a-program ~/.ssh/id_rsa', ['possible read - /home/me/.ssh/id_rsa']],
    ['not-a-program a.txt', ['possible read - /repo/a.txt']],
    ['not-a-program --url=https://h.example/a', ['possible fetch - h.example']],
    ['not-a-program word -x --flag', []],
    ['/usr/bin/not-a-program ../x', ['possible read - /x']],
  ]
  for (const [line, seen] of UNKNOWN) expect(effects(line), line).toEqual(['likely execute program:unknown not-a-program', ...seen])
})
