import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { proves } from '../../test/proves.ts'
import { chain, testSigner } from '../../test/support/records.ts'
import { anchorText, GENESIS, isCount, matchesDigest, parseAnchor, recordText, valueDigest } from './chain.ts'
import type { StoredRecord } from './store.ts'

const signer = testSigner('key')
const [record] = chain(1, signer) as [StoredRecord]

describe('the text under a hash', () => {
  test('is a canonical JSON array that begins with its version', () => {
    expect(recordText(record)).toBe(
      `["countersign/record/v1","${GENESIS}",1,"${record.id}","${signer.id}","decision","s-1","default","Bash","allow","allow.permitted",1767225601000,{"label":"log","number":1}]`,
    )
    expect(JSON.parse(recordText(record))).toHaveLength(13)
  })

  test('does not depend on the order of keys, and takes a body that is already text', () => {
    const turned = { ...record, body: { number: 1, label: 'log' } }
    expect(recordText(turned)).toBe(recordText(record))
    expect(recordText(record, '{"label":"log","number":1}')).toBe(recordText(record))
  })

  proves('P12', 'each field is under it', () => {
    const changes: Partial<StoredRecord>[] = [
      { previous: 'ab'.repeat(32) },
      { sequence: 2 },
      { id: '0'.repeat(26) },
      { key: 'other' },
      { kind: 'note' },
      { session: null },
      { tenant: 'acme' },
      { tool: 'Read' },
      { decision: 'deny' },
      { code: null },
      { at: 0 },
      { body: {} },
    ]
    const texts = [record, ...changes.map((change) => ({ ...record, ...change }))].map((changed) => recordText(changed))
    expect(new Set(texts).size).toBe(changes.length + 1)
    const { hash, ...covered } = record
    expect(Object.keys(covered).toSorted()).toEqual(changes.flatMap((change) => Object.keys(change)).toSorted())
    expect(hash).toBe(signer.mac(recordText(record)))
  })

  test('text cannot wander from one field into the next', () => {
    const text = fc.oneof(fc.string(), fc.constantFrom('","', '"', '\\', 'a","b', ',', ']', 'null'))
    const fields = fc.record({ session: text, tenant: text, tool: text })
    fc.assert(
      fc.property(fields, fields, (a, b) => {
        const same = a.session === b.session && a.tenant === b.tenant && a.tool === b.tool
        expect(recordText({ ...record, ...a }) === recordText({ ...record, ...b })).toBe(same)
      }),
    )
  })
})

describe('anchors', () => {
  const anchor = { size: 3, hash: record.hash, key: signer.id, at: 5, mac: 'm' }

  test('round trip, and text under the signature', () => {
    expect(parseAnchor(JSON.stringify(anchor))).toEqual(anchor)
    expect(anchorText(anchor)).toBe(`["countersign/anchor/v1",3,"${record.hash}","${signer.id}",5]`)
  })

  test('what is no anchor', () => {
    const wrong: unknown[] = [null, [], 1, {}, ...['size', 'hash', 'key', 'at', 'mac'].map((name) => ({ ...anchor, [name]: true }))]
    for (const value of [...wrong, { ...anchor, size: -1 }, { ...anchor, size: 1.5 }, { ...anchor, hash: 'short' }]) {
      expect(parseAnchor(JSON.stringify(value))).toBeNull()
    }
    expect(parseAnchor('{')).toBeNull()
  })
})

describe('digests of erased values', () => {
  const ring = new Map([[signer.id, signer]])

  proves('T60', 'tell equal values, differ by key and by type, and do not show the value', () => {
    const digest = valueDigest(signer, 'hunter2')
    expect(digest).toMatch(/^hmac-sha256:[0-9a-f]{16}:[0-9a-f]{64}$/)
    expect(valueDigest(signer, 'hunter2')).toBe(digest)
    expect(valueDigest(testSigner('other'), 'hunter2').split(':')[2]).not.toBe(digest.split(':')[2])
    const values = ['1', 1, true, 'true', null, 'null', ['1'], { 1: 1 }, '', {}]
    expect(new Set(values.map((value) => valueDigest(signer, value))).size).toBe(values.length)
    for (const value of values) expect(matchesDigest(valueDigest(signer, value), value, ring)).toBe(true)
  })

  test('a digest that is none matches nothing', () => {
    for (const digest of ['', 'hmac-sha256', `hmac-sha256:${signer.id}:`, 'hmac-sha256:__proto__:00']) {
      expect(matchesDigest(digest, 'x', ring)).toBe(false)
    }
  })
})

test('counts are exact and not negative', () => {
  for (const value of [0, 1, Number.MAX_SAFE_INTEGER]) expect(isCount(value)).toBe(true)
  for (const value of [-1, 0.5, 2 ** 53, Number.NaN, true, '1', null, undefined]) expect(isCount(value)).toBe(false)
})
