import { describe, expect, test } from 'vitest'
import { nearest, suggestion } from './nearest.ts'

const NAMES = ['risk_tier', 'irreversible', 'dryrun_supported', 'tools', 'rules', 'mode']

describe('the name that was meant', () => {
  for (const [typed, expected] of [
    ['risk_teir', 'risk_tier'],
    ['risktier', 'risk_tier'],
    ['Tools', 'tools'],
    ['tols', 'tools'],
    ['toolss', 'tools'],
    ['ruels', 'rules'],
    ['irreversable', 'irreversible'],
    ['dryrun_suported', 'dryrun_supported'],
    ['mod', 'mode'],
    ['moed', 'mode'],
    ['x', null],
    ['something_else', null],
    ['', null],
    ['modality', null],
  ] as const) {
    test(JSON.stringify(typed), () => expect(nearest(typed, NAMES)).toBe(expected))
  }

  test('the closest of several wins', () => {
    expect(nearest('deny', ['denx', 'deny', 'denyy'])).toBe('deny')
    expect(nearest('ab', [])).toBeNull()
  })
})

describe('the way out', () => {
  test('names the nearest and what is valid', () => {
    expect(suggestion('tols', ['tools', 'mode'])).toBe('did you mean `tools`? valid here: `tools`, `mode`')
    expect(suggestion('zzz', ['tools', 'mode'])).toBe('valid here: `tools`, `mode`')
    expect(suggestion('zzz', [])).toBe('nothing is valid here')
  })

  test('a long list is cut and says so', () => {
    const many = Array.from({ length: 40 }, (_, i) => `name${i}`)
    expect(suggestion('zzzzzz', many)).toMatch(/`name15` and 24 more$/)
  })

  test('a hostile word costs nothing', () => {
    const long = 'x'.repeat(1_000_000)
    expect(suggestion(long, ['x'.repeat(100)])).toMatch(/^valid here/)
  })
})
