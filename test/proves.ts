import { test } from 'vitest'

/**
 * A test that cites the requirements it proves: ids of test/requirements.ts (`SIG-7`, `ROS-1b`, `P5`, `T40`, `PIT-3`).
 * The coverage test reads the citations from the source, so ids must be string literals.
 */
export function proves(ids: string | readonly string[], title: string, body: () => void | Promise<void>, timeout?: number): void {
  const cited = typeof ids === 'string' ? [ids] : ids
  test(`${title} [${cited.join(' ')}]`, timeout === undefined ? {} : { timeout }, body)
}
