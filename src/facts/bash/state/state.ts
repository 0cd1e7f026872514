import type { CompoundList, Function as FunctionNode, ParsedScript, PipelineNode, Word as SyntaxWord } from 'unbash'
import type { JsonObject } from '../../../core/json.ts'
import { type Certainty, type Effect, type EffectOptions, effect, opaque, type Span, type Target, type Verb } from '../../effect.ts'
import type { CommandFact, ScriptFact } from '../../facts.ts'
import type { Input, Languages, Word } from '../../host.ts'
import type { View } from '../../view.ts'
import { Budget, LIMITS, WORK } from './budget.ts'
import { directoryOf, isOfClient } from './directory.ts'
import { Earlier } from './earlier.ts'
import { Files, type Written } from './files.ts'
import { led, unlinked } from './links.ts'
import { atProgram } from './own.ts'
import type { Frame, Scope, Trap } from './scope.ts'

export {
  type Arrival,
  changed,
  type Frame,
  type Locals,
  type Place,
  type Presence,
  Scope,
  type ShellFunction,
  setVariable,
  type Variable,
} from './scope.ts'

/** What the walker carries along: the collected facts, the shell's variables and functions, and where in the text it is. */

/** What one analysis is given. */
interface Analysed {
  readonly view: View
  /** JSON pointer of the text in the call's arguments. */
  readonly pointer: string
  readonly languages: Languages
  readonly earlier?: Earlier | undefined
}

/** Everything collected over one call, through all nested scripts. */
export class Analysis {
  readonly view: View
  readonly earlier: Earlier
  readonly languages: Languages
  readonly pointer: string
  readonly effects: Effect[] = []
  readonly commands: CommandFact[] = []
  readonly scripts: ScriptFact[] = []
  readonly budget = new Budget()
  readonly files = new Files()
  /** Script files being analysed right now: a script that calls itself ends here. */
  get running(): Set<string> {
    this.#running ??= new Set<string>()
    return this.#running
  }
  /** Modules that this very call wrote, as they were when they were loaded last, and where from: a circle of them ends. */
  get loaded(): Map<Written, string | null> {
    this.#loaded ??= new Map<Written, string | null>()
    return this.#loaded
  }
  get bombs(): Set<string> {
    this.#bombs ??= new Set<string>()
    return this.#bombs
  }
  /** Traps in the order in which they were set; their code is walked at the end. */
  readonly traps: Trap[] = []
  /** Functions that were called; what the others hold has not been looked at. */
  get called(): Set<FunctionNode> {
    this.#called ??= new Set<FunctionNode>()
    return this.#called
  }
  /** Directories whose files are run when they change, and by what. */
  readonly watching = new Map<string, string>()
  /** Directories that were filled with files nobody named. */
  readonly brought = new Set<string>()
  /** Commands, by where they run, of which it was asked whether the project was fetched. */
  get projects(): Set<string> {
    this.#projects ??= new Set<string>()
    return this.#projects
  }
  /** Writes and deletes behind `&&`: what stands before may have failed. */
  readonly doubted = new Set<Effect>()
  /** Variables that nobody had set, of which it was said what they are then: `${x:-…}`. */
  get defaulted(): Set<string> {
    this.#defaulted ??= new Set<string>()
    return this.#defaulted
  }
  /** Texts on standard input of which a line was read: the next one is another. */
  get taken(): Set<Input> {
    this.#taken ??= new Set<Input>()
    return this.#taken
  }
  /** Effects that stand for a shell or interpreter fed from standard input. */
  get fed(): Set<Effect> {
    this.#fed ??= new Set<Effect>()
    return this.#fed
  }
  // Made when they are asked for: most commands need none of them.
  #running: Set<string> | undefined
  #loaded: Map<Written, string | null> | undefined
  #bombs: Set<string> | undefined
  #called: Set<FunctionNode> | undefined
  #projects: Set<string> | undefined
  #fed: Set<Effect> | undefined
  #taken: Set<Input> | undefined
  #defaulted: Set<string> | undefined
  /** `exit` or `return` may be a function, an alias or no builtin any more: from then on nothing is taken to end there. */
  renamed = false
  partial = false
  descriptors = 0
  /** The file of the project that is walked now; null for anything else. */
  project: string | null = null

  constructor({ view, pointer, languages, earlier = new Earlier(view) }: Analysed) {
    this.view = view
    this.earlier = earlier
    this.languages = languages
    this.pointer = pointer
  }

  /** Counts one command; false once a bound is passed. */
  step(span: Span): boolean {
    if (this.budget.step(this.effects.length)) return true
    this.exhaust(span)
    return false
  }

  /** Counts work of any kind, nested analyses included; false once the bound is passed, and from then on no command is walked. */
  spend(units: number, span: Span | null): boolean {
    if (this.budget.spend(units)) return true
    this.exhaust(span)
    return false
  }

  /** A function or an alias is called so: it stands before a builtin of that name. */
  takesOver(name: string): void {
    if (name === 'exit' || name === 'return') this.renamed = true
  }

  /** No further command is walked; what is not seen has been said by then. */
  end(): void {
    this.budget.end()
  }

  add(item: Effect): Effect {
    if (item.verb === 'opaque') this.partial = true
    if (this.effects.length < LIMITS.mostEffects) this.effects.push(item)
    else this.exhaust(item.span)
    this.budget.spend(WORK.effect)
    return item
  }

  private exhaust(span: Span | null): void {
    if (this.budget.exhausted) return
    this.end()
    this.partial = true
    const item = opaque('the command does more than can be analysed', span ?? { pointer: this.pointer, start: 0, end: 0 })
    const own = this.budget.ofFile && this.project !== null ? { project_file: this.project } : item.attributes
    this.effects.push({ ...item, attributes: own })
  }
}

const CERTAINTY: Readonly<Record<Certainty, number>> = { certain: 0, likely: 1, possible: 2 }

/** The weaker of two certainties. */
export function weaker(a: Certainty, b: Certainty): Certainty {
  return CERTAINTY[a] >= CERTAINTY[b] ? a : b
}

/** What a command writes to its standard output, as far as known. */
export interface Output {
  readonly text: string | null
  readonly prefix: string
  readonly decoded: boolean
  /** It tells of this machine (`whoami`), although it is known: data that may leave. */
  readonly local?: boolean
  /** Effects outside of the command that its output comes from: a descriptor opened before. */
  readonly from?: readonly Effect[]
}

export const UNKNOWN_OUTPUT: Output = { text: null, prefix: '', decoded: false }
export const NO_OUTPUT: Output = { text: '', prefix: '', decoded: false }

export function known(text: string, decoded = false): Output {
  return { text, prefix: text, decoded }
}

/** Output of a substitution, with the effects of the commands inside. */
export interface Substitution extends Output {
  readonly from: readonly Effect[]
}

/** A command in its place. */
export interface ExecutionContext {
  readonly analysis: Analysis
  readonly scope: Scope
  readonly frame: Frame
  /** Standard input. */
  readonly input: Input
  /** Standard output goes into another command. */
  readonly piped: boolean
  /** Somebody uses the output: worth computing. */
  readonly captured: boolean
  /** Runs beside other commands: in a pipeline or in the background. */
  readonly forked: boolean
  /** Connections that standard streams lead to. */
  readonly sockets: readonly Effect[]
  readonly walker: Walker
  /** `>(…)` of the command being expanded; they run on its output. */
  readonly pending: PendingSubstitution[]
}

export interface PendingSubstitution {
  readonly script: ParsedScript
  readonly span: Span
  readonly frame: Frame
}

/** The mutually recursive parts of the walker, handed around instead of imported: expansion runs scripts, scripts expand. */
export interface Walker {
  substitute(script: ParsedScript | undefined, site: ExecutionContext, span: Span): Substitution
  /** Parses and runs text in the given site; positions are `frame`'s. */
  text(text: string, site: ExecutionContext): Output
  /** Expands a word inside `${x:-…}` as an unquoted one: what is quoted in it stays whole. */
  fields(word: SyntaxWord, site: ExecutionContext): readonly Word[]
  /** Expands a syntax word to one word: no splitting, no braces. */
  word(word: SyntaxWord, site: ExecutionContext): Word
  /** Runs expanded words as a command; functions and aliases of the script apply only where `scope` has them. */
  command(words: readonly Word[], site: ExecutionContext, span: Span): Output
  /** The same, past functions and aliases of that name, as `command` and `builtin` do. */
  program(words: readonly Word[], site: ExecutionContext, span: Span): Output
  /** Runs a command, or a list such as the body of a function. `more`: something follows in the same shell; default true. */
  node(node: PipelineNode | CompoundList, site: ExecutionContext, more?: boolean): Output
}

export const NO_INPUT: Input = { kind: 'none' }

export function spanOf(node: { readonly pos: number; readonly end: number }, frame: Frame): Span {
  if (frame.fixed !== null) return frame.fixed
  const length = frame.length ?? node.end
  return { pointer: frame.pointer, start: Math.min(node.pos, length), end: Math.min(node.end, length) }
}

/** Adds an effect with the certainty and the attributes of the place it happens in. */
export function emitAt(site: ExecutionContext, target: Target, options: EffectOptions & { readonly verb: Verb }): Effect {
  const { analysis } = site
  if (analysis.files.links.size === 0) return emitOne(site, target, options)
  const [first = target, ...others] = led(target, options, analysis)
  const made = emitOne(site, first, options)
  for (const other of others) emitOne(site, other, { ...options, certainty: 'possible' })
  return made
}

function emitOne({ scope, analysis }: ExecutionContext, on: Target, options: EffectOptions & { readonly verb: Verb }): Effect {
  const target = scope.remote ? on : atProgram(on, options, { cwd: scope.cwd, view: analysis.view })
  if (options.verb === 'delete' && target.real !== null) {
    if (options.action === 'fs:move') analysis.files.moves.push(target.real)
    if (analysis.files.links.has(target.real)) unlinked(target.real, analysis)
  }
  // Written out: spreading is slow, and this is done for each effect.
  return analysis.add(
    effect(options.verb, target, {
      action: options.action,
      reversible: options.reversible,
      certainty: weaker(options.certainty ?? 'certain', scope.certainty),
      span: options.span,
      reason: options.reason,
      attributes: attributesAt(scope, options.attributes),
      directory: isOfClient(options.action, on) ? directoryOf(scope) : undefined,
    }),
  )
}

/** Adds an opaque effect: what could not be told, and why. */
export function opaqueAt(site: ExecutionContext, reason: string, span: Span): void {
  const item = opaque(reason, span)
  site.analysis.add({ ...item, attributes: attributesAt(site.scope, item.attributes) ?? item.attributes })
}

/** Those of the effect with those of the place: `project_file` names the file of the project that says so. */
function attributesAt({ attributes, project }: Scope, own: JsonObject | undefined): JsonObject | undefined {
  if (attributes === null && project === null) return own
  return { ...own, ...attributes, ...(project === null ? {} : { project_file: project }) }
}

const STANDARD: ReadonlySet<string> = new Set('HOME PATH USER LOGNAME PWD OLDPWD SHELL TERM LANG TMPDIR MAIL'.split(' '))

/** Whether a variable of that name is in the environment, so that a new value is handed on to programs. */
export function inherits(name: string, { analysis }: ExecutionContext): boolean {
  return STANDARD.has(name) || analysis.view.env(name) !== null
}
