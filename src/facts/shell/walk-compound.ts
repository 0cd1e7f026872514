import type { Case, If, TestExpression } from 'unbash'
import { expandSingle } from './expand.ts'
import { runName, runValue } from './expand-subscript.ts'
import type { Word } from './spec.ts'
import { endsIn, walkCondition } from './walk-andor.ts'
import { enteredFrom, goBack, type Place, placeOf } from './walk-directories.ts'
import { joinScopes } from './walk-join.ts'
import { unsettle } from './walk-presence.ts'
import { type Output, opaqueAt, type Scope, type Site, spanOf, UNKNOWN_OUTPUT, WORK } from './walk-state.ts'

/** Branches: each is walked, and what they disagree on is unknown afterwards. */

export type Branch = (site: Site) => unknown

interface Ends {
  /** Perhaps none of them is taken. */
  readonly optional: boolean
  /** Whether nothing follows after the alternative at that index. */
  readonly ends?: readonly boolean[]
  /** The state where none is taken; default: that before them. */
  readonly otherwise?: Scope | null
}

/** Walks alternatives, each from the same state, as merely possible; then joins their states into `site.scope`. */
export function walkBranches(branches: readonly Branch[], site: Site, options: Ends): void {
  const { scope, analysis } = site
  analysis.spend((branches.length + 1) * (WORK.branch + 2 * WORK.variable * scope.variables.size), null)
  const before = scope.clone()
  const ends: Scope[] = options.optional ? [options.otherwise ?? before] : []
  for (const [at, branch] of branches.entries()) {
    if (analysis.exhausted) break
    const inner = scope.clone()
    inner.certainty = 'possible'
    const start = analysis.effects.length
    branch({ ...site, scope: inner, captured: false })
    unsettle(start, site)
    if (options.ends?.[at] !== true || analysis.renamed) ends.push(inner)
  }
  joinScopes(scope, ends)
}

export function walkIf(node: If, site: Site): Output {
  const before = placeOf(site)
  const failed = walkCondition(node.clause, site)
  const way = site.scope.cwd === before.cwd ? null : wayIn(node, before, site)
  const otherwise = node.else
  const branches: Branch[] = [
    (inner) => {
      if (way === 'negated') goBack(inner.scope, before)
      site.walker.node(node.then, inner)
    },
  ]
  const ends = [endsIn(node.then, site.scope)]
  for (const elif of node.elif) {
    ends.push(endsIn(elif.then, site.scope))
    branches.push((inner) => {
      if (failed !== null) joinScopes(inner.scope, [failed])
      if (way !== 'negated') goBack(inner.scope, before)
      site.walker.node(elif.clause, inner)
      site.walker.node(elif.then, inner)
    })
  }
  if (otherwise !== undefined) {
    ends.push(endsIn(otherwise, site.scope))
    branches.push((inner) => {
      if (failed !== null) joinScopes(inner.scope, [failed])
      if (way !== 'negated') goBack(inner.scope, before)
      site.walker.node(otherwise, inner)
    })
  }
  const optional = otherwise === undefined && (way === null || way === 'negated')
  if (otherwise === undefined && way === 'perhaps') {
    // Where it could not go in, the shell is where it was.
    branches.push((inner) => {
      if (failed !== null) joinScopes(inner.scope, [failed])
      goBack(inner.scope, before)
    })
    ends.push(false)
  }
  walkBranches(branches, site, { optional, ends, otherwise: failed })
  return UNKNOWN_OUTPUT
}

/** A condition that moved the shell: `if cd dir`, where the directory is there; `if ! cd dir`; or any other, which may have failed first. */
function wayIn({ clause, elif }: If, before: Place, site: Site): 'surely' | 'perhaps' | 'negated' {
  const [statement, ...others] = clause.commands
  if (statement === undefined || others.length > 0) return 'perhaps'
  const { command } = statement
  if (command.type === 'Pipeline' && command.prefixes.filter(({ type }) => type === 'Negation').length % 2 === 1) return 'negated'
  return elif.length === 0 && enteredFrom(command, before, site) === 'yes' ? 'surely' : 'perhaps'
}

export function walkCase(node: Case, site: Site): Output {
  expandSingle(node.word, site)
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
export function walkTest(expression: TestExpression, site: Site, depth = 0): void {
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
function testOperand(word: Word, operator: string, site: Site): void {
  if (operator === '-v') runName(word, site)
  else if (NUMERIC.has(operator)) runValue(word.text, site, word.span)
}
