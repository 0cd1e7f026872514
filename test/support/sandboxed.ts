/** Tests that need the sandbox: where it is missing they are skipped and say why, except in CI, where they fail. */
import { test } from 'vitest'
import { createSandbox } from '../../src/sandbox/sandbox.ts'

const problem = createSandbox().problem()
const skipped = problem !== null && process.env.CI !== 'true'

export function insideSandbox(title: string, body: () => Promise<void>, timeout?: number): void {
  if (skipped) test.skip(`${title} (${problem})`, () => {})
  else test(title, body, timeout)
}
