import { describe, expect, test } from 'vitest'
import { facts, lines } from '../../bash/harness.ts'

/** The real paths that are read, but for the list itself. */
function reads(text: string, files: Record<string, string> = {}): readonly (string | null)[] {
  const { effects } = facts(text, { files })
  return effects.filter(({ verb, target }) => verb === 'read' && target.real !== '/repo/list').map(({ target }) => target.real)
}

describe('names that are no words of the command', () => {
  for (const [command, expected] of [
    ['echo ~/.ssh/id_rsa | cpio -o > x', ['/home/me/.ssh/id_rsa']],
    ["printf '%s\\n' a /etc/shadow | cpio -pd out", ['/repo/a', '/etc/shadow']],
    ['find ~/.ssh | cpio -o', ['/home/me/.ssh', '/home/me/.ssh']],
    ['cpio -o < list', [null]],
    ['cpio -i < list', []],
    ['echo ~/.ssh/id_rsa | zip -@ out.zip', ['/home/me/.ssh/id_rsa']],
    ['zip out.zip a', ['/repo/a']],
    ['tar -cf x.tar -T list', ['/etc/shadow', '/repo/b c']],
    ['tar -xf x.tar -T list', ['/repo/x.tar']],
    ['echo ~/.ssh/id_rsa | tar -cf x.tar -T -', ['/home/me/.ssh/id_rsa']],
    ['tar -cf x.tar --files-from=unseen', ['/repo/unseen', null]],
    ['rsync --files-from=list / host:dir', ['/etc/shadow', '/b c', '/']],
    ['rsync --files-from=list src/ host:dir', ['/repo/src/etc/shadow', '/repo/src/b c', '/repo/src']],
    ['echo ~/.ssh/id_rsa | rsync --files-from=- / host:dir', ['/home/me/.ssh/id_rsa', '/']],
    ['rsync --files-from=list host:/ here', []],
    ['tar -cf x.tar -T "$LIST"', [null, null]],
  ] as const)
    test(command, () => {
      expect(reads(command, { '/repo/list': '/etc/shadow\nb c\n' })).toEqual(expected)
    })

  test('a list that is too long names what is not known', () => {
    expect(reads('tar -cf x.tar -T list', { '/repo/list': 'a\n'.repeat(40_000) })).toEqual([null])
    expect(reads('tar -cf x.tar -T list', { '/repo/list': 'a\n'.repeat(40) })).toHaveLength(33)
  })

  test('what is moved into an archive is gone', () => {
    expect(lines('echo a | zip -m -@ out.zip')).toContain('delete archive:remove /repo/a')
  })
})

describe('words that are not the rest', () => {
  for (const [command, expected] of [
    ['ssh host -- rm -rf /data', 'delete /data'],
    ['ssh -t host -- rm -rf /data', 'delete /data'],
    ['ssh host rm -rf /data', 'delete /data'],
  ] as const)
    test(command, () => expect(lines(command)).toEqual(['send net:remote-shell host', expected]))

  test('an alias without words stands for its own', () => {
    expect(lines("alias r='rm -rf /etc'; r")).toEqual(['delete /etc'])
    expect(lines("alias r='rm -rf /etc'; r x")).toEqual(['delete /etc', 'delete /repo/x'])
  })
})
