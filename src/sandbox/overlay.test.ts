import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  ATTRIBUTES,
  compareProgram,
  discard,
  plant,
  plantAttributes,
  plantLinks,
  SET_ATTRIBUTE,
} from '../../test/support/random-programs.ts'
import { LIMITS } from '../../test/support/trial-limits.ts'
import { trials, triedOut } from '../../test/support/trials.ts'
import type { Entry } from './changes.ts'
import { createTrials, type Tried } from './overlay.ts'
import { NoSandbox } from './sandbox.ts'
import type { Trial } from './stage.ts'

let root: string
let work: string
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-trial-')))
  work = join(root, 'work, a:b')
  mkdirSync(work)
  plant(work)
})
afterAll(() => discard(root))

const identity = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }

function trial(limits: Partial<typeof LIMITS> = {}): Trial {
  return {
    places: [work],
    reads: [],
    cell: { hidden: [], programs: [], cwd: work, environment: {}, identity, limits: { ...LIMITS, ...limits } },
  }
}

const sh = (script: string, limits?: Partial<typeof LIMITS>): Promise<Tried> => trials.run(['/bin/bash', '-c', script], trial(limits))
const told = ({ changes }: Tried): readonly string[] => changes.map(({ change, path }) => `${change} ${path.slice(work.length + 1)}`)

describe('what a program changed', () => {
  const CASES: readonly (readonly [title: string, script: string, expected: readonly string[]])[] = [
    ['nothing', 'cat a >/dev/null; ls -R >/dev/null', []],
    ['the same content again', 'cp a x && cp x a && rm x', []],
    ['a file', 'echo 1 > new.txt', ['created new.txt']],
    ['a file that was there', 'echo 1 >> a', ['changed a']],
    ['permissions alone', 'chmod 600 b', ['changed b']],
    ['a directory deleted', 'rm -r dir/in', ['deleted dir/in', 'deleted dir/in/a', 'deleted dir/in/b']],
    [
      'a directory deleted and made again (opaque)',
      'rm -r dir/in; mkdir dir/in; echo 1 > dir/in/z',
      ['deleted dir/in/a', 'deleted dir/in/b', 'created dir/in/z'],
    ],
    [
      'a directory renamed',
      'mv dir/in dir/out',
      ['deleted dir/in', 'deleted dir/in/a', 'deleted dir/in/b', 'created dir/out', 'created dir/out/a', 'created dir/out/b'],
    ],
    ['a file in place of a directory', 'rm -r dir/in; echo 1 > dir/in', ['changed dir/in', 'deleted dir/in/a', 'deleted dir/in/b']],
    ['a link in place of a file', 'ln -sf b a', ['changed a']],
    ['a hard link', 'ln a z', ['created z']],
    ['a named pipe', 'mkfifo z', ['created z']],
    ['a name with a newline', "touch $'x\\ny'", ['created x\ny']],
  ]
  triedOut('is told name by name, and the directory itself stays as it is', async () => {
    for (const [title, script, expected] of CASES) expect([title, told(await sh(script))]).toEqual([title, expected.toSorted(byPath)])
    expect(readFileSync(join(work, 'a'), 'utf8')).toBe('text 0\n')
  })

  triedOut('is what a run on a copy leaves: random programs', async () => {
    for (let seed = 1; seed <= 30; seed++) expect([seed, await compareProgram(seed, root, trials)]).toEqual([seed, []])
  })

  triedOut('extended attributes that are set, changed or removed are told, of files, directories, and what was made or moved', async () => {
    if (!ATTRIBUTES) return
    const acts: readonly (readonly [title: string, script: string, expected: readonly string[]])[] = [
      ['set', 'attribute set b user.x 1', ['changed b: [] [user.x=31]']],
      ['set to the same', 'attribute set a user.a old', []],
      ['changed', 'attribute set a user.a new', ['changed a: [user.a=6f6c64] [user.a=6e6577]']],
      ['removed', 'attribute remove a user.a', ['changed a: [user.a=6f6c64] []']],
      ['of a directory', 'attribute set dir user.x 1', ['changed dir: [user.b=6f6c64] [user.b=6f6c64,user.x=31]']],
      ['of a new file', 'echo 1 > z; attribute set z user.x 1', ['created z: [] [user.x=31]']],
      ['of a new directory', 'mkdir z; attribute set z user.x 1', ['created z: [] [user.x=31]']],
      ['moved', 'mv a z', ['deleted a: [] []', 'created z: [] [user.a=6f6c64]']],
      ['a name of the overlay itself', 'attribute set b user.overlay.opaque y', []],
      ['content alone', 'echo more >> a', ['changed a: [user.a=6f6c64] [user.a=6f6c64]']],
    ]
    plantAttributes(work)
    const listed = (entry: Entry | null): string => `[${(entry?.attributes ?? []).join()}]`
    for (const [title, script, expected] of acts) {
      const { changes, unread } = await sh(`${SET_ATTRIBUTE}\n${script}`)
      const lines = changes.map(
        ({ path, change, before, after }) => `${change} ${path.slice(work.length + 1)}: ${listed(before)} ${listed(after)}`,
      )
      expect([title, unread, lines]).toEqual([title, false, expected])
    }
    plant(work)
  })

  triedOut('names that a file has elsewhere are counted', async () => {
    plantLinks(work)
    const { changes } = await sh('echo more >> one')
    expect(changes.map(({ path, before }) => [path.slice(work.length + 1), before?.names])).toEqual([['one', 2]])
  })

  triedOut('before and after have digests, modes and texts', async () => {
    const { changes } = await sh('printf "two\\n" > a; chmod 640 a')
    expect(changes).toEqual([
      {
        path: join(work, 'a'),
        change: 'changed',
        before: expect.objectContaining({ text: 'text 0\n', digest: expect.stringMatching(/^sha256:/) }),
        after: expect.objectContaining({ text: 'two\n', mode: 0o640 }),
      },
    ])
  })
})

function byPath(a: string, b: string): number {
  const [x = '', y = ''] = [a.split(' ').slice(1).join(' '), b.split(' ').slice(1).join(' ')]
  return x < y ? -1 : x > y ? 1 : 0
}

describe('a program is ended', () => {
  triedOut('by time, memory, processes and output, and what it did until then is told', async () => {
    const slow = await sh('echo 1 > new.txt; sleep 60', { timeMs: 500 })
    expect([slow.ended, told(slow)]).toEqual(['time', ['created new.txt']])
    // No bomb: where nothing but the look bounds it, it takes the machine of whoever runs the tests.
    expect((await sh('i=0; while [ $i -lt 300 ]; do sleep 30 & i=$((i+1)); done; sleep 30', { processes: 40 })).ended).toBe('processes')
    expect((await sh('yes', { outputBytes: 1_024 })).ended).toBe('output')
    const hungry = await sh("x=$(head -c 90000000 /dev/zero | tr '\\0' a); [ ${#x} -eq 90000000 ] && echo whole", {
      memoryBytes: 40_000_000,
    })
    expect([hungry.ended === 'memory' || hungry.status !== 0, hungry.stdout]).toEqual([true, ''])
    const full = await sh('head -c 9000000 /dev/zero > big || echo full', { spaceBytes: 4_000_000 })
    expect(full.changes.every(({ after }) => (after?.size ?? 0) <= 4_000_000)).toBe(true)
  })
})

describe('the network', () => {
  triedOut('is not there, and what was tried of it is counted', async () => {
    let reached = 0
    const server = createServer(() => reached++)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const { network } = await sh(
      `(echo x > /dev/tcp/127.0.0.1/${port}); (echo x > /dev/udp/192.0.2.1/53); (echo x > /dev/tcp/192.0.2.1/80); true`,
    )
    await new Promise((resolve) => server.close(resolve))
    expect([reached, network.unreachable >= 2, network.connections >= 1]).toEqual([0, true, true])
    expect((await sh('true')).network).toEqual({ unreachable: 0, connections: 0, datagrams: 0 })
  })
})

describe('without a sandbox', () => {
  test('nothing runs, and a way out is named', async () => {
    const empty = mkdtempSync(join(tmpdir(), 'countersign-none-'))
    const none = createTrials([empty])
    expect(await none.problem()).toMatch(/needs Linux|not installed.*Install it/)
    await expect(none.run(['/bin/sh', '-c', `touch ${empty}/ran`], trial())).rejects.toThrow(NoSandbox)
    writeFileSync(join(empty, 'bwrap'), '#!/bin/sh\nwhile [ "$1" != -- ]; do shift; done\nshift\nexec "$@"\n', { mode: 0o755 })
    expect(await createTrials([empty]).problem()).toMatch(/needs Linux|bubblewrap does not work here|prlimit/)
    rmSync(empty, { recursive: true })
  })

  triedOut('of a place that cannot be a lower layer, it is said', async () => {
    await expect(trials.run(['/bin/true'], { ...trial(), places: ['/nonexistent/place'] })).rejects.toThrow(/overlay cannot be mounted/)
  })
})
