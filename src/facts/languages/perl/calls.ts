import { type Argument, type FunctionNode, type Node, nameNode, textNode } from '../ast.ts'
import { words } from '../syntax/parser.ts'

/** What Perl leaves unsaid in a call, said: the topic, the handle that `open` fills, the block whose last value counts. */

const topic = (): Node => nameNode('$_')

/** Operators that take `$_` where nothing is passed. */
const ON_TOPIC = words(
  'unlink rmdir mkdir eval evalbytes require do stat lstat readlink chomp chop chr ord lc uc lcfirst ucfirst hex oct ' +
    'length print say glob unpack quotemeta shift pop chroot readpipe',
)

/** Operators that do something without any operand. */
export const NO_OPERANDS = words(
  'fork wait exec system unlink rmdir mkdir eval evalbytes require chomp chop chr ord lc uc glob readlink shift pop time getppid print say readpipe',
)

/** Operators whose first operand is the handle that they open. */
const OPENERS = words('open sysopen opendir socket accept')

/** Operators whose first operand may be a handle without a comma, or a block that gives one. */
export const HANDLE_FIRST = words('print printf say exec system')

/** Operators whose first operand may be a block. */
export const BLOCK_FIRST = words(
  'map grep sort first any all none sum reduce max_by min_by sort_by uniq_by try catch finally async pairmap apply',
)

export function completed(callee: Node, args: readonly Argument[]): Node {
  if (callee.kind !== 'name') return { kind: 'call', callee, args, make: false }
  const { name } = callee
  if (name === 'new' && args[0] !== undefined) return making(args)
  if ((name === 'map' || name === 'grep') && args.length > 1 && args[0]?.value.kind !== 'function') return mapping(callee, args)
  const all = HANDLE_FIRST.has(name) ? withHandle(args) : args
  if (all.length === 0 && ON_TOPIC.has(name)) return { kind: 'call', callee, args: [positional(topic())], make: false }
  if (OPENERS.has(name) && all[0] !== undefined) return opening(callee, all)
  return { kind: 'call', callee, args: all, make: false }
}

/** `map EXPRESSION, LIST`. */
function mapping(callee: Node, [first, ...rest]: readonly Argument[]): Node {
  const body: Node = { kind: 'group', items: first === undefined ? [] : [first.value], last: true }
  const block = positional({ kind: 'function', fn: { name: null, params: [], body } })
  return { kind: 'call', callee, args: [block, ...rest], make: false }
}

export function positional(value: Node): Argument {
  return { name: null, value, spread: '' }
}

/** `new Module(…)` is `Module->new(…)`. */
function making(args: readonly Argument[]): Node {
  const of = args[0]?.value as Node
  const [module, inner] = of.kind === 'call' ? [of.callee, [...of.args, ...args.slice(1)]] : [of, args.slice(1)]
  return { kind: 'call', callee: { kind: 'member', of: module, name: 'new' }, args: inner, make: false }
}

/** `print STDERR "x"` was read as a call of `STDERR`. */
function withHandle(args: readonly Argument[]): readonly Argument[] {
  const first = args[0]?.value
  if (first?.kind !== 'call' || first.callee.kind !== 'name' || !/^[A-Z][A-Z0-9_]*$/.test(first.callee.name)) return args
  return [positional(first.callee), ...first.args, ...args.slice(1)]
}

/** `open(my $fh, …)` assigns what it opens. */
function opening(callee: Node, args: readonly Argument[]): Node {
  const handle = args[0]?.value as Node
  const target = handle.kind === 'unary' ? handle.value : handle
  const memory = args[2]?.value.kind === 'unary' && args[2].value.op === '\\'
  const value: Node = { kind: 'call', callee: memory ? nameNode('open_in_memory') : callee, args, make: false }
  const assignable = target.kind === 'name' || target.kind === 'index' || target.kind === 'member'
  return assignable ? { kind: 'assign', op: '=', target, value } : value
}

/** A line that is read by the condition of a loop lands in `$_`. */
export function readInto(test: Node): Node {
  const reads = test.kind === 'call' && test.callee.kind === 'name' && /^(?:readline|readdir|shift)$/.test(test.callee.name)
  return reads ? { kind: 'assign', op: '=', target: topic(), value: test } : test
}

/** The last value of a sub is what it gives. */
export function givingLast(fn: FunctionNode): FunctionNode {
  return { ...fn, body: lastOf(fn.body) }
}

export function lastOf(block: Node): Node {
  return block.kind === 'block' ? { kind: 'group', items: block.body, last: true } : block
}

/** `use constant NAME => 'value'` and `use constant { … }`. */
export function constants(value: Node): Node {
  const pairs =
    value.kind === 'dict'
      ? value.entries.map((e) => [e.key, e.value] as const)
      : value.kind === 'list'
        ? [[value.items[0] as Node, value.items[1] as Node] as const]
        : []
  const body = pairs.flatMap(([key, content]): Node[] =>
    key.kind === 'text' && content !== undefined ? [{ kind: 'assign', op: '=', target: nameNode(key.text), value: content }] : [],
  )
  return { kind: 'block', body }
}

/** `$x =~ s/…/…/` and `$x =~ tr/…/…/` leave something else in `$x`. */
export function rewriting(subject: Node, change: Node): Node {
  const target = subject.kind === 'group' && subject.last && subject.items.length === 1 ? (subject.items[0] as Node) : subject
  const inner = target.kind === 'assign' ? target.target : target
  const goal = inner.kind === 'unary' ? inner.value : inner
  const args = [positional(target), positional(change)]
  return { kind: 'assign', op: '=', target: goal, value: { kind: 'call', callee: nameNode('rewritten'), args, make: false } }
}

/** What stands for a substitution or transliteration: its kind, and the code that is in it. */
export function changeNode(kind: string, embedded: Node): Node {
  return { kind: 'list', items: [textNode(kind), embedded] }
}

/** The substitution at the end of a chain of operators, or null. */
export function changeOf(node: Node): { subject: Node; change: Node } | null {
  const last = node.kind === 'chain' ? node.rest.at(-1) : undefined
  if (node.kind !== 'chain' || last?.op !== '=~' || last.value.kind !== 'list') return null
  const kind = last.value.items[0]
  if (kind?.kind !== 'text' || (kind.text !== 's' && kind.text !== 'tr')) return null
  return { subject: node.rest.length === 1 ? node.first : { ...node, rest: node.rest.slice(0, -1) }, change: last.value }
}
