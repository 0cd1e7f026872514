import { describe, expect, test } from 'vitest'
import { lines } from '../../bash/harness.ts'

/** Files that a patch changes, told from its text. */

const diff = (old: string, name = old) => `--- ${old}\n+++ ${name}\n@@ -1 +1 @@\n-a\n+b\n`
const given = (command: string, patch: string) => `${command} <<'E'\n${patch}E\n`
const FILES = { '/repo/fix.patch': diff('a/src/a.ts', 'b/src/a.ts'), '/repo/long.patch': `${' \n'.repeat(600_000)}${diff('a/x')}` }

/** The command, and the files that it writes one by one. */
const WRITES: readonly (readonly [command: string, files: readonly string[]])[] = [
  [given('patch -p1', diff('a/src/a.ts', 'b/src/a.ts')), ['src/a.ts']],
  [given('patch -p0', diff('a/x')), ['a/x']],
  [given('patch -p2', diff('a/src/x')), ['x']],
  [given('patch -p3', diff('a/x')), []],
  [given('patch', diff('a/src/x')), ['a/src/x', 'x']],
  [given('patch -d lib --strip=1', diff('a/x')), ['lib/x']],
  [given('patch -p1', `${diff('a/x')}${diff('a/y', 'a/z')}`), ['x', 'y', 'z']],
  [given('patch -p1', diff('/dev/null', 'b/new')), ['new']],
  [given('patch -p0', 'Index: x\n1c\na\n.\n'), ['x']],
  [given('patch -p0', '*** x\t2024-01-01\n--- y\t2024-01-01\n***************\n*** 1 ****\n! a\n--- 1 ----\n! b\n'), ['x', 'y', '1 ----']],
  ['patch -p1 -i fix.patch', ['src/a.ts']],
  ['patch -p1 < fix.patch', ['src/a.ts']],
  ['git apply fix.patch', ['src/a.ts']],
  ['git apply --directory=sub fix.patch', ['sub/src/a.ts']],
  ['git -C sub apply ../fix.patch', ['sub/src/a.ts']],
  ['git am < fix.patch', ['src/a.ts']],
  [given('git apply', 'diff --git a/x b/y\nrename from x\nrename to y\n'), []],
  [given('git apply -p0', 'diff --git a/x b/y\nrename from x\nrename to y\n'), ['x', 'y']],
  ['git apply --check fix.patch', []],
  ['git am --abort', []],
  ['patch -p1 --dry-run < fix.patch', []],
]

describe('files that a patch changes', () => {
  for (const [command, files] of WRITES)
    test(JSON.stringify(command), () => {
      const found = lines(command, { files: FILES }).filter((line) => line.startsWith('likely write text:edit '))
      expect(found).toEqual(files.map((file) => `likely write text:edit /repo/${file}`))
    })

  test('what is too long, or names too many, is told', () => {
    expect(lines('git apply long.patch', { files: FILES })).toContain('opaque the patch is longer than what is read')
    const many = Array.from({ length: 300 }, (_, at) => diff(`a/x${at}`)).join('')
    expect(lines(given('git apply', many))).toContain('opaque the patch touches more files than are looked at')
  })
})
