import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { callOf } from '../../test/support/calls.ts'
import type { JsonObject } from '../core/json.ts'
import { createFixedView } from '../view/fixed.ts'
import { fileDiff } from './file-diff.ts'

const sha256 = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`
const FILES = { '/repo/a.txt': 'one\ntwo\nthree\n', '/repo/twice.txt': 'x\nx\n', '/home/user/.countersign/operator-token': 'secret' }

function seen(tool: string, args: JsonObject): JsonObject | null {
  const view = createFixedView({ home: '/home/user', cwd: '/repo', gate: ['/home/user/.countersign'], files: FILES, digest: sha256 })
  return fileDiff({ ...callOf(tool, args), cwd: '/repo' }, { view, sha256 })
}

const fileOf = (shown: JsonObject | null): JsonObject | undefined => (shown?.files as readonly JsonObject[] | undefined)?.[0]

describe('a file tool is shown as a difference', () => {
  const cases: readonly (readonly [title: string, tool: string, args: JsonObject, change: string, diff: string])[] = [
    ['a new file', 'Write', { file_path: '/repo/new.txt', content: 'a\n' }, 'created', '@@ -0,0 +1,1 @@\n+a\n'],
    [
      'the whole of a file',
      'Write',
      { file_path: '/repo/a.txt', content: 'one\n2\nthree\n' },
      'changed',
      '@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n',
    ],
    ['the same again', 'Write', { file_path: '/repo/a.txt', content: FILES['/repo/a.txt'] }, 'none', ''],
    [
      'a replacement, by a path from the directory',
      'Edit',
      { file_path: 'a.txt', old_string: 'three', new_string: '3' },
      'changed',
      '@@ -1,3 +1,3 @@\n one\n two\n-three\n+3\n',
    ],
    [
      'every place of a text',
      'Edit',
      { file_path: '/repo/twice.txt', old_string: 'x', new_string: 'y', replace_all: true },
      'changed',
      '@@ -1,2 +1,2 @@\n-x\n-x\n+y\n+y\n',
    ],
    [
      'edits of a file server, one after the other',
      'edit_file',
      {
        path: '/repo/a.txt',
        edits: [
          { oldText: 'one', newText: 'uno' },
          { oldText: 'uno\n', newText: '' },
        ],
      },
      'changed',
      '@@ -1,3 +1,2 @@\n-one\n two\n three\n',
    ],
  ]
  for (const [title, tool, args, change, diff] of cases)
    test(title, () => expect(fileOf(seen(tool, args))).toMatchObject({ change, diff, cut: false }))

  test('with the digest of the file before and after', () => {
    const file = fileOf(seen('Edit', { file_path: '/repo/a.txt', old_string: 'two', new_string: '2' }))
    expect(file).toMatchObject({ before: sha256(FILES['/repo/a.txt']), after: sha256('one\n2\nthree\n') })
  })

  test('an edit that the tool itself would refuse says so, and changes nothing', () => {
    for (const old of ['four', 'x']) {
      const shown = seen('Edit', { file_path: old === 'x' ? '/repo/twice.txt' : '/repo/a.txt', old_string: old, new_string: 'y' })
      expect([fileOf(shown)?.change, shown?.note]).toEqual(['none', expect.stringContaining('would fail')])
    }
  })

  test('what is too different is cut, and said to be', () => {
    const content = Array.from({ length: 30_000 }, (_, index) => `line ${index}`).join('\n')
    const shown = seen('Write', { file_path: '/repo/a.txt', content })
    expect([fileOf(shown)?.cut, shown?.note]).toEqual([true, expect.stringContaining('too large')])
  })

  const NOT: readonly (readonly [title: string, tool: string, args: JsonObject])[] = [
    ['a file of the gate', 'Write', { file_path: '/home/user/.countersign/operator-token', content: 'x' }],
    ['a command', 'Bash', { command: 'echo a > a.txt' }],
    ['no path', 'Write', { content: 'x' }],
    ['a form that is not known', 'Edit', { file_path: '/repo/a.txt', lines: [1] }],
  ]
  for (const [title, tool, args] of NOT) test(`nothing is shown of ${title}`, () => expect(seen(tool, args)).toBeNull())
})
