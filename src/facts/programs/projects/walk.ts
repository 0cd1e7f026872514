import type { CommandContext } from '../../host.ts'
import { knownWord } from '../../resources/text/word.ts'
import { list } from '../tool.ts'

/** Files of a project by the names that a program looks for, in bounds: nearer ones first. */

const NOWHERE = { pointer: '', start: 0, end: 0 }
const MAX_DIRECTORIES = 48
const MAX_NAMES = 200
const MAX_DEPTH = 6
const MAX_FOUND = 96

/** Where no program looks for the project's own files. */
const SKIPPED: ReadonlySet<string> = new Set(
  list(
    'node_modules bower_components vendor venv env __pycache__ build dist target out coverage htmlcov site-packages fixtures snapshots testdata',
  ),
)

/**
 * Absolute paths of files below a directory whose names fit, those that this call wrote among them; `fits` is told the path from the
 * directory as well.
 */
export function filesBelow(directory: string, context: CommandContext, fits: (name: string, path: string) => boolean): readonly string[] {
  const { view } = context
  const found = context.made().filter((path) => {
    const inner = path.startsWith(`${directory}/`) ? path.slice(directory.length + 1) : null
    // Of a file to which lines are added, what stands before them may not be known: it is judged as the project's, as it was.
    return inner !== null && fits(inner.slice(inner.lastIndexOf('/') + 1), inner) && context.written(knownWord(path, NOWHERE))?.text != null
  })
  const pending: { readonly path: string; readonly inner: string; readonly depth: number }[] = [{ path: directory, inner: '', depth: 0 }]
  for (let at = 0; at < pending.length && at < MAX_DIRECTORIES && found.length < MAX_FOUND; at++) {
    const { path, inner, depth } = pending[at] as (typeof pending)[number]
    for (const name of view.list(path, MAX_NAMES) ?? []) {
      if (fits(name, inner + name)) found.push(`${path}/${name}`)
      else if (!name.includes('.') && depth < MAX_DEPTH && !SKIPPED.has(name))
        pending.push({ path: `${path}/${name}`, inner: `${inner}${name}/`, depth: depth + 1 })
    }
  }
  return [...new Set(found)].slice(0, MAX_FOUND)
}
