import { describe, expect } from 'vitest'
import { proves } from '../proves.ts'
import { killDaemons } from './dying-daemon.ts'

/** `npm run soak` kills it far more often. */
const KILLS = 6

describe('a daemon that dies again and again', () => {
  proves(
    ['T31', 'P5'],
    'every allow has its record',
    async () => {
      const { calls, passed, ...rest } = await killDaemons({ kills: KILLS, atMost: 12, callers: 3, seed: 1 })
      expect(rest).toEqual({ unrecorded: [], wrong: [], verified: true })
      expect(calls).toBeGreaterThan(2 * KILLS)
      expect(passed.length).toBeGreaterThan(calls / 2)
    },
    180_000,
  )
})
