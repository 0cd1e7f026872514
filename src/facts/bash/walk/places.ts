import { WORK } from '../state/budget.ts'
import { goBack, joinedPlace, joinScopes, placeOf } from '../state/join.ts'
import { type Analysis, type ExecutionContext, type Output, type Place, type Scope, UNKNOWN_OUTPUT } from '../state/state.ts'

/** A shell of which it is not known in which of a few directories it is: what it does, it may do in each of them. */

/** Walks a command in the directory that the shell is taken to be in and, as merely possible, in the others. */
export function everywhere(site: ExecutionContext, walk: (site: ExecutionContext) => Output): Output {
  const { scope, analysis } = site
  const { also } = scope
  if (also === null) return walk(site)
  const { whereabouts } = scope
  scope.also = null
  scope.whereabouts = 'unknown'
  const before = scope.clone()
  const told = analysis.effects.length
  const ran = analysis.commands.length
  const output = walk(site)
  const ends: Scope[] = [scope.clone()]
  let same = true
  for (const place of also) {
    if (analysis.budget.exhausted || !analysis.spend(WORK.place + WORK.variable * before.variables.size, null)) break
    const inner = before.clone()
    inner.cwd = place
    inner.certainty = 'possible'
    const first = { effects: analysis.effects.length, commands: analysis.commands.length }
    const other = walk({ ...site, scope: inner })
    if (other.text !== output.text) same = false
    analysis.spend(WORK.branch * (analysis.effects.length - told + analysis.commands.length - ran), null)
    leaveOut(analysis, { told, ran, first })
    ends.push(inner)
  }
  joinTurns(scope, ends)
  scope.whereabouts = whereabouts
  return same ? output : UNKNOWN_OUTPUT
}

/** Where the shell is after a command that may have moved it from several places, by how it ended in each of them. */
function joinTurns(scope: Scope, ends: readonly Scope[]): void {
  const how = ends.map(({ turn }) => (turn === null ? null : turn.wentWell()))
  const lost = how.every((well) => well === 'no')
  const stays = how.every((well) => well === null || well === 'yes')
  const wells = ends.filter((_, at) => lost || how[at] !== 'no').map(placeOf)
  const failed = ends.flatMap((end, at): Place[] => (how[at] === 'yes' ? [] : [end.turn === null ? placeOf(end) : end.turn.otherwise]))
  for (const end of ends) end.turn = null
  joinScopes(scope, ends)
  goBack(scope, joinedPlace(wells))
  const otherwise = joinedPlace(failed)
  const presumed = how.every((well) => well === null || well === 'yes' || well === 'presumed')
  if (!stays) scope.turn = { otherwise, wentWell: () => (lost ? 'no' : presumed ? 'presumed' : 'maybe') }
}

/** Tells of what is done on the way to a command in the other directories that the shell may be in. */
export function elsewhere({ scope, ...site }: ExecutionContext, walk: (site: ExecutionContext) => unknown): void {
  for (const place of scope.also ?? []) {
    if (site.analysis.budget.exhausted) return
    const inner = scope.clone()
    inner.cwd = place
    inner.also = null
    inner.whereabouts = 'unknown'
    inner.certainty = 'possible'
    walk({ ...site, scope: inner, pending: [] })
  }
}

/** What does not hang on the directory was told once. */
function leaveOut(
  { effects, commands, budget: { exhausted } }: Analysis,
  {
    told,
    ran,
    first,
  }: { readonly told: number; readonly ran: number; readonly first: { readonly effects: number; readonly commands: number } },
): void {
  if (exhausted) return
  const known = new Set(effects.slice(told, first.effects).map(keyOf))
  const added = effects.slice(first.effects).filter((item) => !known.has(keyOf(item)))
  effects.splice(first.effects, effects.length, ...added)
  const seen = new Set(commands.slice(ran, first.commands).map(({ argv }) => JSON.stringify(argv)))
  const others = commands.slice(first.commands).filter(({ argv }) => !seen.has(JSON.stringify(argv)))
  commands.splice(first.commands, commands.length, ...others)
}

function keyOf({ verb, action, target, reason }: Analysis['effects'][number]): string {
  return `${verb}\0${action}\0${target.kind}\0${target.value}\0${target.real}\0${verb === 'opaque' ? reason : ''}`
}
