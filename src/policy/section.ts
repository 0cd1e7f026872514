/** What a section of the policy file is: the fields it owns at the top level, and how they become a part of the policy. */
import type { ToolCall } from '../core/call.ts'
import type { Sha256 } from '../core/digest.ts'
import type { Facts } from '../facts/facts.ts'
import type { JudgesSection } from './judges.ts'
import type { Policy, PolicyWarning, RegistrySection } from './policy.ts'
import type { Reader } from './reading/fields.ts'
import type { Fields, Values } from './reading/record.ts'
import type { Range } from './reading/source.ts'

/** Names that other rooms define; a policy that uses another one is refused, because nothing would enforce it. */
export interface Vocabulary {
  /** Tool families that have tables. */
  readonly families: readonly string[]
  /** Hazard packs; a group stands for several of them. */
  readonly packs: ReadonlyMap<string, readonly string[]>
  /** Ids of hazard rules. */
  readonly hazards: readonly string[]
  /** Names of the layers that can be bound. */
  readonly layers: readonly string[]
  /** Whether a tool runs commands, by `name` or `server/name`; null where that is not known. Absent: of no tool. For lints. */
  readonly runsCommands?: (tool: string) => boolean | null
  /** Names of tools by family: of the hosts (null), or of the families that a server goes by. Absent: none is known. For lints. */
  readonly toolNames?: (server: string | null) => readonly { readonly family: string; readonly names: readonly string[] }[]
}

export interface CompileOptions {
  readonly path: string | null
  readonly sha256: Sha256
  readonly vocabulary: Vocabulary
  /** Analyses the calls of examples; without it, a rule with examples that read effects is refused. */
  readonly analyseExample?: (call: ToolCall) => Facts
  /** Milliseconds since the epoch: warn of what is over by then. Absent: no such warnings. */
  readonly asOf?: number
  /** Environment variables, for what must not stand in a file. */
  readonly env?: (name: string) => string | undefined
  /**
   * Text of a file that the policy names, relative to the policy's own directory (never to the caller's, ROS-W2). What was
   * read belongs to the policy's digest, and a watched policy is loaded again when it changes. Absent: no file can be named.
   */
  readonly readFile?: (name: string) => FileText
  /** Policies as they were compiled before. Default: each is compiled anew. */
  readonly kept?: KeptPolicies
}

/** Compiled policies that outlive the process; by their text, their path and the files that they name. */
export interface KeptPolicies {
  /** Null where it was not kept, or cannot be used any more. Never throws. */
  readonly find: (text: string, options: CompileOptions) => Policy | null
  /** Never throws. `named`: the files that the policy names. */
  readonly keep: (text: string, policy: Policy, named: ReadonlyMap<string, FileText>) => void
}

export type FileText = { readonly text: string } | { readonly problem: string }

export interface CompileContext {
  readonly reader: Reader
  readonly options: CompileOptions
  /** The registry is compiled first: conditions are typed against its schemas. */
  readonly registry: RegistrySection | null
  /** Compiled before what names one of them. */
  readonly judges: JudgesSection | null
  readonly warn: (code: string, message: string, at: Range) => void
  /** Warnings that know their place already. */
  readonly report: (warnings: readonly PolicyWarning[]) => void
}

export interface Section<F extends Fields, P> {
  /** Top-level keys in canonical order. */
  readonly fields: (vocabulary: Vocabulary) => F
  /** Called only when every field could be read; errors that show now go to the reader. */
  readonly compile: (values: Values<F>, context: CompileContext) => P
}

/** Ties the types of fields and compilation together. */
export function section<F extends Fields, P>(parts: Section<F, P>): Section<F, P> {
  return parts
}
