/** Records that `get_order` returned for orders FROM to FROM + COUNT of session `s`, as another process: `results.ts HOME FROM COUNT`. */

import { keepResult } from '../../../src/cli/results.ts'
import { openGate } from '../../../src/open.ts'
import { callOf } from '../../support/calls.ts'

const [, , home = '', from = '0', count = '0'] = process.argv
const opened = openGate({ home, policy: () => ({ policy: null, error: 'only results come here', path: null }) })
const principal = { agent: 'a', user: null, tenant: null }
const kept: Promise<unknown>[] = []
for (let number = Number(from); number < Number(from) + Number(count); number += 1) {
  const call = callOf('get_order', { id: `o${number}` }, { session: 's', principal })
  kept.push(keepResult(opened, { call, response: { owner: `w${number}` } }).kept)
  if (number % 100 === 0) await Promise.all(kept.splice(0))
}
await Promise.all(kept)
opened.close()
process.stdout.write('done\n')
