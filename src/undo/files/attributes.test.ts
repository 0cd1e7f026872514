/** Owners, extended attributes and access control lists: what files had, they have again, and no file gets what it never had. */
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ATTRIBUTES, listed, plantAttributes } from '../../../test/support/random-programs.ts'
import { temporaryDirectory } from '../../../test/support/records.ts'
import { writeAttributes } from '../../sandbox/attribute-writer.ts'
import { attributesNow } from '../../sandbox/attributes.ts'
import { type AttributeAccess, modeWithoutList, SYSTEM_ATTRIBUTES } from '../attributes.ts'
import { openVault } from '../sealed.ts'
import { differences } from './differs.ts'
import { restore } from './restore.ts'
import { takeSnapshot, written } from './snapshot.ts'

const LIMITS = { maxFiles: 10_000, maxBytes: 1 << 30 }
const ROOT = process.getuid?.() === 0

function place(access: Partial<AttributeAccess> = {}) {
  const root = realpathSync(temporaryDirectory())
  const [work, blobs] = [join(root, 'work'), join(root, 'blobs')]
  mkdirSync(work)
  mkdirSync(blobs)
  return { root, work, keeping: { vault: openVault(root, blobs), access: { ...SYSTEM_ATTRIBUTES, ...access } } }
}

async function give(path: string, ...attributes: readonly string[]): Promise<void> {
  const { dev, ino } = lstatSync(path, { bigint: true })
  expect(await writeAttributes([{ path, id: `${dev}:${ino}`, attributes: attributes.toSorted() }])).toEqual([null])
}

const of = (path: string): readonly string[] => attributesNow([path])?.[0] ?? ['unknown']

/** An access control list as the kernel keeps it: the owner, a user, the group, the mask, others. */
function list(name: string, { user = 0o6, group = 0, mask = 0o6 } = {}): string {
  const entries = [
    [0x01, 0o6, 0xffffffff],
    [0x02, user, 1234],
    [0x04, group, 0xffffffff],
    [0x10, mask, 0xffffffff],
    [0x20, 0, 0xffffffff],
  ]
  const bytes = Buffer.alloc(4 + entries.length * 8)
  bytes.writeUInt32LE(2, 0)
  for (const [index, [tag = 0, bits = 0, id = 0]] of entries.entries()) {
    bytes.writeUInt16LE(tag, 4 + index * 8)
    bytes.writeUInt16LE(bits, 6 + index * 8)
    bytes.writeUInt32LE(id, 8 + index * 8)
  }
  return `system.posix_acl_${name}=${bytes.toString('hex')}`
}

const [ACCESS, DEFAULT] = [list('access'), list('default')]
/** `cap_net_raw+ep`, as `setcap` writes it. */
const CAPABILITY = 'security.capability=0100000200200000000000000000000000000000'

describe.runIf(ATTRIBUTES)('extended attributes and access control lists', () => {
  const ACTS: readonly (readonly [title: string, act: (work: string) => unknown])[] = [
    ['a deleted tree', (work) => rmSync(join(work, 'dir'), { recursive: true })],
    ['a file that is written over', (work) => writeFileSync(join(work, 'dir/marked'), 'new\n')],
    ['a file that is replaced', (work) => (writeFileSync(join(work, 'x'), 'new\n'), renameSync(join(work, 'x'), join(work, 'dir/marked')))],
    ['attributes that were taken', (work) => Promise.all(['dir/marked', 'dir', 'dir/list'].map((name) => give(join(work, name))))],
    ['attributes that were given', (work) => give(join(work, 'dir/plain'), 'user.new=31', ACCESS)],
    [
      'a directory where a file was',
      (work) => (rmSync(join(work, 'dir/marked')), mkdirSync(join(work, 'dir/marked/in'), { recursive: true })),
    ],
    ['one of two names of a file', (work) => rmSync(join(work, 'dir/two'))],
    ['a write through one of two names', (work) => writeFileSync(join(work, 'dir/two'), 'new\n')],
    ['attributes taken through one of two names', (work) => give(join(work, 'dir/two'))],
    ['permissions', (work) => chmodSync(join(work, 'dir/list'), 0o600)],
  ]
  async function planted(work: string): Promise<void> {
    mkdirSync(join(work, 'dir/in'), { recursive: true })
    for (const name of ['marked', 'list', 'plain', 'one', 'in/line\nbreak', 'in/large', 'readonly'])
      writeFileSync(join(work, 'dir', name), `${name}\n`)
    linkSync(join(work, 'dir/one'), join(work, 'dir/two'))
    symlinkSync('marked', join(work, 'dir/link'))
    await give(join(work, 'dir/marked'), 'user.a=31', 'user.empty=', 'user.line\nbreak=32', 'user.a=b=33')
    await give(join(work, 'dir/list'), ACCESS, 'user.a=31')
    await give(join(work, 'dir/one'), 'user.shared=31')
    await give(join(work, 'dir/in/line\nbreak'), 'user.n=0a00')
    await give(join(work, 'dir/readonly'), 'user.a=31')
    chmodSync(join(work, 'dir/readonly'), 0o444)
    // Whatever is made in here from now on begins with a list of its own.
    await give(join(work, 'dir'), 'user.d=31', DEFAULT)
  }

  test.each(ACTS)('%s', async (_title, act) => {
    const { work, keeping } = place()
    await planted(work)
    const before = listed(work)
    const { entries, left } = await takeSnapshot(written([join(work, 'dir')]), keeping, LIMITS)
    expect([left, await differences(entries, keeping.access)]).toEqual([[], []])
    await act(work)
    expect(await differences(entries, keeping.access)).not.toEqual([])
    expect([await restore(entries, keeping), listed(work)]).toEqual([[], before])
    expect(await differences(entries, keeping.access)).toEqual([])
  })

  test.runIf(existsSync('/usr/bin/python3'))('by Python, where the numbers of the calls of the kernel are not known', async () => {
    const { work, keeping } = place()
    await planted(work)
    const before = listed(work)
    const arch = Object.getOwnPropertyDescriptor(process, 'arch') ?? {}
    onTestFinished(() => void Object.defineProperty(process, 'arch', arch))
    Object.defineProperty(process, 'arch', { ...arch, value: 'riscv64' })
    const { entries, left } = await takeSnapshot(written([join(work, 'dir')]), keeping, LIMITS)
    rmSync(join(work, 'dir'), { recursive: true })
    expect([left, await restore(entries, keeping), listed(work)]).toEqual([[], [], before])
    await give(join(work, 'dir'))
    const swapped = await writeAttributes([{ path: join(work, 'dir'), id: '0:0', attributes: ['user.b=31'] }])
    expect([of(join(work, 'dir')), swapped]).toEqual([[], ['another file has its name now']])
  })

  test('a value of 64 KB, which a file system in memory has room for', async () => {
    const { keeping } = place()
    const work = mkdtempSync('/dev/shm/countersign-test-')
    onTestFinished(() => rmSync(work, { recursive: true }))
    const file = join(work, 'large')
    writeFileSync(file, 'text\n')
    const large = `user.large=${'78'.repeat(65_536)}`
    await give(file, large)
    const { entries, left } = await takeSnapshot(written([file]), keeping, LIMITS)
    rmSync(file)
    expect([left, await restore(entries, keeping), of(file)]).toEqual([[], [], [large]])
  })

  test('of another file that took the name in between are never kept with the content of the first', async () => {
    let swap = (): void => {}
    const read: AttributeAccess['read'] = (paths) => (swap(), SYSTEM_ATTRIBUTES.read(paths))
    for (const change of ['another file', 'other content', 'other attributes'] as const) {
      const { work, keeping } = place({ read })
      const [file, other] = [join(work, 'file'), join(work, 'other')]
      writeFileSync(file, 'mine\n')
      writeFileSync(other, 'theirs\n')
      await give(other, 'user.mark=31')
      swap = () => {
        if (change === 'another file') renameSync(other, file)
        else if (change === 'other content') writeFileSync(file, 'hers\n')
        else plantAttributes(work, 'attribute set file user.mark 1')
      }
      const { entries, left } = await takeSnapshot(written([file]), keeping, LIMITS)
      expect(left).toEqual([`what ${file} was: it was changed while it was kept`])
      rmSync(file)
      expect([await restore(entries, keeping), of(file), readFileSync(file, 'utf8')]).toEqual([[], [], 'mine\n'])
    }
  })

  test('that could not be read are said, and those of a name that is no text', async () => {
    const { work, keeping } = place({ read: async () => null })
    writeFileSync(join(work, 'file'), 'text\n')
    expect((await takeSnapshot(written([work]), keeping, LIMITS)).left).toEqual(['extended attributes, which could not be read'])
    plantAttributes(work, "attribute set file $'user.\\xff' 1")
    expect((await takeSnapshot(written([work]), { ...keeping, access: SYSTEM_ATTRIBUTES }, LIMITS)).left).toEqual([
      `an extended attribute of ${join(work, 'file')}: its name is no text`,
    ])
  })

  test('that cannot be put back are said; the group gets no permission of a list that is gone', async () => {
    const { work, keeping } = place({ write: async (files) => files.map(() => 'no room') })
    const [file, directory] = [join(work, 'file'), join(work, 'dir')]
    writeFileSync(file, 'text\n')
    mkdirSync(directory)
    for (const path of [file, directory]) await give(path, ACCESS)
    expect([lstatSync(file).mode & 0o777, lstatSync(directory).mode & 0o070]).toEqual([0o660, 0o060])
    const { entries } = await takeSnapshot(written([file, directory]), keeping, LIMITS)
    rmSync(file)
    rmSync(directory, { recursive: true })
    const reason = 'its extended attributes could not be put back: no room'
    expect((await restore(entries, keeping)).toSorted()).toEqual([`${directory}: ${reason}`, `${file}: ${reason}`])
    expect([readFileSync(file, 'utf8'), lstatSync(file).mode & 0o070, lstatSync(directory).mode & 0o070]).toEqual(['text\n', 0, 0])
  })

  test('are not asked for where nothing can read them; then nothing is known of them, and files come back without', async () => {
    const { work, keeping } = place({ problem: () => 'no Perl', read: async () => null, write: async () => ['never asked'] })
    const file = join(work, 'file')
    writeFileSync(file, 'text\n')
    const { entries, left } = await takeSnapshot(written([file]), keeping, LIMITS)
    rmSync(file)
    expect([left, await restore(entries, keeping), readFileSync(file, 'utf8')]).toEqual([[], ['never asked'].slice(1), 'text\n'])
  })

  test.runIf(ROOT)('capabilities of a program come back with it, and go to no other file', async () => {
    const { work, keeping } = place()
    const [program, elsewhere] = [join(work, 'ping'), join(work, 'elsewhere')]
    for (const path of [program, elsewhere]) writeFileSync(path, 'program\n', { mode: 0o755 })
    chownSync(program, 1234, 1235)
    await give(program, CAPABILITY, 'user.a=31')
    const before = listed(work)
    const { entries } = await takeSnapshot(written([program]), keeping, LIMITS)
    rmSync(program)
    expect([await restore(entries, keeping), listed(work), lstatSync(program).uid]).toEqual([[], before, 1234])
    const { dev, ino } = lstatSync(elsewhere, { bigint: true })
    const swapped = await writeAttributes([{ path: program, id: `${dev}:${ino}`, attributes: ['user.b=31'] }])
    symlinkSync('ping', join(work, 'link'))
    const linked = await writeAttributes([{ path: join(work, 'link'), id: '0:0', attributes: [] }])
    expect([swapped, linked, listed(work).get('/ping')]).toEqual([
      ['another file has its name now'],
      [expect.stringContaining('symbolic link')],
      before.get('/ping'),
    ])
  })

  test.each([
    [0o660, ACCESS, 0o600],
    [0o2660, list('access', { group: 0o4, mask: 0o6 }), 0o2640],
    [0o670, list('access', { group: 0o7, mask: 0o4 }), 0o640],
    [0o664, 'user.a=31', 0o664],
    [0o664, 'system.posix_acl_access=02', 0o604],
  ])('permissions %o without the list %s', (mode, attribute, expected) => expect(modeWithoutList(mode, [attribute])).toBe(expected))
})

describe.runIf(ROOT)('owners', () => {
  test('are put back: of files, of directories, and of links', async () => {
    const { work, keeping } = place()
    mkdirSync(join(work, 'dir'))
    writeFileSync(join(work, 'dir/file'), 'text\n', { mode: 0o600 })
    symlinkSync('file', join(work, 'dir/link'))
    const owners = () => ['dir', 'dir/file', 'dir/link'].map((name) => lstatSync(join(work, name))).map(({ uid, gid }) => [uid, gid])
    execFileSync('chown', ['-hR', '1234:1235', join(work, 'dir')])
    const before = owners()
    const { entries } = await takeSnapshot(written([join(work, 'dir')]), keeping, LIMITS)
    for (const act of [
      () => rmSync(join(work, 'dir'), { recursive: true }),
      () => execFileSync('chown', ['-hR', '1:1', join(work, 'dir')]),
    ]) {
      act()
      expect([await restore(entries, keeping), owners()]).toEqual([[], before])
    }
  })

  test('a program that ran as its owner runs as that owner again, and never as the gate', async () => {
    const { work, keeping } = place()
    const file = join(work, 'program')
    writeFileSync(file, 'program\n')
    chownSync(file, 1234, 1235)
    chmodSync(file, 0o6755)
    const { entries } = await takeSnapshot(written([file]), keeping, LIMITS)
    rmSync(file)
    expect([await restore(entries, keeping), lstatSync(file).mode & 0o7777, lstatSync(file).uid]).toEqual([[], 0o6755, 1234])
    rmSync(file)
    const unknown = entries.map(({ owner: _, ...entry }) => entry)
    expect(await restore(unknown, keeping)).toEqual([`${file}: whose it was is not known, so it does not run as its owner`])
    expect([lstatSync(file).mode & 0o7777, lstatSync(file).uid]).toEqual([0o755, 0])
  })
})
