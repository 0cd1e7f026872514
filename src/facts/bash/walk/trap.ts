import { type Effect, lowOpaque, type Span } from '../../effect.ts'
import { unknownWord } from '../../resources/text/word.ts'
import { joinFunctions, joinLeft, joinScopes, placeOf, settle } from '../state/join.ts'
import type { Trap } from '../state/scope.ts'
import { type Analysis, changed, type ExecutionContext, type Scope, setVariable } from '../state/state.ts'

/**
 * Traps run when a shell ends, fails or is told to: with the functions that there are by then, and with values that may have been
 * given at any time since the trap was set.
 */

/** From now on every value counts that a variable of this shell is given. */
export function watch(scope: Scope): void {
  scope.given ??= { values: new Map(), functions: new Map(), shifted: false }
}

/** Walks the code of all traps, those they set included, after everything else. */
export function runTraps(analysis: Analysis, top: Scope): void {
  for (const trap of analysis.traps) {
    if (analysis.budget.exhausted) return
    const state = stateOf(trap, top)
    const before = placeOf(state)
    trap.run(state)
    if (trap.anywhere !== null && (state.cwd !== before.cwd || placeOf(state).old !== before.old))
      analysis.add(movedAtAnyTime(trap.anywhere))
  }
}

/** A signal was sent: what its trap does, it may have done by now. */
export function runSignalled(site: ExecutionContext): void {
  const { analysis, scope } = site
  const pending = analysis.traps.filter(({ anywhere, ran }) => anywhere !== null && !ran)
  for (const trap of pending) {
    if (analysis.budget.exhausted) return
    trap.ran = true
    const state = stateOf(trap, scope)
    state.certainty = 'possible'
    trap.run(state)
    joinLeft(site, [state])
  }
}

function movedAtAnyTime(span: Span): Effect {
  const reason = 'a trap changes the directory, between which commands is not known'
  return lowOpaque(reason, span)
}

function stateOf({ scope, start, anywhere }: Trap, top: Scope): Scope {
  const state = scope.clone()
  settle(state)
  state.certainty = start.certainty
  state.depth = start.depth
  state.given = null
  // Set in a branch: the shell went on without that copy.
  if (scope !== top && scope.wrappers === top.wrappers) joinScopes(state, [scope.clone(), top.clone()])
  if (start.cwd !== state.cwd) {
    state.cwd = null
    state.also = null
  }
  const { given } = scope
  if (given === null) return state
  // A signal comes in the middle of any function.
  if (anywhere !== null || given.shifted) state.positional = null
  for (const [name, ways] of given.functions) {
    const before = start.functions.get(name)
    const all = before === undefined ? [...ways] : [before, ...ways]
    state.functions = joinFunctions([state.functions, ...all.map((way) => changed(state.functions, name, way))])
  }
  for (const [name, values] of given.values) {
    const before = start.variables.get(name)
    const texts = new Set([...values, before === undefined ? '' : before.word.text])
    texts.delete('')
    const now = state.variables.get(name)
    if (texts.size > 1 && now !== undefined) {
      setVariable(state, name, { word: unknownWord(now.word.span, now.word.from, now.word.dynamic), elements: null })
    }
  }
  return state
}
