import type { Node } from '../ast.ts'

/** What the body of a loop or function holds, as far as runaway loops are concerned: ways out, and names that are called. */
export interface Inspection {
  /** It can end the loop. */
  readonly stops: boolean
  /** Last names of everything that is called in it. */
  readonly calls: ReadonlySet<string>
}

const KNOWN = new WeakMap<Node, Inspection>()

const EXITS: ReadonlySet<string> = new Set(['exit', '_exit', 'quit', 'abort', 'exit!', 'die', 'execv', 'execve', 'execvp'])

/** Names whose call makes a loop wait or depend on something outside. */
const PACES: ReadonlySet<string> = new Set(
  (
    'sleep usleep setTimeout delay wait wait_for waitpid accept recv recvfrom read readline readlines gets input prompt ' +
    'select poll get get_nowait next join result communicate run call check_call check_output execSync spawnSync receive ' +
    'listen serve_forever await shift pop'
  ).split(' '),
)

/** Walks a tree once; nested walks are remembered, so that all loops of a program together cost linear time. */
export function inspect(node: Node): Inspection {
  const before = KNOWN.get(node)
  if (before !== undefined) return before
  const calls = new Set<string>()
  let stops = false
  for (const child of children(node)) {
    const found = inspect(child)
    stops = stops || found.stops
    for (const name of found.calls) if (calls.size < 256) calls.add(name)
  }
  if (node.kind === 'stop' || node.kind === 'return') stops = true
  if (node.kind === 'call') {
    const { callee } = node
    const name = callee.kind === 'name' || callee.kind === 'member' ? callee.name : ''
    calls.add(name)
    if (EXITS.has(name)) stops = true
  }
  const result = { stops, calls }
  KNOWN.set(node, result)
  return result
}

/** The body never ends by itself and waits for nothing. */
export function runsAway(body: Node): boolean {
  const { stops, calls } = inspect(body)
  return !stops && ![...calls].some((name) => PACES.has(name))
}

type Kind = Node['kind']
type Parts = { readonly [K in Kind]?: (node: Extract<Node, { kind: K }>) => readonly Node[] }

/** The parts of each kind of node; a kind that is not listed has none. */
const PARTS: Parts = {
  template: ({ parts }) => parts,
  command: ({ parts }) => parts,
  member: ({ of }) => [of],
  index: ({ of, at }) => [of, at],
  slice: ({ of }) => [of],
  call: ({ callee, args }) => [callee, ...args.map(({ value }) => value)],
  list: ({ items }) => items,
  group: ({ items }) => items,
  dict: ({ entries }) => entries.flatMap(({ key, value }) => [key, value]),
  chain: ({ first, rest }) => [first, ...rest.map(({ value }) => value)],
  unary: ({ value }) => [value],
  spread: ({ value }) => [value],
  choice: ({ options }) => options,
  function: ({ fn }) => [fn.body],
  assign: ({ target, value }) => [target, value],
  comprehension: ({ element, clauses }) => [element, ...clauses.flatMap(({ source, tests }) => [source, ...tests])],
  block: ({ body }) => body,
  branch: ({ tests, blocks }) => [...tests, ...blocks],
  loop: ({ source, test, body }) => [source, test, body].filter((part) => part !== null),
  class: ({ body }) => [body],
  return: ({ value }) => (value === null ? [] : [value]),
  stop: ({ value }) => (value === null ? [] : [value]),
}

function children(node: Node): readonly Node[] {
  const parts = PARTS[node.kind] as ((node: Node) => readonly Node[]) | undefined
  return parts?.(node) ?? []
}

/** Names that a loop's body adds to. */
export function countersOf(body: Node): readonly string[] {
  const names: string[] = []
  const open: Node[] = [body]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.kind === 'assign' && node.op !== '=' && node.target.kind === 'name') names.push(node.target.name)
    if (node.kind === 'block') open.push(...node.body)
    else if (node.kind === 'branch') open.push(...node.blocks)
    else if (node.kind === 'loop') open.push(node.body)
  }
  return names
}
