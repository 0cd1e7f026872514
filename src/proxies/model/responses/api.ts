import type { ModelApi } from '../api.ts'
import { chat } from '../chat/api.ts'
import { responsesRequest } from './request.ts'
import { responsesStream } from './stream.ts'
import { responsesWhole } from './whole.ts'
import { answeringWithheld } from './withheld.ts'

/** `POST /v1/responses`, and what is fetched of a response later. */
export const responses: ModelApi = {
  name: 'responses',
  request: responsesRequest,
  answering: answeringWithheld,
  whole: responsesWhole,
  stream: responsesStream,
  heartbeat: Buffer.from(': keepalive\n\n'),
  fault: chat.fault,
}
