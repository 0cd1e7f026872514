import type { Json, JsonObject } from './json.ts'
import type { ToolName } from './tool-name.ts'

/** Who a tool is. Two servers may offer the same name; a changed definition is another tool (T11). */
export interface ToolIdentity {
  /** The server that offers it, exact bytes; null for a host's built-in tool. */
  readonly server: string | null
  /** Exact bytes, case-sensitive. */
  readonly name: string
  /** `sha256:…` over the canonical definition, or null where the host sent none. */
  readonly definition: string | null
}

/** What the host said of the tool. Annotations may raise, never lower. */
export interface ToolDefinition {
  readonly description: string | null
  readonly inputSchema: JsonObject | null
  readonly annotations: JsonObject | null
  /** What people are shown as its name, and what it says that it returns. Absent or null: not said. */
  readonly title?: string | null
  readonly outputSchema?: JsonObject | null
  /** Where the host says that its server is: an address, a command line, the settings it came from. Absent or null: not said. */
  readonly origin?: string | null
}

/** On whose behalf. Every field may be unknown; none has a default that grants anything. */
export interface Principal {
  readonly agent: string | null
  readonly role: string | null
  readonly user: string | null
  readonly tenant: string | null
  /** Who stands behind the agent, nearest approver first (`human:…`). */
  readonly chain: readonly string[]
}

/** What is said about the work; never the transcript. */
export interface CallContext {
  readonly task: string | null
  /**
   * True where whoever runs the agent vouches that the user wrote the task: the host's prompt event, a token with that right, a
   * person. Absent or false: the agent's own claim, which is never shown as the user's words. No call can say it of itself.
   */
  readonly vouched?: boolean
  readonly recent: readonly Json[]
}

/** Another name of a tool. */
export interface OtherName extends ToolName {
  /** True: another spelling of the same tool. False: the tool may be this one, and would then do what this one does. */
  readonly sure: boolean
}

/** One proposed tool call, after ingress: checked, limited, and not yet judged. */
export interface ToolCall {
  readonly tool: ToolIdentity
  readonly args: JsonObject
  readonly principal: Principal
  readonly session: string | null
  /** Absolute directory the call would run in, or null where the host did not say. */
  readonly cwd: string | null
  readonly context: CallContext
  readonly definition: ToolDefinition | null
  /** An approval token handed in with a resubmission. */
  readonly approval: string | null
  /** The host's own id of this call (`tool_use_id`): same id with other arguments is refused (T20). */
  readonly callId: string | null
  /**
   * Which agent of the session proposes it, where another agent started that one. It belongs to the session of the work, whatever session the
   * host gave it: what one of them took in, all are judged by. Absent or null: the agent that the user speaks with, or the host does not tell.
   */
  readonly subagent?: string | null
  /** True where agents that the caller starts may have sessions of which nobody says whose they are. Absent: they belong to this one. */
  readonly apart?: true
  /** Arguments that change nothing of what the call does, by the host's own list: no yes is bound to them. Absent: there are none. */
  readonly inert?: readonly string[]
  /**
   * Other names that the same tool has or may have, as where a host runs the names of server and tool together. What a policy says of
   * any of them holds if it raises; only under `tool` does it permit. Absent: the tool has one name.
   */
  readonly alsoNamed?: readonly OtherName[]
}

const NOBODY: Principal = { agent: null, role: null, user: null, tenant: null, chain: [] }

export interface CallKnown extends Partial<Omit<ToolCall, 'args' | 'principal'>> {
  readonly principal?: Partial<Principal>
}

/** A call of which nothing is known but the name of its tool, its arguments, and what `known` adds. */
export function bareCall(name: string, args: JsonObject, { principal, ...known }: CallKnown = {}): ToolCall {
  return {
    tool: { server: null, name, definition: null },
    args,
    principal: { ...NOBODY, ...principal },
    session: null,
    cwd: null,
    context: { task: null, recent: [] },
    definition: null,
    approval: null,
    callId: null,
    ...known,
  }
}
