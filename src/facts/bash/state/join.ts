import { unknownWord } from '../../resources/text/word.ts'
import { WORK } from './budget.ts'
import type { ExecutionContext, Place, Scope, ShellFunction, Variable } from './state.ts'

/** Joining the states that ways through a script end in: what they disagree on is unknown afterwards. */

export function placeOf({ cwd, also, stack, variables }: Scope): Place {
  return { cwd, also, stack, old: variables.get('OLDPWD') }
}

/** The shell is there. */
export function goBack(scope: Scope, { cwd, also, stack, old }: Place): void {
  if (scope.variables.get('OLDPWD') !== old) scope.restore('OLDPWD', old)
  scope.cwd = cwd
  scope.also = also
  scope.stack = stack
  scope.turn = null
}

/** Something follows however the last command ended: where that was to move the shell, it may be in either place. */
export function settle(scope: Scope): void {
  const { turn } = scope
  if (turn === null) return
  scope.turn = null
  if (scope.errexit && !scope.tested && turn.negated !== true) return
  const well = turn.wentWell()
  if (well === 'no') goBack(scope, turn.otherwise)
  else if (well === 'maybe') goBack(scope, joinedPlace([placeOf(scope), turn.otherwise]))
}

/** A shell in a directory that was moved is there where that lies now, which is not looked at. */
export function followMoves({
  scope,
  analysis: {
    files: { moves },
  },
}: ExecutionContext): void {
  for (const moved of moves.slice(scope.moves)) {
    const stays = (place: string | null): boolean => place === null || (place !== moved && !place.startsWith(`${moved}/`))
    const place = placeOf(scope)
    if (stays(place.cwd) && (place.also ?? []).every(stays)) continue
    goBack(scope, joinedPlace([{ ...place, cwd: null, also: null }, place]))
  }
  scope.moves = moves.length
}

/** Where somebody is who is in one of the places. */
export function joinedPlace(places: readonly Place[]): Place {
  const [first = NOWHERE, ...others] = places
  const joined = {
    cwd: first.cwd,
    also: first.also,
    stack: others.every(({ stack }) => stack === first.stack) ? first.stack : null,
    old: others.every(({ old }) => old === first.old) ? first.old : eitherOf(places.map(({ old }) => old)),
  }
  joinPlaces(joined, places)
  return joined
}

const UNKNOWN_PLACE: Variable = { word: unknownWord({ pointer: '', start: 0, end: 0 }), elements: null }
function eitherOf(values: readonly (Variable | undefined)[]): Variable {
  const ways = values.flatMap((value) =>
    value === undefined ? [] : value.word.text === null ? (value.word.candidates ?? []) : [value.word.text],
  )
  return { ...UNKNOWN_PLACE, word: { ...UNKNOWN_PLACE.word, candidates: [...new Set(ways)].slice(0, MAX_PLACES) } }
}

const NOWHERE: Place = { cwd: null, also: null, stack: null, old: UNKNOWN_PLACE }

/** Makes `scope` what holds in every one of `ends`. */
export function joinScopes(scope: Scope, ends: readonly Scope[]): void {
  const [first, ...others] = ends
  if (first === undefined) return
  for (const end of ends) settle(end)
  scope.variables = joinVariables(first, others)
  joinPlaces(scope, ends)
  scope.turn = null
  scope.errexit = ends.every((end) => end.errexit)
  scope.physical = ends.some((end) => end.physical)
  scope.positional = others.every((end) => end.positional === first.positional) ? first.positional : null
  scope.stack = others.every((end) => end.stack === first.stack) ? first.stack : null
  scope.lastpipe = others.every((end) => end.lastpipe === first.lastpipe) ? first.lastpipe : null
  scope.nocaseglob = ends.some((end) => end.nocaseglob)
  scope.nullglob = ends.some((end) => end.nullglob)
  scope.scattered = ends.some((end) => end.scattered)
  scope.exporting = ends.some((end) => end.exporting)
  scope.functions = joinFunctions(ends.map((end) => end.functions))
  scope.aliases = united(ends.map((end) => end.aliases))
  scope.opened = joinOpened(ends.map((end) => end.opened))
  scope.descriptors = united(ends.map((end) => end.descriptors))
}

/** Directories that are followed beside the first one. */
const MAX_PLACES = 3

/** Who may be in one of a few directories may be in each of them; among too many, nobody knows where. */
function joinPlaces(scope: Pick<Scope, 'cwd' | 'also'>, ends: readonly Pick<Scope, 'cwd' | 'also'>[]): void {
  const [first] = ends
  if (first === undefined) return
  if (ends.every(({ cwd, also }) => cwd === first.cwd && also === first.also)) {
    scope.cwd = first.cwd
    scope.also = first.also
    return
  }
  const places = new Set(ends.flatMap(({ cwd, also }) => [cwd, ...(also ?? [])]))
  const unknown = places.delete(null)
  const all = [...places].filter((place) => place !== null)
  const known = unknown || all.length > MAX_PLACES + 1 ? null : (all.shift() ?? null)
  scope.cwd = known
  scope.also = all.length === 0 ? null : all.slice(0, MAX_PLACES)
}

/** The state after a body: as it ended, or as it was where something left it before its end. */
export function joinLeft(site: ExecutionContext, left: readonly Scope[]): void {
  if (left.length === 0) return
  const { scope, analysis } = site
  analysis.spend((left.length + 1) * (WORK.branch + WORK.variable * scope.variables.size), null)
  joinScopes(scope, [scope.clone(), ...left])
}

/** Standard input that ways of a branch opened differently is nobody knows what. */
function joinOpened(all: readonly Scope['opened'][]): Scope['opened'] {
  const one = all.find((opened) => opened !== null) ?? null
  return one === null || all.every((opened) => opened === one) ? one : { over: one.over, input: { kind: 'pipe', from: [], producers: [] } }
}

/** Ways to define a function, and values of a variable, that are followed. */
const MAX_WAYS = 4

/** A function that only some ways define, or that they define differently, is each of them. */
export function joinFunctions(maps: readonly ReadonlyMap<string, ShellFunction>[]): ReadonlyMap<string, ShellFunction> {
  const [first] = maps
  if (first === undefined || maps.every((map) => map === first)) return first ?? new Map()
  const joined = new Map<string, ShellFunction>()
  for (const name of new Set(maps.flatMap((map) => [...map.keys()]))) {
    const all = [...new Set(maps.map((map) => map.get(name) ?? null))]
    const ways = all.slice(0, MAX_WAYS)
    const one = ways.find((way) => way !== null)
    const more = all.length > MAX_WAYS ? { more: true as const } : {}
    if (one !== undefined && one !== null)
      joined.set(name, ways.length === 1 ? one : { ...one, or: ways.filter((way) => way !== one), ...more })
  }
  return joined
}

function united<K, V>(maps: readonly ReadonlyMap<K, V>[]): ReadonlyMap<K, V> {
  const [first, ...others] = maps
  return first !== undefined && others.every((map) => map === first) ? first : new Map(maps.flatMap((map) => [...map]))
}

function joinVariables(first: Scope, others: readonly Scope[]): ReadonlyMap<string, Variable> {
  if (others.every((end) => end.variables === first.variables)) return first.variables
  const names = new Set([first, ...others].flatMap((end) => [...end.variables.keys()]))
  const joined = new Map<string, Variable>()
  for (const name of names) {
    const values = [first, ...others].map((end) => end.variables.get(name))
    const [one] = values
    if (one !== undefined && values.every((value) => same(value, one))) joined.set(name, one)
    else {
      const words = values.flatMap((value) => (value === undefined ? [] : [value.word]))
      const from = words.flatMap((word) => word.from ?? [])
      const dynamic = words.some((word) => word.dynamic)
      const ways = [...new Set(words.flatMap((word) => (word.text === null ? (word.candidates ?? []) : [word.text])))]
      const span = words[0]?.span
      if (span === undefined) continue
      const word = unknownWord(span, from, dynamic)
      const many = values.some((value) => value !== undefined && (value.elements !== null || value.word.many === true))
        ? { many: true }
        : {}
      const either = { ...word, ...many, ...(ways.length === 0 ? {} : { candidates: ways.slice(0, MAX_WAYS) }) }
      joined.set(name, { word: either, elements: null, ...traits(values) })
    }
  }
  return joined
}

/** What is said of a variable beside its value, where only some ways may say so. */
function traits(values: readonly (Variable | undefined)[]): Partial<Variable> {
  if (!values.some(isSpecial)) return {}
  const [first] = values
  const one = <K extends keyof Variable>(key: K): boolean => values.every((value) => value?.[key] === first?.[key])
  const some = <K extends keyof Variable>(key: K): boolean => values.some((value) => value?.[key] !== undefined)
  return {
    ...(some('exported') ? { exported: true } : {}),
    ...(some('integer') ? { integer: true } : {}),
    ...(some('folds') ? { folds: one('folds') ? first?.folds : 'either' } : {}),
    ...(some('refers') ? { refers: one('refers') ? first?.refers : null } : {}),
    ...(some('fixed') ? { fixed: one('fixed') ? first?.fixed : 'perhaps' } : {}),
  } as Partial<Variable>
}

function isSpecial(value: Variable | undefined): boolean {
  return (
    value !== undefined &&
    (value.exported === true ||
      value.integer === true ||
      value.folds !== undefined ||
      value.refers !== undefined ||
      value.fixed !== undefined)
  )
}

function same(a: Variable | undefined, b: Variable): boolean {
  if (a === b) return true
  return (
    a !== undefined &&
    a.unset === b.unset &&
    a.exported === b.exported &&
    a.integer === b.integer &&
    a.folds === b.folds &&
    a.refers === b.refers &&
    a.fixed === b.fixed &&
    a.elements === null &&
    b.elements === null &&
    a.word.text !== null &&
    a.word.text === b.word.text
  )
}
