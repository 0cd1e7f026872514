import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { proves } from '../../test/proves.ts'
import { temporaryDirectory } from '../../test/support/records.ts'
import { workplace } from '../../test/support/workplace.ts'
import { parseJson } from '../core/json.ts'
import { toldDecision } from '../core/wire.ts'
import { digester } from '../open.ts'
import { call } from '../policy/testing/compiled.ts'
import { issueReceipt, parseReceipt, receiptFault } from './receipt.ts'
import { receiptKey, receiptKeys, rotateReceiptKey } from './receipt-key.ts'

const AT = Date.UTC(2026, 10, 24)

async function issued() {
  const { decide, home } = workplace('tools: { look: { risk_tier: low } }\n')
  const decision = await decide(call('look', { args: { at: 1 } }))
  const receipt = issueReceipt(decision, AT, { key: receiptKey(home), digester }) ?? ''
  return { decision, receipt, home }
}

describe('a receipt', () => {
  proves('SIG-50', 'holds by the public key alone', async () => {
    const { receipt, home, decision } = await issued()
    expect(receipt).toMatch(
      /^signet=v1; alg=ed25519; entry=[0-9A-Z]{26}; decision=allow; code=registry\.permitted; call=sha256:[0-9a-f]{64}; policy=sha256:[0-9a-f]{64}; digest=sha256:[0-9a-f]{64}; at=2026-11-24T00:00:00\.000Z; key=[0-9a-f]{16}; sig=[0-9a-f]{128}$/,
    )
    expect(receiptFault(receipt, { keys: receiptKeys(home), digester })).toBe(null)
    expect(parseReceipt(receipt)?.call).toBe(decision.callDigest)
  })

  proves('SIG-50', 'any changed letter of it does not hold', async () => {
    const { receipt, home } = await issued()
    const keys = receiptKeys(home)
    for (let at = 0; at < receipt.length; at++) {
      const other = receipt[at] === '0' ? '1' : '0'
      const changed = `${receipt.slice(0, at)}${other}${receipt.slice(at + 1)}`
      expect(receiptFault(changed, { keys, digester }), `letter ${at}`).not.toBe(null)
    }
    expect(receiptFault(receipt.replace('decision=allow', 'decision=deny'), { keys, digester })).toBe('wrong signature')
    expect(receiptFault('', { keys, digester })).toBe('not a receipt')
    expect(receiptFault(receipt.replace('; at=', '; at=x; at='), { keys, digester })).toBe('not a receipt')
  })

  test('it is of one decision, whatever its host calls the session', async () => {
    const { receipt, home, decision } = await issued()
    const told = parseJson(JSON.stringify(toldDecision(decision))) ?? null
    const check = (given: typeof told) => receiptFault(receipt, { keys: receiptKeys(home), digester, decision: given })
    expect(check(told)).toBe(null)
    expect(check({ ...(told as object), session: 'mine', timings_us: {} })).toBe(null)
    expect(check({ ...(told as object), code: 'rules.allowed' })).toBe('another decision')
    expect(check([])).toBe('another decision')
  })

  test('keys of others and new keys', async () => {
    const { receipt, home } = await issued()
    const other = temporaryDirectory()
    receiptKey(other)
    expect(receiptFault(receipt, { keys: receiptKeys(other), digester })).toBe('unknown key')
    const before = receiptKey(home).id
    expect(rotateReceiptKey(home).id).not.toBe(before)
    expect(receiptFault(receipt, { keys: receiptKeys(home), digester })).toBe(null)
    expect(receiptKeys(temporaryDirectory())).toEqual([])
  })

  test('nothing recorded, no receipt', async () => {
    const { decision, home } = await issued()
    expect(issueReceipt({ ...decision, auditEntryId: null }, AT, { key: receiptKey(home), digester })).toBe(null)
  })

  test('another program checks it: openssl', async () => {
    const { receipt, home } = await issued()
    const parsed = parseReceipt(receipt)
    const file = (name: string, bytes: string | Buffer): string => {
      writeFileSync(join(home, name), bytes)
      return join(home, name)
    }
    const [key, text, signature] = [
      file('key.pem', receiptKeys(home)[0] ?? ''),
      file('text', parsed?.signed ?? ''),
      file('sig', parsed?.signature ?? ''),
    ]
    const args = ['pkeyutl', '-verify', '-pubin', '-inkey', key, '-rawin', '-in', text, '-sigfile', signature]
    expect(execFileSync('openssl', args, { encoding: 'utf8' })).toContain('Successfully')
  })
})
