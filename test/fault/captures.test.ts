/** Sudden death while files are kept: every capture that is there is whole, and all that were acknowledged are there. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type CaptureStore, captureIn, openCaptures } from '../../src/undo/captures.ts'
import { restore } from '../../src/undo/files/restore.ts'
import { bundled, start } from '../support/program.ts'
import { temporaryDirectory } from '../support/records.ts'

const CAPTURE = bundled(new URL('./programs/capture.ts', import.meta.url))
const DEATHS = 8
const FILES = 40

function planted(): { readonly home: string; readonly tree: string } {
  const tree = join(realpathSync(temporaryDirectory()), 'tree')
  mkdirSync(tree)
  for (let index = 0; index < FILES; index++) writeFileSync(join(tree, `file-${index}`), `text ${index}\n`.repeat(1 + index * 100))
  return { home: temporaryDirectory(), tree }
}

/** What putting it back into nothing complains of. */
async function broken(captures: CaptureStore, id: string, tree: string): Promise<readonly string[]> {
  rmSync(tree, { recursive: true, force: true })
  const { ways } = captureIn(captures.read(id) ?? '')
  const entries = ways.flatMap((way) => (way.run === 'files' ? way.entries : []))
  expect(entries.filter(({ type }) => type === 'file').length).toBe(FILES + 2)
  return restore(entries, captures)
}

test('killed at any moment, captures are whole or not there', async () => {
  const { home, tree } = planted()
  const acknowledged: string[] = []
  for (let death = 0; death < DEATHS; death++) {
    const { process: child, ended } = start(process.execPath, [CAPTURE, home, tree])
    let seen = 0
    child.stdout?.on('data', (text: string) => {
      seen += text.split('\n').length - 1
      if (seen > death) setTimeout(() => child.kill('SIGKILL'), death * 3)
    })
    const { signal, lines, errors } = await ended
    expect([signal, errors]).toEqual(['SIGKILL', ''])
    acknowledged.push(...lines.map((line) => line.replace('kept ', '')))
  }
  const captures = openCaptures(home)
  const all = captures.list()
  expect(acknowledged.length).toBeGreaterThan(DEATHS)
  expect(acknowledged.filter((id) => !all.includes(id))).toEqual([])
  for (const id of all) expect([id, await broken(captures, id, tree)]).toEqual([id, []])
  // What the dead left behind goes with the captures, once nobody can be writing it any more.
  await captures.collect(Date.now() + 3_600_000, Number.MAX_SAFE_INTEGER)
  expect(spawnSync('find', [join(home, 'undo'), '-type', 'f'], { encoding: 'utf8' }).stdout).toBe('')
})

const CAN_TRACE = spawnSync('strace', ['-e', 'trace=none', 'true']).status === 0

test.skipIf(!CAN_TRACE)('contents are on the disk before they have their name, and named before a capture is (strace)', async () => {
  const { home, tree } = planted()
  const trace = join(temporaryDirectory(), 'trace')
  const calls = 'trace=openat,open,rename,renameat,renameat2,fsync,close'
  const { ended } = start('strace', ['-f', '-y', '-qq', '-o', trace, '-e', calls, process.execPath, CAPTURE, home, tree, '3'])
  expect((await ended).lines.length).toBe(3)
  const synced = new Set<string>()
  const named: string[] = []
  for (const line of readFileSync(trace, 'utf8').split('\n')) {
    const sync = /fsync\(\d+<([^>]+)>/.exec(line)?.[1]
    if (sync !== undefined) synced.add(sync)
    const [, from, to] = /rename\w*\("([^"]+)", "([^"]+)"/.exec(line) ?? []
    if (from === undefined || to === undefined) continue
    expect([to, synced.has(from)]).toEqual([to, true])
    // The names that came before it are on the disk as well: the directory was synced since.
    if (to.endsWith('.json')) expect([to, synced.has(join(home, 'undo', 'blobs'))]).toEqual([to, true])
    else synced.delete(join(home, 'undo', 'blobs'))
    named.push(to.replace(/^.*\/(pack|und)?.*$/, '$1'))
  }
  expect(named.filter((kind) => kind === 'pack').length).toBe(3)
  expect(named.filter((kind) => kind === 'und').length).toBe(3)
})
