import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../core/json.ts'
import { type Logged, samplesFromAudit } from './from-audit.ts'

const asked = (
  id: string | null,
  evidence: JsonObject,
  more: { readonly session?: string | null; readonly in?: 'findings' | 'resolutions' } = {},
): Logged => ({
  kind: 'decision',
  session: more.session ?? 's',
  body: { decision: { approval: id === null ? null : { id }, findings: [{ evidence: {} }], [more.in ?? 'findings']: [{ evidence }] } },
})
const word = (id: string, ...happened: readonly string[]): Logged => ({ kind: 'approval', session: null, body: { approval: id, happened } })
const j = (score: number, more: JsonObject = {}): JsonObject => ({ judge: 'j', config: 'c', score, confidence: 0.8, ...more })

const JUDGE = { name: 'j', config: 'c' }

describe('labels from the log', () => {
  const table: readonly (readonly [string, readonly Logged[], readonly (readonly [score: number, benign: boolean])[]])[] = [
    ['an empty log', [], []],
    ['a yes is a benign call', [asked('a', j(0.4)), word('a', 'approved')], [[0.4, true]]],
    ['a no is none', [asked('a', j(0.4)), word('a', 'denied')], [[0.4, false]]],
    ['no word yet', [asked('a', j(0.4))], []],
    ['a seat of a quorum is no word yet', [asked('a', j(0.4)), word('a', 'agreed')], []],
    ['a later no holds', [asked('a', j(0.4)), word('a', 'approved'), word('a', 'denied')], [[0.4, false]]],
    ['a use changes nothing', [asked('a', j(0.4)), word('a', 'approved'), word('a', 'consumed')], [[0.4, true]]],
    ['the word may stand before the record of the ask', [word('a', 'approved'), asked('a', j(0.4))], [[0.4, true]]],
    ['as a resolver', [asked('a', j(0.6), { in: 'resolutions' }), word('a', 'approved')], [[0.6, true]]],
    ['of another judge', [asked('a', { judge: 'k', score: 0.4, confidence: 1 }), word('a', 'approved')], []],
    [
      'as a member of a tribunal',
      [asked('a', { judge: 't', members: [{ judge: 'k', score: 0.1 }, j(0.9)] }), word('a', 'denied')],
      [[0.9, false]],
    ],
    [
      'tribunals of tribunals are not followed',
      [asked('a', { judge: 't', members: [{ judge: 'u', members: [j(0.9)] }] }), word('a', 'denied')],
      [],
    ],
    ['of the judge as it was before', [asked('a', j(0.4, { config: 'b' })), word('a', 'approved')], []],
    ['that does not say which judge it was', [asked('a', { judge: 'j', score: 0.4, confidence: 1 }), word('a', 'approved')], []],
    [
      'as a member of a tribunal, and as it was before',
      [asked('a', { judge: 't', config: 'c', members: [j(0.9, { config: 'b' })] }), word('a', 'denied')],
      [],
    ],
    ['no answer has no score', [asked('a', { judge: 'j', config: 'c', score: null }), word('a', 'approved')], []],
    ['the raw score, where it was calibrated', [asked('a', j(0.9, { raw_score: 0.7 })), word('a', 'approved')], [[0.7, true]]],
    ['the first ask of an approval', [asked('a', j(0.4)), asked('a', j(0.5)), word('a', 'approved')], [[0.4, true]]],
    ['a call that nobody was asked about', [asked(null, j(0.4)), word('a', 'approved')], []],
    [
      'records that are none of ours',
      [
        { kind: 'approval', session: null, body: { approval: 3, happened: 'denied' } },
        { kind: 'decision', session: null, body: {} },
      ],
      [],
    ],
  ]
  for (const [name, records, expected] of table) {
    test(name, () => expect(samplesFromAudit(records, JUDGE).map(({ score, benign }) => [score, benign])).toEqual(expected))
  }

  test('calls of a session are one group; without a session an ask is its own', () => {
    const records = [
      asked('a', j(0.4)),
      asked('b', j(0.5)),
      asked('c', j(0.6)),
      word('a', 'approved'),
      word('b', 'denied'),
      word('c', 'denied'),
    ]
    const lonely = records.map((record, at) => (at === 2 ? { ...record, session: null } : record))
    expect(samplesFromAudit(lonely, JUDGE).map(({ group, confidence }) => [group, confidence])).toEqual([
      ['s', 0.8],
      ['s', 0.8],
      ['c', 0.8],
    ])
  })
})
