import type { HookEvent } from '../adapters/hooks/claude-code/parse.ts'
import { resultRecord } from '../audit/record.ts'
import type { OpenedGate } from '../open.ts'

/** Keeps what a tool returned, for the reader of the log and for contracts that refer to what the session knows. */
export async function recordResult(
  { store, observe }: Pick<OpenedGate, 'store' | 'observe'>,
  event: Extract<HookEvent, { kind: 'result' }>,
): Promise<void> {
  await store.append(resultRecord(event.call, event.response, Date.now()))
  observe(event.call, event.response)
}
