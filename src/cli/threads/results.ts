/** The thread that looks large results through: what is wrong with them, what their session remembers, and their record. It knows no store. */
import { type Looking, lookThrough, type Response } from '../../open-looking.ts'
import { type LargeAnswer, lookAtAnswer } from '../../proxies/mcp/apart.ts'
import { LOOK_AT_ANSWER, LOOK_THROUGH } from '../../server/apart/message.ts'
import { serveTasks } from '../../thread/serve.ts'

serveTasks({
  [LOOK_THROUGH]: ({ looking, response, failed }: Response & { readonly looking: Looking }) => {
    return { value: lookThrough(looking, { response, failed }) }
  },
  [LOOK_AT_ANSWER]: ({ looking, ...answer }: LargeAnswer & { readonly looking: Looking }) => {
    const value = lookAtAnswer(answer, looking)
    return { value, transfer: value?.noted == null ? [] : [value.noted.buffer] }
  },
})
