/** `countersign/advanced`: the parts that a gate is put together from, for layers, stores and entries of your own. */
import type { CallOptions, CallResult } from '../ingress/call.ts'
import { parseCall as parse } from '../ingress/call.ts'
import { digester } from '../open.ts'

export type { ToolCall } from '../core/call.ts'
export type { Layer } from '../layers/layer.ts'
export { createCodeRules } from '../layers/rules/code.ts'
export { LAYERS, openGate } from '../open.ts'
export { openStore } from '../store/sqlite/open.ts'
export type { Store } from '../store/store.ts'

/**
 * Reads a call from the JSON that a host sent, as `POST /v1/decisions` takes it. Never throws on input: what is wrong is `refusal`, with
 * a code and a JSON pointer.
 */
export function parseCall(input: Uint8Array | string, { limits }: Pick<CallOptions, 'limits'> = {}): CallResult {
  return parse(input, { digester, ...(limits === undefined ? {} : { limits }) })
}
