/** Reads from the tests' source which requirement ids they cite with `proves`, and holds that against what has to be proved. */
import { isNode, type Node, type SourceFile, tree, walk } from '../scripts/check/source.ts'
import type { Requirement } from './requirements.ts'

export interface Citations {
  /** Cited id → the files that cite it. */
  readonly files: ReadonlyMap<string, readonly string[]>
  /** `file: what is wrong` for every `proves` whose ids are not string literals. */
  readonly unreadable: readonly string[]
}

/** Every id cited by a call of `proves` in these files; a mention in a comment or a text is none. */
export function citations(sources: readonly SourceFile[]): Citations {
  const files = new Map<string, string[]>()
  const unreadable: string[] = []
  for (const source of sources.filter(({ text }) => text.includes('proves('))) {
    for (const call of proofs(tree(source))) {
      const ids = literals(call)
      if (ids === null) unreadable.push(`${source.path}: the ids of \`proves\` must be string literals`)
      for (const id of ids ?? []) files.set(id, [...(files.get(id) ?? []), source.path])
    }
  }
  return { files, unreadable }
}

function proofs(program: Node): readonly Node[] {
  return [...walk(program)].filter(({ type, callee }) => type === 'CallExpression' && isNode(callee) && callee.name === 'proves')
}

function literals(call: Node): readonly string[] | null {
  const [first] = call.arguments as readonly Node[]
  const nodes = first?.type === 'ArrayExpression' ? (first.elements as readonly Node[]) : first === undefined ? [] : [first]
  const ids = nodes.flatMap(({ type, value }) => (type === 'Literal' && typeof value === 'string' ? value : []))
  return nodes.length > 0 && ids.length === nodes.length ? ids : null
}

export interface Coverage {
  readonly proved: readonly string[]
  /** Neither proved nor deferred. */
  readonly missing: readonly string[]
  /** Deferred although a test proves it. */
  readonly stale: readonly string[]
  /** Cited or deferred, but no requirement. */
  readonly unknown: readonly string[]
  /** Deferred more than once. */
  readonly repeated: readonly string[]
}

/** A row of lettered cases is proved by a citation of the row, or by one of every letter. */
export function coverage(requirements: readonly Requirement[], cited: ReadonlySet<string>, deferred: readonly string[]): Coverage {
  const known = new Set(requirements.map(({ id }) => id))
  const proved = requirements.filter((each) => isProved(each, cited)).map(({ id }) => id)
  const later = new Set(deferred)
  return {
    proved,
    missing: [...known].filter((id) => !later.has(id) && !proved.includes(id)),
    stale: [...later].filter((id) => proved.includes(id)),
    unknown: [...[...cited].filter((id) => !known.has(id) && !known.has(row(id))), ...[...later].filter((id) => !known.has(id))],
    repeated: [...later].filter((id) => deferred.indexOf(id) !== deferred.lastIndexOf(id)),
  }
}

function isProved(requirement: Requirement, cited: ReadonlySet<string>): boolean {
  return cited.has(requirement.id) || (casesOf(requirement).length > 0 && uncitedCases(requirement, cited).length === 0)
}

/** Cases of a row that no citation names by their letter. */
export function uncitedCases(requirement: Requirement, cited: ReadonlySet<string>): readonly string[] {
  return casesOf(requirement).filter((each) => !cited.has(each))
}

function casesOf({ id, text }: Requirement): readonly string[] {
  return [...new Set([...text.matchAll(/(?:^|[\s(])([a-z])(?: \(stricter\))?: /g)].map((match) => `${id}${match[1]}`))]
}

function row(id: string): string {
  return id.replace(/[a-z]$/, '')
}
