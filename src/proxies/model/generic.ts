/** Answers of no API of ours: they pass, unless a call could be in them. */
import type { Json } from '../../core/json.ts'
import type { Judge, StreamRewriter } from './api.ts'
import { locate } from './json.ts'
import type { Frame } from './sse.ts'
import { holdsCall } from './unknown.ts'

const WHAT = 'an answer of an unknown kind that may hold a call'

export function unknownStream(judge: Judge): StreamRewriter {
  const refuse = async (frame: Frame): Promise<readonly Buffer[]> => {
    const ruling = await judge.unjudged({ why: 'uninspected', what: WHAT, name: null, sample: frame.data ?? '' })
    return ruling.kind === 'run' ? [frame.bytes] : []
  }
  return {
    frame: (frame) => (frame.data !== null && !isHarmless(frame.data) ? refuse(frame) : [frame.bytes]),
    end: async () => [],
  }
}

/** The text of a whole answer, or null where it was withheld. */
export async function unknownWhole(text: string, judge: Judge): Promise<string | null> {
  if (text.split('\n').every(isHarmless) || isHarmless(text)) return text
  const ruling = await judge.unjudged({ why: 'uninspected', what: WHAT, name: null, sample: text })
  return ruling.kind === 'run' ? text : null
}

/** Text that is no JSON holds no call that a client would find. */
function isHarmless(text: string): boolean {
  const trimmed = text.trim()
  if (!trimmed.startsWith('{') && !trimmed.startsWith('[')) return true
  const located = locate(trimmed)
  return located === null ? !/"(?:name|type|tool|function|arguments)/.test(trimmed) : !holdsCall(located.value as Json)
}
