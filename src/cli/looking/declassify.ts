/** `sessions declassify`: the operator vouches for a value in one session, never the agent. */
import { userInfo } from 'node:os'
import { stateDirectory } from '../../open.ts'
import { type Declassifying, declassify, problemIn } from '../../open-declassify.ts'
import { readDuration } from '../../policy/contracts/dates.ts'
import { openStore } from '../../store/sqlite/open.ts'
import { EXIT, print, UsageError, visible } from '../terminal.ts'

export interface VouchOptions {
  readonly value?: string
  readonly from?: string
  readonly field?: string
  readonly tool?: string
  readonly argument?: string
  readonly for: string
  readonly reason: string
  readonly tenant?: string
}

export async function vouch(session: string, options: VouchOptions): Promise<number> {
  const home = stateDirectory()
  const store = openStore({ directory: home })
  try {
    const { value = null, from = null, field = null, tool = null, argument = null, reason, tenant = null } = options
    const life = readDuration(options.for) ?? Number.NaN
    const by = `human:${userInfo().username}`
    const wanted: Declassifying = { session, tenant, value, from, field, tool, argument, life, by, reason, now: store.now() }
    const problem = problemIn(wanted)
    if (problem !== null) throw new UsageError(problem)
    const { id, until } = await declassify(store, home, wanted)
    print(visible(`vouched for in ${session} until ${new Date(until).toISOString()} (record ${id})`))
    return EXIT.ok
  } finally {
    store.close()
  }
}
