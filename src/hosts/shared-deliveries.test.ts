/** Hooks without a daemon: each set of deliveries stands for a process of its own, over one directory. */
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { proves } from '../../test/proves.ts'
import { temporaryDirectory } from '../../test/support/records.ts'
import { type Answered, createDeliveries } from './deliveries.ts'
import { createSharedDeliveries, type SharedOptions } from './shared-deliveries.ts'

const KEY = 'a'.repeat(64)
const EVENT = 'e'.repeat(64)

/** A machine with hooks: what each of them said, and how often somebody decided. */
function machine(more: Partial<SharedOptions> = {}) {
  const directory = join(temporaryDirectory(), 'run', 'deliveries')
  let decided = 0
  const options: SharedOptions = { directory, key: () => KEY, waitMs: 5_000, recorded: () => true, ...more }
  const process = (other: Partial<SharedOptions> = {}) => createSharedDeliveries({ ...options, ...other })
  const decide = async (holds = true): Promise<Answered> => {
    decided += 1
    const mine = decided
    await new Promise((resolve) => setTimeout(resolve, 5))
    return { answer: { number: mine }, holds, record: `r${mine}` }
  }
  const said = (hook: string, event = EVENT, other: Partial<SharedOptions> = {}) =>
    process(other)
      .once({ event, hook }, () => decide())
      .then(({ number }) => number)
  const files = (end: string): readonly string[] => readdirSync(directory).filter((name) => name.endsWith(end))
  return { directory, process, decide, said, files, decided: () => decided }
}

/** The only file with this end, to be written over. */
function only({ directory, files }: ReturnType<typeof machine>, end: string): string {
  const [name, ...others] = files(end)
  expect(others).toEqual([])
  return join(directory, name ?? '')
}

function endedPid(): number {
  return spawnSync('/bin/true').pid
}

describe('one event through several hooks', () => {
  proves('T20', 'at the same time is decided once, fifty times over, and another event never with it', async () => {
    const { said, decided } = machine()
    for (let round = 0; round < 50; round++) {
      const [a, b, other, c] = await Promise.all([
        said('a', `e${round}`),
        said('b', `e${round}`),
        said('b', `other${round}`),
        said('c', `e${round}`),
      ])
      expect([b, c]).toEqual([a, a])
      expect(other).not.toBe(a)
      expect(decided()).toBe(2 * (round + 1))
    }
  })

  proves('T20', 'one after the other is decided once, and each hook hears an answer once', async () => {
    const { said } = machine()
    expect([await said('a'), await said('b'), await said('a'), await said('b'), await said('b')]).toEqual([1, 1, 2, 2, 3])
  })

  proves('T20', 'an answer to a hook of a process is heard by the daemon that comes after it, once', async () => {
    const { said, process } = machine()
    const daemon = createDeliveries({ elsewhere: process() })
    const asked = (hook: string) =>
      daemon.once({ event: EVENT, hook }, async () => ({ answer: { number: 'daemon' }, holds: true, record: null }))
    await said('a')
    expect([await asked('b'), await asked('b'), await asked('a')]).toEqual([{ number: 1 }, { number: 'daemon' }, { number: 'daemon' }])
  })
})

describe('what is no answer is decided anew', () => {
  type Machine = ReturnType<typeof machine>
  interface Spoilt {
    readonly what: string
    readonly spoil: (machine: Machine) => void
    readonly other?: Partial<SharedOptions>
  }
  const half = (path: string): Buffer => readFileSync(path).subarray(0, 40)
  const cases: readonly Spoilt[] = [
    { what: 'half of one', spoil: (each) => writeFileSync(only(each, '.answer'), half(only(each, '.answer'))) },
    { what: 'nothing', spoil: (each) => writeFileSync(only(each, '.answer'), '') },
    {
      what: 'plain text',
      spoil: (each) => writeFileSync(only(each, '.answer'), JSON.stringify({ answer: {}, record: null, steady: 0, wall: Date.now() })),
    },
    { what: 'one under another key', spoil: () => {}, other: { key: () => 'b'.repeat(64) } },
    { what: 'one without a record', spoil: () => {}, other: { recorded: () => false } },
    { what: 'a claim that is cut off', spoil: (each) => writeFileSync(only(each, '.claim'), half(only(each, '.claim'))) },
    { what: 'a claim of long ago', spoil: (each) => aged(only(each, '.claim'), 61_000) },
    { what: 'a claim of tomorrow', spoil: (each) => aged(only(each, '.claim'), -86_400_000) },
    { what: 'a key that cannot be read', spoil: () => {}, other: { key: () => JSON.parse('') as string } },
  ]
  function aged(path: string, ms: number): void {
    const claim = JSON.parse(readFileSync(path, 'utf8')) as { steady: number; wall: number }
    writeFileSync(path, JSON.stringify({ ...claim, wall: claim.wall - ms }))
  }
  for (const { what, spoil, other = {} } of cases)
    proves(['T20', 'P4'], what, async () => {
      const each = machine()
      await each.said('a')
      spoil(each)
      expect(await each.said('b', EVENT, other)).toBe(2)
    })

  proves(['T20', 'P4'], 'an answer of another event, or of an earlier call, in its place', async () => {
    const each = machine()
    await each.said('a')
    const earlier = readFileSync(only(each, '.answer'))
    await each.said('a')
    writeFileSync(join(each.directory, each.files('.2.answer')[0] ?? ''), earlier)
    expect(await each.said('b')).toBe(3)
    await each.said('a', 'other')
    const [mine = ''] = each.files('.1.answer').filter((name) => !readFileSync(join(each.directory, name)).equals(earlier))
    writeFileSync(join(each.directory, mine), earlier)
    expect(await each.said('b', 'other')).toBe(5)
  })

  proves(['T20', 'P4'], 'one that does not hold, and one that failed: whoever waits does not wait longer', async () => {
    const { process, decide, said, decided } = machine({ waitMs: 60_000 })
    const unrecorded = process().once({ event: EVENT, hook: 'a' }, () => decide(false))
    expect(await Promise.all([unrecorded, said('b')])).toEqual([{ number: 1 }, 2])
    const failing = process().once({ event: 'f', hook: 'a' }, async () => Promise.reject(new Error('gone')))
    expect(await Promise.allSettled([failing, said('b', 'f')])).toMatchObject([{ status: 'rejected' }, { value: 3 }])
    expect(decided()).toBe(3)
  })

  proves(['T20', 'P4'], 'one that died is not waited for, and one that takes too long only for as long as there is time', async () => {
    for (const [pid, waitMs] of [
      [endedPid(), 600_000],
      [process.pid, 40],
    ] as const) {
      const each = machine({ waitMs })
      await each.said('a')
      const [claim, answer] = [only(each, '.claim'), only(each, '.answer')]
      writeFileSync(claim, JSON.stringify({ ...JSON.parse(readFileSync(claim, 'utf8')), pid }))
      // As it was before it answered.
      writeFileSync(`${answer}.gone`, '')
      spawnSync('/bin/rm', [answer])
      expect(await each.said('b')).toBe(2)
      expect(await each.said('c')).toBe(2)
    }
  })
})

test('nothing of the event or of the answer can be read from the files, and they are the user’s own', async () => {
  const { process, directory } = machine()
  const secret = 'sk-live-0123456789'
  const answer = { reason: secret }
  await process().once({ event: secret, hook: secret }, async () => ({ answer, holds: true, record: null }))
  const names = readdirSync(directory)
  expect(names.map((name) => name.split('.').at(-1)).sort()).toEqual(['answer', 'claim'])
  for (const name of names) {
    expect(name + readFileSync(join(directory, name), 'latin1')).not.toContain('sk-live')
    expect(statSync(join(directory, name)).mode & 0o077).toBe(0)
  }
  expect(statSync(directory).mode & 0o077).toBe(0)
})

test('files of long ago are taken away, and those of others stay', async () => {
  const { said, directory } = machine()
  mkdirSync(directory, { recursive: true })
  const old = new Date(Date.now() - 120_000)
  for (let at = 0; at < 40; at++) {
    writeFileSync(join(directory, `old${at}.1.claim`), '')
    utimesSync(join(directory, `old${at}.1.claim`), old, old)
  }
  writeFileSync(join(directory, 'young.1.claim'), '')
  await said('a')
  const left = readdirSync(directory)
  expect(left.filter((name) => name.startsWith('old'))).toEqual([])
  expect(left).toContain('young.1.claim')
})

proves('T20', 'a directory that cannot be one shares nothing', async () => {
  const file = join(temporaryDirectory(), 'file')
  writeFileSync(file, '')
  const { said } = machine({ directory: join(file, 'below') })
  expect([await said('a'), await said('b')]).toEqual([1, 2])
})

test('a directory that nobody may write to makes no decision fail', async () => {
  const { said, directory } = machine()
  mkdirSync(directory, { recursive: true })
  chmodSync(directory, 0o500)
  expect([await said('a'), await said('b')].every((number) => typeof number === 'number')).toBe(true)
  chmodSync(directory, 0o700)
})
