/** The thread that looks at the log: a connection of its own that can write nothing, and less of the processor than calls have. */
import { workerData } from 'node:worker_threads'
import { createApprovalQueue } from '../../approvals/queue.ts'
import type { Elsewhere } from '../../audit/log.ts'
import type { GateStore } from '../../open.ts'
import { answerApart } from '../../server/apart/answer.ts'
import { ANSWER, type ApartRequest, CHECKPOINT, HEARD, VERIFY } from '../../server/apart/message.ts'
import { looksOf } from '../../server/routes/index.ts'
import { heardOf } from '../../server/sse-events.ts'
import { loadKeys } from '../../store/sqlite/keys.ts'
import { openReadStore, type ReadStore } from '../../store/sqlite/open.ts'
import type { RecordQuery } from '../../store/store.ts'
import { serveTasks, stepBack } from '../../thread/serve.ts'
import { verifyLog } from '../app-parts.ts'
import type { LooksData } from './open.ts'

const NICENESS = 5
const { home } = workerData as LooksData
stepBack(NICENESS)

let opened: ReadStore | null = null
/** Opened by the first who looks: why it cannot be is then the answer. */
function log(): ReadStore {
  opened ??= openReadStore({ directory: home })
  return opened
}

const refuse = () => Promise.reject(new Error('this thread only looks'))
const store: GateStore = {
  append: refuse,
  run: refuse,
  query: (work) => log().query(work),
  read: (query) => log().read(query),
  now: () => log().now(),
  close: () => log().close(),
}
const queue = createApprovalQueue({ store, keys: () => loadKeys(home) })
const routes = looksOf({ store, queue, now: Date.now })

serveTasks({
  [ANSWER]: (request: ApartRequest) => answerApart(request, { routes }),
  [HEARD]: (query: RecordQuery) => ({ value: [...log().read(query)].map(heardOf) }),
  [VERIFY]: async (copies: Elsewhere) => ({ value: await verifyLog(home, copies) }),
  [CHECKPOINT]: () => {
    log().checkpoint()
    return { value: null }
  },
})
