/** The size budget: files, lines, functions, folders, and how much of the code is tests. It may only get better. */
import { complexityOf } from './complexity.ts'
import { ratchet } from './ratchet.ts'
import { isFunction, isNode, isTest, lineOf, type Node, report, type SourceFile, sources, tree, walk } from './source.ts'

const BUDGET = {
  fileP95: 300,
  fileMax: 400,
  functionP95: 40,
  functionMax: 60,
  parameters: 3,
  /** Cyclomatic: ways through one function, those of functions inside of it not counted. */
  complexity: 15,
  line: 160,
  /** Source files of one folder, without tests. */
  folder: 25,
  /** Lines of tests for each line of source (docs/decisions/0007-the-facts-room.md). */
  testRatio: 0.6,
}

const files = sources('src', 'console')
const code = files.filter((file) => !isTest(file.path))
const problems: string[] = []
const functions: number[] = []
const complex = new Map<string, number>()
const long = new Map<string, number>()
const folders = new Map<string, number>()

for (const file of code) {
  const lines = countLines(file)
  if (lines > BUDGET.fileMax) problems.push(`${file.path}: ${lines} lines, at most ${BUDGET.fileMax}`)
  for (const node of walk(tree(file))) measure(file, node)
  const wide = file.text.split('\n').filter((line) => line.length > BUDGET.line).length
  if (wide > 0) long.set(file.path, wide)
  count(folders, file.path.slice(0, file.path.lastIndexOf('/')))
}

function measure(file: SourceFile, node: Node): void {
  if (node.type === 'ExportDefaultDeclaration') problems.push(`${file.path}: has a default export`)
  if (node.type === 'TSAnyKeyword') problems.push(`${file.path}:${lineOf(file.text, node.start)}: uses \`any\``)
  if (!isFunction(node) || !isNode(node.body)) return
  const line = lineOf(file.text, node.start)
  const length = lineOf(file.text, node.end) - line + 1
  functions.push(length)
  if (length > BUDGET.functionMax) problems.push(`${file.path}:${line}: function of ${length} lines, at most ${BUDGET.functionMax}`)
  const parameters = Array.isArray(node.params) ? node.params.length : 0
  if (parameters > BUDGET.parameters) problems.push(`${file.path}:${line}: ${parameters} parameters, at most ${BUDGET.parameters}`)
  if (complexityOf(node) > BUDGET.complexity) count(complex, file.path)
}

function count(counts: Map<string, number>, path: string): void {
  counts.set(path, (counts.get(path) ?? 0) + 1)
}

function countLines(file: SourceFile): number {
  return file.text.split('\n').length - 1
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

const sizes = code.map(countLines)
const sourceLines = sizes.reduce((a, b) => a + b, 0)
const testLines = [...files.filter((file) => isTest(file.path)), ...sources('test')].map(countLines).reduce((a, b) => a + b, 0)
const fileP95 = percentile(sizes, 0.95)
const functionP95 = percentile(functions, 0.95)
if (fileP95 > BUDGET.fileP95) problems.push(`files: p95 is ${fileP95} lines, at most ${BUDGET.fileP95}`)
if (functionP95 > BUDGET.functionP95) problems.push(`functions: p95 is ${functionP95} lines, at most ${BUDGET.functionP95}`)
const ratio = testLines / sourceLines
if (ratio < BUDGET.testRatio) problems.push(`tests: ${ratio.toFixed(2)} lines per line of source, at least ${BUDGET.testRatio}`)

const crowded = new Map([...folders].filter(([, held]) => held > BUDGET.folder))
problems.push(
  ...ratchet({ name: 'complexity', found: complex, what: `functions above a complexity of ${BUDGET.complexity}` }),
  ...ratchet({ name: 'lines', found: long, what: `lines above ${BUDGET.line} characters` }),
  ...ratchet({ name: 'folders', found: crowded, what: `source files where ${BUDGET.folder} are the most` }),
)

const sum = (counts: ReadonlyMap<string, number>): number => [...counts.values()].reduce((a, b) => a + b, 0)
report(
  'size',
  problems,
  `${code.length} files, p50 ${percentile(sizes, 0.5)}, p95 ${fileP95}, max ${Math.max(...sizes)}; ${functions.length} functions, p95 ${functionP95}, max ${Math.max(...functions)}; ${sourceLines} lines, tests ${ratio.toFixed(2)} to 1; listed: ${sum(complex)} functions too complex, ${sum(long)} lines too long, ${crowded.size} folders too full`,
)
