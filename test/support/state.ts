/** Stores in memory that a test has for itself. */
import { rmSync } from 'node:fs'
import { onTestFinished } from 'vitest'
import { newStateDirectory } from './state-base.ts'

/** A directory for a store of this test alone, removed when the test ends. */
export function stateDirectoryOfTest(): string {
  const directory = newStateDirectory()
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}
