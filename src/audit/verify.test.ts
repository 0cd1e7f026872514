import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { proves } from '../../test/proves.ts'
import { chain, sign, testSigner } from '../../test/support/records.ts'
import { GENESIS } from '../store/chain.ts'
import type { Head, StoredRecord } from '../store/store.ts'
import type { BreakKind, Report } from './report.ts'
import { type VerifyOptions, verify } from './verify.ts'

const signer = testSigner('the key of this log')
const other = testSigner('another key')
const ring = new Map([[signer.id, signer]])

function headOf(records: readonly StoredRecord[]): Head {
  const last = records.at(-1)
  return last === undefined ? { size: 0, hash: GENESIS } : { size: last.sequence, hash: last.hash }
}

/** Verifies `tampered` against the anchor of the log that was written. */
function check(tampered: readonly StoredRecord[], written: readonly StoredRecord[], options: Partial<VerifyOptions> = {}): Report {
  const entries = tampered.map((record) => ({ record }))
  return verify(entries, { ring, anchors: [headOf(written)], ...options })
}

function kinds(report: Report): [BreakKind, number][] {
  return report.breaks.map(({ kind, index }) => [kind, index])
}

function at<T>(list: readonly T[], index: number): T {
  const item = list[index]
  if (item === undefined) throw new RangeError(`no item ${index}`)
  return item
}

function edited(records: readonly StoredRecord[], index: number, change: Partial<StoredRecord>): StoredRecord[] {
  return records.map((record, position) => (position === index ? { ...record, ...change } : record))
}

const six = chain(6, signer)

test('an untouched log holds', () => {
  expect(check(six, six)).toEqual({ ok: true, total: 6, lastKnownGoodIndex: 5, breaks: [], warnings: [] })
})

describe('tampering is told by its kind', () => {
  proves(['SIG-37', 'PRO-30a', 'FUL-51'], 'an edited field breaks the record at its index', () => {
    for (const change of [
      { decision: 'deny' },
      { body: { label: 'log', number: 99 } },
      { at: six[2]?.at ?? 0 + 1, tool: 'Read' },
      { session: null },
      { kind: 'note' as const },
    ]) {
      const report = check(edited(six, 2, change), six)
      expect(kinds(report)).toEqual([['self_mismatch', 2]])
      expect(report.ok).toBe(false)
      expect(report.lastKnownGoodIndex).toBe(1)
    }
    expect(kinds(check(edited(six, 0, { code: null }), six))).toEqual([['self_mismatch', 0]])
  })

  proves(['SIG-38', 'PRO-30b', 'FUL-52'], 'deleted records leave a gap and a broken link', () => {
    const one = check(six.toSpliced(2, 1), six)
    expect(kinds(one)).toEqual([
      ['deleted', 2],
      ['link_mismatch', 2],
    ])
    expect(one.breaks[0]?.detail).toBe('one record deleted before this one: sequence 2 → 4')
    const two = check(six.toSpliced(1, 2), six)
    expect(two.breaks[0]).toMatchObject({ kind: 'deleted', index: 1, detail: '2 records deleted before this one: sequence 1 → 4' })
    const afterFirst = check(six.toSpliced(1, 1), six)
    expect(kinds(afterFirst)).toContainEqual(['link_mismatch', 1])
  })

  proves(['PRO-30c', 'PRO-30d', 'PRO-30e', 'PRO-30f'], 'a missing start, a copy, a forged record and a swap are told apart', () => {
    const cases: [string, StoredRecord[], [BreakKind, number][]][] = [
      ['dropped first', six.slice(1), [['missing_start', 0]]],
      ['swapped', [at(six, 0), at(six, 2), at(six, 1), ...six.slice(3)], [['reordered', 2]]],
      ['copied next to itself', [...six.slice(0, 3), at(six, 2), ...six.slice(3)], [['duplicate', 3]]],
      ['copied to the end', [...six, at(six, 1)], [['duplicate', 6]]],
      ['forged between', [...six.slice(0, 3), { ...at(six, 3), body: { forged: true } }, ...six.slice(3)], [['inserted', 3]]],
      ['moved to the end', [...six.slice(0, 2), ...six.slice(3), at(six, 2)], [['reordered', 5]]],
    ]
    for (const [title, tampered, expected] of cases) expect([title, kinds(check(tampered, six))]).toEqual([title, expected])
  })

  proves('SIG-39', 'two rows that swapped places, with their sequence numbers, do not hold', () => {
    const [third, fourth] = [at(six, 2), at(six, 3)]
    const swapped = [...six.slice(0, 2), { ...fourth, sequence: 3 }, { ...third, sequence: 4 }, ...six.slice(4)]
    expect(check(swapped, six).ok).toBe(false)
  })

  proves('SIG-40', 'a forged row is found wherever it stands', () => {
    for (let place = 0; place <= six.length; place += 1) {
      const forged: StoredRecord = { ...at(six, 0), sequence: place + 1, hash: 'ab'.repeat(32), body: { forged: true } }
      const report = check([...six.slice(0, place), forged, ...six.slice(place)], six)
      expect(report.ok).toBe(false)
      expect(report.breaks[0]?.index).toBe(place)
    }
  })

  proves('SIG-41', 'one flipped link makes exactly one break in a summary', () => {
    const report = check(edited(six, 2, { previous: GENESIS }), six, { summarise: true })
    expect(kinds(report)).toEqual([['self_mismatch', 2]])
    const changedHash = check(edited(six, 2, { hash: 'ab'.repeat(32) }), six, { summarise: true })
    expect(changedHash.breaks).toHaveLength(1)
    expect(changedHash.breaks[0]).toMatchObject({ kind: 'self_mismatch', index: 2, suppressed: 1 })
  })

  test('breaks that lie apart stay apart in a summary', () => {
    const twice = edited(edited(six, 1, { code: null }), 4, { code: null })
    expect(kinds(check(twice, six, { summarise: true }))).toEqual([
      ['self_mismatch', 1],
      ['self_mismatch', 4],
    ])
  })

  proves(['SIG-44', 'PRO-30i'], 'with another key nothing holds', () => {
    const report = check(six, six, { ring: new Map([[other.id, other]]), summarise: true })
    expect(report.lastKnownGoodIndex).toBe(-1)
    expect(kinds(report)).toEqual([['unknown_key', 0]])
    const underSameId = check(six, six, { ring: new Map([[signer.id, other]]) })
    expect(underSameId.lastKnownGoodIndex).toBe(-1)
    expect(underSameId.breaks.every(({ kind }) => kind === 'self_mismatch')).toBe(true)
  })

  proves(['SIG-49a', 'SIG-49b', 'PIT-13', 'PRO-30k', 'T62'], 'a cut tail and an emptied log fail against the last anchored size', () => {
    for (let kept = 0; kept < six.length; kept += 1) {
      const report = check(six.slice(0, kept), six)
      expect(kinds(report)).toEqual([['truncated', kept]])
      expect(report.breaks[0]?.detail).toBe(`the log ends at record ${kept}, but had 6 when it was last anchored`)
    }
  })

  proves(['PIT-13', 'PRO-30j'], 'a log without an anchor is refused, empty or not', () => {
    for (const records of [six, []]) {
      const report = check(records, six, { anchors: [] })
      expect(kinds(report)).toEqual([['anchor_missing', records.length]])
    }
    expect(kinds(check(six, six, { anchorProblem: 'the signature does not hold' }))).toEqual([['anchor_invalid', 6]])
  })

  proves(['PRO-30m'], 'a log that was begun anew shows the new beginning', () => {
    const fresh = chain(3, signer, 'fresh')
    const report = check([...six, ...fresh], six)
    expect(kinds(report)).toEqual([
      ['chain_reset', 6],
      ['truncated', 9],
    ])
  })

  proves('T62', 'an old copy that was written on is a fork, by itself and against the anchor', () => {
    const branch = chain(3, signer)
    const grown = [...branch]
    for (const sequence of [4, 5, 6]) {
      const last = at(grown, sequence - 2)
      const fields = { ...at(six, sequence - 1), body: { rewritten: true }, previous: last.hash }
      grown.push(sign(fields, signer))
    }
    expect(kinds(check(grown, six))).toEqual([['anchor_mismatch', 5]])
    const spliced = kinds(check([...six, ...grown.slice(3)], six))
    expect(spliced).toEqual([
      ['fork', 6],
      ['fork', 7],
      ['fork', 8],
    ])
  })

  proves('T62', 'anchors kept elsewhere catch a rewrite of log and local anchor together', () => {
    const rewritten = chain(6, signer, 'rewritten')
    expect(check(rewritten, rewritten).ok).toBe(true)
    const outside = { size: 4, hash: at(six, 3).hash }
    expect(kinds(check(rewritten, rewritten, { anchors: [headOf(rewritten), outside] }))).toEqual([['anchor_mismatch', 3]])
    expect(check(six, six, { anchors: [headOf(six), outside] }).ok).toBe(true)
  })

  test('a record that its key signed but that continues nothing is a broken link', () => {
    const stray = sign({ ...at(six, 3), previous: 'cd'.repeat(32) }, signer)
    const report = check([...six.slice(0, 3), stray], [...six.slice(0, 3), stray])
    expect(kinds(report)).toEqual([['link_mismatch', 3]])
  })

  test('a record without a key id, and one that has no canonical text', () => {
    expect(kinds(check(edited(six, 1, { key: '' }), six))).toEqual([['missing_key', 1]])
    expect(kinds(check(edited(six, 1, { body: { half: '\ud800' } }), six))).toEqual([['self_mismatch', 1]])
  })

  test('what could not be read takes the place of what is missing, and no more', () => {
    const unreadable = { problem: 'not JSON', kind: 'malformed' as const }
    const entries = six.map((record) => ({ record }))
    const inPlace = verify([...entries.slice(0, 2), unreadable, ...entries.slice(3)], { ring, anchors: [headOf(six)] })
    expect(kinds(inPlace)).toEqual([['malformed', 2]])
    const added = verify([...entries.slice(0, 2), unreadable, ...entries.slice(2)], { ring, anchors: [headOf(six)] })
    expect(kinds(added)).toEqual([['malformed', 2]])
    const oneOfTwo = verify([...entries.slice(0, 2), unreadable, ...entries.slice(4)], { ring, anchors: [headOf(six)] })
    expect(kinds(oneOfTwo)).toEqual([
      ['malformed', 2],
      ['deleted', 3],
      ['link_mismatch', 3],
    ])
  })

  test('an edited last record is not also called cut', () => {
    expect(kinds(check(edited(six, 5, { code: null }), six))).toEqual([['self_mismatch', 5]])
  })

  test('a part of a log is checked from its first sequence', () => {
    expect(check(six.slice(3), six, { start: 4 })).toMatchObject({ ok: true, total: 3 })
    expect(kinds(check(six.slice(4), six, { start: 4 }))).toEqual([['missing_start', 0]])
  })

  test('a log that has only begun holds and says that it is empty', () => {
    expect(check([], [])).toMatchObject({ ok: true, total: 0, lastKnownGoodIndex: -1, warnings: [{ kind: 'empty' }] })
  })

  test('rotated keys: each record is checked with the key it names', () => {
    const first = chain(3, signer)
    const later = [4, 5].reduce<StoredRecord[]>((records, sequence) => {
      const last = at(records, records.length - 1)
      return [...records, sign({ ...at(six, sequence - 1), key: other.id, previous: last.hash }, other)]
    }, first)
    const both = new Map([
      [signer.id, signer],
      [other.id, other],
    ])
    expect(check(later, later, { ring: both }).ok).toBe(true)
    expect(kinds(check(later, later))).toEqual([
      ['unknown_key', 3],
      ['unknown_key', 4],
    ])
  })
})

type Tampering = (records: StoredRecord[]) => StoredRecord[]

const position = fc.nat(1_000)
const tampering: fc.Arbitrary<Tampering> = fc.oneof(
  position.map((n) => (records: StoredRecord[]) => records.toSpliced(n % records.length, 1)),
  position.map((n) => (records: StoredRecord[]) => records.toSpliced(n % records.length, 0, at(records, (n * 7) % records.length))),
  position.map((n) => (records: StoredRecord[]) => edited(records, n % records.length, { body: { number: -n } })),
  position.map((n) => (records: StoredRecord[]) => edited(records, n % records.length, { hash: 'ef'.repeat(32) })),
  position.map((n) => (records: StoredRecord[]) => edited(records, n % records.length, { sequence: n + 50 })),
  position.map((n) => (records: StoredRecord[]) => {
    const [a, b] = [n % records.length, (n + 1) % records.length]
    return records.map((record, index) => (index === a ? at(records, b) : index === b ? at(records, a) : record))
  }),
  position.map((n) => (records: StoredRecord[]) => records.slice(0, n % records.length)),
)

proves(['P12', 'T62'], 'whatever is done to a log in whatever order, it holds only if it is the log that was written', () => {
  const written = chain(12, signer)
  fc.assert(
    fc.property(fc.array(tampering, { minLength: 1, maxLength: 4 }), (steps) => {
      const tampered = steps.reduce<StoredRecord[]>((records, step) => (records.length < 2 ? records : step(records)), [...written])
      const same = JSON.stringify(tampered) === JSON.stringify(written)
      expect(check(tampered, written).ok).toBe(same)
    }),
    { numRuns: 500 },
  )
})
