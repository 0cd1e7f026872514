import { describe, expect, test } from 'vitest'
import { chain, testSigner } from '../../test/support/records.ts'
import { parseRecord } from './parse.ts'
import { RECORD_KINDS, type StoredRecord } from './store.ts'

const [record] = chain(1, testSigner('key')) as [StoredRecord]

describe('loose fields become a record', () => {
  test('with every kind, and with null where nothing is known', () => {
    expect(parseRecord({ ...record })).toEqual({ record })
    for (const kind of RECORD_KINDS) expect(parseRecord({ ...record, kind })).toEqual({ record: { ...record, kind } })
    const bare = { ...record, session: null, tenant: null, tool: null, decision: null, code: null, body: {} }
    expect(parseRecord(bare)).toEqual({ record: bare })
    expect(parseRecord({ ...record, at: -1 })).toMatchObject({ record: { at: -1 } })
  })

  test('without what a record does not have', () => {
    expect(parseRecord({ ...record, extra: 1 })).toEqual({ record })
  })

  test('or say which field is wrong', () => {
    const cases: [string, readonly unknown[]][] = [
      ['sequence', [0, -1, 1.5, '1', true, null, undefined, 2 ** 53]],
      ['id', [null, '', 'x', 1, `${'0'.repeat(26)}\n`, 'i'.repeat(26)]],
      ['previous', [null, '', 'g'.repeat(64), 'AB'.repeat(32), `${'0'.repeat(64)}\n`]],
      ['hash', [null, '', '0'.repeat(63), 0]],
      ['key', [null, 1, undefined]],
      ['kind', ['other', 'constructor', '__proto__', null, 1]],
      ['at', [true, null, '0', 1.5, Number.NaN, 2 ** 60]],
      ['body', [null, [], 'x', 1, undefined]],
      ['session', [1, true, [], undefined]],
      ['tenant', [{}]],
      ['tool', [0]],
      ['decision', [false]],
      ['code', [1]],
    ]
    for (const [field, values] of cases) {
      for (const value of values) {
        const parsed = parseRecord({ ...record, [field]: value })
        expect([field, value, 'problem' in parsed && parsed.problem.startsWith(`\`${field}\``)]).toEqual([field, value, true])
      }
    }
  })
})
