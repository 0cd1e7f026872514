/**
 * Applies what a preview showed, as an approver does, and is killed by the system in the middle: `tsx killed-applying.ts HOME APPROVAL STEP`. A
 * test starts it.
 */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { openGate } from '../../src/open.ts'
import { policyOf } from './workplace.ts'

const [home = '', approval = '', section = '', step = '1'] = process.argv.slice(2)
const { link } = { link: fs.linkSync }
let names = 0
// New names are put in their place by links: the kill falls between two of them.
fs.linkSync = (from, to) => {
  if (String(to).startsWith('/proc/self/fd/')) names++
  if (names === Number(step)) process.kill(process.pid, 'SIGKILL')
  link(from, to)
}
syncBuiltinESMExports()
const { queue } = openGate({ home, policy: () => ({ policy: policyOf(section), degraded: null }) })
await queue.answer(approval, { tenant: null, by: 'human:alice', verdict: 'approve', scope: 'apply' })
