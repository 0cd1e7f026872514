/** Keeping and putting back, with names that change between, and with stores that fail. */
import { execFileSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { listed } from '../../../test/support/random-programs.ts'
import { temporaryDirectory } from '../../../test/support/records.ts'
import { SYSTEM_ATTRIBUTES } from '../attributes.ts'
import { openVault } from '../sealed.ts'
import { differences } from './differs.ts'
import { restore } from './restore.ts'
import { takeSnapshot, written } from './snapshot.ts'

const LIMITS = { maxFiles: 10_000, maxBytes: 1 << 30 }

function place() {
  const root = realpathSync(temporaryDirectory())
  const [work, blobs] = [join(root, 'work'), join(root, 'blobs')]
  mkdirSync(work)
  mkdirSync(blobs)
  return {
    root,
    work,
    blobs,
    keeping: { vault: openVault(root, blobs), access: SYSTEM_ATTRIBUTES },
    going: [{ path: work, goes: true }],
  }
}

function filled(work: string, count: number): void {
  for (let index = 0; index < count; index++) {
    if (index % 500 === 0) mkdirSync(join(work, `d${index / 500}`))
    writeFileSync(join(work, `d${Math.floor(index / 500)}`, `${index}`), `text ${index}\n`)
  }
}

describe('ordinary', () => {
  test('small files share one pack, and the same tree again shares it too', async () => {
    const { work, blobs, keeping } = place()
    filled(work, 300)
    const before = listed(work)
    const first = await takeSnapshot(written([work]), keeping, LIMITS)
    const second = await takeSnapshot(written([work]), keeping, LIMITS)
    expect([first.entries.length, second.entries, readdirSync(blobs).length]).toEqual([302, first.entries, 1])
    rmSync(work, { recursive: true })
    expect([await restore(first.entries, keeping), listed(work)]).toEqual([[], before])
  })

  test('files on both sides of what a pack takes, of no bytes, and of the same bytes', async () => {
    const { work, keeping } = place()
    const digests = () => readdirSync(work).map((name) => [name, hash('sha256', readFileSync(join(work, name)))])
    const sizes = [0, 1, 131_071, 131_072, 131_073, 1 << 20, (1 << 20) + 1, 3_000_000]
    for (const size of sizes) writeFileSync(join(work, `${size}`), Buffer.alloc(size, `${size} `))
    for (let index = 0; index < 20; index++) writeFileSync(join(work, `fill-${index}`), Buffer.alloc(100_000, `${index}`))
    writeFileSync(join(work, 'again'), Buffer.alloc(131_071, '131071 '))
    const before = digests()
    const { entries } = await takeSnapshot(written([work]), keeping, LIMITS)
    for (const name of readdirSync(work)) truncateSync(join(work, name), 7)
    expect([await restore(entries, keeping), digests(), await differences(entries, SYSTEM_ATTRIBUTES)]).toEqual([[], before, []])
  })

  test('a tree of many that goes gets second names, of which nothing is copied', async () => {
    const { work, keeping, going } = place()
    filled(work, 2_100)
    chmodSync(join(work, 'd0', '7'), 0o751)
    const before = listed(work)
    const { entries, bytes } = await takeSnapshot(going, keeping, LIMITS)
    expect([entries.filter(({ linked }) => linked !== undefined).length, bytes]).toEqual([2_100, 0])
    rmSync(work, { recursive: true })
    expect([await restore(entries, keeping), listed(work)]).toEqual([[], before])
  })

  test('what is written to as well is copied, though the tree goes', async () => {
    const { work, keeping, going } = place()
    filled(work, 2_100)
    const file = join(work, 'd0', '7')
    const { entries } = await takeSnapshot([...going, { path: file, goes: false }], keeping, LIMITS)
    writeFileSync(file, 'written in place')
    rmSync(work, { recursive: true })
    expect([await restore(entries, keeping), readFileSync(file, 'utf8')]).toEqual([[], 'text 7\n'])
  })
})

describe('names and files of every kind', () => {
  test('Unicode in both forms, lines in names, names of 255 bytes, ends of lines of Windows, holes, and nothing at all', async () => {
    const { work, keeping } = place()
    const names = [
      'caf\u00e9',
      'cafe\u0301',
      'two\nlines',
      'tab\tand "quotes"',
      '-rf',
      ' ',
      '.',
      '\u202egnp.exe',
      'n'.repeat(255),
      'ü'.repeat(127),
    ]
    const files = names.map((name) => join(work, name === '.' ? '...' : name))
    for (const [index, file] of files.entries()) writeFileSync(file, `${index}\r\nno end`)
    writeFileSync(join(work, 'empty'), '')
    writeFileSync(join(work, 'holes'), 'start')
    truncateSync(join(work, 'holes'), 1_000_000)
    const before = listed(work)
    expect(before.size).toBe(files.length + 2)
    const { entries, left } = await takeSnapshot(written([work]), keeping, LIMITS)
    for (const name of readdirSync(work)) writeFileSync(join(work, name), 'changed\n')
    expect([left, await restore(entries, keeping), listed(work)]).toEqual([[], [], before])
    rmSync(work, { recursive: true })
    expect([await restore(entries, keeping), listed(work)]).toEqual([[], before])
  })

  test('a name that is no text, a pipe, a socket and a device are said to be left out; a pipe does not hold the capture up', async () => {
    const { work, keeping } = place()
    execFileSync('/usr/bin/mkfifo', [join(work, 'pipe')])
    const socket = createServer().listen(join(work, 'socket'))
    await once(socket, 'listening')
    writeFileSync(Buffer.concat([Buffer.from(`${work}/bytes-`), Buffer.from([0xff, 0xfe])]), 'text\n')
    writeFileSync(join(work, 'file'), 'text\n')
    const { entries, left } = await takeSnapshot(written([work, '/dev/null']), keeping, LIMITS)
    socket.close()
    expect(left.toSorted()).toEqual([
      '/dev/null is no file',
      `${work}/bytes-\ufffd\ufffd cannot be read`,
      `${work}/pipe is no file`,
      `${work}/socket is no file`,
    ])
    expect(entries.map(({ path }) => path).toSorted()).toEqual([work, join(work, 'file')])
  })
})

describe('hostile', () => {
  test('a directory that became a link since leads nowhere: nothing is written, deleted or permitted through it', async () => {
    const { root, work, keeping } = place()
    const [dir, elsewhere] = [join(work, 'dir'), join(root, 'elsewhere')]
    mkdirSync(dir)
    mkdirSync(join(elsewhere, 'sub'), { recursive: true, mode: 0o700 })
    for (const name of ['a', 'fresh']) writeFileSync(join(elsewhere, name), 'precious')
    writeFileSync(join(dir, 'a'), 'old')
    mkdirSync(join(dir, 'sub'), { mode: 0o755 })
    const wanted = ['a', 'fresh', 'sub'].map((name) => join(dir, name))
    const { entries } = await takeSnapshot(written(wanted), keeping, LIMITS)
    rmSync(dir, { recursive: true })
    symlinkSync(elsewhere, dir)
    const before = listed(elsewhere)
    const problems = await restore(entries, keeping)
    expect([problems.length > 0, problems.every((text) => text.includes('is a link now')), listed(elsewhere)]).toEqual([true, true, before])
  })

  test('a link in place of a kept directory is replaced, and what it led to is left', async () => {
    const { root, work, keeping } = place()
    const elsewhere = join(root, 'elsewhere')
    mkdirSync(elsewhere)
    filled(work, 3)
    const before = listed(work)
    const { entries } = await takeSnapshot(written([work]), keeping, LIMITS)
    renameSync(join(work, 'd0'), join(root, 'moved'))
    symlinkSync(elsewhere, join(work, 'd0'))
    expect([await restore(entries, keeping), listed(work), readdirSync(elsewhere)]).toEqual([[], before, []])
  })

  test('a pack that was written to since is noticed for the files that it damages, and those alone', async () => {
    const { work, blobs, keeping } = place()
    for (const name of ['a', 'b']) writeFileSync(join(work, name), `text of ${name}\n`)
    const { entries } = await takeSnapshot(written([work]), keeping, LIMITS)
    const [pack = ''] = readdirSync(blobs)
    const bytes = readFileSync(join(blobs, pack))
    writeFileSync(join(blobs, pack), Buffer.concat([bytes.subarray(0, bytes.length - 1), Buffer.from('!')]))
    rmSync(work, { recursive: true })
    expect(await restore(entries, keeping)).toEqual([expect.stringMatching(/b: what was kept of it is damaged/)])
    expect([readdirSync(work), readFileSync(join(work, 'a'), 'utf8')]).toEqual([['a'], 'text of a\n'])
  })

  test('a store that cannot be written to is an error, and not files that cannot be read', async () => {
    const { work, blobs, keeping } = place()
    filled(work, 3)
    rmSync(blobs, { recursive: true })
    writeFileSync(blobs, 'a file')
    await expect(takeSnapshot(written([work]), keeping, LIMITS)).rejects.toThrow('ENOTDIR')
    expect(existsSync(join(work, 'd0'))).toBe(true)
  })

  test('devices, pipes and sockets are named as not kept; no reader waits for them', async () => {
    const { keeping } = place()
    const { entries, left } = await takeSnapshot(written(['/dev/null', '/dev/zero']), keeping, LIMITS)
    expect([entries, left]).toEqual([[], ['/dev/null is no file', '/dev/zero is no file']])
  })

  test('beyond the limits it says what is left out', async () => {
    const { work, keeping } = place()
    filled(work, 20)
    const { entries, left } = await takeSnapshot(written([work]), keeping, { ...LIMITS, maxFiles: 10 })
    expect([entries.length, left]).toEqual([10, ['more than 10 files']])
  })
})
