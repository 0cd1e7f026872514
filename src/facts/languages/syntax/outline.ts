import type { Node } from '../ast.ts'
import type { Part, Token } from './token.ts'

/** For tests of lexers and parsers: tokens and syntax trees as one line. */

function parts(all: readonly Part[]): string {
  return all.map((p) => (typeof p === 'string' ? JSON.stringify(p) : `{${p.source}}`)).join(' ')
}

/** One word for each token: names and operators as they are, the others with their kind. */
export function tokenLine(tokens: readonly Token[]): string {
  return tokens
    .filter((t) => t.kind !== 'end')
    .map(({ kind, text, parts: inner, bytes }) => {
      if (kind === 'name' || kind === 'operator') return text
      if (kind === 'newline' || kind === 'indent' || kind === 'dedent') return kind === 'newline' ? '⏎' : kind
      if (kind === 'text') return `${bytes ? 'b' : ''}${JSON.stringify(text)}`
      if (kind === 'number') return `#${text}`
      return `${kind}(${[text, parts(inner)].filter((s) => s !== '').join(' ')})`
    })
    .join(' ')
}

function all(nodes: readonly Node[]): string {
  return nodes.map(nodeLine).join(' ')
}

type Kind<K extends Node['kind']> = Extract<Node, { kind: K }>

function argumentLine({ spread, name, value }: Kind<'call'>['args'][number]): string {
  return `${spread}${name === null ? '' : `${name}: `}${nodeLine(value)}`
}

function parameterLine({ rest, target, fallback }: Kind<'function'>['fn']['params'][number]): string {
  return `${rest ? '*' : ''}${nodeLine(target)}${fallback === null ? '' : `=${nodeLine(fallback)}`}`
}

function clauseLine({ target, source, tests }: Kind<'comprehension'>['clauses'][number]): string {
  return `for ${nodeLine(target)} in ${nodeLine(source)}${tests.map((t) => ` if ${nodeLine(t)}`).join('')}`
}

function orDashes(nodes: readonly (Node | null)[]): string {
  return nodes.map((n) => (n === null ? '-' : nodeLine(n))).join(' ')
}

/** A syntax tree as nested lists, statements separated by `;`. */
export function nodeLine(node: Node): string {
  const line = LINES[node.kind] as ((node: Node) => string) | undefined
  return line?.(node) ?? '?'
}

type Lines = { readonly [K in Node['kind']]?: (node: Kind<K>) => string }

const literalLine = ({ value }: { readonly value: unknown }): string => String(value)
const partsLine = ({ kind, parts: inner }: Kind<'template' | 'command'>): string => `(${kind} ${all(inner)})`
const endLine = ({ kind, value }: Kind<'return' | 'stop'>): string => `(${kind}${value === null ? '' : ` ${nodeLine(value)}`})`

const LINES: Lines = {
  text: ({ text }) => JSON.stringify(text),
  number: literalLine,
  constant: literalLine,
  name: ({ name }) => name,
  member: ({ of, name }) => `${nodeLine(of)}.${name}`,
  index: ({ of, at }) => `${nodeLine(of)}[${nodeLine(at)}]`,
  call: ({ make, callee, args }) => `${make ? 'new ' : ''}${nodeLine(callee)}(${args.map(argumentLine).join(', ')})`,
  template: partsLine,
  command: partsLine,
  list: ({ items }) => `[${items.map(nodeLine).join(', ')}]`,
  dict: ({ entries }) => `{${entries.map(({ key, value }) => `${nodeLine(key)}: ${nodeLine(value)}`).join(', ')}}`,
  chain: ({ first, rest }) => `(${nodeLine(first)}${rest.map(({ op, value }) => ` ${op} ${nodeLine(value)}`).join('')})`,
  unary: ({ op, value }) => `(${op} ${nodeLine(value)})`,
  choice: ({ options }) => `(either ${all(options)})`,
  spread: ({ value }) => `...${nodeLine(value)}`,
  function: ({ fn }) => `(fn ${fn.name ?? '_'}(${fn.params.map(parameterLine).join(', ')}) ${nodeLine(fn.body)})`,
  assign: ({ target, op, value }) => `${nodeLine(target)} ${op} ${nodeLine(value)}`,
  group: ({ items, last }) => (items.length === 0 ? '()' : `(${items.map(nodeLine).join('; ')}${last ? '' : ';'})`),
  block: ({ body }) => `{ ${withoutEmpty(body.map(nodeLine)).join('; ')} }`,
  branch: ({ tests, blocks }) => `(if ${all(tests)} ${blocks.map(nodeLine).join(' | ')})`,
  loop: ({ forever, target, source, test, body }) =>
    `(${forever ? 'forever' : 'loop'} ${orDashes([target, source, test])} ${nodeLine(body)})`,
  class: ({ name, body }) => `(class ${name} ${nodeLine(body)})`,
  import: ({ bindings, star }) =>
    `(import ${[...bindings.map(([local, name]) => `${local}=${name}`), ...(star === null ? [] : [`${star}.*`])].join(' ')})`,
  return: endLine,
  stop: endLine,
  comprehension: ({ shape, element, clauses }) => `(${shape} of ${nodeLine(element)} ${clauses.map(clauseLine).join(' ')})`,
  slice: ({ of, from, to, step }) => `${nodeLine(of)}[${[from, to, step].map((n) => (n === null ? '' : nodeLine(n))).join(':')}]`,
}

function withoutEmpty(lines: readonly string[]): readonly string[] {
  return lines.filter((line) => line !== '()')
}
