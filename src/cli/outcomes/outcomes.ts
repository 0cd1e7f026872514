/** Outcomes in a terminal. To look is for anybody who may read the store; to settle is the operator's, never the agent's. */
import { userInfo } from 'node:os'
import { openAttempts } from '../../gate/outcome/answers.ts'
import { stateDirectory } from '../../open.ts'
import { settleOutcome } from '../../open-outcomes.ts'
import { openStore } from '../../store/sqlite/open.ts'
import { plainJson } from '../approvals-text.ts'
import { EXIT, print, UsageError, visible } from '../terminal.ts'

const MOST = 1_000

export async function list(options: { json?: boolean }): Promise<number> {
  return withStore(async (store) => {
    const rows = store.query((tx) => openAttempts(tx, MOST)).map((row) => ({ ...row, call: store.get(row.record) }))
    for (const { call, at, ...row } of rows) {
      const when = new Date(at).toISOString()
      const line = `${row.record}  ${when}  ${row.verb}  ${call?.tool ?? ''}  ${row.session ?? ''}  ${row.why ?? 'no result came'}`
      print(options.json === true ? plainJson({ ...row, at: when, tool: call?.tool ?? null }) : visible(line))
    }
    if (rows.length === 0 && options.json !== true) print('the outcome of every such call is known')
    return EXIT.ok
  })
}

export async function settle(record: string, options: { happened?: boolean; not?: boolean; reason: string }): Promise<number> {
  if ((options.happened === true) === (options.not === true)) throw new UsageError('say what you know: --happened or --not')
  if (options.reason.trim() === '') throw new UsageError('settling needs a reason: --reason "how you know"')
  return withStore(async (store) => {
    const told = { record: record.toUpperCase(), happened: options.happened === true, by: `human:${userInfo().username}`, now: store.now() }
    const id = await settleOutcome(store, { ...told, reason: options.reason })
    if (id === null) throw new UsageError(`nothing is open for \`${visible(record)}\`; \`countersign outcomes list\` shows what is`)
    print(visible(`settled ${record} (record ${id})`))
    return EXIT.ok
  })
}

type Log = ReturnType<typeof openStore>

async function withStore(work: (store: Log) => Promise<number>): Promise<number> {
  const store = openStore({ directory: stateDirectory() })
  try {
    return await work(store)
  } finally {
    store.close()
  }
}
