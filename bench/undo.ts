/** What keeping costs before a call runs, and what taking back costs, beside what the disk and the usual programs take for the same. */
import { execFileSync } from 'node:child_process'
import { closeSync, copyFileSync, fsyncSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Effect } from '../src/core/effect.ts'
import { type CaptureParts, captureFor } from '../src/undo/capture.ts'
import { captureIn, openCaptures } from '../src/undo/captures.ts'
import { keepCurrent, stepsOf, take } from '../src/undo/undo.ts'
import { type Report, round, summary } from './measure.ts'

const WORKSPACE = 50_000
const EACH = 500
const KEPT = 100
const UNDONE = 1_000
const ROUNDS = 15

/** Milliseconds. */
async function timed(act: () => unknown): Promise<number> {
  const started = performance.now()
  await act()
  return performance.now() - started
}

type Row = readonly [name: string, milliseconds: readonly number[]]

export async function undo(): Promise<readonly Report[]> {
  const root = mkdtempSync(join(tmpdir(), 'countersign-bench-'))
  try {
    const work = join(root, 'work')
    plant(work)
    const parts = partsIn(join(root, 'state'))
    return [
      table('Keeping 100 files of 50,000 before they are overwritten', await keeping(root, work, parts)),
      table('Taking back 1,000 files', await takingBack(work, parts)),
      table('Keeping all 50,000 files before they are deleted', await deleting(root, work, parts)),
    ]
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

function table(title: string, rows: readonly Row[]): Report {
  const seen = rows.map(([name, milliseconds]) => ({ name, p50: summary('', milliseconds).p50, least: Math.min(...milliseconds) }))
  const base = seen.at(-1)?.p50 ?? 1
  const cells = seen.map(({ name, p50, least }) => [name, p50, round(least), `${round(p50 / base)}×`])
  return { title, columns: ['', 'p50 ms', 'least ms', 'p50 to the last'], rows: cells, notes: ['`TMPDIR` chooses the disk.'] }
}

function plant(work: string): void {
  for (let index = 0; index < WORKSPACE; index++) {
    if (index % EACH === 0) mkdirSync(join(work, `d${index / EACH}`), { recursive: true })
    writeFileSync(fileOf(work, index), textOf(index, 0))
  }
}

const fileOf = (work: string, index: number): string => join(work, `d${Math.floor(index / EACH)}`, `${index}.ts`)
const textOf = (index: number, round: number): string => `export const value = ${index} // ${round}\n`.repeat(60)

function partsIn(state: string): CaptureParts {
  let next = 0
  const random = (bytes: number): string => (next++).toString(16).padStart(bytes * 2, '0')
  const limits = { maxFiles: 100_000, maxBytes: 1 << 30 }
  return {
    store: openCaptures(state),
    limits,
    gate: [],
    random,
    digest: () => '',
    ways: { databases: [], declared: [] },
    now: Date.now,
    variable: () => null,
  }
}

const effectOn = (verb: 'write' | 'delete', path: string): Effect => ({
  verb,
  action: null,
  target: { kind: 'path', value: path, real: path, scope: 'workspace', classes: [] },
  reversible: false,
  certainty: 'certain',
  reason: null,
  span: null,
  attributes: {},
})

function capture(effects: readonly Effect[], cwd: string, parts: CaptureParts) {
  return captureFor({ effects, cwd, at: Date.now(), keepMs: 1_000_000 }, parts)
}

async function keeping(root: string, work: string, parts: CaptureParts): Promise<readonly Row[]> {
  const [kept, apart, bare]: [number[], number[], number[]] = [[], [], []]
  mkdirSync(join(root, 'apart'))
  for (let turn = 0; turn < ROUNDS; turn++) {
    // Spread over the workspace, and other content every time: nothing is there already.
    const indices = Array.from({ length: KEPT }, (_, index) => (index * 499 + turn) % WORKSPACE)
    for (const index of indices) writeFileSync(fileOf(work, index), textOf(index, turn + 1))
    const effects = indices.map((index) => effectOn('write', fileOf(work, index)))
    kept.push(await timed(() => capture(effects, work, parts)))
    apart.push(await timed(() => oneByOne(join(root, 'apart'), indices, turn)))
    bare.push(await timed(() => durable(join(root, 'bare'), indices.map((index) => textOf(index, turn)).join(''))))
  }
  return [
    ['kept', kept],
    ['written and synced one by one', apart],
    ['the same bytes in one file, synced', bare],
  ]
}

function oneByOne(directory: string, indices: readonly number[], turn: number): void {
  for (const index of indices) durable(join(directory, `${turn}-${index}`), textOf(index, turn))
}

function copies(paths: readonly string[]): void {
  for (const path of paths) copyFileSync(path, `${path}.copy`)
}

function durable(path: string, text: string): void {
  const file = openSync(path, 'w')
  writeSync(file, text)
  fsyncSync(file)
  closeSync(file)
}

async function takingBack(work: string, parts: CaptureParts): Promise<readonly Row[]> {
  const [overwritten, deleted, copied]: [number[], number[], number[]] = [[], [], []]
  for (let turn = 0; turn < 5; turn++) {
    const paths = Array.from({ length: UNDONE }, (_, index) => fileOf(work, index * 7))
    for (const [index, path] of paths.entries()) writeFileSync(path, textOf(index, 100 + turn))
    const note = await capture(
      paths.map((path) => effectOn('write', path)),
      work,
      parts,
    )
    const back = () => takeBack(String(note?.id), parts)
    for (const path of paths) writeFileSync(path, 'overwritten')
    overwritten.push(await timed(back))
    for (const path of paths) rmSync(path)
    deleted.push(await timed(back))
    copied.push(await timed(() => copies(paths)))
    for (const path of paths) rmSync(`${path}.copy`)
  }
  return [
    ['1,000 overwritten, what is there now kept first', overwritten],
    ['1,000 deleted', deleted],
    ['copies of 1,000 files, not synced', copied],
  ]
}

/** As `countersign undo` does, but for the gate. */
async function takeBack(id: string, parts: CaptureParts): Promise<void> {
  const steps = await stepsOf(captureIn(parts.store.read(id) ?? ''), parts)
  await keepCurrent(steps, parts)
  for (const step of steps) await take(step, parts)
}

async function deleting(root: string, work: string, parts: CaptureParts): Promise<readonly Row[]> {
  const [kept, links, copies, back]: [number[], number[], number[], number[]] = [[], [], [], []]
  for (let turn = 0; turn < 3; turn++) {
    let note: Awaited<ReturnType<typeof capture>> = null
    kept.push(
      await timed(async () => {
        note = await capture([effectOn('delete', work)], root, parts)
      }),
    )
    links.push(await timed(() => execFileSync('cp', ['-al', work, join(root, `links-${turn}`)])))
    copies.push(await timed(() => execFileSync('cp', ['-a', work, join(root, `copies-${turn}`)])))
    rmSync(work, { recursive: true })
    const id = String((note as { id?: unknown } | null)?.id)
    back.push(await timed(() => takeBack(id, parts)))
    for (const name of ['links', 'copies']) rmSync(join(root, `${name}-${turn}`), { recursive: true })
  }
  return [
    ['kept by a second name', kept],
    ['taken back after `rm -r`', back],
    ['`cp -a`', copies],
    ['`cp -al`', links],
  ]
}
