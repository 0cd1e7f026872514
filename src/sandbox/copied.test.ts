/**
 * Where no overlay can be mounted: the kernel stacks two of them and refuses a third, so a directory on two others is such a place, as in
 * a container inside of a container. Nothing is pretended: the kernel itself refuses.
 */
import { execFileSync } from 'node:child_process'
import { chmodSync, linkSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished } from 'vitest'
import { bash } from '../../test/support/calls.ts'
import { temporaryDirectory } from '../../test/support/records.ts'
import { LIMITS } from '../../test/support/trial-limits.ts'
import { trials, triedOut } from '../../test/support/trials.ts'
import { policyOf } from '../../test/support/workplace.ts'
import { previewChecks } from '../cli/preview/doctor.ts'
import { openGate } from '../open.ts'
import { policy } from '../policy/testing/compiled.ts'
import { GROUPS } from './cgroup.ts'
import { createTrials } from './overlay.ts'
import { PLACES } from './sandbox.ts'
import { MAX_COPIED } from './stage.ts'

const [MOUNT, UNMOUNT] = ['mount', 'umount'] as const

/** A directory that is a merge of a merge, with so many files; null where this user may mount nothing. */
function stacked(files: number): string | null {
  const root = temporaryDirectory()
  const names = ['low', 'up1', 'work1', 'mid', 'up2', 'work2', 'top']
  for (const name of names) mkdirSync(join(root, name))
  for (let at = 0; at < files; at += 1) writeFileSync(join(root, 'low', `f${at}`), '')
  const mounted: string[] = []
  onTestFinished(() => {
    for (const at of mounted.toReversed()) execFileSync(UNMOUNT, ['-l', at])
  })
  try {
    for (const [lower, level, to] of [
      ['low', 1, 'mid'],
      ['mid', 2, 'top'],
    ] as const) {
      const options = `lowerdir=${root}/${lower},upperdir=${root}/up${level},workdir=${root}/work${level}`
      execFileSync(MOUNT, ['-t', 'overlay', 'overlay', '-o', options, join(root, to)], { stdio: 'ignore' })
      mounted.push(join(root, to))
    }
  } catch {
    return null
  }
  return join(root, 'top')
}

const sh = (script: string, place: string) =>
  trials.run(['/bin/sh', '-c', script], {
    places: [place],
    reads: [],
    cell: { hidden: [], programs: [], cwd: place, environment: {}, limits: LIMITS },
  })

/** What a person reads in the preview of a call that works there. */
async function noteOf(cwd: string): Promise<string> {
  const asking = policyOf('hazards: { packs: [] }\nrules: { ask: [{ tool: Bash, reason: careful }] }\npreview: {}\n')
  const { gate, queue, close } = openGate({ home: temporaryDirectory(), policy: () => ({ policy: asking, degraded: null }) })
  onTestFinished(() => close())
  const { approval, findings } = await gate.decide(bash('touch made', { cwd }))
  const { preview } = queue.show(approval?.id ?? '', { tenant: null })?.sheet ?? {}
  return JSON.stringify([preview ?? null, findings])
}

describe('a place over which no overlay can be mounted', () => {
  triedOut('is copied where it is small, the same changes are seen, and nothing of it is changed', async () => {
    const place = stacked(0)
    if (place === null) return expect(process.getuid?.()).not.toBe(0)
    mkdirSync(join(place, 'old/deep'), { recursive: true })
    for (const name of ['a.txt', 'b.txt', 'old/deep/c.txt']) writeFileSync(join(place, name), `${name}\n`)
    chmodSync(join(place, 'b.txt'), 0o640)
    linkSync(join(place, 'a.txt'), join(place, 'twin'))
    symlinkSync('a.txt', join(place, 'link'))
    const { copied, changes, status, stdout } = await sh(
      'cat link; echo more >> a.txt; rm -r old; mkdir old; echo n > old/n; rm b.txt; chmod 700 twin',
      place,
    )
    expect([status, stdout, copied]).toEqual([0, 'a.txt\n', 7])
    expect(changes.map(({ change, path }) => `${change} ${path.slice(place.length + 1)}`)).toEqual([
      'changed a.txt',
      'deleted b.txt',
      'deleted old/deep',
      'deleted old/deep/c.txt',
      'created old/n',
      'changed twin',
    ])
    expect(readFileSync(join(place, 'a.txt'), 'utf8') + readFileSync(join(place, 'old/deep/c.txt'), 'utf8')).toBe('a.txt\nold/deep/c.txt\n')
    expect(await noteOf(place)).toMatch(/No overlay can be mounted here: its 7 files were copied one by one/)
  })

  for (const stage of ['usual', 'shell'] as const)
    triedOut(`holds programs as it is, and then no socket that has a name is reached (${stage} stage)`, async () => {
      const [place, work] = [stacked(MAX_COPIED + 1), realpathSync(temporaryDirectory())]
      if (place === null) return expect(process.getuid?.()).not.toBe(0)
      let calls = 0
      const server = createServer((socket) => socket.end(String(++calls)))
      await new Promise<void>((resolve) => server.listen(join(place, 'daemon.sock'), resolve))
      chmodSync(join(place, 'daemon.sock'), 0o777)
      writeFileSync(join(place, 'tool'), '#!/bin/sh\necho ran\n', { mode: 0o755 })
      const reach = `tool; node -e "require('net').connect('${place}/daemon.sock').on('connect',()=>console.log('in')).on('error',(e)=>console.log(e.code))"`
      const run = (programs: readonly string[]) =>
        createTrials(PLACES, GROUPS, stage).run(['/bin/sh', '-c', reach], {
          places: [work],
          reads: [],
          cell: { hidden: [], programs: [...programs, join(process.execPath, '..')], cwd: work, environment: {}, limits: LIMITS },
        })
      const ran = await run([place])
      const elsewhere = await run([])
      await new Promise((resolve) => server.close(resolve))
      expect([ran.stdout, ran.sockets, ran.copied, calls]).toEqual(['ran\nEAFNOSUPPORT\n', false, null, 0])
      expect([elsewhere.stdout, elsewhere.sockets]).toEqual(['ENOENT\n', true])
    })

  triedOut('is refused where it has more files, and `doctor` says so with a way out', async () => {
    const place = stacked(MAX_COPIED)
    if (place === null) return expect(process.getuid?.()).not.toBe(0)
    const here = process.cwd()
    onTestFinished(() => process.chdir(here))
    process.chdir(place)
    const said = async (): Promise<string> =>
      (await previewChecks(policy('version: 1\ndefault: ask\npreview: {}\n'), trials))[0]?.detail ?? ''
    expect(await said()).toMatch(/up to 2000 files alone: .*2000 files are copied each time\. Put/)
    writeFileSync(join(place, 'one-more'), '')
    await expect(sh('touch ran', place)).rejects.toThrow(/only up to 2000 files are copied/)
    expect(await noteOf(place)).toMatch(/only up to 2000 files are copied instead, and there are more/)
    expect(await said()).toMatch(/and there are more\. Put/)
  })
})
