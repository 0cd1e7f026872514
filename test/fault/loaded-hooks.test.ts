import { expect, test } from 'vitest'
import { answersUnder } from './loaded-hooks.ts'

// What takes hours is `npm run soak:hooks`; no time is asserted that a busy machine could miss by itself.
test.each([true, false])(
  'the hook answers in time on a busy machine, and rightly; with a daemon: %s',
  async (daemon) => {
    const { took, late, missed, wrong } = await answersUnder({ runs: 6, load: 90, callers: 2, daemon })
    expect({ count: took.length, late, missed, wrong }).toEqual({ count: 6, late: 0, missed: 0, wrong: [] })
  },
  300_000,
)
