/** The thread that decides large calls: a gate of its own over the same store, as a process beside the daemon would have. */
import { workerData } from 'node:worker_threads'
import { openGate } from '../../open.ts'
import { answerApart } from '../../server/apart/answer.ts'
import { ANSWER, type ApartRequest, type Decided } from '../../server/apart/message.ts'
import { watched } from '../../server/apart/watched.ts'
import { callsOf } from '../../server/routes/index.ts'
import { serveTasks } from '../../thread/serve.ts'
import { callParts } from '../app-parts.ts'
import { watchInForce } from '../watch.ts'
import type { CallsData } from './open.ts'

const { home, policy } = workerData as CallsData
// The daemon's own watch tells of every reload; once is enough.
const inForce = watchInForce(policy, () => {})
// Who asks this thread has the journal copied after each call.
const opened = openGate({ home, policy: inForce.current, grown: () => {} })
const parts = callParts(opened, { home, policy: () => inForce.current(null) })
let made: Decided[] = []
let base: string | null = null
const gate = watched(parts.gate, (decided) => made.push(decided))
const routes = callsOf({ ...parts, gate, hook: { ...parts.hook, gate }, base: () => base, build: null, now: Date.now })

serveTasks({
  [ANSWER]: (request: ApartRequest) => {
    base = request.base
    return answerApart(request, {
      routes,
      decided: () => {
        const taken = made
        made = []
        return taken
      },
    })
  },
})
