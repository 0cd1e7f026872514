/** The thread that decides large calls: a gate of its own over the same store, as a process beside the daemon would have. */
import { workerData } from 'node:worker_threads'
import { openGate } from '../../open.ts'
import { answerApart } from '../../server/apart/answer.ts'
import { ANSWER, type ApartRequest, type Decided, type ReturnedApart } from '../../server/apart/message.ts'
import { watched } from '../../server/apart/watched.ts'
import { callsOf } from '../../server/routes/index.ts'
import { serveTasks } from '../../thread/serve.ts'
import { callParts } from '../app-parts.ts'
import { lookApart } from '../results.ts'
import { watchInForce } from '../watch.ts'
import type { CallsData } from './open.ts'

const { home, policy } = workerData as CallsData
// The daemon's own watch tells of every reload; once is enough.
const inForce = watchInForce(policy, () => {})
// Who asks this thread has the journal copied after each call.
const opened = openGate({ home, policy: inForce.current, grown: () => {} })
const parts = callParts(opened, { home, policy: () => inForce.current(null) })
let made: Decided[] = []
const gate = watched(parts.gate, (decided) => made.push(decided))

serveTasks({
  [ANSWER]: (request: ApartRequest) => {
    const returned: ReturnedApart[] = []
    // What comes next in the session is mostly judged by the daemon itself, which has to know all of a result and not what the log has of it.
    const result: typeof parts.hook.result = async (event, handover = null) => {
      const looked = lookApart(opened, event, handover)
      returned.push(looked.returned)
      return looked.note
    }
    const hook = { ...parts.hook, gate, result }
    const routes = callsOf({ ...parts, gate, hook, base: () => request.base, build: null, now: Date.now })
    return answerApart(request, {
      routes,
      returned: () => returned,
      decided: () => {
        const taken = made
        made = []
        return taken
      },
    })
  },
})
