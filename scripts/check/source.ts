/** Reads the project's own TypeScript: files, syntax trees, and a walk over every node. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'oxc-parser'

export interface SourceFile {
  readonly path: string
  readonly text: string
}

/** A node of the ESTree that the parser gives; only what the checks look at. */
export interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [key: string]: unknown
}

/** Every `.ts` and `.tsx` file under the folders, sorted. */
export function sources(...folders: readonly string[]): readonly SourceFile[] {
  return folders
    .flatMap(list)
    .toSorted()
    .map((path) => ({ path, text: readFileSync(path, 'utf8') }))
}

function list(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return entry.name === 'node_modules' || entry.name === 'dist' ? [] : list(path)
    return /\.tsx?$/.test(entry.name) && !entry.name.endsWith('.d.ts') ? [path] : []
  })
}

/** Tests, and what only tests import. */
export function isTest(path: string): boolean {
  return path.endsWith('.test.ts') || path.startsWith('test/') || path.endsWith('harness.ts') || path.includes('/testing/')
}

/** The syntax tree; throws where the file does not parse. */
export function tree(file: SourceFile): Node {
  const { program, errors } = parseSync(file.path, file.text)
  if (errors.length > 0) throw new Error(`${file.path}: ${errors[0]?.message}`)
  return program as unknown as Node
}

/** Every node, parents first. */
export function* walk(node: Node): Generator<Node> {
  const open: Node[] = [node]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    yield next
    for (const value of Object.values(next).toReversed()) {
      for (const child of Array.isArray(value) ? value.toReversed() : [value]) if (isNode(child)) open.push(child)
    }
  }
}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'
}

const FUNCTIONS: ReadonlySet<string> = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'])

export function isFunction(node: Node): boolean {
  return FUNCTIONS.has(node.type)
}

/** Line number of an offset, from 1. */
export function lineOf(text: string, offset: number): number {
  let line = 1
  for (let i = text.indexOf('\n'); i !== -1 && i < offset; i = text.indexOf('\n', i + 1)) line++
  return line
}

/** Prints what is wrong and says so to the shell. */
export function report(title: string, problems: readonly string[], summary: string): void {
  for (const problem of problems) console.error(`  ${problem}`)
  console.log(`${title}: ${problems.length === 0 ? 'holds' : `${problems.length} broken`} (${summary})`)
  if (problems.length > 0) process.exitCode = 1
}
