/** `…:generateContent` and `…:streamGenerateContent`. */
import type { Judge, ModelApi, Output, StreamRewriter } from '../api.ts'
import { edited, type Located, locate } from '../json.ts'
import { type Frame, withData } from '../sse.ts'
import { holdsCall } from '../unknown.ts'
import { freshTurn, judgedAnswer } from './parts.ts'
import { geminiRequest } from './request.ts'

/** Without `alt=sse` a stream is a list, whose items are looked into once all of it is there. */
async function geminiWhole(body: Located, judge: Judge): Promise<string | null> {
  const context = { judge, turn: freshTurn() }
  const edits = await judgedAnswer(body, body.root.items ?? [body.root], context)
  return edits === null ? null : edited(body, edits)
}

function geminiStream(judge: Judge): StreamRewriter {
  const context = { judge, turn: freshTurn() }
  const refused = async (frame: Frame, what: string): Promise<Output> => {
    const ruling = await judge.unjudged({ why: 'uninspected', what, name: null, sample: frame.data ?? '' })
    return ruling.kind === 'run' ? [frame.bytes] : []
  }
  const judged = async (frame: Frame, event: Located): Promise<Output> => {
    const edits = await judgedAnswer(event, [event.root], context)
    if (edits === null) return refused(frame, 'a piece with a call in an unknown place')
    return [edits.length === 0 ? frame.bytes : withData(frame, edited(event, edits))]
  }
  return {
    frame: (frame) => {
      if (frame.data === null) return [frame.bytes]
      const event = frame.legible ? locate(frame.data) : null
      if (event === null) return refused(frame, 'an event that is no JSON')
      return holdsCall(event.value) || /"(?:executableCode|codeExecutionResult)"/.test(event.text) ? judged(frame, event) : [frame.bytes]
    },
    // A call is whole in its piece: where the stream ends, nothing waits.
    end: async () => [],
  }
}

export const gemini: ModelApi = {
  name: 'gemini',
  request: geminiRequest,
  whole: geminiWhole,
  stream: geminiStream,
  heartbeat: Buffer.from('\n'),
  fault: (status, message) => ({
    error: { code: status, message, status: status === 403 ? 'PERMISSION_DENIED' : status < 500 ? 'INVALID_ARGUMENT' : 'UNAVAILABLE' },
  }),
}
