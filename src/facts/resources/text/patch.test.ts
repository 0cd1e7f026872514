import { describe, expect, test } from 'vitest'
import { createFixedView } from '../../../view/fixed.ts'
import { lineOf } from '../../tools/tool-harness.ts'
import { patchEffects, patchedFiles } from './patch.ts'

const view = createFixedView({ home: '/home/me', cwd: '/repo' })
const read = (text: string) => patchEffects({ text, pointer: '/input' }, { cwd: '/repo', view })

describe('files that a patch touches', () => {
  for (const [text, expected] of [
    ['*** Begin Patch\n*** Add File: a.ts\n+x\n*** End Patch', ['write path /repo/a.ts']],
    ['*** Update File: src/a.ts\n@@\n-x\n+y', ['write path /repo/src/a.ts']],
    ['*** Delete File: a.ts', ['delete path /repo/a.ts !']],
    ['*** Update File: a.ts\n*** Move to: b.ts', ['write path /repo/a.ts', 'write path /repo/b.ts']],
    ['*** Update File: a.ts\r\n@@\r\n', ['write path /repo/a.ts']],
    ['--- a/x.ts\n+++ b/x.ts\n@@ -1 +1 @@', ['write path /repo/x.ts']],
    ['--- a/x.ts\t2024-01-01\n+++ b/x.ts\t2024-01-02\n@@', ['write path /repo/x.ts']],
    ['--- /dev/null\n+++ b/new.ts', ['write path /repo/new.ts']],
    ['--- a/old.ts\n+++ /dev/null', ['delete path /repo/old.ts !']],
    ['--- "a/x.ts"\n+++ "b/../.bashrc"\n@@', ['write path /.bashrc']],
    ['--- /dev/null\n+++ "/home/me/.b\\141shrc"', ['write path /home/me/.bashrc']],
    ['--- "a/caf\\303\\251 \\"x\\".ts"\n+++ /dev/null', ['delete path /repo/café "x".ts !']],
    ['--- a/x\r\n+++ b/x\r\n', ['write path /repo/x']],
    ['rename from "a\\\\1.ts"\nrename to "b.ts"', ['delete path /repo/a\\1.ts !', 'write path /repo/b.ts']],
    ['copy from a.ts\ncopy to b.ts', ['write path /repo/b.ts']],
    ['rename from a.ts\nrename to b.ts', ['delete path /repo/a.ts !', 'write path /repo/b.ts']],
    ['*** Update File: ../../../../etc/passwd', ['write path /etc/passwd <traversal>']],
    ['*** Add File: /etc/cron.d/x', ['write path /etc/cron.d/x']],
    ['*** Add File: ~/.bashrc', ['write path /home/me/.bashrc']],
    ['--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n--- b\n+++ c\n', ['write path /repo/x']],
    ['--- a/x\n+++ b/x\n@@ -1 +1 @@\n--- b\n+++ c\n--- a/y\n+++ b/y\n', ['write path /repo/x', 'write path /repo/y']],
    ['--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n--- a/y\n+++ b/y\n', ['write path /repo/x', 'write path /repo/y']],
    ['--- a/x\n+++ b/x\n@@ -1,9 +1,9 @@\n-a\n+b\n--- a/y\n+++ b/y\n@@ -1 +1 @@', ['write path /repo/x', 'write path /repo/y']],
    ['--- a/x\n+++ b/x\n@@ -1,9 +1,9 @@\n-a\n+b\n--- a/y\n+++ b/y\n@@\n-a', ['write path /repo/x', 'write path /repo/y']],
    ['--- a/x\n+++ b/x\n@@ -1,9 +1,9 @@\n-a\n--- a/y\n+++ b/y\n\r\n\n@@', ['write path /repo/x', 'write path /repo/y']],
    ['--- a/x\n+++ b/x\n@@ -1,9 +1,9 @@\ndiff --git a/y b/y\n--- a/y\n+++ b/y', ['write path /repo/x', 'write path /repo/y']],
    ['--- a/x\n+++ b/x\n@@ -1,9 +1,9 @@\n-a\n*** Delete File: y', ['write path /repo/x', 'delete path /repo/y !']],
    ['*** Update File: x\n@@\n--- b\n+++ c\n+d\n*** Delete File: y', ['write path /repo/x', 'delete path /repo/y !']],
    ['*** Update File: x\n@@\n-a\n*** End Patch\n--- a/y\n+++ b/y', ['write path /repo/x', 'write path /repo/y']],
    ['+++ b/lonely.ts', ['possible opaque unknown !']],
    ['nothing to see', ['possible opaque unknown !']],
    ['', ['possible opaque unknown !']],
  ] as const) {
    test(JSON.stringify(text), () => expect(read(text).map(lineOf)).toEqual(expected))
  }
})

describe('lines that a patch adds', () => {
  for (const [text, expected] of [
    ['*** Add File: a\n+x\n+y\n*** Update File: b\n@@\n-old\n+new\n kept', ['a: x|y', 'b: new']],
    ['*** Update File: a.txt\n*** Move to: a.sh\n@@\n+x', ['a.txt: ', 'a.sh: x']],
    ['--- a/x.sh\t2024-01-01\n+++ b/x.sh\t2024-01-02\n@@ -0,0 +1 @@\n+x\r\n', ['x.sh: x']],
    ['--- a/x.sh\n+++ b/x.sh\n@@\n+++ b/other', ['x.sh: ++ b/other']],
    ['--- a/x.sh\n+++ /dev/null\n@@\n-x', ['x.sh: ']],
    ['+x\n*** Add File: a', ['a: ']],
    ['--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n--- b\n+++ c\n+d', ['x: ++ c|d']],
    ['*** Update File: x\n--- b\n+++ c', ['x: ++ c']],
  ] as const) {
    test(JSON.stringify(text), () => expect(patchedFiles(text).map(({ path, added }) => `${path}: ${added.join('|')}`)).toEqual(expected))
  }
})

test('each effect points at the line it was read from', () => {
  const text = 'x\n*** Add File: a.ts\n+y\n*** Delete File: b.ts\n'
  expect(read(text).map(({ span }) => text.slice(span?.start, span?.end))).toEqual(['*** Add File: a.ts', '*** Delete File: b.ts'])
})

describe('of more files than are looked at the rest is told to be there', () => {
  const named = (count: number, name: string) => Array.from({ length: count }, (_, i) => `*** Update File: ${name}${i}`).join('\n')
  for (const [what, text, count, more] of [
    ['as many as that', named(1_000, 'f'), 1_000, false],
    ['one more', named(1_001, 'f'), 1_001, true],
    ['many more', named(20_000, 'f'), 1_001, true],
    ['long names', named(100, 'f'.repeat(1_000)), 66, true],
    ['names of differences', Array.from({ length: 20_000 }, (_, i) => `--- a/f${i}\n+++ b/f${i}\n@@ -1 +1 @@`).join('\n'), 1_001, true],
  ] as const) {
    test(what, () => {
      const found = read(text)
      const last = found.at(-1)
      expect([found.length, last?.verb === 'opaque', last?.span?.end === text.length]).toEqual([count, more, true])
    })
  }
})
