import type { Code } from './codes.ts'
import type { Effect } from './effect.ts'
import type { Finding, ResolverKind } from './finding.ts'
import type { Json, JsonObject } from './json.ts'
import type { Outcome } from './verdict.ts'

/** What a grant, a judge or a human said to an open `ask`. */
export interface Resolution {
  readonly by: ResolverKind
  readonly id: string
  readonly verdict: Outcome
  readonly reason: string
  readonly evidence: JsonObject
}

/** The call that people made of the one that came: this one was judged, and only this one may run. */
export interface Modified {
  /** All of them, not only those that were changed. */
  readonly arguments: JsonObject
  /** Of the call as it came. */
  readonly originalDigest: string
  readonly approval: string
  /** Digest of what was changed. */
  readonly edit: string
}

/** A pending approval, as the caller needs it to wait or to resubmit. */
export interface ApprovalReference {
  readonly id: string
  readonly url: string | null
  readonly expiresAt: string
  /** Lets exactly this call be sent again; told once, to whoever asked first, and never kept. */
  readonly token: string | null
}

/** Microseconds, whole. */
export interface Timings {
  readonly ingress: number
  readonly facts: number
  readonly layers: number
  readonly resolve: number
  readonly record: number
}

/** One question the View answered, so that a decision can be replayed exactly (P10). */
export interface ViewAnswer {
  readonly question: 'realpath' | 'read' | 'env' | 'list' | 'git' | 'committed' | 'identity' | 'hosts' | 'processes'
  readonly subject: string
  readonly answer: Json
}

export interface PolicySource {
  /** Of the policy that governs. */
  readonly path: string | null
  readonly degraded: string | null
  /** Every policy that judged, in the order managed, user, project; absent: the one at `path` alone. */
  readonly scopes?: readonly JudgingPolicy[]
  /** Policy files of a project that were found and not read, and why; absent: none. */
  readonly unread?: readonly { readonly path: string; readonly problem: string }[]
}

export interface JudgingPolicy {
  readonly scope: 'managed' | 'user' | 'project'
  readonly path: string | null
  readonly digest: string
  readonly governs: boolean
  readonly trusted: boolean
}

/** One argument and the result that its value stands in. */
export interface FlowEdge {
  /** Dotted name of the argument, `*` for a position. */
  readonly argument: string
  readonly role: string
  readonly origin: string
  readonly source: { readonly tool: string; readonly field: string; readonly step: number } | null
  /** Who or which rule vouches for it. Absent: nobody does. */
  readonly by?: string
}

/** The answer, carrying its own proof. Explain, audit, console and replay all read this one object. */
export interface Decision {
  readonly decision: Outcome
  /** What would have been decided in `enforce` mode; equals `decision` there. */
  readonly would: Outcome
  readonly code: Code
  /** Operator text. */
  readonly reason: string
  /** Coarse text and a safe next step. */
  readonly agentReason: string
  /** The durable record; null only when nothing could be recorded (and then nothing is allowed). */
  readonly auditEntryId: string | null
  readonly callDigest: string
  readonly policyDigest: string
  readonly session: string | null
  readonly mode: 'enforce' | 'shadow'
  readonly findings: readonly Finding[]
  /** Indices into `findings` of those that carried the decision. */
  readonly determining: readonly number[]
  readonly resolutions: readonly Resolution[]
  readonly effects: readonly Effect[]
  readonly risk: { readonly level: 'low' | 'medium' | 'high' | 'critical'; readonly score: number }
  readonly approval: ApprovalReference | null
  /** Where arguments come from that the user did not name; absent: nothing is known of them. */
  readonly flows?: readonly FlowEdge[]
  /** Absent or null: the call as it came. */
  readonly modified?: Modified | null
  /** True where the same call was let through before under the same id of its host: nothing is used for it again. */
  readonly repeats?: boolean
  /** What was kept before the call, so that it can be undone; absent: nothing. */
  readonly undo?: JsonObject
  /** By what a repetition of its effects is known; absent: repeating them does nothing more. */
  readonly outcome?: JsonObject
  readonly view: readonly ViewAnswer[]
  /** Where the policy came from, and whether it is the last good one after a failed reload. */
  readonly policySource: PolicySource
  readonly timings: Timings
}
