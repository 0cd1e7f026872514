import type { Effect } from '../../effect.ts'
import type { Invocation } from '../../host.ts'
import { pathTarget } from '../../resources/path/index.ts'
import type { Written } from '../state/files.ts'
import type { Analysis, ExecutionContext } from '../state/state.ts'
import { keyOf } from '../walk/target.ts'
import { remoteSource } from './flow.ts'
import { isPlainSource } from './plain-source.ts'

/** What a compiler leaves behind, and what is known of it by the sources it was made of. */

export type Built = Pick<Written, 'built' | 'own' | 'fresh'>

interface Compiling {
  readonly made: readonly Effect[]
  readonly reads: readonly Effect[]
  readonly invocation: Invocation
}

/** What is known of the output: nothing where no compiler ran, or where a source came from this call and does more than compute. */
export function builtOf({ made, reads, invocation }: Compiling, site: ExecutionContext): Built {
  if (!made.some((item) => item.action === 'dev:build')) return {}
  const { earlier } = site.analysis
  const { written: files } = site.analysis.files
  let [fresh, inside] = [false, invocation.input.kind === 'none']
  for (const { target } of reads) {
    const written = files.get(keyOf(target))
    if (written !== undefined && !isPlain(written, site)) return {}
    if (written !== undefined) fresh = true
    else if (target.scope !== 'workspace' && (target.real === null || earlier.file(target.real)?.origin !== null)) inside = false
  }
  if (reads.length === 0) inside = inside && ofPackage(invocation, site)
  const built: Built = fresh ? { built: true, fresh } : { built: true }
  return inside ? { ...built, own: true } : built
}

function isPlain({ text, decoded, from }: Written, { analysis }: ExecutionContext): boolean {
  return text !== null && !decoded && remoteSource(from, analysis) === null && isPlainSource(text)
}

/** Words that name what lies elsewhere. */
const ELSEWHERE = /^[/~]|\.\.|=[/~]/

/** `go build -o /tmp/app ./cmd/app` names a package below the directory it runs in. */
function ofPackage({ name, args }: Invocation, { scope, analysis }: ExecutionContext): boolean {
  if (name !== 'go' || scope.cwd === null) return false
  const named = args.filter((_, at) => args[at - 1]?.text !== '-o')
  if (named.some(({ text, prefix }) => text === null || ELSEWHERE.test(prefix))) return false
  return pathTarget(scope.cwd, null, analysis.view).scope === 'workspace'
}

/** What an environment of Python puts where its programs stand. */
const PROGRAM = /\/(?:bin|Scripts)\/[^/]{1,64}$/

/** True of a program that this call compiled of sources of the workspace, and of one of an environment that it made. */
export function madeHere(key: string, { files: { written: files, trees } }: Analysis): boolean {
  if (files.get(key)?.own === true) return true
  return trees.size > 0 && trees.get(key.replace(PROGRAM, '')) === null && PROGRAM.test(key)
}
