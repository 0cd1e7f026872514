/** Calls in a program, by the name that is called: as the reader here sees them, and as a parser of somebody else does. */

import { parser as lezer } from '@lezer/python'
import { loadPrism } from '@ruby/prism'
import luaparse from 'luaparse'
import { parseSync } from 'oxc-parser'
import { Engine } from 'php-parser'
import { childrenOf, type Node } from '../../src/facts/languages/ast.ts'
import { CodeLimit } from '../../src/facts/languages/limits.ts'
import { type ParsedLanguage, parse } from '../../src/facts/languages/parsers.ts'

export type Calls = ReadonlyMap<string, number>

/** Calls of the reader here; null where it says that it did not read all. */
export function callsHere(language: ParsedLanguage, source: string): Calls | null {
  const calls = new Map<string, number>()
  try {
    const open: Node[] = [parse(language, source)]
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      if (node.kind === 'unread') return null
      if (node.kind === 'call') add(calls, calleeOf(node.callee))
      for (const child of childrenOf(node)) if (child !== null) open.push(child)
    }
  } catch (error) {
    if (error instanceof CodeLimit || error instanceof RangeError) return null
    throw error
  }
  return calls
}

function calleeOf(node: Node): string {
  if (node.kind === 'name' || node.kind === 'member') return node.name.replace(/^.*(?:::|\\)/, '')
  if (node.kind === 'index' && node.at.kind === 'text') return node.at.text
  const only = node.kind === 'group' ? node.items.at(-1) : undefined
  return only === undefined ? '' : calleeOf(only)
}

function add(calls: Map<string, number>, name: unknown): void {
  const key = typeof name === 'string' ? name.replace(/^#/, '').toLowerCase() : ''
  if (key !== '') calls.set(key, (calls.get(key) ?? 0) + 1)
}

/** Names that the other parser finds called more often. */
export function missed(theirs: Calls, ours: Calls): readonly string[] {
  return [...theirs].filter(([name, count]) => (ours.get(name) ?? 0) < count).map(([name]) => name)
}

interface Tree {
  readonly [field: string]: unknown
}

/** Every object of a syntax tree. */
function each(root: unknown, visit: (node: Tree) => void): void {
  const seen = new Set<unknown>()
  const open = [root]
  for (let node = open.pop(); open.length > 0 || node !== undefined; node = open.pop()) {
    if (node === null || typeof node !== 'object' || seen.has(node)) continue
    seen.add(node)
    if (!Array.isArray(node)) visit(node as Tree)
    open.push(...Object.values(node))
  }
}

const prism = await loadPrism()

/** Calls of a parser of somebody else; null where that cannot read the program. */
export function callsThere(language: ParsedLanguage, source: string): Calls | null {
  const find = REFERENCES[language]
  if (find === undefined) return null
  try {
    return find(source)
  } catch {
    return null
  }
}

const REFERENCES: Readonly<Partial<Record<ParsedLanguage, (source: string) => Calls | null>>> = {
  node: javascriptCalls,
  python: pythonCalls,
  php: phpCalls,
  lua: luaCalls,
  ruby: rubyCalls,
}

function javascriptCalls(source: string): Calls | null {
  const { program, errors } = parseSync('x.ts', source)
  if (errors.length > 0) return null
  const calls = new Map<string, number>()
  each(program, ({ type, callee }) => {
    if (type !== 'CallExpression' && type !== 'NewExpression') return
    const { name, property, computed } = callee as { readonly name?: string; readonly property?: Tree; readonly computed?: boolean }
    add(calls, name ?? property?.value ?? (computed === true ? null : property?.name))
  })
  return calls
}

function pythonCalls(source: string): Calls | null {
  const calls = new Map<string, number>()
  let broken = false
  lezer.parse(source).iterate({
    enter: ({ type, node }) => {
      broken ||= type.isError
      if (type.name !== 'CallExpression') return
      const callee = node.firstChild
      const name = callee?.name === 'MemberExpression' ? callee.getChildren('PropertyName').at(-1) : callee
      if (name?.name === 'PropertyName' || name?.name === 'VariableName') add(calls, source.slice(name.from, name.to).normalize('NFKC'))
    },
  })
  return broken ? null : calls
}

const php = new Engine({ parser: { extractDoc: false, suppressErrors: false }, ast: { withPositions: false } })

function phpCalls(source: string): Calls {
  const calls = new Map<string, number>()
  const tree = source.includes('<?') ? php.parseCode(source, 'x.php') : php.parseEval(source)
  each(tree, ({ kind, what }) => {
    if (kind !== 'call') return
    const { kind: of, name, offset } = what as { readonly kind: string; readonly name?: unknown; readonly offset?: Tree }
    if (of === 'name' && typeof name === 'string') add(calls, name.replace(/^.*\\/, ''))
    else if (offset?.kind === 'identifier') add(calls, offset.name)
  })
  return calls
}

function luaCalls(source: string): Calls {
  const calls = new Map<string, number>()
  each(luaparse.parse(source, { luaVersion: '5.3', comments: false }), ({ type, base }) => {
    if (typeof type !== 'string' || !type.endsWith('CallExpression')) return
    const { name, identifier } = base as { readonly name?: string; readonly identifier?: Tree }
    add(calls, name ?? identifier?.name)
  })
  return calls
}

function rubyCalls(source: string): Calls | null {
  const result = prism(source)
  if (result.errors.length > 0) return null
  const calls = new Map<string, number>()
  each(result.value, (node) => {
    if (node.constructor?.name !== 'CallNode' || typeof node.name !== 'string' || !/^[a-z_]\w*[?!]?$/.test(node.name)) return
    if (node.arguments_ !== null && !/^(?:raise|exit!?|abort|call)$/.test(node.name)) add(calls, node.name)
  })
  return calls
}
