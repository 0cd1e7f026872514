/**
 * Generated conversations of two turns with thoughts through the model API proxy: `npm run check:conversations -- --count 10000
 * --seed 1`. Fails where a byte of a thought or a signature is another one. The suite does some hundreds.
 */
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'

const { values } = parseArgs({ options: { count: { type: 'string', default: '10000' }, seed: { type: 'string', default: '1' } } })
const { status } = spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', 'test/proxies/model/conversations.test.ts'], {
  stdio: 'inherit',
  env: { ...process.env, CONVERSATIONS: values.count, CONVERSATIONS_SEED: values.seed },
})
process.exitCode = status ?? 1
