/** What the machine of whoever runs the tests has in its environment is no part of them. */
import { spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryDirectory } from './support/records.ts'

const bashIn = (env: NodeJS.ProcessEnv): string => spawnSync('/bin/bash', ['-c', 'echo "$SAID"'], { env, encoding: 'utf8' }).stdout.trim()

test.runIf(existsSync('/bin/bash'))('bash that a test starts does not read the settings of a person', () => {
  const home = temporaryDirectory()
  writeFileSync(join(home, '.bashrc'), 'SAID=read\n')
  expect(bashIn({ ...process.env, HOME: home })).toBe('')
})

test('Node that a test starts reads no certificates of others', () => {
  expect(process.env.NODE_EXTRA_CA_CERTS).toBeUndefined()
})
