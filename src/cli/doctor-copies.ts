/** Copies of the head of the log: whether they can be read, and whether this is the log that they speak of. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Check } from '../hosts/adapter.ts'
import { headCopiesOf } from '../open-copies.ts'
import type { Policy } from '../policy/policy.ts'
import { copyBreak, copyProblem, type LogNow, type ReadCopyOf } from '../store/copies/read.ts'
import { readCounter } from '../store/sqlite/counter.ts'
import { keysDirectory, loadKeys } from '../store/sqlite/keys.ts'
import { openStore } from '../store/sqlite/open.ts'
import { copiesOf } from './head-copies.ts'

/** One line for each copy; none where there is no log yet. `carried`: a daemon answers, and writes to addresses as it goes. */
export async function copyChecks(policy: Policy, home: string, carried: boolean): Promise<readonly Check[]> {
  if (headCopiesOf(policy).length === 0 || !existsSync(join(keysDirectory(home), 'audit.key'))) return []
  const { ring } = loadKeys(home)
  const copies = await copiesOf(policy, ring)
  const counter = readCounter(home, ring)
  let store: ReturnType<typeof openStore>
  try {
    store = openStore({ directory: home })
  } catch (error) {
    return [{ name: 'log', state: 'fail', detail: error instanceof Error ? error.message : 'it cannot be opened' }]
  }
  try {
    const hashAt: LogNow['hashAt'] = (sequence) => [...store.read({ after: sequence - 1, limit: 1 })][0]?.hash
    const log = { head: store.head(), epoch: counter.state === 'found' ? counter.mark.epoch : 0, hashAt }
    return copies.map((copy) => checkOf(copy, log, carried))
  } finally {
    store.close()
  }
}

function checkOf({ spec, place, reading }: ReadCopyOf, log: LogNow, carried: boolean): Check {
  const name = 'copy of the head'
  const broken = copyBreak(place.name, reading, log)
  if (broken !== null) return { name, state: 'fail', detail: broken.message }
  const silent = copyProblem(place.name, reading)
  if (silent !== null) return { name, state: spec.required ? 'fail' : 'warn', detail: silent }
  if (reading.state !== 'found') return { name, state: 'warn', detail: `nothing was written to ${place.name} yet` }
  const seen = `${place.name} has seen ${reading.mark.size} records (at ${new Date(reading.mark.at).toISOString()}) of ${log.head.size}`
  const late = carried || place.name === spec.to ? '' : '; it is kept up to date while `countersign serve` runs'
  return { name, state: 'ok', detail: `${seen}${late}` }
}
