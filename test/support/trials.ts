/**
 * Tests that try commands out. Where this machine has no such sandbox, the test holds the gate to saying so with a way out: nothing is
 * skipped in silence, and nothing runs outside of a sandbox instead.
 */
import { expect, test } from 'vitest'
import { createTrials } from '../../src/sandbox/overlay.ts'
import { NoSandbox } from '../../src/sandbox/sandbox.ts'
import { LIMITS } from './trial-limits.ts'

export const trials = createTrials()
export const noTrials = await trials.problem()

export function triedOut(title: string, body: () => Promise<void>): void {
  if (noTrials === null) {
    test(title, body, 180_000)
    return
  }
  test(`${title}: unavailable here (${noTrials})`, async () => {
    expect(noTrials).toMatch(/\. [A-Z].{20,}/)
    await expect(trials.run(['/bin/true'], { places: [], reads: [], cell: EMPTY })).rejects.toThrow(NoSandbox)
  })
}

const EMPTY = { hidden: [], programs: [], cwd: '/', environment: {}, limits: LIMITS }
