import type { Case, CompoundList, If, TestExpression } from 'unbash'
import type { Word } from '../../host.ts'
import { expandSingle } from '../expand/expand.ts'
import { runName, runValue } from '../expand/subscript.ts'
import { WORK } from '../state/budget.ts'
import { goBack, joinScopes } from '../state/join.ts'
import { unsettle } from '../state/presence.ts'
import { type ExecutionContext, type Output, opaqueAt, type Scope, spanOf, UNKNOWN_OUTPUT } from '../state/state.ts'
import { endsIn, walkCondition } from './andor.ts'

/** Branches: each is walked, and what they disagree on is unknown afterwards. */

export type Branch = (site: ExecutionContext) => unknown

interface Ends {
  /** Perhaps none of them is taken. */
  readonly optional: boolean
  /** Whether nothing follows after the alternative at that index. */
  readonly ends?: readonly boolean[]
}

/** Walks alternatives, each from the same state, as merely possible; then joins their states into `site.scope`. */
export function walkBranches(branches: readonly Branch[], site: ExecutionContext, options: Ends): void {
  const { scope, analysis } = site
  analysis.spend((branches.length + 1) * (WORK.branch + 2 * WORK.variable * scope.variables.size), null)
  const before = scope.clone()
  const ends: Scope[] = options.optional ? [before] : []
  for (const [at, branch] of branches.entries()) {
    if (analysis.budget.exhausted) break
    const inner = scope.clone()
    inner.certainty = 'possible'
    const start = analysis.effects.length
    branch({ ...site, scope: inner, captured: false })
    unsettle(start, site)
    doubtLinks(start, site)
    if (options.ends?.[at] !== true || analysis.renamed) ends.push(inner)
  }
  joinScopes(scope, ends)
}

/** Links of a way that was perhaps not taken were perhaps not made. */
function doubtLinks(start: number, { analysis }: ExecutionContext): void {
  const { effects, doubted } = analysis
  const { links } = analysis.files
  if (links.size === 0) return
  for (const item of effects.slice(start)) if (item.action === 'fs:link' && item.verb === 'write') doubted.add(item)
  analysis.files.forgetTargets()
}

export function walkIf(node: If, site: ExecutionContext): Output {
  walkFrom([node, ...node.elif], node.else, site)
  return UNKNOWN_OUTPUT
}

interface Way {
  readonly clause: CompoundList
  readonly then: CompoundList
}

/** Walks the first way where its condition holds, else the others. True where whoever comes here does not go on. */
function walkFrom(ways: readonly Way[], otherwise: CompoundList | undefined, site: ExecutionContext): boolean {
  const [way, ...others] = ways
  const { scope } = site
  if (way === undefined) {
    if (otherwise !== undefined) site.walker.node(otherwise, site)
    return otherwise !== undefined && endsIn(otherwise, scope)
  }
  const failed = walkCondition(way.clause, site)
  const { turn } = scope
  scope.turn = null
  const well = turn?.wentWell() ?? 'maybe'
  // What is told of a way that is surely not taken is not kept.
  const ends = [well === 'no' || endsIn(way.then, scope), false]
  const lose: Branch = (inner) => {
    if (failed !== null) joinScopes(inner.scope, [failed])
    else if (turn !== null) goBack(inner.scope, turn.otherwise)
    ends[1] = walkFrom(others, otherwise, inner) || (well === 'yes' && ways.length === 1 && otherwise === undefined)
  }
  walkBranches([(inner) => site.walker.node(way.then, inner), lose], site, { optional: false, ends })
  return ends.every((end) => end)
}

export function walkCase(node: Case, site: ExecutionContext): Output {
  expandSingle(node.word, site)
  if (!site.analysis.spend(WORK.branch * node.items.length, spanOf(node, site.frame))) return UNKNOWN_OUTPUT
  for (const item of node.items) for (const pattern of item.pattern) expandSingle(pattern, site)
  // `;&` and `;;&` go on in the state that the body before left.
  let fallen: Scope | null = null
  const branches = node.items.map(
    (item): Branch =>
      (inner) => {
        if (fallen !== null) joinScopes(inner.scope, [inner.scope.clone(), fallen])
        site.walker.node(item.body, inner)
        fallen = item.terminator === ';&' || item.terminator === ';;&' ? inner.scope.clone() : fallen
      },
  )
  walkBranches(branches, site, { optional: true, ends: node.items.map(({ body }) => endsIn(body, site.scope)) })
  return UNKNOWN_OUTPUT
}

/** `[[ … ]]` changes nothing, but what stands in its operands runs. */
export function walkTest(expression: TestExpression, site: ExecutionContext, depth = 0): void {
  if (depth > 100) {
    opaqueAt(site, 'a test is nested too deep to be analysed', spanOf(expression, site.frame))
    return
  }
  switch (expression.type) {
    case 'TestUnary':
      testOperand(expandSingle(expression.operand, site), expression.operator, site)
      return
    case 'TestBinary':
      for (const side of [expression.left, expression.right]) testOperand(expandSingle(side, site), expression.operator, site)
      return
    case 'TestNot':
      walkTest(expression.operand, site, depth + 1)
      return
    case 'TestGroup':
      walkTest(expression.expression, site, depth + 1)
      return
    case 'TestLogical':
      for (const operand of expression.operands) walkTest(operand, site, depth + 1)
  }
}

const NUMERIC: ReadonlySet<string> = new Set(['-eq', '-ne', '-lt', '-le', '-gt', '-ge'])

/** The operand of `-v` is a name, and those of a comparison of numbers are arithmetic. */
function testOperand(word: Word, operator: string, site: ExecutionContext): void {
  if (operator === '-v') runName(word, site)
  else if (NUMERIC.has(operator)) runValue(word.text, site, word.span)
}
