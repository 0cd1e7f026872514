import type { AndOr, CompoundList, PipelineNode, TestExpression } from 'unbash'
import { WORK } from '../state/budget.ts'
import { goBack, joinScopes, placeOf, settle } from '../state/join.ts'
import { unsettle } from '../state/presence.ts'
import { type ExecutionContext, NO_OUTPUT, type Output, type Place, type Scope, spanOf, UNKNOWN_OUTPUT } from '../state/state.ts'

/**
 * `a && b || c`: what stands behind `&&` runs in the state that success left, what stands behind `||` in any of those that failures
 * left; afterwards the shell may be in each of them.
 */

/** The ways through a chain so far. `site.scope` is the state in which everything until now went well. */
interface Ways {
  /** Where the chain may have failed so far; null where it cannot have. */
  failed: Scope | null
  /** What the state was when it was last joined into `failed`. */
  joined: Scope | null
  /** How many effects were told when first something could fail; null where nothing could. */
  doubted: number | null
  /** Nothing can have gone well: `false && …`, `exit && …`. */
  lost: boolean
  /** It went into a directory that is not there, as far as anybody knows: what follows is told, what it leaves is not kept. */
  strayed: boolean
}

/** @param more whether something follows in the same shell: else nobody needs to know what the chain leaves. */
export function walkAndOr(node: AndOr, site: ExecutionContext, more: boolean): Output {
  const { output, ways, follow } = walkChain(node, site, more)
  if (follow) leave(site.scope, ways, site)
  return output
}

interface Walked {
  readonly output: Output
  readonly ways: Ways
  readonly follow: boolean
}

function walkChain(node: AndOr, site: ExecutionContext, more: boolean): Walked {
  const { scope, analysis } = site
  settle(scope)
  const { certainty, tested } = scope
  const follow = more || node.operators.includes('||') || analysis.traps.length > 0
  const ways: Ways = { failed: null, joined: null, doubted: null, lost: false, strayed: false }
  const start = placeOf(scope)
  let output = NO_OUTPUT
  for (const [index, command] of node.commands.entries()) {
    const last = index === node.commands.length - 1
    scope.tested = tested || !last
    const at: Stepping = { ways, follow: follow && (more || !last), last, start }
    output = walkLink(node, index, { command, site, at, output })
    if (analysis.budget.exhausted) break
  }
  if (ways.doubted !== null) doubt(ways.doubted, site)
  scope.certainty = certainty
  scope.tested = tested
  return { output, ways, follow }
}

/**
 * Walks a condition: the site is then in the state in which it went well. Returns the state in which it failed; null where that is the
 * same, but for what `Scope.turn` says.
 */
export function walkCondition(clause: CompoundList, site: ExecutionContext): Scope | null {
  const { scope } = site
  const { tested } = scope
  scope.tested = true
  const failed = walkClause(clause, site)
  scope.tested = tested
  return failed
}

function walkClause(clause: CompoundList, site: ExecutionContext): Scope | null {
  const { commands } = clause
  const last = commands.at(-1)
  if (last?.command.type !== 'AndOr' || commands.length > 1) {
    site.walker.node(clause, site, last?.command.type === 'AndOr')
    return null
  }
  const { scope } = site
  const { ways } = walkChain(last.command, site, true)
  if (ways.lost || ways.strayed) leave(scope, ways, site)
  return ways.lost || ways.strayed || ways.failed === null || sameState(ways.failed, scope) ? null : ways.failed
}

interface Stepping {
  readonly ways: Ways
  /** Whether somebody needs to know where it may have failed. */
  readonly follow: boolean
  /** Nothing follows in the chain. */
  readonly last: boolean
  /** Where the shell was before the chain. */
  readonly start: Place
}

interface Link {
  readonly command: PipelineNode
  readonly site: ExecutionContext
  readonly at: Stepping
  /** What the commands before it printed. */
  readonly output: Output
}

/** One command of `a && b || c`; what all of them so far print. */
function walkLink(node: AndOr, index: number, { command, site, at, output }: Link): Output {
  if (index > 0 && node.operators[index - 1] === '||') {
    const first = site.analysis.effects.length
    instead(command, site, at)
    doubt(first, site, lookedFor(node.commands[index - 1]))
    return UNKNOWN_OUTPUT
  }
  if (at.ways.lost) {
    aside(command, site)
    return output
  }
  const tested = isTest(node.commands[index - 1])
  if (tested) site.scope.certainty = 'possible'
  const next = step(command, site, at)
  if (index === 0) return next
  return tested || output === UNKNOWN_OUTPUT ? UNKNOWN_OUTPUT : joinOutputs(output, next)
}

/** Walks a command in `site.scope`, and sees in which states it may fail. */
function step(command: PipelineNode, site: ExecutionContext, { ways, follow, last }: Stepping): Output {
  const { scope, analysis } = site
  const told = outcomeOf(command, scope)
  const before = analysis.effects.length
  const output = site.walker.node(command, site)
  const { turn } = scope
  scope.turn = null
  const outcome = told === 'ends' && analysis.renamed ? 'either' : told
  if (follow && ways.failed !== null) ways.doubted ??= before
  ways.lost ||= outcome === 'fails' || outcome === 'ends'
  if (!follow || outcome === 'ends' || outcome === 'goes-well' || ways.strayed) return output
  if (turn === null) fail(ways, scope, site)
  else if (!last || !endsAtFailure(scope) || turn.negated === true) stay(turn, ways, site)
  return output
}

const endsAtFailure = ({ errexit, tested }: Scope): boolean => errexit && !tested

/** The change of directory may have failed: what follows may run where the shell was before. */
function stay(turn: NonNullable<Scope['turn']>, ways: Ways, site: ExecutionContext): void {
  const well = turn.wentWell()
  if (well === 'yes') return
  const stayed = site.scope.clone()
  if (well !== 'presumed') goBack(stayed, turn.otherwise)
  fail(ways, stayed, site)
  ways.strayed = well === 'no'
}

/** What is behind a command that may fail was perhaps not done. What the command looked for is there by then, either way. */
function doubt(start: number, site: ExecutionContext, looked: readonly string[] = []): void {
  const { analysis } = site
  unsettle(start, site)
  for (let at = start; at < analysis.effects.length; at++) {
    const item = analysis.effects[at]
    if (item === undefined || (item.verb !== 'write' && item.verb !== 'delete')) continue
    const { value } = item.target
    if (!looked.some((name) => name.includes('$') || value === name || value.startsWith(`${name}/`))) analysis.doubted.add(item)
  }
  if (analysis.files.links.size > 0) analysis.files.forgetTargets()
}

/** What runs where the chain has failed; its effects are told wherever it cannot have, too. */
function instead(command: PipelineNode, site: ExecutionContext, at: Stepping): void {
  const { scope } = site
  const { ways, start } = at
  // What failed may have been the way into the directory, whatever is known of it.
  if (scope.cwd !== start.cwd && ways.failed?.cwd !== start.cwd && !ways.failed?.also?.some((place) => place === start.cwd))
    aside(command, site, start)
  if (ways.failed === null) {
    aside(command, site)
    return
  }
  site.analysis.spend(WORK.branch + WORK.variable * scope.variables.size, spanOf(command, site.frame))
  const well = ways.lost ? null : scope.clone()
  const { strayed } = ways
  joinScopes(scope, [ways.failed])
  scope.certainty = 'possible'
  const first = site.analysis.effects.length
  ways.failed = null
  ways.joined = null
  ways.lost = false
  ways.strayed = false
  step(command, { ...site, captured: false }, { ...at, follow: true })
  unsettle(first, site)
  if (well === null) return
  // Where the other way ends the shell, or does not go well, whoever goes on did not need it.
  if (ways.lost || (ways.strayed && !strayed)) joinScopes(scope, [well])
  else if (!strayed && !sameState(well, scope)) joinScopes(scope, [well, scope.clone()])
  if (ways.lost || !strayed) ways.strayed = false
  ways.lost = false
}

/** Joins a state into those in which the chain has failed. */
function fail(ways: Ways, scope: Scope, { analysis }: ExecutionContext): void {
  const { failed, joined } = ways
  if (failed !== null && joined !== null && sameState(joined, scope)) return
  analysis.spend(WORK.branch + 10 * WORK.variable * scope.variables.size, null)
  const state = scope.clone()
  ways.joined = state
  ways.failed = state
  if (failed === null) return
  ways.failed = failed.clone()
  joinScopes(ways.failed, [failed, state])
}

/** The state after the chain: that of every way to its end. */
function leave(scope: Scope, { failed, lost, strayed }: Ways, { analysis }: ExecutionContext): void {
  if (failed === null || (!lost && !strayed && sameState(scope, failed))) return
  analysis.spend(WORK.branch + WORK.variable * scope.variables.size, null)
  joinScopes(scope, lost || strayed ? [failed] : [scope.clone(), failed])
}

/** Nothing of what a command can leave behind differs, perhaps but for the variables. */
export function sameState(a: Scope, b: Scope, but = false): boolean {
  return (
    (but || a.variables === b.variables) &&
    a.cwd === b.cwd &&
    a.also === b.also &&
    a.functions === b.functions &&
    a.aliases === b.aliases &&
    a.positional === b.positional &&
    a.stack === b.stack &&
    a.opened === b.opened &&
    a.descriptors === b.descriptors &&
    a.lastpipe === b.lastpipe &&
    a.errexit === b.errexit &&
    a.nocaseglob === b.nocaseglob &&
    a.nullglob === b.nullglob &&
    a.exporting === b.exporting
  )
}

/** Walks what never runs: its effects are told, and what it leaves is not kept. */
function aside(command: PipelineNode, site: ExecutionContext, place?: Place): void {
  site.analysis.spend(WORK.branch + WORK.variable * site.scope.variables.size, spanOf(command, site.frame))
  const scope = site.scope.clone()
  scope.certainty = 'possible'
  if (place !== undefined) goBack(scope, place)
  const start = site.analysis.effects.length
  site.walker.node(command, { ...site, scope, captured: false })
  doubt(start, site)
}

type Outcome = 'goes-well' | 'fails' | 'ends' | 'either'

const isPlainAssignment = (item: Extract<PipelineNode, { type: 'Command' }>['prefix'][number]): boolean =>
  item.type === 'Assignment' && !/\$\(|`/.test(item.text)

/** No other builtin goes well with whatever words: `echo` fails where its output is closed, `shopt` where it knows no such option. */
const CONSTANT: ReadonlyMap<string, Outcome> = new Map([
  ['false', 'fails'],
  ['true', 'goes-well'],
  [':', 'goes-well'],
])

function outcomeOf(node: PipelineNode, scope: Scope): Outcome {
  const { functions, aliases } = scope
  // One that is read only is not defined anew.
  if (node.type === 'Function') return functions.has(node.name.value) ? 'either' : 'goes-well'
  if (node.type === 'BraceGroup') return endsIn(node.body, scope) ? 'ends' : 'either'
  if (node.type !== 'Command') return 'either'
  const { name, prefix } = node
  if (name === undefined) return prefix.every(isPlainAssignment) ? 'goes-well' : 'either'
  if (functions.has(name.value) || aliases.has(name.value)) return 'either'
  if (isEnd(node, scope)) return 'ends'
  if (prefix.length > 0 || !node.suffix.every(({ type }) => type === 'Word' || type === 'Assignment')) return 'either'
  return CONSTANT.get(name.value) ?? 'either'
}

/** The list surely leaves the shell or the function, unless a name of the shell was taken over by then (`Analysis.renamed`). */
export function endsIn({ commands }: CompoundList, scope: Scope): boolean {
  return commands.some(({ command, background }) => background !== true && isEnd(command, scope))
}

/** A status of one word: with two, bash says so and goes on. */
const STATUS = /^(?:\d{1,3}|\$\?|"\$\{?\w+\}?"|"\$\?")$/

/**
 * What follows it in the same list never runs. Not `exec`, which goes on where the program is missing and `execfail` is set, nor `break`
 * and `continue`, which go on outside of loops.
 */
function isEnd(node: PipelineNode | AndOr, { returns }: Scope): boolean {
  if (node.type !== 'Command' || node.prefix.length > 0 || node.suffix.length > 1) return false
  if (!node.suffix.every((item) => item.type === 'Word' && STATUS.test(item.text))) return false
  const name = node.name?.value
  return name === 'exit' || (name === 'return' && returns !== null)
}

function joinOutputs(a: Output, b: Output): Output {
  if (a.text === null) return a
  return { text: b.text === null ? null : a.text + b.text, prefix: a.text + b.prefix, decoded: a.decoded || b.decoded }
}

/** Commands that fail where the directory is not there: what stands behind `||` makes it then. */
const LOOKS: ReadonlySet<string> = new Set(['cd', 'pushd', 'ls', 'stat', 'mkdir'])

function lookedFor(node: PipelineNode | undefined): readonly string[] {
  if (node?.type === 'TestCommand') return operandsOf(node.expression)
  if (node?.type !== 'Command' || !(isTest(node) || LOOKS.has(node.name?.value ?? ''))) return []
  return node.suffix.flatMap((item) => (item.type === 'Word' && !/^-|^\]$/.test(item.value) ? [bare(item.value)] : []))
}

function operandsOf(test: TestExpression): readonly string[] {
  if (test.type === 'TestNot') return operandsOf(test.operand)
  return test.type === 'TestUnary' ? [bare(test.operand.value)] : []
}

const bare = (name: string): string => (name.length > 1 && name.endsWith('/') ? name.slice(0, -1) : name)

function isTest(node: PipelineNode | undefined): boolean {
  if (node === undefined) return false
  if (node.type === 'TestCommand' || node.type === 'ArithmeticCommand') return true
  return node.type === 'Command' && (node.name?.value === '[' || node.name?.value === 'test')
}
