/** The contract between the tables of known tools and the reader that turns a call into effects. Tables are data. */
import type { Json } from '../../core/json.ts'
import type { Effect, EffectOptions, Span, Target, TargetKind, Verb } from '../effect.ts'
import type { CommandFact, ScriptFact, WrittenFact } from '../facts.ts'
import type { View } from '../view.ts'
import type { ArgumentKind } from './keys.ts'

/** As in a policy's registry. */
export type Tier = 'low' | 'medium' | 'high' | 'critical'

/** What a tool does with an argument. */
export type Use =
  | 'ignore' // text, number, option: no effect of its own
  | 'read'
  | 'list'
  | 'write'
  | 'delete'
  | 'move' // removed here; the argument that is written is where it goes
  | 'execute'
  | 'change' // rights, owner: not the content
  | 'cwd' // the directory the tool runs in
  | 'fetch'
  | 'send'
  | 'contact' // a host
  | 'shell'
  | 'powershell'
  | 'python'
  | 'javascript'
  | 'applescript'
  | 'sql'
  | 'patch'

/** A constant effect of a tool; its words may come from arguments. */
export interface ToolEffect {
  readonly verb: Verb
  readonly action?: string
  readonly kind?: TargetKind
  /** Names of arguments; the first that has a text gives the target's value. */
  readonly from?: readonly string[]
  /** The target's value where no argument gives one. */
  readonly value?: string
  /** Attributes of the effect, each from the first of the named arguments that is there. */
  readonly attributes?: Readonly<Record<string, readonly string[]>>
  readonly fixed?: Readonly<Record<string, Json>>
  readonly reversible?: boolean
  /** Names of arguments; the first that has a text is the directory that a client works in. */
  readonly directory?: readonly string[]
}

export interface ToolSpec {
  readonly tier: Tier
  /** For the registry: what the tool does cannot be taken back. */
  readonly irreversible?: boolean
  /** Uses by the kind of an argument's name, see keys.ts. */
  readonly on?: Readonly<Partial<Record<ArgumentKind, Use>>>
  /** Uses by name; wins over `on`. Nested names are joined by dots, `*` is every element: `edits.*.path`. */
  readonly args?: Readonly<Record<string, Use>>
  readonly effects?: readonly ToolEffect[]
  /** The program that the tool runs for the call; null: what the call has it do is not known. */
  readonly command?: (context: ToolContext) => CommandLine | null
  /** True where `refine` only names files: it runs nothing. */
  readonly onlyFiles?: true
  /** Code for what the data cannot say; runs last. */
  readonly refine?: (context: ToolContext) => void
}

/** What a tool runs, in words: one line after the other. */
export interface CommandLine {
  readonly lines: readonly (readonly string[])[]
  /** Null: in which directory is not known, whatever the effects would say of it. */
  readonly directory?: null | undefined
}

export interface ToolFamily {
  readonly family: string
  /** Words of server names that the family is known by; empty for a host's built-in tools. */
  readonly servers: readonly string[]
  /** Its tools have names of every day (`get`, `search`): they are its own only where the server goes by the family's name. */
  readonly exact?: true
  readonly tools: Readonly<Record<string, ToolSpec>>
  /** Other names of the same tools. */
  readonly aliases?: Readonly<Record<string, string>>
}

/** One string among the arguments. */
export interface Argument {
  readonly text: string
  readonly pointer: string
}

/** What a part of the call that is code came to. */
export interface Analysed {
  readonly effects: readonly Effect[]
  readonly commands: readonly CommandFact[]
  readonly scripts: readonly ScriptFact[]
  readonly written?: readonly WrittenFact[]
  readonly coverage: 'full' | 'partial'
}

/** The analysers of languages that the reader is handed. */
export interface Analysers {
  shell(text: string, at: { readonly pointer: string; readonly cwd: string | null }): Analysed
  sql(text: string, at: { readonly span: Span; readonly database: Target }): readonly Effect[]
}

/** What a table's code may ask; it only collects. */
export interface ToolContext {
  readonly view: View
  /** Directory the tool runs in; null where unknown. */
  readonly cwd: string | null
  /** The own argument of that name. */
  value(name: string): Json | undefined
  /** The first of the named arguments that is a non-empty string; null where none is. */
  text(...names: readonly string[]): string | null
  /** Every string at a pattern of names: `files.*.path`, `paths.*`, `path`. */
  all(pattern: string): readonly Argument[]
  emit(verb: Verb, target: Target, options?: EffectOptions): void
  thing(kind: TargetKind, value: string): Target
  /** Puts the argument to a use, as the table would. */
  use(use: Use, argument: Argument, options?: EffectOptions): void
  opaque(reason: string, span?: Span | null): void
}

/** What an unknown tool does by the words of its name. */
export interface Intent {
  readonly verb: Verb
  readonly action: string | null
  readonly kind: TargetKind
  readonly tier: Tier
  readonly irreversible: boolean
  /** The words that are not the verb: what it is done to. */
  readonly nouns: readonly string[]
}
