import { describe, expect, test } from 'vitest'
import { lines } from '../../bash/harness.ts'

/** Commands of vi's line editor: what they run, and the files that they write and read. */

const DOES: readonly (readonly [command: string, effect: string])[] = [
  [':!rm -rf /home/me', 'delete /home/me'],
  ['%!rm -rf /home/me', 'delete /home/me'],
  ["'a,'b!rm -rf /home/me", 'delete /home/me'],
  ['1,5 w !rm -rf /home/me', 'delete /home/me'],
  ['r!rm -rf /home/me', 'delete /home/me'],
  ['silent! keepalt r !rm -rf /home/me', 'delete /home/me'],
  ['w|!rm -rf /home/me', 'delete /home/me'],
  ['bufdo !rm -rf /home/me', 'delete /home/me'],
  ['g/x/!rm -rf /home/me', 'delete /home/me'],
  ['set shell=rm\\ -rf\\ /home/me | shell', 'delete /home/me'],
  ['w! out', 'write /repo/out'],
  ['%w! out', 'write /repo/out'],
  ['1,$w >> out', 'write /repo/out'],
  ['w ++enc=utf-8 out', 'write /repo/out'],
  ['silent! w! out', 'write /repo/out'],
  ['%s/a/b/ge | sav! out', 'write /repo/out'],
  ['redir! > out', 'write /repo/out'],
  ['mksession! out', 'write /repo/out'],
  ['e +1 other | s/a/b/ | w', 'possible write /repo/other'],
  ['r /etc/hosts', 'read /etc/hosts'],
  ['so evil.vim', 'opaque an editor command runs code that is not analysed'],
  ['norm! :!id', 'opaque an editor command runs code that is not analysed'],
  ['set mp=id | make', 'opaque an editor command runs code that is not analysed'],
  ['w|'.repeat(40), 'opaque the editor is given more commands than are read'],
]

/** Commands that do nothing but to the file at hand. */
const PLAIN = ['wq', '%s/write x/b/', 'normal dd', 'set number', 'g/^$/d', '1,5d|wq', 'w!', 'help write']

describe('commands of the line editor', () => {
  for (const [command, effect] of DOES)
    test(command, () => expect(lines(`vim -c '${command.replaceAll("'", "'\\''")}' x`)).toContain(effect))
  for (const command of PLAIN)
    test(command, () => expect(lines(`vim -c '${command}' x`)).toEqual(['read /repo/x', 'possible write /repo/x']))
  test('text that is typed is no command', () =>
    expect(lines("ex -s x <<'E'\na\n!rm -rf /home/me\nw out\n.\nw\nE")).toEqual(['read /repo/x', 'possible write /repo/x']))
})
