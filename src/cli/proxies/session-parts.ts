/** An open gate as the traffic of sessions meets it. */
import type { ToolCall } from '../../core/call.ts'
import { bytesDigest, digester, type OpenedGate } from '../../open.ts'
import { type LookElsewhere, landElsewhere, NotInspected } from '../../open-results.ts'
import type { SessionParts } from '../../proxies/session-parts.ts'
import { createUninspected, type Owing } from '../../proxies/uninspected.ts'
import { recordPrompt, withWords } from '../session-words.ts'
import { visible, warn } from '../terminal.ts'
import type { LargeCalls } from './large.ts'

type Counted = Pick<Parameters<typeof createUninspected>[0], 'proxy' | 'upstream'>

/** What is done beside everything else. */
export interface Beside {
  /** Where large results are looked through; null: here. */
  readonly look: LookElsewhere | null
  readonly owing: Owing
  readonly large: Pick<LargeCalls, 'gate' | 'kept'>
}

export function sessionParts(opened: OpenedGate, counted: Counted, { look, large, owing }: Beside): SessionParts {
  const turns = createTurns()
  const uninspected = createUninspected({ store: opened.store, session: null, owing, ...counted }).count
  const note = (line: string): void => warn(`countersign: ${visible(line)}`)
  return {
    gate: {
      refuse: opened.gate.refuse,
      decide: async (call, ...rest) => {
        await turns.before(call)
        return large.gate.decide(call, ...rest)
      },
    },
    queue: opened.queue,
    digester,
    bytesDigest,
    keep: (call, response, failed) => {
      const { apart, kept } = large.kept(landElsewhere(opened, { call, response, failed }, { look }))
      if (apart) turns.begun(call, kept)
      kept.catch((error: unknown) => {
        if (!(error instanceof NotInspected)) return
        // Whoever ran the tool has it already.
        uninspected('result', true)
        note(`a result could not be looked through: ${error.message}`)
      })
      return { kept }
    },
    withWords: (call) => withWords(opened, call, opened.asksJudges(call.cwd)),
    prompt: (session, text) => recordPrompt(opened, { kind: 'prompt', session, text }),
    uninspected,
    note,
  }
}

interface Turns {
  /** A result of this session is looked through: what comes after it is judged by it. */
  readonly begun: (call: ToolCall, kept: Promise<unknown>) => void
  /** Waits for those of the session of this call, however they end. */
  readonly before: (call: ToolCall) => Promise<unknown> | undefined
}

function createTurns(): Turns {
  const under = new Map<string, Promise<unknown>>()
  const nameOf = ({ principal, session }: ToolCall): string => JSON.stringify([principal.tenant, session])
  return {
    begun: (call, kept) => {
      const name = nameOf(call)
      const all = Promise.allSettled([under.get(name), kept])
      under.set(name, all)
      void all.then(() => {
        if (under.get(name) === all) under.delete(name)
      })
    },
    before: (call) => under.get(nameOf(call)),
  }
}
