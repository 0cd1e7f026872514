import type { ModelApi } from '../api.ts'
import { anthropicRequest } from './request.ts'
import { anthropicStream } from './stream.ts'
import { anthropicWhole } from './whole.ts'

/** `POST /v1/messages`. */
export const anthropic: ModelApi = {
  name: 'anthropic',
  request: anthropicRequest,
  whole: anthropicWhole,
  stream: anthropicStream,
  heartbeat: Buffer.from('event: ping\ndata: {"type": "ping"}\n\n'),
  fault: (status, message) => ({
    type: 'error',
    error: { type: status === 403 ? 'permission_error' : status < 500 ? 'invalid_request_error' : 'api_error', message },
  }),
}
