import type { JsonObject } from '../core/json.ts'
import type { Certainty, Effect, EffectOptions, Span, Target, TargetKind, Verb } from './effect.ts'
import type { CommandReading } from './facts.ts'
import type { FileAnswer, View } from './view.ts'

/**
 * The contract between the shell walker (bash/), which finds every command that would run, and the tables of
 * command knowledge (programs/<family>/), which say what a command does. The walker never knows a program's name; a
 * table never sees an AST.
 */

/** One word after expansion, as far as it is statically known. */
export interface Word {
  /** Decoded text; null where it is not statically known. */
  readonly text: string | null
  /** The known part before the first unknown or glob character: `/etc/` of `/etc/$x`; the whole text where known. */
  readonly prefix: string
  /** An unquoted glob is in it: it may stand for many names. */
  readonly glob: boolean
  /** True where it came out of a command substitution, a pipe or the network, and could be anything. */
  readonly dynamic: boolean
  readonly span: Span
  /** As written, where the walker knows it; for explanation only. */
  readonly raw?: string
  /** Effects of the commands whose output is in it (`"$(curl …)"`): where a dynamic word comes from. */
  readonly from?: readonly Effect[]
  /** Where `text` is null: its known parts in order, null for each that is not known. */
  readonly pieces?: readonly (string | null)[]
  /** Where `text` is null: what it may be, known because the ways to here are; it may be something else. */
  readonly candidates?: readonly string[]
  /** Where `text` is null: patterns of which what follows `prefix` matches one (`find -name '*.pem'`). */
  readonly named?: readonly string[]
  /** It was split already, or was quoted where it stood. */
  readonly whole?: boolean
  /** The text was taken out of an encoding (`$(echo … | base64 -d)`). */
  readonly decoded?: boolean
  /** Any number of words: what is not known and is split, or an array that nobody knows. */
  readonly many?: boolean
}

/** Where the bytes on standard input come from. */
export type Input =
  | { readonly kind: 'none' }
  | { readonly kind: 'text'; readonly text: string | null; readonly span: Span; readonly decoded?: boolean } // heredoc, here-string, known pipe
  | { readonly kind: 'file'; readonly word: Word; readonly from?: readonly Effect[] }
  | {
      readonly kind: 'pipe'
      readonly from: readonly Effect[]
      readonly producers: readonly string[]
      readonly decoded?: boolean
      /** What of this machine arrives, where the View tells: data that may leave, though it is known. */
      readonly told?: string
    }

/** A command that would run: wrappers taken off, words expanded. */
export interface Invocation {
  /** Base name of the program: `rm` for `/bin/rm`. */
  readonly name: string
  /** The word as written. */
  readonly program: Word
  readonly args: readonly Word[]
  /** `VAR=value` prefixes. */
  readonly env: ReadonlyMap<string, Word>
  readonly input: Input
  /** True where its standard output goes into another command. */
  readonly piped: boolean
  readonly span: Span
}

/** What a table may ask of the walker. Every method only collects; nothing is run. */
export interface CommandContext {
  readonly view: View
  /** True where the code at hand is a module that another program loads. */
  readonly imported: boolean
  /** Directory in effect for this command; null where `cd` made it unknown. */
  readonly cwd: string | null
  /** True where it runs in a container or on another machine. */
  readonly remote: boolean
  /** The file of the project that says so; null where the call does, or a file that is not the project's. */
  readonly project: string | null
  /** True of an absolute path of the workspace that neither this call nor an earlier one of the session brought. */
  ofProject(path: string): boolean
  /** A path word as a target: resolved against `cwd`, classified, real path through the View. */
  path(word: Word): Target
  /** A URL or scheme-less host word as a target. */
  url(word: Word): Target
  /** Told how the words were read, before anything comes of it. */
  understood(reading: CommandReading): void
  /** An effect with the invocation's span filled in where none is given. */
  emit(verb: Verb, target: Target, options?: EffectOptions): void
  /** A target that is neither path nor host. */
  thing(kind: TargetKind, value: string): Target
  /** Analyses words as a command of their own (xargs, sudo, find -exec …). `wrapper` names who runs it. */
  command(words: readonly Word[], wrapper: string, input?: Input): void
  /**
   * Analyses text as a shell script (`bash -c`, `eval`); null text becomes opaque. Where `span` is that of an argument, its
   * provenance tells remote from decoded code, and the arguments after it are the script's parameters.
   */
  shell(text: string | null, span: Span, wrapper: string): void
  /**
   * Analyses source text of a language (`python -c`). Null text becomes opaque with the provenance of the argument at `span`,
   * or of standard input where no argument stands there (`curl … | python`).
   */
  code(language: Language, text: string | null, span: Span): void
  /** Analyses a script file through the View, as an interpreter would run it; null: that of its first line. */
  script(language: Language | null, path: Word, args: readonly Word[]): void
  /** A project file that says what runs (`Makefile`, `package.json`), at an absolute path: named with its digest (T02). */
  ran(path: string, file: FileAnswer): void
  /** What this very call put into a file: null text where that is not known, null where it did not write it. */
  written(path: Word): { readonly text: string | null } | null
  /** The text of a file that this call or an earlier one of the session put there; null where neither did, or where it is not known. */
  broughtText(path: Word): string | null
  /** The names that arrive from one small file of the workspace; null where it is something else, or not sure. */
  names(input: Input): readonly string[] | null
  /** Paths of the files that this very call wrote or linked, as far as they are known. */
  made(): readonly string[]
  /** Says that the program runs what changes in an absolute directory from now on. */
  watches(directory: string): void
  /** Whether this call until now, or an earlier one, may have brought settings of the project in an absolute directory, unseen. */
  brought(directory: string): boolean
  /** The words behind the code at hand, which it finds as its arguments. */
  parameters(): readonly Word[]
  /** A variable that the command may be given; null where nothing is known of it. */
  variable(name: string): Word | null
  /** Sets a variable for what is started from here on. */
  assign(name: string, word: Word): void
  /** Whether a path is a directory after what the call did until now. */
  isDirectory(real: string): 'yes' | 'no' | 'maybe'
  /** Analyses a local module that a program loads: once, however often it is loaded, and while there is room. */
  module(language: Language, path: Word): void
  /** Absolute directories in which the running program's own modules are looked for: of the scripts at hand, innermost first, then where it runs. */
  beside(): readonly string[]
  /** The download that these effects read, straight or through files that this session wrote; null where there is none. */
  downloaded(from: readonly Effect[]): Effect | null
  /**
   * Says of a word that names code — a file, an address, a substitution, `-` for standard input — that what runs comes from the network.
   * False where that is not known of it.
   */
  fetched(word: Word): boolean
  /** Runs standard input as source: an interpreter without a script (`curl … | sh`). Nothing where there is no input. */
  stdin(language: Language, args?: readonly Word[]): void
  /** Collects what `body` emits with these attributes, elsewhere than on this machine where `remote` is set: `ssh`, containers. */
  within(place: Place, body: (context: CommandContext) => void): void
  /** Reads SQL into effects against the named database. */
  sql(text: string | null, span: Span, database: Target): void
  /** Something that could not be told. */
  opaque(reason: string, span?: Span): void
  /** Counts work of the call that is looked at, in tenths of a microsecond; false once that is more than is done, which is said. */
  spend(units: number): boolean
}

/** Where source text stands. */
export interface CodeAt {
  readonly span: Span
  readonly context: CommandContext
  /** It is that of a file, not of an argument or of standard input. */
  readonly inFile: boolean
}

/** Who reads source text of other languages than the shell's: the shell meets them here only. */
export interface Languages {
  /** Reads source text into effects, said to the context; what is not recognised becomes opaque. */
  read(language: Language, text: string, at: CodeAt): void
  /** The substitutions that a script of sed makes; null where it does anything else. */
  sedEdits(script: string): readonly SedEdit[] | null
  /** The text after a script of sed; null where that is not known. */
  applySed(script: string, text: string, extended: boolean): string | null
}

/** A substitution of sed, or text that is put beside a line: an empty pattern. */
export interface SedEdit {
  readonly pattern: string
  readonly replacement: string
}

/** Where commands run that a wrapper starts. */
export interface Place {
  readonly attributes: JsonObject
  /** True where paths are not this machine's: they are classified by name only. */
  readonly remote: boolean
  /** How sure it is that anything runs there; default as sure as the wrapper itself. */
  readonly certainty?: Certainty
  /** Another directory to run in (`env -C`, `make -C`). */
  readonly directory?: Word
  /** Where its client works instead of where it runs (`git -C`); null: that is not known. */
  readonly worksIn?: Word | null
  /** Absolute paths of the files that say what runs there: what is the project's own is trusted as its build is. */
  readonly files?: readonly string[]
}

export type Language =
  | 'shell'
  | 'python'
  | 'node'
  | 'perl'
  | 'ruby'
  | 'php'
  | 'awk'
  | 'sed'
  | 'jq'
  | 'lua'
  | 'powershell'
  // Read by their words only.
  | 'r'
  | 'julia'
  | 'elixir'
  | 'erlang'
  | 'tcl'
  | 'octave'
  | 'lisp'
  | 'haskell'
  | 'jvm'
  | 'swift'
  | 'raku'
  // Read for what they start, delete and send.
  | SourceLanguage

/** Languages of builds and of what is compiled: code that only computes says nothing, what acts by literal words is followed. */
export type SourceLanguage = 'rust' | 'go' | 'java' | 'csharp' | 'zig' | 'starlark'

/** What an option's value or an operand is. */
export type Role =
  | 'data' // text, number, pattern: no effect of its own
  | 'read'
  | 'write'
  | 'delete' // a path
  | 'append' // a path that is appended to
  | 'url' // fetched
  | 'send' // a URL or host that data goes to
  | 'host' // contacted
  | 'script' // a file that is executed
  | 'program' // a program that runs, or a command line that begins with one
  | 'steps' // a file that says, in a language of the tool's own, what it builds or runs
  | 'load' // code that is loaded: a script, a library, a package
  | 'code' // code in a language that is not analysed: the programs that it starts by literal words are followed
  | `code:${Language}`

/**
 * One program, or one subcommand of one, as data. `effects` are constant; `operands` and `options` give effects by role;
 * `refine` is code for what data cannot say, and runs after them.
 */
export interface CommandSpec {
  /** Options without a value: every spelling, `-rf` is understood as `-r -f`. */
  readonly flags?: readonly string[]
  /** Options with a value, by spelling. `--x=v`, `--x v`, `-xv` and `-x v` are all understood. */
  readonly options?: Readonly<Record<string, Role>>
  /** Options whose value may only be attached (`-i[SUFFIX]`, `--color[=WHEN]`). */
  readonly optionalValues?: readonly string[]
  /** Roles of operands in order; the last repeats. Absent: `data`. */
  readonly operands?: readonly Role[]
  /** The role of the very last operand where there are at least two (`cp a b`, `mv a b`). */
  readonly lastOperand?: Role
  /** Operands end the options (`ssh host rm -rf x`). */
  readonly stopAtOperand?: boolean
  /** Single-dash long options (`find -name`, `java -jar`, terraform). */
  readonly singleDashLong?: boolean
  readonly subcommands?: Readonly<Record<string, CommandSpec>>
  /** Other names of a subcommand or program: `{ i: 'install' }`. */
  readonly aliases?: Readonly<Record<string, string>>
  /** What it does whenever it runs. */
  readonly effects?: readonly SpecEffect[]
  /**
   * Options that make it only explain or pretend (`--help`, `--version`, `--dry-run`): none of its effects happen.
   * `--dry-run=client` means that option with that value. Listed options need not stand in `flags` too.
   */
  readonly inert?: readonly string[]
  /** Inert options count only before the first operand: BSD getopt ends the options there, so `rm -rf / --help` removes. */
  readonly inertFirst?: boolean
  /** Attributes that every effect by role or from `effects` gets while one of the options is on: `{ force: ['-f', '--force'] }`. */
  readonly attributes?: Readonly<Record<string, readonly string[]>>
  /** It is there to run another program in its place. */
  readonly wraps?: true
  /** Once it ran something of known content, it leaves no trace of its own. */
  readonly transparent?: true
  /** Code for what the data cannot say. */
  readonly refine?: (parsed: ParsedCommand, context: CommandContext) => void
}

export interface SpecEffect {
  readonly verb: Verb
  readonly action?: string
  readonly target?: { readonly kind: TargetKind; readonly operand?: number; readonly value?: string }
  readonly reversible?: boolean
  readonly reason?: string
  readonly attributes?: JsonObject
}

/** An invocation read with the option grammar of its spec; the last spelling of a flag wins. */
export interface ParsedCommand {
  readonly invocation: Invocation
  /** Subcommand path, canonical: `['remote', 'add']`. */
  readonly path: readonly string[]
  /** True, or false where negated later (`--no-force`). */
  flag(...names: readonly string[]): boolean
  /** The last value of the option under any of its names. */
  value(...names: readonly string[]): Word | null
  /** Every value of the option under any of its names. */
  values(...names: readonly string[]): readonly Word[]
  /** Every operand, those after `--` included; words of the subcommand path are not. */
  readonly operands: readonly Word[]
  /** Words after `--`. */
  readonly rest: readonly Word[]
  /** Options that the spec does not know. */
  readonly unknown: readonly Word[]
  /** Options of the grammar with a value that is data, as far as nobody asked for it. */
  unconsumed(): readonly { readonly name: string; readonly value: Word }[]
  /** True where an inert option is in force. */
  readonly inert: boolean
}

/** A family: programs by base name. */
export type CommandTable = Readonly<Record<string, CommandSpec>>
