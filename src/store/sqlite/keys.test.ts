import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryDirectory } from '../../../test/support/records.ts'
import { StoreError } from '../store.ts'
import { createAuditKey, createKeyReader, isCounted, keysDirectory, loadKeys, markCounted, rotateAuditKey, signerOf } from './keys.ts'

function withKey(): string {
  const directory = temporaryDirectory()
  createAuditKey(directory, () => {})
  return directory
}

describe('the keys of a log', () => {
  test('a key of 32 random bytes, for this user alone, made once', () => {
    const directory = withKey()
    const path = join(keysDirectory(directory), 'audit.key')
    const secret = readFileSync(path)
    expect([secret.length - 1, statSync(path).mode & 0o777, statSync(keysDirectory(directory)).mode & 0o777]).toEqual([32, 0o600, 0o700])
    createAuditKey(directory, () => {})
    expect(readFileSync(path)).toEqual(secret)
    expect(readdirSync(keysDirectory(directory))).toEqual(['audit.key'])
    expect(readFileSync(join(keysDirectory(withKey()), 'audit.key'))).not.toEqual(secret)
  })

  test('HMAC-SHA256, as RFC 4231 has it', () => {
    const cases: [Uint8Array, string, string][] = [
      [new Uint8Array(20).fill(0x0b), 'Hi There', 'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7'],
      [
        new TextEncoder().encode('Jefe'),
        'what do ya want for nothing?',
        '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
      ],
    ]
    for (const [secret, text, expected] of cases) expect(signerOf(secret).mac(text)).toBe(expected)
  })

  test('the id of a key depends on it and shows nothing of it', () => {
    const a = signerOf(new Uint8Array(32).fill(1))
    expect(a.id).toMatch(/^[0-9a-f]{16}$/)
    expect(signerOf(new Uint8Array(32).fill(1)).id).toBe(a.id)
    expect(signerOf(new Uint8Array(32).fill(2)).id).not.toBe(a.id)
  })

  test('rotation keeps the retired keys at hand', () => {
    const directory = withKey()
    const first = loadKeys(directory).current.id
    const second = rotateAuditKey(directory).current.id
    const { current, ring } = rotateAuditKey(directory)
    expect(new Set([first, second, current.id]).size).toBe(3)
    expect([...ring.keys()].toSorted()).toEqual([first, second, current.id].toSorted())
    for (const name of readdirSync(keysDirectory(directory))) {
      expect(statSync(join(keysDirectory(directory), name)).mode & 0o777).toBe(0o600)
    }
  })

  test('a key says that it has a counter, and is the same key; cut to the older form it is another', () => {
    const directory = withKey()
    const path = join(keysDirectory(directory), 'audit.key')
    const { id } = loadKeys(directory).current
    const bytes = readFileSync(path)
    writeFileSync(path, bytes.subarray(1))
    expect([isCounted(directory), loadKeys(directory).current.id]).toEqual([false, id])
    markCounted(directory)
    expect([isCounted(directory), loadKeys(directory).current.id, readFileSync(path)]).toEqual([true, id, bytes])
    expect(isCounted((rotateAuditKey(directory), directory))).toBe(true)
    writeFileSync(path, bytes.subarray(0, 32))
    expect(loadKeys(directory).current.id).not.toBe(id)
  })

  test('a rotation that was cut short is done again', () => {
    const directory = withKey()
    const { current } = loadKeys(directory)
    writeFileSync(join(keysDirectory(directory), `audit-${current.id}.key`), readFileSync(join(keysDirectory(directory), 'audit.key')))
    expect(rotateAuditKey(directory).ring.has(current.id)).toBe(true)
  })

  test('a key that is missing, cut or long is refused', () => {
    const directory = withKey()
    const path = join(keysDirectory(directory), 'audit.key')
    for (const bytes of [0, 31, 33, 34]) {
      writeFileSync(path, new Uint8Array(bytes))
      expect(() => loadKeys(directory)).toThrow(StoreError)
    }
    rmSync(path)
    expect(() => loadKeys(directory)).toThrow(`the audit key \`${path}\` is missing`)
    writeFileSync(join(keysDirectory(directory), 'audit-0123456789abcdef.key'), 'x')
    expect(() => loadKeys(directory)).toThrow(StoreError)
  })

  const LATER = 60_000

  test('whoever asks at each call gets the keys of now, and the files are read only where they changed', () => {
    const directory = withKey()
    const path = join(keysDirectory(directory), 'audit.key')
    const read = createKeyReader(directory, () => Date.now() + LATER)
    const first = read()
    expect(read()).toBe(first)
    const rotated = rotateAuditKey(directory)
    expect([read().current.id, read().ring.has(first.current.id)]).toEqual([rotated.current.id, true])
    expect(read()).toBe(read())
    writeFileSync(path, new Uint8Array(32).fill(7))
    expect(read().current.id).toBe(signerOf(new Uint8Array(32).fill(7)).id)
    writeFileSync(path, new Uint8Array(31))
    expect(read).toThrow(StoreError)
    rmSync(path)
    expect(read).toThrow(`the audit key \`${path}\` is missing`)
  })

  test('keys that changed a moment ago are read each time: the next change could have the same time', () => {
    const read = createKeyReader(withKey(), () => Date.now())
    expect(read()).not.toBe(read())
  })
})
