import {
  type ArithmeticFor,
  type Case,
  type For,
  forEachChild,
  type If,
  type Select,
  type SyntaxNode,
  type TestExpression,
  type While,
} from 'unbash'
import { expandSingle, expandWords } from './expand.ts'
import { runArithmetic } from './expand-arithmetic.ts'
import { runName, runValue } from './expand-subscript.ts'
import type { Word } from './spec.ts'
import { endsIn } from './walk-andor.ts'
import { enteredFrom, goBack, type Place, placeOf } from './walk-directories.ts'
import { noteEndless } from './walk-endless.ts'
import { joinLeft, joinScopes } from './walk-join.ts'
import { unsettle } from './walk-presence.ts'
import { type Output, opaqueAt, type Scope, type Site, setVariable, spanOf, UNKNOWN_OUTPUT, unknownWord, WORK } from './walk-state.ts'

/** Branches and loops: every branch is walked, and what they disagree on is unknown afterwards. */

/** Items of a loop that are walked one by one. */
const UNROLLED = 32

type Branch = (site: Site) => unknown

interface Ends {
  /** Perhaps none of them is taken. */
  readonly optional: boolean
  /** Whether nothing follows after the alternative at that index. */
  readonly ends?: readonly boolean[]
}

/** Walks alternatives, each from the same state, as merely possible; then joins their states into `site.scope`. */
export function walkBranches(branches: readonly Branch[], site: Site, options: Ends): void {
  const { scope, analysis } = site
  analysis.spend((branches.length + 1) * (WORK.branch + 2 * WORK.variable * scope.variables.size), null)
  const before = scope.clone()
  const ends: Scope[] = options.optional ? [before] : []
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
  site.walker.node(node.clause, site, false)
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
      if (way !== 'negated') goBack(inner.scope, before)
      site.walker.node(elif.clause, inner)
      site.walker.node(elif.then, inner)
    })
  }
  if (otherwise !== undefined) {
    ends.push(endsIn(otherwise, site.scope))
    branches.push((inner) => {
      if (way !== 'negated') goBack(inner.scope, before)
      site.walker.node(otherwise, inner)
    })
  }
  const optional = otherwise === undefined && (way === null || way === 'negated')
  if (otherwise === undefined && way === 'perhaps') {
    // Where it could not go in, the shell is where it was.
    branches.push((inner) => goBack(inner.scope, before))
    ends.push(false)
  }
  walkBranches(branches, site, { optional, ends })
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
  const branches = node.items.map(
    (item): Branch =>
      (inner) =>
        site.walker.node(item.body, inner),
  )
  walkBranches(branches, site, { optional: true, ends: node.items.map(({ body }) => endsIn(body, site.scope)) })
  return UNKNOWN_OUTPUT
}

/** A loop over known words is walked once per word, exactly; over unknown ones once, with what is known of all of them. */
export function walkFor(node: For | Select, site: Site): Output {
  const words = node.wordlist === undefined ? (site.scope.positional?.slice(1) ?? null) : expandWords(node.wordlist, site)
  const name = node.name.value
  const span = spanOf(node.name, site.frame)
  const exact = node.type === 'For' && words !== null && words.length <= UNROLLED && words.every((word) => word.text !== null && !word.glob)
  const looping = site.scope.looping
  site.scope.looping = true
  if (exact) {
    for (const word of words) {
      if (site.analysis.exhausted) break
      setVariable(site.scope, name, { word, elements: null })
      round(site, (inner) => site.walker.node(node.body, inner))
    }
  } else {
    forget(node.body, site.scope)
    again(site, (inner) => {
      for (const word of words === null || words.length === 0 ? [unknownWord(span)] : representatives(words)) {
        setVariable(inner.scope, name, { word, elements: null })
        round(inner, (at) => site.walker.node(node.body, at))
      }
    })
  }
  site.scope.looping = looping
  return UNKNOWN_OUTPUT
}

/** One round of a loop: what `break` and `continue` left as it was then joins the state after it. */
function round(site: Site, body: Branch): void {
  const { scope } = site
  // Loops without commands in loops cost, too.
  if (!site.analysis.spend(WORK.branch + WORK.variable * scope.variables.size, null)) return
  const { loops } = scope
  const left: Scope[] = []
  scope.loops = [left, ...loops]
  body(site)
  scope.loops = loops
  joinLeft(site, left)
}

/** A loop of unknown length. Where a round leaves another state than it found, the next one starts from either. */
function again(site: Site, body: Branch): void {
  const { scope } = site
  const before = scope.clone()
  body(site)
  const other = [...before.variables].some(([name, { word }]) => word.text !== null && scope.variables.get(name)?.word.text !== word.text)
  if (
    !other &&
    before.cwd === scope.cwd &&
    before.also === scope.also &&
    before.positional === scope.positional &&
    before.stack === scope.stack
  )
    return
  joinScopes(scope, [before, scope.clone()])
  // The round after that may start further on.
  if (scope.also !== null) {
    scope.also = scope.cwd === null ? scope.also : [scope.cwd, ...scope.also]
    scope.cwd = null
  }
  body(site)
}

/** A few words that stand for all: every unknown or glob, and the known ones while there is room. */
function representatives(words: readonly Word[]): readonly Word[] {
  if (words.length <= UNROLLED) return words
  const special = words.filter((word) => word.text === null || word.glob)
  const first = words[0]
  const rest = first === undefined ? [] : [unknownWord(first.span)]
  return [...special.slice(0, UNROLLED / 2), ...words.slice(0, UNROLLED / 2), ...rest]
}

export function walkWhile(node: While, site: Site): Output {
  forget(node.clause, site.scope)
  forget(node.body, site.scope)
  const looping = site.scope.looping
  site.scope.looping = true
  const start = site.analysis.effects.length
  again(site, (outer) => {
    site.walker.node(node.clause, outer)
    const body: Branch = (inner) => round(inner, (at) => site.walker.node(node.body, at))
    walkBranches([body], outer, { optional: true })
  })
  noteEndless(node, start, site)
  site.scope.looping = looping
  return UNKNOWN_OUTPUT
}

export function walkArithmeticFor(node: ArithmeticFor, site: Site): Output {
  const span = spanOf(node, site.frame)
  runArithmetic(node.initialize, site, span)
  forget(node, site.scope)
  runArithmetic(node.test, site, span)
  runArithmetic(node.update, site, span)
  forget(node, site.scope)
  const start = site.analysis.effects.length
  again(site, (outer) => round(outer, (inner) => site.walker.node(node.body, inner)))
  noteEndless(node, start, site)
  return UNKNOWN_OUTPUT
}

/** Makes every variable unknown that the loop assigns: its value differs from round to round. */
function forget(node: SyntaxNode, scope: Scope): void {
  const stack: SyntaxNode[] = [node]
  for (let item = stack.pop(), count = 0; item !== undefined && count < 10_000; item = stack.pop(), count++) {
    for (const name of assignedBy(item)) {
      const old = scope.variables.get(name)
      if (old !== undefined) setVariable(scope, name, { word: unknownWord(old.word.span, old.word.from, old.word.dynamic), elements: null })
    }
    forEachChild(item, (child) => stack.push(child))
  }
}

function assignedBy(node: SyntaxNode): readonly string[] {
  switch (node.type) {
    case 'Assignment':
      return [node.name]
    case 'For':
    case 'Select':
      return [node.name.value]
    case 'ArithmeticUnary':
      return node.operand.type === 'ArithmeticWord' ? [node.operand.value] : []
    case 'ArithmeticBinary':
      return node.left.type === 'ArithmeticWord' && node.operator.endsWith('=') ? [node.left.value] : []
    default:
      return []
  }
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
