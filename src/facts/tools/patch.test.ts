import { describe, expect, test } from 'vitest'
import { createFixedView } from '../../view/fixed.ts'
import { patchEffects } from './patch.ts'
import { lineOf } from './tool-harness.ts'

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
    ['rename from a.ts\nrename to b.ts', ['delete path /repo/a.ts !', 'write path /repo/b.ts']],
    ['*** Update File: ../../../../etc/passwd', ['write path /etc/passwd <traversal>']],
    ['*** Add File: /etc/cron.d/x', ['write path /etc/cron.d/x']],
    ['*** Add File: ~/.bashrc', ['write path /home/me/.bashrc']],
    ['+++ b/lonely.ts', ['possible opaque unknown !']],
    ['nothing to see', ['possible opaque unknown !']],
    ['', ['possible opaque unknown !']],
  ] as const) {
    test(JSON.stringify(text), () => expect(read(text).map(lineOf)).toEqual(expected))
  }
})

test('each effect points at the line it was read from', () => {
  const text = 'x\n*** Add File: a.ts\n+y\n*** Delete File: b.ts\n'
  expect(read(text).map(({ span }) => text.slice(span?.start, span?.end))).toEqual(['*** Add File: a.ts', '*** Delete File: b.ts'])
})
