/** A way back that is ended in the middle, or for which there is no room: nothing half-written is called done, and the next attempt ends with what was. */
import { execFileSync, spawnSync } from 'node:child_process'
import {
  chownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openGate } from '../../src/open.ts'
import { captureIn, openCaptures } from '../../src/undo/captures.ts'
import { stepsOf, take } from '../../src/undo/undo.ts'
import { bash } from '../support/calls.ts'
import { ATTRIBUTES, listed, plantAttributes } from '../support/random-programs.ts'
import { temporaryDirectory } from '../support/records.ts'
import { policyOf } from '../support/workplace.ts'

const UNDO = join(import.meta.dirname, 'programs/undo.ts')
const POLICY = 'hazards: { packs: [] }\nrules: { allow: [{ tool: "*", when: "true", reason: fine }] }\nundo: { require_way_back: false }\n'

function place(home: string, work: string) {
  const { gate, close } = openGate({ home, policy: () => ({ policy: policyOf(POLICY), degraded: null }) })
  onTestFinished(() => close())
  const parts = { store: openCaptures(home), ways: null, now: Date.now, variable: () => null }
  return {
    decide: (command: string) => gate.decide(bash(command, { cwd: work, session: null })),
    back: async (id: unknown): Promise<readonly string[]> => {
      const steps = await stepsOf(captureIn(parts.store.read(String(id)) ?? ''), parts)
      const problems: string[] = []
      for (const step of steps) problems.push(...(await take(step, parts)))
      return problems
    },
  }
}

/** Files of every kind that are put back in a way of their own. */
function planted(work: string): void {
  for (const name of ['dir/in', 'other']) mkdirSync(join(work, name), { recursive: true })
  for (let index = 0; index < 30; index++) writeFileSync(join(work, 'dir', `${index}`), `text ${index}\n`.repeat(1 + index * 400))
  writeFileSync(join(work, 'dir/in/shared'), 'shared\n')
  linkSync(join(work, 'dir/in/shared'), join(work, 'other/shared'))
  symlinkSync('../dir/1', join(work, 'other/link'))
  writeFileSync(join(work, 'dir/in/replaced'), 'file\n')
  if (ATTRIBUTES) plantAttributes(work, 'attribute set dir/1 user.a 1; attribute set dir/in user.b 1; attribute set other/shared user.c 1')
}

const ACT =
  'rm -r dir/2 dir/3 dir/4; for f in dir/1*; do echo changed > $f; done; echo more >> other/shared; rm other/link; chmod 600 dir/5; ' +
  'rm dir/in/replaced; mkdir dir/in/replaced; echo in > dir/in/replaced/in; rm -r dir/20 dir/21'

const CAN_TRACE = spawnSync('strace', ['-e', 'trace=none', 'true']).status === 0
/** The call of the kernel at which it is ended, and the how manieth of it. */
const DEATHS = [
  'rename:2',
  'rename:12',
  'unlink:1',
  'fchmod,chmod:6',
  'fchown,lchown,chown,symlink:1',
  'rmdir:1',
  'ftruncate,write:40',
] as const

test.skipIf(!CAN_TRACE)(
  'killed in the middle, it is finished by the next attempt, and nothing is left of the first',
  async () => {
    const [home, work] = [temporaryDirectory(), realpathSync(temporaryDirectory())]
    planted(work)
    const before = listed(work)
    const { decide, back } = place(home, work)
    const { undo } = await decide('echo > other/x; rm -r dir other')
    const ended: (string | null)[] = []
    for (const death of DEATHS) {
      execFileSync('/bin/bash', ['-c', ACT], { cwd: work })
      expect([death, listed(work)]).not.toEqual([death, before])
      const [calls = '', count = ''] = death.split(':')
      const inject = `inject=${calls}:signal=KILL:when=${count}`
      const { signal, status } = spawnSync('strace', [
        '-qq',
        '-o',
        '/dev/null',
        '-e',
        `trace=${calls}`,
        '-e',
        inject,
        process.execPath,
        '--import',
        'tsx',
        UNDO,
        home,
        String(undo?.id),
      ])
      ended.push(signal ?? String(status))
      expect([death, await back(undo?.id), listed(work)]).toEqual([death, [], before])
    }
    // Which calls Node makes for the same depends on the system.
    expect(ended.filter((end) => end === 'SIGKILL').length).toBeGreaterThan(DEATHS.length - 3)
  },
  60_000,
)

const ROOT = process.getuid?.() === 0

/** A small file system in memory; null where none can be had. */
function smallDisk(): string | null {
  const at = mkdtempSync(join(realpathSync(temporaryDirectory()), 'disk-'))
  if (spawnSync('/bin/mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', at]).status !== 0) return null
  onTestFinished(() => void spawnSync('/bin/umount', ['-l', at]))
  return at
}

/** Until there is no room. */
function fill(at: string): void {
  try {
    writeFileSync(join(at, 'filler'), Buffer.alloc(2 << 20))
  } catch {
    // It is full.
  }
}

describe.runIf(ROOT)('a full disk', () => {
  test('where captures are kept: the call does not run, and nothing of the capture is left', async ({ skip }) => {
    const home = smallDisk() ?? skip('no file system can be mounted here')
    const work = realpathSync(temporaryDirectory())
    for (const name of ['a', 'b', 'c']) writeFileSync(join(work, name), Buffer.alloc(400_000, name))
    const { decide } = place(home, work)
    expect(await decide('rm c')).toMatchObject({ decision: 'allow' })
    const blobs = () => readdirSync(join(home, 'undo/blobs')).length
    const [many, captures] = [blobs(), readdirSync(join(home, 'undo')).length]
    const { decision, code, reason } = await decide('rm a b')
    expect([decision, code, reason]).toEqual(['deny', 'undo.capture_failed', expect.stringContaining('ENOSPC')])
    expect([blobs(), readdirSync(join(home, 'undo')).length]).toEqual([many, captures])
  })

  test('where files are put back: each is what it was or what the call left, it is said, and the next attempt ends it', async ({
    skip,
  }) => {
    const disk = smallDisk() ?? skip('no file system can be mounted here')
    const work = join(disk, 'work')
    mkdirSync(work)
    for (const name of ['a', 'b', 'c']) writeFileSync(join(work, name), Buffer.alloc(200_000, name))
    const before = listed(work)
    const { decide, back } = place(temporaryDirectory(), work)
    const { undo } = await decide('rm a; echo new > b; rm c')
    for (const name of ['a', 'c']) rmSync(join(work, name))
    writeFileSync(join(work, 'b'), 'new\n')
    fill(disk)
    expect(await back(undo?.id)).toEqual([
      expect.stringContaining('ENOSPC'),
      expect.stringContaining('ENOSPC'),
      expect.stringContaining('ENOSPC'),
    ])
    expect([readdirSync(work), readFileSync(join(work, 'b'), 'utf8')]).toEqual([['b'], 'new\n'])
    rmSync(join(disk, 'filler'))
    expect([await back(undo?.id), listed(work)]).toEqual([[], before])
  })
})

test.runIf(ROOT)('a gate that is not root says which file of somebody else came back as its own', async () => {
  const [home, work] = [realpathSync(temporaryDirectory()), realpathSync(temporaryDirectory())]
  for (const name of ['theirs', 'mine']) writeFileSync(join(work, name), `${name}\n`)
  for (const path of [work, join(work, 'mine')]) chownSync(path, 65_534, 65_534)
  const { decide } = place(home, work)
  const { undo } = await decide('rm theirs mine')
  for (const name of ['theirs', 'mine']) rmSync(join(work, name))
  execFileSync('chown', ['-R', '65534:65534', home])
  const user = ['--reuid', '65534', '--regid', '65534', '--clear-groups']
  const { stdout } = spawnSync('/usr/bin/setpriv', [...user, process.execPath, '--import', 'tsx', UNDO, home, String(undo?.id)], {
    encoding: 'utf8',
  })
  expect(stdout).toBe(`${join(work, 'theirs')}: it belonged to user 0 and group 0, and belongs to user 65534 and group 65534 now\n`)
  expect(['theirs', 'mine'].map((name) => [readFileSync(join(work, name), 'utf8'), lstatSync(join(work, name)).uid])).toEqual([
    ['theirs\n', 65_534],
    ['mine\n', 65_534],
  ])
})
