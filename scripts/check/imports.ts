/** The import law of the house and of its largest room, no cycles, and no `node:` in what must stay pure. */
import { dirname, join, normalize } from 'node:path'
import { circles } from './circles.ts'
import { breaksFactsLaw } from './facts-law.ts'
import { isNode, isTest, type Node, report, sources, tree, walk } from './source.ts'

/** What each room may import, besides itself. The arrows of ARCHITECTURE.md. */
const LAW: Readonly<Record<string, readonly string[]>> = {
  core: [],
  ingress: ['core'],
  provenance: ['core'],
  authorization: ['core', 'provenance'],
  facts: ['core', 'session', 'provenance'],
  session: ['core', 'grants', 'provenance', 'authorization'],
  baseline: ['core', 'facts', 'store'],
  flow: ['core', 'facts', 'session', 'provenance', 'authorization'],
  policy: ['core', 'facts', 'ingress', 'grants'],
  layers: ['core', 'baseline', 'facts', 'ingress', 'policy', 'session', 'grants', 'undo', 'outcome'],
  lookup: ['core', 'ingress', 'policy'],
  judges: ['core', 'authorization', 'ingress', 'facts', 'policy', 'lookup', 'sandbox'],
  sandbox: ['core'],
  scanners: ['core', 'ingress', 'lookup'],
  approvals: ['core', 'ingress', 'facts', 'policy', 'lookup', 'grants', 'store', 'audit', 'undo'],
  grants: ['core', 'store'],
  pins: ['core', 'facts', 'session', 'store'],
  preview: ['core', 'facts', 'policy', 'sandbox'],
  undo: ['core', 'sandbox'],
  outcome: ['core', 'facts', 'policy'],
  audit: ['core', 'facts', 'store'],
  store: ['core', 'audit'],
  view: ['core', 'facts'],
  thread: ['store'],
  gate: [
    'authorization',
    'core',
    'ingress',
    'facts',
    'policy',
    'session',
    'layers',
    'judges',
    'scanners',
    'approvals',
    'grants',
    'pins',
    'store',
    'outcome',
    'flow',
    'provenance',
    'undo',
  ],
  open: [
    'authorization',
    'core',
    'flow',
    'ingress',
    'facts',
    'policy',
    'session',
    'layers',
    'lookup',
    'judges',
    'scanners',
    'approvals',
    'grants',
    'pins',
    'preview',
    'sandbox',
    'undo',
    'outcome',
    'audit',
    'store',
    'view',
    'gate',
    'provenance',
    'baseline',
  ],
  hosts: ['core', 'ingress', 'facts', 'policy', 'gate', 'view'],
  adapters: ['core', 'ingress', 'facts', 'policy', 'session', 'layers', 'approvals', 'audit', 'store', 'view', 'gate', 'open'],
  server: [
    'authorization',
    'core',
    'baseline',
    'ingress',
    'facts',
    'policy',
    'session',
    'audit',
    'store',
    'approvals',
    'grants',
    'pins',
    'gate',
    'open',
    'hosts',
    'thread',
  ],
  proxies: ['core', 'ingress', 'facts', 'policy', 'session', 'audit', 'store', 'approvals', 'pins', 'gate', 'open', 'hosts'],
  migrate: ['core', 'policy'],
  replay: ['core', 'ingress', 'facts', 'policy', 'session', 'layers', 'audit', 'store', 'view', 'gate', 'open'],
  cli: ['*'],
  library: ['*'],
  // What runs in a browser: only what is pure.
  console: ['core', 'ingress', 'facts'],
}

/** Rooms that must run anywhere; the named files are their I/O part. */
const PURE = new Set([
  'core',
  'provenance',
  'authorization',
  'flow',
  'baseline',
  'ingress',
  'facts',
  'policy',
  'session',
  'layers',
  'outcome',
  'gate',
  'migrate',
  'console',
])
const IMPURE_FILES = new Set([
  'src/policy/file.ts',
  'src/policy/watch.ts',
  'src/policy/scopes/managed.ts',
  'src/policy/scopes/open-safely.ts',
  'src/policy/scopes/project.ts',
  'src/policy/scopes/trust.ts',
])

const problems: string[] = []
/** What a file needs when it runs, and all that it names, types included. */
const graph = new Map<string, string[]>()
const named = new Map<string, string[]>()

for (const file of sources('src', 'console').filter(({ path }) => !isTest(path))) {
  const targets: string[] = []
  const all: string[] = []
  for (const { source, typeOnly } of imports(tree(file))) {
    if (source.startsWith('node:') && PURE.has(room(file.path)) && !IMPURE_FILES.has(file.path))
      problems.push(`${file.path}: imports \`${source}\`, but its room is pure`)
    if (!source.startsWith('.')) continue
    const target = normalize(join(dirname(file.path), source))
    if (!typeOnly) targets.push(target)
    all.push(target)
    check(file.path, target)
  }
  graph.set(file.path, targets)
  named.set(file.path, all)
}

function check(from: string, to: string): void {
  const [a, b] = [room(from), room(to)]
  const broken = breaksFactsLaw(from, to)
  if (broken !== null) problems.push(broken)
  if (a === b) return
  const allowed = LAW[a]
  if (allowed === undefined) problems.push(`${from}: room \`${a}\` has no law yet`)
  else if (!allowed.includes('*') && !allowed.includes(b)) problems.push(`${from}: \`${a}\` may not import \`${b}\` (${to})`)
}

function room(path: string): string {
  const [root, first = ''] = path.split('/')
  if (root === 'console') return root
  return first.replace(/\.ts$/, '').replace(/^open-.*/, 'open')
}

function* imports(program: Node): Generator<{ source: string; typeOnly: boolean }> {
  for (const node of walk(program)) {
    if (!/^(ImportDeclaration|ExportNamedDeclaration|ExportAllDeclaration|ImportExpression)$/.test(node.type) || !isNode(node.source))
      continue
    const typeOnly = node.importKind === 'type' || node.exportKind === 'type'
    if (typeof node.source.value === 'string') yield { source: node.source.value, typeOnly }
  }
}

const facts = new Map([...named].filter(([path]) => room(path) === 'facts'))
problems.push(...circles(graph).map((circle) => `circle of files: ${circle.join(' · ')}`))
problems.push(...circles(facts).map((circle) => `circle of files, types counted: ${circle.join(' · ')}`))
report('imports', problems, `${graph.size} files`)
