/** What happens in a session, as its memory is reduced from it. Everything in an event is bounded and holds no text of a value. */
import type { Outcome } from '../../core/verdict.ts'
import type { Declassified } from './declassified.ts'
import type { KeptGraph } from './graph.ts'
import type { Mark } from './monitors.ts'

/**
 * Who may have written what a tool returns: the workspace, the agent itself, whoever writes to a service, whoever writes to the network.
 * `made`: a program or another agent of this session that the agent told what to do, and perhaps what to say.
 */
export type Reach = 'workspace' | 'made' | 'own' | 'tool' | 'network'

/** What a result holds besides: what only its owner may know, and what lets somebody in. */
export type Holds = 'private' | 'secret'

/** A value that was seen: its keyed hash, the number of its source within the event, and what is known of it. */
export interface SeenValue {
  readonly hash: number
  readonly source: number
  readonly flags: number
}

/** What a text asks for: bits of acts, and topics, as `authorization/language.ts` numbers them. */
export interface AskedFor {
  readonly acts: number
  readonly topics: readonly number[]
}

/** What the user said: keyed hashes of the things and words in it. */
export interface Said {
  /** Of the whole text. */
  readonly task: number
  /** Sentence by sentence. */
  readonly asked: readonly AskedFor[]
  readonly hashes: readonly number[]
}

/** A call was decided. */
export interface CallEvent {
  readonly kind: 'call'
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Names the call until its result comes. */
  readonly id: string
  readonly verdict: Outcome
  readonly reach: Reach
  /** What its result will hold; null: nothing of the kind. */
  readonly holds: Holds | null
  /** Somebody at the host is asked, so it may run. */
  readonly attended: boolean
  /** Hashes of the targets that people are asked about, or agreed to. */
  readonly targets: readonly number[]
  /** Code of the decision; absent: it was allowed. */
  readonly because?: string
  /** When a person last let the session go on, in milliseconds since the epoch. Absent: never. */
  readonly lifted?: number
  /** People agreed to the call. */
  readonly approved: boolean
  /** Null: the user said nothing that was not said before. */
  readonly said: Said | null
  /** What rules over time look for and found. */
  readonly marks: readonly Mark[]
  /** Hashes of runs of secrets that go out with the call. */
  readonly sent: readonly number[]
  /** Hashes of paths with what they hold once the call ran: what came from the network, a copy of a secret. */
  readonly files: readonly number[]
}

/** A call that was let through returned. */
export interface ResultEvent {
  readonly kind: 'result'
  readonly at: number
  readonly id: string
  readonly tool: string
  /** Names of fields; `SeenValue.source` counts them from 0. */
  readonly fields: readonly string[]
  readonly values: readonly SeenValue[]
  /** Hashes of what the user named and the call was aimed at. Absent: of nothing. */
  readonly places?: readonly number[]
  /** Text came in that somebody else may have written. */
  readonly untrusted: boolean
  /** What the texts ask for that the user handed the decision on to; null: they handed on nothing. */
  readonly handed: AskedFor | null
  readonly holds: Holds | null
  /** Hashes of runs of the secrets in it, and of a text that is private. */
  readonly secrets: readonly number[]
  readonly privates: readonly number[]
}

/** A judge made an authorisation graph of the user's request, or gave none. */
export interface GraphEvent extends KeptGraph {
  readonly kind: 'graph'
  readonly at: number
}

/** A person vouched for a value or a source. */
export interface DeclassifiedEvent extends Declassified {
  readonly kind: 'declassified'
  readonly at: number
}

export type SessionEvent = CallEvent | ResultEvent | GraphEvent | DeclassifiedEvent
