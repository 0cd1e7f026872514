import type { HookEvent } from '../adapters/hooks/claude-code/parse.ts'
import { resultRecord } from '../audit/record.ts'
import type { Store } from '../store/store.ts'

/** Keeps what a tool returned, for rules over sequences and for the reader of the log. */
export async function recordResult(store: Pick<Store, 'append'>, event: Extract<HookEvent, { kind: 'result' }>): Promise<void> {
  await store.append(resultRecord(event.call, event.response, Date.now()))
}
