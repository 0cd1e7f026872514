import type { Effect, Span } from '../core/effect.ts'
import type { FileLabel } from '../session/labels.ts'

/** One simple command that the call would run, after wrappers are taken off; what role patterns match against. */
export interface CommandFact {
  /** Base name of the program, or null where it is not statically known. */
  readonly program: string | null
  /** Decoded words, program first; null for a word that is not statically known. */
  readonly argv: readonly (string | null)[]
  /** Wrappers around it, outermost first: `['sudo', 'env']`. */
  readonly wrappers: readonly string[]
  readonly span: Span
  /** What its table read of it, global options set apart; absent for a program without a table. */
  readonly read?: CommandReading
}

export interface CommandReading {
  /** Subcommands by their canonical names: `['remote', 'add']`. */
  readonly path: readonly string[]
  /** What is neither an option, nor its value, nor a subcommand. */
  readonly operands: readonly (string | null)[]
}

/** Characters that a reader cannot see or would misread. */
export interface HiddenCharacters {
  readonly kind: 'tag' | 'zero-width' | 'bidi' | 'variation-selector' | 'control' | 'ansi' | 'fullwidth' | 'confusable'
  readonly severity: 'critical' | 'high' | 'medium' | 'low'
  readonly span: Span
  readonly count: number
}

export interface SecretMatch {
  /** Rule of the table, such as `github-token`. */
  readonly rule: string
  readonly span: Span
}

export interface CanaryMatch {
  /** Index of the configured token; the token itself is never repeated. */
  readonly token: number
  readonly form: 'raw' | 'base64' | 'base32' | 'hex' | 'url' | 'reversed' | 'split' | 'rot13'
  readonly span: Span | null
}

/** A script file whose content was analysed: approvals bind to these digests (T02). */
export interface ScriptFact {
  readonly path: string
  readonly digest: string
}

/** A file that the call would write, for the calls after it. */
export interface WrittenFact {
  /** Kernel-true path. */
  readonly path: string
  /** Its whole content; null where it does not follow from the call. */
  readonly text: string | null
  /** The address its content came from; null where none of it came over the network, as far as known. */
  readonly origin: string | null
  /** What is put at its end, where only that is known. */
  readonly added?: string
  /** `sha256:…` of its content, where only that is known. */
  readonly digest?: string
  /** True: the digest is read once the result of the call comes. Default false. */
  readonly awaited?: boolean
}

/** What the commands in a written file would do when somebody runs it. */
export interface DeferredFact {
  readonly path: string
  /** What kind of file it is, in words. */
  readonly format: string
  /** Where its commands run: inside of an image, or where the user works. */
  readonly ground: 'container' | 'host'
  /** What runs it at once, because it watches the directory; absent: nothing that is known. */
  readonly watched?: string
  /** It goes into a repository on another machine, where others run it; absent: it stays here. */
  readonly pushed?: boolean
  readonly effects: readonly Effect[]
}

/** What is known of the tool itself. */
export interface ToolFact {
  /** Family of our tables (`claude-code`, `mcp-filesystem` …), or null for an unknown tool. */
  readonly family: string | null
  /** Canonical name inside the family. */
  readonly name: string
}

/** Where one argument comes from. */
export interface ArgumentFlow {
  /** JSON pointer into the arguments; of an effect that a command has, into the text that it was read from. */
  readonly pointer: string
  /** Dotted name, `*` for a position. */
  readonly name: string
  readonly role: string
  readonly text: string
  readonly origin: string
  /** The result that it stands in; null: none is known. */
  readonly source: { readonly tool: string; readonly field: string; readonly step: number } | null
  /** It stands there in another form only: encoded, or backwards. */
  readonly hidden: boolean
  /** Who or which rule vouches for it. Absent: nobody does. */
  readonly by?: string
}

/** What the flow of data says of a call; absent where it touches nothing but what is its own. */
export interface FlowFact {
  /** The gravest thing that it does, in the words of a request: `send`, `pay`. */
  readonly act: string
  /** How it was asked for: `full`, `verb`, `noun`, `none`. */
  readonly match: string
  /** Points of doubt; 0 while nothing came in that somebody else may have written. */
  readonly doubt: number
  /** What adds to the doubt besides origins, in words. */
  readonly because: readonly string[]
  readonly arguments: readonly ArgumentFlow[]
  /** Nobody vouches for what the user asked for. */
  readonly taskUnknown: boolean
  /** What of the user's request covers the call, value by value; null or absent: nothing does. */
  readonly authorization?: Authorization | null
  /** The judge that made a graph of the request; null or absent: there is none. */
  readonly graph?: string | null
}

/** What lifts the question of the flow of data, and nothing else. */
export interface Authorization {
  readonly by: 'words' | 'judge'
  /** The judge that made the graph; null where it was made of words. */
  readonly judge: string | null
  /** Which part of it covers the call. */
  readonly permit: string
}

/** Everything the layers may know of a call. Pure over the call and the View. */
export interface Facts {
  readonly tool: ToolFact
  readonly effects: readonly Effect[]
  readonly commands: readonly CommandFact[]
  readonly hidden: readonly HiddenCharacters[]
  readonly secrets: readonly SecretMatch[]
  readonly canaries: readonly CanaryMatch[]
  readonly scripts: readonly ScriptFact[]
  /** Files that the call reads and in which another session left what somebody else may have written. Absent: none is known. */
  readonly labelled?: readonly FileLabel[]
  /** Home of the agent's user, for patterns that begin with `~`; absent where unknown. */
  readonly home?: string
  /** Absent: nothing is written. */
  readonly written?: readonly WrittenFact[]
  /** Absent: nothing that runs later is written. */
  readonly deferred?: readonly DeferredFact[]
  readonly flow?: FlowFact
  /** partial where anything is opaque or a limit was reached. */
  readonly coverage: 'full' | 'partial'
}
