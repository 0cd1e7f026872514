import { target } from '../../effect.ts'
import type { CommandFact } from '../../facts.ts'
import type { CommandSpec, Invocation, Word } from '../../host.ts'
import { applySpec } from '../../programs/apply.ts'
import { followByName, followProject } from '../../programs/projects/index.ts'
import { packageScript } from '../../programs/tasks/package.ts'
import { runAfterDashes, runAfterExec, runHanded } from '../../programs/unknown/code.ts'
import { inferredByDefault } from '../../programs/unknown/defaults.ts'
import { implicitReads, visibleWords } from '../../programs/unknown/files.ts'
import { inferredFromInput } from '../../programs/unknown/statements.ts'
import { runUnconsumed, sayDeletes } from '../../programs/unknown/unconsumed.ts'
import { inferredAct, inferredByName } from '../../programs/unknown/unknown.ts'
import { runUnseen, runWritten, runWrittenSettings } from '../../programs/unknown/written.ts'
import { knownWord } from '../../resources/text/word.ts'
import { emitFound } from '../detect/execution.ts'
import { reportListening } from '../detect/listen.ts'
import { lookAt } from '../detect/looks.ts'
import { inputProvenance, runUnknown, wordProvenance } from '../flow/flow.ts'
import { rememberWrites } from '../flow/remember.ts'
import { merged } from '../state/origins.ts'
import { type Analysis, type ExecutionContext, type Output, opaqueAt, UNKNOWN_OUTPUT } from '../state/state.ts'
import type { Declared, Streams } from './builtin.ts'
import { builtin } from './builtins.ts'
import { InvocationContext } from './context.ts'
import { outputOf } from './output.ts'
import { runScript } from './script.ts'
import { matchesOf } from './target.ts'
import { runSignalled } from './trap.ts'
import { BIN, copiedProgram, isKnown, madeProgram, specOf } from './which.ts'

/** One program with its words: which knowledge applies to it, and what the data flow around it means. */

/** A command with its words expanded and its streams laid. */
export interface Program {
  readonly words: readonly Word[]
  readonly env: ReadonlyMap<string, Word>
  readonly declared: readonly Declared[]
  readonly streams: Streams
  readonly site: ExecutionContext
  readonly span: Word['span']
  /** Functions of that name do not count. */
  readonly past?: true
}

/** Runs the program; the effects and facts are collected, the result is what it prints. */
export function runProgram(program: Program): Output {
  const { words, site, streams } = program
  const [first, ...args] = words
  if (first === undefined) return UNKNOWN_OUTPUT
  if (first.text === null || first.text === '') return runDynamic(program, first, args)
  if (first.glob) return runGlob(program, first, args)
  const made = madeProgram(first.text, program) ?? first.text
  const path = copiedProgram(made === first.text ? first : { ...first, text: made, prefix: made }, site) ?? made
  const name = path.slice(path.lastIndexOf('/') + 1)
  const invocation: Invocation = {
    name,
    program: path === first.text ? first : { ...first, text: path, prefix: path },
    args,
    env: program.env,
    input: streams.input,
    piped: site.piped && !streams.away,
    span: program.span,
  }
  return runInvocation(program, invocation)
}

function runInvocation(program: Program, invocation: Invocation): Output {
  const { site, streams } = program
  const { analysis } = site
  const start = analysis.effects.length
  const fact = factOf(invocation, site)
  const place = analysis.commands.push(fact) - 1
  const local = siteOf(program)
  const inner = invocation.program.text?.includes('/') === true ? null : builtin(invocation.name)
  const context = new InvocationContext(local, invocation)
  let ran = UNKNOWN_OUTPUT
  try {
    if (inner !== null) ran = inner({ invocation, declared: program.declared, streams, site: local })
    else {
      runKnown(context, invocation)
      emitFound(local, reportListening(local, invocation, start))
    }
    if (invocation.name === 'kill' && analysis.traps.length > 0) runSignalled(local)
  } catch {
    // One command that cannot be read must not hide the ones after it.
    opaqueAt(local, `\`${invocation.name}\` could not be analysed to its end`, invocation.span)
  }
  const output = settleFact(context, { fact, place }) ?? ran
  const input = inputProvenance(streams.input)
  const sending = {
    name: invocation.name,
    start,
    input,
    words: program.env.size === 0 ? invocation.args : [...invocation.args, ...program.env.values()],
    sockets: streams.sent,
  }
  lookAt({ site: local, invocation, streams, start, sending })
  rememberWrites(local, { invocation, start, input })
  if (!(site.captured || site.piped || streams.outputs.length > 0)) return output
  const printed = output === UNKNOWN_OUTPUT ? outputOf(invocation.name, invocation.args, local) : output
  const { from } = wordProvenance(invocation.args)
  return from.length === 0 ? printed : { ...printed, from: merged(printed.from, from) }
}

/** Where the program itself runs: with its own streams. Written out: spreading is slow, and this is done for each command. */
function siteOf({ site, streams }: Program): ExecutionContext {
  const { sent, received } = streams
  return {
    analysis: site.analysis,
    scope: site.scope,
    frame: site.frame,
    input: streams.input,
    piped: site.piped,
    captured: site.captured,
    forked: site.forked,
    sockets: sent.length + received.length > 0 ? [...sent, ...received] : site.sockets,
    walker: site.walker,
    pending: site.pending,
  }
}

function factOf(invocation: Invocation, site: ExecutionContext): CommandFact {
  const argv = [invocation.name, ...invocation.args.map((arg) => arg.text)]
  return { program: invocation.name, argv, wrappers: site.scope.wrappers, span: invocation.span }
}

/** What is handed to another machine runs there, and the words of a program that is built here are its own. */
function keepsWords(context: InvocationContext, start: number): boolean {
  const builds = context.invocation.args[0]?.text === 'run'
  return context.site.analysis.effects.slice(start).some(({ action }) => action === 'net:remote-shell' || (builds && action === 'dev:run'))
}

/** The fact of a wrapper goes where what it wraps has one; its output is then that of the other. Null: nothing was wrapped. */
function settleFact(context: InvocationContext, { fact, place }: { readonly fact: CommandFact; readonly place: number }): Output | null {
  const { commands } = context.site.analysis
  const at = commands[place] === fact ? place : commands.indexOf(fact)
  if (context.dispatched && specOf(context.invocation.name)?.transparent === true) {
    if (at >= 0) commands.splice(at, 1)
    return context.output
  }
  if (at >= 0 && context.reading !== null) {
    const { program, argv, wrappers, span } = fact
    commands[at] = { program, argv, wrappers, span, read: context.reading }
  }
  return null
}

/** Applies the table of a known program; a path may be a script, whatever its name is. */
function runKnown(context: InvocationContext, invocation: Invocation): void {
  const spec = specOf(invocation.name)
  const path = invocation.program.text ?? ''
  if (path.includes('/') && !BIN.test(path)) runPath(context, invocation, spec)
  else if (spec === null) runUnlisted(context, invocation)
  else runListed(context, invocation, spec)
}

/** `./deploy`, `/opt/x/bin/tool`: a script perhaps, and what a table says of the name. */
function runPath(context: InvocationContext, invocation: Invocation, spec: CommandSpec | null): void {
  const found = runScript(context, { language: null, path: invocation.program, args: invocation.args })
  if (spec !== null) followProject(applySpec(spec, invocation, context), context)
  else if (!found) {
    visibleWords(context, invocation)
    runAfterDashes(invocation, context, isKnown)
  }
}

function runListed(context: InvocationContext, invocation: Invocation, spec: CommandSpec): void {
  const { analysis } = context.site
  const { effects } = analysis
  const start = effects.length
  const parsed = applySpec(spec, invocation, context)
  if (spec.flags !== undefined || spec.options !== undefined || spec.subcommands !== undefined) {
    runUnconsumed(parsed, context, isKnown)
    if (effects.every(({ verb }, at) => at < start || verb !== 'delete')) sayDeletes(parsed, context)
  }
  followProject(parsed, context)
  const brought = broughtFiles(analysis)
  if (brought && effects.length > start) runUnseen({ invocation, context, knows: isKnown }, effects.slice(start))
  if (PACKAGE_MANAGERS.has(invocation.name)) packageScript(invocation, context)
  else if (!context.dispatched && spec.wraps !== true && !keepsWords(context, start)) runAfterExec(invocation, context, isKnown)
  if (context.dispatched || parsed.inert) return
  implicitReads(context, invocation, { effects, start })
  if (brought && spec.wraps !== true) runWrittenSettings({ invocation, context, knows: isKnown })
}

/** Whether this call or an earlier one of the session wrote any file. */
function broughtFiles({ files, earlier }: Analysis): boolean {
  return files.written.size > 0 || !earlier.isEmpty
}

/** A program that no table knows: its name and its words say what it may do. */
function runUnlisted(context: InvocationContext, invocation: Invocation): void {
  const { name, args, input } = invocation
  context.emit('execute', target('program', name), { action: 'program:unknown', certainty: 'likely' })
  commandNotFound(context.site, invocation)
  const inferred = inferredAct(args) ?? inferredByName(name, args) ?? inferredByDefault(name, args) ?? inferredFromInput(name, args, input)
  if (inferred !== null) {
    const { verb, action, what } = inferred
    const reason = 'the words of an unknown program say so'
    context.emit(verb, target('resource', `${name} ${what}`), { action, certainty: 'likely', reversible: verb === 'change', reason })
  }
  visibleWords(context, invocation)
  runHanded(invocation, context, isKnown)
  followByName(invocation, context)
  if (broughtFiles(context.site.analysis)) runWritten({ invocation, context, knows: isKnown })
}

/** What bash and zsh run where there is no such program, in a shell of its own. */
const HANDLERS: readonly string[] = ['command_not_found_handle', 'command_not_found_handler']

function commandNotFound(site: ExecutionContext, { program, args, span, input }: Invocation): void {
  for (const handler of HANDLERS) {
    if (!site.scope.functions.has(handler) || site.scope.calls.includes(handler)) continue
    const scope = site.scope.clone()
    if (scope.certainty === 'certain') scope.certainty = 'likely'
    site.walker.command([knownWord(handler, span), program, ...args], { ...site, scope, input }, span)
  }
}

const PACKAGE_MANAGERS: ReadonlySet<string> = new Set(['npm', 'pnpm', 'yarn', 'bun'])

/** A name that is only known when it runs. What follows is looked at too: `$SUDO rm …`. */
function runDynamic(program: Program, first: Word, args: readonly Word[]): Output {
  const { site, streams } = program
  if (first.text === '' && first.from === undefined) {
    opaqueAt(site, 'the command has an empty name', first.span)
    return UNKNOWN_OUTPUT
  }
  const argv = [null, ...args.map((arg) => arg.text)]
  site.analysis.commands.push({ program: null, argv, wrappers: site.scope.wrappers, span: program.span })
  runUnknown(site, wordProvenance([first]), { language: 'shell', span: first.span, by: first.raw ?? 'a command name' })
  const next = args[0]?.text
  if (next !== undefined && next !== null && specOf(next.slice(next.lastIndexOf('/') + 1)) !== null) {
    const scope = site.scope.clone()
    scope.certainty = 'possible'
    site.walker.command(args, { ...site, scope, input: streams.input }, program.span)
  }
  return UNKNOWN_OUTPUT
}

/** `/b?n/r?`: the first match runs, as in bash. */
function runGlob(program: Program, first: Word, args: readonly Word[]): Output {
  const { site } = program
  const [match, ...others] = matchesOf(first.text ?? '', site)
  opaqueAt(site, 'the program is named by a pattern', first.span)
  if (match === undefined) return runDynamic(program, { ...first, text: null }, args)
  const rest = [...others.map((path) => knownWord(path, first.span)), ...args]
  return runProgram({ ...program, words: [{ ...first, text: match, prefix: match, glob: false }, ...rest] })
}
