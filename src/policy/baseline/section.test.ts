import { describe, expect, test } from 'vitest'
import { tightening } from '../scopes/tighten.ts'
import { policy } from '../testing/compiled.ts'

const of = (baseline: string) => policy(`tools: { x: {} }\n${baseline}`).baseline

describe('baseline:', () => {
  test('absent: off; present: learns and flags, and asks nobody', () => {
    expect(of('')).toBeNull()
    expect(of('baseline: {}')).toEqual({ learns: true, roles: null, flagAt: 9, askAt: null, warmUp: 20, quarantineDays: 14 })
  })

  test('as written', () => {
    const written = of('baseline: { roles: [ops], flag_at: never, ask_at: 20, freeze: true, warm_up: 50, quarantine: 36h }')
    expect(written).toEqual({ learns: false, roles: new Set(['ops']), flagAt: null, askAt: 20, warmUp: 50, quarantineDays: 2 })
  })

  test('a policy that nobody answers for has nothing learned, and may have calls flagged sooner', () => {
    const project = policy('tools: { x: {} }\nbaseline: { flag_at: 3, ask_at: 9 }')
    expect(tightening(project).baseline).toMatchObject({ learns: false, flagAt: 3, askAt: 9 })
    expect(tightening(policy('tools: { x: {} }')).baseline).toBeNull()
  })
})
