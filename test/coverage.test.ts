/** Every requirement is proved by a test that cites it, or deferred with a reason; the deferred may only become fewer. */
import { describe, expect, test } from 'vitest'
import { isTest, sources } from '../scripts/check/source.ts'
import { citations, coverage, uncitedCases } from './citations.ts'
import { notPassed, notRegistered } from './citations-run.ts'
import { DEFERRED, MAX_DEFERRED } from './deferred.ts'
import { requirements } from './requirements.ts'

const deferred = DEFERRED.flatMap(({ ids }) => ids)
const cited = citations(sources('src', 'test', 'scripts').filter(({ path }) => isTest(path)))
const now = coverage(requirements, new Set(cited.files.keys()), deferred)

describe('the requirements of this project', () => {
  test('ids are unique and each has a text', () => {
    const ids = requirements.map(({ id }) => id)
    expect(ids.filter((id, place) => ids.indexOf(id) !== place)).toEqual([])
    expect(requirements.filter(({ text }) => text.trim() === '')).toEqual([])
  })

  test('each text is whole: none is cut', () => {
    expect(requirements.filter(({ text }) => /(?:…|\.\.\.)$/.test(text.trim())).map(({ id }) => id)).toEqual([])
  })

  test('every citation is a literal of a known id', () => {
    expect(cited.unreadable).toEqual([])
    expect(now.unknown.map((id) => `${id}: ${cited.files.get(id)?.join(', ') ?? 'test/deferred.ts'}`)).toEqual([])
  })

  test('nothing is open: prove it, or defer it with a reason', () => expect(now.missing).toEqual([]))

  test('of a row with several cases each is cited by its letter', () => {
    const ids = new Set(cited.files.keys())
    const open = requirements.filter(({ id }) => !deferred.includes(id)).filter((each) => uncitedCases(each, ids).length > 0)
    expect(open.map(({ id }) => id)).toEqual([])
  })

  test('nothing proved is still deferred: take it out of test/deferred.ts', () => expect(now.stale).toEqual([]))

  test('each deferral stands once and has a reason', () => {
    expect(now.repeated).toEqual([])
    expect(DEFERRED.filter(({ reason, ids }) => reason.length < 20 || ids.length === 0)).toEqual([])
  })

  test('the deferred only become fewer: MAX_DEFERRED is their number, never raised', () => {
    process.stdout.write(report())
    expect(deferred.length).toBe(MAX_DEFERRED)
  })
})

function report(): string {
  const head = `requirements: ${requirements.length}, proved: ${now.proved.length}, deferred: ${deferred.length}`
  return `${[head, ...DEFERRED.map(({ reason, ids }) => `  ${reason}\n    ${ids.join(' ')}`)].join('\n')}\n`
}

describe('citations', () => {
  const read = (text: string) => citations([{ path: 'a.test.ts', text }])

  for (const [text, ids] of [
    ["proves('P1', 't', () => {})", ['P1']],
    ["proves(['P1', 'T03'], 't', () => {})", ['P1', 'T03']],
    ["describe('x', () => { for (const a of b) proves('P1', 't', () => {}) })", ['P1']],
    ["proves('P1', 't', () => {}); proves('P1', 'u', () => {})", ['P1']],
    ["// proves('P1', 't')\nconst text = \"proves('P2', 't')\"", []],
    ["test('P1', () => {})", []],
  ] as const) {
    test(text, () => {
      expect([...read(text).files.keys()]).toEqual(ids)
      expect(read(text).unreadable).toEqual([])
    })
  }

  for (const text of [
    "const id = 'P1'; proves(id, 't', f)",
    "proves([...ids, 'P1'], 't', f)",
    'proves(`P1`, 0, f)',
    'proves([], 0, f)',
    'proves()',
  ]) {
    test(`${text} cannot be read`, () => expect(read(text).unreadable).toHaveLength(1))
  }
})

describe('what ran of what is cited', () => {
  const cited = new Map([
    ['P1', ['a.test.ts', 'b.test.ts']],
    ['P2', ['a.test.ts']],
  ])
  const ran = (path: string, title: string, state = 'passed') => ({ path, title, state })

  for (const [title, tests, unregistered, unproved] of [
    ['all', [ran('a.test.ts', 't [P1 P2]'), ran('b.test.ts', 't [P1]')], [], []],
    ['a loop over nothing', [ran('a.test.ts', 't [P1]'), ran('b.test.ts', 't [P1]')], ['a.test.ts: P2'], ['P2']],
    ['skipped', [ran('a.test.ts', 't [P1 P2]', 'skipped'), ran('b.test.ts', 't [P1]')], [], ['P2']],
    ['failed', [ran('a.test.ts', 't [P1 P2]', 'failed'), ran('b.test.ts', 't [P1]')], [], ['P2']],
    ['skipped in one file, run in another', [ran('a.test.ts', 't [P1 P2]'), ran('b.test.ts', 't [P1]', 'skipped')], [], []],
    ['an id in the middle of a title', [ran('a.test.ts', '[P2] of [P1]'), ran('b.test.ts', 't [P1]')], ['a.test.ts: P2'], ['P2']],
    ['one file of two', [ran('b.test.ts', 't [P1]')], [], ['P2']],
  ] as const) {
    test(title, () => {
      expect(notRegistered(cited, tests)).toEqual(unregistered)
      expect(notPassed(cited, tests)).toEqual(unproved)
    })
  }
})

describe('coverage', () => {
  const rows = [
    { id: 'A-1', text: 'plain' },
    { id: 'A-2', text: 'a: one; b: two → deny' },
    { id: 'A-3', text: 'a: one; b (stricter): two' },
  ]
  const of = (ids: readonly string[], later: readonly string[] = []) => coverage(rows, new Set(ids), later)

  for (const [title, got, want] of [
    ['nothing cited', of([]).missing, ['A-1', 'A-2', 'A-3']],
    ['rows cited', of(['A-1', 'A-2', 'A-3']).missing, []],
    ['every letter cited', of(['A-1', 'A-2a', 'A-2b', 'A-3a', 'A-3b']).missing, []],
    ['one letter is not enough', of(['A-1', 'A-2a', 'A-3a']).missing, ['A-2', 'A-3']],
    ['deferred', of(['A-1'], ['A-2', 'A-3']).missing, []],
    ['proved and deferred', of(['A-1', 'A-2', 'A-3'], ['A-2']).stale, ['A-2']],
    ['partly proved and deferred is not stale', of(['A-2a'], ['A-2']).stale, []],
    ['unknown citation', of(['A-9', 'A-2c', 'B-1a']).unknown, ['A-9', 'B-1a']],
    ['unknown deferral', of([], ['A-9']).unknown, ['A-9']],
    ['deferred twice', of([], ['A-1', 'A-2', 'A-1']).repeated, ['A-1']],
  ] as const) {
    test(title, () => expect(got).toEqual(want))
  }
})
