import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { directoryIdentity, identityOfMade, mountedBelow } from './identity.ts'

let root = ''
/** Where file systems in memory use the number of what is gone at once. */
let memory = ''
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-identity-')))
  memory = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : root, 'countersign-identity-'))
})
afterAll(() => {
  for (const directory of [memory, root]) rmSync(directory, { recursive: true, force: true })
})

describe('a directory', () => {
  it('stays itself where it is filled, emptied, dated back, or moved away and back', () => {
    const path = join(root, 'same')
    mkdirSync(path)
    const first = directoryIdentity(path)
    expect(first).toMatch(/^\d+:\d+:\d+$/)
    writeFileSync(join(path, 'a'), '')
    utimesSync(path, 1, 1)
    renameSync(path, join(root, 'away'))
    expect(directoryIdentity(path)).toBeNull()
    renameSync(join(root, 'away'), path)
    expect(directoryIdentity(path)).toBe(first)
  })
  for (const [where, place] of [
    ['the disk', () => root],
    ['memory', () => memory],
  ] as const)
    it(`is another one where it was made again, fifty times over, on ${where}`, () => {
      const path = join(place(), 'again')
      const seen = new Set<string | null>()
      for (let count = 0; count < 50; count++) {
        mkdirSync(path)
        seen.add(directoryIdentity(path))
        rmdirSync(path)
        // The clock of a file system moves by ticks.
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 12)
      }
      expect(seen.size).toBe(50)
    })
  it('has none where a name is a link to it, a file, or nothing', () => {
    mkdirSync(join(root, 'to'))
    symlinkSync('to', join(root, 'link'))
    writeFileSync(join(root, 'file'), '')
    for (const name of ['link', 'file', 'nothing', 'file/below', 'nul\0']) expect(directoryIdentity(join(root, name)), name).toBeNull()
  })
  it('was made since a time only where it was born then', () => {
    const path = join(root, 'young')
    const before = Date.now()
    mkdirSync(path)
    expect(identityOfMade(path, before)).toBe(directoryIdentity(path))
    expect(identityOfMade(path, Date.now() + 1000)).toBeNull()
  })
})

describe('what is mounted', () => {
  const MOUNTS = [
    '22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/vda rw',
    '31 22 8:1 /home/dev/work /tmp/own/in rw,relatime - ext4 /dev/vda rw',
    '32 22 0:40 / /tmp/with\\040space/in rw - tmpfs tmpfs rw',
    '33 22 0:41 / /tmp/it rw - overlay overlay rw,lowerdir=/tmp/other/x',
    '',
  ].join('\n')
  const ROWS: Readonly<Record<string, boolean>> = {
    '/tmp/own': true,
    '/tmp': true,
    '/tmp/own/in': false,
    '/tmp/ow': false,
    '/tmp/own/other': false,
    '/tmp/with space': true,
    '/tmp/with': false,
    '/tmp/it': false,
    '/tmp/other': false,
  }
  for (const [path, below] of Object.entries(ROWS))
    it(`${below ? 'is' : 'is not'} below ${path}`, () => expect(mountedBelow(path, MOUNTS)).toBe(below))
})
