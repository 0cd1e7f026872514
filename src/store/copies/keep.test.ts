import { cpSync, existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { eventually } from '../../../test/support/eventually.ts'
import { headServer } from '../../../test/support/head-server.ts'
import { input, temporaryDirectory } from '../../../test/support/records.ts'
import { parseMark } from '../chain.ts'
import { openStore } from '../sqlite/open.ts'
import { type KeepOptions, keepCopies } from './keep.ts'
import type { CopySpec } from './places.ts'

const copy = (to: string, more: Partial<CopySpec> = {}): CopySpec => ({ to, required: false, tokenEnv: null, ...more })

/** A store with copies that are written to at once, closed with the test. */
function kept(directory: string, specs: readonly CopySpec[], more: Partial<KeepOptions> = {}) {
  const copies = keepCopies(openStore({ directory }), { directory, copies: () => specs, intervalMs: 1, deadlineMs: 500, ...more })
  onTestFinished(() => copies.store.close())
  return copies
}

async function append(directory: string, count: number): Promise<void> {
  const store = openStore({ directory })
  for (let number = 1; number <= count; number += 1) await store.append(input(number))
  store.close()
}

const sizeIn = (text: string | null): number | null => (text === null ? null : (parseMark(text)?.size ?? null))
const sizeOf = (path: string): number | null => (existsSync(path) ? sizeIn(readFileSync(path, 'utf8')) : null)
const outcome = (act: Promise<unknown>): Promise<string> =>
  act.then(
    () => 'recorded',
    (error: { code: string; message: string }) => `${error.code}: ${error.message}`,
  )

interface Place {
  readonly spec: CopySpec
  readonly size: () => number | null
}

const PLACES: readonly [string, () => Promise<Place>][] = [
  [
    'a file',
    async () => {
      const path = join(temporaryDirectory(), 'gate.head')
      return { spec: copy(path), size: () => sizeOf(path) }
    },
  ],
  [
    'an address',
    async () => {
      const server = await headServer()
      return { spec: copy(server.url), size: () => sizeIn(server.text) }
    },
  ],
]

for (const [title, place] of PLACES) {
  describe(`a copy in ${title}`, () => {
    test('follows the log, and holds it when the whole state directory is put back', async () => {
      const { spec, size } = await place()
      const [directory, older] = [temporaryDirectory(), temporaryDirectory()]
      await append(directory, 3)
      cpSync(directory, older, { recursive: true })
      const first = kept(directory, [spec])
      await first.store.append(input(4))
      await first.store.append(input(5))
      await eventually(() => expect(size()).toBe(5))
      first.store.close()
      rmSync(directory, { recursive: true })
      cpSync(older, directory, { recursive: true })
      const second = kept(directory, [spec])
      const went = /^infra\.store_corrupt: the log went back from 5 records \(at .*\) to 3: 2 records are missing, as the copy .* tells/
      expect(await outcome(second.store.append(input(6)))).toMatch(went)
      second.store.close()
      // Longer again by a process that knows of no copy: then it is another log.
      await append(directory, 4)
      const third = kept(directory, [spec])
      expect(await outcome(third.store.append(input(6)))).toMatch(/^infra\.store_corrupt: record 5 is not the one of the copy/)
      expect(size()).toBe(5)
    })

    test('is of another log where another key signed it', async () => {
      const { spec, size } = await place()
      const first = kept(temporaryDirectory(), [spec])
      await first.store.append(input(1))
      await eventually(() => expect(size()).toBe(1))
      const other = kept(temporaryDirectory(), [spec])
      expect(await outcome(other.store.append(input(1)))).toMatch(/^infra\.store_corrupt: the copy .* is of another log: .* unknown key/)
      expect(size()).toBe(1)
    })

    test('knows the last record of a process that closes at once', async () => {
      const { spec, size } = await place()
      const { store } = kept(temporaryDirectory(), [spec], { intervalMs: 60_000 })
      await store.append(input(1))
      store.close()
      await eventually(() => expect(size()).toBe(1))
    })
  })
}

describe('a copy that tells nothing', () => {
  const silent: readonly [string, () => Promise<string>, RegExp][] = [
    ['a disk that is not there', async () => join(temporaryDirectory(), 'no', 'gate.head'), /cannot be reached \(ENOENT\)/],
    [
      'a link',
      async () => {
        const directory = temporaryDirectory()
        symlinkSync(join(directory, 'else'), join(directory, 'gate.head'))
        return join(directory, 'gate.head')
      },
      /cannot be reached \(ELOOP\)/,
    ],
    ['a directory', async () => temporaryDirectory(), /no regular file/],
    ['a server that is down', async () => 'http://127.0.0.1:1/s3cret-name', /http:\/\/127\.0\.0\.1:1 tells nothing: it cannot be reached/],
    ...(
      [
        ['hangs', /no answer in time/],
        ['redirects', /answers with a redirect/],
        ['breaks', /it answers 500/],
      ] as const
    ).map(([fails, expected]): [string, () => Promise<string>, RegExp] => [
      `a server that ${fails}`,
      async () => {
        const server = await headServer()
        server.fails = fails
        return server.url
      },
      expected,
    ]),
  ]
  for (const [title, place, expected] of silent) {
    test(`${title}: it is said, without the address, and the log goes on`, async () => {
      const { store, ready, problem } = kept(temporaryDirectory(), [copy(await place())])
      expect(await outcome(store.append(input(1)))).toBe('recorded')
      await ready()
      expect(problem()).toMatch(expected)
      expect(problem()).not.toContain('s3cret')
    })
  }

  test('stops everything where it is required, until it is back', async () => {
    const server = await headServer()
    server.fails = 'breaks'
    const { store } = kept(temporaryDirectory(), [copy(server.url, { required: true })])
    const refused = await outcome(store.append(input(1)))
    expect(refused).toMatch(/^infra\.audit_unavailable: the copy .* it answers 500, and it is required: make it reachable/)
    server.fails = 'no'
    await eventually(async () => expect(await outcome(store.append(input(1)))).toBe('recorded'))
  })

  test('a file of somebody else is never written over', async () => {
    const path = join(temporaryDirectory(), 'notes.txt')
    writeFileSync(path, 'my notes')
    const { store, problem } = kept(temporaryDirectory(), [copy(path)])
    await store.append(input(1))
    store.close()
    expect(problem()).toContain('something else than a head')
    expect(readFileSync(path, 'utf8')).toBe('my notes')
  })

  test('one that is out of reach at first is held against the log before anything is written over it', async () => {
    const server = await headServer()
    const [directory, older] = [temporaryDirectory(), temporaryDirectory()]
    await append(directory, 1)
    cpSync(directory, older, { recursive: true })
    const first = kept(directory, [copy(server.url)])
    await first.store.append(input(2))
    await eventually(() => expect(sizeIn(server.text)).toBe(2))
    first.store.close()
    rmSync(directory, { recursive: true })
    cpSync(older, directory, { recursive: true })
    server.fails = 'breaks'
    const second = kept(directory, [copy(server.url)])
    expect(await outcome(second.store.append(input(9)))).toBe('recorded')
    server.fails = 'no'
    await eventually(async () => expect(await outcome(second.store.append(input(9)))).toMatch(/^infra\.store_corrupt/))
    expect(sizeIn(server.text)).toBe(2)
  })
})

test('a token is sent, and its absence is said', async () => {
  const server = await headServer()
  const spec = copy(server.url, { tokenEnv: 'HEADS_TOKEN' })
  const { store } = kept(temporaryDirectory(), [spec], { env: () => 't0ken' })
  await store.append(input(1))
  await eventually(() => expect(server.asked).toContain('PUT Bearer t0ken'))
  const without = kept(temporaryDirectory(), [spec], { env: () => undefined })
  await without.ready()
  expect(without.problem()).toContain('its token is not in `HEADS_TOKEN`')
})

test('a file is written aside and named: nothing is left beside it', async () => {
  const directory = temporaryDirectory()
  const { store } = kept(temporaryDirectory(), [copy(join(directory, 'gate.head'))])
  await store.append(input(1))
  await eventually(() => expect(readdirSync(directory)).toEqual(['gate.head']))
})
