import { describe, expect, test } from 'vitest'
import { lines } from '../harness.ts'

/** `cd` into what is not there: the shell goes on where it was, unless the script ends or the directory was made on the way. */

const WORLD = { files: { '/repo/src/main.c': '', '/repo/notes': 'x', '/usr/bin/rm': '', '/repo/down.sh': 'cd gone; rm x\n' } }

const LAST: readonly (readonly [command: string, last: string])[] = [
  ['cd gone; rm x', 'delete /repo/x'],
  ['cd gone\nrm x', 'delete /repo/x'],
  ['cd gone; rm -rf *', 'delete /repo'],
  ['cd /gone; rm x', 'delete /repo/x'],
  ['cd src/gone; rm x', 'delete /repo/x'],
  ['(cd gone; rm x)', 'delete /repo/x'],
  ["sh -c 'cd gone; rm x'", 'delete /repo/x'],
  ['sh down.sh', 'delete /repo/x'],
  ['cd gone && make; rm x', 'delete /repo/x'],
  ['cd gone; cd src; rm x', 'delete /repo/src/x'],
  ['cd notes; rm x', 'delete /repo/x'],
  ['touch y; cd gone; rm x', 'delete /repo/x'],
  ['cd src; cd gone; rm x', 'delete /repo/src/x'],
  // Entered, as far as anybody knows.
  ['cd src; rm x', 'delete /repo/src/x'],
  ['cd gone && rm x', 'delete /repo/gone/x'],
  ['cd gone || exit 1; rm x', 'delete /repo/gone/x'],
  ['cd gone || mkdir gone; rm x', 'delete /repo/x'],
  ['set -e; cd gone; rm x', 'delete /repo/gone/x'],
  ['set -euo pipefail\ncd gone\nrm x', 'delete /repo/gone/x'],
  ['set -o errexit; cd gone; rm x', 'delete /repo/gone/x'],
  ['mkdir gone; cd gone; rm x', 'delete /repo/gone/x'],
  ['mkdir -p gone/a/b; cd gone/a; rm x', 'delete /repo/gone/a/x'],
  ['cp -r src gone; cd gone; rm x', 'delete /repo/gone/x'],
  ['git clone https://h.example/gone.git; cd gone; rm x', 'delete /repo/gone/x'],
]

describe('a directory that is not there', () => {
  for (const [command, last] of LAST) test(command, () => expect(lines(command, WORLD).at(-1)).toBe(last))

  for (const made of ['tar xf a.tar', 'npm run build', './make-it', 'touch gone/y', 'echo x > gone/y'])
    test(`${made} perhaps made it`, () =>
      expect(lines(`${made}; cd gone; rm x`, WORLD).slice(-2)).toEqual(['delete /repo/gone/x', 'possible delete /repo/x']))

  // Seen by the kernel: the directory was gone, and so was every file in it that was named.
  test('a file that is written where a directory was does not bring it back', () =>
    expect(lines('rm -r src; ln -s src l; touch l/y; cd l; rm x', WORLD).slice(-2)).toEqual([
      'delete /repo/src/x',
      'possible delete /repo/x',
    ]))

  test('a view that was told of nothing is not believed to know', () => {
    for (const [to, place] of [
      ['gone', '/repo/gone'],
      ['/gone', '/gone'],
      ['/home/other', '/home/other'],
      ['~/gone', '/home/me/gone'],
    ])
      expect(lines(`cd ${to}; rm x`)).toEqual([`delete ${place}/x`])
  })
})
