import { describe, expect, test } from 'vitest'
import { proves } from '../proves.ts'
import { campaign, check } from './campaign.ts'
import { mutated } from './mutate.ts'
import { Random } from './random.ts'
import { SEEDS, TOKENS } from './seeds.ts'

/** A bounded part of what `npm run fuzz` does for hours: seeded, so that a failure can be repeated. */

const COMMANDS_PER_SEED = 1_500

describe('mutated commands neither throw, nor fail inside, nor point outside of the text', () => {
  for (const seed of [1, 2, 3, 4]) {
    proves('T08', `seed ${seed}`, () => {
      const tally = campaign(seed, COMMANDS_PER_SEED)
      expect(tally.failures.filter((failure) => failure.what !== 'slow')).toEqual([])
      expect(tally.count).toBe(COMMANDS_PER_SEED)
      // Mutation must reach both what is understood and what is not.
      expect(tally.opaque).toBeGreaterThan(COMMANDS_PER_SEED / 20)
      expect(tally.opaque).toBeLessThan(COMMANDS_PER_SEED)
    })
  }
})

test('every seed is analysed without a failure', () => {
  for (const seed of SEEDS) expect(check(seed).failure, seed).toBeNull()
})

test('every token alone, doubled and after a command is analysed without a failure', () => {
  for (const token of TOKENS) {
    for (const text of [token, token + token, `rm x ${token}`, `${token} rm x`, `echo "${token}"`])
      expect(check(text).failure, text).toBeNull()
  }
})

test('a run can be repeated from its seed', () => {
  const run = (seed: number): readonly string[] => {
    const random = new Random(seed)
    return Array.from({ length: 50 }, () => mutated(random))
  }
  expect(run(7)).toEqual(run(7))
  expect(run(7)).not.toEqual(run(8))
  expect(new Set(run(7)).size).toBeGreaterThan(40)
})

test('what is slow is measured again, and said only where it stays slow', () => {
  expect(check('ls').milliseconds).toBeLessThan(50)
  expect(check('ls').failure).toBeNull()
})
