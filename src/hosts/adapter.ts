/** The one seam of every agent: what its hook says and wants to hear, how the hook gets into its settings, and whether it holds there. */
import type { ToolCall } from '../core/call.ts'
import type { Decision } from '../core/decision.ts'
import type { Digester } from '../core/digest.ts'
import type { Json, JsonObject } from '../core/json.ts'
import type { Refused } from '../gate/compose.ts'
import type { JsonLimits } from '../ingress/json.ts'
import type { Heard, Proposal } from './probe.ts'
import { GATE_SECONDS, SILENCE_SECONDS } from './seal.ts'

/** One event of a host, in the gate's words. */
export type HookEvent = Told & {
  /** Whose event it is, and how that host is answered, where it runs the hook of another. Absent: the host whose hook it is. */
  readonly speaker?: Speaker
  /** The host's own name of the event, where one call has several. */
  readonly via?: string
}

type Told =
  | { readonly kind: 'call'; readonly call: ToolCall; readonly headless: boolean }
  | { readonly kind: 'result'; readonly call: ToolCall; readonly response: Json; readonly failed?: boolean }
  | { readonly kind: 'prompt'; readonly session: string | null; readonly text: string }
  | { readonly kind: 'settings'; readonly session: string | null; readonly detail: JsonObject }
  | { readonly kind: 'refused'; readonly refused: Refused }

export type ResultEvent = Extract<HookEvent, { kind: 'result' }>

/** What the user asked for, in the user's own words. */
export type PromptEvent = Extract<HookEvent, { kind: 'prompt' }>

/** What an adapter learns from its surroundings. */
export interface HookContext {
  /** Digest of the raw bytes, for input that cannot be read. */
  readonly digest: (bytes: Uint8Array) => string
  /** How the host was started, in its own word (`CLAUDE_CODE_ENTRYPOINT`); null where unknown. */
  readonly entrypoint: string | null
  readonly user: string | null
  /** How large and how nested an event may be. Default: those of the reader. */
  readonly limits?: () => Partial<JsonLimits>
  /** The role of a main session, where the operator set one when the hook was installed. Absent or null: as the host says. */
  readonly role?: string | null
  /** For what the host says of an MCP server: its tools are held to it. Absent: nothing is. */
  readonly definitionDigest?: Digester['definitionDigest']
}

/** Whose settings hold the hook. */
export type Scope = 'user' | 'project' | 'managed'

/** The installation that `init` makes and `doctor` looks at. */
export interface Installation {
  readonly scope: Scope
  /** The Node binary that decides where no daemon answers. */
  readonly node: string
  /** The program that `hook <agent>` is asked of. */
  readonly program: string
  /** Tells the build of the package; empty where it runs from its sources. */
  readonly build: string
  /** The role of main sessions: by name, or by the variable that holds it; absent: as the host says. */
  readonly role?: { readonly name: string } | { readonly variable: string } | null
}

/** What a look at an installation needs. */
export interface Probe extends Omit<Installation, 'scope'> {
  /** State directory of whoever looks. */
  readonly home: string
  /** True where the log holds the denial of this call. */
  readonly recorded: (session: string, callId: string) => boolean
}

/** A file that is to change, whole. */
export interface Change {
  readonly path: string
  readonly before: string | null
  /** Null: the file goes. */
  readonly after: string | null
  readonly mode: number
  /** Mode of directories that have to be made for it. */
  readonly directoryMode: number
}

/** One thing that the doctor looked at. `warn` weakens the gate, `fail` means it is not in force. */
export interface Check {
  readonly name: string
  readonly state: 'ok' | 'warn' | 'fail'
  readonly detail: string
}

/** What becomes of a question at a host. There is no row for `allow`: a question is never one. */
export interface AskRow {
  /** Where a person sits at the host. */
  readonly attended: 'prompt' | 'denial'
  /** Where nobody does: the denial names the approval, and the same call passes once after the yes. */
  readonly headless: 'denial'
  readonly why: string
}

/** Ways in which a hook can fail, each with what the host does to the call where ours is installed. */
export type Failing = Readonly<Record<'crash' | 'hang' | 'missing' | 'empty' | 'garbage', 'stopped' | 'runs' | 'unknown'>>

/** A host whose hooks another one runs as well. */
export interface Borrowing {
  /** Name of the host whose settings are read. */
  readonly from: string
  /** Which of its settings. */
  readonly scopes: readonly Scope[]
  /** On what it depends; empty: on nothing. */
  readonly when: string
  /** `once`: a call that comes through both hooks is known again. `apart`: it looks like a call of the other host. */
  readonly told: 'once' | 'apart'
}

/** What people are told of a host: by `doctor`, and by the page of the docs that is made from it. */
export interface HostAbout {
  /** The agent as people call it. */
  readonly title: string
  /** Names of its program, the usual one first; none where it is part of an editor. */
  readonly programs: readonly string[]
  /** What it leaves below the home of who uses it. */
  readonly traces: readonly string[]
  /** Variables that lead it to other settings, as far as what a call means depends on those. Absent: none. */
  readonly variables?: readonly string[]
  readonly scopes: readonly Scope[]
  /** Seconds that the host waits for the hook. */
  readonly waits: number
  readonly ask: AskRow
  readonly failing: Failing
  /** What never comes to the hook, or goes past it. */
  readonly escapes: readonly string[]
  /** Its subagents belong to the session of the agent that started them. Absent: it does not say to which one they belong. */
  readonly subagents?: 'one session'
  /** Hosts whose hooks it runs besides its own. Absent: none that is known. */
  readonly borrows?: readonly Borrowing[]
  /** Whether this was seen with the real client, or is what its documents say. */
  readonly seen: 'driven' | 'documents'
}

/** How a host is answered. */
export type Speaker = Pick<HostAdapter, 'name' | 'rewrites' | 'callIds' | 'reply' | 'noted' | 'noOpinion' | 'denial'>

export interface HostAdapter {
  /** As on the command line, in the policy and in the address of the hook. */
  readonly name: string
  readonly about: HostAbout
  /** Whether the host takes other arguments in the place of those that it proposed. */
  readonly rewrites: boolean
  /** `some`: not every event of a call has its id, so the same call is not told by it. Default: each has, where there is one. */
  readonly callIds?: 'some'
  /** The variable in which the host says how it was started; null where it says nothing. */
  readonly entrypointVariable: string | null
  /** Bytes of one hook event. Never throws; what cannot be read is refused with a code. */
  readonly parse: (bytes: Uint8Array, context: HookContext) => HookEvent
  /** The host's own answer to a proposed call. An `ask` never becomes an allow. */
  readonly reply: (decision: Decision, headless: boolean) => JsonObject
  /** The answer to everything else: a note on a result for the agent, or null. */
  readonly noted: (note: string | null, event?: ResultEvent) => JsonObject
  /** The answer that lets the host go on as it would without a hook. */
  readonly noOpinion: JsonObject
  /** The same answer, with a line for the person at the host. */
  readonly told: (answer: JsonObject, line: string) => JsonObject
  /** The denial for everything that went wrong before there was a decision. */
  readonly denial: (reason: string) => JsonObject
  /** The settings file that holds the hook. */
  readonly settingsPath: (installation: Installation) => string
  /** Files that have to change for the hook to be installed; none where it is in place. Reads, writes nothing. */
  readonly install: (installation: Installation) => readonly Change[]
  /** Files that have to change for the hook to be gone. */
  readonly uninstall: (installation: Installation) => readonly Change[]
  /** True where settings of this user or machine hold our hook. */
  readonly installed: () => boolean
  /** What to know once it is installed, a line each. */
  readonly advice: (installation: Installation) => readonly string[]
  /** Whether what is installed here is in force, tried with real events. */
  readonly probe: (probe: Probe) => readonly Check[]
  /** The same with the real client, headless, on a model that we script: what it runs and what it does not. Absent: not from here. */
  readonly probeLive?: (probe: Probe, client: string) => Promise<readonly Check[]>
  /** A call in the host's own form, and what an answer says of it. Absent: the host says part of a call in another way than by its event. */
  readonly exercise?: { readonly propose: (proposal: Proposal) => JsonObject; readonly heard: (answer: JsonObject) => Heard }
  /** What is left to do after the files were written, which takes the host's own program. Absent: nothing. */
  readonly afterInstall?: (installation: Installation) => Promise<readonly Check[]>
}

/** Seconds that the hook's script gives each of its two tries: together at most 60 % of what the host waits. */
export function secondsFor({ waits }: Pick<HostAbout, 'waits'>): number {
  return Math.max(1, Math.min(GATE_SECONDS, Math.floor((waits * 0.6 - SILENCE_SECONDS - 1) / 2)))
}

/** The named scope, or an error that lists the valid ones. */
export function scopeNamed(name: string): Scope {
  if (name === 'user' || name === 'project' || name === 'managed') return name
  throw new InstallError(`scope \`${name}\` is not known; valid: user, project, managed`)
}

/** A fault that the person who installs can mend. */
export class InstallError extends Error {
  override readonly name = 'InstallError'
}
