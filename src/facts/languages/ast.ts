/** The one syntax tree all languages are read into: only what constant propagation and calls need. */
export type Node =
  | { readonly kind: 'text'; readonly text: string; readonly bytes: boolean }
  | { readonly kind: 'template' | 'command'; readonly parts: readonly Node[] }
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'constant'; readonly value: boolean | null }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'member'; readonly of: Node; readonly name: string }
  | { readonly kind: 'index'; readonly of: Node; readonly at: Node }
  | { readonly kind: 'slice'; readonly of: Node; readonly from: Node | null; readonly to: Node | null; readonly step: Node | null }
  | { readonly kind: 'call'; readonly callee: Node; readonly args: readonly Argument[]; readonly make: boolean }
  | { readonly kind: 'list'; readonly items: readonly Node[] }
  | { readonly kind: 'dict'; readonly entries: readonly Entry[] }
  /** Operators of one precedence, left to right: flat, so that long sums do not nest. */
  | { readonly kind: 'chain'; readonly first: Node; readonly rest: readonly { readonly op: string; readonly value: Node }[] }
  | { readonly kind: 'unary'; readonly op: string; readonly value: Node }
  /** One of several: ternaries, `||`, `and`. */
  | { readonly kind: 'choice'; readonly options: readonly Node[] }
  | { readonly kind: 'spread'; readonly value: Node }
  | { readonly kind: 'function'; readonly fn: FunctionNode }
  | { readonly kind: 'assign'; readonly op: string; readonly target: Node; readonly value: Node }
  | { readonly kind: 'comprehension'; readonly shape: 'list' | 'dict'; readonly element: Node; readonly clauses: readonly Clause[] }
  /** Parts whose combination is of no interest; its value is the last one's where `last` is set. */
  | { readonly kind: 'group'; readonly items: readonly Node[]; readonly last: boolean }
  | {
      readonly kind: 'block'
      readonly body: readonly Node[]
      /** Only runs where the file itself is run, not where it is loaded. */
      readonly main?: true
    }
  | { readonly kind: 'branch'; readonly tests: readonly Node[]; readonly blocks: readonly Node[] }
  | Loop
  | { readonly kind: 'class'; readonly name: string; readonly bases: readonly Node[]; readonly body: Node }
  | {
      readonly kind: 'import'
      readonly bindings: readonly (readonly [string, string])[]
      readonly star: string | null
      /** Dotted names of all that may be loaded. */
      readonly loads: readonly string[]
    }
  | { readonly kind: 'return'; readonly value: Node | null }
  /** `break`, `raise`, `throw`, `exit`: what can end a loop. */
  | { readonly kind: 'stop'; readonly value: Node | null }
  /** Part of the program that is written in a way that no reader here knows. */
  | { readonly kind: 'unread' }

export interface Loop {
  readonly kind: 'loop'
  /** `for target in source`; null for `while`. */
  readonly target: Node | null
  readonly source: Node | null
  /** Condition, steps: evaluated for their effects. */
  readonly test: Node | null
  /** The condition is always true. */
  readonly forever: boolean
  readonly body: Node
}

export interface Argument {
  readonly name: string | null
  readonly value: Node
  readonly spread: '' | '*' | '**'
}

export interface Entry {
  readonly key: Node
  readonly value: Node
}

export interface Clause {
  readonly target: Node
  readonly source: Node
  readonly tests: readonly Node[]
}

export interface Param {
  readonly target: Node
  readonly fallback: Node | null
  readonly rest: boolean
}

export interface FunctionNode {
  readonly name: string | null
  readonly params: readonly Param[]
  readonly body: Node
}

export const NOTHING: Node = { kind: 'group', items: [], last: false }

export function nameNode(name: string): Node {
  return { kind: 'name', name }
}

export function textNode(text: string, bytes = false): Node {
  return { kind: 'text', text, bytes }
}

export function callNode(callee: Node, values: readonly Node[]): Node {
  return { kind: 'call', callee, args: values.map((value) => ({ name: null, value, spread: '' })), make: false }
}

/** True for a node that is a constant which counts as true. */
export function alwaysTrue(node: Node): boolean {
  if (node.kind === 'constant') return node.value === true
  if (node.kind === 'number') return node.value !== 0
  return node.kind === 'group' && node.last && node.items.length === 1 && alwaysTrue(node.items[0] as Node)
}

type Parts = { readonly [K in Node['kind']]: (node: Extract<Node, { kind: K }>) => readonly (Node | null)[] }

const none = (): readonly Node[] => []

const PARTS: Parts = {
  text: none,
  number: none,
  constant: none,
  name: none,
  import: none,
  unread: none,
  template: ({ parts }) => parts,
  command: ({ parts }) => parts,
  member: ({ of }) => [of],
  index: ({ of, at }) => [of, at],
  slice: ({ of, from, to, step }) => [of, from, to, step],
  call: ({ callee, args }) => [callee, ...args.map(({ value }) => value)],
  list: ({ items }) => items,
  group: ({ items }) => items,
  dict: ({ entries }) => entries.flatMap(({ key, value }) => [key, value]),
  chain: ({ first, rest }) => [first, ...rest.map(({ value }) => value)],
  choice: ({ options }) => options,
  function: ({ fn }) => [...fn.params.flatMap(({ target, fallback }) => [target, fallback]), fn.body],
  assign: ({ target, value }) => [target, value],
  comprehension: ({ clauses, element }) => [...clauses.flatMap(({ target, source, tests }) => [target, source, ...tests]), element],
  block: ({ body }) => body,
  branch: ({ tests, blocks }) => [...tests, ...blocks],
  loop: ({ target, source, test, body }) => [target, source, test, body],
  class: ({ bases, body }) => [...bases, body],
  unary: ({ value }) => [value],
  spread: ({ value }) => [value],
  return: ({ value }) => [value],
  stop: ({ value }) => [value],
}

/** The nodes that a node is made of, in their order. */
export function childrenOf(node: Node): readonly (Node | null)[] {
  return (PARTS[node.kind] as (node: Node) => readonly (Node | null)[])(node)
}

/** True for what runs something. */
export function acts(node: Node): boolean {
  return node.kind === 'call' || node.kind === 'command' || childrenOf(node).some((child) => child !== null && acts(child))
}
