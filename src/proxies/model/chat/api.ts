import type { ModelApi } from '../api.ts'
import { chatRequest } from './request.ts'
import { chatStream } from './stream.ts'
import { chatWhole } from './whole.ts'

/** `POST /v1/chat/completions`, as OpenAI and many others serve it. */
export const chat: ModelApi = {
  name: 'chat',
  request: chatRequest,
  whole: chatWhole,
  stream: chatStream,
  heartbeat: Buffer.from(': keepalive\n\n'),
  fault: (status, message) => ({
    error: { message, type: status < 500 ? 'invalid_request_error' : 'server_error', param: null, code: status === 403 ? 'policy' : null },
  }),
}
