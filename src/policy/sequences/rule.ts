/** A rule over time from what it says, so that it can be kept and made again. */
import type { Enforcement } from '../../core/verdict.ts'
import { made } from '../keep/recipes.ts'
import { BUILTIN_SEQUENCES, type BuiltinIds, type BuiltinSequence, builtinAtWork } from './builtin.ts'
import type { SequenceRule } from './model.ts'
import { compileTemporal, type Temporal, type TemporalResult } from './terms.ts'

/** What the policy says, or the gate where the rule is built in. */
type Said = Omit<SequenceRule, 'matches' | 'mayMatch' | 'marks'>

/** Ids of what is looked for, by the text that they stand for: a rule that is made again finds what it remembered before. */
type Ids = ReadonlyMap<string, string>

/** Compiles the condition of a rule. `ids` are those that it was given. */
export function compileWhen(when: string, idOf: (text: string) => string): { readonly result: TemporalResult; readonly ids: Ids } {
  const ids = new Map<string, string>()
  const remembering = (text: string): string => {
    const id = ids.get(text) ?? idOf(text)
    ids.set(text, id)
    return id
  }
  return { result: compileTemporal(when, { schema: null, idOf: remembering }), ids }
}

/** The rule with its condition at work. */
export function working(said: Said, { evaluate, mayHold, marks }: Temporal, ids: Ids): SequenceRule {
  const rule: SequenceRule = {
    ...said,
    matches: (input, history) => evaluate(input, history, null) === true,
    mayMatch: mayHold,
    marks,
  }
  return made(rule, 'sequence', said, ids)
}

/** The rule that was kept. Throws where it looks for something else than it did. */
export function workingAgain(said: Said, known: Ids): SequenceRule {
  const { result, ids } = compileWhen(said.when, (text) => {
    const id = known.get(text)
    if (id === undefined) throw new Error('a rule that was kept looks for what it did not look for')
    return id
  })
  if (!result.ok) throw new Error('a rule that was kept cannot be compiled')
  return working(said, result.temporal, ids)
}

/** A rule that is built in, at the level that the policy gives it; `idOf` names what it looks for. */
export function builtin(rule: BuiltinSequence, enforcement: Enforcement, idOf: (text: string) => string): SequenceRule {
  const { id, when, reason, resolvers } = rule
  const said: Said = { id, place: null, tool: null, when, reason, resolvers, advice: null, enforcement }
  return builtinOf(rule, said, new Map(rule.looks.map(({ text }) => [text, idOf(text)])))
}

/** The one that was kept. Throws where this version has no such rule. */
export function builtinAgain(said: Said, known: BuiltinIds): SequenceRule {
  const rule = BUILTIN_SEQUENCES.find(({ id, when }) => id === said.id && when === said.when)
  if (rule === undefined) throw new Error('a built-in rule that was kept is none of this version')
  return builtinOf(rule, said, known)
}

function builtinOf(rule: BuiltinSequence, said: Said, ids: BuiltinIds): SequenceRule {
  return made({ ...said, ...builtinAtWork(rule, ids) }, 'builtin-sequence', said, ids)
}
