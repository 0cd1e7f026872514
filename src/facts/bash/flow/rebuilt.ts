import type { Effect } from '../../effect.ts'
import { isIgnored } from '../../resources/path/ignored.ts'
import type { View } from '../../view.ts'
import { type Execution, type Marks, NO_MARKS } from '../detect/execution.ts'

/**
 * Directories that a build makes again: by their name, where the project that builds them lies beside. What its own scripts delete is
 * such a one also where git ignores it, or where it is not there.
 */

const SCRIPTS = 'package.json Makefile CMakeLists.txt pyproject.toml setup.py build.gradle build.gradle.kts meson.build'.split(' ')

/** Names of such directories, and the files beside them that say so. */
const BUILT: ReadonlyMap<string, readonly string[]> = new Map([
  ['target', ['Cargo.toml', 'pom.xml', 'build.sbt', 'deps.edn', 'project.clj']],
  ['build', [...SCRIPTS, 'pubspec.yaml', 'build.xml', 'Cargo.toml', 'go.mod']],
  ['dist', SCRIPTS],
  ['out', SCRIPTS],
  ['bin', ['Makefile', 'CMakeLists.txt', 'go.mod']],
  ['obj', ['Makefile', 'CMakeLists.txt']],
  ['site', ['mkdocs.yml']],
  ['_site', ['_config.yml']],
  ['public', ['hugo.toml', 'gatsby-config.js', 'gatsby-config.ts']],
  ['vendor', ['go.mod', 'composer.json', 'Gemfile']],
  ['deps', ['mix.exs', 'rebar.config']],
  ['_build', ['mix.exs', 'rebar.config', 'dune-project']],
  ['pods', ['Podfile']],
  ['release', ['Makefile', 'CMakeLists.txt']],
  ['debug', ['Makefile', 'CMakeLists.txt']],
])

/** Deletions of one command, and effects before it, of which it is asked: each look is a question to the machine. */
const MOST = 16
const MAX_BEFORE = 64

/** Marks what the command that began at `start` deletes of that kind: attribute `rebuilt`. */
export function reportRebuilt({ site: { analysis, scope }, start }: Execution): Marks {
  const { effects, view } = analysis
  const { project } = scope
  if ((start > MAX_BEFORE && project === null) || start === effects.length) return NO_MARKS
  const marks = new Map<number, { readonly rebuilt: true }>()
  for (let at = start; at < Math.min(effects.length, start + MOST); at++) {
    const item = effects[at] as Effect
    if (item.verb !== 'delete' || item.target.scope !== 'workspace' || item.target.real === null) continue
    if (isBuilt(item.target.real, view) || (project !== null && isSpare(item.target.real, view))) marks.set(at, { rebuilt: true })
  }
  return marks
}

function isBuilt(path: string, view: View): boolean {
  const [last = '', ...before] = path.split('/').reverse()
  const said = BUILT.get(last.toLowerCase())
  const parent = before.reverse().join('/')
  return said?.some((name) => view.realpath(`${parent}/${name}`).type === 'file') === true
}

/** What is not there, or is left out of the history: a script of the project that deletes it tidies up. */
function isSpare(path: string, view: View): boolean {
  return view.realpath(path).type === 'missing' || isIgnored(path, view)
}
