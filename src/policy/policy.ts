import type { TargetKind, Verb } from '../core/effect.ts'
import type { JsonObject } from '../core/json.ts'
import type { Severity } from '../core/severity.ts'
import type { Enforcement } from '../core/verdict.ts'
import type { RoleOverrides } from '../facts/tools/roles/of-call.ts'
import type { Grant } from '../grants/grant.ts'
import type { BehaviourSections } from './baseline/model.ts'
import type { ChannelPolicy } from './channels.ts'
import type { CommandPattern } from './command-pattern.ts'
import type { ContractsSection } from './contracts/model.ts'
import type { ToolPattern } from './glob.ts'
import type { HooksSection } from './hooks/model.ts'
import type { JudgesSection } from './judges.ts'
import type { BeforeSections } from './preview/model.ts'
import type { McpProxySection } from './proxies/mcp.ts'
import type { ModelProxySection } from './proxies/model.ts'
import type { PolicyScopes, Stated } from './scopes/model.ts'
import type { MemorySections } from './sequences/model.ts'

/** A compiled policy: plain frozen data and compiled conditions, indexed by tool. Made by compile.ts, read by layers. */
export interface Policy extends BeforeSections, BehaviourSections, MemorySections {
  readonly version: 1
  /** `sha256:…` over the canonical form of everything that was loaded. */
  readonly digest: string
  readonly path: string | null
  readonly mode: 'enforce' | 'shadow'
  /** What an unmatched call gets: a constant of the bundle, never inferred (T14). */
  readonly default: 'ask' | 'deny'
  readonly registry: RegistrySection
  readonly rules: RulesSection
  readonly hazards: HazardsSection
  readonly contracts: ContractsSection
  readonly capabilities: CapabilitiesSection
  /** By name; `*` holds for every call. */
  readonly roles: RolesSection
  /** The role of calls whose sender names none; null: they have none. */
  readonly defaultRole: string | null
  readonly guards: GuardsSection
  readonly judges: JudgesSection
  /** Level and fail mode per layer; a layer that is not listed has its own default. */
  readonly layers: ReadonlyMap<string, LayerBinding>
  readonly disclosure: DisclosureSection
  readonly approvals: ApprovalsSection
  readonly hooks: HooksSection
  readonly server: ServerSection
  readonly modelProxy: ModelProxySection
  readonly mcpProxy: McpProxySection
  readonly audit: AuditSection
  readonly limits: LimitsSection
  /** Files besides the policy's own that it was made from, as the policy names them. */
  readonly files: readonly string[]
  readonly warnings: readonly PolicyWarning[]
  readonly stated: Stated
  /** Policies that are judged beside this one and only raise; absent: it stands alone. */
  readonly scopes?: PolicyScopes
}

export const DISCLOSURES = ['coarse', 'reason', 'full'] as const

export interface DisclosureSection {
  /** What the agent is told of a denial: that it was one, also why, or all that the log says. */
  readonly toAgent: (typeof DISCLOSURES)[number]
  /** Denials of one effect on one target that end the session; 0: never. */
  readonly repeatsBeforeHalt: number
}

export interface LayerBinding {
  readonly enforcement: Enforcement | null
  /** What a failing layer counts as (D2); `allow` is not a legal value. */
  readonly onError: 'ask' | 'deny' | null
}

/** Ordinals as in Signet: low 0, medium 1, high 2, critical 3. */
export const RISK_TIERS = ['low', 'medium', 'high', 'critical'] as const
export type RiskTier = (typeof RISK_TIERS)[number]

export interface ToolPolicy {
  readonly riskTier: RiskTier
  readonly irreversible: boolean
  readonly dryrunSupported: boolean
  /** JSON Schema of its arguments, against which conditions are typed; null where the policy has none. */
  readonly inputSchema: JsonObject | null
  /** Roles of arguments by their dotted names; empty: as the schema and the names say. */
  readonly roles: RoleOverrides
  /** What it does beside what the analysis finds: raises, never lowers. */
  readonly effects: readonly DeclaredEffect[]
}

/** An effect that the policy says a tool has; names of arguments give its target. */
export interface DeclaredEffect {
  readonly verb: Verb
  readonly action?: string
  readonly kind?: TargetKind
  readonly from?: readonly string[]
  readonly value?: string
  readonly reversible?: boolean
}

export interface RegistrySection {
  /** By exact, case-sensitive name; `server/name` keys win over bare names. */
  readonly tools: ReadonlyMap<string, ToolPolicy>
  /** Families of known tools that count as registered (`claude-code`), with the tiers of their tables. */
  readonly families: ReadonlySet<string>
  readonly maxAllowedTier: RiskTier
  readonly allowCritical: boolean
  readonly escalationThreshold: RiskTier
  /** `abstain`: another policy says what such a tool gets. No file says so. */
  readonly unregistered: 'deny' | 'ask' | 'allow' | 'abstain'
}

/** What a condition sees; field names as on the wire. */
export interface ConditionInput {
  readonly tool: string
  readonly server: string
  readonly args: unknown
  readonly principal: unknown
  readonly session: string
  readonly cwd: string
  readonly effects: readonly unknown[]
  readonly commands: readonly unknown[]
  readonly coverage: string
}

export interface CompiledRule {
  /** `deny[0]`, or the rule's own `id`. */
  readonly id: string
  readonly kind: 'deny' | 'ask' | 'allow'
  /** Position in its list: order never matters. */
  readonly index: number
  readonly filters: RuleFilters
  /** Where it stands in the file; both count from 1. */
  readonly place: { readonly line: number; readonly column: number }
  readonly reason: string
  readonly enforcement: Enforcement | null
  readonly resolvers: readonly ('grant' | 'judge' | 'human')[]
  readonly advice: string | null
  /** True where all filters but the tool pattern hold; throws where the condition cannot be evaluated (T13). */
  readonly matches: (input: RuleInput) => boolean
}

/** The filters as written; null where the rule does not ask. */
export interface RuleFilters {
  readonly tool: string | null
  readonly user: string | null
  readonly role: string | null
  readonly argumentContains: string | null
  readonly when: string | null
  /** True where the condition holds for every call, or there is none. */
  readonly always: boolean
  /** Arguments that the condition reads without asking `has` first. */
  readonly unguarded: readonly string[]
}

export interface RuleInput {
  readonly condition: ConditionInput
  /** JSON of the arguments with sorted keys, spaced and compact, for `argument_contains` (PRO-18). */
  readonly argsText: string
  readonly user: string | null
  readonly role: string | null
}

export interface RulesSection {
  readonly order: 'severity' | 'first-match'
  /** Every rule whose tool pattern can match the named tool, in file order; constant time per tool. */
  readonly forTool: (server: string | null, name: string) => readonly CompiledRule[]
  /** Every rule, deny before ask before allow. */
  readonly all: readonly CompiledRule[]
  readonly readOnly: {
    readonly autoAllow: boolean
    /** Name prefixes that the operator vouches for; empty: names alone permit nothing (D10). */
    readonly prefixes: readonly string[]
    /** Words that keep a name out; null: the built-in list. */
    readonly destructiveWords: readonly string[] | null
    /** Servers whose `readOnlyHint` permits, on a tool with a pinned definition. */
    readonly trustedServers: ReadonlySet<string>
  }
}

export interface CapabilitiesSection {
  /** Capabilities, actions and families that need a grant; empty: the gate is off (ROS-24). */
  readonly gate: ReadonlySet<string>
  /** Grants of the policy and of its files; those that people handed out are in the store. */
  readonly grants: readonly Grant[]
  /** Who takes back which acts, and how: of the policy and of its files. */
  readonly compensators: readonly NamedCompensator[]
}

export interface NamedCompensator {
  readonly action: string
  readonly how: string
  /** By when. */
  readonly until: string
  readonly cannot: string
  readonly owner: string
}

export type RolesSection = ReadonlyMap<string, RolePolicy>

/** A role with all it inherits. */
export interface RolePolicy {
  /** Tools that are denied before anything else. */
  readonly denied: readonly ToolPattern[]
  /** Each that names the tool must hold. */
  readonly policies: readonly RoleLimits[]
  /** One that names the tool must hold; null: none is asked for. */
  readonly capabilities: readonly RoleLimits[] | null
  /** True where a call within its limits is permitted by them. */
  readonly permit: boolean
}

/** Limits of one tool or pattern; null: no limit of that kind. */
export interface RoleLimits {
  readonly id: string
  readonly tool: ToolPattern
  readonly allowCommands: readonly CommandPattern[] | null
  readonly denyCommands: readonly CommandPattern[]
  readonly programs: ReadonlySet<string> | null
  readonly subcommands: ReadonlyMap<string, ReadonlySet<string>>
  /** UTF-16 units of the canonical JSON of the arguments. */
  readonly maxArgsLength: number | null
  /** Lower case, without a trailing dot. */
  readonly allowDomains: readonly string[] | null
  readonly denyDomains: readonly string[]
  readonly allowPaths: readonly PathPattern[] | null
  readonly denyPaths: readonly PathPattern[]
  /** Bytes of UTF-8. */
  readonly maxResponseSize: number | null
  /** `window` is in milliseconds. */
  readonly rate: { readonly limit: number; readonly window: number } | null
  readonly maxConcurrent: number | null
}

export interface PathPattern {
  readonly text: string
  /** Null: the path itself and all below it. */
  readonly matches: ((path: string) => boolean) | null
}

export interface HazardsSection {
  readonly packs: ReadonlySet<string>
  /** Level of every hazard rule that has none of its own here; null: each rule's own default. */
  readonly enforcement: Enforcement | null
  readonly rules: ReadonlyMap<string, Enforcement | 'off'>
  /** What becomes of code that is written for later and would fetch, hide or hand out something. */
  readonly written: 'flag' | 'ask'
  /** True: no hazard runs but those of `rules`. No file says so. */
  readonly onlyNamed?: boolean
}

/** A program of others that is shown a call. */
export interface ScannerPolicy {
  readonly name: string
  /** Absolute program and its arguments. */
  readonly command: readonly string[]
  /** Null: every tool. */
  readonly tools: readonly ToolPattern[] | null
  /** Least severity that denies. */
  readonly failOn: Severity
  /** What a call gets to which it gives no answer. */
  readonly onError: 'ask' | 'deny'
  readonly timeoutMs: number
  /** Names of variables that are handed on. */
  readonly env: readonly string[]
}

export interface GuardsSection {
  readonly scanners: readonly ScannerPolicy[]
  /**
   * Strict: only public hosts over the web, and the hosts named here; `*.example.com` stands for all below. Resolve: public
   * names are looked up before the call is judged.
   */
  readonly ssrf: { readonly strict: boolean; readonly resolve: boolean; readonly allowHosts: readonly string[] }
  readonly canary: { readonly tokens: readonly string[] }
  readonly unicode: { readonly enabled: boolean }
  /** Null: off. An empty list blocks everything (FUL-2). */
  readonly allowlist: readonly string[] | null
  readonly definitions: DefinitionsSection
  /** What of a response is looked for and reported. */
  readonly results: { readonly hidden: boolean; readonly secrets: boolean }
  /** Develop: the package that the gate runs from may be changed by those it gates. For work on Countersign itself. */
  readonly ownProgram: { readonly develop: boolean }
}

/** How definitions of tools are held to what they were (T11). */
export interface DefinitionsSection {
  /** Verdict on a definition that is not the pinned one. */
  readonly onChange: 'ask' | 'deny'
  /** Verdict on a definition where none is pinned; `trust`: it becomes the pinned one. */
  readonly firstUse: 'trust' | 'ask' | 'deny'
  /** Digests that the policy itself pins, by `server/name` or, for a tool of the host, its name. */
  readonly pins: ReadonlyMap<string, string>
  /** Servers whose definitions change by themselves, and so are not compared. */
  readonly except: ReadonlySet<string>
}

/** Who answers what the gate asks of people, and how long it holds. Times in milliseconds, names as `human:…`. */
export interface ApprovalsSection {
  readonly approveWithin: number
  readonly useWithin: number
  /** Distinct people who must agree. */
  readonly quorum: number
  /** Whoever asked may not approve: the agent, or the user where no agent is named. */
  readonly excludeRequester: boolean
  /** The user behind an agent may not approve either. */
  readonly fourEyes: boolean
  /** By role of the caller; `*` for every other. Absent: any operator. */
  readonly approvers: ReadonlyMap<string, readonly string[]>
  /** May approve alone, with a reason. */
  readonly breakGlass: readonly string[]
  /** `to` may answer in the stead of `from`; `until` is exclusive, null: no end. */
  readonly delegates: readonly { readonly from: string; readonly to: string; readonly until: number | null }[]
  /** How far a yes may reach beyond one call; null: not offered. */
  readonly scopes: {
    readonly session: { readonly within: number; readonly uses: number } | null
    readonly grant: { readonly within: number; readonly uses: number } | null
  }
  /** Questions that a session may open within a time. */
  readonly budget: { readonly session: number; readonly within: number }
  /** Calls that may wait at the same time. */
  readonly maxPending: { readonly session: number; readonly tenant: number }
  /** So many denials of one effect on one target within this time, and it is not asked again. */
  readonly denials: { readonly limit: number; readonly within: number; readonly scope: 'session' | 'user' }
  /** Who is told of what waits, and may answer from there. */
  readonly channels: readonly ChannelPolicy[]
}

/** The HTTP server, as the process that serves finds it in its own policy. */
export interface ServerSection {
  /** The integrity layer knows the gate by its port: agents ask it for nothing that is for people. */
  readonly listen: Listening
  /** Whether agents on the private socket need a token, too. */
  readonly tokens: 'optional' | 'required'
  /** `strict`: what an agent's host is answered holds nothing that is for the operator. */
  readonly body: 'full' | 'strict'
  /** Lower case, without ports. */
  readonly hosts: readonly string[]
  /** Addresses and networks of proxies whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: readonly string[]
  /** An origin, without a trailing slash; null: the address that is listened on. */
  readonly publicUrl: string | null
  /** Requests a minute. */
  readonly rates: { readonly agents: number; readonly people: number; readonly logins: number }
  readonly oidc: OidcSection | null
}

export interface Listening {
  readonly host: string
  /** 0: any that is free. */
  readonly port: number
}

export interface OidcSection {
  readonly issuer: string
  readonly clientId: string
  /** Null: a public client. */
  readonly clientSecretEnv: string | null
  readonly scopes: readonly string[]
  readonly nameClaim: string
  readonly roleClaim: string
  /** Values of the role claim to roles here. */
  readonly roles: ReadonlyMap<string, 'viewer' | 'approver' | 'admin'>
  readonly tenantClaim: string | null
  /** Null, with no claim either: every tenant. */
  readonly tenant: string | null
}

export interface AuditSection {
  readonly checkpointEvery: number
  /** Where signed heads of the log are kept. Only the policies of the machine and of the user count. */
  readonly headCopies: readonly HeadCopy[]
}

/** One place outside of the state directory that tells how long the log was. */
export interface HeadCopy {
  /** An absolute path of a file, or an address. */
  readonly to: string
  /** True: nothing is decided while it cannot be read. */
  readonly required: boolean
  /** Environment variable with a bearer token for the address; null: none is sent. */
  readonly tokenEnv: string | null
}

export interface LimitsSection {
  readonly maxBytes: number
  readonly maxDepth: number
  readonly maxCommandBytes: number
}

export interface PolicyWarning {
  readonly code: string
  readonly message: string
  /** Absent: the policy's own file. */
  readonly path?: string | null
  readonly line: number
  readonly column: number
}
