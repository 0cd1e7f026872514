/** The gate inside of another program: what it is asked, and what it answers. The gate itself is loaded when one is made. */
import type { ApprovalHandler } from '../../approvals/handlers.ts'
import type { ApprovalQueue } from '../../approvals/queue.ts'
import type { AskedScope } from '../../approvals/scope.ts'
import type { StoredApproval } from '../../approvals/store.ts'
import type { Principal, ToolDefinition } from '../../core/call.ts'
import type { Code } from '../../core/codes.ts'
import type { Decision } from '../../core/decision.ts'
import type { JsonObject } from '../../core/json.ts'
import type { PolicyState } from '../../gate.ts'
import type { OpenOptions } from '../../open.ts'
import type { PreviewMode } from './previews.ts'

/** Who calls, and from where. What is left out is unknown, which never helps a call. */
export interface Caller {
  readonly principal?: Partial<Principal>
  /** Calls of one conversation share a session: later ones are judged by earlier ones. Default: one session of this gate. */
  readonly session?: string
  /**
   * Which agent of the session calls, where another agent started it. Give it the session of the one that the user speaks with: then it is judged
   * by what that one took in, and that one by what it takes in. Default: the one that the user speaks with.
   */
  readonly subagent?: string
  /** Absolute directory that the call would run in. Default: unknown. */
  readonly cwd?: string
  /** What the user asked for, in words that this program vouches for: judges are shown them as the user's. */
  readonly task?: string
}

/** One tool call that somebody proposes. */
export interface ProposedCall extends Caller {
  /** Name of the tool: exact, at most 256 characters. */
  readonly tool: string
  /** The MCP server that offers the tool. Default: the tool is this program's own. */
  readonly server?: string
  /** A plain object of JSON values: at most 1 MiB and 64 levels, unless the policy says otherwise. Everything else is refused. */
  readonly args: object
  /** What is said of the tool to the model. A policy may pin it. Default: unknown. */
  readonly definition?: Partial<ToolDefinition>
  /** The token of an approval (`decision.approval.token`), for calls without a session. Default: the approval is found by the call itself. */
  readonly approval?: string
  /** The id that the agent gave this call. `decide` and then `run` with the same id and arguments decide once, and run once. */
  readonly callId?: string
}

/** How a gate is opened. Every option has a default: `createGate()` takes the policy and the state directory of this machine. */
export interface GateOptions
  extends Pick<
    OpenOptions,
    'store' | 'protect' | 'view' | 'resolvers' | 'providers' | 'judges' | 'patienceMs' | 'fetch' | 'resolve' | 'preview' | 'layers'
  > {
  /**
   * The text of a policy; a file that is watched, so that changes hold at the next call; or whichever policy holds for a directory.
   * Default: the policy of this machine, as the hook finds it.
   */
  readonly policy?: string | { readonly file: string } | ((cwd: string | null) => PolicyState)
  /** State directory, with the log, approvals and keys. Default `$COUNTERSIGN_HOME`, else `~/.countersign`. */
  readonly home?: string
  /**
   * Who is asked about calls that a person has to see. A handler: it is. `null`: the call waits for an answer in the console, a
   * terminal, a channel, or `approve`. Default: the call is refused at once; sent again once somebody approved, it runs.
   */
  readonly handler?: ApprovalHandler | null
  /** Milliseconds that a call waits for an answer; default 300000, at most a day. Then it is denied. */
  readonly timeoutMs?: number
  /** Who calls, where the call does not say it; asked for each call. Default: nobody that is known. */
  readonly caller?: () => Caller
}

/** What the gate has to know of a function that it wraps. */
export interface WrapOptions {
  /** Name of the tool, as policies know it. Default: the function's. */
  readonly name?: string
  /** True: a person is asked for each call, unless the policy denies it. Default: as the policy says. */
  readonly requiresApproval?: boolean
  /**
   * The preview mode of the tool: says what a call would do, and does nothing. It gets the arguments with `mode: "preview"`, once the gate lets that
   * call run, and before people are asked. Default: it has none.
   */
  readonly preview?: PreviewMode
  /** What is said of the tool to the model. Default: unknown. */
  readonly definition?: Partial<ToolDefinition>
  /** Who calls; asked for each call. Default: as the gate knows it. */
  readonly caller?: () => Caller
  /** The id that the agent gave the call, from the arguments after the first. Default: none is known. */
  readonly callId?: (...rest: readonly unknown[]) => string | undefined
}

/** What came of a call. */
export type Outcome<T = unknown> =
  /** `modified`: people changed the arguments, and it ran with theirs. */
  | { readonly ran: true; readonly result: T; readonly decision: Decision; readonly modified: boolean }
  /** `message` is for the agent. */
  | { readonly ran: false; readonly code: Code; readonly message: string; readonly decision: Decision }

/** What a person says. */
export interface PersonsAnswer {
  /** Who answers, such as `human:alice`, as this program knows it: never what the agent says. */
  readonly by: string
  readonly comment?: string
  /** How far a yes reaches: this call (the default), `session`, or the grant that the approval proposes. */
  readonly scope?: AskedScope
  /** Arguments to run with instead. The call is decided again with them, and waits for a yes to that. */
  readonly modifiedArguments?: JsonObject
}

/** A gate on this machine, as `createGate` opens it. */
export interface Gate {
  /**
   * Judges and records a call, and waits for nobody. Never rejects: a failure is a recorded denial. Only `allow` and `flag` may run;
   * `ask` names the approval that it waits for.
   */
  readonly decide: (call: ProposedCall) => Promise<Decision>
  /**
   * Decides, asks whoever has to be asked, runs the tool with the arguments that were judged, and reports what it returned. Rejects
   * only with what the tool throws.
   */
  readonly run: <T>(call: ProposedCall, tool: (args: JsonObject) => T) => Promise<Outcome<Awaited<T>>>
  /** Tells the gate what a call returned that this program ran itself. Answers what is wrong with the result, or null. */
  readonly report: (call: ProposedCall, result: unknown) => Promise<string | null>
  /**
   * A person's yes to an approval.
   * @throws {GateError} with the code of why it is not taken: `approval.requester`, `approval.unknown`, …
   */
  readonly approve: (id: string, answer: PersonsAnswer) => Promise<StoredApproval>
  /** A person's no. @throws {GateError} */
  readonly deny: (id: string, answer: Omit<PersonsAnswer, 'scope' | 'modifiedArguments'>) => Promise<StoredApproval>
  /**
   * The same function behind the gate. It gets a copy of its first argument, as it was judged; other arguments are handed on. It
   * rejects with `CallRefused` where the call does not run.
   * @throws {GateError} for a function without a name, or where nobody could be asked.
   */
  readonly wrap: {
    <T>(tool: () => T, options?: WrapOptions): () => Promise<Awaited<T>>
    <A extends object, R extends readonly unknown[], T>(
      tool: (args: A, ...rest: R) => T,
      options?: WrapOptions,
    ): (args: A, ...rest: R) => Promise<Awaited<T>>
  }
  /**
   * A check for the start of a program: every tool that is offered to the agent was wrapped by this gate.
   * @throws {GateError} that names those that were not.
   */
  readonly assertGated: (names: Iterable<string>) => void
  /** Runs `work` for this caller: calls inside of it belong to the caller, wherever they are made. */
  readonly as: <T>(caller: Caller, work: () => T) => T
  /** Approvals: `list`, `show`, `wait` and answers to several at once. */
  readonly approvals: ApprovalQueue
  /** True where calls wait for people inside of `run`. */
  readonly waits: boolean
  /** Closes the log. Calls are denied from then on. */
  readonly close: () => void
}

/**
 * Opens a gate on this machine.
 * @throws {GateError} for a policy that cannot be used, with every error and its position, and for options that make no sense.
 */
export async function createGate(options: GateOptions = {}): Promise<Gate> {
  const { openEngine } = await import('./engine.ts')
  return openEngine(options)
}
