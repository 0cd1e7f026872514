import type { FunctionNode, Node } from '../ast.ts'
import type { Passed, Run } from './run.ts'
import { type Environment, list, UNKNOWN } from './value.ts'

/** The names that a call and an import bring into a scope. */

/** Gives parameters their values. They are new variables, whatever is known outside. */
export function bindParameters(
  run: Run,
  parameters: FunctionNode['params'],
  { scope, passed }: { readonly scope: Environment; readonly passed: Passed },
): void {
  const { args, named } = passed
  for (const [at, { target, rest, fallback }] of parameters.entries()) {
    const name = target.kind === 'name' ? target.name : ''
    const given = rest ? list(args.slice(at), args.length === 0) : (named.get(name) ?? args[at])
    const value = given ?? (fallback === null ? UNKNOWN : run.evaluate(fallback, scope))
    if (target.kind === 'name') scope.set(target.name, value)
    else run.assign(target, value, scope)
  }
}

/** Names what is imported, and what the module loads; gives the modules of which all names are taken. */
export function bindImports(run: Run, { bindings, star, loads }: Extract<Node, { kind: 'import' }>, scope: Environment): readonly string[] {
  for (const [local, name] of bindings) scope.set(local, { kind: 'ref', name: run.profile.canonical(name) })
  for (const module of loads) run.profile.loads?.(module, run)
  return star === null ? [] : [star]
}
