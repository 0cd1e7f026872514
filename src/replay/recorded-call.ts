/** A call as a record holds it, or as it is sent, read back into what was judged. */
import { alsoNamedFrom } from '../core/also-named.ts'
import type { ToolCall } from '../core/call.ts'
import { isJsonObject, type Json } from '../core/json.ts'
import { callFromJson } from '../ingress/call.ts'
import { digester } from '../open.ts'

export type RecordedCallResult =
  | {
      readonly ok: true
      readonly call: ToolCall
      /** What the record says of who wrote the task; null: nothing. */
      readonly vouched: boolean | null
    }
  | { readonly ok: false; readonly message: string }

/** What lets a call through, or is spent by it, is left out: the approval token and the host's own id. */
export function recordedCallFrom(value: Json): RecordedCallResult {
  const { definition_digest: _digest, also_named: names, context, ...written } = isJsonObject(value) ? value : {}
  const { task_vouched: vouched, ...around } = isJsonObject(context) ? context : {}
  const alsoNamed = names === undefined ? undefined : alsoNamedFrom(names)
  if (alsoNamed === null) return { ok: false, message: 'the field `also_named` is no list of other names of the tool' }
  const read = callFromJson(
    { ...written, ...(context === undefined ? {} : { context: around }), approval: null, call_id: null },
    { digester },
  )
  if (!read.ok) return { ok: false, message: read.refusal.message }
  const call = alsoNamed === undefined ? read.call : { ...read.call, alsoNamed }
  return { ok: true, call, vouched: typeof vouched === 'boolean' ? vouched : null }
}
