import { describe, expect, test } from 'vitest'
import { policy } from '../testing/compiled.ts'
import { tightening } from './tighten.ts'

describe('a policy of a repository', () => {
  test('asks about nothing by default: it says from how much doubt or risk on, or nothing is done', () => {
    const silent = tightening(policy(''))
    expect([silent.flow.askAt, silent.risk.flagAt, silent.risk.askAt]).toEqual([null, null, null])
    const said = tightening(policy('flow: { ask_at: 2 }\nrisk: { flag_at: 0.5 }'))
    expect([said.flow.askAt, said.risk.flagAt]).toEqual([2, 0.5])
  })

  test('lifts nothing, whatever it says', () => {
    const { authorization, flow } = tightening(policy('authorization: { words: true }\nflow: { ask_at: never }'))
    expect([authorization, flow.askAt]).toEqual([{ words: false, judge: null, uncoveredAt: null }, null])
  })
})
