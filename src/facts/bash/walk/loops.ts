import { type ArithmeticFor, type For, forEachChild, type Select, type SyntaxNode, type While } from 'unbash'
import type { Input, Word } from '../../host.ts'
import { knownWord, unknownWord } from '../../resources/text/word.ts'
import { reportEndless } from '../detect/endless.ts'
import { runArithmetic } from '../expand/arithmetic.ts'
import { expandWords } from '../expand/expand.ts'
import { inputProvenance } from '../flow/flow.ts'
import { namesFrom } from '../flow/held.ts'
import { WORK } from '../state/budget.ts'
import { joinLeft, joinScopes, settle } from '../state/join.ts'
import { type ExecutionContext, type Output, type Scope, type ShellFunction, setVariable, spanOf, UNKNOWN_OUTPUT } from '../state/state.ts'
import { sameState, walkCondition } from './andor.ts'
import { type Branch, walkBranches } from './compound.ts'

/** Loops: over known words as often as there are words, any other until a round leaves nothing that the next one does not know. */

/** Items of a loop that are walked one by one. */
const UNROLLED = 32

/** A loop over known words is walked once per word, exactly; over unknown ones once, with what is known of all of them. */
export function walkFor(node: For | Select, site: ExecutionContext): Output {
  const words = node.wordlist === undefined ? (site.scope.positional?.slice(1) ?? null) : expandWords(node.wordlist, site)
  const variable = node.name.value
  const span = spanOf(node.name, site.frame)
  const exact = node.type === 'For' && words !== null && words.length <= UNROLLED && words.every((word) => word.text !== null && !word.glob)
  const none = node.type === 'Select' || !(words ?? []).some((word) => surelyOne(word, site.scope))
  const looping = site.scope.looping
  site.scope.looping = true
  const give = (word: Word, scope: Scope): void => {
    // A name for another variable stands for each of the words in turn.
    if (scope.variables.get(variable)?.refers === undefined) setVariable(scope, variable, { word, elements: null })
    else scope.refer(variable, word)
  }
  if (exact) forEachWord(words, { node, give }, site)
  else {
    const before = none ? site.scope.clone() : null
    forget(node.body, site)
    again(site, (inner) => {
      for (const word of words === null || words.length === 0 ? [unknownWord(span)] : representatives(words)) {
        give(word, inner.scope)
        round(inner, (at) => site.walker.node(node.body, at))
      }
    })
    perhapsNot(before, site)
  }
  site.scope.looping = looping
  return UNKNOWN_OUTPUT
}

/** One round for each word. */
function forEachWord(
  words: readonly Word[],
  { node, give }: { readonly node: Pick<For | Select | While, 'body'>; readonly give: (word: Word, scope: Scope) => void },
  site: ExecutionContext,
): void {
  for (const word of words) {
    if (site.analysis.budget.exhausted) break
    give(word, site.scope)
    round(site, (inner) => site.walker.node(node.body, inner))
  }
}

/** Whether the word is at least one. */
function surelyOne({ many, glob }: Word, { nullglob }: Scope): boolean {
  return many !== true && !(glob && nullglob)
}

/** A loop that perhaps has no round at all leaves what was there before it. */
function perhapsNot(before: Scope | null, { scope, analysis }: ExecutionContext): void {
  if (before === null || sameState(before, scope)) return
  analysis.spend(WORK.branch + WORK.variable * scope.variables.size, null)
  joinScopes(scope, [scope.clone(), before])
}

/** One round of a loop: what `break` and `continue` left as it was then joins the state after it. */
function round(site: ExecutionContext, body: Branch): void {
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

/** The most rounds in which a loop may find what the one before it left. */
const ROUNDS = 4

/** A loop of unknown length. Where a round leaves another state than it found, the next one starts from either, until nothing changes. */
function again(site: ExecutionContext, body: Branch): void {
  const { scope } = site
  for (let round = 1; ; round++) {
    const before = scope.clone()
    body(site)
    settle(scope)
    if (site.analysis.budget.exhausted || !(differs(before, site) || (round === 1 && !sameState(before, scope, true)))) return
    joinScopes(scope, [before, scope.clone()])
    // The round after that may start further on.
    if (scope.also !== null) {
      scope.also = scope.cwd === null ? scope.also : [scope.cwd, ...scope.also]
      scope.cwd = null
    }
    if (round < ROUNDS) continue
    scope.scatter('', spanOf({ pos: 0, end: 0 }, site.frame))
    scope.positional = null
    body(site)
    return
  }
}

/** Whether the next round may find something that the last one did not. */
function differs(before: Scope, { scope, analysis }: ExecutionContext): boolean {
  if (before.positional !== null && before.positional !== scope.positional) return true
  if (before.functions !== scope.functions && hasNewFunction(before.functions, scope.functions)) return true
  if (before.variables === scope.variables) return false
  for (const [name, { word, elements }] of before.variables) {
    const now = scope.variables.get(name)
    if (word.text === null ? elements !== null && elements !== now?.elements : now?.word.text !== word.text) return true
  }
  // Of what was not there, only who said what it is then asked for it.
  return [...analysis.defaulted].some((name) => !before.variables.has(name) && scope.variables.has(name))
}

function hasNewFunction(before: Scope['functions'], now: Scope['functions']): boolean {
  const nodesOf = (one: ShellFunction | null | undefined): readonly unknown[] =>
    one === null || one === undefined ? [] : [one.node, ...(one.or ?? []).flatMap(nodesOf)]
  return [...now].some(([name, one]) => {
    const known = before.get(name)
    return known !== one && !nodesOf(one).every((node) => nodesOf(known).includes(node))
  })
}

/** A few words that stand for all: every unknown or glob, and the known ones while there is room. */
function representatives(words: readonly Word[]): readonly Word[] {
  if (words.length <= UNROLLED) return words
  const special = words.filter((word) => word.text === null || word.glob)
  const first = words[0]
  const rest = first === undefined ? [] : [unknownWord(first.span)]
  return [...special.slice(0, UNROLLED / 2), ...words.slice(0, UNROLLED / 2), ...rest]
}

interface Reading {
  readonly variable: string
  /** What the variable is in each round. */
  readonly words: readonly Word[]
}

/** The same as a loop over these words, until there is none left to read. */
function walkNames(node: While, { variable, words }: Reading, site: ExecutionContext): Output {
  const looping = site.scope.looping
  site.scope.looping = true
  const give = (word: Word, scope: Scope): void => setVariable(scope, variable, { word, elements: null })
  forEachWord(words, { node, give }, site)
  give(unknownWord(spanOf(node, site.frame)), site.scope)
  site.scope.looping = looping
  return UNKNOWN_OUTPUT
}

/** `while read -r name`, fed with names that are known; null for every other loop. */
function namesRead({ kind, clause }: While, site: ExecutionContext): Reading | null {
  const [only, ...others] = clause.commands
  const command = only?.command
  if (kind !== 'while' || others.length > 0 || command?.type !== 'Command' || command.name?.value !== 'read') return null
  const given = command.suffix.map((word) => (word.type === 'Word' ? word.value : null))
  const variable = given.at(-1) ?? null
  const plain = given.slice(0, -1).every((word) => word === '-r')
  if (!plain || variable === null || !/^[A-Za-z_]\w*$/.test(variable) || site.scope.functions.has('read')) return null
  const names = site.input.kind === 'text' ? plainLines(site.input) : namesFrom(site.input, site)
  if (names === null || names.length > UNROLLED) return null
  const from = inputProvenance(site.input).from
  return { variable, words: names.map((name) => ({ ...knownWord(name, spanOf(clause, site.frame)), from })) }
}

/** Lines that `read` takes as they are, with whatever options. */
function plainLines({ text, decoded }: Extract<Input, { kind: 'text' }>): readonly string[] | null {
  const lines = text === null || decoded === true ? null : text.replace(/\n$/, '').split('\n')
  return lines?.every((line) => /^[^\s\\]{1,255}$/.test(line)) === true ? lines : null
}

export function walkWhile(node: While, site: ExecutionContext): Output {
  const known = namesRead(node, site)
  if (known !== null) return walkNames(node, known, site)
  forget(node.clause, site)
  forget(node.body, site)
  const looping = site.scope.looping
  site.scope.looping = true
  const start = site.analysis.effects.length
  again(site, (outer) => {
    const failed = walkCondition(node.clause, outer)
    settle(outer.scope)
    if (failed !== null) joinScopes(outer.scope, [outer.scope.clone(), failed])
    const body: Branch = (inner) => round(inner, (at) => site.walker.node(node.body, at))
    walkBranches([body], outer, { optional: true })
  })
  reportEndless(node, start, site)
  site.scope.looping = looping
  return UNKNOWN_OUTPUT
}

export function walkArithmeticFor(node: ArithmeticFor, site: ExecutionContext): Output {
  const span = spanOf(node, site.frame)
  runArithmetic(node.initialize, site, span)
  forget(node, site)
  runArithmetic(node.test, site, span)
  runArithmetic(node.update, site, span)
  const before = node.test === undefined ? null : site.scope.clone()
  forget(node, site)
  const start = site.analysis.effects.length
  again(site, (outer) => round(outer, (inner) => site.walker.node(node.body, inner)))
  perhapsNot(before, site)
  reportEndless(node, start, site)
  return UNKNOWN_OUTPUT
}

/** Makes every variable unknown that the loop assigns: its value differs from round to round. */
function forget(node: SyntaxNode, { scope, analysis }: ExecutionContext): void {
  const stack: SyntaxNode[] = [node]
  for (let item = stack.pop(); item !== undefined && analysis.spend(WORK.node, null); item = stack.pop()) {
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
