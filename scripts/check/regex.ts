/** Every regular expression of our own goes through a checker for super-linear matching (T05, H15). */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { checkSync } from 'recheck'
import { isTest, lineOf, type Node, report, sources, tree, walk } from './source.ts'

const CACHE = 'node_modules/.cache/countersign-regex.json'
const seen: Record<string, string> = load()
const problems: string[] = []
let count = 0

for (const file of sources('src', 'console').filter(({ path }) => !isTest(path))) {
  for (const node of walk(tree(file))) {
    const regex = expressionIn(node)
    if (regex === null) continue
    count++
    const status = check(regex.pattern, regex.flags)
    if (status !== 'safe') problems.push(`${file.path}:${lineOf(file.text, node.start)}: /${regex.pattern}/${regex.flags} is ${status}`)
  }
}

/** A literal, or `new RegExp` of text that stands there in pieces; null for what is put together at run time, and for all else. */
function expressionIn(node: Node): { readonly pattern: string; readonly flags: string } | null {
  if (node.type === 'Literal') return (node.regex as { pattern: string; flags: string } | undefined) ?? null
  if (node.type !== 'NewExpression' || (node.callee as Node).name !== 'RegExp') return null
  const [pattern, flags] = (node.arguments as readonly Node[]).map(textOf)
  if (typeof pattern !== 'string' || flags === null) return null
  const { source } = new RegExp(pattern, flags)
  return { pattern: source, flags: flags ?? '' }
}

/** The text of a literal, a template without holes, `String.raw`, or a sum of them. */
function textOf(node: Node): string | null {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : null
  if (node.type === 'BinaryExpression' && node.operator === '+') {
    const [left, right] = [textOf(node.left as Node), textOf(node.right as Node)]
    return left === null || right === null ? null : left + right
  }
  const raw = node.type === 'TaggedTemplateExpression'
  const { quasis } = (raw ? node.quasi : node) as { quasis?: readonly { value: { raw: string; cooked: string } }[] }
  const [only, more] = quasis ?? []
  if (only === undefined || more !== undefined) return null
  return raw ? only.value.raw : only.value.cooked
}

function check(pattern: string, flags: string): string {
  const key = createHash('sha256')
    .update(JSON.stringify([pattern, flags]))
    .digest('hex')
  let status = seen[key] ?? checkSync(pattern, flags, { timeout: 20_000 }).status
  // The checker may give up, or guess wrong, on a machine that is busy: only what is safe is not looked at again.
  for (let again = 0; again < 3 && status !== 'safe'; again += 1) status = checkSync(pattern, flags, { timeout: 60_000 }).status
  if (status === 'safe') seen[key] = status
  else delete seen[key]
  return status
}

function load(): Record<string, string> {
  try {
    return JSON.parse(readFileSync(CACHE, 'utf8')) as Record<string, string>
  } catch {
    return {}
  }
}

mkdirSync('node_modules/.cache', { recursive: true })
writeFileSync(CACHE, JSON.stringify(seen))
report('regex', problems, `${count} expressions`)
