/** A person vouches for a value, or for what a tool returns, within one session and for a time. The log says who, for what and why. */
import { sessionEvent } from './audit/record.ts'
import type { SessionName } from './gate/session-memory.ts'
import { memoryParts } from './open-memory.ts'
import { type HashKey, keyedHash } from './provenance/keyed-hash.ts'
import { comparedForms, fold } from './provenance/text.ts'
import type { DeclassifiedEvent } from './session/memory/events.ts'
import { MAX_NAME } from './session/memory/names.ts'
import type { Store } from './store/store.ts'

export interface Declassifying extends SessionName {
  /** The value; null: whatever the source returns. */
  readonly value: string | null
  /** The tool whose results hold it, `server/name` where a server offers it; null: wherever it comes from. */
  readonly from: string | null
  /** The field of these results; null: any. Only with `from`. */
  readonly field: string | null
  /** Into which tool and argument; null: any. */
  readonly tool: string | null
  readonly argument: string | null
  /** Milliseconds for which it holds, at most `MAX_LIFE`. */
  readonly life: number
  /** Who vouches, such as `human:alice`. */
  readonly by: string
  readonly reason: string
  /** Milliseconds since the epoch. */
  readonly now: number
}

/** 7 days, in milliseconds. */
export const MAX_LIFE = 604_800_000
const MAX_VALUE = 2_000

/** Why it cannot be vouched for; null: nothing is wrong with it. */
export function problemIn({ value, from, field, life, reason }: Declassifying): string | null {
  if (value === null && from === null) return 'say which value, or from which tool'
  if (value !== null && (fold(value) === '' || value.length > MAX_VALUE)) return `a value has 1 to ${MAX_VALUE} characters`
  if (field !== null && from === null) return 'a field belongs to a tool: say from which'
  if (!(life > 0 && life <= MAX_LIFE)) return 'it holds for at most 7 days'
  return reason.trim() === '' ? 'say why' : null
}

/** The id of the record, and when it ends. */
export async function declassify(
  store: Pick<Store, 'run' | 'query'>,
  home: string,
  wanted: Declassifying,
): Promise<{ readonly id: string; readonly until: number }> {
  const { session, tenant, now, life, value, from, field, tool, argument, by, reason } = wanted
  const until = now + life
  const land = memoryParts({ home, keep: true, store }).declassify({ session, tenant }, (key) => eventOf(wanted, key))
  const { receipt } = await store.run(
    (tx) => land(tx),
    () =>
      sessionEvent({
        session,
        tenant,
        at: now,
        body: { event: 'declassified', session, value, from, field, tool, argument, until: new Date(until).toISOString(), by, reason },
      }),
  )
  return { id: receipt.id, until }
}

function eventOf({ now, life, value, from, field, tool, argument, by }: Declassifying, key: HashKey): DeclassifiedEvent {
  return {
    kind: 'declassified',
    at: now,
    values: value === null ? null : comparedForms(fold(value)).map((form) => keyedHash(key, form)),
    from: from === null ? null : { tool: from.slice(0, MAX_NAME), field: field?.slice(0, MAX_NAME) ?? null },
    tool: tool?.slice(0, MAX_TOOL) ?? null,
    argument: argument?.slice(0, MAX_TOOL) ?? null,
    until: now + life,
    by: by.slice(0, MAX_TOOL),
  }
}

const MAX_TOOL = 100
