/** An open gate as the traffic of sessions meets it. */
import { bytesDigest, digester, type OpenedGate } from '../../open.ts'
import type { SessionParts } from '../../proxies/session-parts.ts'
import { createUninspected } from '../../proxies/uninspected.ts'
import { keepResult } from '../results.ts'
import { recordPrompt, withWords } from '../session-words.ts'
import { visible, warn } from '../terminal.ts'

type Counted = Pick<Parameters<typeof createUninspected>[0], 'proxy' | 'upstream'>

export function sessionParts(opened: OpenedGate, counted: Counted): SessionParts {
  return {
    gate: opened.gate,
    queue: opened.queue,
    digester,
    bytesDigest,
    keep: (call, response, failed) => keepResult(opened, { call, response, failed }),
    withWords: (call) => withWords(opened, call, opened.asksJudges(call.cwd)),
    prompt: (session, text) => recordPrompt(opened, { kind: 'prompt', session, text }),
    uninspected: createUninspected({ store: opened.store, session: null, ...counted }).count,
    note: (line) => warn(`countersign: ${visible(line)}`),
  }
}
