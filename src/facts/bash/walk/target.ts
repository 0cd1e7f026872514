import { type Effect, type PathClass, type Target, target } from '../../effect.ts'
import type { Word } from '../../host.ts'
import { isDescriptorPath } from '../../resources/acts.ts'
import { matchGlob, pathTarget, suspects } from '../../resources/path/index.ts'
import { urlTarget } from '../../resources/url/index.ts'
import { globbed } from '../expand/glob.ts'
import { WORK } from '../state/budget.ts'
import { unmade } from '../state/links.ts'
import type { Analysis, ExecutionContext } from '../state/state.ts'

/** Words as targets: what is known of a path or an address, and no more. */

/** Classes that hold for a place itself but not for something unknown below it. */
const ROOTS: ReadonlySet<string> = new Set(['filesystem-root', 'home-root', 'workspace-root'])

/** A path word as a target. An unknown rest is classified by the directory before it. */
export function pathOf(word: Word, site: ExecutionContext): Target {
  const resolved = resolve(word, site)
  return site.scope.remote ? { ...resolved, real: null, scope: 'elsewhere' } : resolved
}

function targetOf(path: string, site: ExecutionContext): Target {
  const { analysis } = site
  const { cwd } = site.scope
  const targets = analysis.files.targetsFrom(cwd)
  const seen = targets.get(path)
  if (seen !== undefined) return seen
  const length = path.length + (cwd?.length ?? 0)
  const plain = ASCII.test(path) && (cwd === null || ASCII.test(cwd))
  if (!analysis.spend(length * (plain ? WORK.path : WORK.folded), null)) return target('path', path)
  const made = through(path, site) ?? pathTarget(path, cwd, analysis.view)
  targets.set(path, made)
  return made
}

const ASCII = /^[\0-\x7f]*$/

/** A path through a symbolic link that the call makes; null where it goes through none. */
function through(path: string, { analysis, scope }: ExecutionContext): Target | null {
  if (analysis.files.links.size === 0) return null
  let absolute = path.startsWith('/') ? path : `${scope.cwd ?? ''}/${path.replace(/^(?:\.\/)+/, '')}`
  let found = false
  const others: Target[] = []
  for (let round = 0; round < 8; round++) {
    const hit = [...analysis.files.links].find(([link]) => absolute.startsWith(`${link}/`))
    if (hit === undefined) break
    const [link, to] = hit
    const rest = absolute.slice(link.length)
    // Each way costs a look of its own, and a link that leads into itself makes it longer every time.
    const ways = 1 + unmade(link, analysis).length
    if (!analysis.spend(ways * (WORK.pattern + WORK.folded * absolute.length), null)) return target('path', path)
    for (const { real } of unmade(link, analysis).filter((other) => other.real === null || leads(other.real, analysis)))
      others.push(real === null ? target('path', path) : pathTarget(real + rest, null, analysis.view))
    if (to.real === null) return target('path', path)
    absolute = to.real + rest
    found = true
  }
  if (!found) return null
  const made = { ...pathTarget(absolute, null, analysis.view), value: path }
  if (others.length > 0 && made.real !== null) analysis.files.others.set(made.real, others)
  return made
}

/** Something is there, or was put there by this call. */
function leads(path: string, { view, effects }: Analysis): boolean {
  if (view.realpath(path).type !== 'missing') return true
  return effects.some(({ verb, action, target: { real } }) => verb === 'write' && real?.startsWith(path) === true && action !== 'fs:link')
}

/** What a link leads to is meant from the directory that it lies in. */
function absoluteGoal(link: string, goal: string): string {
  return goal.startsWith('/') ? goal : `${link.slice(0, link.lastIndexOf('/'))}/${goal}`
}

/** Whether something was, or may have been, where the link is made. */
function stoodBefore(made: Effect, path: string, { effects, view, doubted }: Analysis): boolean {
  const last = effects.findLast((item) => item !== made && item.target.real === path && (item.verb === 'write' || item.verb === 'delete'))
  if (last === undefined) return view.realpath(path).type !== 'missing'
  return !(last.verb === 'delete' && last.certainty === 'certain' && !doubted.has(last))
}

/** Remembers that a link leads there from now on: a symbolic one, or a second name. */
export function linked(made: Effect, goal: string | null, site: ExecutionContext): void {
  const { target: link } = made
  if (link.real === null) return
  const length = WORK.folded * (link.real.length + (goal?.length ?? 0))
  if (!site.analysis.spend(WORK.link + length + site.analysis.effects.length, null)) return
  const { analysis } = site
  const { view } = analysis
  const { links, linkers } = analysis.files
  const direct = goal === null ? target('path', '') : pathTarget(absoluteGoal(link.real, goal), null, view)
  const known = direct.real ?? ''
  const earlier = links.get(link.real)
  const stood = stoodBefore(made, link.real, analysis)
  const before = [earlier ?? pathTarget(link.real, null, view), ...(linkers.get(link.real)?.before ?? [])].slice(0, MAX_BEFORE)
  // Through another link that was perhaps not made it leads elsewhere.
  const elsewhere = unmade(known, analysis)
  const replaces = stood || earlier !== undefined
  const mayFail = elsewhere.length > 0 || (made.attributes.force !== true && replaces)
  // Who is in there stays where that led.
  if (replaces) analysis.files.moves.push(link.real)
  linkers.set(link.real, { made, mayFail, through: known, before: [...before, ...elsewhere] })
  const to = links.get(known) ?? direct
  links.set(link.real, to)
  // What leads through it leads there, too, from now on.
  for (const [name, other] of linkers)
    if (other.through === link.real) linkers.set(name, { ...other, mayFail: true, before: [to, ...other.before].slice(0, 2 * MAX_BEFORE) })
  analysis.files.forgetTargets()
}

/** What a name stood for that a link is made of, at most. */
const MAX_BEFORE = 4

/** Paths that the pattern matches in the directory in effect. */
export function matchesOf(pattern: string, site: ExecutionContext): readonly string[] {
  const { view } = site.analysis
  const { matches } = site.analysis.files
  const { cwd } = site.scope
  const key = `${cwd ?? ''}\0${pattern}`
  const seen = matches.get(key)
  if (seen !== undefined) return seen
  const made = globbed(pattern, cwd, view)
  matches.set(key, made)
  return made
}

function resolve(word: Word, site: ExecutionContext): Target {
  if (word.text === null) return partial(word, site)
  if (isDescriptorPath(word.text)) return target('path', word.text, 'temporary')
  if (!word.glob) return targetOf(word.text, site)
  const whole = /^(.*\/)?(?:\*|\.\*|\*\*|\{\*,\.\*\})$/s.exec(word.text)
  if (whole !== null) {
    const value = whole[0]
    const directory = { ...targetOf(whole[1] ?? '.', site), value }
    // In a home, files whose names begin with a dot are settings and keys.
    const keys = value.endsWith('.*') && directory.classes.includes('home-root') ? suspected(value, site) : []
    const classes = keys.flatMap((path) => targetOf(path, site).classes).filter((item) => item === 'credential')
    return classes.length === 0 ? directory : { ...directory, classes: [...directory.classes, 'credential'] }
  }
  if (site.scope.remote) return targetOf(word.text, site)
  const targets = site.analysis.files.targetsFrom(site.scope.cwd)
  const key = `\0${word.text}`
  const known = targets.get(key) ?? patternTarget(word.text, site)
  targets.set(key, known)
  return known
}

/** A pattern as a target: what it says itself, and what the paths are that it matches or may have been meant for. */
function patternTarget(pattern: string, site: ExecutionContext): Target {
  const lexical = targetOf(pattern, site)
  if (!site.analysis.spend(WORK.pattern, null)) return lexical
  const found = matchesOf(pattern, site)
  const seen = found.some((path) => site.analysis.view.realpath(path).type !== 'missing')
  const classes = (seen ? found : [...found, ...suspected(pattern, site)]).flatMap((path) => targetOf(path, site).classes)
  const added = classes.filter((item) => !ROOTS.has(item) && !lexical.classes.includes(item))
  return added.length === 0 ? lexical : { ...lexical, classes: [...lexical.classes, ...new Set(added)] }
}

/** Where no file is seen that the pattern matches, the secrets that it may have been meant for. */
function suspected(pattern: string, site: ExecutionContext): readonly string[] {
  const { cwd } = site.scope
  const absolute = pattern.startsWith('/') ? pattern : cwd === null ? null : `${cwd}/${pattern.replace(/^(?:\.\/)+/, '')}`
  return absolute === null ? [] : suspects(absolute, { home: site.analysis.view.home, cwd, match: matchGlob })
}

function partial(word: Word, site: ExecutionContext): Target {
  const above = aboveUnknown(word)
  if (above !== null) return { ...targetOf(above, site), real: null }
  const value = word.raw ?? `${word.prefix}*`
  const slash = word.prefix.lastIndexOf('/')
  const said = [...namedBelow(word, site), ...listedClasses(word, site), ...endClasses(word, site)]
  if (slash <= 0) return said.length === 0 ? target('path', value) : { ...target('path', value), classes: [...new Set(said)] }
  const parent = targetOf(word.prefix.slice(0, slash), site)
  const classes = parent.classes.filter((item) => !ROOTS.has(item))
  return { ...parent, value, real: null, classes: said.length === 0 ? classes : [...new Set([...classes, ...said])] }
}

/** Where a path leads whose `..` take away all that is not known of it: `/etc/$X/../shadow`. Null where something unknown stays. */
function aboveUnknown({ prefix, pieces = [] }: Word): string | null {
  if (!prefix.includes('/') || !pieces.some((piece) => piece?.includes('..') === true)) return null
  const names: string[] = []
  for (const name of pieces
    .map((piece) => piece ?? UNTOLD)
    .join('')
    .split('/')) {
    if (name === '..' && names.length > 0 && names.at(-1) !== '..') names.pop()
    else if (name !== '' && name !== '.') names.push(name)
  }
  const path = `${prefix.startsWith('/') ? '/' : './'}${names.join('/')}`
  return path.includes(UNTOLD) ? null : path
}

/** Stands for what is not known, in one name of a path. */
const UNTOLD = '\0'

/** What bears such a name, wherever below the known part it lies. */
function namedBelow({ prefix, named = [] }: Word, site: ExecutionContext): readonly PathClass[] {
  return namedClasses(prefix, named, site)
}

/** Names may lie right below the known part, and in the home where that is below it. */
function namedClasses(prefix: string, named: readonly string[], site: ExecutionContext): readonly PathClass[] {
  const home = `${site.analysis.view.home}/`
  const places = home !== prefix && home.startsWith(prefix) ? [prefix, home] : [prefix]
  return named.flatMap((name) => places.flatMap((place) => targetOf(place + name, site).classes)).filter((item) => !GENERAL.has(item))
}

/** Classes of a place as a whole, which say nothing of one name in it. */
const GENERAL: ReadonlySet<string> = new Set([...ROOTS, 'system', 'other-user', 'personal'])

/** `"$(find / -name .zshrc)"`, `"$(ls -d /home/*\/).bashrc"`: what a listing tells is one of the names that it looked for. */
function listedClasses({ from = [], prefix, pieces }: Word, site: ExecutionContext): readonly PathClass[] {
  const listings = from.filter(({ verb, action, target: { kind } }) => verb === 'read' && action === 'fs:list' && kind === 'path')
  if (prefix !== '' || listings.length === 0 || listings.length < from.length || listings.length > MAX_LISTINGS) return []
  const end = pieces === undefined || pieces.length < 2 ? '' : (pieces.at(-1) ?? '')
  return listings.flatMap(({ target: { value }, attributes: { named } }) => {
    const names = Array.isArray(named) ? named.filter((item) => typeof item === 'string') : []
    if (names.length === 0) return targetOf(value + end, site).classes.filter((item) => !GENERAL.has(item))
    return namedClasses(
      value.endsWith('/') ? value : `${value}/`,
      names.map((name) => name + end),
      site,
    )
  })
}

const MAX_LISTINGS = 4

/** Where ends like these most often lie. */
const PLACES: readonly (readonly [RegExp, string])[] = [
  [/^\/s?bin\/[^/]+$/, '/usr/'],
  [/^\/(?:sudoers\.d|cron\.(?:d|daily|hourly|weekly|monthly)|profile\.d|ld\.so\.conf\.d|pam\.d|systemd\/system)\/[^/]+$/, '/etc/'],
  [/^\/(?:systemd\/user|autostart)\/[^/]+$/, '.config/'],
  [/^\/Launch(?:Agents|Daemons)\/[^/]+$/, 'Library/'],
]

/** Settings that lie in no project, as `.npmrc` and `.cargo/config.toml` do. */
const OF_HOMES =
  /^\.(?:ssh|gnupg|config|local)\/|^\.(?:gitconfig|inputrc|(?:vim|screen|curl|wget|psql|sqlite|irb|pry)rc|tmux\.conf|gdbinit|lldbinit)$/

/** `$dir/.ssh/id_rsa`: what the known end says, wherever the unknown start leads. */
function endClasses({ pieces, dynamic }: Word, site: ExecutionContext): readonly PathClass[] {
  const end = pieces?.at(-1) ?? null
  const slash = end === null ? -1 : end.indexOf('/')
  if (end === null || slash < 0 || pieces?.length === 1) return []
  const { view } = site.analysis
  const rest = end.slice(slash + 1)
  const { classes } = pathTarget(rest, null, view)
  const place = PLACES.find(([pattern]) => pattern.test(end))?.[1]
  // What a command prints is most often where programs were installed; a variable as often a directory to build into.
  if (place !== undefined && (place !== '/usr/' || dynamic)) return pathTarget(place + rest, view.home, view).classes
  // Of a tree that stands for the whole machine, files that start something are those of the machine.
  if (rest.startsWith('etc/'))
    return [...new Set([...classes, ...pathTarget(`/${rest}`, null, view).classes.filter((item) => item !== 'system')])]
  if (!rest.startsWith('.')) return classes
  // A name with a dot most often lies in a home.
  const inHome = (item: PathClass): boolean =>
    item === 'credential' || item === 'shell-startup' || (item === 'scheduled' && OF_HOMES.test(rest))
  const athome = pathTarget(rest, view.home, view).classes.filter(inHome)
  return [...new Set([...classes, ...athome])]
}

/** A URL or host word as a target. Of an unknown rest the host may still be known. */
export function urlOf(word: Word): Target {
  if (word.text !== null) return urlTarget(word.text)
  const value = word.raw ?? word.prefix
  const host = HOST.exec(word.prefix)?.[0]
  if (host !== undefined) return { ...urlTarget(host), value }
  return { ...target('url', value), scope: handsOutKeys(word) ? 'metadata' : 'unknown' }
}

/** A host that ends where the unknown begins at the latest. Without a scheme it has a dot in it, or is this machine. */
const HOST = /^(?:[a-z][a-z0-9+.-]*:\/\/[^/?#]+|(?:localhost|[a-z0-9-]+(?:\.[a-z0-9-]+)+)(?::\d{1,5})?)[/?#]/i

/** Variables that a cloud sets to the address at which it hands out the keys of the machine, at the beginning of a word. */
const KEY_SERVER = new RegExp(
  String.raw`^["']?(?:http://)?\$\{?(?:ECS_CONTAINER_METADATA_URI(?:_V4)?|AWS_CONTAINER_CREDENTIALS_FULL_URI` +
    String.raw`|AWS_EC2_METADATA_SERVICE_ENDPOINT|IDENTITY_ENDPOINT|MSI_ENDPOINT|GCE_METADATA_(?:HOST|IP))(?!\w)`,
)

/** The address of a metadata service, by its number with an unknown end, or by the variable that it begins with. */
function handsOutKeys({ prefix, raw }: Word): boolean {
  if (/^(?:http:\/\/)?169\.254\.\d{1,3}\.\d{1,3}$/i.test(prefix)) return urlTarget(prefix).scope === 'metadata'
  return prefix.length < 8 && raw !== undefined && KEY_SERVER.test(raw)
}

/** The key of a path in `Analysis.files`; null where the path is not known. */
export function fileKey(word: Word, site: ExecutionContext): string | null {
  if (word.text === null || word.glob) return null
  const descriptor = /^\/(?:proc\/self|dev)\/fd\/(\d+)$/.exec(word.text)?.[1]
  if (descriptor !== undefined) return `/dev/fd/${descriptor}`
  return behindLinks(keyOf(targetOf(word.text, site)), site)
}

/** The word names a link of this call, or leads through one, that was perhaps not made. */
export function isPerhapsLinked(word: Word, site: ExecutionContext): boolean {
  const { links, others } = site.analysis.files
  if (links.size === 0 || word.text === null) return false
  const { real } = targetOf(word.text, site)
  return real !== null && (unmade(real, site.analysis).length > 0 || others.has(real))
}

/** The key of the file that a name made by `ln` in this very call leads to. */
function behindLinks(key: string, { analysis }: ExecutionContext): string {
  let at = key
  for (let round = 0; analysis.files.links.size > 0 && round < 8; round++) {
    const to = analysis.files.links.get(at)?.real ?? null
    if (to === null || to === at) break
    at = to
  }
  return at
}

export function keyOf(path: Target): string {
  return path.real ?? (path.value.startsWith('./') ? path.value.slice(2) : path.value)
}
