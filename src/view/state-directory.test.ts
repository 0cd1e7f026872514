import { homedir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { stateDirectory } from './state-directory.ts'

const own = join(homedir(), '.countersign')

describe('the state directory', () => {
  for (const [environment, expected] of [
    [{}, own],
    [{ COUNTERSIGN_HOME: '' }, own],
    [{ COUNTERSIGN_HOME: undefined }, own],
    [{ COUNTERSIGN_HOME: '/srv/gate' }, '/srv/gate'],
    [{ countersign_home: '/srv/gate' }, own],
  ] as const) {
    test(JSON.stringify(environment), () => expect(stateDirectory(environment)).toBe(expected))
  }
})
