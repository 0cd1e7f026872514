/** Changes are made all or none: whatever fails, and whenever the process ends, what was there before is there again. */
import { spawnSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { chmodSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { listed } from '../../../test/support/random-programs.ts'
import { temporaryDirectory } from '../../../test/support/records.ts'
import type { KeptChange, Standing } from './change.ts'
import { openContents, standingAt } from './contents.ts'
import { type Journal, leftBehind, recoverOne, settle } from './journal.ts'
import { makeChanges } from './make.ts'

const ID = 'apr_0123456789'

function place() {
  const work = realpathSync(temporaryDirectory())
  const contents = openContents(temporaryDirectory())
  mkdirSync(join(work, 'old/deep'), { recursive: true })
  for (const name of ['a', 'b', 'old/one', 'old/deep/two']) writeFileSync(join(work, name), `text of ${name}\n`)
  symlinkSync('a', join(work, 'link'))
  chmodSync(join(work, 'b'), 0o640)
  const text = (content: string): Standing => {
    const name = hash('sha256', content)
    writeFileSync(join(contents.blobs, name), content)
    return { type: 'file', mode: 0o644, content: name }
  }
  const change = (name: string, after: Standing | null): KeptChange => {
    const path = join(work, name)
    return { path, place: work, before: standsAt(path), after }
  }
  const directory: Standing = { type: 'directory', mode: 0o750, content: '' }
  const changes = [
    change('a', text('new a\n')),
    change('b', directory),
    change('b/in', text('in b\n')),
    change('fresh', text('fresh\n')),
    change('link', { type: 'link', mode: 0, content: 'elsewhere' }),
    change('old', { type: 'file', mode: 0o600, content: text('a file now\n').content }),
    change('old/one', null),
    change('old/deep', null),
    change('old/deep/two', null),
    change('new', directory),
    change('new/er', directory),
    change('new/er/x', text('x\n')),
  ]
  return { work, contents, changes }
}

function standsAt(path: string): Standing | null {
  try {
    return standingAt(path) ?? null
  } catch {
    return null
  }
}

const TOLD = { by: 'human:alice', files: ['changed /a'], more: 0, undo: { id: 'und_1' } }
const MADE = ['/a', '/b', '/b/in', '/fresh', '/link', '/new', '/new/er', '/new/er/x', '/old']

describe('changes of a preview', () => {
  test('are all made, and nothing is left beside them', () => {
    const { work, contents, changes } = place()
    expect(makeChanges(ID, changes, { ...contents, told: TOLD })).toBeNull()
    settle(ID, contents.journals)
    expect([...listed(work).keys()].toSorted()).toEqual(MADE)
    expect([standsAt(join(work, 'b')), standsAt(join(work, 'old'))?.mode]).toEqual([{ type: 'directory', mode: 0o750, content: '' }, 0o600])
    expect(readdirSync(contents.journals)).toEqual([])
  })

  type Fault = (at: ReturnType<typeof place>) => void
  const FAULTS: readonly (readonly [title: string, fault: Fault])[] = [
    ['a content is gone', ({ contents }) => rmSync(join(contents.blobs, hash('sha256', 'x\n')))],
    ['a content is another one', ({ contents }) => writeFileSync(join(contents.blobs, hash('sha256', 'in b\n')), 'evil\n')],
    ['a directory that goes holds more', ({ work }) => writeFileSync(join(work, 'old/deep/more'), '')],
    ['another process makes them', ({ contents }) => writeFileSync(join(contents.journals, `${ID}.json`), '{}')],
    ['they cannot be written down', ({ contents }) => rmSync(contents.journals, { recursive: true })],
  ]
  for (const [title, fault] of FAULTS)
    test(`are not made where ${title}, and what was done of them is taken back`, () => {
      const at = place()
      fault(at)
      const before = listed(at.work)
      expect(makeChanges(ID, at.changes, { ...at.contents, told: TOLD })).toMatch(/./)
      expect(listed(at.work)).toEqual(before)
    })

  test('are taken back where the process ended before it said that all are made', () => {
    const { work, contents, changes } = place()
    const before = listed(work)
    expect(makeChanges(ID, changes, { ...contents, told: TOLD })).toBeNull()
    const path = join(contents.journals, `${ID}.json`)
    const journal = JSON.parse(readFileSync(path, 'utf8')) as Journal
    const gone = spawnSync('/bin/true').pid
    // While its process lives, nobody touches it.
    expect([leftBehind(contents.journals), recoverOne(ID, contents.journals)]).toEqual([{ ids: [], refused: [] }, null])
    writeFileSync(path, JSON.stringify({ ...journal, done: false, process: gone }))
    expect(leftBehind(contents.journals)).toEqual({ ids: [ID], refused: [] })
    const recovered = { id: ID, made: false, left: [], told: TOLD }
    // Whoever ends before it is recorded leaves it to the next one.
    expect([recoverOne(ID, contents.journals), recoverOne(ID, contents.journals)]).toEqual([recovered, recovered])
    settle(ID, contents.journals)
    expect([listed(work), readdirSync(contents.journals)]).toEqual([before, []])
  })

  test('stay where the process ended after that', () => {
    const { work, contents, changes } = place()
    expect(makeChanges(ID, changes, { ...contents, told: TOLD })).toBeNull()
    const path = join(contents.journals, `${ID}.json`)
    const journal = JSON.parse(readFileSync(path, 'utf8')) as Journal
    writeFileSync(path, JSON.stringify({ ...journal, process: spawnSync('/bin/true').pid }))
    expect(recoverOne(ID, contents.journals)).toEqual({ id: ID, made: true, left: [], told: TOLD })
    settle(ID, contents.journals)
    expect([...listed(work).keys()].toSorted()).toEqual(MADE)
  })

  test('what somebody wrote meanwhile is told, and never lost', () => {
    const { work, contents, changes } = place()
    expect(makeChanges(ID, changes, { ...contents, told: TOLD })).toBeNull()
    const path = join(contents.journals, `${ID}.json`)
    const journal = JSON.parse(readFileSync(path, 'utf8')) as Journal
    writeFileSync(join(work, 'a'), 'written by somebody else\n')
    writeFileSync(path, JSON.stringify({ ...journal, done: false, process: spawnSync('/bin/true').pid }))
    const recovered = recoverOne(ID, contents.journals)
    settle(ID, contents.journals, recovered?.left)
    expect([recovered?.left.length, readFileSync(join(work, 'a'), 'utf8')]).toEqual([1, 'written by somebody else\n'])
    const [, kept = ''] = /what was there is (.+)$/.exec(recovered?.left[0] ?? '') ?? []
    expect(readFileSync(kept, 'utf8')).toBe('text of a\n')
  })

  type Altered = (journal: Journal) => string
  const REFUSED: readonly (readonly [title: string, altered: Altered, said: RegExp])[] = [
    ['another machine wrote it', (journal) => JSON.stringify({ ...journal, machine: 'elsewhere' }), /another machine \(`elsewhere`\)/],
    ['a later version wrote it', (journal) => JSON.stringify({ ...journal, version: 99 }), /another version of Countersign \(form 99\)/],
    ['it has no version', ({ version, ...journal }) => JSON.stringify({ ...journal, was: version }), /form unknown/],
    ['half of it is there', (journal) => JSON.stringify(journal).slice(0, 99), /cannot be read/],
  ]
  for (const [title, altered, said] of REFUSED)
    test(`are not taken back where ${title}: what to do is said, and nothing is touched`, () => {
      const { work, contents, changes } = place()
      expect(makeChanges(ID, changes, { ...contents, told: TOLD })).toBeNull()
      const path = join(contents.journals, `${ID}.json`)
      const journal = JSON.parse(readFileSync(path, 'utf8')) as Journal
      const after = listed(work)
      writeFileSync(path, altered({ ...journal, done: false, process: spawnSync('/bin/true').pid }))
      expect(leftBehind(contents.journals)).toEqual({ ids: [], refused: [expect.stringMatching(said)] })
      expect(leftBehind(contents.journals).refused[0]).toMatch(/delete it$/)
      expect([recoverOne(ID, contents.journals), listed(work)]).toEqual([null, after])
    })

  test('are taken back where its process number is that of another process by now', () => {
    const { work, contents, changes } = place()
    const before = listed(work)
    expect(makeChanges(ID, changes, { ...contents, told: TOLD })).toBeNull()
    const path = join(contents.journals, `${ID}.json`)
    const journal = JSON.parse(readFileSync(path, 'utf8')) as Journal
    expect(journal.process).toBe(process.pid)
    writeFileSync(path, JSON.stringify({ ...journal, done: false, started: 'before the machine started again 7' }))
    expect(leftBehind(contents.journals).ids).toEqual(journal.started === null ? [] : [ID])
    if (journal.started === null) return
    expect(recoverOne(ID, contents.journals)?.left).toEqual([])
    expect(listed(work)).toEqual(before)
  })
})
