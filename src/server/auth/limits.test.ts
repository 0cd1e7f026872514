import { describe, expect, test } from 'vitest'
import { createLimiter } from './limits.ts'

const clock = () => {
  let time = 0
  return {
    now: () => time,
    pass: (milliseconds: number) => {
      time += milliseconds
    },
  }
}

describe('a limiter', () => {
  for (const [perMinute, burst] of [
    [1, 5],
    [30, 5],
    [60, 10],
    [600, 100],
    [120_000, 20_000],
  ] as const) {
    test(`${perMinute} a minute: ${burst} at once, then it says when`, () => {
      const { now, pass } = clock()
      const limiter = createLimiter(perMinute, now)
      for (let i = 0; i < burst; i += 1) expect(limiter.take('a')).toBe(0)
      const wait = limiter.take('a')
      expect(wait).toBe(Math.max(1, Math.ceil(60 / perMinute)))
      pass(wait * 1000)
      expect(limiter.take('a')).toBe(0)
    })
  }

  test('callers do not share', () => {
    const limiter = createLimiter(1, () => 0)
    for (let i = 0; i < 5; i += 1) limiter.take('a')
    expect([limiter.take('a') > 0, limiter.take('b')]).toEqual([true, 0])
  })

  test('never saves up more than a burst', () => {
    const { now, pass } = clock()
    const limiter = createLimiter(60, now)
    limiter.take('a')
    pass(3_600_000)
    let taken = 0
    while (limiter.take('a') === 0) taken += 1
    expect(taken).toBe(10)
  })

  test('a flood of names does not make it forget the one who sends most', () => {
    const limiter = createLimiter(1, () => 0)
    for (let i = 0; i < 25_000; i += 1) {
      limiter.take('loud')
      limiter.take(`other ${i}`)
    }
    expect(limiter.take('loud')).toBeGreaterThan(0)
  })
})
