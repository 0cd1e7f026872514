/** What the server is handed: it decides nothing, keeps nothing, and reads the machine only through these. */

import type { Channels } from '../approvals/channels/index.ts'
import type { ApprovalQueue, Reviewing } from '../approvals/queue.ts'
import type { Keyed } from '../approvals/store.ts'
import type { Json, JsonObject } from '../core/json.ts'
import type { Gate, PolicyState } from '../gate.ts'
import type { HookParts } from '../hosts/answer.ts'
import type { CallOptions } from '../ingress/call.ts'
import type { GateStore } from '../open.ts'
import type { Threads } from './apart/forward.ts'
import type { ReturnedApart } from './apart/message.ts'
import type { Feed } from './feed.ts'
import type { Guard } from './guard.ts'
import type { Metrics } from './metrics.ts'
import type { UninspectedCount } from './uninspected.ts'

/** Where a request came in: the private socket, loopback, or an address that other machines reach. */
export type Listener = 'socket' | 'loopback' | 'network'

/** How policies are looked at; compiling is the caller's, because names in policies are. */
export interface PolicyTools {
  /** Errors and warnings of a policy's text, each with its place. */
  readonly lint: (text: string) => readonly PolicyFinding[]
  /** Text of the policy in force. */
  readonly text: (path: string | null) => string
  /** Recorded calls decided again under another text, without recording; null with findings where the text is no policy. */
  readonly replay: (text: string, calls: readonly JsonObject[]) => Promise<readonly Redecided[] | null>
}

export interface PolicyFinding {
  readonly level: 'error' | 'warning'
  readonly code: string
  readonly message: string
  readonly help: string | null
  readonly line: number
  readonly column: number
}

export interface Redecided {
  readonly decision: string
  readonly codes: readonly string[]
}

/** What the command line puts together for `createApp`. */
export interface AppParts {
  readonly gate: Gate
  readonly digester: CallOptions['digester']
  readonly hook: Omit<HookParts, 'entrypoint'>
  /** Hooks of another build than this are told to decide without this daemon. Default: every hook is answered. */
  readonly build?: string | null
  /** Why no decision can be made, or null. */
  readonly unready: () => string | null
  readonly version: string
  readonly store: GateStore
  /** State directory: tokens, and the log that is verified. */
  readonly home: string
  readonly keys: () => Keyed
  /** Decides what people change a call into. Absent: arguments cannot be changed over HTTP. */
  readonly reviewing?: Reviewing
  /** The policy in force for the server itself. */
  readonly policy: () => PolicyState
  readonly policies: PolicyTools
  /** The verify report of the log, as JSON; decisions are made meanwhile. */
  readonly verify: () => Promise<Json>
  /** Files of the console by path below it; empty where it was not built. */
  readonly assets: ReadonlyMap<string, Asset>
  /** True: on loopback, agents need no token. Every user of this machine can ask then. Default false. */
  readonly openLoopback?: boolean
  /** Where the server can be reached, without a trailing slash; null on the socket alone. Asked late: the port may be chosen by the system. */
  readonly base: () => string | null
  /** For logins by a provider; default the platform's, and the process's environment. */
  readonly fetch?: typeof globalThis.fetch
  readonly env?: (name: string) => string | undefined
  /** Told in one line of what failed inside; default nobody. */
  readonly note?: (line: string) => void
  /** Whose replies are taken; default none. */
  readonly channels?: Channels | null
  /** Keeps a result that one of the threads looked through. */
  readonly landApart: (returned: ReturnedApart) => Promise<void>
  /** Threads that answer what would keep other calls waiting; default none. */
  readonly threads?: Threads
  /** For tests: any clock in milliseconds since the epoch. */
  readonly now?: () => number
}

export interface Asset {
  readonly type: string
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly etag: string
}

/** What routes work with. */
export interface ServerParts extends Required<Omit<AppParts, 'reviewing'>> {
  readonly queue: ApprovalQueue
  readonly feed: Feed
  readonly guard: Guard
  readonly metrics: Metrics
  /** What proxies could not look into, since this process began. */
  readonly uninspected: () => readonly UninspectedCount[]
}
