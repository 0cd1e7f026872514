import { vi } from 'vitest'

/** Waits until the check holds; its time ends what never will, and is no measure. */
export function eventually(check: () => unknown): Promise<unknown> {
  return vi.waitFor(check, { timeout: 60_000, interval: 20 })
}
