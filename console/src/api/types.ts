/** The wire: what the server's routes answer, in the words of its contract. Times are ISO 8601. */
import type { FlowEdge } from '../../../src/core/decision.ts'
import type { Json, JsonObject } from '../../../src/core/json.ts'

export type Role = 'viewer' | 'approver' | 'admin'

export interface Who {
  readonly name: string
  readonly role: Role
  readonly tenant: string | null
  readonly csrf: string
}

export type ApprovalStatus = 'pending' | 'approved' | 'denied' | 'expired' | 'cancelled' | 'consumed'

export type Outcome = 'allow' | 'flag' | 'ask' | 'deny' | 'halt'

export interface Principal {
  readonly agent?: string | null
  readonly role?: string | null
  readonly user?: string | null
  readonly tenant?: string | null
  readonly chain?: readonly string[]
}

export interface Answer {
  readonly by: string
  readonly verdict: 'approve' | 'deny'
  readonly reason: string
  readonly at: string
  readonly break_glass: boolean
  /** Whose seat was taken by delegation. */
  readonly in_the_stead_of?: string | null
  /** `once`, `session` or `grant`. */
  readonly scope?: string
  /** Given in under two seconds. */
  readonly fast?: boolean
}

export interface Delegation {
  readonly from: string
  readonly to: string
  readonly until: string | null
}

/** Arguments that a person changed; the sheet beside it tells of the changed call. */
export interface Edited {
  readonly by: string
  readonly at: string
  /** The sheet of the call as the agent sent it. */
  readonly before: Sheet | null
  /** What was decided of the changed call. */
  readonly decision: string | null
}

export interface GrantProposal {
  readonly action: string
  readonly scope: JsonObject
  readonly count: number | null
  readonly expires: string | null
}

export type Proposal =
  | { readonly kind: 'session' | 'apply'; readonly text: string }
  | { readonly kind: 'grant'; readonly text: string; readonly grant: GrantProposal }

export interface Terms {
  readonly quorum: number
  readonly excluded: readonly string[]
  readonly approvers: readonly string[] | null
  readonly chain: readonly string[]
  readonly break_glass: readonly string[]
  readonly delegates?: readonly Delegation[]
}

export interface WireFinding {
  readonly layer: string
  readonly rule: string
  readonly verdict: string
  readonly code: string
  readonly message: string
  /** Which policy it comes from, where more than one judged: `{ name, path, line }`. */
  readonly scope?: Json
}

export interface Sheet {
  readonly tool: string | null
  /** The whole call in wire form, redacted. */
  readonly call: JsonObject
  /** Null where a secret was taken out of the call. */
  readonly digest: string | null
  readonly code: string | null
  readonly reason: string | null
  readonly asks: readonly { readonly layer: string; readonly rule: string; readonly code: string }[]
  readonly effects: readonly JsonObject[]
  readonly findings?: readonly WireFinding[]
  /** Null where the registry was not asked. */
  readonly dryrun_supported?: boolean | null
  readonly preview?: Preview | null
  /** Absent where the policy keeps nothing. */
  readonly undo?: readonly WayBack[]
  readonly no_way_back?: readonly string[]
  /** The policies that judged. */
  readonly policy?: Json
}

/** What takes an act back. */
export interface WayBack {
  readonly name: string
  readonly how: string
  readonly until: string
  readonly cannot: string
  readonly owner: string
  /** False where no test ever ran it. */
  readonly exercised: boolean
}

/** What the call was seen to do without being run. */
export interface Preview extends JsonObject {
  readonly kind?: string
  readonly note?: string | null
}

export interface FileChange {
  readonly path: string
  readonly change: string
  readonly before: string | null
  readonly after: string | null
  readonly diff: string
  /** `0644 → 0755` where permissions change; else null. */
  readonly mode: string | null
  readonly cut: boolean
}

export interface Approval {
  readonly id: string
  readonly status: ApprovalStatus
  readonly version: number
  readonly created_at: string
  readonly approve_by: string
  readonly use_by: string | null
  readonly session: string | null
  readonly tenant: string | null
  readonly principal: Principal | null
  readonly tool: string | null
  readonly server: string | null
  readonly call_digest: string | null
  readonly policy_digest: string
  readonly code: string | null
  readonly reason: string | null
  readonly sheet: Sheet
  readonly terms: Terms
  readonly current_approver: string | null
  /** How many different people said yes. */
  readonly yes: number
  readonly answers: readonly Answer[]
  readonly edit?: Edited | null
  readonly group: string | null
  /** Equal for calls that one yes may cover. */
  readonly alike?: string | null
  readonly proposals: readonly Proposal[]
  /** What no grant is proposed for, and why. */
  readonly withheld?: readonly { readonly action: string; readonly target: string; readonly why: string }[]
  readonly decision_id: string | null
  /** What became of the changes of its preview, where people had them made. */
  readonly applied?: { readonly by: string; readonly at: string; readonly record: string; readonly problem: string | null } | null
}

export interface ApprovalList {
  readonly approvals: readonly Approval[]
  readonly groups: readonly { readonly group: string; readonly ids: readonly string[]; readonly text: string }[]
  readonly more: boolean
}

export type Scope = 'once' | 'session' | 'apply' | { readonly grant: GrantProposal }

export interface Approving {
  readonly comment?: string
  readonly scope?: Scope
  readonly modified_arguments?: JsonObject
  readonly break_glass?: boolean
  readonly version?: number
}

export interface BatchResult {
  readonly id: string
  readonly ok: boolean
  readonly error?: { readonly error?: string; readonly message?: string } | string
}

export interface DecisionRow {
  readonly id: string
  readonly at: string
  readonly session: string | null
  readonly tool: string | null
  readonly decision: Outcome | null
  /** What would have been decided, where shadow mode let the call run. */
  readonly would?: Outcome
  readonly code: string | null
  readonly reason: string | null
  readonly summary: string | null
  /** Risk of the session with this decision, from 0 to 1. */
  readonly risk: number
  /** Number of the call in its session, from 1; absent in lists of several sessions. */
  readonly step?: number
  readonly flows: readonly FlowEdge[]
  readonly labels: readonly string[]
}

export interface DecisionList {
  readonly decisions: readonly DecisionRow[]
  /** Handed in for the next page; null on the last. */
  readonly before: number | null
}

export interface SessionRow {
  readonly session: string
  readonly tenant: string | null
  /** Token or person that opened it; null: the user who runs the gate. */
  readonly owner: string | null
  /** Every call of it is stopped, until somebody unlocks it. */
  readonly locked: boolean
  readonly agent: string | null
  readonly role: string | null
  readonly user: string | null
  readonly first_at: string
  readonly last_at: string
  readonly calls: number
  readonly by_decision: Readonly<Partial<Record<Outcome, number>>>
}

export interface SessionAuthorization {
  readonly request: string | null
  readonly words: readonly string[]
  readonly graph: {
    readonly judge: string
    readonly at: string
    readonly permits: readonly string[] | null
    readonly problem: string | null
  } | null
}

/** What is known of what a role usually does. */
export interface RoleBaseline {
  readonly tenant: string | null
  /** Null: calls without a role. */
  readonly role: string | null
  readonly sessions: number
  readonly days: number
  /** False: cold start, its calls are no more than flagged. */
  readonly known: boolean
  readonly needed: number
  readonly waiting: number
  readonly flagged: number
  /** Frozen version that calls are held to; null: what is learned. */
  readonly held: string | null
}

export interface RoleDrift {
  readonly role: RoleBaseline
  readonly usual: readonly { readonly text: string; readonly share: number }[]
  readonly waiting: readonly { readonly text: string; readonly first: string; readonly sessions: number; readonly flagged: boolean }[]
  /** Version that the changes are since; null: none is kept. */
  readonly since: string | null
  readonly changes: readonly { readonly text: string; readonly before: number; readonly after: number }[]
}

export interface VerifyReport {
  readonly ok: boolean
  readonly total: number
  readonly breaks: readonly { readonly kind: string; readonly index: number; readonly id: string | null; readonly detail: string }[]
  readonly warnings: readonly { readonly kind: string; readonly detail: string }[]
}

export interface LintFinding {
  readonly level: 'error' | 'warning'
  readonly code: string
  readonly message: string
  readonly help: string | null
  readonly line: number | null
  readonly column: number | null
}

export interface PolicyView {
  readonly path: string | null
  readonly digest: string | null
  readonly mode: string | null
  readonly degraded: string | null
  readonly text: string | null
  readonly findings: readonly LintFinding[]
}

export interface ReplayChange {
  readonly id: string
  readonly tool: string | null
  readonly before: string
  readonly after: string
  readonly codes: readonly string[]
}

export interface Replay {
  readonly compared: number
  readonly changed: readonly ReplayChange[]
}

export interface Bucket {
  readonly at: string
  readonly allow: number
  readonly flag: number
  readonly ask: number
  readonly deny: number
  readonly halt: number
}

export interface Stats {
  readonly counters: {
    readonly by_decision: Readonly<Record<string, number>>
    readonly by_layer: Readonly<Record<string, number>>
    readonly by_code: Readonly<Record<string, number>>
    /** What shadow mode let run and would have stopped. */
    readonly by_would?: Readonly<Record<string, number>>
  }
  readonly series: readonly Bucket[]
  readonly approvals: Readonly<Record<string, number>>
}

export interface RuleFigures {
  /** `layer.rule` */
  readonly rule: string
  readonly denied: number
  readonly asked: number
  readonly approved: number
  readonly refused: number
  readonly unanswered: number
  readonly waiting: number
  readonly overrides: number
  readonly fast: number
  /** Milliseconds. */
  readonly answer: { readonly median: number; readonly p90: number } | null
  readonly candidate: {
    readonly answers: number
    readonly grants: readonly { readonly answers: number; readonly command: string }[]
  } | null
}

export interface RuleList {
  readonly rules: readonly RuleFigures[]
}

export interface RecordList {
  readonly records: readonly Entry[]
  readonly before: number | null
}

export type Entry = Readonly<Record<string, Json>>

/** A call whose way back is kept. */
export interface Undoable {
  readonly id: string
  readonly at: string
  readonly tool: string | null
  readonly session: string | null
}

/** What taking it back would do now. */
export interface UndoPlan {
  readonly of: string
  /** Of what is shown: who agrees, agrees to this. */
  readonly digest: string
  readonly taken_by: string | null
  readonly steps: readonly UndoStep[]
}

export interface UndoStep {
  readonly name: string
  readonly lines: readonly string[]
  readonly more: number
  readonly problem: string | null
  readonly cannot: string
}

export interface TakenBack {
  readonly id: string | null
  readonly problems: readonly string[]
  readonly whole: boolean
}
