/** Names that a command closed to everybody, and names that were closed before. */
import { mkdtempSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect } from 'vitest'
import { CLOSED, plantClosed } from '../../test/support/closed-names.ts'
import { discard } from '../../test/support/random-programs.ts'
import { LIMITS } from '../../test/support/trial-limits.ts'
import { triedOut } from '../../test/support/trials.ts'
import { GROUPS } from './cgroup.ts'
import { createTrials } from './overlay.ts'
import { PLACES } from './sandbox.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-closed-')))
const work = join(root, 'work')
afterAll(() => discard(root))
const identity = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }

for (const stage of ['usual', 'shell'] as const)
  triedOut(`what a command closes is told all the same (${stage} stage)`, async () => {
    const trials = createTrials(PLACES, GROUPS, stage)
    plantClosed(work)
    for (const { title, script, expected, closed = [], asRoot = expected } of CLOSED) {
      const cell = { hidden: [], programs: [], cwd: work, environment: {}, identity, limits: LIMITS }
      const ran = await trials.run(['/bin/bash', '-c', script], { places: [work], reads: [], cell })
      const told = ran.changes.map(({ change, path, after }) =>
        `${change} ${path.slice(work.length + 1) || '.'} ${after?.text ?? ''}`.trim(),
      )
      const unread = identity.uid === 0 ? [] : closed.map((name) => join(work, name))
      expect([title, ran.closed, told]).toEqual([title, unread, identity.uid === 0 ? asRoot : expected])
    }
  })
