/**
 * What a hostile command tries from inside of a trial. None of it may reach anything of the machine; and each attempt is made again with the wall
 * taken away that holds it, where it must be noticed.
 */
import { spawnSync } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { ATTEMPTS } from '../../test/escape/attempts.ts'
import type { Attempt } from '../../test/escape/holes.ts'
import { Machine } from '../../test/escape/machine.ts'
import { type Opening, opened } from '../../test/escape/openings.ts'
import { LIMITS } from '../../test/support/trial-limits.ts'
import { triedOut } from '../../test/support/trials.ts'
import type { Limits } from './cell.ts'
import { GROUPS } from './cgroup.ts'
import { createTrials, type Tried } from './overlay.ts'
import { hiddenIn } from './private.ts'

const machine = new Machine()
let holes = 0

beforeAll(() => machine.listen())
afterAll(() => machine.close())

interface Ground {
  readonly opening: Opening | null
  readonly limits: Partial<Limits> | undefined
  readonly environment: Readonly<Record<string, string>> | undefined
}

function attempt({ script }: Attempt, { opening, limits, environment }: Ground): Promise<Tried> {
  machine.plant()
  const { work, reads, tools, root, home } = machine
  const trials =
    opening === null ? createTrials() : createTrials(opened(opening, join(root, 'holes', String(holes++))), GROUPS, opening.stage)
  return trials.run(['/bin/bash', '-c', script], {
    places: [work],
    reads: [reads],
    cell: {
      hidden: hiddenIn([{ real: work }], [join(work, '.countersign')]),
      programs: [tools],
      cwd: work,
      environment: { ...machine.names(), ...environment },
      identity: { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 },
      home,
      limits: { ...LIMITS, timeMs: 15_000, ...limits },
    },
  })
}

describe('a trial cannot be left', () => {
  triedOut('nothing outside is read, changed or reached', async () => {
    process.env.COUNTERSIGN_TEST_SECRET = 'SECRET-environment'
    for (const each of ATTEMPTS) {
      const { title, planted = null, limits, environment, ends = null } = each
      const before = held()
      const ran = await attempt(each, { opening: planted, limits, environment })
      expect([title, ran.ended, await machine.reached(ran)]).toEqual([title, ends, []])
      if (ends === 'output') expect(held() - before, `memory of the gate during ${title}`).toBeLessThan(MAX_HELD)
    }
    delete process.env.COUNTERSIGN_TEST_SECRET
  })

  triedOut('and each of these attempts is noticed where its wall is open', async () => {
    for (const each of ATTEMPTS.filter(({ seen }) => seen !== false)) {
      const { title, planted, hole, holeLimits, holeEnvironment, limits, environment } = each
      const opening = { ...planted, ...hole(machine) }
      const ran = await counted(() =>
        attempt(each, { opening, limits: { ...limits, ...holeLimits }, environment: { ...environment, ...holeEnvironment } }),
      )
      expect(await machine.reached(ran), `${title}: ${ran.stdout} ${ran.stderr}`).not.toEqual([])
    }
  })

  triedOut('descriptors with which the gate itself was started do not reach it', async () => {
    machine.plant()
    const { work, root } = machine
    const open = openSync(join(root, 'outside.txt'), 'r+')
    // Node keeps the first sixteen to itself.
    const stdio = Array.from({ length: 41 }, (_, index) => (index === 40 ? open : index === 1 ? ('pipe' as const) : ('ignore' as const)))
    const script = 'cat <&40; echo x >&40; for f in /proc/[0-9]*/fd/40; do cat $f; done'
    const { stdout } = spawnSync(process.execPath, ['--import', 'tsx', INHERITING, work, script], { stdio, encoding: 'utf8' })
    closeSync(open)
    expect(JSON.parse(stdout)).not.toContain('SECRET')
    expect(await machine.reached({ stdout, stderr: '', changes: [] })).toEqual([])
  })
})

/** Without bubblewrap nothing holds a command until its counters are opened: it may be over by then, and is not let count. */
async function counted(run: () => Promise<Tried>): Promise<Tried> {
  for (let left = 4; ; left--) {
    try {
      return await run()
    } catch (error) {
      if (left === 0 || !String(error).includes('the counters of its network cannot be read')) throw error
    }
  }
}

/** Bytes that this process keeps outside of its heap, where output is. */
function held(): number {
  return process.memoryUsage().arrayBuffers
}
/** What waits for the collector included; 160 times less than what is written. */
const MAX_HELD = 1 << 26
const INHERITING = fileURLToPath(new URL('../../test/escape/inheriting.ts', import.meta.url))
