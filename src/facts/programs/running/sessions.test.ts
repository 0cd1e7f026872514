import { describe, expect, test } from 'vitest'
import { lines } from '../../bash/harness.ts'

/** Editors whose commands arrive on standard input. */

const WORLD = { files: { '/repo/cmds': '!touch /tmp/ran\nq\n', '/repo/tame': '%s/a/b/\nwq\n' } }

const RUNS: readonly (readonly [command: string, runs: boolean])[] = [
  ["echo '!touch /tmp/ran' | ex", true],
  ['ex -s file <<E\n!touch /tmp/ran\nwq\nE', true],
  ["vim -es file <<< 'r !touch /tmp/ran'", true],
  ['vim -es file < cmds', true],
  ['nvim -E -s file < cmds', true],
  ['ex -s file < tame', false],
  ["printf '%s\\n' '%s/a/b/' wq | ex -s file", false],
  ["echo '!touch /tmp/ran' | vim -", false],
  ["echo '!touch /tmp/ran' > note; vim note", false],
]

describe('commands of an editor on standard input', () => {
  for (const [command, runs] of RUNS) test(command, () => expect(lines(command, WORLD).includes('write fs:touch /tmp/ran')).toBe(runs))

  test('what is not known is said', () => {
    expect(lines('date | ex -s file')).toContain('opaque the commands of the editor are not known before they are read')
    expect(lines('vim -s keys file')).toContain('opaque the keys that the editor is given are not analysed')
    expect(lines('vim file').some((line) => line.startsWith('opaque'))).toBe(false)
  })
})
