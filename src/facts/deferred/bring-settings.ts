/**
 * Settings of agents among files that a call copies as a whole (T40): what lies below the source is looked at, and each file that would
 * come to stand where this session's agent reads its settings is told as a write of its own, with what its content does to the gate.
 */
import { type Effect, effect, hasClass } from '../effect.ts'
import { isJudged, type Objection, objectionTo } from '../resources/host-files.ts'
import { pathTarget } from '../resources/path/index.ts'
import type { View } from '../view.ts'

const LONGEST = 65_536
/** Directories above the working directory, entries of one directory, and files of a whole directory of settings that are looked at. */
const MAX_PARENTS = 12
const MAX_ENTRIES = 1_000
const MAX_FILES = 64
const MAX_DEPTH = 6

/** Where agents and editors read their settings, below the directory that they are opened in, or the home. */
const PLACES = [
  ...['.claude/settings.json', '.claude/settings.local.json', '.mcp.json', '.gemini/settings.json', '.qwen/settings.json'],
  ...['.codex/config.toml', '.codex/hooks.json', '.cursor/hooks.json', '.cursor/mcp.json', '.cursor/cli.json', '.cursor/permissions.json'],
  ...['.vscode/settings.json', '.vscode/tasks.json', '.vscode/mcp.json', 'opencode.json', 'opencode.jsonc', '.windsurf/hooks.json'],
  ...['.windsurf/mcp_config.json', '.aider.conf.yml'],
]

/** What the content of settings does, as attributes of their write. */
export function settingsContent(objection: Objection): { readonly settings_content: string } {
  return { settings_content: objection ?? 'harmless' }
}

/** The effects from which a copy takes its files; every directory that is read as a whole where the copy does not name them. */
export function sourcesOf({ attributes: { from } }: Effect, effects: readonly Effect[]): readonly Effect[] {
  const taken = effects.filter(({ verb, target }) => (verb === 'read' || verb === 'delete') && target.kind === 'path')
  const named = typeof from === 'string' ? taken.filter(({ target }) => target.value === from) : []
  return named.length > 0 ? named : taken.filter(({ verb, attributes }) => verb === 'read' && attributes.recursive === true)
}

/** Adds a write for each file of settings that comes with a tree, and says of a tree that holds nothing else that it is harmless. */
export function bringSettings(effects: Effect[], view: View): void {
  for (const [at, found] of [...effects.entries()]) {
    const into = found.target.real
    if (!fills(found) || into === null || hasClass(found.target, 'gate')) continue
    const trees = sourcesOf(found, effects).flatMap(({ target: { real } }) =>
      real !== null && view.realpath(real).type === 'directory' ? [real] : [],
    )
    for (const tree of trees) effects.push(...brought(found, { tree, into, view }))
    if (trees.length > 0 && /\/\.[\w-]+$/.test(into) && trees.every((tree) => isHarmless(tree, { into, view }))) {
      effects[at] = { ...found, attributes: { ...found.attributes, ...settingsContent(null) } }
    }
  }
}

function fills({ verb, action, target, attributes }: Effect): boolean {
  if (verb !== 'write' || target.kind !== 'path' || attributes.settings_content !== undefined) return false
  return action === 'fs:move' || ((action === 'fs:copy' || action === 'archive:extract') && attributes.recursive === true)
}

interface Tree {
  /** Kernel-true, as all paths here. */
  readonly tree: string
  readonly into: string
  readonly view: View
}

function brought(found: Effect, { tree, into, view }: Tree): readonly Effect[] {
  const places = placesBelow(into, view)
  if (places.length === 0) return []
  const entries = view.list(tree, MAX_ENTRIES)
  const names = entries === null || entries.length >= MAX_ENTRIES ? null : new Set(entries)
  return places.flatMap((place) => {
    const below = place.slice(into === '/' ? 1 : into.length + 1)
    if (names?.has(below.split('/')[0] ?? '') === false) return []
    const source = view.realpath(`${tree}/${below}`)
    if (source.type === 'missing') return []
    const attributes = settingsContent(objectionToCopy(place, source.type === 'file' ? source.real : null, view))
    return [effect('write', pathTarget(place, null, view), { action: found.action, span: found.span, certainty: 'likely', attributes })]
  })
}

/** Places in which the agent of this session looks for settings, as far as they lie in the directory. */
function placesBelow(into: string, { home, cwd }: View): readonly string[] {
  const opened = [home]
  for (let at = cwd ?? '', count = 0; at !== '' && count < MAX_PARENTS; at = at.slice(0, at.lastIndexOf('/')), count++) opened.push(at)
  const below = into === '/' ? '/' : `${into}/`
  return [...new Set(opened)].flatMap((directory) =>
    PLACES.map((name) => `${directory}/${name}`).filter((place) => place.startsWith(below)),
  )
}

function objectionToCopy(place: string, source: string | null, view: View): Objection {
  const text = source === null ? null : textOf(source, view)
  if (text === null) return 'what it will hold is not known before the call runs'
  const { type, real } = view.realpath(place)
  const before = type === 'missing' ? '' : type === 'file' ? textOf(real, view) : null
  if (before === null) return 'what stands there cannot be read'
  return objectionTo(place, text, type === 'missing' ? null : before)
}

function textOf(path: string, view: View): string | null {
  const file = view.read(path, LONGEST)
  return file === null || file.truncated ? null : file.text
}

/** True where everything below is a file whose content does nothing to the gate. */
function isHarmless(tree: string, { into, view }: Omit<Tree, 'tree'>): boolean {
  let left = MAX_FILES
  const look = (directory: string, depth: number): boolean => {
    const entries = view.list(`${tree}${directory}`, MAX_ENTRIES)
    if (entries === null || entries.length >= MAX_ENTRIES || depth > MAX_DEPTH) return false
    return entries.every((name) => {
      if (--left < 0) return false
      const below = `${directory}/${name}`
      const source = view.realpath(`${tree}${below}`)
      if (source.type === 'directory') return source.real === `${tree}${below}` && look(below, depth + 1)
      return source.type === 'file' && isJudged(`${into}${below}`) && objectionToCopy(`${into}${below}`, source.real, view) === null
    })
  }
  return look('', 0)
}
