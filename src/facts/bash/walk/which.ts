import type { CommandSpec, Word } from '../../host.ts'
import { lookup } from '../../programs/index.ts'
import { knownWord } from '../../resources/text/word.ts'
import type { ExecutionContext } from '../state/state.ts'
import { fetchedAbove } from '../state/trees.ts'
import { builtin } from './builtins.ts'
import { standsFor } from './script.ts'
import { keyOf, pathOf } from './target.ts'

/** Which program a name stands for: installed ones, copies of them, and those that the call itself put where `PATH` leads. */

/** What was asked for before: names are few, and many spellings are tried for one that no table knows. */
const specs = new Map<string, CommandSpec | null>()
const MAX_SPECS = 2_000

/** The knowledge of a program. */
export function specOf(name: string): CommandSpec | null {
  const known = specs.get(name)
  if (known !== undefined) return known
  const spec = lookup(name)
  if (specs.size >= MAX_SPECS) specs.clear()
  specs.set(name, spec)
  return spec
}

export function isKnown(name: string): boolean {
  return specOf(name) !== null
}

/** Directories whose programs are what their names say. */
export const BIN = /^(?:\/usr|\/usr\/local|\/opt\/homebrew|\/opt\/local|\/run\/current-system\/sw|\/snap)?\/s?bin\/[^/]+$/

/** Programs that are many, by the name that they are called by. */
const MANY: ReadonlySet<string> = new Set(['busybox', 'toybox', 'coreutils'])

/** The installed program that a path is a copy of, or a link to: `cp /bin/rm x; ./x -rf dir`. Null where it is none. */
export function copiedProgram(word: Word, site: ExecutionContext): string | null {
  const path = word.text ?? ''
  if (!path.includes('/') || BIN.test(path) || site.scope.remote) return null
  const real = standsFor(word, site)?.real ?? pathOf(word, site).real
  if (real === null || !BIN.test(real)) return null
  const name = real.slice(real.lastIndexOf('/') + 1)
  const spec = MANY.has(name) ? null : specOf(name)
  return spec === null || spec === specOf(path.slice(path.lastIndexOf('/') + 1)) ? null : real
}

interface Started {
  readonly site: ExecutionContext
  readonly env: ReadonlyMap<string, Word>
  readonly span: Word['span']
}

/** The program of that name that this call itself put where `PATH` leads first; null where it did not. */
export function madeProgram(name: string, started: Started): string | null {
  const list = pathOfPrograms(name, started)
  return list === null ? null : searched(name, list, started)
}

/** Such a program where `PATH` may lead, if it is what some way to here made of it. */
export function perhapsMade(name: string, started: Started): string | null {
  const list = pathOfPrograms(name, started)
  for (const text of list?.candidates ?? []) {
    const found = searched(name, knownWord(text, started.span), started)
    if (found !== null) return found
  }
  return null
}

/** What `PATH` is, where this call made anything that it could lead to. */
function pathOfPrograms(name: string, { site: { scope, analysis }, env }: Started): Word | null {
  if (analysis.files.written.size + analysis.files.links.size + analysis.files.trees.size === 0 || name.includes('/')) return null
  const list = env.get('PATH') ?? scope.variables.get('PATH')?.word
  return list === undefined || scope.remote || builtin(name) !== null ? null : list
}

function searched(name: string, list: Word, { site, span }: Started): string | null {
  const { analysis } = site
  const known = specOf(name) !== null
  for (const piece of list.text === null ? (list.pieces ?? [list.prefix, null]) : [list.text]) {
    // Behind what nobody knows the installed program comes first, where there is one.
    if (piece === null && known) return null
    for (const directory of piece?.split(':') ?? []) {
      if (known && BIN.test(`${directory}/x`)) return null
      const path = `${directory === '' ? '.' : directory}/${name}`
      const key = keyOf(pathOf(knownWord(path, span), site))
      if (analysis.files.written.has(key) || analysis.files.links.has(key) || (!known && fetchedAbove(key, analysis) !== null)) return path
    }
  }
  return null
}
