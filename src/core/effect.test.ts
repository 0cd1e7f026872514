import { describe, expect, test } from 'vitest'
import { resolvedName } from './effect.ts'

describe('what a target really is', () => {
  for (const [value, real, expected] of [
    ['link/a', '/repo/dir/a', '/repo/dir/a'],
    ['a', null, 'a'],
    ['http://0x7f.1/', '127.0.0.1', '127.0.0.1'],
    ['a', '', ''],
  ] as const) {
    test(`${value} → ${expected}`, () => expect(resolvedName({ value, real })).toBe(expected))
  }
})
