import { joinScopes } from './walk-join.ts'
import { type Analysis, type Output, type Scope, type Site, UNKNOWN_OUTPUT, WORK } from './walk-state.ts'

/** A shell of which it is not known in which of a few directories it is: what it does, it may do in each of them. */

/** Walks a command in the directory that the shell is taken to be in and, as merely possible, in the others. */
export function everywhere(site: Site, walk: (site: Site) => Output): Output {
  const { scope, analysis } = site
  const { also } = scope
  if (also === null) return walk(site)
  scope.also = null
  const before = scope.clone()
  const told = analysis.effects.length
  const ran = analysis.commands.length
  const output = walk(site)
  const ends: Scope[] = [scope.clone()]
  let same = true
  for (const place of also) {
    if (analysis.exhausted || !analysis.spend(WORK.branch + WORK.variable * before.variables.size, null)) break
    const inner = before.clone()
    inner.cwd = place
    inner.certainty = 'possible'
    const first = { effects: analysis.effects.length, commands: analysis.commands.length }
    const other = walk({ ...site, scope: inner })
    if (other.text !== output.text) same = false
    leaveOut(analysis, { told, ran, first })
    ends.push(inner)
  }
  joinScopes(scope, ends)
  return same ? output : UNKNOWN_OUTPUT
}

/** Tells of what is done on the way to a command in the other directories that the shell may be in. */
export function elsewhere({ scope, ...site }: Site, walk: (site: Site) => unknown): void {
  for (const place of scope.also ?? []) {
    if (site.analysis.exhausted) return
    const inner = scope.clone()
    inner.cwd = place
    inner.also = null
    inner.certainty = 'possible'
    walk({ ...site, scope: inner, pending: [] })
  }
}

/** What does not hang on the directory was told once. */
function leaveOut(
  { effects, commands, exhausted }: Analysis,
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
