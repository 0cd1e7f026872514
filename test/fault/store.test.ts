/**
 * The store under real trouble: full and read-only disks, limits, locks, damage at every place, many writers, sudden death.
 * Nothing is mocked. Where a fault needs a file system of its own, a child gets one in a mount namespace (`unshare`), which
 * binds root, too; on systems that do not permit that, those tests are skipped and the `ulimit` and lock tests remain.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { auditVerify } from '../../src/audit/log.ts'
import { anchorPath } from '../../src/store/sqlite/anchor.ts'
import { databasePath } from '../../src/store/sqlite/connection.ts'
import { counterPath } from '../../src/store/sqlite/counter.ts'
import { openDatabase } from '../../src/store/sqlite/engines.ts'
import { openStore } from '../../src/store/sqlite/open.ts'
import { StoreError } from '../../src/store/store.ts'
import { proves } from '../proves.ts'
import { bundled, start } from '../support/program.ts'
import { input, temporaryDirectory } from '../support/records.ts'

const APPEND = bundled(new URL('./programs/append.ts', import.meta.url))
const NODE = process.execPath

/** Runs a shell script as root of a mount namespace of its own. */
function inNamespace(script: string): { readonly status: number | null; readonly stdout: string; readonly stderr: string } {
  return spawnSync('unshare', ['--user', '--map-root-user', '--mount', 'sh', '-ec', script], { encoding: 'utf8', timeout: 180_000 })
}

const probe = temporaryDirectoryPath()
const CAN_MOUNT = inNamespace(`mount -t tmpfs -o size=64k none '${probe}'`).status === 0
rmSync(probe, { recursive: true, force: true })

function temporaryDirectoryPath(): string {
  return spawnSync('mktemp', ['-d'], { encoding: 'utf8' }).stdout.trim()
}

function lines(text: string): string[] {
  return text.split('\n').filter((line) => line !== '')
}

async function makeStore(count: number, bytes = 10): Promise<string> {
  const directory = temporaryDirectory()
  const store = openStore({ directory })
  for (let number = 1; number <= count; number += 1) await store.append(input(number, { body: { number, padding: 'x'.repeat(bytes) } }))
  store.close()
  return directory
}

/** A copy to damage, without what another connection of this process may hold. */
function copied(from: string): string {
  const directory = temporaryDirectory()
  cpSync(from, directory, { recursive: true })
  return directory
}

async function tryAppend(directory: string, busyMilliseconds = 5_000): Promise<StoreError | null> {
  try {
    const store = openStore({ directory, busyMilliseconds })
    try {
      await store.append(input(1))
      return null
    } finally {
      store.close()
    }
  } catch (error) {
    if (error instanceof StoreError) return error
    throw error
  }
}

describe('no space', () => {
  const title = 'on a full disk appends fail with a code, what was acknowledged stays, and the store works again once there is room'
  test.skipIf(!CAN_MOUNT)(`${title} (tmpfs)`, () => {
    const directory = temporaryDirectory()
    const script = `
      mount -t tmpfs -o size=1m none '${directory}'
      '${NODE}' '${APPEND}' '${directory}/state' 600 8000 on
      echo again
      dd if=/dev/zero of='${directory}/filler' bs=4k 2>/dev/null || true
      '${NODE}' '${APPEND}' '${directory}/state' 1 8000 on
      rm '${directory}/filler'
      mount -o remount,size=8m '${directory}'
      echo room
      '${NODE}' '${APPEND}' '${directory}/state' 2 10 on`
    const { stdout, stderr } = inNamespace(script)
    const [full = [], again = [], room = []] = splitAt(lines(stdout), ['again', 'room'])
    const acknowledged = full.filter((line) => line.startsWith('ok'))
    const failed = full.filter((line) => !line.startsWith('ok') && line !== 'open')
    expect([acknowledged.length > 10, failed.length > 10, stderr]).toEqual([true, true, ''])
    expect([...new Set(failed)]).toEqual(['failed infra.audit_unavailable disk_full'])
    expect(again.filter((line) => line.startsWith('failed infra.audit_unavailable'))).toHaveLength(1)
    expect(room).toEqual(['open', `ok ${acknowledged.length + 1} 1`, `ok ${acknowledged.length + 2} 2`])
  })

  proves(['T32', 'P5'], 'at a file size limit appends fail with a code, and what was acknowledged is there', async () => {
    const directory = temporaryDirectory()
    // Blocks of 512 or 1024 bytes: one megabyte at most.
    const child = start('sh', ['-c', `ulimit -f 1024; exec '${NODE}' '${APPEND}' '${directory}' 400 8000 on`])
    const { lines: printed, code } = await child.ended
    const acknowledged = printed.filter((line) => line.startsWith('ok'))
    const failed = printed.filter((line) => line.startsWith('failed'))
    expect([code, acknowledged.length > 10, failed.length > 10]).toEqual([0, true, true])
    expect(failed.every((line) => /^failed infra\.audit_unavailable (disk_full|io)$/.test(line))).toBe(true)
    expect(auditVerify({ directory })).toMatchObject({ ok: true, total: acknowledged.length })
    expect(await tryAppend(directory)).toBeNull()
    expect(auditVerify({ directory })).toMatchObject({ ok: true, total: acknowledged.length + 1 })
  })
})

describe('failing disks', () => {
  const CAN_TRACE = spawnSync('strace', ['-e', 'trace=none', 'true']).status === 0

  test.skipIf(!CAN_TRACE)('a sync that fails is a failure with a code, and nothing acknowledged is lost (strace)', async () => {
    const directory = temporaryDirectory()
    const inject = 'inject=fdatasync,fsync:error=EIO:when=40..60'
    // One thread that syncs, as calls are counted for each.
    const child = start('env', [
      'UV_THREADPOOL_SIZE=1',
      'strace',
      '-f',
      '-qq',
      '-o',
      '/dev/null',
      '-e',
      'trace=fdatasync,fsync',
      '-e',
      inject,
      NODE,
      APPEND,
      directory,
      '80',
      '10',
      'on',
    ])
    const { lines: printed } = await child.ended
    const failed = printed.filter((line) => line.startsWith('failed'))
    expect(failed.length).toBeGreaterThan(5)
    expect([...new Set(failed)]).toEqual(['failed infra.audit_unavailable io'])
    expect(printed.filter((line) => line.startsWith('ok')).length + failed.length).toBe(80)
    const report = auditVerify({ directory })
    expect(report.ok).toBe(true)
    const last = Math.max(...printed.flatMap((line) => (line.startsWith('ok') ? Number(line.split(' ')[1]) : [])))
    expect(report.total).toBeGreaterThanOrEqual(last)
  })

  test.skipIf(!CAN_TRACE)('nobody is told of a record before the journal that holds it is on the disk (strace)', async () => {
    const directory = temporaryDirectory()
    const trace = join(temporaryDirectory(), 'trace')
    const child = start('strace', [
      '-f',
      '-qq',
      '-y',
      '-o',
      trace,
      '-e',
      'trace=pwrite64,fdatasync,write',
      NODE,
      APPEND,
      directory,
      '40',
      '10',
    ])
    expect((await child.ended).lines.filter((line) => line.startsWith('ok'))).toHaveLength(40)
    expect(toldTooEarly(readFileSync(trace, 'utf8'))).toEqual({ told: 40, early: [] })
  })

  test('the check of the trace sees a record that is told of too early', () => {
    const told = '7 write(1</dev/pipe>, "ok 1 1\\n", 7) = 7'
    const written = '7 pwrite64(20</s/countersign.db-wal>, "x", 24, 0) = 24'
    const begun = '8 fdatasync(21</s/countersign.db-wal> <unfinished ...>'
    const ended = '8 <... fdatasync resumed>) = 0'
    const failed = '8 <... fdatasync resumed>) = -1 EIO (Input/output error)'
    const early = (...trace: string[]) => toldTooEarly(trace.join('\n')).early.length
    expect(early(written, begun, ended, told)).toBe(0)
    expect(early(written, told, begun, ended)).toBe(1)
    expect(early(written, begun, told, ended)).toBe(1)
    expect(early(begun, written, ended, told)).toBe(1)
    expect(early(written, begun, failed, told)).toBe(1)
  })
})

/** Lines of a trace in which a record was told of while something of the journal was written that no sync had covered. */
function toldTooEarly(trace: string): { readonly told: number; readonly early: readonly string[] } {
  const syncing = new Map<string, number>()
  const early: string[] = []
  let written = 0
  let synced = 0
  let told = 0
  for (const line of lines(trace)) {
    const thread = line.split(' ')[0] ?? ''
    if (/pwrite64\(\d+<[^>]*-wal>/.test(line)) written += 1
    if (/fdatasync\(\d+<[^>]*-wal>/.test(line)) syncing.set(thread, written)
    if (/fdatasync.*\) += 0$/.test(line)) synced = Math.max(synced, syncing.get(thread) ?? 0)
    if (/write\(1.*"ok /.test(line)) {
      told += 1
      if (synced < written) early.push(line)
    }
  }
  return { told, early }
}

function splitAt(all: readonly string[], marks: readonly string[]): string[][] {
  const parts: string[][] = [[]]
  for (const line of all) {
    if (marks.includes(line)) parts.push([])
    else parts.at(-1)?.push(line)
  }
  return parts
}

describe('no writing', () => {
  test.skipIf(!CAN_MOUNT)('a read-only file system is refused with a code', async () => {
    const directory = await makeStore(3)
    const { stdout } = inNamespace(`
      mount --bind '${directory}' '${directory}'
      mount -o remount,bind,ro '${directory}'
      '${NODE}' '${APPEND}' '${directory}' 1
      '${NODE}' '${APPEND}' '${directory}/below' 1`)
    const printed = lines(stdout)
    expect(printed).toHaveLength(2)
    expect(printed[0]).toBe('failed infra.audit_unavailable read_only')
    expect(printed[1]).toMatch(/^failed infra\.audit_unavailable (read_only|missing)$/)
    expect(auditVerify({ directory })).toMatchObject({ ok: true, total: 3 })
  })

  proves('T32', 'a connection that SQLite made read-only fails with a code', async () => {
    const store = openStore({ directory: temporaryDirectory() })
    await store.append(input(1))
    store.query((tx) => tx.get('PRAGMA query_only = ON'))
    await expect(store.append(input(2))).rejects.toMatchObject({ code: 'infra.audit_unavailable', fault: 'read_only' })
    store.query((tx) => tx.get('PRAGMA query_only = OFF'))
    expect(await store.append(input(3))).toMatchObject({ sequence: 2 })
    store.close()
  })
})

describe('locks', () => {
  proves('T34', 'a lock held for too long is a failure with a code; afterwards appends go on', async () => {
    const directory = await makeStore(2)
    const store = openStore({ directory, busyMilliseconds: 50 })
    const holder = openDatabase(databasePath(directory))
    holder?.exec('BEGIN IMMEDIATE')
    const waiting = await Promise.allSettled([store.append(input(3)), store.append(input(4))])
    expect(waiting.map((result) => result.status === 'rejected' && result.reason)).toMatchObject([
      { code: 'infra.audit_unavailable', fault: 'locked' },
      { code: 'infra.audit_unavailable', fault: 'locked' },
    ])
    holder?.exec('ROLLBACK')
    holder?.close()
    expect(await store.append(input(5))).toMatchObject({ sequence: 3 })
    store.close()
    expect(auditVerify({ directory })).toMatchObject({ ok: true, total: 3 })
  })

  proves(
    ['T34', 'T23'],
    'a lock that another process holds stops no one else: timers and reads go on, and appends once it is free',
    async () => {
      const directory = await makeStore(2)
      const store = openStore({ directory })
      const holder = openDatabase(databasePath(directory))
      holder?.exec('BEGIN IMMEDIATE')
      const order: string[] = []
      const appended = [3, 4].map((number) => store.append(input(number)).then(({ sequence }) => order.push(`record ${sequence}`)))
      for (let turn = 0; turn < 20; turn += 1) {
        await new Promise((resolve) => setTimeout(resolve, 1))
        order.push(`read ${store.head().size}`)
      }
      holder?.exec('ROLLBACK')
      holder?.close()
      await Promise.all(appended)
      expect(order).toEqual([...Array.from({ length: 20 }, () => 'read 2'), 'record 3', 'record 4'])
      store.close()
      expect(auditVerify({ directory })).toMatchObject({ ok: true, total: 4 })
    },
  )

  proves('T34', 'the death of a process that holds the lock frees it', async () => {
    const directory = await makeStore(1)
    const child = start(NODE, [APPEND, directory, '0', '10'])
    await new Promise((resolve) => child.process.stdout?.once('data', resolve))
    child.process.kill('SIGKILL')
    await child.ended
    expect(await tryAppend(directory)).toBeNull()
    expect(auditVerify({ directory }).ok).toBe(true)
  })

  // The system drops every lock of a process on a file when it closes any descriptor of that file.
  proves(['T34', 'T33'], 'a store that is opened twice in a process keeps its locks, while other processes come and go', async () => {
    const directory = await makeStore(1)
    const first = openStore({ directory })
    await first.append(input(2))
    for (let sequence = 3; sequence <= 9; sequence += 3) {
      openStore({ directory }).close()
      // The last to close the file copies the journal into it and removes the journal: nobody else may believe to be the last.
      const other = spawnSync(NODE, [APPEND, directory, '2'], { encoding: 'utf8' })
      expect(lines(other.stdout)).toEqual(['open', `ok ${sequence} 1`, `ok ${sequence + 1} 2`])
      expect(await first.append(input(1))).toMatchObject({ sequence: sequence + 2 })
    }
    first.close()
    expect(auditVerify({ directory })).toMatchObject({ ok: true, total: 11 })
  })
})

proves(
  ['T34', 'SIG-45', 'SIG-W9'],
  'six processes that append 300 records each, starting on nothing, make one chain of 1,800',
  async () => {
    const directory = temporaryDirectory()
    const children = Array.from({ length: 6 }, () => start(NODE, [APPEND, join(directory, 'state'), '300', '50']))
    const ends = await Promise.all(children.map(({ ended }) => ended))
    const printed = ends.flatMap(({ lines: all }) => all)
    expect(printed.filter((line) => !line.startsWith('ok') && line !== 'open')).toEqual([])
    const sequences = printed.flatMap((line) => (line.startsWith('ok') ? Number(line.split(' ')[1]) : []))
    expect(sequences.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 1_800 }, (_, index) => index + 1))
    expect(auditVerify({ directory: join(directory, 'state') })).toMatchObject({ ok: true, total: 1_800, breaks: [] })
  },
  180_000,
)

/** A hook of its own for each: it may be killed at any moment, once it has answered (before it closes the store), or not at all. */
proves(['P5', 'T33'], 'hooks that come one after the other and are killed: each reads what was acknowledged to those before', async () => {
  const directory = temporaryDirectory()
  let acknowledged = 0
  for (let round = 0; round < 18; round += 1) {
    const hook = start(NODE, [APPEND, directory, '1', String(10 + 3_000 * (round % 4))])
    if (round % 3 === 0) await new Promise((resolve) => setTimeout(resolve, 60 + 12 * round))
    if (round % 3 === 1) await new Promise<void>((resolve) => hook.process.stdout?.on('data', (text) => /ok/.test(text) && resolve()))
    if (round % 3 < 2) hook.process.kill('SIGKILL')
    const { lines: printed } = await hook.ended
    const told = printed.filter((line) => line.startsWith('ok')).map((line) => Number(line.split(' ')[1]))
    for (const sequence of told) expect(sequence).toBeGreaterThan(acknowledged)
    acknowledged = Math.max(acknowledged, ...told)
    if (round % 3 > 0) expect(told).toHaveLength(1)
    if (acknowledged > 0) expect(auditVerify({ directory })).toMatchObject({ ok: true, breaks: [] })
    expect(acknowledged === 0 || auditVerify({ directory }).total >= acknowledged).toBe(true)
  }
  expect(acknowledged).toBeGreaterThanOrEqual(12)
})

proves(
  ['P5', 'T33'],
  'killed at any moment while it appends, a store keeps everything it acknowledged and stays whole',
  async () => {
    const directory = temporaryDirectory()
    let acknowledged = 0
    for (let round = 0; round < 15; round += 1) {
      const children = [0, 1].map(() => start(NODE, [APPEND, directory, '0', String(10 + 3_000 * (round % 3))]))
      // Two writers, so that a lock is often held. The first rounds may end while the store is being made.
      if (round >= 4) await Promise.all(children.map((child) => new Promise((resolve) => child.process.stdout?.once('data', resolve))))
      await new Promise((resolve) => setTimeout(resolve, round < 4 ? 60 + 40 * round : round * 9))
      for (const child of children) child.process.kill('SIGKILL')
      for (const { lines: printed, errors } of await Promise.all(children.map(({ ended }) => ended))) {
        expect(printed.filter((line) => !line.startsWith('ok') && line !== 'open')).toEqual([])
        expect(errors).toBe('')
        for (const line of printed) if (line.startsWith('ok')) acknowledged = Math.max(acknowledged, Number(line.split(' ')[1]))
      }
      expect(await tryAppend(directory)).toBeNull()
      const report = auditVerify({ directory })
      expect(report).toMatchObject({ ok: true, breaks: [] })
      expect(report.total).toBeGreaterThan(acknowledged)
    }
    expect(acknowledged).toBeGreaterThan(0)
  },
  180_000,
)

describe('damage', () => {
  interface Outcome {
    readonly noticed: boolean
    readonly records: readonly string[]
  }

  /** Uses a damaged store as a gate would, then verifies it. Whatever is not noticed must not have changed. */
  async function use(directory: string): Promise<Outcome> {
    const error = await tryAppend(directory)
    if (error !== null) return { noticed: true, records: [] }
    const report = auditVerify({ directory })
    if (!report.ok) return { noticed: true, records: [] }
    const store = openStore({ directory })
    const records = [...store.read({})].map(({ hash }) => hash)
    store.close()
    return { noticed: false, records }
  }

  async function expectNoticedOrSame(directory: string, original: readonly string[], what: string): Promise<boolean> {
    const { noticed, records } = await use(directory)
    if (!noticed) expect([what, records.slice(0, original.length)]).toEqual([what, original])
    return noticed
  }

  function hashes(directory: string): string[] {
    const store = openStore({ directory })
    const all = [...store.read({})].map(({ hash }) => hash)
    store.close()
    return all
  }

  /** The journal still holds the records: what a crash or a copy of a running store leaves. */
  async function withJournal(): Promise<{ directory: string; original: string[] }> {
    const source = temporaryDirectory()
    const store = openStore({ directory: source })
    for (let number = 1; number <= 8; number += 1) await store.append(input(number))
    const directory = copied(source)
    const original = [...store.read({})].map(({ hash }) => hash)
    store.close()
    return { directory, original }
  }

  async function withoutJournal(): Promise<{ directory: string; original: string[] }> {
    const directory = copied(await makeStore(8))
    const original = hashes(directory)
    for (const suffix of ['-wal', '-shm']) rmSync(`${databasePath(directory)}${suffix}`, { force: true })
    return { directory, original }
  }

  const FILES: readonly [string, () => Promise<{ directory: string; original: string[] }>, (directory: string) => string][] = [
    ['the file', withoutJournal, databasePath],
    ['the journal', withJournal, (directory) => `${databasePath(directory)}-wal`],
    ['the anchor', withoutJournal, anchorPath],
    ['the key', withoutJournal, (directory) => join(directory, 'keys', 'audit.key')],
    ['the counter', withoutJournal, counterPath],
  ]

  describe.each(FILES)('%s', (name, make, pathOf) => {
    proves(['T33', 'P12'], 'bytes flipped all over: noticed or unchanged', async () => {
      const { directory, original } = await make()
      const size = statSync(pathOf(directory)).size
      const step = Math.max(1, Math.floor(size / 60))
      let noticed = 0
      for (let offset = 0; offset < size; offset += step) {
        const damaged = copied(directory)
        const bytes = readFileSync(pathOf(damaged))
        bytes[offset] = (bytes[offset] ?? 0) ^ 0xff
        writeFileSync(pathOf(damaged), bytes)
        if (await expectNoticedOrSame(damaged, original, `${name} flipped at ${offset}`)) noticed += 1
      }
      expect(noticed).toBeGreaterThan(0)
    })

    proves('T33', 'cut at many offsets: noticed or unchanged', async () => {
      const { directory, original } = await make()
      const size = statSync(pathOf(directory)).size
      const step = Math.max(1, Math.floor(size / 40))
      let noticed = 0
      for (let length = 0; length < size; length += step) {
        const damaged = copied(directory)
        writeFileSync(pathOf(damaged), readFileSync(pathOf(damaged)).subarray(0, length))
        if (await expectNoticedOrSame(damaged, original, `${name} cut to ${length}`)) noticed += 1
      }
      expect(noticed).toBeGreaterThan(0)
    })
  })

  test('each file of a store is in the list of files to damage', async () => {
    const { directory } = await withJournal()
    expect(readdirSync(directory).toSorted()).toEqual([
      'countersign.anchor',
      'countersign.db',
      'countersign.db-shm',
      'countersign.db-wal',
      'keys',
    ])
    expect(readdirSync(join(directory, 'keys')).toSorted()).toEqual(['audit.counter', 'audit.key'])
  })
})
