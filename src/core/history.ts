/** What rules over time and flow may ask of the calls before, whoever remembers them. */

/** What values may be told of where they come from. */
export const FLOW_LABELS = ['user', 'untrusted', 'result', 'nowhere', 'secret', 'fetched', 'denied'] as const
export type FlowLabel = (typeof FLOW_LABELS)[number]
/** What a text may hold. */
export const SENT_LABELS = ['private', 'secret'] as const
export type SentLabel = (typeof SENT_LABELS)[number]
/** What a session may have taken in; `request`: what the user asked for, and somebody vouches for that. */
export const HELD_LABELS = ['request', 'untrusted', 'private', 'secret'] as const
export type HeldLabel = (typeof HELD_LABELS)[number]

/** What is known of the calls before, and of the data of the call at hand. */
export interface History {
  /** Calls so far, without the one at hand. */
  readonly steps: number
  readonly now: number
  /** Something of before is not known. */
  readonly incomplete: boolean
  readonly lastSeen: (id: string, by: string | null) => { readonly step: number; readonly at: number } | null
  readonly count: (id: string, by: string | null) => number
  readonly distinct: (id: string, by: string | null, value: string | null) => number
  /** `*` for any argument. */
  readonly flowsFrom: (argument: string, label: FlowLabel) => boolean
  readonly sends: (label: SentLabel) => boolean
  readonly holds: (label: HeldLabel) => boolean
}
