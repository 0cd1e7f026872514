import {
  type AndOr,
  type CommandNode,
  type CompoundCommand,
  type CompoundList,
  type ParsedScript,
  type Pipeline,
  type PipelineNode,
  parse,
  type Redirected,
  type Statement,
} from 'unbash'
import { type Effect, effect, type Span, target } from '../../effect.ts'
import type { Input } from '../../host.ts'
import { remembering } from '../../resources/text/memo.ts'
import { reportEndlessPipe } from '../detect/endless.ts'
import { BESIDE } from '../detect/outlive.ts'
import { parsed, runArithmetic } from '../expand/arithmetic.ts'
import { uncovered } from '../expand/coverage.ts'
import { expandOperand, expandSingle } from '../expand/expand.ts'
import { pipedShell, SILENT } from '../flow/flow.ts'
import { identified } from '../flow/sent.ts'
import { LIMITS, WORK } from '../state/budget.ts'
import { followMoves, joinLeft, settle } from '../state/join.ts'
import { merged } from '../state/origins.ts'
import {
  type ExecutionContext,
  NO_INPUT,
  NO_OUTPUT,
  type Output,
  opaqueAt,
  type Substitution,
  spanOf,
  UNKNOWN_OUTPUT,
  type Walker,
} from '../state/state.ts'
import { walkAndOr } from './andor.ts'
import type { Streams } from './builtin.ts'
import { runWords, walkCommand } from './command.ts'
import { walkCase, walkIf, walkTest } from './compound.ts'
import { reportShadow } from './deferred.ts'
import { negated, unlessClosed } from './directories.ts'
import { walkArithmeticFor, walkFor, walkWhile } from './loops.ts'
import { nestsTooMuch } from './nesting.ts'
import { elsewhere, everywhere } from './places.ts'
import { applyRedirects, recordOutputs } from './redirect.ts'
import { losesSeparator } from './reprinted.ts'

/** The visitor: every statement that would run, in order, each in its place. */

const NO_STREAMS: Streams = { input: NO_INPUT, away: false, outputs: [], received: [], sent: [], effects: [], listed: [] }

export const walker: Walker = {
  text: walkText,
  substitute,
  word: expandSingle,
  fields: expandOperand,
  command: (words, site, span) => {
    if (!site.analysis.step(span)) return UNKNOWN_OUTPUT
    return runWords({ words, env: new Map(), declared: [], streams: { ...NO_STREAMS, input: site.input }, site, span })
  },
  program: (words, site, span) => {
    if (!site.analysis.step(span)) return UNKNOWN_OUTPUT
    return runWords({ words, env: new Map(), declared: [], streams: { ...NO_STREAMS, input: site.input }, site, span, past: true })
  },
  node: (node, site, more = true) => (node.type === 'CompoundList' ? walkList(node, site, more) : walkNode(node, site)),
}

/** Parses text and walks it. Text that is too long or too deep becomes opaque; broken text is walked as far as it goes. */
function walkText(text: string, site: ExecutionContext): Output {
  const span = spanOf({ pos: 0, end: text.length }, site.frame)
  const problem = unreadable(text, site)
  if (problem !== null) {
    opaqueAt(site, problem, span)
    return UNKNOWN_OUTPUT
  }
  const { script, left } = parsedText(text)
  if (left !== null) opaqueAt(site, 'the shell syntax could not be read', spanOf({ pos: left, end: left + 1 }, site.frame))
  return walkScript(script, site)
}

/** The tree of a text, and where it holds text that stands in none of its nodes. Trees are shared: nobody changes them. */
const parsedText = remembering((text): { readonly script: ParsedScript; readonly left: number | null } => {
  const script = parse(text)
  return { script, left: script.errors === undefined ? uncovered(text, script) : null }
})

function unreadable(text: string, site: ExecutionContext): string | null {
  if (text.length > LIMITS.text) return 'the script is longer than what can be analysed'
  if (site.scope.depth > LIMITS.depth) return 'scripts are nested too deep to be analysed'
  site.analysis.budget.read += text.length
  if (site.analysis.budget.isRead) {
    site.analysis.end()
    return 'the scripts that it runs are longer in all than what can be analysed'
  }
  site.analysis.spend(text.length, spanOf({ pos: 0, end: text.length }, site.frame))
  return nestsTooMuch(text) ? 'the script has more nested parts than can be analysed' : null
}

/** Places where the syntax is broken that are told, of one script. */
const MAX_BROKEN = 64

function walkScript(script: ParsedScript, site: ExecutionContext): Output {
  for (const { message, pos } of (script.errors ?? []).slice(0, MAX_BROKEN)) {
    opaqueAt(site, `the shell syntax is broken: ${message}`, spanOf({ pos, end: pos + 1 }, site.frame))
  }
  return walkStatements(script.commands, site, site.scope.depth > 0)
}

/** `$(…)`, `<(…)`: a subshell whose output is used. */
function substitute(script: ParsedScript | undefined, site: ExecutionContext, span: Span): Substitution {
  const { analysis } = site
  if (script === undefined) {
    opaqueAt(site, 'a substitution could not be read', span)
    return { ...UNKNOWN_OUTPUT, from: [] }
  }
  if (site.scope.depth > LIMITS.depth) {
    opaqueAt(site, 'substitutions are nested too deep to be analysed', span)
    return { ...UNKNOWN_OUTPUT, from: [] }
  }
  if (losesSeparator(script, site))
    opaqueAt(site, 'behind a here-document in a substitution some shells lose a `;`: what follows may be one command', span)
  const start = analysis.effects.length
  const first = analysis.commands.length
  const scope = site.scope.clone()
  scope.depth++
  scope.errexit = false
  const frame = script.source === undefined ? site.frame : { pointer: span.pointer, fixed: span }
  const output = walkScript(script, { ...site, scope, frame, captured: true, piped: true, sockets: [], pending: [] })
  const from = merged(output.from, analysis.effects.slice(start))
  const ran = analysis.commands.slice(first)
  if (from.length > 0) return { ...output, from: identified(from, ran, analysis) }
  const teller = ran.find((fact) => fact.program !== null && !SILENT.has(fact.program))
  return {
    ...output,
    from: teller === undefined ? [] : identified([effect('read', target('process', teller.program ?? ''))], ran, analysis),
  }
}

function walkList(list: CompoundList, site: ExecutionContext, more = true): Output {
  return walkStatements(list.commands, site, more)
}

/** Statements in order; the output is known where every one's is. `more`: others follow them, in the same shell. */
function walkStatements(statements: readonly Statement[], site: ExecutionContext, more = false): Output {
  let text: string | null = ''
  let prefix = ''
  let decoded = false
  let local = false
  let from: readonly Effect[] = []
  for (const statement of statements) {
    if (site.analysis.budget.exhausted) return UNKNOWN_OUTPUT
    const output = walkStatement(statement, site, more || statement !== statements.at(-1))
    if (output.local === true) local = true
    from = merged(from, output.from)
    if (text !== null) prefix = text + output.prefix
    text = text === null || output.text === null ? null : text + output.text
    decoded ||= output.decoded
  }
  if (!local && from.length === 0) return { text, prefix: text ?? prefix, decoded }
  return { text, prefix: text ?? prefix, decoded, ...(local ? { local } : {}), ...(from.length > 0 ? { from } : {}) }
}

function walkStatement(statement: Statement, site: ExecutionContext, more: boolean): Output {
  const { command, background } = statement
  settle(site.scope)
  if (background !== true) return walkPart(command, site, more)
  const scope = site.scope.clone()
  scope.attributes ??= BESIDE
  return walkPart(command, { ...site, scope, forked: true }, false)
}

function walkPart(node: PipelineNode | AndOr, site: ExecutionContext, more: boolean): Output {
  return node.type === 'AndOr' ? walkAndOr(node, site, more) : walkNode(node, site)
}

function walkNode(node: PipelineNode, site: ExecutionContext): Output {
  settle(site.scope)
  if (site.scope.moves !== site.analysis.files.moves.length) followMoves(site)
  return node.type === 'Pipeline' ? walkPipeline(node, site) : walkCommandNode(node, site)
}

/** Each stage is a subshell; what the stages so far did is where the next one's input comes from. */
function walkPipeline(node: Pipeline, site: ExecutionContext): Output {
  const { commands } = node
  const [only] = commands
  if (commands.length === 1 && only !== undefined) return walkPrefixed(node, only, site)
  const { analysis, scope } = site
  analysis.spend(Math.min(commands.length, LIMITS.stages) * (WORK.branch + WORK.variable * scope.variables.size), spanOf(node, site.frame))
  if (commands.length > LIMITS.stages) opaqueAt(site, 'the pipeline is longer than can be analysed', spanOf(node, site.frame))
  const start = analysis.effects.length
  const names: string[] = []
  let input = site.input
  let output = UNKNOWN_OUTPUT
  let source = start
  const begun = analysis.commands.length
  const carried: Effect[] = []
  for (const [index, command] of commands.slice(0, LIMITS.stages).entries()) {
    const last = index === commands.length - 1
    const first = analysis.commands.length
    const own = stageOf(site, input, last)
    output = walkCommandNode(command, own)
    if (last && scope.lastpipe === null) joinLeft(site, [own.scope])
    for (const fact of analysis.commands.slice(first)) if (fact.program !== null) names.push(fact.program)
    if (!last && output.text !== null && output.local !== true) source = analysis.effects.length
    const earlier = (output.from ?? []).filter((item) => !carried.includes(item))
    carried.push(...earlier)
    analysis.spend((carried.length + analysis.effects.length - source) >> 2, spanOf(node, site.frame))
    input = nextInput({
      output,
      from: identified([...carried, ...analysis.effects.slice(source)], analysis.commands.slice(begun), analysis),
      producers: [...names],
      span: spanOf(command, site.frame),
      before: input,
    })
  }
  // How it ends may be how any of its commands ended.
  settle(scope)
  const stage = { start, names, span: spanOf(node, site.frame) }
  pipedShell(site, stage)
  reportEndlessPipe(site, stage)
  return carriedThrough(output, names, carried)
}

/** What the first stage was given goes through to the end: `$(echo $TOKEN | base64)`. */
function carriedThrough(output: Output, names: readonly string[], carried: readonly Effect[]): Output {
  const variables =
    output.text === null && !SUMMING.has(names.at(-1) ?? '') ? carried.filter((item) => item.target.kind === 'variable') : []
  return variables.length === 0 ? output : { ...output, from: merged(output.from, variables) }
}

/** `time command`, `! command`. */
function walkPrefixed({ prefixes }: Pipeline, command: CommandNode, site: ExecutionContext): Output {
  // Only some shells have the keyword; any other runs the program.
  if (prefixes[0]?.type === 'Time' && /(?:^|\/)(?:da)?sh$/.test(site.scope.wrappers.at(-1) ?? ''))
    site.analysis.commands.push({ program: 'time', argv: ['time'], wrappers: site.scope.wrappers, span: spanOf(command, site.frame) })
  const negations = prefixes.filter(({ type }) => type === 'Negation').length
  if (negations === 0) return walkCommandNode(command, site)
  const { scope } = site
  const { tested } = scope
  scope.tested = true
  const output = walkCommandNode(command, site)
  scope.tested = tested
  if (negations % 2 === 1) negated(scope)
  return output
}

/** Programs that print a number or a digest of what they are fed, or a yes or no. */
const SUMMING: ReadonlySet<string> = new Set(
  'wc cksum sum md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum shasum md5 test ['.split(' '),
)

/** Where one stage runs. Written out: spreading is slow, and this is done for each command. */
function stageOf(site: ExecutionContext, input: Input, last: boolean): ExecutionContext {
  return {
    analysis: site.analysis,
    scope: last && site.scope.lastpipe === true ? site.scope : site.scope.clone(),
    frame: site.frame,
    input,
    piped: !last || site.piped,
    captured: !last || site.captured,
    forked: true,
    sockets: site.sockets,
    walker: site.walker,
    pending: site.pending,
  }
}

interface Stage {
  readonly output: Output
  readonly from: readonly Effect[]
  readonly producers: readonly string[]
  readonly span: Span
  readonly before: Input
}

function nextInput({ output, from, producers, span, before }: Stage): Input {
  if (output.text !== null && output.local !== true)
    return { kind: 'text', text: output.text, span, ...(output.decoded ? { decoded: true } : {}) }
  const decoded = output.decoded || (before.kind === 'pipe' && before.decoded === true)
  return { kind: 'pipe', from, producers, ...(decoded ? { decoded } : {}), ...(output.text === null ? {} : { told: output.text }) }
}

function walkCommandNode(node: CommandNode, site: ExecutionContext): Output {
  switch (node.type) {
    case 'Command':
      return site.scope.also === null ? walkCommand(node, site) : everywhere(site, (inner) => walkCommand(node, inner))
    case 'Redirected':
      return walkRedirected(node, site)
    case 'Function':
      site.analysis.spend(WORK.branch + WORK.variable * site.scope.functions.size, spanOf(node, site.frame))
      site.scope.define(node.name.value, { node, frame: site.frame, project: site.scope.project })
      site.analysis.takesOver(node.name.value)
      reportShadow(node.name.value, spanOf(node, site.frame), site)
      return NO_OUTPUT
    case 'Coproc':
      return deeper(site, spanOf(node, site.frame), (inner) => {
        // What is written to it from anywhere is its input.
        const input: Input = { kind: 'pipe', from: [], producers: [] }
        const forked = { ...inner, scope: inner.scope.clone(), forked: true, input }
        return node.body.type === 'CompoundList' ? walkList(node.body, forked) : walkCommandNode(node.body, forked)
      })
    default:
      return deeper(site, spanOf(node, site.frame), (inner) => walkCompound(node, inner))
  }
}

function deeper(site: ExecutionContext, span: Span, walk: (site: ExecutionContext) => Output): Output {
  const { scope } = site
  if (scope.depth > LIMITS.depth) {
    opaqueAt(site, 'commands are nested too deep to be analysed', span)
    return UNKNOWN_OUTPUT
  }
  scope.depth++
  const output = walk(site)
  scope.depth--
  return output
}

function walkCompound(node: CompoundCommand, site: ExecutionContext): Output {
  switch (node.type) {
    case 'BraceGroup':
      return walkStatements(node.body.commands, site, site.scope.depth > 0)
    case 'Subshell':
      site.analysis.spend(WORK.branch, null)
      return walkList(node.body, { ...site, scope: site.scope.clone() })
    case 'If':
      return walkIf(node, site)
    case 'For':
    case 'Select':
      return walkFor(node, site)
    case 'ArithmeticFor':
      return walkArithmeticFor(node, site)
    case 'While':
      return walkWhile(node, site)
    case 'Case':
      return walkCase(node, site)
    case 'TestCommand':
      walkTest(node.expression, site)
      return NO_OUTPUT
    case 'ArithmeticCommand':
      runArithmetic(parsed(node, site, spanOf(node, site.frame)), site, spanOf(node, site.frame))
      return NO_OUTPUT
  }
}

/** A compound command with redirections: its commands share the streams. */
function walkRedirected(node: Redirected, outer: ExecutionContext): Output {
  const site: ExecutionContext = { ...outer, pending: [] }
  const start = site.analysis.effects.length
  const streams = applyRedirects(node.redirects, site)
  elsewhere(site, (inner) => applyRedirects(node.redirects, inner))
  const opened = site.analysis.effects.length
  const output = walkCommandNode(node.command, {
    ...site,
    input: streams.input,
    piped: outer.piped && !streams.away,
    ...(streams.sent.length + streams.received.length > 0 ? { sockets: [...streams.sent, ...streams.received] } : {}),
    captured: outer.captured || streams.outputs.length > 0 || site.pending.length > 0,
  })
  unlessClosed(site, start, opened)
  recordOutputs(streams, output, { site, from: site.analysis.effects.slice(start).filter((item) => !streams.effects.includes(item)) })
  for (const item of site.pending.splice(0)) {
    const from = site.analysis.effects.slice(start)
    const input: Input =
      output.text === null
        ? { kind: 'pipe', from, producers: [], decoded: output.decoded }
        : { kind: 'text', text: output.text, span: item.span, decoded: output.decoded }
    substitute(item.script, { ...site, input, frame: item.frame }, item.span)
  }
  return streams.away ? NO_OUTPUT : output
}
